/* Paths: a moving base is a point amid grown convex shapes; the judge of moves.
 *
 * A base that does not turn sweeps over another base exactly where its centre comes closer to the sum of both
 * cores than the sum of both radii. So every obstacle is a Block: a convex polygon (one corner, two, or more,
 * counter-clockwise) and a radius; every rule about gaps is a least distance of a segment from a Block.
 * The plain twin is plain_blocks.py and plain_paths.py.
 */
#include <stdlib.h>

#define GAP_FREE (-1)
#define GAP_CLEAR (-2)
#define GAP_OVER (1 << 28)
#define NO_LIMIT (-1e18)
#define STRICT 1e-6

enum { BY_JUDGE, BY_WITNESS, BY_AIM };
enum { C_LEGAL, C_TOO_LONG, C_OFF_TABLE, C_GAP_UNIT, C_OVERLAP, C_IMPASSABLE, C_INCOHERENT, C_NO_CONTACT, C_FURTHER,
       C_PIVOT, C_SIDEWAYS, C_OFF_LIMITS, C_NO_SUCH_MODEL, C_OUTSIDE_ZONE, C_TOO_FAR, C_BAD_START };
enum { COHERE_NEVER, COHERE_KEEP, COHERE_ALWAYS, COHERE_NEARER };
enum { CLOSING_ANY, CLOSING_NO_FURTHER, CLOSING_NEARER };

typedef struct {
    int32_t unit, allowance, cohere, contact, closing;
    int32_t impassable, through, difficult, cap, dangerous;
    int32_t hull, reverse, sideways, pivots, pivot;
    int32_t rim, rim_by_leg, arranged, tolerant, reach;
    int32_t limited, x0, y0, x1, y1;
    int32_t link, spread, connected, need, rise, leader;
    int32_t move, gap, touch_gap, overlap, edge, axis, touch;
    int32_t targets;
} Terms;                              /* an Order as moves_pack.py lays it out; the targets follow */

typedef struct {
    Terms t;
    const char *target, *way, *end, *barred;
    int32_t units, barred_count;
} Move;

typedef struct {
    int32_t m, r, unit, slot, piece;
    int32_t left, bottom, right, top;
    const int32_t *pt;
} Block;

typedef struct { int32_t unit, piece; double g; } Near;

/* The least distance of a centre from a block, and the block's box grown by it. */
typedef struct { double d, left, bottom, right, top; } Fence;

typedef struct {
    int32_t count, room, avoid;       /* from `avoid` on: ground that is only not to be touched */
    Block *block;
    int32_t *points;                  /* sums of cores, where the mover has one */
    int32_t used, points_room;
    Near *near;                       /* what the mover started too near to */
    int32_t nears;
} Blocks;

typedef struct { int32_t x, y, facing; } Pose;
typedef struct { int32_t left, bottom, right, top; } Box;

/* ---- distances of a point or a segment from a convex polygon ---- */

static inline double point_segment2(double px, double py, double ax, double ay, double bx, double by)
{
    double dx = bx - ax, dy = by - ay, vx = px - ax, vy = py - ay;
    double t = vx * dx + vy * dy, ll = dx * dx + dy * dy;
    if (t <= 0.0) return vx * vx + vy * vy;
    if (t >= ll) {
        vx = px - bx; vy = py - by;
        return vx * vx + vy * vy;
    }
    double c = vx * dy - vy * dx;
    return c * c / ll;
}

/* Whether a segment meets the part of a convex polygon that lies deeper than `depth` inside it. */
static int enters(const int32_t *pt, int32_t m, double x0, double y0, double x1, double y1, double depth)
{
    double t0 = 0.0, t1 = 1.0;
    double ax = pt[2 * (m - 1)], ay = pt[2 * (m - 1) + 1];
    for (int32_t k = 0; k < m; k++) {
        double bx = pt[2 * k], by = pt[2 * k + 1], ex = bx - ax, ey = by - ay;
        double p = ex * (y0 - ay) - ey * (x0 - ax), q = ex * (y1 - ay) - ey * (x1 - ax);
        if (depth > 0.0) {
            double cut = depth * sqrt(ex * ex + ey * ey);
            p -= cut; q -= cut;
        }
        if (p <= 0.0 && q <= 0.0) return 0;
        if (p <= 0.0) {
            double t = p / (p - q);
            if (t > t0) t0 = t;
        } else if (q <= 0.0) {
            double t = p / (p - q);
            if (t < t1) t1 = t;
        }
        ax = bx; ay = by;
    }
    return t0 < t1;
}

static int segments_cross(const int32_t *pt, double x0, double y0, double x1, double y1)
{
    double ax = pt[0], ay = pt[1], bx = pt[2], by = pt[3];
    double dx = x1 - x0, dy = y1 - y0, ex = bx - ax, ey = by - ay;
    double p = dx * (ay - y0) - dy * (ax - x0), q = dx * (by - y0) - dy * (bx - x0);
    double u = ex * (y0 - ay) - ey * (x0 - ax), v = ex * (y1 - ay) - ey * (x1 - ax);
    return ((p > 0.0 && q < 0.0) || (p < 0.0 && q > 0.0)) && ((u > 0.0 && v < 0.0) || (u < 0.0 && v > 0.0));
}

/* Whether a segment comes closer than tau to a polygon; a negative tau allows that much depth inside it. */
static int comes_closer(const int32_t *pt, int32_t m, double x0, double y0, double x1, double y1, double tau)
{
    if (m >= 3) {
        if (tau <= 0.0) return enters(pt, m, x0, y0, x1, y1, -tau);
        if (enters(pt, m, x0, y0, x1, y1, 0.0)) return 1;
    } else {
        if (tau <= 0.0) return 0;
        if (m == 2 && segments_cross(pt, x0, y0, x1, y1)) return 1;
    }
    double tt = tau * tau;
    for (int32_t k = 0; k < m; k++)
        if (point_segment2(pt[2 * k], pt[2 * k + 1], x0, y0, x1, y1) < tt) return 1;
    if (m == 1) return 0;
    double ax = pt[2 * (m - 1)], ay = pt[2 * (m - 1) + 1];
    for (int32_t k = 0; k < m; k++) {
        double bx = pt[2 * k], by = pt[2 * k + 1];
        if (point_segment2(x0, y0, ax, ay, bx, by) < tt) return 1;
        if (point_segment2(x1, y1, ax, ay, bx, by) < tt) return 1;
        ax = bx; ay = by;
    }
    return 0;
}

/* Signed distance of a point from a polygon: negative inside, by how deep. */
static double core_distance(const int32_t *pt, int32_t m, double x, double y)
{
    if (m == 1) {
        double dx = x - pt[0], dy = y - pt[1];
        return sqrt(dx * dx + dy * dy);
    }
    double ax = pt[2 * (m - 1)], ay = pt[2 * (m - 1) + 1], best = -1.0, depth = 1e18;
    int inside = m >= 3;
    for (int32_t k = 0; k < m; k++) {
        double bx = pt[2 * k], by = pt[2 * k + 1];
        double d = point_segment2(x, y, ax, ay, bx, by);
        if (best < 0.0 || d < best) best = d;
        if (inside) {
            double ex = bx - ax, ey = by - ay, c = ex * (y - ay) - ey * (x - ax);
            if (c <= 0.0) inside = 0;
            else {
                c = c / sqrt(ex * ex + ey * ey);
                if (c < depth) depth = c;
            }
        }
        ax = bx; ay = by;
    }
    return inside ? -depth : sqrt(best);
}

/* ---- sums of convex polygons ---- */

static int32_t lowest(const int32_t *pt, int32_t m)
{
    int32_t best = 0;
    for (int32_t k = 1; k < m; k++)
        if (pt[2 * k + 1] < pt[2 * best + 1] || (pt[2 * k + 1] == pt[2 * best + 1] && pt[2 * k] < pt[2 * best])) best = k;
    return best;
}

/* The sum of two convex polygons of one, two or more corners, from the lowest corner on; room for m + n corners. */
static int32_t convex_sum(const int32_t *p, int32_t m, const int32_t *q, int32_t n, int32_t *out)
{
    int32_t i0 = lowest(p, m), j0 = lowest(q, n), i = 0, j = 0, k = 0;
    int32_t im = m == 1 ? 0 : m, jn = n == 1 ? 0 : n;
    for (;;) {
        const int32_t *a = p + 2 * ((i0 + i) % m), *b = q + 2 * ((j0 + j) % n);
        if (i == im && j == jn && k > 0) break;
        out[2 * k] = a[0] + b[0]; out[2 * k + 1] = a[1] + b[1];
        k++;
        if (i == im && j == jn) break;
        const int32_t *a2 = p + 2 * ((i0 + i + 1) % m), *b2 = q + 2 * ((j0 + j + 1) % n);
        int64_t c;
        if (i == im) c = -1;
        else if (j == jn) c = 1;
        else c = (int64_t)(a2[0] - a[0]) * (b2[1] - b[1]) - (int64_t)(a2[1] - a[1]) * (b2[0] - b[0]);
        if (c > 0) i++;
        else if (c < 0) j++;
        else { i++; j++; }
    }
    return k;
}

/* ---- reading an order ---- */

static void move_of(Move *move, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count)
{
    memcpy(&move->t, terms, sizeof(Terms));
    move->target = terms + sizeof(Terms);
    move->way = way; move->end = end; move->units = units;
    move->barred = barred; move->barred_count = barred_count;
}

static int is_target(const Move *move, int32_t unit)
{
    for (int32_t k = 0; k < move->t.targets; k++)
        if (read_i32(move->target, k) == unit) return 1;
    return 0;
}

/* The least gap a code asks for; a witness keeps well inside the judge's leeway, an aim beyond any. */
static double least_gap(const Move *move, int32_t code, int level)
{
    const Terms *t = &move->t;
    if (code == GAP_FREE) return NO_LIMIT;
    if (code >= GAP_OVER) return (double)(code - GAP_OVER) + (level == BY_JUDGE ? STRICT : level == BY_WITNESS ? 1.0 : 3.0);
    if (code == GAP_CLEAR) return (double)t->touch_gap + (level == BY_JUDGE ? STRICT : level == BY_WITNESS ? 2.0 : 5.0);
    if (level == BY_AIM) return (double)code + 2.0;
    if (code == 0) return -(double)(level == BY_JUDGE ? t->overlap : t->overlap / 2);
    return (double)(code - (level == BY_JUDGE ? t->gap : t->gap / 2));
}

static double ground_gap(const Move *move, int level)
{
    if (level == BY_AIM) return 2.0;
    return -(double)(level == BY_JUDGE ? move->t.overlap : move->t.overlap / 2);
}

static inline int32_t way_code(const Move *move, int32_t unit)
{
    return unit >= 0 && unit < move->units ? read_i32(move->way, unit) : GAP_FREE;
}

static inline int32_t end_code(const Move *move, int32_t unit)
{
    return unit >= 0 && unit < move->units ? read_i32(move->end, unit) : GAP_FREE;
}

static int bars(const Move *move, int32_t piece, int32_t kinds)
{
    int32_t flag = piece < move->barred_count ? move->barred[piece] : 0;
    return flag == 1 || (flag != 2 && (kinds & move->t.impassable));
}

/* ---- obstacles ---- */

static void blocks_free(Blocks *b)
{
    free(b->block); free(b->points); free(b->near);
    b->block = NULL; b->points = NULL; b->near = NULL;
}

/* Room for every model and every convex part; a part may gain four corners from the mover's core. */
static int blocks_room(const Scene *s, Blocks *b)
{
    const Ground *g = s->ground;
    int32_t parts = 0, corners = 0;
    for (int32_t k = 0; k < g->pieces; k++) {
        parts += g->piece[k].parts + 1;
        for (int32_t p = 0; p < g->piece[k].parts; p++) corners += g->part[g->piece[k].first_part + p].corners;
    }
    b->count = b->used = b->nears = b->avoid = 0;
    b->room = s->n + parts;
    b->points_room = 8 * s->n + corners + 4 * parts;
    b->block = malloc((size_t)(b->room + 1) * sizeof(Block));
    b->points = malloc((size_t)(b->points_room + 1) * 2 * sizeof(int32_t));
    b->near = malloc((size_t)(b->room + 1) * sizeof(Near));
    return b->block && b->points && b->near;
}

/* Adds a polygon, grown by the mover's core, unless its box (grown by `far`) misses the region. */
static Block *block_add(Blocks *b, const int32_t *pt, int32_t m, const Stand *core, int keep_points, int32_t r,
                        const Box *region, double far)
{
    Block *k = b->block + b->count;
    if (core->corners > 1 || keep_points) {
        int32_t *out = b->points + 2 * (size_t)b->used;
        int32_t core_pt[8];
        for (int32_t c = 0; c < core->corners; c++) { core_pt[2 * c] = core->px[c]; core_pt[2 * c + 1] = core->py[c]; }
        if (core->corners > 1) m = convex_sum(pt, m, core_pt, core->corners, out);
        else memcpy(out, pt, (size_t)m * 2 * sizeof(int32_t));
        pt = out;
    }
    k->left = k->right = pt[0]; k->bottom = k->top = pt[1];
    for (int32_t c = 1; c < m; c++) {
        if (pt[2 * c] < k->left) k->left = pt[2 * c];
        if (pt[2 * c] > k->right) k->right = pt[2 * c];
        if (pt[2 * c + 1] < k->bottom) k->bottom = pt[2 * c + 1];
        if (pt[2 * c + 1] > k->top) k->top = pt[2 * c + 1];
    }
    far += r;
    if (k->left - far > region->right || k->right + far < region->left || k->bottom - far > region->top
        || k->top + far < region->bottom) return NULL;
    k->m = m; k->pt = pt; k->r = r; k->unit = k->slot = k->piece = -1;
    if (pt == b->points + 2 * (size_t)b->used) b->used += m;
    b->count++;
    return k;
}

static void core_at(Stand *core, int32_t hl, int32_t hw, int32_t facing)
{
    stand_at(core, 0, 0, facing, hl, hw, 0, 0);
}

static void base_points(const Stand *b, int32_t *pt)
{
    for (int32_t c = 0; c < b->corners; c++) { pt[2 * c] = b->px[c]; pt[2 * c + 1] = b->py[c]; }
}

/* Models of other units that matter to an order, near a region of centres. */
static void blocks_of_models(const Scene *s, const Move *move, const Stand *core, int32_t r, const Box *region,
                             int targets_only, Blocks *b)
{
    for (int32_t j = 0; j < s->n; j++) {
        int32_t unit = slot_owner(s, j);
        if (unit == move->t.unit || !on_table(s, j)) continue;
        double far = 1e9;
        if (targets_only) {
            if (!is_target(move, unit)) continue;
        } else {
            double w = least_gap(move, way_code(move, unit), BY_AIM), e = least_gap(move, end_code(move, unit), BY_AIM);
            far = (w > e ? w : e) + r;
            if (far < -1e9) continue;
        }
        Stand other;
        int32_t pt[8];
        stand_of(s, j, &other);
        base_points(&other, pt);
        Block *k = block_add(b, pt, other.corners, core, 1, other.r, region, far);
        if (k) { k->unit = unit; k->slot = j; }
    }
}

/* Terrain pieces of some kinds, part by part. */
static void blocks_of_pieces(const Scene *s, const Move *move, const Stand *core, int32_t r, const Box *region,
                             int32_t kinds, Blocks *b)
{
    const Ground *g = s->ground;
    for (int32_t p = 0; p < g->pieces; p++) {
        const Piece *piece = g->piece + p;
        if (kinds == 0 ? !bars(move, p, piece->kinds) : !(piece->kinds & kinds)) continue;
        if (piece->r > 0) {
            int32_t pt[2] = {piece->x, piece->y};
            Block *k = block_add(b, pt, 1, core, 1, piece->r, region, r + 2.0);
            if (k) k->piece = p;
            continue;
        }
        for (int32_t q = 0; q < piece->parts; q++) {
            const Part *part = g->part + piece->first_part + q;
            Block *k = block_add(b, g->points + 2 * (size_t)part->first_point, part->corners, core, 0, 0, region, r + 2.0);
            if (k) k->piece = p;
        }
    }
}

static inline int misses(const Fence *f, double left, double bottom, double right, double top)
{
    return right < f->left || left > f->right || top < f->bottom || bottom > f->top;
}

/* The index of the first block a leg comes too close to, or -1; fences by block. */
static int32_t leg_hit(const Blocks *b, const Fence *fence, double x0, double y0, double x1, double y1)
{
    double left = x0 < x1 ? x0 : x1, right = x0 < x1 ? x1 : x0, bottom = y0 < y1 ? y0 : y1, top = y0 < y1 ? y1 : y0;
    for (int32_t k = 0; k < b->count; k++) {
        if (misses(fence + k, left, bottom, right, top)) continue;
        if (comes_closer(b->block[k].pt, b->block[k].m, x0, y0, x1, y1, fence[k].d)) return k;
    }
    return -1;
}

/* All blocks a leg comes too close to. A shorter leg in the same direction need only be tested against these. */
static int32_t leg_hits(const Blocks *b, const Fence *fence, double x0, double y0, double x1, double y1, int32_t *out)
{
    double left = x0 < x1 ? x0 : x1, right = x0 < x1 ? x1 : x0, bottom = y0 < y1 ? y0 : y1, top = y0 < y1 ? y1 : y0;
    int32_t count = 0;
    for (int32_t k = 0; k < b->count; k++) {
        if (misses(fence + k, left, bottom, right, top)) continue;
        if (comes_closer(b->block[k].pt, b->block[k].m, x0, y0, x1, y1, fence[k].d)) out[count++] = k;
    }
    return count;
}

/* Whether a leg comes too close to one of some blocks. */
static int leg_hits_any(const Blocks *b, const Fence *fence, const int32_t *some, int32_t count, double x0, double y0, double x1,
                        double y1)
{
    for (int32_t k = 0; k < count; k++) {
        const Block *o = b->block + some[k];
        if (comes_closer(o->pt, o->m, x0, y0, x1, y1, fence[some[k]].d)) return 1;
    }
    return 0;
}

/* Draws the box of a fence at its distance. */
static inline void draw_fence(const Block *o, Fence *f)
{
    f->left = o->left - f->d; f->bottom = o->bottom - f->d; f->right = o->right + f->d; f->top = o->top + f->d;
}

/* Notes what a model that starts at x, y, with the core the blocks were grown by, is nearer to than it may be: units
 * (MOVE-5) and, for witnesses, which keep further off than the judge asks, barred ground. */
static void note_near(const Move *move, Blocks *b, int32_t r, int32_t x, int32_t y, int level)
{
    b->nears = 0;
    for (int32_t k = 0; k < b->count && k < b->avoid; k++) {
        const Block *o = b->block + k;
        double w, e, sum = (double)(r + o->r);
        if (o->unit < 0) {
            if (level == BY_JUDGE) continue;
            w = e = ground_gap(move, level);
        } else {
            w = least_gap(move, way_code(move, o->unit), level);
            e = least_gap(move, end_code(move, o->unit), level);
        }
        double most = sum + (w > e ? w : e);
        if (x < o->left - most || x > o->right + most || y < o->bottom - most || y > o->top + most) continue;
        double g = core_distance(o->pt, o->m, x, y) - sum;
        if (g >= w && g >= e) continue;
        Near near = {o->unit, o->piece, g};
        b->near[b->nears++] = near;
    }
}

/* Lowers the limits of what was noted: a gap that is too small already may not shrink. */
static void lower_limits(const Move *move, const Blocks *b, const Near *near, int32_t r, int level, Fence *way, Fence *end)
{
    const Terms *t = &move->t;
    double slack = level == BY_JUDGE ? t->gap : t->gap / 2, w, e;
    if (near->unit < 0) {
        double least = ground_gap(move, BY_JUDGE), low = near->g - 1.0 > least ? near->g - 1.0 : least;
        for (int32_t j = 0; j < b->avoid && j < b->count; j++) {
            const Block *q = b->block + j;
            if (q->unit >= 0 || q->piece != near->piece) continue;
            if ((double)(r + q->r) + low < way[j].d) way[j].d = (double)(r + q->r) + low;
            if ((double)(r + q->r) + low < end[j].d) end[j].d = (double)(r + q->r) + low;
        }
        return;
    }
    w = least_gap(move, way_code(move, near->unit), level);
    e = least_gap(move, end_code(move, near->unit), level);
    for (int32_t j = 0; j < b->count; j++) {
        const Block *q = b->block + j;
        if (q->unit != near->unit) continue;
        double low = (double)(r + q->r) + near->g - slack;
        if (near->g < w && low < way[j].d) way[j].d = low;
        if (t->tolerant && near->g < e && low < end[j].d) end[j].d = low;
    }
}

/* Least distances of the centre of a base of radius r from each block, on the way and at the end, lowered by what was
 * noted near the start. */
static void limits_of(const Move *move, const Blocks *b, int32_t r, int level, Fence *way, Fence *end)
{
    const Terms *t = &move->t;
    for (int32_t k = 0; k < b->count; k++) {
        const Block *o = b->block + k;
        double sum = (double)(r + o->r);
        if (o->unit < 0) {
            end[k].d = sum + ground_gap(move, level);
            way[k].d = t->through ? NO_LIMIT : end[k].d;
            if (k >= b->avoid) way[k].d = end[k].d = sum - t->touch;
            continue;
        }
        double w = least_gap(move, way_code(move, o->unit), level), e = least_gap(move, end_code(move, o->unit), level);
        way[k].d = w > NO_LIMIT ? sum + w : NO_LIMIT;
        end[k].d = e > NO_LIMIT ? sum + e : NO_LIMIT;
    }
    for (int32_t k = 0; k < b->nears; k++) lower_limits(move, b, b->near + k, r, level, way, end);
    for (int32_t k = 0; k < b->count; k++) {
        draw_fence(b->block + k, way + k);
        draw_fence(b->block + k, end + k);
    }
}

/* The limits of a model that starts at x, y. */
static void limits_at(const Move *move, Blocks *b, int32_t r, int32_t x, int32_t y, int level, Fence *way, Fence *end)
{
    note_near(move, b, r, x, y, level);
    limits_of(move, b, r, level, way, end);
}

/* ---- coherency ---- */

typedef struct { int32_t slot, hl, hw, r; Pose from, to; int32_t first, poses, moved; double length; } Member;

static double pose_gap(const Member *a, const Pose *p, const Member *b, const Pose *q)
{
    if ((a->hl | a->hw | b->hl | b->hw) == 0) {
        double dx = p->x - q->x, dy = p->y - q->y;
        return sqrt(dx * dx + dy * dy) - (double)(a->r + b->r);
    }
    Stand sa, sb;
    int32_t pa[8], pb[8], sum[16];
    stand_at(&sa, 0, 0, p->facing, a->hl, a->hw, 0, 0);
    stand_at(&sb, 0, 0, q->facing, b->hl, b->hw, 0, 0);
    base_points(&sa, pa); base_points(&sb, pb);
    int32_t m = convex_sum(pb, sb.corners, pa, sa.corners, sum);
    return core_distance(sum, m, p->x - q->x, p->y - q->y) - (double)(a->r + b->r);
}

static int32_t height_at(const Scene *s, int32_t x, int32_t y)
{
    int32_t best = 0;
    for (int32_t p = 0; p < s->ground->pieces; p++) {
        const Piece *piece = s->ground->piece + p;
        if (piece->elevation > best && in_piece(s->ground, piece, x, y)) best = piece->elevation;
    }
    return best;
}

/* Whether poses hold together; `links` receives each member's number of linked fellows. `work` has room for 2 n. */
static int coherent_at(const Scene *s, const Terms *t, const Member *member, const Pose *pose, int32_t n, int32_t *links,
                       int32_t *work)
{
    int ok = 1;
    int32_t *group = work, *height = work + n;
    double link = (double)(t->link + t->gap), spread = (double)(t->spread + t->gap);
    for (int32_t i = 0; i < n; i++) {
        links[i] = 0; group[i] = i;
        height[i] = t->rise >= 0 ? height_at(s, pose[i].x, pose[i].y) : 0;
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++) {
            double g = pose_gap(member + i, pose + i, member + j, pose + j);
            int32_t rise = height[i] - height[j];
            if (g <= link && (t->rise < 0 || (rise <= t->rise && -rise <= t->rise))) {
                links[i]++; links[j]++;
                int32_t from = group[j], into = group[i];
                if (from != into) for (int32_t k = 0; k < n; k++) if (group[k] == from) group[k] = into;
            }
            if (t->spread >= 0 && g > spread
                && (t->leader < 0 || member[i].slot == t->leader || member[j].slot == t->leader)) ok = 0;
        }
    if (n < 2) return 1;
    for (int32_t i = 0; i < n; i++) {
        if (links[i] < t->need) ok = 0;
        if (t->connected && group[i] != group[0]) ok = 0;
    }
    return ok;
}

static double nearest_fellow(const Member *member, const Pose *pose, int32_t n, int32_t i)
{
    double best = 1e18;
    for (int32_t j = 0; j < n; j++) {
        if (j == i) continue;
        double g = pose_gap(member + i, pose + i, member + j, pose + j);
        if (g < best) best = g;
    }
    return best;
}

/* ---- lengths ---- */

/* cos(k * 5.625 degrees) * 2**30 for a quarter turn; 64 equal steps make the rim of a base. */
static const int32_t RIM_QUARTER[17] = {
    1073741824, 1068571464, 1053110176, 1027506862, 992008094, 946955747, 892783698, 830013654, 759250125,
    681174602, 596538995, 506158392, 410903207, 311690799, 209476638, 105245103, 0};

static double rim_cos(int32_t k)
{
    k &= 63;
    if (k > 32) k = 64 - k;
    return (k <= 16 ? (double)RIM_QUARTER[k] : -(double)RIM_QUARTER[32 - k]) / 1073741824.0;
}

/* The greatest straight way of any rim point between two poses. */
static double rim_way(const Member *m, const Pose *a, const Pose *b, int32_t rim)
{
    double ca = (double)cosine(a->facing) / 1073741824.0, sa = (double)sine(a->facing) / 1073741824.0;
    double cb = (double)cosine(b->facing) / 1073741824.0, sb = (double)sine(b->facing) / 1073741824.0;
    double dx = (double)(b->x - a->x), dy = (double)(b->y - a->y), dc = cb - ca, ds = sb - sa, most = 0.0;
    for (int32_t k = 0; k < 64; k += 64 / rim) {
        double u = (double)(m->hl + m->r) * rim_cos(k), v = (double)(m->hw + m->r) * rim_cos(k - 16);
        double x = dx + (u * dc - v * ds), y = dy + (u * ds + v * dc);
        double d = x * x + y * y;
        if (d > most) most = d;
    }
    return sqrt(most);
}

static void refuse(int32_t *out, int32_t code, int32_t slot, int32_t what)
{
    if (out[0] != C_LEGAL) return;
    out[0] = code; out[1] = slot; out[2] = what;
}

/* The cost factor of a hull's straight part, or 0 if it may not go that way. */
static int32_t hull_factor(const Terms *t, int32_t dx, int32_t dy, int32_t facing)
{
    int64_t c = cosine(facing), s = sine(facing), slack = (int64_t)t->axis << 30;
    int64_t along = dx * c + dy * s, across = dy * c - dx * s;
    if (across <= slack && -across <= slack) return along >= 0 ? 1 : t->reverse;
    if (along <= slack && -along <= slack) return t->sideways;
    return 0;
}

/* Lengths, pivots and end poses of one member's path. */
static void measure_path(const Terms *t, Member *m, const Pose *pose, int32_t *out)
{
    Pose at = m->from;
    int32_t pivots = 0;
    double length = 0.0;
    for (int32_t k = 0; k < m->poses; k++) {
        Pose to = pose[m->first + k];
        if (to.facing < 0) to.facing = at.facing;
        int32_t dx = to.x - at.x, dy = to.y - at.y;
        if (dx || dy) {
            double d = sqrt((double)dx * dx + (double)dy * dy);
            m->moved = 1;
            if (t->hull) {
                int32_t factor = hull_factor(t, dx, dy, at.facing);
                if (factor == 0) refuse(out, C_SIDEWAYS, m->slot, k);
                d = d * factor;
            } else if (t->rim_by_leg && t->rim && to.facing != at.facing && (m->hl | m->hw)) {
                d = rim_way(m, &at, &to, t->rim);
            }
            length = length + d;
        } else if (!t->hull && t->rim_by_leg && t->rim && to.facing != at.facing && (m->hl | m->hw)) {
            length = length + rim_way(m, &at, &to, t->rim);
        }
        if (to.facing != at.facing && t->hull) {
            int32_t turn = to.facing - at.facing;
            if (turn < 0) turn = -turn;
            if (turn > 1800) turn = 3600 - turn;
            pivots++;
            if (pivots > t->pivots || turn > t->pivot) refuse(out, C_PIVOT, m->slot, turn);
        }
        at = to;
    }
    m->to = at;
    if (!t->hull && !t->rim_by_leg && t->rim && at.facing != m->from.facing && (m->hl | m->hw)) {
        double d = rim_way(m, &m->from, &at, t->rim);
        if (d > length) length = d;
    }
    m->length = length;
    if (!m->moved && (at.facing == m->from.facing || (m->hl | m->hw) == 0)) m->poses = 0;
}

/* ---- the judge ---- */

typedef struct {
    Blocks models, touched;           /* what may not be neared; difficult and dangerous ground */
    Fence *way, *end;
    int32_t *hits;
    int32_t core_hl, core_hw, core_facing;
} Surroundings;

static void extent(int32_t hl, int32_t hw, int32_t r, int32_t facing, int32_t *ex, int32_t *ey)
{
    Stand c;
    core_at(&c, hl, hw, facing);
    *ex = *ey = 0;
    for (int32_t k = 0; k < c.corners; k++) {
        if (c.px[k] > *ex) *ex = c.px[k];
        if (c.py[k] > *ey) *ey = c.py[k];
    }
    *ex += r; *ey += r;
}

static int off_table(const Scene *s, const Terms *t, const Member *m, const Pose *p, int32_t slack)
{
    int32_t ex, ey;
    (void)t;
    extent(m->hl, m->hw, m->r, p->facing, &ex, &ey);
    return p->x - ex < -slack || p->y - ey < -slack || p->x + ex > s->ground->width + slack
        || p->y + ey > s->ground->height + slack;
}

/* Rebuilds the obstacles when a mover's core differs from the last one. */
static void surround(const Scene *s, const Move *move, const Member *m, int32_t facing, int32_t most_r, const Box *region,
                     Surroundings *w)
{
    if ((m->hl | m->hw) == 0) facing = 0;
    if (w->core_hl == m->hl && w->core_hw == m->hw && w->core_facing == facing) return;
    Stand core;
    core_at(&core, m->hl, m->hw, facing);
    w->core_hl = m->hl; w->core_hw = m->hw; w->core_facing = facing;
    w->models.count = w->models.used = w->touched.count = w->touched.used = 0;
    blocks_of_models(s, move, &core, most_r, region, 0, &w->models);
    blocks_of_pieces(s, move, &core, most_r, region, 0, &w->models);
    w->models.avoid = w->models.count;
    int32_t kinds = move->t.difficult | move->t.dangerous;
    if (kinds) blocks_of_pieces(s, move, &core, most_r, region, kinds, &w->touched);
}

static void blame(const Blocks *b, int32_t hit, int32_t slot, int32_t *out)
{
    if (hit < 0) return;
    const Block *o = b->block + hit;
    if (o->unit >= 0) refuse(out, C_GAP_UNIT, slot, o->unit);
    else refuse(out, C_IMPASSABLE, slot, o->piece);
}

/* Notes the difficult and dangerous pieces a leg touches; pairs of (slot, piece) without repeats. */
static void note_touched(const Scene *s, const Move *move, const Surroundings *w, const Member *m, double x0, double y0,
                         double x1, double y1, int32_t *out, int32_t *pairs)
{
    double d = (double)m->r - (double)move->t.touch;
    for (int32_t k = 0; k < w->touched.count; k++) {
        const Block *o = w->touched.block + k;
        double tau = d + (double)o->r;
        int32_t kinds = s->ground->piece[o->piece].kinds;
        Fence f = {.d = tau};
        draw_fence(o, &f);
        if (misses(&f, x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, x0 < x1 ? x1 : x0, y0 < y1 ? y1 : y0)) continue;
        if (!comes_closer(o->pt, o->m, x0, y0, x1, y1, tau)) continue;
        if (kinds & move->t.difficult) out[4] = 1;
        if (!(kinds & move->t.dangerous)) continue;
        int32_t known = 0;
        for (int32_t q = out[7] - 1; q >= 0 && pairs[2 * q] == m->slot; q--) if (pairs[2 * q + 1] == o->piece) known = 1;
        if (known) continue;
        pairs[2 * out[7]] = m->slot; pairs[2 * out[7] + 1] = o->piece;
        out[7]++;
    }
}

/* Walks one member along its path and refuses at the first thing in the way. */
static void walk_path(const Scene *s, const Move *move, const Member *m, const Pose *pose, int32_t most_r, const Box *region,
                      Surroundings *w, int32_t *out, int32_t *pairs)
{
    const Terms *t = &move->t;
    Pose at = m->from;
    int free_way = t->arranged && m->slot != t->leader;
    surround(s, move, m, at.facing, most_r, region, w);
    limits_at(move, &w->models, m->r, m->from.x, m->from.y, BY_JUDGE, w->way, w->end);
    for (int32_t k = 0; k < m->poses; k++) {
        Pose to = pose[m->first + k];
        if (to.facing < 0) to.facing = at.facing;
        if (!free_way) {
            if (m->moved) note_touched(s, move, w, m, at.x, at.y, to.x, to.y, out, pairs);
            Pose before = {to.x, to.y, at.facing};
            if (off_table(s, t, m, &before, t->edge)) refuse(out, C_OFF_TABLE, m->slot, -1);
            blame(&w->models, leg_hit(&w->models, w->way, at.x, at.y, to.x, to.y), m->slot, out);
        }
        if (to.facing != at.facing) {
            surround(s, move, m, to.facing, most_r, region, w);
            limits_of(move, &w->models, m->r, BY_JUDGE, w->way, w->end);
            if (!free_way) {
                if (m->moved) note_touched(s, move, w, m, to.x, to.y, to.x, to.y, out, pairs);
                blame(&w->models, leg_hit(&w->models, w->way, to.x, to.y, to.x, to.y), m->slot, out);
            }
        }
        at = to;
    }
    if (off_table(s, t, m, &m->to, t->edge)) refuse(out, C_OFF_TABLE, m->slot, -1);
    blame(&w->models, leg_hit(&w->models, w->end, m->to.x, m->to.y, m->to.x, m->to.y), m->slot, out);
    if (t->limited) {
        int32_t ex, ey;
        extent(m->hl, m->hw, m->r, m->to.facing, &ex, &ey);
        if (m->to.x + ex > t->x0 + t->edge && m->to.x - ex < t->x1 - t->edge && m->to.y + ey > t->y0 + t->edge
            && m->to.y - ey < t->y1 - t->edge) refuse(out, C_OFF_LIMITS, m->slot, -1);
    }
}

/* The gap of a member, at a pose, to each of a set of target blocks' nearest; `unit` -1: all targets. */
static double target_gap(const Scene *s, const Move *move, const Member *m, const Pose *p, int32_t unit)
{
    double best = 1e18;
    for (int32_t j = 0; j < s->n; j++) {
        int32_t owner = slot_owner(s, j);
        if (!on_table(s, j) || (unit >= 0 ? owner != unit : !is_target(move, owner))) continue;
        Member other = {j, read_i32(s->shape, 4 * j), read_i32(s->shape, 4 * j + 1), read_i32(s->shape, 4 * j + 2),
                        {slot_x(s, j), slot_y(s, j), read_i16(s->facing, j)}, {0, 0, 0}, 0, 0, 0, 0.0};
        double g = pose_gap(m, p, &other, &other.from);
        if (g < best) best = g;
    }
    return best;
}

/* Contact with every target, and nobody further away than allowed. */
static void check_targets(const Scene *s, const Move *move, const Member *member, int32_t n, int32_t *out)
{
    const Terms *t = &move->t;
    double contact = (double)(t->reach >= 0 ? t->reach : t->touch_gap);
    if (t->contact)
        for (int32_t q = 0; q < t->targets; q++) {
            int32_t unit = read_i32(move->target, q), met = 0;
            for (int32_t i = 0; i < n && !met; i++) met = target_gap(s, move, member + i, &member[i].to, unit) <= contact;
            if (!met) refuse(out, C_NO_CONTACT, -1, unit);
        }
    if (t->closing == CLOSING_ANY || t->targets == 0) return;
    for (int32_t i = 0; i < n; i++) {
        const Member *m = member + i;
        if (t->closing == CLOSING_NO_FURTHER && !m->poses) continue;
        double after = target_gap(s, move, m, &m->to, -1), before = target_gap(s, move, m, &m->from, -1);
        if (after <= contact) continue;
        if (t->closing == CLOSING_NO_FURTHER ? after > before + t->gap : after >= before) refuse(out, C_FURTHER, m->slot, -1);
    }
}

static int check_coherency(const Scene *s, const Move *move, const Member *member, const Pose *from, const Pose *to, int32_t n,
                           int32_t *links, int32_t *work, int32_t *out)
{
    const Terms *t = &move->t;
    out[6] = coherent_at(s, t, member, to, n, links, work);
    out[5] = coherent_at(s, t, member, from, n, links, work);
    if (out[6] || t->cohere == COHERE_NEVER) return 0;
    if (t->cohere == COHERE_ALWAYS || (t->cohere == COHERE_KEEP && out[5])) {
        coherent_at(s, t, member, to, n, links, work);
        int32_t stray = 0;
        while (stray < n - 1 && links[stray] >= t->need) stray++;
        refuse(out, C_INCOHERENT, member[stray].slot, -1);
    }
    if (t->cohere == COHERE_NEARER)
        for (int32_t i = 0; i < n; i++)
            if (links[i] < t->need && nearest_fellow(member, to, n, i) >= nearest_fellow(member, from, n, i))
                refuse(out, C_INCOHERENT, member[i].slot, -1);
    return 0;
}

static void check_own_bases(const Move *move, const Member *member, int32_t n, int32_t *out)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++) {
            if (!member[i].poses && !member[j].poses) continue;
            if (pose_gap(member + i, &member[i].to, member + j, &member[j].to) < -(double)move->t.overlap)
                refuse(out, C_OVERLAP, member[i].slot, member[j].slot);
        }
}

/* Longest path against the allowance, or against the cap of difficult ground. */
static void check_length(const Terms *t, const Member *member, int32_t n, int32_t most, int32_t *out)
{
    for (int32_t i = 0; i < n; i++) {
        if (t->arranged && member[i].slot != t->leader) continue;
        if (member[i].length > (double)(most + t->move)) refuse(out, C_TOO_LONG, member[i].slot, most);
    }
}

static int32_t members_of(const Scene *s, int32_t unit, Member *member)
{
    int32_t n = 0;
    for (int32_t j = 0; j < s->n; j++) {
        if (slot_owner(s, j) != unit || !on_table(s, j)) continue;
        Member *m = member + n++;
        m->slot = j; m->hl = read_i32(s->shape, 4 * j); m->hw = read_i32(s->shape, 4 * j + 1);
        m->r = read_i32(s->shape, 4 * j + 2);
        m->from.x = slot_x(s, j); m->from.y = slot_y(s, j); m->from.facing = read_i16(s->facing, j);
        m->to = m->from;
        m->first = m->poses = m->moved = 0;
        m->length = 0.0;
    }
    return n;
}

static void widen(Box *b, int32_t x, int32_t y)
{
    if (x < b->left) b->left = x;
    if (x > b->right) b->right = x;
    if (y < b->bottom) b->bottom = y;
    if (y > b->top) b->top = y;
}

static int32_t judge_members(const Scene *s, const Move *move, Member *member, int32_t n, const Pose *pose, int32_t *out,
                             int32_t *pairs, Surroundings *w, Pose *from, Pose *to, int32_t *links, int32_t *work)
{
    const Terms *t = &move->t;
    Box region = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    int32_t most_r = 0;
    for (int32_t i = 0; i < n; i++) {
        Member *m = member + i;
        measure_path(t, m, pose, out);
        from[i] = m->from; to[i] = m->to;
        if (!m->poses) continue;
        widen(&region, m->from.x, m->from.y);
        for (int32_t k = 0; k < m->poses; k++) widen(&region, pose[m->first + k].x, pose[m->first + k].y);
        if (m->r > most_r) most_r = m->r;
    }
    check_length(t, member, n, t->allowance, out);
    for (int32_t i = 0; i < n; i++)
        if (member[i].poses) walk_path(s, move, member + i, pose, most_r, &region, w, out, pairs);
    check_own_bases(move, member, n, out);
    if (out[4] && t->cap >= 0 && t->cap < t->allowance) check_length(t, member, n, t->cap, out);
    check_coherency(s, move, member, from, to, n, links, work, out);
    if (t->targets) check_targets(s, move, member, n, out);
    double longest = 0.0;
    for (int32_t i = 0; i < n; i++)
        if (member[i].length > longest && !(t->arranged && member[i].slot != t->leader)) longest = member[i].length;
    out[3] = (int32_t)(longest + 0.5);
    return n;
}

static void *surroundings_room(const Scene *s, Surroundings *w)
{
    memset(w, 0, sizeof *w);
    w->core_hl = -1;
    if (!blocks_room(s, &w->models) || !blocks_room(s, &w->touched)) return NULL;
    w->way = malloc((size_t)(w->models.room + 1) * 2 * sizeof(Fence));
    w->end = w->way ? w->way + w->models.room + 1 : NULL;
    w->hits = malloc((size_t)(w->models.room + 1) * sizeof(int32_t));
    return w->way && w->hits ? w : NULL;
}

static void surroundings_free(Surroundings *w)
{
    blocks_free(&w->models); blocks_free(&w->touched);
    free(w->way); free(w->hits);
}

/* Judges paths, or (without counts) a shift of all by dx, dy. `out`: code, slot, what, longest, difficult, was
 * coherent, coherent, number of dangerous pairs; then 2 n numbers of ends, n facings as int16, the pairs.
 * Returns the number of members, -1 for counts that do not fit the unit, -2 without memory. */
int32_t judge_march(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count, const char *counts, int32_t counted, const char *points, int32_t poses,
                    int32_t dx, int32_t dy, int32_t *out)
{
    Scene s = SCENE;
    Move move;
    Surroundings w;
    int32_t *ends = out + 8, *pairs = out + 8 + 2 * n + (n + 1) / 2;
    int16_t *facings = (int16_t *)(out + 8 + 2 * n);
    move_of(&move, terms, way, end, units, barred, barred_count);
    out[1] = out[2] = -1;
    Member *member = malloc((size_t)(n + 1) * sizeof(Member));
    Pose *pose = malloc((size_t)(poses + 3 * n + 1) * sizeof(Pose));
    int32_t *work = malloc((size_t)(3 * n + 1) * sizeof(int32_t));
    void *room = surroundings_room(&s, &w);
    int32_t result = -2;
    if (member && pose && work && room) {
        int32_t m = members_of(&s, move.t.unit, member), first = 0;
        memcpy(pose, points, (size_t)poses * sizeof(Pose));
        if (counts == NULL) {
            counted = m;
            poses = dx || dy ? m : 0;
            for (int32_t i = 0; i < poses; i++) {
                pose[i].x = member[i].from.x + dx; pose[i].y = member[i].from.y + dy;
                pose[i].facing = -1;
            }
        }
        for (int32_t i = 0; i < m && i < counted; i++) {
            member[i].first = first; member[i].poses = counts == NULL ? poses > 0 : (uint8_t)counts[i];
            first += member[i].poses;
        }
        result = m != counted || first != poses ? -1
               : judge_members(&s, &move, member, m, pose, out, pairs, &w, pose + poses, pose + poses + m, work, work + m);
        for (int32_t i = 0; i < m; i++) {
            ends[2 * i] = member[i].to.x; ends[2 * i + 1] = member[i].to.y;
            facings[i] = (int16_t)member[i].to.facing;
        }
    }
    free(member); free(pose); free(work);
    surroundings_free(&w);
    return result;
}

/* The gap of each member of the unit to the nearest model of the targets. Returns the number of members. */
int32_t target_gaps(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count, double *out)
{
    Scene s = SCENE;
    Move move;
    move_of(&move, terms, way, end, units, barred, barred_count);
    Member *member = malloc((size_t)(n + 1) * sizeof(Member));
    if (!member) return -2;
    int32_t m = members_of(&s, move.t.unit, member);
    for (int32_t i = 0; i < m; i++) out[i] = target_gap(&s, &move, member + i, &member[i].from, -1);
    free(member);
    return m;
}

/* ---- the longest lawful shift ---- */

typedef struct { const Scene *s; const Move *move; Member *member; int32_t n, dx, dy, most_r; double length; Box region; } Course;

static int32_t nearest_whole(double v) { return (int32_t)floor(v + 0.5); }

/* The pose of a member after `m` thou of the course. */
static Pose along_course(const Course *c, const Member *k, int32_t m)
{
    Pose p = k->from;
    p.x += nearest_whole((double)c->dx * (double)m / c->length);
    p.y += nearest_whole((double)c->dy * (double)m / c->length);
    return p;
}

static int course_clear(const Course *c, const Member *k, const Surroundings *w, int32_t hits, int32_t m)
{
    Pose p = along_course(c, k, m);
    return !off_table(c->s, &c->move->t, k, &p, c->move->t.edge)
        && !leg_hits_any(&w->models, w->way, w->hits, hits, k->from.x, k->from.y, p.x, p.y);
}

static int course_touches(const Course *c, const Member *k, const Surroundings *w, int32_t m)
{
    Pose p = along_course(c, k, m);
    double d = (double)k->r - (double)c->move->t.touch;
    for (int32_t b = 0; b < w->touched.count; b++) {
        const Block *o = w->touched.block + b;
        if (!(c->s->ground->piece[o->piece].kinds & c->move->t.difficult)) continue;
        if (comes_closer(o->pt, o->m, k->from.x, k->from.y, p.x, p.y, d + (double)o->r)) return 1;
    }
    return 0;
}

/* The largest m up to `most` for which a test that only ever turns once stays true. */
static int32_t longest_clear(const Course *c, const Member *k, const Surroundings *w, int32_t most, int touching)
{
    int32_t low = 0, high = most, hits = 0;
    if (!touching) {
        Pose p = along_course(c, k, most);
        hits = leg_hits(&w->models, w->way, k->from.x, k->from.y, p.x, p.y, w->hits);
    }
    if (touching ? !course_touches(c, k, w, most) : course_clear(c, k, w, hits, most)) return most;
    if (touching && course_touches(c, k, w, 0)) return -1;
    while (high - low > 1) {
        int32_t mid = low + (high - low) / 2;
        if (touching ? !course_touches(c, k, w, mid) : course_clear(c, k, w, hits, mid)) low = mid;
        else high = mid;
    }
    return low;
}

static void ready(const Course *c, const Member *k, Surroundings *w)
{
    surround(c->s, c->move, k, k->from.facing, c->most_r, &c->region, w);
    limits_at(c->move, &w->models, k->r, k->from.x, k->from.y, BY_WITNESS, w->way, w->end);
}

static int course_ends_well(const Course *c, Surroundings *w, int32_t m)
{
    for (int32_t i = 0; i < c->n; i++) {
        ready(c, c->member + i, w);
        Pose p = along_course(c, c->member + i, m);
        if (leg_hit(&w->models, w->end, p.x, p.y, p.x, p.y) >= 0) return 0;
    }
    return 1;
}

/* How far the course can be followed, by table, gaps, impassable and difficult ground. */
static int32_t follow(const Course *c, Surroundings *w, int32_t most)
{
    const Terms *t = &c->move->t;
    int32_t far = most, dry = most;
    for (int32_t i = 0; i < c->n; i++) {
        ready(c, c->member + i, w);
        far = longest_clear(c, c->member + i, w, far, 0);
    }
    if (t->cap >= 0 && far > t->cap) {
        dry = far;
        for (int32_t i = 0; i < c->n && dry >= 0; i++) {
            ready(c, c->member + i, w);
            dry = longest_clear(c, c->member + i, w, dry, 1);
        }
        far = dry > t->cap ? dry : t->cap;
    }
    for (int32_t k = 16; k > 0; k--) {
        int32_t m = (int32_t)((int64_t)far * k / 16);
        if (m == 0) return 0;
        if (course_ends_well(c, w, m)) return m;
    }
    return 0;
}

/* The longest lawful part of a shift of the whole unit; `out`: dx, dy. Returns its length, or -2 without memory. */
int32_t slide_shift(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count, int32_t dx, int32_t dy, int32_t *out)
{
    Scene s = SCENE;
    Move move;
    Surroundings w;
    move_of(&move, terms, way, end, units, barred, barred_count);
    Member *member = malloc((size_t)(n + 1) * sizeof(Member));
    void *room = surroundings_room(&s, &w);
    int32_t far = -2;
    out[0] = out[1] = 0;
    if (member && room) {
        Course c = {&s, &move, member, 0, dx, dy, 0, sqrt((double)dx * dx + (double)dy * dy),
                    {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN}};
        c.n = members_of(&s, move.t.unit, member);
        int32_t most = (int32_t)c.length, factor = 1;
        if (move.t.hull && c.n) factor = hull_factor(&move.t, dx, dy, member[0].from.facing);
        if (factor == 0) most = 0;
        else if (most > move.t.allowance / factor) most = move.t.allowance / factor;
        far = 0;
        if (most > 0 && c.n) {
            for (int32_t i = 0; i < c.n; i++) {
                Pose p = along_course(&c, member + i, most);
                widen(&c.region, member[i].from.x, member[i].from.y);
                widen(&c.region, p.x, p.y);
                if (member[i].r > c.most_r) c.most_r = member[i].r;
            }
            far = follow(&c, &w, most);
            out[0] = nearest_whole((double)dx * (double)far / c.length);
            out[1] = nearest_whole((double)dy * (double)far / c.length);
        }
    }
    free(member);
    surroundings_free(&w);
    return far;
}
