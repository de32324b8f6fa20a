/* Shadows of convex shapes on a sheaf of parallel lines: the compiled twin of plain/shadows.py, step for step. */

#define TOUCH 1e-6

/* A convex core on the table: n corners as x, y pairs, grown by r. */
typedef struct {
    const double *c;
    int32_t n;
    double r;
} Core;

/* A core in a frame, and how far it reaches along x and y. */
typedef struct {
    const double *c;
    int32_t n;
    double r, left, right, bottom, top;
} Form;

/* A convex blocker in the frame and the slopes at which it stands between. */
typedef struct {
    const double *c;
    int32_t n, tag;
    double r, from, to;
    int32_t used;
} Shade;

typedef struct {
    Shade *shade;
    int32_t count, room;
} Shades;

typedef struct {
    double x, y, ax, ay, scale;
} Frame;

typedef struct {
    double from, to;
} Span;

static const Span EVERYWHERE = {-INFINITY, INFINITY}, NEVER = {INFINITY, -INFINITY};

static Shade *shade_more(Arena *m, Shades *s)
{
    if (s->count == s->room) {
        Shade *old = s->shade;
        s->room = s->room ? 4 * s->room : 64;
        s->shade = take(m, sizeof(Shade) * (size_t)s->room);
        if (s->count) memcpy(s->shade, old, sizeof(Shade) * (size_t)s->count);
    }
    return s->shade + s->count++;
}

static void shade_add(Arena *m, Shades *s, int32_t tag, const double *c, int32_t n, double r, Span slopes)
{
    Shade *k = shade_more(m, s);
    k->c = c; k->n = n; k->r = r; k->tag = tag; k->used = 0;
    k->from = slopes.from; k->to = slopes.to;
}

static Frame frame_along(double x, double y, double ax, double ay)
{
    Frame f = {x, y, ax, ay, sqrt(ax * ax + ay * ay)};
    return f;
}

static void frame_box(Arena *m, const Frame *f, const Core *core, Form *b)
{
    double *c = take(m, 2 * sizeof(double) * (size_t)core->n);
    double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
    for (int32_t k = 0; k < core->n; k++) {
        double dx = core->c[2 * k] - f->x, dy = core->c[2 * k + 1] - f->y;
        double u = dx * f->ax + dy * f->ay, v = dy * f->ax - dx * f->ay;
        c[2 * k] = u;
        c[2 * k + 1] = v;
        if (u < left) left = u;
        if (u > right) right = u;
        if (v < bottom) bottom = v;
        if (v > top) top = v;
    }
    b->c = c; b->n = core->n;
    b->r = core->r * f->scale;
    b->left = left - b->r;
    b->right = right + b->r;
    b->bottom = bottom - b->r;
    b->top = top + b->r;
}

static void frame_table(const Frame *f, double u, double v, double *out)
{
    double square = f->ax * f->ax + f->ay * f->ay;
    out[0] = f->x + (u * f->ax - v * f->ay) / square;
    out[1] = f->y + (u * f->ay + v * f->ax) / square;
}

static void closest_pass(const Core *near, const Core *edges, double sign, double *best, double *wx, double *wy)
{
    double px = edges->c[2 * edges->n - 2], py = edges->c[2 * edges->n - 1];
    for (int32_t k = 0; k < edges->n; k++) {
        double qx = edges->c[2 * k], qy = edges->c[2 * k + 1];
        double ex = qx - px, ey = qy - py, span = ex * ex + ey * ey;
        for (int32_t i = 0; i < near->n; i++) {
            double x = near->c[2 * i], y = near->c[2 * i + 1], dx = px - x, dy = py - y, d;
            double dot = -(dx * ex + dy * ey);
            if (dot <= 0.0) {
                d = dx * dx + dy * dy;
            } else if (dot >= span) {
                dx = qx - x; dy = qy - y;
                d = dx * dx + dy * dy;
            } else {
                double turn = dx * ey - dy * ex;
                d = turn * turn / span;
                if (turn > 0.0) { dx = ey; dy = -ex; } else { dx = -ey; dy = ex; }
            }
            if (d < *best) {
                *best = d;
                *wx = dx * sign;
                *wy = dy * sign;
            }
        }
        px = qx; py = qy;
    }
}

/* The direction from one core to another where they are closest. */
static void closest_way(const Core *a, const Core *b, double *wx, double *wy)
{
    double best = INFINITY;
    *wx = 0.0; *wy = 0.0;
    closest_pass(a, b, 1.0, &best, wx, wy);
    closest_pass(b, a, -1.0, &best, wx, wy);
}

static void normals(const Form *a, const Form *b, double sign, double *best, double *wx, double *wy)
{
    if (a->n < 2) return;
    double px = a->c[2 * a->n - 2], py = a->c[2 * a->n - 1];
    for (int32_t k = 0; k < a->n; k++) {
        double qx = a->c[2 * k], qy = a->c[2 * k + 1], ex = qx - px, ey = qy - py, least = INFINITY;
        for (int32_t i = 0; i < b->n; i++) {
            double d = (b->c[2 * i] - px) * ey - (b->c[2 * i + 1] - py) * ex;
            if (d < least) least = d;
        }
        least = least / sqrt(ex * ex + ey * ey);
        if (least > *best) {
            *best = least;
            *wx = ey * sign;
            *wy = -ex * sign;
        }
        px = qx; py = qy;
    }
}

/* Whether two shapes do not overlap, and the best direction found to part the first from the second. */
static int parted(const Form *a, const Form *b, double touch, double *wx, double *wy)
{
    double grown = a->r + b->r, best = -INFINITY, nearest = INFINITY, vx, vy, first = -INFINITY, second = INFINITY;
    *wx = 0.0; *wy = 0.0;
    normals(a, b, 1.0, &best, wx, wy);
    normals(b, a, -1.0, &best, wx, wy);
    if (best >= grown - touch) return 1;
    if (best > -INFINITY && best < 0.0) return 0;
    vx = *wx; vy = *wy;
    for (int32_t i = 0; i < a->n; i++)
        for (int32_t k = 0; k < b->n; k++) {
            double dx = b->c[2 * k] - a->c[2 * i], dy = b->c[2 * k + 1] - a->c[2 * i + 1], d = dx * dx + dy * dy;
            if (d < nearest) {
                nearest = d;
                vx = dx; vy = dy;
            }
        }
    if (nearest == 0.0) return 0;
    for (int32_t i = 0; i < a->n; i++) {
        double d = a->c[2 * i] * vx + a->c[2 * i + 1] * vy;
        if (d > first) first = d;
    }
    for (int32_t k = 0; k < b->n; k++) {
        double d = b->c[2 * k] * vx + b->c[2 * k + 1] * vy;
        if (d < second) second = d;
    }
    *wx = vx; *wy = vy;
    return second - first >= (grown - touch) * sqrt(nearest);
}

static Span ahead(double vx, double vy)
{
    Span s = EVERYWHERE;
    if (vy > 0.0) s.from = -vx / vy;
    else if (vy < 0.0) s.to = -vx / vy;
    else if (!(vx > 0.0)) s = NEVER;
    return s;
}

static inline Span both_spans(Span p, Span q)
{
    Span s = {q.from > p.from ? q.from : p.from, q.to < p.to ? q.to : p.to};
    return s;
}

static Span wider(Span p, Span q)
{
    if (q.from > q.to) return p;
    if (p.from > p.to) return q;
    Span s = {q.from < p.from ? q.from : p.from, q.to > p.to ? q.to : p.to};
    return s;
}

static Span line_in_polygon(const double *c, int32_t n, double x, double y, double dx, double dy)
{
    Span s = EVERYWHERE;
    double ax = c[2 * n - 2], ay = c[2 * n - 1];
    for (int32_t k = 0; k < n; k++) {
        double bx = c[2 * k], by = c[2 * k + 1], ex = bx - ax, ey = by - ay;
        double inside = ex * (y - ay) - ey * (x - ax), change = ex * dy - ey * dx;
        if (change > 0.0) {
            double u = -inside / change;
            if (u > s.from) s.from = u;
        } else if (change < 0.0) {
            double u = -inside / change;
            if (u < s.to) s.to = u;
        } else if (inside < 0.0) {
            return NEVER;
        }
        ax = bx; ay = by;
    }
    return s.from <= s.to ? s : NEVER;
}

/* Where a line runs inside a shape, as a multiple of (dx, dy) from a point. */
static Span line_in(const Form *b, double x, double y, double dx, double dy)
{
    Span s = NEVER;
    if (b->n > 2) s = line_in_polygon(b->c, b->n, x, y, dx, dy);
    if (!(b->r > 0.0)) return s;
    double square = dx * dx + dy * dy;
    for (int32_t k = 0; k < b->n; k++) {
        double qx = x - b->c[2 * k], qy = y - b->c[2 * k + 1], p = qx * dx + qy * dy;
        double root = p * p - square * (qx * qx + qy * qy - b->r * b->r);
        if (root >= 0.0) {
            root = sqrt(root);
            Span disc = {(-p - root) / square, (root - p) / square};
            s = wider(s, disc);
        }
    }
    for (int32_t k = 0; b->n > 1 && k < b->n; k++) {
        int32_t j = k == 0 ? b->n - 1 : k - 1;
        double px = b->c[2 * j], py = b->c[2 * j + 1], qx = b->c[2 * k], qy = b->c[2 * k + 1];
        double ex = qx - px, ey = qy - py, grow = b->r / sqrt(ex * ex + ey * ey), nx = ey * grow, ny = -ex * grow;
        double slab[8] = {px + nx, py + ny, qx + nx, qy + ny, qx - nx, qy - ny, px - nx, py - ny};
        s = wider(s, line_in_polygon(slab, 4, x, y, dx, dy));
    }
    return s;
}

/* The slopes at which a shape stands between two others; 0 when it overlaps one of them. */
static int between(const Form *a, const Form *b, const Form *p, double touch, Span *slopes)
{
    double wx, wy;
    *slopes = NEVER;
    if (p->right <= a->left || p->left >= b->right) return 1;
    Span s = EVERYWHERE;
    if (!(p->left >= a->right)) {
        if (!parted(a, p, touch, &wx, &wy)) return 0;
        s = both_spans(s, ahead(wx, wy));
    }
    if (!(p->right <= b->left)) {
        if (!parted(p, b, touch, &wx, &wy)) return 0;
        s = both_spans(s, ahead(wx, wy));
    }
    *slopes = s;
    return 1;
}
