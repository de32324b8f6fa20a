/* A whole assault in one call: a lead model into contact, everyone else after it. Twin: plain/storm.py. */

#define STORM_TRIES 3

typedef struct {
    const Scene *s;
    const Move *move;
    Member *member;
    int32_t n, lead, points;          /* the lead model's number, and the number of points of its way */
    int32_t *path;                    /* its way: MOST_LEGS points */
    int32_t *rows;                    /* what the settler found, SETTLED_ROW a member */
    int32_t *turns, *fixed, *wishes, *group, *slots;
    double *gaps;
    Pose *pose;
    int32_t *scratch, failed, stopped; /* stopped: difficult ground made a proposal too long */
} Storm;

/* Judges the marches of all members: the lead's way and the settled rows. */
static int storm_lawful(Storm *z)
{
    int32_t n = z->n, total = 0, *out = z->scratch;
    Member *member = malloc((size_t)(n + 1) * sizeof(Member));
    for (int32_t i = 0; member && i < n; i++) {
        const int32_t *row = z->rows + (size_t)i * SETTLED_ROW;
        int32_t count = i == z->lead ? z->points : row[0];
        const int32_t *at = i == z->lead ? z->path : row + 1;
        member[i] = z->member[i];
        member[i].first = total; member[i].poses = count;
        for (int32_t k = 0; k < count; k++) {
            Pose p = {at[2 * k], at[2 * k + 1], -1};
            z->pose[total++] = p;
        }
    }
    if (!member || !judge_paths(z->s, z->move, member, n, z->pose, CODE_ALONE, out)) z->failed = 1;
    free(member);
    if (!z->failed && out[0] == C_TOO_LONG) z->stopped = 1;
    return !z->failed && out[0] == C_LEGAL;
}

/* Sorts the members but the lead by a key, ties by number, into turns. */
static void take_turns(Storm *z, const double *key)
{
    int32_t count = 0;
    for (int32_t i = 0; i < z->n; i++) {
        if (i == z->lead) continue;
        int32_t k = count++;
        while (k > 0 && key[z->turns[k - 1]] > key[i]) { z->turns[k] = z->turns[k - 1]; k--; }
        z->turns[k] = i;
    }
}

static void fix_member(Storm *z, int32_t k, int32_t i, int32_t x, int32_t y)
{
    z->fixed[3 * k] = i; z->fixed[3 * k + 1] = x; z->fixed[3 * k + 2] = y;
}

static int settle_storm(Storm *z, int32_t aim, int32_t rules, int32_t most, int32_t fixed, int32_t wishes)
{
    memset(z->rows, 0, (size_t)z->n * SETTLED_ROW * sizeof(int32_t));
    int32_t done = settle_unit(z->s, z->move, aim, rules, most, (const char *)z->turns, z->n - 1, (const char *)z->fixed, fixed,
                               (const char *)z->wishes, wishes, z->rows);
    if (done == -2) z->failed = 1;
    return done == 1;
}

/* The unit after its lead model: in contact, or as near to the targets as everyone can get. */
static int storm_behind(Storm *z, int32_t most, int32_t avoid)
{
    const Pose *from = &z->member[z->lead].from;
    int32_t rules = LINKED | (avoid ? AVOID : 0) | (z->move->t.closing ? NOT_FURTHER : 0), last = z->points - 1;
    take_turns(z, z->gaps);
    fix_member(z, 0, z->lead, last >= 0 ? z->path[2 * last] : from->x, last >= 0 ? z->path[2 * last + 1] : from->y);
    return settle_storm(z, TO_TARGETS, rules, most, 1, 0) && storm_lawful(z);
}

/* The unit in formation with its lead model, whoever stands nearest to it first. */
static int in_formation(Storm *z, int32_t rules, int32_t most)
{
    const Member *lead = z->member + z->lead;
    int32_t n = z->n;
    if (z->points == 0) return 0;
    int32_t ex = z->path[2 * z->points - 2], ey = z->path[2 * z->points - 1];
    double *apart = z->gaps + n;
    for (int32_t i = 0; i < n; i++) {
        const Pose *p = &z->member[i].from;
        double dx = (double)p->x - lead->from.x, dy = (double)p->y - lead->from.y;
        apart[i] = dx * dx + dy * dy;
        z->wishes[2 * i] = p->x + ex - lead->from.x; z->wishes[2 * i + 1] = p->y + ey - lead->from.y;
    }
    take_turns(z, apart);
    fix_member(z, 0, z->lead, ex, ey);
    return settle_storm(z, TO_POINT, rules | LINKED, most, 1, n) && storm_lawful(z);
}

/* The unit in formation with its lead model; then whoever can goes nearer without breaking coherency. */
static int storm_in_step(Storm *z, int32_t most, int32_t avoid)
{
    int32_t rules = (avoid ? AVOID : 0) | (z->move->t.closing ? NOT_FURTHER : 0), n = z->n;
    if (!in_formation(z, rules, most)) return 0;
    int32_t *plain = malloc((size_t)n * SETTLED_ROW * sizeof(int32_t)), fixed = 1;
    if (!plain) { z->failed = 1; return 0; }
    memcpy(plain, z->rows, (size_t)n * SETTLED_ROW * sizeof(int32_t));
    for (int32_t i = 0; i < n; i++) {
        const int32_t *row = plain + (size_t)i * SETTLED_ROW;
        if (i == z->lead) continue;
        fix_member(z, fixed++, i, row[0] ? row[2 * row[0] - 1] : z->member[i].from.x,
                   row[0] ? row[2 * row[0]] : z->member[i].from.y);
    }
    take_turns(z, z->gaps);
    if (!settle_storm(z, TO_TARGETS, rules | IN_TURN | COHERENT, most, fixed, 0) || !storm_lawful(z))
        memcpy(z->rows, plain, (size_t)n * SETTLED_ROW * sizeof(int32_t));
    free(plain);
    return 1;
}

/* The model, among those not tried, with the shortest way into contact; models of one round size look together. */
static int storm_lead(Storm *z, const int8_t *tried, int32_t most, int32_t avoid)
{
    double best = -1.0;
    int32_t out[1 + 2 * MOST_LEGS];
    for (int32_t i = 0; i < z->n; i++) z->group[i] = tried[i];
    for (int32_t i = 0; i < z->n && !z->failed; i++) {
        const Member *m = z->member + i;
        int32_t whos = 0;
        if (z->group[i]) continue;
        for (int32_t j = i; j < z->n; j++) {
            const Member *o = z->member + j;
            if (z->group[j] || (j != i && ((m->hl | m->hw | o->hl | o->hw) || o->r != m->r))) continue;
            z->group[j] = 1;
            z->slots[whos++] = o->slot;
        }
        int32_t points = way_of(z->s, z->move, z->slots, whos, NULL, 0, 1, most, avoid, out);
        if (points == -2) z->failed = 1;
        if (points < 0) continue;
        int32_t lead = 0;
        while (z->member[lead].slot != z->slots[out[0]]) lead++;
        double far = 0.0;
        int32_t x = z->member[lead].from.x, y = z->member[lead].from.y;
        for (int32_t k = 0; k < points; k++) {
            double dx = (double)out[1 + 2 * k] - x, dy = (double)out[2 + 2 * k] - y;
            far = far + sqrt(dx * dx + dy * dy);
            x = out[1 + 2 * k]; y = out[2 + 2 * k];
        }
        if (best >= 0.0 && far >= best) continue;
        best = far;
        z->lead = lead; z->points = points;
        memcpy(z->path, out + 1, (size_t)points * 2 * sizeof(int32_t));
    }
    return best >= 0.0;
}

/* Tries up to three lead models under one way to mind difficult ground. */
static int storm_as(Storm *z, int8_t *tried, int32_t most, int32_t avoid)
{
    memset(tried, 0, (size_t)z->n);
    for (int32_t k = 0; k < STORM_TRIES && !z->failed; k++) {
        if (!storm_lead(z, tried, most, avoid)) return 0;
        if (storm_behind(z, most, avoid) || (!z->failed && storm_in_step(z, most, avoid))) return 1;
        tried[z->lead] = 1;
    }
    return 0;
}

static int storm_search(Storm *z, int8_t *tried)
{
    const Terms *t = &z->move->t;
    int woods = 0;
    for (int32_t k = 0; k < z->s->ground->pieces; k++) woods |= (z->s->ground->piece[k].kinds & t->difficult) != 0;
    if (storm_as(z, tried, t->allowance, 0)) return 1;
    if (!z->stopped || !woods || t->cap < 0 || t->cap >= t->allowance) return 0;
    return storm_as(z, tried, t->cap, 0) || storm_as(z, tried, t->allowance, 1);
}

/* Room for an assault of a unit of a scene; 0 without memory. `path` has room for MOST_LEGS points, `scratch` for 8 numbers. */
static int storm_room(Storm *z, int32_t *path, int32_t *scratch)
{
    size_t m = (size_t)z->s->n + 1;
    z->path = path; z->scratch = scratch;
    z->member = malloc(m * sizeof(Member));
    z->rows = malloc(m * SETTLED_ROW * sizeof(int32_t));
    z->turns = malloc(m * 8 * sizeof(int32_t));
    z->gaps = malloc(m * 2 * sizeof(double));
    z->pose = malloc((m * MOST_POINTS + MOST_LEGS) * sizeof(Pose));
    if (!z->member || !z->rows || !z->turns || !z->gaps || !z->pose) return 0;
    z->fixed = z->turns + m; z->wishes = z->fixed + 3 * m; z->group = z->wishes + 2 * m; z->slots = z->group + m;
    z->n = members_of(z->s, z->move->t.unit, z->member);
    return 1;
}

static void storm_free(Storm *z)
{
    free(z->member); free(z->rows); free(z->turns); free(z->gaps); free(z->pose);
}

/* A unit into contact with its targets. `out`: by member a number of points and MOST_LEGS points. Returns 1, 0 without a
 * lawful way, -2 without memory. */
int32_t storm_unit(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                   int32_t barred_count, int32_t *out)
{
    Scene s = SCENE;
    Move move;
    Storm z_ = {.s = &s, .move = &move}, *w = &z_;
    move_of(&move, terms, way, end, units, barred, barred_count);
    note_targets(&s, &move);
    int32_t path[2 * MOST_LEGS], scratch[8], result = -2;
    int8_t *tried = malloc((size_t)n + 1);
    if (storm_room(w, path, scratch) && tried) {
        for (int32_t i = 0; i < w->n; i++) w->gaps[i] = target_gap(&s, &move, w->member + i, &w->member[i].from, -1);
        result = w->n && storm_search(w, tried);
        if (w->failed) result = -2;
        for (int32_t i = 0; result == 1 && i < w->n; i++) {
            const int32_t *row = w->rows + (size_t)i * SETTLED_ROW;
            int32_t *to = out + (size_t)i * (1 + 2 * MOST_LEGS);
            to[0] = i == w->lead ? w->points : row[0];
            memcpy(to + 1, i == w->lead ? path : row + 1, (size_t)to[0] * 2 * sizeof(int32_t));
        }
    }
    storm_free(w); free(tried);
    return result;
}
