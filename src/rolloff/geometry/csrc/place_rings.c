/* Spots in rings: for a model beside others, and for a unit in ranks around a hull. Twins: joining.py and ringing.py. */

/* A placing under trial: the scene's places and facings, copied, of which some are changed and set back again. */
typedef struct {
    const Scene *s;
    const char *way, *end, *barred, *row;
    int32_t units, barred_count;
    char *xy, *facing;
} Trial;

static int trial_begin(Trial *t)
{
    size_t n = (size_t)t->s->n;
    t->xy = malloc(10 * n + 1);
    if (!t->xy) return 0;
    t->facing = t->xy + 8 * n;
    memcpy(t->xy, t->s->xy, 8 * n);
    memcpy(t->facing, t->s->facing, 2 * n);
    return 1;
}

static void trial_put(Trial *t, int32_t slot, int32_t x, int32_t y)
{
    memcpy(t->xy + 8 * (size_t)slot, &x, 4);
    memcpy(t->xy + 8 * (size_t)slot + 4, &y, 4);
}

/* The same, facing along the table. */
static void trial_line_up(Trial *t, int32_t slot, int32_t x, int32_t y)
{
    trial_put(t, slot, x, y);
    memset(t->facing + 2 * (size_t)slot, 0, 2);
}

static void trial_undo(Trial *t, int32_t slot)
{
    memcpy(t->xy + 8 * (size_t)slot, t->s->xy + 8 * (size_t)slot, 8);
    memcpy(t->facing + 2 * (size_t)slot, t->s->facing + 2 * (size_t)slot, 2);
}

/* Whether the judge lets models stand where they were put; -2 without memory. */
static int32_t trial_stands(const Trial *t, const char *terms, const char *who, int32_t whos)
{
    const Scene *s = t->s;
    return may_stand_there(s->ground, s->n, s->shape, t->xy, s->z, t->facing, s->owner, terms, t->way, t->end, t->units, t->barred,
                           t->barred_count, t->row, who, whos);
}

/* Whether a base stands within a distance of enough of some others. */
static int has_neighbours(const Body *own, const Body *other, int32_t others, double link, int32_t need)
{
    int32_t near = 0;
    for (int32_t k = 0; k < others && near < need; k++) near += body_gap(own, other + k) <= link;
    return near >= need;
}

/* The region of rings around middles that are on the table. */
static Box rings_region(const char *middles, int32_t count, int32_t after)
{
    Box region = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (int32_t k = 0; k < count; k++) {
        int32_t x = read_i32(middles, 2 * k), y = read_i32(middles, 2 * k + 1);
        if (x == NOWHERE) continue;
        widen(&region, x - after, y - after);
        widen(&region, x + after, y + after);
    }
    return region;
}

/* The first lawful spot for a model in rings from `first` to before `after`, each around every middle in turn, with enough of
 * those `beside` within a link. `out`: x, y. Returns 1, 0 without a spot, -2 without memory. */
int32_t place_in_rings(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                       int32_t barred_count, const char *row, int32_t slot, const char *middles, int32_t count, int32_t first,
                       int32_t after, int32_t step, int32_t turn, const char *beside, int32_t besides, int32_t link,
                       int32_t need, int32_t *out)
{
    Placing p = {.s = SCENE};
    Trial t = {.s = &p.s};
    Body own, *other = malloc(((size_t)besides + 1) * sizeof(Body));
    Box region = rings_region(middles, count, after);
    int32_t found = -2, others = 0, at = 0, dx, dy;
    move_of(&p.move, terms, way, end, units, barred, barred_count);
    if (other && trial_begin(&t)) {
        p.s.xy = t.xy;
        trial_put(&t, slot, 0, 0); /* somewhere on the table, so that it is one of the members */
        if (placing_of(&p, row, (const char *)&slot, 1)) found = 0;
    }
    for (int32_t k = 0; k < besides && !found; k++)
        if (on_table(&p.s, read_i32(beside, k))) body_of(&p.s, read_i32(beside, k), other + others++);
    while (!found && at < p.count - 1 && p.member[at].slot != slot) at++;
    for (int32_t far = first; far < after && !found; far += step)
        for (int32_t k = 0; k < count && !found; k++)
            for (int32_t heading = 0; heading < (far ? 3600 : 1) && !found; heading += turn) {
                if (read_i32(middles, 2 * k) == NOWHERE) break;
                turned(far, 0, heading, &dx, &dy);
                out[0] = read_i32(middles, 2 * k) + dx; out[1] = read_i32(middles, 2 * k + 1) + dy;
                trial_put(&t, slot, out[0], out[1]);
                body_of(&p.s, slot, &own);
                if (!has_neighbours(&own, other, others, (double)link, need)) continue;
                p.pose[at].x = out[0]; p.pose[at].y = out[1];
                p.member[at].from = p.member[at].to = p.pose[at];
                found = lawful_placing(&p, p.member[at].r, &region);
            }
    placing_free(&p);
    free(t.xy); free(other);
    return found;
}

/* ---- in ranks around a hull ---- */

#define SIDES 8                       /* sides and bends of a hull's outline */

typedef struct { double at; int32_t rank, x, y, free; } RankPlace; /* free: -1 while nobody asked the judge */

/* The places for models of one breadth: as they lie around the hull, and in the order in which they are counted off. */
typedef struct { int32_t broad, slot, count, next; RankPlace *place; double *at; int32_t *order; } Ranks;

static int by_turn(const void *a, const void *b)
{
    const RankPlace *p = a, *q = b;
    if (p->at != q->at) return p->at < q->at ? -1 : 1;
    if (p->rank != q->rank) return p->rank < q->rank ? -1 : 1;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

/* The places of one rank, `off` from the hull's core, counterclockwise; only counts them without room. */
static int32_t rank_places(const Area *a, int32_t rank, int32_t step, RankPlace *place)
{
    int32_t off = a->hub.r + rank, bends = 11 * off / (7 * step), count = 0, dx, dy, along, across;
    if (bends < 1) bends = 1;
    for (int32_t part = 0; part < 4; part++) {
        int32_t side = part % 2 ? a->hub.hl : a->hub.hw, beside = part % 2 ? a->hub.hw : a->hub.hl;
        int32_t steps = 2 * side / step > 1 ? 2 * side / step : 1;
        for (int32_t k = 0; k < steps + bends; k++, count++) {
            if (!place) continue;
            RankPlace *p = place + count;
            if (k <= steps) {
                turned(beside + off, -side + 2 * side * k / steps, 900 * part, &along, &across);
                p->at = (double)(2 * part) + (double)k / (double)(steps + 1);
            } else {
                turned(off, 0, 900 * (k - steps) / bends, &dx, &dy);
                turned(beside + dx, side + dy, 900 * part, &along, &across);
                p->at = (double)(2 * part + 1) + (double)(k - steps) / (double)bends;
            }
            turned(along, across, a->hub.from.facing, &dx, &dy);
            p->rank = rank; p->x = a->hub.from.x + dx; p->y = a->hub.from.y + dy; p->free = -1;
        }
    }
    return count;
}

/* All ranks for models of a breadth, `narrow` bases apart, within the hub's distance; only counts them without room. */
static int32_t all_ranks(const Area *a, int32_t broad, int32_t narrow, int32_t step, int32_t apart, RankPlace *place)
{
    int32_t count = 0;
    for (int32_t rank = broad + apart; rank + (a->wholly ? broad : -broad) <= a->distance; rank += 2 * narrow + apart)
        count += rank_places(a, rank, step, place ? place + count : NULL);
    return count;
}

static int ranks_ready(Ranks *r, const Area *a, int32_t narrow, int32_t step, int32_t apart)
{
    r->count = all_ranks(a, r->broad, narrow, step, apart, NULL);
    r->place = malloc(((size_t)r->count + 1) * (sizeof(RankPlace) + sizeof(double) + sizeof(int32_t)));
    if (!r->place) return 0;
    r->at = (double *)(r->place + r->count);
    r->order = (int32_t *)(r->at + r->count);
    all_ranks(a, r->broad, narrow, step, apart, r->place);
    qsort(r->place, (size_t)r->count, sizeof(RankPlace), by_turn);
    return 1;
}

/* Puts the places in the order from a start around the hull. They lie in it but for the start, and for what rounding makes
 * equal: those are moved to where they belong. */
static void ranks_from(Ranks *r, double start)
{
    int32_t first = 0;
    while (first < r->count && r->place[first].at < start) first++;
    for (int32_t k = 0; k < r->count; k++) {
        int32_t here = (first + k) % r->count, to = k;
        RankPlace *p = r->place + here;
        double at = p->at - start;
        if (at < 0.0) at += (double)SIDES;
        for (; to > 0; to--) {
            const RankPlace *q = r->place + r->order[to - 1];
            RankPlace mine = *p, theirs = *q;
            mine.at = at; theirs.at = r->at[to - 1];
            if (by_turn(&theirs, &mine) <= 0) break;
            r->order[to] = r->order[to - 1]; r->at[to] = r->at[to - 1];
        }
        r->order[to] = here; r->at[to] = at;
    }
    r->next = 0;
}

/* Whether the judge lets the first model of a breadth stand alone at a place, asked once. */
static int32_t rank_free(Trial *t, const char *lone, const Ranks *r, RankPlace *p)
{
    if (p->free < 0) {
        trial_line_up(t, r->slot, p->x, p->y);
        p->free = trial_stands(t, lone, (const char *)&r->slot, 1);
        trial_undo(t, r->slot);
    }
    return p->free;
}

/* For each model the next free place with none before it on it, in `out`; 0 where they run out, -2 without memory. */
static int32_t count_off(Trial *t, const char *lone, Ranks *ranks, const int32_t *kind, int32_t whos, int32_t apart, int32_t *out)
{
    for (int32_t i = 0; i < whos; i++) {
        Ranks *r = ranks + kind[i];
        int32_t found = 0;
        while (!found && r->next < r->count) {
            RankPlace *p = r->place + r->order[r->next++];
            found = 1;
            for (int32_t j = 0; j < i && found; j++) {
                int64_t dx = p->x - out[2 * j], dy = p->y - out[2 * j + 1], sum = r->broad + ranks[kind[j]].broad + apart;
                found = dx * dx + dy * dy >= sum * sum;
            }
            if (found) found = rank_free(t, lone, r, p);
            out[2 * i] = p->x; out[2 * i + 1] = p->y;
        }
        if (found != 1) return found;
    }
    return 1;
}

/* Sorts models by breadth: the kind of each, and for each kind its breadth and its first model. Returns how many kinds. */
static int32_t kinds_of(const char *shape, const char *who, int32_t whos, Ranks *ranks, int32_t *kind)
{
    int32_t kinds = 0;
    for (int32_t i = 0; i < whos; i++) {
        int32_t slot = read_i32(who, i), k = 0;
        int32_t broad = read_i32(shape, 4 * slot) + read_i32(shape, 4 * slot + 1) + read_i32(shape, 4 * slot + 2);
        while (k < kinds && ranks[k].broad != broad) k++;
        if (k == kinds) { ranks[k].broad = broad; ranks[k].slot = slot; kinds++; }
        kind[i] = k;
    }
    return kinds;
}

/* Places for a unit in ranks around the hub of a zone, counted off from some of `starts` places around it; all face along the
 * table. `out`: x, y by model of `who`. Returns 1, 0 without a place, -2 without memory. */
int32_t muster_ranks(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                     int32_t barred_count, const char *row, const char *who, int32_t whos, int32_t step, int32_t apart,
                     int32_t starts, int32_t *out)
{
    Scene s = SCENE;
    Area area;
    Trial t = {&s, way, end, barred, row, units, barred_count, NULL, NULL};
    area_of(row, &area);
    Terms lone;
    memcpy(&lone, terms, sizeof lone);
    lone.cohere = COHERE_NEVER; lone.targets = 0;
    Ranks *ranks = calloc((size_t)whos + 1, sizeof(Ranks));
    int32_t *kind = malloc(((size_t)whos + 1) * sizeof(int32_t)), result = ranks && kind && trial_begin(&t) ? 0 : -2, kinds = 0;
    if (result == 0) {
        kinds = kinds_of(shape, who, whos, ranks, kind);
        int32_t narrow = ranks[0].broad;
        for (int32_t k = 1; k < kinds; k++) if (ranks[k].broad < narrow) narrow = ranks[k].broad;
        for (int32_t k = 0; k < kinds; k++) if (!ranks_ready(ranks + k, &area, narrow, step, apart)) result = -2;
    }
    for (int32_t start = 0; start < starts && result == 0; start++) {
        for (int32_t k = 0; k < kinds; k++) ranks_from(ranks + k, (double)(SIDES * start) / (double)starts);
        result = count_off(&t, (const char *)&lone, ranks, kind, whos, apart, out);
        if (result != 1) continue;
        for (int32_t i = 0; i < whos; i++) trial_line_up(&t, read_i32(who, i), out[2 * i], out[2 * i + 1]);
        result = trial_stands(&t, terms, who, whos);
        for (int32_t i = 0; i < whos; i++) trial_undo(&t, read_i32(who, i));
    }
    for (int32_t k = 0; k < kinds; k++) free(ranks[k].place);
    free(ranks); free(kind); free(t.xy);
    return result;
}
