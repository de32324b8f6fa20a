/* Paths: a moving base is a point amid grown convex shapes.
 *
 * A base that does not turn sweeps over another base exactly where its centre comes closer to the sum of both
 * cores than the sum of both radii. So every obstacle is a Block: a convex polygon (one corner, two, or more,
 * counter-clockwise) and a radius; every rule about gaps is a least distance of a segment from a Block.
 * The types of all path kernels, and convex shapes. Twin: plain/convex.py.
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
} Terms;                              /* an Order as packing.py lays it out; the targets follow */

typedef struct {
    Terms t;
    const char *target, *way, *end, *barred;
    int32_t units, barred_count;
    int32_t first_target, after_targets; /* between which slots the targets' models are */
    uint64_t aimed;                   /* a bit for each target among the first units */
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

/* What `comes_closer` says of a single point. */
static inline int point_closer(const int32_t *pt, int32_t m, double x, double y, double tau)
{
    if (tau <= 0.0) return m >= 3 && enters(pt, m, x, y, x, y, -tau);
    double tt = tau * tau, ax = pt[2 * (m - 1)], ay = pt[2 * (m - 1) + 1], vx = x - ax, vy = y - ay;
    if (vx * vx + vy * vy < tt) return 1;
    if (m == 1) return 0;
    int inside = m >= 3;
    for (int32_t k = 0; k < m; k++) {
        double bx = pt[2 * k], by = pt[2 * k + 1], ex = bx - ax, ey = by - ay, wx = x - bx, wy = y - by;
        if (wx * wx + wy * wy < tt) return 1;
        double turn = ex * vy - ey * vx, t = vx * ex + vy * ey, ee = ex * ex + ey * ey;
        if (turn <= 0.0) inside = 0;
        if (0.0 < t && t < ee && turn * turn / ee < tt) return 1;
        ax = bx; ay = by; vx = wx; vy = wy;
    }
    return inside;
}

/* Whether a segment comes closer than tau to a polygon; a negative tau allows that much depth inside it. */
static int comes_closer(const int32_t *pt, int32_t m, double x0, double y0, double x1, double y1, double tau)
{
    if (x0 == x1 && y0 == y1) return point_closer(pt, m, x0, y0, tau);
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
        double bx = pt[2 * k], by = pt[2 * k + 1], ex = bx - ax, ey = by - ay, ee = ex * ex + ey * ey;
        double t = (x0 - ax) * ex + (y0 - ay) * ey, u = (x1 - ax) * ex + (y1 - ay) * ey;
        if (0.0 < t && t < ee) {
            double c = (x0 - ax) * ey - (y0 - ay) * ex;
            if (c * c / ee < tt) return 1;
        }
        if (0.0 < u && u < ee) {
            double c = (x1 - ax) * ey - (y1 - ay) * ex;
            if (c * c / ee < tt) return 1;
        }
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

/* The whole number nearest to another, halves up; without `floor`, which is a call for many processors. */
static inline int32_t nearest_whole(double v)
{
    double up = v + 0.5;
    int32_t k = (int32_t)up;
    return k - (up < (double)k);
}

static void widen(Box *b, int32_t x, int32_t y)
{
    if (x < b->left) b->left = x;
    if (x > b->right) b->right = x;
    if (y < b->bottom) b->bottom = y;
    if (y > b->top) b->top = y;
}
