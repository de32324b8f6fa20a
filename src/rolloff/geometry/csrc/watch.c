/* A unit's look at a unit, and one eye's. */

/* How often a proof for many pairs at once is mended before they are looked at one by one. */
#define TRIES 4

/* Some ends of sight lines. */
typedef struct {
    const End **end;
    int32_t n;
} Group;

static int between_all(const Mode *mode, const Group *viewers, const Group *targets, const Obstacle *o)
{
    for (int32_t i = 0; i < viewers->n; i++)
        for (int32_t k = 0; k < targets->n; k++)
            if (!aside(viewers->end[i], targets->end[k], o) && !stands_up(viewers->end[i], targets->end[k], o, mode))
                return 0;
    return 1;
}

static Hull group_hull(Arena *m, const Frame *f, const Group *g)
{
    Form *box = take(m, sizeof(Form) * (size_t)g->n);
    for (int32_t k = 0; k < g->n; k++) frame_box(m, f, &g->end[k]->one, box + k);
    Hull h = {box, g->n};
    return h;
}

/* The direction from the middle of one group to the middle of another, in whole numbers. */
static void group_way(const Group *viewers, const Group *targets, double *wx, double *wy)
{
    const End *origin = viewers->end[0];
    double x = 0.0, y = 0.0, u = 0.0, v = 0.0;
    for (int32_t k = 0; k < targets->n; k++) {
        x = x + (targets->end[k]->x - origin->x);
        y = y + (targets->end[k]->y - origin->y);
    }
    for (int32_t k = 0; k < viewers->n; k++) {
        u = u + (viewers->end[k]->x - origin->x);
        v = v + (viewers->end[k]->y - origin->y);
    }
    *wx = x * viewers->n - u * targets->n;
    *wy = y * viewers->n - v * targets->n;
}

/* What lies wholly between two groups; the tag of a shade is the number of its obstacle. */
static Shades shades_between(Arena *m, const Frame *f, const Hull ends[2], const Obstacles *all, double right, double left)
{
    Shades shades = {NULL, 0, 0};
    for (int32_t i = 0; i < all->n; i++) {
        const Obstacle *o = all->o + i;
        Form few[8], *box = o->cores <= 8 ? few : take(m, sizeof(Form) * (size_t)o->cores);
        int fits = 1;
        for (int32_t k = 0; fits && k < o->cores; k++) {
            frame_box(m, f, o->core + k, box + k);
            fits = right <= box[k].left && box[k].right <= left;
        }
        for (int32_t k = 0; fits && k < o->cores; k++)
            if (!astray(ends, box + k)) shade_add(m, &shades, i, box[k].c, box[k].n, box[k].r, EVERYWHERE);
    }
    return shades;
}

/* Checks the obstacles a proof rests on; drops those that do not block every pair and returns whether any was. */
static int drop_wrong(const Mode *mode, const Group *viewers, const Group *targets, const Obstacles *all, Shades *shades)
{
    int32_t kept = 0, last = -1, wrong = 0, any = 0;
    char bad[MOST_PIECES + MOST_MODELS];
    for (int32_t k = 0; k < shades->count; k++) bad[shades->shade[k].tag] = 0;
    for (int32_t k = 0; k < shades->count; k++) {
        int32_t tag = shades->shade[k].tag;
        if (!shades->shade[k].used) continue;
        if (tag != last) wrong = !between_all(mode, viewers, targets, all->o + tag);
        last = tag;
        if (wrong) bad[tag] = 1;
        any |= wrong;
    }
    for (int32_t k = 0; any && k < shades->count; k++)
        if (!bad[shades->shade[k].tag]) {
            shades->shade[kept] = shades->shade[k];
            shades->shade[kept++].used = 0;
        }
    if (any) shades->count = kept;
    return any;
}

/* Whether what stands between all viewers and all targets hides every target from every viewer. */
static int all_hidden(Arena *m, const Mode *mode, const Group *viewers, const Group *targets, const Obstacles *all)
{
    Mark mark = arena_mark(m);
    double wx, wy, least, right, left, most, line[2];
    int hidden = 0;
    group_way(viewers, targets, &wx, &wy);
    if (wx == 0.0 && wy == 0.0) return 0;
    Frame f = frame_along(viewers->end[0]->x, viewers->end[0]->y, wx, wy);
    Hull ends[2] = {group_hull(m, &f, viewers), group_hull(m, &f, targets)};
    hull_reach(ends, &least, &right);
    hull_reach(ends + 1, &left, &most);
    if (!(right + mode->contact * f.scale >= left)) {
        Shades shades = shades_between(m, &f, ends, all, right, left);
        double width = (mode->margin - TOUCH) * f.scale;
        for (int32_t tries = 0; tries < TRIES && !hidden; tries++) {
            if (search(m, ends, &shades, 0.0, EVERYWHERE, width, line)) break;
            hidden = !drop_wrong(mode, viewers, targets, all, &shades);
        }
    }
    arena_back(m, mark);
    return hidden;
}

static int32_t seen_by(Arena *m, const Mode *mode, const End *a, const Group *targets, const Obstacles *all)
{
    Found found = {{0.0, 0.0, 0.0, 0.0}, 0, NULL};
    Group viewer = {&a, 1}, rest = {targets->end + 1, targets->n - 1};
    for (int32_t k = 0; k < targets->n; k++) {
        if (look_between(m, mode, a, targets->end[k], all, &found)) return k;
        if (k == 0 && targets->n > 1 && all_hidden(m, mode, &viewer, &rest, all)) return -1;
    }
    return -1;
}

static void circle_of(const Group *g, double *cx, double *cy, double *far)
{
    double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
    for (int32_t k = 0; k < g->n; k++) {
        const End *e = g->end[k];
        if (e->x < left) left = e->x;
        if (e->x > right) right = e->x;
        if (e->y < bottom) bottom = e->y;
        if (e->y > top) top = e->y;
    }
    *cx = (left + right) / 2.0;
    *cy = (bottom + top) / 2.0;
    *far = 0.0;
    for (int32_t k = 0; k < g->n; k++) {
        double dx = g->end[k]->x - *cx, dy = g->end[k]->y - *cy, d = sqrt(dx * dx + dy * dy) + g->end[k]->far;
        if (d > *far) *far = d;
    }
}

/* Keeps the obstacles near enough to meet a line between two groups. */
static void keep_nearby(Obstacles *all, const Group *viewers, const Group *targets)
{
    double ax, ay, a_far, bx, by, b_far;
    int32_t kept = 0;
    circle_of(viewers, &ax, &ay, &a_far);
    circle_of(targets, &bx, &by, &b_far);
    double far = a_far > b_far ? a_far : b_far;
    for (int32_t k = 0; k < all->n; k++) {
        const Obstacle *o = all->o + k;
        if (point_to_edge(o->x, o->y, ax, ay, bx, by) < (o->far + far) * (o->far + far)) all->o[kept++] = *o;
    }
    all->n = kept;
}

static Group group_of(Arena *m, const Scene *s, const Mode *mode, int32_t unit)
{
    int32_t count = 0;
    for (int32_t k = 0; k < s->n; k++) count += slot_owner(s, k) == unit && on_table(s, k);
    Group g = {take(m, sizeof(End *) * (size_t)(count + 1)), 0};
    for (int32_t k = 0; k < s->n; k++)
        if (slot_owner(s, k) == unit && on_table(s, k)) {
            End *e = take(m, sizeof(End));
            end_of_slot(s, mode, k, e);
            g.end[g.n++] = e;
        }
    return g;
}

static void watch_groups(Arena *m, const Mode *mode, const Group *standing, const int32_t *places, Group *targets,
                         const Obstacles *all, int32_t *seen)
{
    int tried = 0;
    for (int32_t k = 0; k < standing->n; k++) {
        int32_t found = seen_by(m, mode, standing->end[k], targets, all);
        if (found >= 0) {
            const End *target = targets->end[found];
            seen[places[k]] = target->slot;
            memmove(targets->end + 1, targets->end, sizeof(End *) * (size_t)found);
            targets->end[0] = target;
        } else if (!tried && k + 1 < standing->n) {
            Group rest = {standing->end + k + 1, standing->n - k - 1};
            tried = 1;
            if (all_hidden(m, mode, &rest, targets, all)) return;
        }
    }
}

/* Fills, for each viewer, a target slot it sees or -1. */
int32_t watch_from(SCENE_ARGS, const char *packed_mode, int32_t unit_a, int32_t unit_b, const int32_t *viewers,
                   int32_t count, int32_t *seen)
{
    Scene s = SCENE;
    Mode mode = mode_of(packed_mode);
    Arena m;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    Group standing = {take(&m, sizeof(End *) * (size_t)(count + 1)), 0}, targets = group_of(&m, &s, &mode, unit_b);
    int32_t *places = take(&m, sizeof(int32_t) * (size_t)(count + 1));
    for (int32_t k = 0; k < count; k++) {
        seen[k] = -1;
        if (!on_table(&s, viewers[k])) continue;
        End *e = take(&m, sizeof(End));
        end_of_slot(&s, &mode, viewers[k], e);
        places[standing.n] = k;
        standing.end[standing.n++] = e;
    }
    if (standing.n > 0 && targets.n > 0) {
        Obstacles all = obstacles_of(&m, &s, &mode, unit_a, unit_b);
        keep_nearby(&all, &standing, &targets);
        watch_groups(&m, &mode, &standing, places, &targets, &all, seen);
    }
    arena_close(&m);
    return 0;
}

/* The first model of a unit that one eye sees, or -1. */
int32_t aims_at(SCENE_ARGS, const char *packed_mode, const char *eye, int32_t unit_b)
{
    Scene s = SCENE;
    Mode mode = mode_of(packed_mode);
    Arena m;
    End a;
    Found found = {{0.0, 0.0, 0.0, 0.0}, 0, NULL};
    int32_t answer = -1;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    Group targets = group_of(&m, &s, &mode, unit_b);
    if (end_of_eye(&m, &s, &mode, eye, &a) && targets.n > 0) {
        const End *one = &a;
        Group viewer = {&one, 1};
        Obstacles all = obstacles_of(&m, &s, &mode, a.unit, unit_b);
        keep_nearby(&all, &viewer, &targets);
        for (int32_t k = 0; k < targets.n && answer < 0; k++)
            if (look_between(&m, &mode, &a, targets.end[k], &all, &found)) answer = targets.end[k]->slot;
    }
    arena_close(&m);
    return answer;
}
