/* Setting the models of a unit down one after another on the best spots they can reach. Twin: plain/settle.py. */

enum { TO_TARGETS, TO_POINT, AWAY };
enum { LINKED = 1, NOT_FURTHER = 2, IN_TURN = 4, COHERENT = 8, AVOID = 16 };

#define MOST_HUNTS 5
#define MOST_POINTS 24

typedef struct { double score, d; int32_t k, x, y; } Candidate;

/* Somebody who may be in the way: the square of how near one may come, or -1 where it takes more than that to say. */
typedef struct { double x, y, near; int32_t j; } Fellow;

typedef struct {
    const Scene *s;
    const Move *move;
    Member *member;
    Pose *at;
    int8_t *placed;
    Spot *wish;
    int32_t n, aim, rules, most, have, hl, hw, facing, r;
    double contact, bound;            /* spots no nearer to the targets than the bound are of no use to one model */
    double worth;                     /* nor are those out of contact that are no nearer than this, whoever is set down */
    double furthest;                  /* nor those that are further from them than this */
    Box region;
    Meeting meet;
    int32_t *target, *hits, targets;
    int32_t *nearer, nearer_count;    /* those of them to whom one model may get nearer than the bound */
    int32_t *close, close_count;      /* those of these to whom it may from the spots that are offered just now */
    Candidate own, *found;            /* where one model stands, and the spots it may like better */
    int32_t who, stays, offered, count, room, failed, *hunts;
    int32_t *links;
    Pose *poses;
    int32_t plain;                    /* whether who holds together is asked in plan, however far the unit spreads */
    Fellow *around;                   /* those so near to the spots that are offered just now that they may be in the way */
    int32_t around_count;
    int32_t crowd;                    /* the fellow one model was too close to last, asked first: spots tried on end are near */
    int32_t known, *fellows, *groups; /* whether it is known of the others how many each is linked with, and in which group */
} Settling;

/* Gathers the obstacles of a model's shape, if they are others, and sets its limits. */
static void settle_ready(Settling *z, const Member *m)
{
    int32_t facing = (m->hl | m->hw) ? m->from.facing : 0;
    if (!z->have || z->hl != m->hl || z->hw != m->hw || z->facing != facing || z->r != m->r) {
        if (z->have) { meeting_free(&z->meet); free(z->target); }
        z->have = 1; z->hl = m->hl; z->hw = m->hw; z->facing = facing; z->r = m->r;
        z->target = NULL;
        if (!meeting_of(z->s, z->move, m, &z->region, z->rules & AVOID, 1, &z->meet)) { z->failed = 1; return; }
        z->target = malloc((size_t)(4 * z->meet.blocks.count + 1) * sizeof(int32_t));
        if (!z->target) { z->failed = 1; return; }
        z->hits = z->target + z->meet.blocks.count;
        z->nearer = z->hits + z->meet.blocks.count;
        z->close = z->nearer + z->meet.blocks.count;
        z->targets = 0;
        for (int32_t k = 0; k < z->meet.blocks.count; k++) {
            int32_t unit = z->meet.blocks.block[k].unit;
            if (unit >= 0 && is_target(z->move, unit)) z->target[z->targets++] = k;
        }
    }
    limits_at(z->move, &z->meet.blocks, m->r, m->from.x, m->from.y, BY_WITNESS, z->meet.way, z->meet.end);
}

static double block_gap(const Settling *z, const Member *m, int32_t k, int32_t x, int32_t y)
{
    const Block *o = z->meet.blocks.block + k;
    return core_distance(o->pt, o->m, x, y) - (double)(m->r + o->r);
}

static double settle_gap(const Settling *z, const Member *m, int32_t x, int32_t y)
{
    double best = 1e18;
    for (int32_t k = 0; k < z->targets; k++) {
        double d = block_gap(z, m, z->target[k], x, y);
        if (d < best) best = d;
    }
    return best;
}

static int settle_linked(const Settling *z, int32_t i, int32_t x, int32_t y)
{
    Pose p = {x, y, z->member[i].from.facing};
    for (int32_t j = 0; j < z->n; j++)
        if (j != i && pose_gap(z->member + i, &p, z->member + j, z->at + j) <= (double)z->move->t.link) return 1;
    return z->n < 2;
}

/* The gap to some targets where it is less than a bound, else no less than that. No block is nearer than its box. */
static double gap_below(const Settling *z, const Member *m, const int32_t *some, int32_t count, int32_t x, int32_t y, double bound)
{
    double best = bound;
    for (int32_t k = 0; k < count; k++) {
        const Block *o = z->meet.blocks.block + some[k];
        double far = best + (double)(m->r + o->r) + 1e-6; /* more than any rounding */
        double dx = x < o->left ? o->left - x : x > o->right ? x - o->right : 0;
        double dy = y < o->bottom ? o->bottom - y : y > o->top ? y - o->top : 0;
        if ((o->m == 1 && far <= 0.0) || ((dx > 0.0 || dy > 0.0) && (far <= 0.0 || dx * dx + dy * dy >= far * far))) continue;
        double d = o->m == 1 ? sqrt(dx * dx + dy * dy) - (double)(m->r + o->r) : block_gap(z, m, some[k], x, y);
        if (d < best) best = d;
    }
    return best;
}

/* Notes to which targets a model may get nearer than the bound: to nobody it gets nearer than it began by more than it may go. */
static void note_nearer(Settling *z, const Member *m)
{
    double far = z->bound + (double)z->most + 2.0; /* more than any rounding */
    z->nearer_count = 0;
    for (int32_t k = 0; k < z->targets; k++)
        if (gap_below(z, m, z->target + k, 1, m->from.x, m->from.y, far) < far) z->nearer[z->nearer_count++] = z->target[k];
}

/* Whether a model may get nearer than a distance to targets so far off that they were not gathered: no score minds those. */
static int more_targets(const Settling *z, const Member *m, double far)
{
    const Scene *s = z->s;
    int32_t after = s->n < z->move->after_targets ? s->n : z->move->after_targets, k = 0;
    far += (double)(z->most + m->hl + m->hw + m->r) + 8.0; /* more than any rounding */
    for (int32_t j = z->move->first_target; j < after; j++) {
        if (k < z->targets && z->meet.blocks.block[z->target[k]].slot == j) { k++; continue; } /* both go by slots */
        if (!is_target(z->move, slot_owner(s, j)) || !on_table(s, j)) continue;
        double dx = (double)slot_x(s, j) - m->from.x, dy = (double)slot_y(s, j) - m->from.y;
        double reach = far + (double)(read_i32(s->shape, 4 * j) + read_i32(s->shape, 4 * j + 1) + read_i32(s->shape, 4 * j + 2));
        if (reach > 0.0 && dx * dx + dy * dy < reach * reach) return 1;
    }
    return 0;
}

/* How bad a spot is; 0 is as good as can be. Toward targets no worse than the bound is told apart. */
static double settle_score(const Settling *z, int32_t i, int32_t x, int32_t y)
{
    const Member *m = z->member + i;
    if (z->aim == TO_TARGETS) {
        double gap = gap_below(z, m, z->close, z->close_count, x, y, z->bound);
        return gap <= z->contact ? 0.0 : gap;
    }
    if (z->aim == TO_POINT) {
        double dx = (double)x - z->wish[i].x, dy = (double)y - z->wish[i].y;
        return sqrt(dx * dx + dy * dy);
    }
    double gap = settle_gap(z, m, x, y);
    double clear = (double)z->wish[i].x, lacking = gap < clear ? clear - gap : 0.0, near = 0.0;
    for (int32_t k = 0; k < z->meet.blocks.count; k++) {
        int32_t unit = z->meet.blocks.block[k].unit, code = unit >= 0 ? end_code(z->move, unit) : 0;
        if (code <= 0 || code >= GAP_OVER || is_target(z->move, unit)) continue;
        double d = block_gap(z, m, k, x, y);
        if ((double)code - d > near) near = (double)code - d;
    }
    return lacking * 1000.0 + near + (settle_linked(z, i, x, y) ? 0.0 : 0.5);
}

static int better(const Candidate *p, const Candidate *q)
{
    if (p->score != q->score) return p->score < q->score;
    if (p->d != q->d) return p->d < q->d;
    return p->k < q->k;
}

/* Whether a spot is too close to one of the fellows around, as `fits` says of it. Squares of whole numbers are not rounded. */
static inline int crowded(Settling *z, const Member *m, int32_t x, int32_t y)
{
    for (int32_t k = 0; k < z->around_count; k++) {
        const Fellow *f = z->around + k;
        double dx = x - f->x, dy = y - f->y;
        if (f->near >= 0.0 && dx * dx + dy * dy >= f->near) continue;
        if (f->near < 0.0) {
            Pose p = {x, y, m->from.facing};
            if (!poses_overlap(m, &p, z->member + f->j, z->at + f->j, -(double)(z->move->t.overlap / 2))) continue;
        }
        if (k > 0) { /* asked first next time: spots offered on end are near */
            Fellow swap = *f;
            z->around[k] = z->around[0];
            z->around[0] = swap;
        }
        return 1;
    }
    return 0;
}

/* Notes a spot in reach, unless it is of no use: the model could stay and it is no better there, or does not fit. */
static void offer(Settling *z, int32_t x, int32_t y)
{
    const Member *m = z->member + z->who;
    double dx = (double)x - m->from.x, dy = (double)y - m->from.y, dd = dx * dx + dy * dy, most = (double)z->most;
    Candidate c = {.k = z->offered++, .x = x, .y = y};
    if (dd > most * most || (dd > 0.0 && crowded(z, m, x, y))) return; /* both squares are whole numbers without rounding */
    c.score = settle_score(z, z->who, x, y);
    if (z->aim == TO_TARGETS && dd > 0.0 && (c.score > z->furthest || (c.score > 0.0 && c.score >= z->worth))) return;
    c.d = sqrt(dd);
    if (z->stays && !better(&c, &z->own)) return;
    if (!grow((void **)&z->found, &z->room, z->count + 1, sizeof(Candidate))) { z->failed = 1; return; }
    z->found[z->count++] = c;
}

/* Notes which fellows may be in the way of a model beside a shape grown by a radius. */
static void note_around(Settling *z, const Block *b, double radius)
{
    const Member *m = z->member + z->who;
    double left = b->left - radius, right = b->right + radius, bottom = b->bottom - radius, top = b->top + radius;
    int32_t own = m->hl + m->hw + m->r + 8, count = 0; /* more than any rounding */
    for (int32_t j = 0; j < z->n; j++) {
        const Member *other = z->member + j;
        double x = z->at[j].x, y = z->at[j].y, far = (double)(own + other->hl + other->hw + other->r);
        if (x + far < left || x - far > right || y + far < bottom || y - far > top) continue;
        if (j == z->who || !((z->rules & IN_TURN) || z->placed[j])) continue;
        double near = (double)(m->r + other->r - z->move->t.overlap / 2);
        Fellow f = {x, y, (m->hl | m->hw | other->hl | other->hw) != 0 ? -1.0 : near > 0.0 ? near * near : 0.0, j};
        z->around[count++] = f;
    }
    z->around_count = count;
}

static void offer_around(Settling *z, const Block *b, double radius)
{
    Spot few[64];
    int32_t room = around_room(b);
    Spot *spot = room <= 64 ? few : malloc((size_t)room * sizeof(Spot));
    if (!spot) { z->failed = 1; return; }
    int32_t n = contact_spots(b, radius, spot);
    if (z->aim == TO_TARGETS) note_around(z, b, radius); /* toward a point most find one of the first spots to be free */
    for (int32_t k = 0; k < n; k++) offer(z, spot[k].x, spot[k].y);
    z->around_count = 0;
    if (spot != few) free(spot);
}

static int straight_to(const Settling *z, const Member *m, Spot p)
{
    return in_frame(&z->meet.land, p.x, p.y)
        && leg_hit(&z->meet.blocks, z->meet.way, m->from.x, m->from.y, p.x, p.y) < 0;
}

typedef struct { double dx, dy, size; int32_t x, y, far; } Line;

static Spot on_line(const Settling *z, const Member *m, const Line *l, int32_t d)
{
    Spot p = {l->x, l->y};
    if (d == l->far && l->size < (double)z->most) return p;
    p.x = m->from.x + nearest_whole(l->dx * (double)d / l->size);
    p.y = m->from.y + nearest_whole(l->dy * (double)d / l->size);
    return p;
}

/* Spots on the straight way to a point: as far as allowed, as far as clear, and shares of that. */
static void offer_toward(Settling *z, const Member *m, Spot to)
{
    Line l = {(double)to.x - m->from.x, (double)to.y - m->from.y, 0.0, to.x, to.y, 0};
    l.size = sqrt(l.dx * l.dx + l.dy * l.dy);
    if (l.size == 0.0) return;
    l.far = l.size < (double)z->most ? (int32_t)l.size : z->most - 1; /* rounding must not make it too long */
    Spot p = on_line(z, m, &l, l.far);
    offer(z, p.x, p.y);
    int32_t low = 0, high = l.far;
    int32_t hits = leg_hits(&z->meet.blocks, z->meet.way, m->from.x, m->from.y, p.x, p.y, z->hits);
    if (hits == 0 && in_frame(&z->meet.land, p.x, p.y)) low = l.far;
    else
        while (high - low > 1) {
            int32_t mid = low + (high - low) / 2;
            p = on_line(z, m, &l, mid);
            if (in_frame(&z->meet.land, p.x, p.y)
                && !leg_hits_any(&z->meet.blocks, z->meet.way, z->hits, hits, m->from.x, m->from.y, p.x, p.y)) low = mid;
            else high = mid;
        }
    for (int32_t k = 4; k > 0; k--) {
        int32_t d = low * k / 4;
        if (d <= 0) continue;
        p = on_line(z, m, &l, d);
        offer(z, p.x, p.y);
    }
}

/* A spot beyond a model that has sunk a little into a hull, straight on from the middle of that. */
static Spot from_middle(const Block *o, const Member *m)
{
    double mx = 0.0, my = 0.0, n = (double)o->m;
    for (int32_t k = 0; k < o->m; k++) { mx = mx + (double)o->pt[2 * k]; my = my + (double)o->pt[2 * k + 1]; }
    Spot away = {m->from.x + nearest_whole((double)m->from.x - mx / n), m->from.y + nearest_whole((double)m->from.y - my / n)};
    return away;
}

/* Spots straight away from the nearest target and a little aside of that. */
static void offer_flight(Settling *z, const Member *m, double clear)
{
    static const int32_t TURNS[9] = {0, 225, 3375, 450, 3150, 675, 2925, 900, 2700};
    double best = 1e18, x = m->from.x, y = m->from.y;
    Spot away;
    int have = 0;
    for (int32_t k = 0; k < z->targets; k++) {
        const Block *o = z->meet.blocks.block + z->target[k];
        double core = core_distance(o->pt, o->m, x, y), far = core - (double)(m->r + o->r);
        if (far >= best) continue;
        best = far;
        have = nearest_contact(o, core + 4000.0, x, y, &away);
        if (!have) { away = from_middle(o, m); have = 1; }
    }
    if (!have) return;
    double dx = (double)away.x - m->from.x, dy = (double)away.y - m->from.y, size = sqrt(dx * dx + dy * dy);
    if (size == 0.0) return;
    double most = (double)(z->most - 1), ways[5] = {clear + 2.0 - best, most, most * 0.75, most * 0.5, most * 0.25};
    for (int32_t t = 0; t < 9; t++) {
        double c = (double)cosine(TURNS[t]) / ONE_TURN, s = (double)sine(TURNS[t]) / ONE_TURN;
        double ux = (dx * c - dy * s) / size, uy = (dx * s + dy * c) / size;
        for (int32_t k = 0; k < 5; k++)
            if (0.0 < ways[k] && ways[k] <= most)
                offer(z, m->from.x + nearest_whole(ux * ways[k]), m->from.y + nearest_whole(uy * ways[k]));
    }
}

static void offer_targets(Settling *z, const Member *m)
{
    double best = 1e18, x = m->from.x, y = m->from.y;
    Spot near, p;
    int have = 0;
    for (int32_t k = 0; k < z->targets; k++) {
        const Block *o = z->meet.blocks.block + z->target[k];
        double aim = z->meet.aim[z->target[k]], far = core_distance(o->pt, o->m, x, y) - aim;
        if (far > (double)z->most) continue;
        if (nearest_contact(o, aim, x, y, &p)) {
            offer(z, p.x, p.y);
            if (far < best) { best = far; near = p; have = 1; }
        }
        offer_around(z, o, aim);
    }
    if (!have)
        for (int32_t k = 0; k < z->targets; k++) {
            const Block *o = z->meet.blocks.block + z->target[k];
            double aim = z->meet.aim[z->target[k]], far = core_distance(o->pt, o->m, x, y) - aim;
            if (far < best) { best = far; have = nearest_contact(o, aim, x, y, &near); }
        }
    if (have) offer_toward(z, m, near);
}

/* All targets it may get nearer to are close again. */
static void all_close(Settling *z)
{
    z->close_count = z->nearer_count;
    memcpy(z->close, z->nearer, (size_t)z->nearer_count * sizeof(int32_t));
}

/* Whether no spot beside a fellow is in reach, or good enough to be tried. */
static int beyond_use(Settling *z, const Member *m, const Member *fellow, const Pose *at)
{
    double dx = (double)at->x - m->from.x, dy = (double)at->y - m->from.y;
    double far = (double)(m->r + m->hl + m->hw + fellow->r + fellow->hl + fellow->hw) + 8.0;
    if (sqrt(dx * dx + dy * dy) > (double)z->most + far) return 1;
    if (z->aim != TO_TARGETS) return 0;
    double best = gap_below(z, m, z->nearer, z->nearer_count, at->x, at->y, z->bound + far), most = best + 2.0 * far;
    if (z->bound < 1e18 && best >= z->bound + far) return 1;
    /* who is further from him than this is never the nearest to a spot beside him */
    z->close_count = 0;
    for (int32_t k = 0; k < z->nearer_count; k++)
        if (gap_below(z, m, z->nearer + k, 1, at->x, at->y, most) < most) z->close[z->close_count++] = z->nearer[k];
    return 0;
}

/* Every spot to try, the model's own place first. */
static void offer_all(Settling *z, int32_t i)
{
    const Member *m = z->member + i;
    z->found[0] = z->own;
    z->count = z->offered = 1;
    all_close(z);
    if (z->at[i].x != m->from.x || z->at[i].y != m->from.y) offer(z, z->at[i].x, z->at[i].y);
    if (z->aim == AWAY) {
        offer_flight(z, m, (double)z->wish[i].x);
        return;
    }
    if (z->aim == TO_POINT) offer_toward(z, m, z->wish[i]);
    else offer_targets(z, m);
    Stand about;
    int32_t about_pt[8];
    core_at(&about, m->hl, m->hw, m->from.facing);
    base_points(&about, about_pt);
    for (int32_t j = 0; j < z->n; j++) {
        if (j == i || !z->placed[j]) continue;
        const Member *other = z->member + j;
        if (beyond_use(z, m, other, z->at + j)) continue;
        Stand stand;
        int32_t pt[8], sum[16];
        stand_at(&stand, z->at[j].x, z->at[j].y, z->at[j].facing, other->hl, other->hw, 0, 0);
        base_points(&stand, pt);
        Block b = {.m = stand.corners, .pt = pt};
        if (about.corners > 1) {
            b.m = convex_sum(pt, stand.corners, about_pt, about.corners, sum);
            b.pt = sum;
        }
        b.left = b.right = b.pt[0]; b.bottom = b.top = b.pt[1];
        for (int32_t k = 1; k < b.m; k++) {
            if (b.pt[2 * k] < b.left) b.left = b.pt[2 * k];
            if (b.pt[2 * k] > b.right) b.right = b.pt[2 * k];
            if (b.pt[2 * k + 1] < b.bottom) b.bottom = b.pt[2 * k + 1];
            if (b.pt[2 * k + 1] > b.top) b.top = b.pt[2 * k + 1];
        }
        offer_around(z, &b, (double)(m->r + other->r) + 2.0);
    }
}

/* Whether two members at poses are linked, the first of them asked first, as `coherent_at` does. */
static int linked_at(const Settling *z, int32_t i, const Pose *p, int32_t j, const Pose *q)
{
    const Terms *t = &z->move->t;
    double link = (double)(t->link + t->gap);
    return i < j ? poses_linked(z->member + i, p, z->member + j, q, link) : poses_linked(z->member + j, q, z->member + i, p, link);
}

/* Notes how all but one are linked where they stand. */
static void know_fellows(Settling *z, int32_t but)
{
    for (int32_t i = 0; i < z->n; i++) { z->fellows[i] = 0; z->groups[i] = i; }
    for (int32_t i = 0; i < z->n; i++)
        for (int32_t j = i + 1; j < z->n; j++) {
            if (i == but || j == but || !linked_at(z, i, z->at + i, j, z->at + j)) continue;
            z->fellows[i]++; z->fellows[j]++;
            int32_t from = z->groups[j], into = z->groups[i];
            if (from != into) for (int32_t k = 0; k < z->n; k++) if (z->groups[k] == from) z->groups[k] = into;
        }
    z->known = 1;
}

/* Whether the unit is coherent with one member at a pose, in plan and without a limit to its spread: `coherent_at` for one of whom
 * many poses are tried. Everybody needs his links, and the one must link all groups of the others. */
static int keeps_together(Settling *z, int32_t i, const Pose *p)
{
    const Terms *t = &z->move->t;
    int32_t links = 0, *joined = z->links;
    if (z->n < 2) return 1;
    if (!z->known) know_fellows(z, i);
    for (int32_t j = 0; j < z->n; j++) joined[j] = 0;
    for (int32_t j = 0; j < z->n; j++) {
        if (j == i) continue;
        int one = linked_at(z, i, p, j, z->at + j);
        links += one;
        if (z->fellows[j] + one < t->need) return 0;
        if (one) joined[z->groups[j]] = 1;
    }
    if (links < t->need) return 0;
    for (int32_t j = 0; j < z->n && t->connected; j++)
        if (j != i && !joined[z->groups[j]]) return 0;
    return 1;
}

/* Whether a model may stand on a spot among its fellows. */
static int fits(Settling *z, int32_t i, int32_t x, int32_t y, int staying)
{
    const Terms *t = &z->move->t;
    const Member *m = z->member + i;
    Pose p = {x, y, m->from.facing};
    double least = -(double)(staying ? t->overlap : t->overlap / 2);
    double near = (double)(t->link + t->gap) + 1.0; /* nobody further away is linked, however it is rounded */
    int32_t links = 0, others = 0, held = 0;
    if (z->crowd >= 0 && poses_overlap(m, &p, z->member + z->crowd, z->at + z->crowd, least)) return 0;
    for (int32_t j = 0; j < z->n; j++) {
        if (j == i || !((z->rules & IN_TURN) || z->placed[j])) continue;
        if (t->spread < 0 && surely_apart(m, &p, z->member + j, z->at + j, near)) { others++; continue; }
        double g = pose_gap(m, &p, z->member + j, z->at + j);
        if (g < least) {
            z->crowd = j;
            return 0;
        }
        if (g <= near) held++;
        if (!(z->rules & LINKED)) continue;
        others++;
        if (g <= (double)t->link) links++;
        int led = t->leader < 0 || t->leader == m->slot || t->leader == z->member[j].slot;
        if (t->spread >= 0 && led && g > (double)t->spread) return 0;
    }
    if ((z->rules & LINKED) && links < (t->need < others ? t->need : others)) return 0;
    if (z->rules & COHERENT) {
        if ((z->rules & IN_TURN) && z->n > 1 && held < t->need) return 0; /* he himself has too few by him */
        if (z->plain) return keeps_together(z, i, &p);
        memcpy(z->poses, z->at, (size_t)z->n * sizeof(Pose));
        z->poses[i] = p;
        return coherent_at(z->s, t, z->member, z->poses, z->n, z->links, z->links + z->n);
    }
    return 1;
}

/* A way to a spot: straight, or around what is in the way; the number of its points, 0 without one. */
static int32_t settle_path(Settling *z, int32_t i, Spot to, int32_t *out)
{
    const Member *m = z->member + i;
    if (straight_to(z, m, to)) {
        out[0] = to.x; out[1] = to.y;
        return 1;
    }
    if (z->hunts[i] >= MOST_HUNTS) return 0;
    z->hunts[i]++;
    int32_t source, path[2 * MOST_LEGS];
    Spot from = {m->from.x, m->from.y};
    Hunt h = {.land = &z->meet.land, .sources = 1, .source = &from, .way = z->meet.way, .goals = 1, .goal = &to,
              .most = (double)z->most};
    int32_t n = hunt(&h, &source, path);
    if (n == -2) z->failed = 1;
    if (n < 1 || n > MOST_POINTS) return 0;
    memcpy(out, path, (size_t)n * 2 * sizeof(int32_t));
    return n;
}

static void sift(Candidate *heap, int32_t count, int32_t k)
{
    Candidate c = heap[k];
    for (;;) {
        int32_t j = 2 * k + 1;
        if (j >= count) break;
        if (j + 1 < count && better(heap + j + 1, heap + j)) j++;
        if (!better(heap + j, &c)) break;
        heap[k] = heap[j];
        k = j;
    }
    heap[k] = c;
}

/* Takes the best candidate off a heap. */
static Candidate take_best(Candidate *heap, int32_t *count)
{
    Candidate best = heap[0];
    heap[0] = heap[--*count];
    sift(heap, *count, 0);
    return best;
}

/* Whether a spot is neither in contact nor as near to the targets as the start was; below the bound its score says how near. */
static int further_off(const Settling *z, const Member *m, const Candidate *c, double start)
{
    double gap = z->aim == TO_TARGETS && c->score < z->bound ? c->score : settle_gap(z, m, c->x, c->y);
    return gap > z->contact && gap > start;
}

/* Sets one model down on the best spot it can reach; `out`: number of points, points. */
static int settle_one(Settling *z, int32_t i, int32_t *out)
{
    const Member *m = z->member + i;
    settle_ready(z, m);
    if (!grow((void **)&z->found, &z->room, 1, sizeof(Candidate))) z->failed = 1;
    if (z->failed) return 0;
    double start = z->rules & NOT_FURTHER ? settle_gap(z, m, m->from.x, m->from.y) : 0.0;
    z->who = i;
    z->bound = 1e18;
    z->furthest = 1e18;
    z->around_count = 0;
    z->known = 0;
    z->crowd = -1;
    z->nearer_count = z->targets;
    memcpy(z->nearer, z->target, (size_t)z->targets * sizeof(int32_t));
    all_close(z);
    Candidate own = {settle_score(z, i, m->from.x, m->from.y), 0.0, 0, m->from.x, m->from.y};
    z->own = own;
    z->stays = fits(z, i, own.x, own.y, 1); /* then nothing is tried that is no better */
    if (z->rules & NOT_FURTHER) z->furthest = start > z->contact ? start : z->contact;
    if (z->stays) z->bound = own.score;
    if (z->bound > z->furthest + 1.0) z->bound = z->furthest + 1.0;
    if (z->worth < 1e18 && more_targets(z, m, z->worth)) z->worth = 2e18;
    if (z->bound > z->worth) z->bound = z->worth;
    if (z->bound < z->contact + 1.0) z->bound = z->contact + 1.0; /* who is in contact is told from who is not */
    if (z->bound < 1e18 && z->aim == TO_TARGETS) note_nearer(z, m);
    offer_all(z, i);
    int32_t kept = z->count;
    for (int32_t k = kept / 2 - 1; k >= 0; k--) sift(z->found, kept, k);
    while (kept > 0 && !z->failed) {
        Candidate best = take_best(z->found, &kept);
        const Candidate *c = &best;
        if (c->d == 0.0) {
            if (!fits(z, i, c->x, c->y, 1)) continue;
            z->placed[i] = 1; out[0] = 0;
            z->at[i] = m->from;
            return 1;
        }
        if ((z->rules & NOT_FURTHER) && further_off(z, m, c, start)) continue;
        if (!may_stand(&z->meet.land, c->x, c->y) || !fits(z, i, c->x, c->y, 0)) continue;
        Spot to = {c->x, c->y};
        int32_t points = settle_path(z, i, to, out + 1);
        if (!points) continue;
        z->placed[i] = 1; out[0] = points;
        z->at[i].x = c->x; z->at[i].y = c->y;
        return 1;
    }
    return 0;
}

#define SETTLED_ROW (1 + 2 * MOST_POINTS)

/* Makes ready to set the models of a unit down; 0 without memory. `settling_close` in any case. */
static int settling_open(Settling *w, const Scene *s, const Move *move, int32_t most)
{
    int32_t n = s->n;
    Settling fresh = {.s = s, .move = move, .most = most, .region = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN}};
    *w = fresh;
    w->contact = (double)(move->t.reach >= 0 ? move->t.reach : move->t.touch_gap);
    w->member = malloc((size_t)(n + 1) * sizeof(Member));
    w->at = malloc((size_t)(2 * n + 1) * sizeof(Pose));
    w->placed = malloc((size_t)n + 1);
    w->wish = malloc((size_t)(n + 1) * sizeof(Spot));
    w->links = malloc((size_t)(6 * n + 1) * sizeof(int32_t));
    w->around = malloc((size_t)(n + 1) * sizeof(Fellow));
    if (!w->member || !w->at || !w->placed || !w->wish || !w->links || !w->around) return 0;
    w->n = members_of(s, move->t.unit, w->member);
    w->plain = move->t.spread < 0 && (move->t.rise < 0 || !hilly(s));
    w->poses = w->at + n;
    w->hunts = w->links + 3 * n;
    w->fellows = w->links + 4 * n; w->groups = w->links + 5 * n;
    int32_t far = most + (move->t.reach > 0 ? move->t.reach : 0);
    for (int32_t i = 0; i < w->n; i++) {
        const Pose *p = &w->member[i].from;
        widen(&w->region, p->x - far, p->y - far);
        widen(&w->region, p->x + far, p->y + far);
    }
    return 1;
}

static void settling_close(Settling *w)
{
    if (w->have) { meeting_free(&w->meet); free(w->target); }
    free(w->member); free(w->at); free(w->placed); free(w->wish); free(w->links); free(w->around); free(w->found);
}

/* Everybody where he stands, and nobody set down yet. */
static void settling_begin(Settling *w, int32_t aim, int32_t rules)
{
    w->aim = aim; w->rules = rules; w->worth = 2e18;
    for (int32_t i = 0; i < w->n; i++) {
        w->at[i] = w->member[i].from;
        w->wish[i].x = w->at[i].x; w->wish[i].y = w->at[i].y;
        w->placed[i] = 0; w->hunts[i] = 0;
    }
}

/* Sets those who have a turn down, until all stand or nobody finds a spot: 1 if all do. */
static int settle_in_turn(Settling *w, const char *turns, int32_t turn_count, int32_t *out)
{
    int done = 0, progress = 1;
    for (int32_t k = 0; k < turn_count; k++) w->placed[read_i32(turns, k)] = 0;
    while (progress && !done && !w->failed) {
        progress = 0; done = 1;
        for (int32_t k = 0; k < turn_count; k++) {
            int32_t i = read_i32(turns, k);
            if (!w->placed[i] && settle_one(w, i, out + (size_t)i * SETTLED_ROW)) progress = 1;
            if (!w->placed[i]) done = 0;
        }
    }
    return done;
}

static void settle_fixed(Settling *w, int32_t i, int32_t x, int32_t y)
{
    w->at[i].x = x; w->at[i].y = y;
    w->placed[i] = 1;
}

/* Sets the unit's models down in turn. `fixed` (number, x, y) stand where they were set down already, and stay there
 * unless they have a turn; `out`: by member a number of points and MOST_POINTS points. Returns 1 if everyone found a
 * spot, 0 if not, -2 without memory. */
static int32_t settle_unit(const Scene *s, const Move *move, int32_t aim, int32_t rules, int32_t most, const char *turns,
                           int32_t turn_count, const char *fixed, int32_t fixed_count, const char *wishes, int32_t wish_count,
                           int32_t *out)
{
    Settling w;
    int32_t result = -2;
    if (settling_open(&w, s, move, most)) {
        settling_begin(&w, aim, rules);
        for (int32_t i = 0; i < w.n && i < wish_count; i++) {
            w.wish[i].x = read_i32(wishes, 2 * i);
            w.wish[i].y = read_i32(wishes, 2 * i + 1);
        }
        for (int32_t k = 0; k < fixed_count; k++)
            settle_fixed(&w, read_i32(fixed, 3 * k), read_i32(fixed, 3 * k + 1), read_i32(fixed, 3 * k + 2));
        result = settle_in_turn(&w, turns, turn_count, out);
        if (w.failed) result = -2;
    }
    settling_close(&w);
    return result;
}

/* `settle_unit` for Python. */
int32_t settle(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
               int32_t barred_count, int32_t aim, int32_t rules, int32_t most, const char *turns, int32_t turn_count,
               const char *fixed, int32_t fixed_count, const char *wishes, int32_t wish_count, int32_t *out)
{
    Scene s = SCENE;
    Move move;
    move_of(&move, terms, way, end, units, barred, barred_count);
    return settle_unit(&s, &move, aim, rules, most, turns, turn_count, fixed, fixed_count, wishes, wish_count, out);
}
