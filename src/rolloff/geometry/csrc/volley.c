/* Which weapons of a group have a target of another near enough and in sight: by `spans_of` and sight by samples, asked at once. */

/* Weapons of a group: each is of an observer (by his number), reaches so far and is fired `unseen` or not. */
typedef struct {
    const int32_t *bearer;
    const double *reach;
    const char *unseen;
    int32_t count;
} Volley;

/* What may hide and part everybody: the backdrop with the rows of all models, and their hulls and heights. */
typedef struct {
    const Scene *s;
    const Backdrop *drop;
    int32_t opaque;
    const char *over, *bodies, *rows;
} Setting;

static void reach_to(const Setting *t, const int32_t *from, int32_t observers, const int32_t *to, int32_t targets, double *nearest)
{
    const Scene *s = t->s;
    spans_of(s->ground, s->n, s->shape, s->xy, s->z, s->facing, s->owner, t->over, t->bodies, from, observers, to, targets, -1.0, -1.0,
             -1.0, nearest);
}

/* How far the target is that a go of an observer's look finds no further than his weapon reaches; INFINITY if it finds none. One
 * further away is hidden from all his goes. */
static double go_aims(Watch *h, const Setting *t, int look, int32_t i, int32_t j, int32_t pair, double reach)
{
    double apart[2];
    if (!go_finds(h, look, i, j, pair)) return INFINITY;
    reach_to(t, &h->a[i].is.slot, 1, &h->b[j].is.slot, 1, apart);
    if (apart[0] <= reach) return apart[0];
    h->hidden[pair] = 1;
    return INFINITY;
}

/* How far a target is that an observer sees no further than his weapon reaches; INFINITY if there is none. */
static double finds_in_reach(Watch *h, const Setting *t, int32_t i, double reach)
{
    double apart = INFINITY;
    watch_anew(h, h->targets);
    for (int look = BY_AXIS; look < LOOKS && apart > reach; look++) /* whoever is in plain view is found before others are searched */
        for (int32_t j = 0; j < h->targets && apart > reach; j++) apart = go_aims(h, t, look, i, j, j, reach);
    return apart;
}

/* Marks the shots that may hit anybody of the targets. Only those observers look that have a shot in reach which needs sight: for one
 * that reaches less than what they see, or further than they looked in vain, they look again. */
static void mark_shots(Arena *m, const Setting *t, const int32_t *from, int32_t observers, const int32_t *to, int32_t targets,
                       const Volley *v, char *able)
{
    Mark mark = arena_mark(m);
    size_t many = (size_t)observers;
    double *nearest = take(m, 9 * many + 8), *seen = take(m, sizeof(double) * (many + 1)), *vain = take(m, sizeof(double) * (many + 1));
    int32_t *lookers = take(m, sizeof(int32_t) * (many + 1)), *at = take(m, sizeof(int32_t) * (many + 1)), looking = 0;
    reach_to(t, from, observers, to, targets, nearest);
    for (int32_t i = 0; i < observers; i++) at[i] = -1;
    for (int32_t k = 0; k < v->count; k++) {
        int32_t i = v->bearer[k];
        able[k] = nearest[i] <= v->reach[k];
        if (!able[k] || v->unseen[k] || at[i] >= 0) continue;
        lookers[looking] = from[i];
        at[i] = looking++;
        seen[i] = INFINITY;
        vain[i] = -1.0;
    }
    if (looking) {
        Watch h = watch_of(m, t->s, t->drop, t->opaque, t->rows, lookers, looking, to, targets, targets);
        for (int32_t k = 0; k < v->count; k++) {
            int32_t i = v->bearer[k];
            double reach = v->reach[k];
            if (!able[k] || v->unseen[k]) continue;
            if (reach < seen[i] && reach > vain[i]) {
                double apart = finds_in_reach(&h, t, at[i], reach);
                if (apart <= reach) seen[i] = apart;
                else vain[i] = reach;
            }
            able[k] = seen[i] <= reach;
        }
    }
    arena_back(m, mark);
}

/* A group by where it stands: a box about all of it that is on the table, hulls included. */
typedef struct {
    double left, bottom, right, top;
} Ring;

static Ring ring_of(const Setting *t, const int32_t *slots, int32_t count)
{
    Ring b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t k = 0; k < count; k++) {
        int32_t slot = slots[k];
        if (!on_table(t->s, slot)) continue;
        double x = slot_x(t->s, slot), y = slot_y(t->s, slot), own = 0.0, hull = 0.0;
        for (int32_t i = 0; i < 3; i++) {
            own += read_i32(t->s->shape, 4 * slot + i);
            hull += read_i32(t->over, 4 * slot + i);
        }
        double far = (own > hull ? own : hull) + 4.0;
        if (x - far < b.left) b.left = x - far;
        if (x + far > b.right) b.right = x + far;
        if (y - far < b.bottom) b.bottom = y - far;
        if (y + far > b.top) b.top = y + far;
    }
    return b;
}

/* How far two groups are apart at least, squared. */
static double least_apart(const Ring *a, const Ring *b)
{
    double dx = a->left > b->right ? a->left - b->right : b->left > a->right ? b->left - a->right : 0.0;
    double dy = a->bottom > b->top ? a->bottom - b->top : b->bottom > a->top ? b->bottom - a->top : 0.0;
    return dx * dx + dy * dy;
}

/* Marks the shots that may hit anybody of each of some groups of targets, group by group. One row of `numbers`: the bearer of each
 * shot, the observers, where each group ends, the targets. */
int32_t shots_in_aim(SCENE_ARGS, const Backdrop *drop, int32_t opaque, const char *over, const char *bodies, const char *rows,
                     const int32_t *numbers, int32_t observers, int32_t groups, const double *reach, const char *unseen,
                     int32_t shots, char *able)
{
    const int32_t *bearer = numbers, *from = bearer + shots, *ends = from + observers, *to = ends + groups;
    Scene s = SCENE;
    Setting t = {&s, drop, opaque, over, bodies, rows};
    Volley v = {bearer, reach, unseen, shots};
    Arena m;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    Ring own = ring_of(&t, from, observers);
    double most = 0.0;
    for (int32_t k = 0; k < shots; k++)
        if (reach[k] > most) most = reach[k];
    for (int32_t g = 0, first = 0; g < groups; first = ends[g++], able += shots) {
        Ring other = ring_of(&t, to + first, ends[g] - first);
        if (least_apart(&own, &other) > most * most) memset(able, 0, (size_t)shots);
        else mark_shots(&m, &t, from, observers, to + first, ends[g] - first, &v, able);
    }
    arena_close(&m);
    return 0;
}

/* How far the weapons of each model reach that need sight, and those that are fired unseen; below 0 for none. */
typedef struct {
    const double *seen, *unseen;
} Reaches;

/* Whether any of some models sees a target no further than its weapon reaches: whoever does so in plain view is found before anybody
 * searches. */
static int anybody_aims(Arena *m, const Setting *t, const int32_t *from, int32_t observers, const double *seen, const int32_t *to,
                        int32_t targets)
{
    Watch h = watch_of(m, t->s, t->drop, t->opaque, t->rows, from, observers, to, targets, observers * targets);
    watch_anew(&h, observers * targets);
    for (int look = BY_AXIS; look < LOOKS; look++)
        for (int32_t i = 0; i < observers; i++)
            for (int32_t j = 0; j < targets; j++)
                if (go_aims(&h, t, look, i, j, i * targets + j, seen[from[i]]) < INFINITY) return 1;
    return 0;
}

/* Whether any of a group has a weapon that may hit anybody of the targets. */
static int any_shot(Arena *m, const Setting *t, const int32_t *from, int32_t observers, const Reaches *far, const int32_t *to,
                    int32_t targets)
{
    Mark mark = arena_mark(m);
    double *nearest = take(m, 9 * (size_t)observers + 8);
    int32_t *lookers = take(m, sizeof(int32_t) * ((size_t)observers + 1)), looking = 0, found = 0;
    reach_to(t, from, observers, to, targets, nearest);
    for (int32_t i = 0; i < observers && !found; i++) {
        found = nearest[i] <= far->unseen[from[i]];
        if (nearest[i] <= far->seen[from[i]]) lookers[looking++] = from[i];
    }
    if (looking && !found) found = anybody_aims(m, t, lookers, looking, far->seen, to, targets);
    arena_back(m, mark);
    return found;
}

/* The same of some groups of targets, from `low` to before `high`; those nearest are asked first. */
static int any_target(Arena *m, const Setting *t, const int32_t *from, int32_t observers, const Reaches *far, const int32_t *to,
                      const int32_t *ends, const Ring *rings, int32_t low, int32_t high)
{
    Ring own = ring_of(t, from, observers);
    Mark mark = arena_mark(m);
    double *apart = take(m, sizeof(double) * (size_t)(high + 1)), most = -1.0;
    int found = 0;
    for (int32_t i = 0; i < observers; i++) {
        if (far->seen[from[i]] > most) most = far->seen[from[i]];
        if (far->unseen[from[i]] > most) most = far->unseen[from[i]];
    }
    for (int32_t g = low; g < high; g++) apart[g] = least_apart(&own, rings + g);
    while (!found && low < high && most >= 0.0) {
        int32_t g = low;
        for (int32_t k = low + 1; k < high; k++)
            if (apart[k] < apart[g]) g = k;
        if (apart[g] > most * most) break;
        int32_t first = g ? ends[g - 1] : 0;
        found = any_shot(m, t, from, observers, far, to + first, ends[g] - first);
        apart[g] = INFINITY;
    }
    arena_back(m, mark);
    return found;
}

/* Marks those of some groups that have a weapon which may hit anybody of other groups: by 2 one of the first, of which it is `sure`,
 * else by 1 one of the rest. One row of `numbers`: where each group has its last model, by which of the rows of all models it has its
 * weapons, where each of the others has its last model, the models, those of the others. */
int32_t shooters_in_aim(SCENE_ARGS, const Backdrop *drop, int32_t opaque, const char *over, const char *bodies, const char *rows,
                        const double *seen, const double *unseen, const int32_t *numbers, int32_t shooters, int32_t groups,
                        int32_t sure, char *able)
{
    const int32_t *from_ends = numbers, *row = from_ends + shooters, *ends = row + shooters, *from = ends + groups;
    const int32_t *to = from + (shooters ? from_ends[shooters - 1] : 0);
    Scene s = SCENE;
    Setting t = {&s, drop, opaque, over, bodies, rows};
    Arena m;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    Ring *rings = take(&m, sizeof(Ring) * (size_t)(groups + 1));
    for (int32_t g = 0, first = 0; g < groups; first = ends[g++]) rings[g] = ring_of(&t, to + first, ends[g] - first);
    for (int32_t k = 0, first = 0; k < shooters; first = from_ends[k++]) {
        Reaches far = {seen + (size_t)row[k] * (size_t)n, unseen + (size_t)row[k] * (size_t)n};
        int32_t count = from_ends[k] - first;
        able[k] = (char)(2 * any_target(&m, &t, from + first, count, &far, to, ends, rings, 0, sure));
        if (!able[k]) able[k] = (char)any_target(&m, &t, from + first, count, &far, to, ends, rings, sure, groups);
    }
    arena_close(&m);
    return 0;
}
