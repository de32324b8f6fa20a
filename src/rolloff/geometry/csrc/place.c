/* Setting units down: the judge of placings, and mustering a whole unit near a point. Twin: plain/place.py.
 *
 * A zone is read as an order that asks for nothing on the way. Its row: number of rectangles, the rectangles, then
 * whether there is a hub, and the hub's x, y, facing, half length, half width, radius, distance, wholly. */

#define MOST_CELLS 6000
#define SEEDS 8
#define FINE 250

typedef struct {
    int32_t count;
    const char *rect;
    int32_t has_hub, distance, wholly;
    Member hub;
    int32_t core, core_pt[8];         /* the corners of the hub's core, from its middle */
    double cos, sin;                  /* of the hub's facing */
} Area;

static void area_of(const char *row, Area *a)
{
    a->count = read_i32(row, 0);
    a->rect = row + 4;
    const char *h = row + 4 + 16 * (size_t)a->count;
    memset(&a->hub, 0, sizeof a->hub);
    a->has_hub = read_i32(h, 0);
    a->hub.from.x = read_i32(h, 1); a->hub.from.y = read_i32(h, 2); a->hub.from.facing = read_i32(h, 3);
    a->hub.hl = read_i32(h, 4); a->hub.hw = read_i32(h, 5); a->hub.r = read_i32(h, 6);
    a->distance = read_i32(h, 7); a->wholly = read_i32(h, 8);
    Stand at;
    stand_at(&at, 0, 0, a->hub.from.facing, a->hub.hl, a->hub.hw, 0, 0);
    base_points(&at, a->core_pt);
    a->core = at.corners;
    a->cos = (double)cosine(a->hub.from.facing) / (1 << 30);
    a->sin = (double)sine(a->hub.from.facing) / (1 << 30);
}

static int inside_area(const Area *a, int32_t x, int32_t y, int32_t ex, int32_t ey, int32_t slack)
{
    for (int32_t k = 0; k < a->count; k++) {
        if (x - ex >= read_i32(a->rect, 4 * k) - slack && y - ey >= read_i32(a->rect, 4 * k + 1) - slack
            && x + ex <= read_i32(a->rect, 4 * k + 2) + slack && y + ey <= read_i32(a->rect, 4 * k + 3) + slack) return 1;
    }
    return a->count == 0;
}

/* How far a base, or the furthest part of it, is from the hub. */
static double hub_gap(const Area *a, const Member *m, const Pose *p)
{
    if (!a->wholly) return pose_gap(m, p, &a->hub, &a->hub.from);
    Stand s;
    double most = -1e18;
    stand_at(&s, p->x, p->y, p->facing, m->hl, m->hw, 0, 0);
    for (int32_t k = 0; k < s.corners; k++) {
        double d = core_distance(a->core_pt, a->core, s.px[k] - a->hub.from.x, s.py[k] - a->hub.from.y);
        double g = d - (double)a->hub.r + (double)m->r;
        if (g > most) most = g;
    }
    return most;
}

static int is_placed(const char *who, int32_t whos, int32_t slot)
{
    for (int32_t k = 0; k < whos; k++) if (read_i32(who, k) == slot) return 1;
    return 0;
}

static int on_limits(const Terms *t, const Pose *p, int32_t ex, int32_t ey, int32_t slack)
{
    return t->limited && p->x + ex > t->x0 + slack && p->x - ex < t->x1 - slack && p->y + ey > t->y0 + slack
        && p->y - ey < t->y1 - slack;
}

/* Judges one model where it was set down, `most_r` the largest radius of all in the region that are. */
static void judge_spot(const Scene *s, const Move *move, const Area *area, const Member *m, int32_t most_r, const Box *region,
                       Surroundings *w, int32_t *out)
{
    const Terms *t = &move->t;
    int32_t ex, ey;
    extent(m->hl, m->hw, m->r, m->from.facing, &ex, &ey);
    if (off_table(s, t, m, &m->from, t->edge)) refuse(out, C_OFF_TABLE, m->slot, -1);
    if (!inside_area(area, m->from.x, m->from.y, ex, ey, t->edge)) refuse(out, C_OUTSIDE_ZONE, m->slot, -1);
    if (area->has_hub && hub_gap(area, m, &m->from) > (double)(area->distance + t->gap)) refuse(out, C_TOO_FAR, m->slot, -1);
    surround(s, move, m, m->from.facing, most_r, region, w);
    draw_fences(move, m->r, BY_JUDGE, w);
    blame(&w->models, leg_hit(&w->models, w->end, m->from.x, m->from.y, m->from.x, m->from.y), m->slot, out);
    if (on_limits(t, &m->from, ex, ey, t->edge)) refuse(out, C_OFF_LIMITS, m->slot, -1);
}

/* What a placing is judged with: the zone, the members of the unit, and what is around them. */
typedef struct {
    Scene s;
    Move move;
    Area area;
    Surroundings around;
    Member *member;
    Pose *pose;
    int32_t *work, count;
} Placing;

static void placing_free(Placing *p)
{
    free(p->member); free(p->pose); free(p->work);
    surroundings_free(&p->around);
}

/* Reads a placing of `who`, where the scene has them; 0 without memory. To be freed in any case. */
static int placing_of(Placing *p, const char *row, const char *who, int32_t whos)
{
    size_t n = (size_t)p->s.n;
    area_of(row, &p->area);
    p->member = malloc((n + 1) * sizeof(Member));
    p->pose = malloc((n + 1) * sizeof(Pose));
    p->work = malloc((3 * n + 1) * sizeof(int32_t));
    void *room = surroundings_room(&p->s, &p->around);
    if (!p->member || !p->pose || !p->work || !room) return 0;
    p->count = members_of(&p->s, p->move.t.unit, p->member);
    for (int32_t i = 0; i < p->count; i++) {
        p->pose[i] = p->member[i].from;
        p->member[i].poses = is_placed(who, whos, p->member[i].slot);
    }
    return 1;
}

/* Judges a placing: those to be set down stand in the region, `most_r` is the largest radius among them. */
static void judge_placing(Placing *p, int32_t most_r, const Box *region, int32_t *out)
{
    const Terms *t = &p->move.t;
    out[0] = 0; out[1] = out[2] = -1; out[3] = 0;
    for (int32_t i = 0; i < p->count; i++)
        if (p->member[i].poses) judge_spot(&p->s, &p->move, &p->area, p->member + i, most_r, region, &p->around, out);
    check_own_bases(&p->move, p->member, p->count, out);
    out[3] = coherent_at(&p->s, t, p->member, p->pose, p->count, p->work, p->work + p->count);
    if (!out[3] && t->cohere != COHERE_NEVER) {
        int32_t stray = 0;
        while (stray < p->count - 1 && p->work[stray] >= t->need) stray++;
        refuse(out, C_INCOHERENT, p->member[stray].slot, -1);
    }
}

/* Whether a placing is lawful: the same where nobody asks why not. Nothing is judged after a refusal, coherency last. */
static int lawful_placing(Placing *p, int32_t most_r, const Box *region)
{
    const Terms *t = &p->move.t;
    int32_t out[4] = {C_LEGAL, -1, -1, 0};
    check_own_bases(&p->move, p->member, p->count, out);
    for (int32_t i = 0; i < p->count && out[0] == C_LEGAL; i++)
        if (p->member[i].poses) judge_spot(&p->s, &p->move, &p->area, p->member + i, most_r, region, &p->around, out);
    if (out[0] != C_LEGAL || t->cohere == COHERE_NEVER) return out[0] == C_LEGAL;
    return coherent_at(&p->s, t, p->member, p->pose, p->count, p->work, p->work + p->count);
}

/* Where those are that are set down; the largest radius among them. */
static int32_t placing_region(const Placing *p, Box *region)
{
    int32_t most_r = 0;
    for (int32_t i = 0; i < p->count; i++) {
        if (!p->member[i].poses) continue;
        widen(region, p->pose[i].x, p->pose[i].y);
        if (p->member[i].r > most_r) most_r = p->member[i].r;
    }
    return most_r;
}

/* Judges a placing: the scene has the models where they are set down. `out`: code, slot, what, coherent. */
int32_t judge_place(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count, const char *row, const char *who, int32_t whos, int32_t *out)
{
    Placing p = {.s = SCENE};
    Box region = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    int32_t result = -2;
    move_of(&p.move, terms, way, end, units, barred, barred_count);
    out[0] = 0; out[1] = out[2] = -1; out[3] = 0;
    if (placing_of(&p, row, who, whos)) {
        int32_t most_r = placing_region(&p, &region);
        judge_placing(&p, most_r, &region, out);
        result = p.count;
    }
    placing_free(&p);
    return result;
}

/* Whether the judge lets models stand where the scene has them; -2 without memory. */
static int32_t may_stand_there(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                               int32_t barred_count, const char *row, const char *who, int32_t whos)
{
    Placing p = {.s = SCENE};
    Box region = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    int32_t result = -2;
    move_of(&p.move, terms, way, end, units, barred, barred_count);
    if (placing_of(&p, row, who, whos)) {
        int32_t most_r = placing_region(&p, &region);
        result = lawful_placing(&p, most_r, &region);
    }
    placing_free(&p);
    return result;
}

/* ---- mustering ---- */

#define SQUARES 64                    /* as many as there are columns or rows of them at most */
#define MOST_FORMS 16

/* A block of models in columns and ranks: how far its first stands from its middle, the steps, how far its last rank is
 * and where that ends. */
typedef struct { int32_t columns, left, bottom, dx, dy, right, top, end; } Rows;

typedef struct {
    const Scene *s;
    const Move *move;
    const Area *area;
    Member *member;                   /* those to be set down first, then fellows on the table */
    int32_t n, all, ex, ey;           /* how many to set down, how many in all, and the largest extents */
    Meeting meet;
    Fence *loose;                     /* limits of a block's centre, if some model of it stands nearby: inside those of the end */
    Pose *pose;
    int32_t *work;
    Box box;                          /* where centres may lie at all */
    Box *rect;                        /* where they may lie in each rectangle of the zone */
    int one;                          /* whether that is the whole box: of no rectangle, or of one with room */
    Rows form[MOST_FORMS];            /* the blocks tried at every centre, in order */
    Box middle[MOST_FORMS];           /* where the centre of each may lie, to have its corners in the box */
    int32_t forms;
    uint64_t *across, *along;         /* by column and row of squares over the box: which blocks' fences reach it, a bit each */
    int32_t words;                    /* how many words such a row of bits has */
    int32_t by_x, by_y;               /* how wide and high a square is, as a power of two */
    int32_t hit_end, hit_loose;       /* the blocks that were in the way last, asked first: spots tried on end are near */
} Muster;

/* The power of two by which so long a way is cut into no more squares than there may be. */
static int32_t square_size(int32_t length)
{
    int32_t by = 0;
    while (length >> by >= SQUARES) by++;
    return by;
}

/* The column or row of squares a coordinate lies in, seen from where the box begins; of what lies outside the nearest. */
static inline int32_t square_of(double at, int32_t by, int32_t length)
{
    return (at <= 0.0 ? 0 : at >= (double)length ? length : (int32_t)at) >> by;
}

/* Notes for each column and row of squares which blocks a centre there could be too close to. */
static void muster_squares(Muster *u)
{
    int32_t wide = u->box.right - u->box.left, high = u->box.top - u->box.bottom;
    if (wide < 0 || high < 0) return;
    u->by_x = square_size(wide);
    u->by_y = square_size(high);
    for (int32_t k = 0; k < u->meet.blocks.count; k++) {
        const Fence *f = u->meet.end + k;
        uint64_t bit = (uint64_t)1 << (k % 64);
        if (misses(f, u->box.left, u->box.bottom, u->box.right, u->box.top)) continue;
        uint64_t *across = u->across + k / 64, *along = u->along + k / 64;
        across[(size_t)square_of(f->left - u->box.left, u->by_x, wide) * u->words] ^= bit;
        across[(size_t)(square_of(f->right - u->box.left, u->by_x, wide) + 1) * u->words] ^= bit;
        along[(size_t)square_of(f->bottom - u->box.bottom, u->by_y, high) * u->words] ^= bit;
        along[(size_t)(square_of(f->top - u->box.bottom, u->by_y, high) + 1) * u->words] ^= bit;
    }
    /* from where a fence begins until it has ended */
    for (int32_t i = u->words, to = ((wide >> u->by_x) + 1) * u->words; i < to; i++)
        u->across[i] ^= u->across[i - u->words];
    for (int32_t i = u->words, to = ((high >> u->by_y) + 1) * u->words; i < to; i++) u->along[i] ^= u->along[i - u->words];
}

static inline int32_t lowest_bit(uint64_t bits)
{
#ifdef __GNUC__
    return __builtin_ctzll(bits);
#else
    int32_t k = 0;
    for (; !(bits & 1); bits >>= 1) k++;
    return k;
#endif
}

static inline int near_block(const Blocks *b, const Fence *fence, int32_t k, double x, double y)
{
    return !misses(fence + k, x, y, x, y) && point_closer(b->block[k].pt, b->block[k].m, x, y, fence[k].d);
}

/* Whether a spot in the box is too close to some block. */
static inline int spot_hit(const Muster *u, const Fence *fence, int32_t *last, int32_t x, int32_t y)
{
    const Blocks *b = &u->meet.blocks;
    if (*last >= 0 && near_block(b, fence, *last, x, y)) return 1;
    const uint64_t *p = u->across + (size_t)((x - u->box.left) >> u->by_x) * u->words;
    const uint64_t *q = u->along + (size_t)((y - u->box.bottom) >> u->by_y) * u->words;
    for (int32_t w = 0; w < u->words; w++) {
        for (uint64_t both = p[w] & q[w]; both; both &= both - 1) {
            int32_t k = 64 * w + lowest_bit(both);
            if (!near_block(b, fence, k, x, y)) continue;
            *last = k;
            return 1;
        }
    }
    return 0;
}

static inline int within(const Box *b, int32_t x, int32_t y)
{
    return x >= b->left && x <= b->right && y >= b->bottom && y <= b->top;
}

/* Whether a spot lies where centres may, with the largest extents. */
static int musters_inside(const Muster *u, int32_t x, int32_t y)
{
    if (!within(&u->box, x, y)) return 0;
    if (u->one) return 1;
    for (int32_t k = 0; k < u->area->count; k++)
        if (within(u->rect + k, x, y)) return 1;
    return 0;
}

/* Whether a base is near enough to the hub, at a glance by how far its middle is from the hub's core; -1 if that does not say.
 * The slack is more than any rounding. */
static int near_hub(const Area *a, const Member *m, const Pose *p)
{
    const Member *hub = &a->hub;
    double dx = p->x - hub->from.x, dy = p->y - hub->from.y, slack = 8.0, limit = (double)(a->distance + hub->r);
    double along = fabs(dx * a->cos + dy * a->sin) - hub->hl, across = fabs(dy * a->cos - dx * a->sin) - hub->hw;
    double d = along <= 0.0 ? across : across <= 0.0 ? along : sqrt(along * along + across * across);
    double core = (double)(m->hl + m->hw), r = (double)(a->wholly ? m->r : -m->r);
    double most = (d > 0.0 ? d : 0.0) + r + (a->wholly ? core : 0.0);
    double least = (d > 0.0 ? d : -(double)(hub->hl + hub->hw)) + r - (a->wholly ? 0.0 : core);
    return most + slack <= limit ? 1 : least - slack <= limit ? -1 : 0;
}

/* Whether any model to be set down could stand on a spot that lies inside: the end limits, the hub. */
static int musters_at(Muster *u, const Member *m, int32_t x, int32_t y)
{
    Pose p = {x, y, m->from.facing};
    if (on_limits(&u->move->t, &p, u->ex, u->ey, 0)) return 0;
    int near = u->area->has_hub ? near_hub(u->area, m, &p) : 1;
    if (!near || spot_hit(u, u->meet.end, &u->hit_end, x, y)) return 0;
    return near > 0 || hub_gap(u->area, m, &p) <= (double)u->area->distance;
}

/* Whether the poses found hold together and overlap no fellow. */
static int musters_well(const Muster *u)
{
    const Terms *t = &u->move->t;
    for (int32_t i = 0; i < u->n; i++)
        for (int32_t j = i + 1; j < u->all; j++)
            if (poses_overlap(u->member + i, u->pose + i, u->member + j, u->pose + j, 0.0)) return 0;
    return t->cohere == COHERE_NEVER || coherent_at(u->s, t, u->member, u->pose, u->all, u->work, u->work + u->all);
}

/* Whether every spot of a block with its corners in the box lies where centres may: at a glance by these, else spot by spot. */
static int block_inside(const Muster *u, const Rows *f, int32_t cx, int32_t cy)
{
    int32_t left = cx + f->left, bottom = cy + f->bottom, right = cx + f->right, top = cy + f->top;
    if (u->one) return 1;
    for (int32_t k = 0; k < u->area->count; k++)
        if (left >= u->rect[k].left && right <= u->rect[k].right && bottom >= u->rect[k].bottom && top <= u->rect[k].top) return 1;
    if (!musters_inside(u, left, bottom) || !musters_inside(u, right, bottom) || !musters_inside(u, left, top)) return 0;
    for (int32_t i = 0, column = 0, x = left, y = bottom; i < u->n; i++) {
        if (!musters_inside(u, x, y)) return 0;
        x += f->dx;
        if (++column == f->columns) { column = 0; x = left; y += f->dy; }
    }
    return 1;
}

/* Tries a block around a centre. `far`: whether no block there could do, -1 until it was asked. The ends of the first and the
 * last rank are asked first: around a centre that may do, those are in somebody's way most often. */
static int muster_block(Muster *u, const Rows *f, int32_t cx, int32_t cy, int32_t *far)
{
    int32_t left = cx + f->left, end = f->end;
    if (!block_inside(u, f, cx, cy)) return 0;
    if (*far < 0) *far = spot_hit(u, u->loose, &u->hit_loose, cx, cy);
    if (*far) return 0;
    for (int32_t i = u->n > 2 ? -3 : 0, column = 0, x = left, y = cy + f->bottom; i < u->n; i++) {
        if (i < 0) {
            int32_t who = i == -3 ? u->n - 1 : i == -2 ? u->n - 1 - end : f->columns - 1;
            int32_t at_x = i == -3 ? left + end * f->dx : i == -2 ? left : cx + f->right;
            if (!musters_at(u, u->member + who, at_x, i == -1 ? cy + f->bottom : cy + f->top)) return 0;
            continue;
        }
        if (!musters_at(u, u->member + i, x, y)) return 0;
        u->pose[i].x = x; u->pose[i].y = y; u->pose[i].facing = u->member[i].from.facing;
        x += f->dx;
        if (++column == f->columns) { column = 0; x = left; y += f->dy; }
    }
    return musters_well(u);
}

static int32_t whole_up(int32_t n, int32_t by) { return (n + by - 1) / by; }

/* Adds a block to those that are tried, unless it is one of them: where it had no room it has none a second time. */
static void add_form(Muster *u, int32_t columns, int32_t ranks, int32_t gap)
{
    int32_t dx = 2 * u->ex + gap, dy = 2 * u->ey + gap, left = -((columns - 1) * dx / 2), bottom = -((ranks - 1) * dy / 2);
    Rows f = {columns, left, bottom, dx, dy, left + (columns - 1) * dx, bottom + (u->n - 1) / columns * dy,
              (u->n - 1) % columns};
    for (int32_t k = 0; k < u->forms; k++) if (!memcmp(u->form + k, &f, sizeof f)) return;
    Box middle = {u->box.left - f.left, u->box.bottom - f.bottom, u->box.right - f.right, u->box.top - f.top};
    u->middle[u->forms] = middle;
    u->form[u->forms++] = f;
}

/* Blocks of two, one, three and four ranks, along and across, loose and tight. */
static void muster_forms(Muster *u, int32_t gap)
{
    static const int32_t RANKS[4] = {2, 1, 3, 4};
    for (int32_t k = 0; k < (u->n > 1 ? 8 : 1); k++) {
        int32_t ranks = RANKS[k % 4], columns = whole_up(u->n, ranks);
        if (k == 4) gap = 2;
        if (ranks > u->n) { ranks = 1; columns = u->n; }
        add_form(u, columns, ranks, gap);
        if (columns != ranks) add_form(u, ranks, columns, gap);
    }
}

/* Notes for each column and row of a lattice of centres the rectangles of the zone, a bit each, which the middle of a block may
 * lie in or near by that coordinate: a rank in the middle is full, so somebody stands that near to it. Of more rectangles than
 * there are bits the last shares one. */
static void muster_reach(const Muster *u, int32_t at, int32_t step, int32_t first, int32_t count, int32_t off, int up, uint64_t *near)
{
    int32_t d = (up ? u->ey : u->ex) + off;
    for (int32_t i = 0; i < count; i++) near[i] = u->area->count == 0;
    for (int32_t k = 0; k < u->area->count; k++) {
        int32_t low = (up ? u->rect[k].bottom : u->rect[k].left) - d, high = (up ? u->rect[k].top : u->rect[k].right) + d;
        for (int32_t i = 0; i < count; i++) {
            int32_t c = at + (first + i) * step;
            if (c >= low && c <= high) near[i] |= (uint64_t)1 << (k < 63 ? k : 63);
        }
    }
}

/* Every block at one centre. */
static int muster_here(Muster *u, int32_t cx, int32_t cy)
{
    int32_t far = -1;
    for (int32_t k = 0; k < u->forms && far <= 0; k++)
        if (within(u->middle + k, cx, cy) && muster_block(u, u->form + k, cx, cy, &far)) return 1;
    return 0;
}

/* Centres around the goal, ring by ring, as far as they lie in the box. */
static int muster_rings(Muster *u, int32_t gx, int32_t gy, int32_t gap, int32_t step)
{
    int32_t wide = u->box.right - u->box.left, high = u->box.top - u->box.bottom;
    int32_t rings = (wide > high ? wide : high) / step + 1;
    int32_t left = (gx - u->box.left) / step, right = (u->box.right - gx) / step;
    int32_t down = (gy - u->box.bottom) / step, up = (u->box.top - gy) / step, found = 0;
    uint64_t *near = malloc((size_t)(left + right + down + up + 2) * sizeof(uint64_t));
    if (!near) return -2;
    uint64_t *across = near + left, *along = near + left + right + 1 + down;
    muster_reach(u, gx, step, -left, left + right + 1, gap / 2 + 2, 0, near);
    muster_reach(u, gy, step, -down, down + up + 1, gap / 2 + 2, 1, near + left + right + 1);
    for (int32_t k = 0; k <= rings && !found; k++)
        for (int32_t i = k < left ? -k : -left; i <= k && i <= right && !found; i++) {
            int32_t x = gx + i * step;
            if (i == -k || i == k) {
                for (int32_t j = k < down ? -k : -down; j <= k && j <= up && !found; j++)
                    found = (across[i] & along[j]) && muster_here(u, x, gy + j * step);
                continue;
            }
            if (k > down && k > up) { /* nothing between the two sides of this ring lies in the box */
                if (k > right) break;
                i = k - 1;
                continue;
            }
            found = (k <= down && (across[i] & along[-k]) && muster_here(u, x, gy - k * step))
                || (k <= up && (across[i] & along[k]) && muster_here(u, x, gy + k * step));
        }
    free(near);
    return found;
}

/* The largest extents of the shapes to be set down as one shape, or the smallest. */
static Member muster_shape(const Muster *u, int largest)
{
    Member lead = u->member[0];
    for (int32_t i = 1; i < u->n; i++) {
        const Member *m = u->member + i;
        if (largest ? m->hl > lead.hl : m->hl < lead.hl) lead.hl = m->hl;
        if (largest ? m->hw > lead.hw : m->hw < lead.hw) lead.hw = m->hw;
        if (largest ? m->r > lead.r : m->r < lead.r) lead.r = m->r;
    }
    return lead;
}

typedef struct { Spot at; double d; int32_t k, taken, links; } Cell;

static int by_distance(const void *a, const void *b)
{
    const Cell *p = a, *q = b;
    if (p->d != q->d) return p->d < q->d ? -1 : 1;
    return p->k < q->k ? -1 : p->k > q->k;
}

/* Takes a cell, and notes which others are linked to it or too far from it. */
static void take_cell(const Muster *u, const Member *small, Cell *cell, int32_t cells, int32_t at)
{
    const Terms *t = &u->move->t;
    Pose p = {cell[at].at.x, cell[at].at.y, small->from.facing};
    cell[at].taken = 1;
    for (int32_t k = 0; k < cells; k++) {
        if (cell[k].taken) continue;
        Pose q = {cell[k].at.x, cell[k].at.y, small->from.facing};
        double g = pose_gap(small, &q, small, &p);
        if (g <= (double)t->link) cell[k].links++;
        if (t->spread >= 0 && t->leader < 0 && g > (double)t->spread) cell[k].taken = 1;
    }
}

/* Grows a cluster of cells from a seed, always by the linked cell nearest to it. */
static int grow_cluster(Muster *u, const Member *small, Cell *cell, int32_t cells, int32_t seed)
{
    int32_t need = u->move->t.need, next = seed;
    for (int32_t k = 0; k < cells; k++) cell[k].taken = cell[k].links = 0;
    for (int32_t i = 0; i < u->n; i++) {
        double best = 1e18;
        if (i > 0) next = -1;
        for (int32_t k = 0; i > 0 && k < cells; k++) {
            if (cell[k].taken || cell[k].links < (need < i ? need : i)) continue;
            double sx = (double)cell[k].at.x - cell[seed].at.x, sy = (double)cell[k].at.y - cell[seed].at.y;
            double d = sx * sx + sy * sy;
            if (d < best) { best = d; next = k; }
        }
        if (next < 0) return 0;
        take_cell(u, small, cell, cells, next);
        u->pose[i].x = cell[next].at.x; u->pose[i].y = cell[next].at.y; u->pose[i].facing = u->member[i].from.facing;
    }
    return musters_well(u);
}

/* How cells lie: in lines so far from the edge of the box, from a start on, and how far on it is tried where nobody may stand. */
typedef struct { int32_t off, start, skip, upright; } Lay;

/* Lays cells in lines along or up the table, each as near to the one before as bases allow. Returns how many there are. */
static int32_t lay_cells(Muster *u, const Lay *lay, int32_t gx, int32_t gy, Cell *cell)
{
    int32_t dx = 2 * u->ex + 2, dy = 2 * u->ey + 2, up = lay->upright, cells = 0;
    int32_t line = (up ? u->box.left : u->box.bottom) + lay->off, lines = up ? u->box.right : u->box.top;
    int32_t from = (up ? u->box.bottom : u->box.left) + lay->start, to = up ? u->box.top : u->box.right;
    for (; line <= lines; line += up ? dx : dy)
        for (int32_t at = from; at <= to && cells < MOST_CELLS;) {
            int32_t x = up ? line : at, y = up ? at : line;
            int stands = musters_inside(u, x, y) && musters_at(u, u->member, x, y);
            at += !stands ? lay->skip : up ? dy : dx;
            if (!stands) continue;
            double ax = (double)x - gx, ay = (double)y - gy;
            Cell c = {{x, y}, ax * ax + ay * ay, cells, 0, 0};
            cell[cells++] = c;
        }
    qsort(cell, (size_t)cells, sizeof(Cell), by_distance);
    return cells;
}

/* Clusters of any form on cells: on a close lattice, laid in four ways; then in lines that are packed as close as what stands in
 * their way allows, at every fourth of an inch. */
static int muster_cells(Muster *u, int32_t gx, int32_t gy)
{
    int32_t dx = 2 * u->ex + 2, dy = 2 * u->ey + 2, found = 0;
    int32_t rows = (dy + FINE - 1) / FINE, columns = (dx + FINE - 1) / FINE;
    Member small = muster_shape(u, 0);
    Cell *cell = malloc(MOST_CELLS * sizeof(Cell));
    if (!cell) return -2;
    for (int32_t k = 0; k < 4 + rows + columns && !found; k++) {
        Lay lattice = {(k / 2) * dy / 2, (k % 2) * dx / 2, dx, 0}, row = {(k - 4) * FINE, 0, FINE, 0};
        Lay column = {(k - 4 - rows) * FINE, 0, FINE, 1};
        int32_t cells = lay_cells(u, k < 4 ? &lattice : k < 4 + rows ? &row : &column, gx, gy, cell);
        int32_t step = cells > SEEDS ? cells / SEEDS : 1;
        for (int32_t seed = 0; seed < cells && !found; seed += step) found = grow_cluster(u, &small, cell, cells, seed);
    }
    free(cell);
    return found;
}

/* Where centres may lie: the table and the zone without the largest extents, and the hub's reach. */
static void muster_box(Muster *u)
{
    const Area *a = u->area;
    Box b = {u->ex, u->ey, u->s->ground->width - u->ex, u->s->ground->height - u->ey};
    if (a->count) {
        Box z = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
        for (int32_t k = 0; k < a->count; k++) {
            Box r = {read_i32(a->rect, 4 * k) + u->ex, read_i32(a->rect, 4 * k + 1) + u->ey,
                     read_i32(a->rect, 4 * k + 2) - u->ex, read_i32(a->rect, 4 * k + 3) - u->ey};
            widen(&z, r.left, r.bottom);
            widen(&z, r.right, r.top);
            u->rect[k] = r;
        }
        if (z.left > b.left) b.left = z.left;
        if (z.bottom > b.bottom) b.bottom = z.bottom;
        if (z.right < b.right) b.right = z.right;
        if (z.top < b.top) b.top = z.top;
    }
    if (a->has_hub) {
        int32_t far = a->distance + a->hub.hl + a->hub.hw + a->hub.r + u->ex + u->ey;
        if (a->hub.from.x - far > b.left) b.left = a->hub.from.x - far;
        if (a->hub.from.y - far > b.bottom) b.bottom = a->hub.from.y - far;
        if (a->hub.from.x + far < b.right) b.right = a->hub.from.x + far;
        if (a->hub.from.y + far < b.top) b.top = a->hub.from.y + far;
    }
    if (u->all > u->n && u->move->t.cohere != COHERE_NEVER) {
        const Terms *t = &u->move->t;
        Box f = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
        int32_t link = (t->link + 2 * (u->ex + u->ey)) * u->n, far = t->spread >= 0 && t->spread + u->ex + u->ey < link
                     ? t->spread + u->ex + u->ey : link;
        for (int32_t i = u->n; i < u->all; i++) widen(&f, u->pose[i].x, u->pose[i].y);
        if (f.left - far > b.left) b.left = f.left - far;
        if (f.bottom - far > b.bottom) b.bottom = f.bottom - far;
        if (f.right + far < b.right) b.right = f.right + far;
        if (f.top + far < b.top) b.top = f.top + far;
    }
    u->box = b;
    u->one = a->count == 0 || (a->count == 1 && u->rect[0].left <= u->rect[0].right && u->rect[0].bottom <= u->rect[0].top);
}

/* The members of a muster: those to be set down with a facing, then fellows that stand on the table. */
static void muster_members(Muster *u, const char *who, int32_t whos, int32_t turn)
{
    const Scene *s = u->s;
    u->n = u->all = 0;
    for (int32_t k = 0; k < whos; k++) {
        Member *m = u->member + u->all++;
        int32_t ex, ey;
        member_of(s, read_i32(who, k), m);
        m->from.x = m->from.y = 0; m->from.facing = turn;
        extent(m->hl, m->hw, m->r, turn, &ex, &ey);
        if (ex > u->ex) u->ex = ex;
        if (ey > u->ey) u->ey = ey;
    }
    u->n = whos;
    for (int32_t j = 0; j < s->n; j++) {
        if (slot_owner(s, j) != u->move->t.unit || !on_table(s, j) || is_placed(who, whos, j)) continue;
        member_of(s, j, u->member + u->all);
        u->pose[u->all] = u->member[u->all].from;
        u->all++;
    }
}

/* Whether all who are mustered are of one unit, and they and all their fellows round. Then the judge is sure to let them stand: he measures the same
 * gaps as the muster and nowhere asks for more. Cores that differ are another matter, as their corners are rounded. */
static int musters_round(const Muster *u)
{
    int32_t any = 0;
    for (int32_t i = 0; i < u->all; i++)
        any |= u->member[i].hl | u->member[i].hw | (slot_owner(u->s, u->member[i].slot) != u->move->t.unit);
    return any == 0;
}

/* Whether the judge lets models stand where they were mustered; -2 without memory. */
static int32_t musters_lawfully(const Muster *u, const char *row, const char *who, int32_t whos, const char *terms, int32_t turn)
{
    const Scene *s = u->s;
    const Move *move = u->move;
    int16_t way = (int16_t)turn;
    char *xy = malloc((size_t)s->n * 10 + 1), *facing = xy + 8 * (size_t)s->n;
    if (!xy) return -2;
    memcpy(xy, s->xy, 8 * (size_t)s->n);
    memcpy(facing, s->facing, 2 * (size_t)s->n);
    for (int32_t i = 0; i < whos; i++) {
        int32_t slot = read_i32(who, i);
        memcpy(xy + 8 * (size_t)slot, &u->pose[i].x, 4);
        memcpy(xy + 8 * (size_t)slot + 4, &u->pose[i].y, 4);
        memcpy(facing + 2 * (size_t)slot, &way, 2);
    }
    int32_t result = may_stand_there(s->ground, s->n, s->shape, xy, s->z, facing, s->owner, terms, move->way, move->end, move->units,
                                     move->barred, move->barred_count, row, who, whos);
    free(xy);
    return result;
}

/* Sets a unit down near a point; `out`: x, y by model of `who`. Returns 1, 0 without a place, or if the judge does not let
 * it stand there, -2 without memory. */
int32_t muster_unit(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count, const char *row, const char *who, int32_t whos, int32_t gx, int32_t gy, int32_t turn,
                    int32_t *out)
{
    Scene s = SCENE;
    Move move;
    Area area;
    move_of(&move, terms, way, end, units, barred, barred_count);
    area_of(row, &area);
    Muster u = {.s = &s, .move = &move, .area = &area, .hit_end = -1, .hit_loose = -1};
    u.member = malloc((size_t)(n + 1) * sizeof(Member));
    u.pose = malloc((size_t)(n + 1) * sizeof(Pose));
    u.work = malloc((size_t)(3 * n + 1) * sizeof(int32_t));
    u.rect = malloc((size_t)(area.count + 1) * sizeof(Box));
    int32_t result = -2;
    if (u.member && u.pose && u.work && u.rect) {
        muster_members(&u, who, whos, turn);
        muster_box(&u);
        Member lead = muster_shape(&u, 1);
        int met = meeting_of(&s, &move, &lead, &u.box, 0, 1, &u.meet);
        u.words = u.meet.blocks.count / 64 + 1;
        u.across = met ? calloc((size_t)2 * (SQUARES + 1) * (size_t)u.words, sizeof(uint64_t)) : NULL;
        if (u.across) {
            u.along = u.across + (SQUARES + 1) * u.words;
            int32_t loose = move.t.link / 4 < 250 ? move.t.link / 4 : 250, step = whos == 1 ? 500 : 1000;
            double dx = (double)(2 * u.ex + loose), dy = (double)(2 * u.ey + loose);
            double slack = whos == 1 ? 0.0 : sqrt(dx * dx + dy * dy) / 2.0 + 2.0;
            limits_of(&move, &u.meet.blocks, lead.r, BY_WITNESS, u.meet.way, u.meet.end);
            u.loose = u.meet.way;
            for (int32_t k = 0; k < u.meet.blocks.count; k++) {
                u.loose[k].d = u.meet.end[k].d - slack;
                draw_fence(u.meet.blocks.block + k, u.loose + k);
            }
            muster_squares(&u);
            muster_forms(&u, loose);
            gx = gx < u.box.left ? u.box.left : gx > u.box.right ? u.box.right : gx;
            gy = gy < u.box.bottom ? u.box.bottom : gy > u.box.top ? u.box.top : gy;
            result = 0;
            if (u.box.left <= u.box.right && u.box.bottom <= u.box.top) {
                result = muster_rings(&u, gx, gy, loose, step);
                if (!result) result = muster_cells(&u, gx, gy);
                if (result == 1 && !musters_round(&u)) result = musters_lawfully(&u, row, who, whos, terms, turn);
            }
            for (int32_t i = 0; i < whos; i++) { out[2 * i] = u.pose[i].x; out[2 * i + 1] = u.pose[i].y; }
        }
        meeting_free(&u.meet);
    }
    free(u.member); free(u.pose); free(u.work); free(u.rect); free(u.across);
    return result;
}

/* ---- doorsteps ---- */

typedef struct { int64_t far; int32_t x, y; } Door;

static int by_door(const void *a, const void *b)
{
    const Door *p = a, *q = b;
    if (p->far != q->far) return p->far < q->far ? -1 : 1;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

/* The first spot from number `first` on, those nearest to a point first, at which a base touches a hull and may stand.
 * `out`: its position and whether there is one. Returns how many spots there are, -2 without memory. */
int32_t doorstep(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                 int32_t barred_count, const char *row, int32_t hull, int32_t slot, int32_t gx, int32_t gy, int32_t first,
                 int32_t *out)
{
    Scene s = SCENE;
    Stand h, about;
    int32_t base[8], core[8], sum[16], hx = slot_x(&s, hull), hy = slot_y(&s, hull), result = -2;
    int32_t own_hl = read_i32(shape, 4 * slot), own_hw = read_i32(shape, 4 * slot + 1);
    stand_at(&h, 0, 0, read_i16(facing, hull), read_i32(shape, 4 * hull), read_i32(shape, 4 * hull + 1), 0, 0);
    stand_at(&about, 0, 0, own_hl || own_hw ? read_i16(facing, slot) : 0, own_hl, own_hw, 0, 0);
    base_points(&h, base); base_points(&about, core);
    Block b = {.m = h.corners, .pt = base};
    if (about.corners > 1) { b.m = convex_sum(base, h.corners, core, about.corners, sum); b.pt = sum; }
    b.left = b.right = b.pt[0]; b.bottom = b.top = b.pt[1];
    for (int32_t c = 1; c < b.m; c++) {
        if (b.pt[2 * c] < b.left) b.left = b.pt[2 * c];
        if (b.pt[2 * c] > b.right) b.right = b.pt[2 * c];
        if (b.pt[2 * c + 1] < b.bottom) b.bottom = b.pt[2 * c + 1];
        if (b.pt[2 * c + 1] > b.top) b.top = b.pt[2 * c + 1];
    }
    int32_t room = around_room(&b);
    Spot *spot = malloc((size_t)room * sizeof(Spot));
    Door *door = malloc((size_t)room * sizeof(Door));
    char *there = malloc((size_t)n * 8);
    out[2] = 0;
    if (spot && door && there) {
        result = contact_spots(&b, (double)(read_i32(shape, 4 * slot + 2) + read_i32(shape, 4 * hull + 2)) + 2.0, spot);
        for (int32_t k = 0; k < result; k++) {
            int64_t x = (int64_t)spot[k].x + hx, y = (int64_t)spot[k].y + hy;
            Door d = {(x - gx) * (x - gx) + (y - gy) * (y - gy), (int32_t)x, (int32_t)y};
            door[k] = d;
        }
        qsort(door, (size_t)result, sizeof(Door), by_door);
        memcpy(there, xy, (size_t)n * 8);
        for (int32_t k = first; k < result && !out[2]; k++) {
            memcpy(there + 8 * (size_t)slot, &door[k].x, 4);
            memcpy(there + 8 * (size_t)slot + 4, &door[k].y, 4);
            int32_t stands = may_stand_there(ground, n, shape, there, z, facing, owner, terms, way, end, units, barred,
                                             barred_count, row, (const char *)&slot, 1);
            if (stands == -2) { result = -2; break; }
            if (stands) { out[0] = door[k].x; out[1] = door[k].y; out[2] = 1; }
        }
    }
    free(spot); free(door); free(there);
    return result;
}
