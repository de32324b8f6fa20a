/* Sight by samples between whole units. plain/sampled.py is the twin and says what each function means; both answer the same,
 * but here the pairs of points are looked at in plan first, and a wall that hides everything is found without them. */

#define ROUND_POINTS 16
#define FLAT (ROUND_POINTS + 1)
#define LEVELS 3
#define LEVEL_MARGIN 100

typedef struct {
    int32_t solids, prisms, screens, features;
    const Prism *prism;
    const double *points;
    const int32_t *screen;            /* which screen a prism beyond the solids is of */
    const char *woody;                /* screens that matter to full visibility alone */
    const int32_t *first_part, *part; /* the prisms of each feature */
    const int32_t *leaves;            /* where rays leave each slot's base, in its own frame: 16 pairs a slot */
} Backdrop;

/* A model as an obstacle. */
typedef struct {
    Prism prism;
    double corners[8];
    int32_t slot, owner;
} Bulk;

/* A model that looks or is looked at: its samples in plan (the axis first) and by level. Its rim, and how far that is from its
 * axis at most, are drawn once they are asked for. */
typedef struct {
    Bulk is;
    double flat[2 * FLAT], level[LEVELS], low, high, reach;
    int32_t facing, hl, hw, drawn;
} Sampled;

typedef struct {
    const Prism *prism;
    const double *points;
    int32_t tall, thing;              /* whether it reaches above and below all lines; its number among all things about */
} Barrier;

static void solid_of(const Scene *s, int32_t slot, Bulk *b)
{
    Stand stand;
    stand_of(s, slot, &stand);
    double z = read_i32(s->z, slot);
    Prism *p = &b->prism;
    p->r = stand.r; p->z0 = z; p->z1 = z + stand.height; p->first = 0; p->count = stand.corners;
    for (int32_t k = 0; k < stand.corners; k++) {
        double x = stand.px[k], y = stand.py[k];
        b->corners[2 * k] = x; b->corners[2 * k + 1] = y;
        if (k == 0 || x < p->left) p->left = x;
        if (k == 0 || x > p->right) p->right = x;
        if (k == 0 || y < p->bottom) p->bottom = y;
        if (k == 0 || y > p->top) p->top = y;
    }
    p->left -= p->r; p->bottom -= p->r; p->right += p->r; p->top += p->r;
    b->slot = slot; b->owner = slot_owner(s, slot);
}

static void body_samples(const Scene *s, Sampled *b)
{
    int32_t slot = b->is.slot, z = read_i32(s->z, slot), height = read_i32(s->shape, 4 * slot + 3);
    b->facing = read_i16(s->facing, slot);
    b->hl = read_i32(s->shape, 4 * slot); b->hw = read_i32(s->shape, 4 * slot + 1);
    b->flat[0] = slot_x(s, slot); b->flat[1] = slot_y(s, slot);
    b->drawn = 0;
    b->level[0] = z + height / 2;
    b->level[1] = z + (height > LEVEL_MARGIN ? height - LEVEL_MARGIN : 0);
    b->level[2] = z + (height < LEVEL_MARGIN ? height : LEVEL_MARGIN);
    b->low = b->high = b->level[0];
    for (int32_t k = 1; k < LEVELS; k++) {
        if (b->level[k] < b->low) b->low = b->level[k];
        if (b->level[k] > b->high) b->high = b->level[k];
    }
}

/* What `rounded` answers, of a number that a double holds exactly. */
static inline double rounded_exact(double scaled)
{
    return (double)(int32_t)((scaled + (scaled < 0.0 ? -536870912.0 : 536870912.0)) * (1.0 / 1073741824.0));
}

/* Draws the rim of a body: its ways out turned as it faces. Bases are so small that doubles turn them exactly. */
static void draw_rim(const Backdrop *d, Sampled *b)
{
    if (b->drawn) return;
    const int32_t *leaves = d->leaves + 2 * ROUND_POINTS * (size_t)b->is.slot;
    double c = (double)cosine(b->facing), s = (double)sine(b->facing), x = b->flat[0], y = b->flat[1], far = 0.0;
    for (int32_t k = 0; k < ROUND_POINTS; k++) {
        double along = leaves[2 * k], across = leaves[2 * k + 1];
        double dx = rounded_exact(along * c - across * s), dy = rounded_exact(along * s + across * c), way = dx * dx + dy * dy;
        b->flat[2 * k + 2] = x + dx; b->flat[2 * k + 3] = y + dy;
        if (way > far) far = way;
    }
    b->reach = sqrt(far);
    b->drawn = 1;
}

static inline int boxes_meet(const Prism *p, double left, double bottom, double right, double top)
{
    return p->left < right && p->right > left && p->bottom < top && p->top > bottom;
}

/* What could stand between two bodies, in one list. */
typedef struct {
    double left, bottom, right, top, low, high;
    double x, y, dx, dy, wide;        /* a point of the axis, its direction, and how far from it all lines run at most */
    int32_t count;
    Barrier *near;
} Between;

static void between_two(Between *w, const Sampled *a, const Sampled *b)
{
    const Prism *p = &a->is.prism, *q = &b->is.prism;
    w->left = p->left < q->left ? p->left : q->left;
    w->bottom = p->bottom < q->bottom ? p->bottom : q->bottom;
    w->right = p->right > q->right ? p->right : q->right;
    w->top = p->top > q->top ? p->top : q->top;
    w->low = (a->low < b->low ? a->low : b->low) - 1.0;
    w->high = (a->high > b->high ? a->high : b->high) + 1.0;
    w->count = 0;
}

/* The axis between two bodies; without a direction all lines may run anywhere. */
static void draw_axis(Between *w, const Sampled *a, const Sampled *b)
{
    double dx = b->flat[0] - a->flat[0], dy = b->flat[1] - a->flat[1], length = sqrt(dx * dx + dy * dy);
    w->x = a->flat[0]; w->y = a->flat[1];
    w->wide = length > 0.0 ? (a->reach > b->reach ? a->reach : b->reach) + 2.0 : INFINITY;
    w->dx = length > 0.0 ? dx / length : 0.0; w->dy = length > 0.0 ? dy / length : 0.0;
}

/* Whether a prism lies beside all lines between two bodies, well away from them: then it stops none. */
static inline int lies_beside(const Between *w, const Prism *p, const double *points)
{
    const double *pt = points + 2 * p->first;
    double far = w->wide + p->r, side = w->dx * (pt[1] - w->y) - w->dy * (pt[0] - w->x), sign = side > 0.0 ? 1.0 : -1.0;
    if (sign * side <= far) return 0;
    for (int32_t k = 1; k < p->count; k++)
        if (sign * (w->dx * (pt[2 * k + 1] - w->y) - w->dy * (pt[2 * k] - w->x)) <= far) return 0;
    return 1;
}

static inline void add_barrier(Between *w, const Prism *p, const double *points)
{
    w->near[w->count].prism = p;
    w->near[w->count].points = points;
    w->near[w->count++].tall = p->z0 < w->low && p->z1 > w->high;
}

/* What may stand between two groups: solid ground, a model, or a screen. */
typedef struct {
    const Prism *prism;
    const double *points;
    int32_t slot, owner, screen;      /* none of them: -1 */
} Thing;

/* What stands between two bodies: no model of the observer's unit and not the target (with `full` nobody of its unit either),
 * no screen that one of both lifts. */
static inline int in_between(const Thing *o, const Sampled *a, const char *out_of, const Sampled *b, const char *into, int full)
{
    if (o->screen >= 0) return !out_of[o->screen] && !into[o->screen];
    return o->slot < 0 || (o->owner != a->is.owner && o->slot != b->is.slot && !(full && o->owner == b->is.owner));
}

static void add_things(Between *w, const Thing *things, int32_t count, const Sampled *a, const char *out_of, const Sampled *b,
                       const char *into, int full)
{
    draw_axis(w, a, b);
    for (int32_t k = 0; k < count; k++) {
        const Thing *o = things + k;
        if (!boxes_meet(o->prism, w->left, w->bottom, w->right, w->top) || !in_between(o, a, out_of, b, into, full)) continue;
        if (lies_beside(w, o->prism, o->points)) continue;
        w->near[w->count].thing = k;
        add_barrier(w, o->prism, o->points);
    }
}

static inline double turn_of(const double *a, const double *b, double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* A corner of a prism, drawn in from both of its edges by 4; 0 if it does not lie well inside then, by 2. */
static int drawn_in(const Prism *o, const double *pt, int32_t k, double *x, double *y)
{
    const double *c = pt + 2 * k, *from = pt + 2 * (k ? k - 1 : o->count - 1), *to = pt + 2 * (k + 1 < o->count ? k + 1 : 0);
    double ax = c[0] - from[0], ay = c[1] - from[1], bx = to[0] - c[0], by = to[1] - c[1];
    double la = sqrt(ax * ax + ay * ay), lb = sqrt(bx * bx + by * by), turn = 1.0 + (ax * bx + ay * by) / (la * lb);
    if (turn < 0.01) return 0;
    *x = c[0] - 4.0 * (ay / la + by / lb) / turn; *y = c[1] + 4.0 * (ax / la + bx / lb) / turn;
    for (int32_t i = 0; i < o->count; i++) {
        const double *p = pt + 2 * i, *q = pt + 2 * (i + 1 < o->count ? i + 1 : 0);
        double ex = q[0] - p[0], ey = q[1] - p[1];
        if (turn_of(p, q, *x, *y) < 2.0 * sqrt(ex * ex + ey * ey)) return 0;
    }
    return 1;
}

/* A chord well inside a tall prism, from one side of the axis between two bodies to the other, and which points of both lie
 * well before and behind it: a segment between two such points that passes its ends on the inner side is stopped there. */
typedef struct {
    double u[2], v[2];
    uint32_t before, behind;
    int made, found;
} Veil;

#define WHOLE_BODY (((uint32_t)1 << FLAT) - 1)

/* The ends of a chord across a disc, drawn in by 4; 0 if it has none, or with `across` none on the axis. */
static int disc_chord(const Prism *o, const double *c, const Sampled *a, const Sampled *b, int across, Veil *veil)
{
    double dx = b->flat[0] - a->flat[0], dy = b->flat[1] - a->flat[1], length = sqrt(dx * dx + dy * dy), far = o->r - 4.0;
    double side = turn_of(a->flat, b->flat, c[0], c[1]);
    if (far < 4.0 || length == 0.0 || (across && (side > far * length || -side > far * length))) return 0;
    veil->u[0] = c[0] - dy / length * far; veil->u[1] = c[1] + dx / length * far;
    veil->v[0] = c[0] + dy / length * far; veil->v[1] = c[1] - dx / length * far;
    return 1;
}

/* The same across a polygon, between the corners furthest out on both sides. */
static int polygon_chord(const Prism *o, const double *pt, const Sampled *a, const Sampled *b, int across, Veil *veil)
{
    int32_t first = 0, last = 0;
    double most = 0.0, least = 0.0;
    for (int32_t k = 0; k < o->count; k++) {
        double side = turn_of(a->flat, b->flat, pt[2 * k], pt[2 * k + 1]);
        if (k == 0 || side > most) { most = side; first = k; }
        if (k == 0 || side < least) { least = side; last = k; }
    }
    if (most == least || (across && (most <= 0.0 || least >= 0.0))) return 0; /* one above the other: there is no axis in plan */
    return drawn_in(o, pt, first, veil->u, veil->u + 1) && drawn_in(o, pt, last, veil->v, veil->v + 1);
}

/* Which points of a body lie by 4 or more to the left of a line: all of them if its axis lies so far off, else one by one. */
static uint32_t beyond(const double *from, const double *to, double length, const Sampled *b)
{
    double apart = 4.0 * length;
    uint32_t found = 0;
    if (turn_of(from, to, b->flat[0], b->flat[1]) >= apart + length * (b->reach + 1.0)) return WHOLE_BODY;
    for (int32_t k = 0; k < FLAT; k++)
        found |= (uint32_t)(turn_of(from, to, b->flat[2 * k], b->flat[2 * k + 1]) >= apart) << k;
    return found;
}

/* Draws the veil of a barrier, with `across` only of one that lies across the axis; without one it proves nothing. */
static void draw_veil(const Barrier *n, const Sampled *a, const Sampled *b, int across, Veil *c)
{
    const Prism *o = n->prism;
    const double *pt = n->points + 2 * o->first;
    c->found = n->tall && (o->count >= 3 ? polygon_chord(o, pt, a, b, across, c) : o->count == 1 && disc_chord(o, pt, a, b, across, c));
    c->made = c->found || !across;
    if (!c->found) return;
    double dx = c->v[0] - c->u[0], dy = c->v[1] - c->u[1], length = sqrt(dx * dx + dy * dy);
    c->before = beyond(c->v, c->u, length, a);
    c->behind = beyond(c->u, c->v, length, b);
}

/* Whether a veil stops the segment between two points of the bodies. */
static inline int veiled(const Veil *c, const Sampled *a, int32_t i, const Sampled *b, int32_t j)
{
    if (!(c->before >> i & c->behind >> j & 1)) return 0;
    const double *p = a->flat + 2 * i, *q = b->flat + 2 * j;
    return turn_of(p, q, c->u[0], c->u[1]) >= 1.0 && turn_of(p, q, c->v[0], c->v[1]) <= -1.0;
}

/* The point of a rim that is furthest round an end of a veil, counter-clockwise or (`turn` -1) clockwise. */
static const double *furthest_round(const Sampled *b, const double *end, double turn)
{
    int32_t best = 1;
    double ux = b->flat[2] - end[0], uy = b->flat[3] - end[1];
    for (int32_t k = 2; k < FLAT; k++) {
        double wx = b->flat[2 * k] - end[0], wy = b->flat[2 * k + 1] - end[1];
        if (turn * (ux * wy - uy * wx) <= 0.0) continue;
        ux = wx; uy = wy;
        best = k;
    }
    return b->flat + 2 * best;
}

/* Whether a veil stops every segment between two bodies: those furthest out at each of its ends. False proves nothing. */
static int hides_all(const Veil *c, const Sampled *a, const Sampled *b)
{
    if (!c->found || c->before != WHOLE_BODY || c->behind != WHOLE_BODY) return 0;
    double dx = b->flat[0] - a->flat[0], dy = b->flat[1] - a->flat[1], wide = (a->reach > b->reach ? a->reach : b->reach) + 2.0;
    double far = wide * sqrt(dx * dx + dy * dy); /* no line runs further from the axis than that */
    if (turn_of(a->flat, b->flat, c->u[0], c->u[1]) > far && turn_of(a->flat, b->flat, c->v[0], c->v[1]) < -far) return 1;
    if (turn_of(furthest_round(a, c->u, -1.0), furthest_round(b, c->u, 1.0), c->u[0], c->u[1]) < 1.0) return 0;
    return turn_of(furthest_round(a, c->v, 1.0), furthest_round(b, c->v, -1.0), c->v[0], c->v[1]) <= -1.0;
}

/* A segment in plan, and the box about it. */
typedef struct {
    const double *p, *q;
    double dx, dy, left, bottom, right, top;
} Ray;

static inline Ray ray_of(const double *p, const double *q)
{
    Ray r = {p, q, q[0] - p[0], q[1] - p[1], p[0] < q[0] ? p[0] : q[0], p[1] < q[1] ? p[1] : q[1], p[0] < q[0] ? q[0] : p[0],
             p[1] < q[1] ? q[1] : p[1]};
    return r;
}

/* The part of a segment in plan that runs through a prism, between which heights it has the prism. */
typedef struct {
    double t0, t1, z0, z1;
} Chord;

/* Fills the chord of a segment whose box meets a prism's; 0 if it only touches it. */
static inline int chord_in(const Prism *o, const double *points, const Ray *r, Chord *found)
{
    double t0, t1;
    if (!span_of(o, points, r->p[0], r->p[1], r->dx, r->dy, &t0, &t1) || only_touches(t0, t1, r->dx, r->dy)) return 0;
    found->t0 = t0; found->t1 = t1; found->z0 = o->z0; found->z1 = o->z1;
    return 1;
}

/* The same of any segment. */
static inline int span_in(const Barrier *n, const Ray *r, Chord *found)
{
    return boxes_meet(n->prism, r->left, r->bottom, r->right, r->top) && chord_in(n->prism, n->points, r, found);
}

/* Whether a chord surely stops the lines between all levels of two bodies: the highest dips well below its top, the lowest rises
 * well above its bottom, and all others run between these two. False proves nothing. */
static inline int stops_levels(const Chord *c, const Sampled *a, const Sampled *b)
{
    double up = b->high - a->high, down = b->low - a->low;
    return a->high + (up > 0.0 ? c->t0 : c->t1) * up < c->z1 - 0.01 && a->low + (down > 0.0 ? c->t1 : c->t0) * down > c->z0 + 0.01;
}

static int clear_chords(const Chord *spans, int32_t count, double pz, double qz)
{
    for (int32_t k = 0; k < count; k++) {
        double a = pz + spans[k].t0 * (qz - pz), b = pz + spans[k].t1 * (qz - pz);
        double low = a < b ? a : b, high = a < b ? b : a;
        if (low < spans[k].z1 && high > spans[k].z0) return 0;
    }
    return 1;
}

/* Whether some level of one body sees some level of another past the chords of what lies between. */
static int clear_levels(const Chord *spans, int32_t count, const Sampled *a, const Sampled *b)
{
    for (int32_t i = 0; i < LEVELS; i++)
        for (int32_t j = 0; j < LEVELS; j++)
            if (clear_chords(spans, count, a->level[i], b->level[j])) return 1;
    return 0;
}

/* Whether some level of one point sees some level of another. */
static int clear_flat(const Between *w, Chord *spans, const Sampled *a, const Sampled *b, const double *p, const double *q, int32_t *last)
{
    int32_t count = 0, first = *last;
    Ray ray = ray_of(p, q);
    for (int32_t n = first < w->count ? -1 : 0; n < w->count; n++) {
        int32_t k = n < 0 ? first : n;
        if (n == first || !span_in(w->near + k, &ray, spans + count)) continue;
        if (w->near[k].tall || stops_levels(spans + count, a, b)) {
            *last = k;
            return 0;
        }
        count++;
    }
    return clear_levels(spans, count, a, b);
}

/* Whether some level of one axis sees some level of another past whatever lies about: `wall` is what reaches above and below all
 * lines and stopped such a line last, asked first; -1 if nothing of the kind stops this one. */
static int clear_axis(const Between *w, const Thing *things, int32_t count, Chord *spans, const Sampled *a, const char *out_of,
                      const Sampled *b, const char *into, int32_t *wall)
{
    Ray ray = ray_of(a->flat, b->flat);
    int32_t found = 0, first = *wall;
    for (int32_t n = first < 0; n <= count; n++) {
        int32_t k = n == 0 ? first : n - 1;
        const Thing *o = things + k;
        if (n && k == first) continue;
        if (!boxes_meet(o->prism, ray.left, ray.bottom, ray.right, ray.top) || !in_between(o, a, out_of, b, into, 0)) continue;
        if (!chord_in(o->prism, o->points, &ray, spans + found)) continue;
        if (o->prism->z0 < w->low && o->prism->z1 > w->high) {
            *wall = k;
            return 0;
        }
        found++;
    }
    *wall = -1;
    return clear_levels(spans, found, a, b);
}

/* The rays of a look in three goes: between the axes alone, between every fourth point, between all. */
enum { BY_AXIS, BY_FEW, BY_ALL, LOOKS };
#define FEW_STEP 4                    /* a power of two */

/* Whether a go after the first finds a way through. The second also finds what hides the whole body, and then says so in `hidden`.
 * `last` is what stopped the line before, and at the end the last line of this go: asked first, from go to go; or what hides it all.
 * With `known` its veil is drawn already and does not hide it all. */
static int sees_body(const Between *w, Chord *spans, Veil *veils, const Sampled *a, const Sampled *b, int look, const Veil *known,
                     int32_t *last, char *hidden)
{
    int32_t step = look == BY_FEW ? FEW_STEP : 1, fresh = look == BY_FEW ? ~0 : FEW_STEP - 1, first = *last;
    if (!w->count) return 1;
    for (int32_t k = 0; k < w->count; k++) veils[k].made = 0;
    if (known) veils[first] = *known;
    for (int32_t n = known ? 1 : 0; n < w->count && look == BY_FEW; n++) {
        int32_t k = n == 0 ? first : n <= first ? n - 1 : n;
        draw_veil(w->near + k, a, b, 1, veils + k);
        if (hides_all(veils + k, a, b)) {
            *hidden = 1;
            *last = k;
            return 0;
        }
    }
    for (int32_t i = 0; i < FLAT; i += step)
        for (int32_t j = 0; j < FLAT; j += step) {
            if (!((i | j) & fresh)) continue; /* the go before looked along it */
            Veil *veil = veils + *last;
            if (!veil->made) draw_veil(w->near + *last, a, b, 0, veil);
            if (veil->found && veiled(veil, a, i, b, j)) continue;
            if (clear_flat(w, spans, a, b, a->flat + 2 * i, b->flat + 2 * j, last)) return 1;
        }
    return 0;
}

/* Whether something that hid a whole body from somebody, or stops the line between the axes, hides all of these two. */
static int hidden_by(Between *w, const Thing *o, const Sampled *a, const char *out_of, const Sampled *b, const char *into, Veil *veil)
{
    veil->made = 0;
    if (!boxes_meet(o->prism, w->left, w->bottom, w->right, w->top) || !in_between(o, a, out_of, b, into, 0)) return 0;
    w->count = 0;
    add_barrier(w, o->prism, o->points);
    draw_veil(w->near, a, b, 1, veil);
    w->count = 0;
    return hides_all(veil, a, b);
}

static int open_to(const Between *w, const double *p, const double *q, int32_t *last)
{
    if (*last < w->count && stops(w->near[*last].prism, w->near[*last].points, p, q)) return 0;
    for (int32_t k = 0; k < w->count; k++) {
        if (k != *last && stops(w->near[k].prism, w->near[k].points, p, q)) {
            *last = k;
            return 0;
        }
    }
    return 1;
}

/* Whether a point of a body (by its number in plan) is seen at a level from any point of another. */
static int point_seen(const Between *w, Veil *veils, const Sampled *a, const Sampled *b, int32_t number, double level, int32_t *last)
{
    double p[3], q[3] = {b->flat[2 * number], b->flat[2 * number + 1], level};
    for (int32_t k = 0; k < FLAT; k++) {
        Veil *veil = veils + *last;
        if (!veil->made) draw_veil(w->near + *last, a, b, 0, veil);
        if (veil->found && veiled(veil, a, k, b, number)) continue;
        for (int32_t i = 0; i < LEVELS; i++) {
            p[0] = a->flat[2 * k]; p[1] = a->flat[2 * k + 1]; p[2] = a->level[i];
            if (open_to(w, p, q, last)) return 1;
        }
    }
    return 0;
}

/* Whether the outward normal at a point of a rim points toward somebody. */
static int faces_toward(const Sampled *b, int32_t k, double x, double y)
{
    int32_t along, across, nx, ny, turn = b->facing ? 3600 - b->facing : 0;
    int32_t px = (int32_t)(b->flat[2 * k + 2] - b->flat[0]), py = (int32_t)(b->flat[2 * k + 3] - b->flat[1]);
    turned(px, py, turn, &along, &across);
    int32_t wide = along < 0 ? -along : along, deep = across < 0 ? -across : across;
    nx = (wide > b->hl ? wide - b->hl : 0) * (along > 0 ? 1 : -1);
    ny = (deep > b->hw ? deep - b->hw : 0) * (across > 0 ? 1 : -1);
    if (b->is.prism.r == 0.0) {
        int side = (int64_t)wide * b->hw >= (int64_t)deep * b->hl;
        nx = side ? (along > 0 ? 1 : -1) : 0;
        ny = side ? 0 : (across > 0 ? 1 : -1);
    }
    turned(nx * 1000, ny * 1000, b->facing, &along, &across);
    return (double)along * (x - b->flat[2 * k + 2]) + (double)across * (y - b->flat[2 * k + 3]) > 0.0;
}

static int sees_whole(const Between *w, Veil *veils, const Sampled *a, const Sampled *b)
{
    int32_t last = 0, corners = a->is.prism.count;
    double x = 0.0, y = 0.0;
    if (!w->count) return 1;
    for (int32_t k = 0; k < w->count; k++) veils[k].made = 0;
    for (int32_t k = 0; k < corners; k++) { x += a->is.corners[2 * k]; y += a->is.corners[2 * k + 1]; }
    x /= corners; y /= corners;
    if (!point_seen(w, veils, a, b, 0, b->level[1], &last)) return 0;
    for (int32_t k = 0; k < ROUND_POINTS; k++) {
        if (!point_seen(w, veils, a, b, k + 1, b->level[1], &last)) return 0;
        if (!faces_toward(b, k, x, y)) continue;
        if (!point_seen(w, veils, a, b, k + 1, b->level[0], &last) || !point_seen(w, veils, a, b, k + 1, b->level[2], &last)) return 0;
    }
    return 1;
}

static Sampled *bodies_of(Arena *m, const Scene *s, const int32_t *slots, int32_t count)
{
    Sampled *found = take(m, sizeof(Sampled) * (size_t)(count + 1));
    for (int32_t k = 0; k < count; k++) {
        solid_of(s, slots[k], &found[k].is);
        body_samples(s, found + k);
    }
    return found;
}

static Thing *add_thing(Thing *at, const Between *box, const Prism *p, const double *points, int32_t slot, int32_t owner, int32_t screen)
{
    if (!boxes_meet(p, box->left, box->bottom, box->right, box->top)) return at;
    Thing made = {p, points, slot, owner, screen};
    *at = made;
    return at + 1;
}

/* What lies in the box about two groups: solid ground and models where they are `opaque`, and screens; with `full` woody ones. */
static Thing *things_about(Arena *m, const Scene *s, const Backdrop *d, int opaque, const Sampled *a, int32_t na, const Sampled *b,
                           int32_t nb, int full, int32_t *count)
{
    Between w = {0}, two;
    Bulk *bulk = take(m, sizeof(Bulk) * (size_t)(s->n + 1));
    Thing *found = take(m, sizeof(Thing) * (size_t)(d->prisms + s->n + 1)), *at = found;
    for (int32_t k = 0; k < na + nb; k++) {
        const Sampled *one = k < na ? a + k : b + (k - na);
        between_two(&two, one, one);
        if (k == 0) w = two;
        if (two.left < w.left) w.left = two.left;
        if (two.bottom < w.bottom) w.bottom = two.bottom;
        if (two.right > w.right) w.right = two.right;
        if (two.top > w.top) w.top = two.top;
    }
    for (int32_t k = 0; k < d->solids && opaque; k++) at = add_thing(at, &w, d->prism + k, d->points, -1, -1, -1);
    for (int32_t slot = 0; slot < s->n && opaque; slot++) {
        if (!on_table(s, slot)) continue;
        double x = slot_x(s, slot), y = slot_y(s, slot);
        double far = (double)read_i32(s->shape, 4 * slot) + read_i32(s->shape, 4 * slot + 1) + read_i32(s->shape, 4 * slot + 2) + 4;
        if (x - far >= w.right || x + far <= w.left || y - far >= w.top || y + far <= w.bottom) continue;
        solid_of(s, slot, bulk);
        at = add_thing(at, &w, &bulk->prism, bulk->corners, slot, bulk->owner, -1);
        bulk++;
    }
    for (int32_t k = d->solids; k < d->prisms; k++)
        if (full || !d->woody[d->screen[k]]) at = add_thing(at, &w, d->prism + k, d->points, -1, -1, d->screen[k]);
    *count = (int32_t)(at - found);
    return found;
}

/* What the place of a model says, by screen and by feature: which screens it lifts as an observer and as a target, and what each
 * feature is to it. The rows of all models lie one behind the other. */
static inline size_t stance_at(const Backdrop *d, int32_t slot) { return (size_t)slot * (size_t)(2 * d->screens + d->features); }
static inline const char *lifts_out(const Backdrop *d, const char *rows, int32_t slot) { return rows + stance_at(d, slot); }
static inline const char *lifts_into(const Backdrop *d, const char *rows, int32_t slot) { return rows + stance_at(d, slot) + d->screens; }
static inline const char *features_to(const Backdrop *d, const char *rows, int32_t slot)
{
    return rows + stance_at(d, slot) + 2 * d->screens;
}

/* A group that looks at another, with what lies about them, and what was found so far of each two. */
typedef struct {
    const Backdrop *drop;
    const char *rows;
    Sampled *a, *b;
    const Thing *things;
    int32_t observers, targets, others, hider, wall; /* what hid somebody last or stopped a line often does so to his fellows too */
    Between w;
    Chord *spans;
    Veil *veils;
    char *hidden;
    int32_t *last;
} Watch;

/* `pairs`: of how many pairs something is kept at a time. */
static Watch watch_of(Arena *m, const Scene *s, const Backdrop *drop, int opaque, const char *rows, const int32_t *from, int32_t observers,
                      const int32_t *to, int32_t targets, int32_t pairs)
{
    Watch h = {drop, rows, bodies_of(m, s, from, observers), bodies_of(m, s, to, targets), NULL, observers, targets, 0, -1, -1};
    h.things = things_about(m, s, drop, opaque, h.a, observers, h.b, targets, 0, &h.others);
    h.w.near = take(m, sizeof(Barrier) * (size_t)(h.others + 1));
    h.spans = take(m, sizeof(Chord) * (size_t)(h.others + 1));
    h.veils = take(m, sizeof(Veil) * (size_t)(h.others + 1));
    h.hidden = take(m, (size_t)pairs + 1);
    h.last = take(m, sizeof(int32_t) * ((size_t)pairs + 1));
    return h;
}

/* Forgets what was found of pairs. */
static void watch_anew(Watch *h, int32_t pairs)
{
    memset(h->hidden, 0, (size_t)pairs);
    memset(h->last, 0, sizeof(int32_t) * (size_t)pairs);
}

/* Whether the line between the axes of two finds a way; what stopped it is kept under `pair`. */
static int axis_finds(Watch *h, const Sampled *a, const char *out, const Sampled *b, const char *in, int32_t pair)
{
    int found = clear_axis(&h->w, h->things, h->others, h->spans, a, out, b, in, &h->wall);
    h->last[pair] = h->wall;
    return found;
}

/* Where something lies in the list of what stands between two, 0 if it does not. */
static int32_t place_in_list(const Between *w, int32_t thing)
{
    for (int32_t k = 0; k < w->count; k++)
        if (w->near[k].thing == thing) return k;
    return 0;
}

/* Whether a go of an observer's look finds a way to a target; what is found of the two is kept under `pair`. */
static int go_finds(Watch *h, int look, int32_t i, int32_t j, int32_t pair)
{
    if (h->hidden[pair]) return 0;
    Sampled *a = h->a + i, *b = h->b + j;
    const char *out = lifts_out(h->drop, h->rows, a->is.slot), *in = lifts_into(h->drop, h->rows, b->is.slot);
    int32_t first = look == BY_AXIS ? h->hider : look == BY_FEW ? h->last[pair] : -1;
    Veil veil;
    between_two(&h->w, a, b);
    if (look != BY_AXIS || first >= 0) {
        draw_rim(h->drop, a);
        draw_rim(h->drop, b);
    }
    if (first >= 0 && (h->hidden[pair] = (char)hidden_by(&h->w, h->things + first, a, out, b, in, &veil))) {
        h->hider = first;
        return 0;
    }
    if (look == BY_AXIS) return axis_finds(h, a, out, b, in, pair);
    add_things(&h->w, h->things, h->others, a, out, b, in, 0);
    if (look == BY_FEW) h->last[pair] = first < 0 ? 0 : place_in_list(&h->w, first);
    int found = sees_body(&h->w, h->spans, h->veils, a, b, look, first < 0 ? NULL : &veil, h->last + pair, h->hidden + pair);
    if (h->hidden[pair]) h->hider = h->w.near[h->last[pair]].thing;
    return found;
}

/* Marks those of some models that see any of others. */
static void who_sees(Arena *m, const Scene *s, const Backdrop *drop, int opaque, const char *rows, const int32_t *from, int32_t observers,
                     const int32_t *to, int32_t targets, char *seen)
{
    Watch h = watch_of(m, s, drop, opaque, rows, from, observers, to, targets, targets);
    for (int32_t i = 0; i < observers; i++) {
        int found = 0;
        watch_anew(&h, targets);
        for (int look = BY_AXIS; look < LOOKS && !found; look++) /* a target in plain view is found before the others are searched */
            for (int32_t j = 0; j < targets && !found; j++) found = go_finds(&h, look, i, j, j);
        seen[i] = (char)found;
    }
}

int32_t sampled_seen(SCENE_ARGS, const Backdrop *drop, int32_t opaque, const char *rows, const int32_t *from, int32_t observers,
                     const int32_t *to, int32_t targets, char *seen)
{
    Scene s = SCENE;
    Arena m;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    who_sees(&m, &s, drop, opaque, rows, from, observers, to, targets, seen);
    arena_close(&m);
    return 0;
}

int32_t sampled_whole(SCENE_ARGS, const Backdrop *drop, int32_t opaque, const char *rows, int32_t observer, int32_t target)
{
    Scene s = SCENE;
    Arena m;
    int32_t others = 0;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    Sampled *a = bodies_of(&m, &s, &observer, 1), *b = bodies_of(&m, &s, &target, 1);
    Thing *things = things_about(&m, &s, drop, opaque, a, 1, b, 1, 1, &others);
    Between w;
    w.near = take(&m, sizeof(Barrier) * (size_t)(others + 1));
    between_two(&w, a, b);
    draw_rim(drop, a);
    draw_rim(drop, b);
    add_things(&w, things, others, a, lifts_out(drop, rows, observer), b, lifts_into(drop, rows, target), 1);
    int found = sees_whole(&w, take(&m, sizeof(Veil) * (size_t)(others + 1)), a, b);
    arena_close(&m);
    return found;
}

static int hidden_behind(Between *w, Veil *veils, const Backdrop *d, int32_t feature, Sampled *a, const char *out_of, Sampled *b,
                         const char *into)
{
    int axis = 0;
    between_two(w, a, b);
    for (int32_t k = d->first_part[feature]; k < d->first_part[feature + 1]; k++) {
        int32_t number = d->part[k], screen = number < d->solids ? -1 : d->screen[number];
        const Prism *p = d->prism + number;
        if (!boxes_meet(p, w->left, w->bottom, w->right, w->top)) continue;
        if (screen >= 0 && (out_of[screen] || into[screen])) continue;
        if (!axis) {
            draw_rim(d, a);
            draw_rim(d, b);
            draw_axis(w, a, b);
            axis = 1;
        }
        if (!lies_beside(w, p, d->points)) add_barrier(w, p, d->points);
    }
    return w->count && !sees_whole(w, veils, a, b);
}

int32_t sampled_cover(SCENE_ARGS, const Backdrop *drop, const char *rows, const int32_t *from, int32_t observers, const int32_t *to,
                      int32_t targets, int32_t *cover)
{
    Scene s = SCENE;
    Arena m;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    Sampled *a = bodies_of(&m, &s, from, observers), *b = bodies_of(&m, &s, to, targets);
    Between w;
    w.near = take(&m, sizeof(Barrier) * (size_t)(drop->prisms + 1));
    Veil *veils = take(&m, sizeof(Veil) * (size_t)(drop->prisms + 1));
    for (int32_t j = 0; j < targets; j++) {
        const char *row = features_to(drop, rows, to[j]), *in = lifts_into(drop, rows, to[j]);
        cover[j] = -1;
        for (int32_t f = 0; f < drop->features && cover[j] < 0; f++) {
            if (row[f] == 2) cover[j] = f;
            for (int32_t i = 0; i < observers && row[f] == 1 && cover[j] < 0; i++)
                if (hidden_behind(&w, veils, drop, f, a + i, lifts_out(drop, rows, from[i]), b + j, in)) cover[j] = f;
        }
    }
    arena_close(&m);
    return 0;
}
