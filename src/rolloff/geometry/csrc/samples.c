/* Sight by samples: segments between points of two bodies against upright prisms. plain/samples.py is the twin and says
 * what each function means. */

typedef struct {
    double r, z0, z1, left, bottom, right, top;
    int32_t first, count;
} Prism;

#define THIN 1.0

static int span_disc(double cx, double cy, double r, double x, double y, double dx, double dy, double *t0, double *t1)
{
    double fx = x - cx, fy = y - cy, a = dx * dx + dy * dy, b = fx * dx + fy * dy, c = fx * fx + fy * fy - r * r;
    if (a == 0.0) {
        *t0 = 0.0; *t1 = 1.0;
        return c < 0.0;
    }
    double d = b * b - a * c;
    if (d <= 0.0) return 0;
    double root = sqrt(d);
    *t0 = (-b - root) / a; *t1 = (-b + root) / a;
    if (*t0 < 0.0) *t0 = 0.0;
    if (*t1 > 1.0) *t1 = 1.0;
    return *t0 < *t1;
}

static int span_polygon(const double *pt, int32_t m, double x, double y, double dx, double dy, double *t0, double *t1)
{
    double low = 0.0, high = 1.0, ax = pt[0], ay = pt[1];
    for (int32_t k = 0; k < m; k++) {
        int32_t j = k + 1 < m ? k + 1 : 0;
        double bx = pt[2 * j], by = pt[2 * j + 1], ex = bx - ax, ey = by - ay;
        double side = ex * (y - ay) - ey * (x - ax), turn = ex * dy - ey * dx;
        ax = bx; ay = by;
        if (turn > 0.0) {
            if (side >= 0.0) continue; /* goes in before it begins */
            double t = -side / turn;
            if (t > low) low = t;
        } else if (turn < 0.0) {
            if (side >= -turn) continue; /* goes out after it ends */
            double t = -side / turn;
            if (t < high) high = t;
        } else if (side <= 0.0) {
            return 0;
        }
        if (low >= high) return 0;
    }
    *t0 = low; *t1 = high;
    return 1;
}

/* Whether all corners of a polygon lie on one side of a line, so that no part of it runs inside. */
static inline int passes_by(const double *pt, int32_t m, double x, double y, double dx, double dy)
{
    double first = dx * (pt[1] - y) - dy * (pt[0] - x), sign = first > 0.0 ? 1.0 : -1.0;
    for (int32_t k = 0; k < m; k++)
        if (sign * (dx * (pt[2 * k + 1] - y) - dy * (pt[2 * k] - x)) < 1e-3) return 0;
    return 1;
}

static int span_of(const Prism *o, const double *points, double x, double y, double dx, double dy, double *t0, double *t1)
{
    const double *pt = points + 2 * o->first;
    if (o->count >= 3) return !passes_by(pt, o->count, x, y, dx, dy) && span_polygon(pt, o->count, x, y, dx, dy, t0, t1);
    if (o->count == 1) return span_disc(pt[0], pt[1], o->r, x, y, dx, dy, t0, t1);
    double ux = pt[2] - pt[0], uy = pt[3] - pt[1], len = sqrt(ux * ux + uy * uy);
    double one = dx * (pt[1] - y) - dy * (pt[0] - x), two = dx * (pt[3] - y) - dy * (pt[2] - x), far = o->r + 1.0;
    if (one * two > 0.0 && one * one > far * far * (dx * dx + dy * dy) && two * two > far * far * (dx * dx + dy * dy)) return 0;
    double wx = -uy / len * o->r, wy = ux / len * o->r;
    double box[8] = {pt[0] - wx, pt[1] - wy, pt[2] - wx, pt[3] - wy, pt[2] + wx, pt[3] + wy, pt[0] + wx, pt[1] + wy};
    double lo, hi;
    int found = 0;
    for (int32_t k = 0; k < 3; k++) {
        int in = k == 0 ? span_polygon(box, 4, x, y, dx, dy, &lo, &hi)
                        : span_disc(pt[2 * (k - 1)], pt[2 * (k - 1) + 1], o->r, x, y, dx, dy, &lo, &hi);
        if (!in) continue;
        if (!found || lo < *t0) *t0 = lo;
        if (!found || hi > *t1) *t1 = hi;
        found = 1;
    }
    return found;
}

static inline int only_touches(double t0, double t1, double dx, double dy)
{
    return (t1 - t0) * sqrt(dx * dx + dy * dy) <= THIN && (t0 > 0.0 || t1 < 1.0);
}

static int stops(const Prism *o, const double *points, const double *p, const double *q)
{
    double left = p[0] < q[0] ? p[0] : q[0], right = p[0] < q[0] ? q[0] : p[0];
    double bottom = p[1] < q[1] ? p[1] : q[1], top = p[1] < q[1] ? q[1] : p[1];
    if (right <= o->left || left >= o->right || top <= o->bottom || bottom >= o->top) return 0;
    double t0, t1, dx = q[0] - p[0], dy = q[1] - p[1];
    if (!span_of(o, points, p[0], p[1], dx, dy, &t0, &t1)) return 0;
    if (only_touches(t0, t1, dx, dy)) return 0;
    double za = p[2] + t0 * (q[2] - p[2]), zb = p[2] + t1 * (q[2] - p[2]);
    double low = za < zb ? za : zb, high = za < zb ? zb : za;
    return low < o->z1 && high > o->z0;
}

/* Whether a segment meets no prism; starts with the one that stopped the segment before. */
static int open_line(const Prism *prisms, int32_t n, const double *points, const double *p, const double *q, int32_t *last)
{
    if (*last < n && stops(prisms + *last, points, p, q)) return 0;
    for (int32_t k = 0; k < n; k++) {
        if (k != *last && stops(prisms + k, points, p, q)) {
            *last = k;
            return 0;
        }
    }
    return 1;
}

int32_t clear_pair(const Prism *prisms, int32_t n, const double *points, const double *a, int32_t na, const double *b,
                   int32_t nb, int32_t *out)
{
    int32_t last = 0;
    for (int32_t i = 0; i < na; i++) {
        for (int32_t j = 0; j < nb; j++) {
            if (open_line(prisms, n, points, a + 3 * i, b + 3 * j, &last)) {
                out[0] = i; out[1] = j;
                return 1;
            }
        }
    }
    out[0] = last;
    return 0;
}

int32_t first_unseen(const Prism *prisms, int32_t n, const double *points, const double *a, int32_t na, const double *b,
                     int32_t nb)
{
    int32_t last = 0;
    for (int32_t j = 0; j < nb; j++) {
        int seen = 0;
        for (int32_t i = 0; i < na && !seen; i++) seen = open_line(prisms, n, points, a + 3 * i, b + 3 * j, &last);
        if (!seen) return j;
    }
    return -1;
}
