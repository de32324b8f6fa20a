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

/* A model that looks or is looked at: its samples in plan (the axis first) and by level. */
typedef struct {
    Bulk is;
    double flat[2 * FLAT], level[LEVELS], low, high;
    int32_t facing, hl, hw;
} Sampled;

typedef struct {
    const Prism *prism;
    const double *points;
    int tall;
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

static void body_samples(const Scene *s, const Backdrop *d, Sampled *b)
{
    int32_t slot = b->is.slot, x = slot_x(s, slot), y = slot_y(s, slot), z = read_i32(s->z, slot), dx, dy;
    int32_t height = read_i32(s->shape, 4 * slot + 3);
    const int32_t *leaves = d->leaves + 2 * ROUND_POINTS * (size_t)slot;
    b->facing = read_i16(s->facing, slot);
    b->hl = read_i32(s->shape, 4 * slot); b->hw = read_i32(s->shape, 4 * slot + 1);
    b->flat[0] = x; b->flat[1] = y;
    for (int32_t k = 0; k < ROUND_POINTS; k++) {
        turned(leaves[2 * k], leaves[2 * k + 1], b->facing, &dx, &dy);
        b->flat[2 * k + 2] = x + dx; b->flat[2 * k + 3] = y + dy;
    }
    b->level[0] = z + height / 2;
    b->level[1] = z + (height > LEVEL_MARGIN ? height - LEVEL_MARGIN : 0);
    b->level[2] = z + (height < LEVEL_MARGIN ? height : LEVEL_MARGIN);
    b->low = b->high = b->level[0];
    for (int32_t k = 1; k < LEVELS; k++) {
        if (b->level[k] < b->low) b->low = b->level[k];
        if (b->level[k] > b->high) b->high = b->level[k];
    }
}

static inline int boxes_meet(const Prism *p, double left, double bottom, double right, double top)
{
    return p->left < right && p->right > left && p->bottom < top && p->top > bottom;
}

/* What could stand between two bodies, in one list. */
typedef struct {
    double left, bottom, right, top, low, high;
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

static inline void add_near(Between *w, const Prism *p, const double *points)
{
    if (!boxes_meet(p, w->left, w->bottom, w->right, w->top)) return;
    w->near[w->count].prism = p;
    w->near[w->count].points = points;
    w->near[w->count++].tall = p->z0 < w->low && p->z1 > w->high;
}

/* Screens that neither the observer nor the target lifts; with `full` the woody ones too. */
static void add_screens(Between *w, const Backdrop *d, const char *out_of, const char *into, int full)
{
    for (int32_t k = d->solids; k < d->prisms; k++) {
        int32_t screen = d->screen[k];
        if ((full || !d->woody[screen]) && !out_of[screen] && !into[screen]) add_near(w, d->prism + k, d->points);
    }
}

static void add_things(Between *w, const Backdrop *d, const Bulk *solids, int32_t count, const Sampled *a, const Sampled *b,
                       int full)
{
    for (int32_t k = 0; k < d->solids; k++) add_near(w, d->prism + k, d->points);
    for (int32_t k = 0; k < count; k++) {
        const Bulk *o = solids + k;
        if (o->owner == a->is.owner || o->slot == b->is.slot || (full && o->owner == b->is.owner)) continue;
        add_near(w, &o->prism, o->corners);
    }
}

static inline double turn_of(const double *a, const double *b, double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* A corner of a prism, drawn in a little; 0 if it does not lie well inside then. */
static int drawn_in(const Prism *o, const double *pt, int32_t k, double cx, double cy, double *x, double *y)
{
    double dx = cx - pt[2 * k], dy = cy - pt[2 * k + 1], far = sqrt(dx * dx + dy * dy);
    if (far < 48.0) return 0;
    *x = pt[2 * k] + dx * (12.0 / far); *y = pt[2 * k + 1] + dy * (12.0 / far);
    for (int32_t i = 0; i < o->count; i++) {
        const double *p = pt + 2 * i, *q = pt + 2 * (i + 1 < o->count ? i + 1 : 0);
        double ex = q[0] - p[0], ey = q[1] - p[1];
        if (turn_of(p, q, *x, *y) < 2.0 * sqrt(ex * ex + ey * ey)) return 0;
    }
    return 1;
}

/* Whether every segment between two bodies crosses one chord well inside a tall prism. False proves nothing. */
static int hides_all(const Barrier *n, const Sampled *a, const Sampled *b)
{
    const Prism *o = n->prism;
    const double *pt = n->points + 2 * o->first;
    if (!n->tall || o->count < 3) return 0;
    int32_t first = 0, last = 0;
    double most = 0.0, least = 0.0, cx = 0.0, cy = 0.0;
    for (int32_t k = 0; k < o->count; k++) {
        double side = turn_of(a->flat, b->flat, pt[2 * k], pt[2 * k + 1]);
        if (k == 0 || side > most) { most = side; first = k; }
        if (k == 0 || side < least) { least = side; last = k; }
        cx += pt[2 * k] / o->count; cy += pt[2 * k + 1] / o->count;
    }
    double u[2], v[2];
    if (most <= 0.0 || least >= 0.0) return 0;
    if (!drawn_in(o, pt, first, cx, cy, u, u + 1) || !drawn_in(o, pt, last, cx, cy, v, v + 1)) return 0;
    double dx = v[0] - u[0], dy = v[1] - u[1], apart = 4.0 * sqrt(dx * dx + dy * dy);
    for (int32_t k = 0; k < FLAT; k++)
        if (turn_of(u, v, a->flat[2 * k], a->flat[2 * k + 1]) > -apart || turn_of(u, v, b->flat[2 * k], b->flat[2 * k + 1]) < apart)
            return 0;
    for (int32_t i = 1; i < FLAT; i++)
        for (int32_t j = 1; j < FLAT; j++) {
            const double *p = a->flat + 2 * i, *q = b->flat + 2 * j;
            if (turn_of(p, q, u[0], u[1]) < 1.0 || turn_of(p, q, v[0], v[1]) > -1.0) return 0;
        }
    return 1;
}

typedef struct {
    double t0, t1, z0, z1;
} Chord;

/* The part of a segment in plan that runs through a prism; 0 if it only touches it. */
static int span_in(const Barrier *n, const double *p, const double *q, Chord *found)
{
    const Prism *o = n->prism;
    double left = p[0] < q[0] ? p[0] : q[0], right = p[0] < q[0] ? q[0] : p[0];
    double bottom = p[1] < q[1] ? p[1] : q[1], top = p[1] < q[1] ? q[1] : p[1];
    if (right <= o->left || left >= o->right || top <= o->bottom || bottom >= o->top) return 0;
    double t0, t1, dx = q[0] - p[0], dy = q[1] - p[1];
    if (!span_of(o, n->points, p[0], p[1], dx, dy, &t0, &t1)) return 0;
    if ((t1 - t0) * sqrt(dx * dx + dy * dy) <= THIN) return 0;
    found->t0 = t0; found->t1 = t1; found->z0 = o->z0; found->z1 = o->z1;
    return 1;
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

/* Whether some level of one point sees some level of another. */
static int clear_flat(const Between *w, Chord *spans, const Sampled *a, const Sampled *b, const double *p, const double *q, int32_t *last)
{
    int32_t count = 0;
    if (*last < w->count && span_in(w->near + *last, p, q, spans)) {
        if (w->near[*last].tall) return 0;
        count++;
    }
    for (int32_t k = 0; k < w->count; k++) {
        if (k == *last || !span_in(w->near + k, p, q, spans + count)) continue;
        if (w->near[k].tall) {
            *last = k;
            return 0;
        }
        count++;
    }
    for (int32_t i = 0; i < LEVELS; i++)
        for (int32_t j = 0; j < LEVELS; j++)
            if (clear_chords(spans, count, a->level[i], b->level[j])) return 1;
    return 0;
}

/* The rays of a look in three goes: between the axes alone, between every fourth point, between all. */
enum { BY_AXIS, BY_FEW, BY_ALL, LOOKS };
#define FEW_STEP 4

/* Whether a go finds a way through. The second also finds what hides the whole body, and then says so in `hidden`. */
static int sees_body(const Between *w, Chord *spans, const Sampled *a, const Sampled *b, int look, char *hidden)
{
    int32_t last = 0, step = look == BY_FEW ? FEW_STEP : 1;
    if (!w->count) return 1;
    if (look == BY_AXIS) return clear_flat(w, spans, a, b, a->flat, b->flat, &last);
    for (int32_t k = 0; k < w->count && look == BY_FEW; k++)
        if (hides_all(w->near + k, a, b)) {
            *hidden = 1;
            return 0;
        }
    for (int32_t i = 0; i < FLAT; i += step)
        for (int32_t j = 0; j < FLAT; j += step)
            if ((i || j) && clear_flat(w, spans, a, b, a->flat + 2 * i, b->flat + 2 * j, &last)) return 1;
    return 0;
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

static int point_seen(const Between *w, const Sampled *a, const double *flat, double level, int32_t *last)
{
    double p[3], q[3] = {flat[0], flat[1], level};
    for (int32_t k = 0; k < FLAT; k++) {
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

static int sees_whole(const Between *w, const Sampled *a, const Sampled *b)
{
    int32_t last = 0, corners = a->is.prism.count;
    double x = 0.0, y = 0.0;
    if (!w->count) return 1;
    for (int32_t k = 0; k < corners; k++) { x += a->is.corners[2 * k]; y += a->is.corners[2 * k + 1]; }
    x /= corners; y /= corners;
    if (!point_seen(w, a, b->flat, b->level[1], &last)) return 0;
    for (int32_t k = 0; k < ROUND_POINTS; k++) {
        const double *flat = b->flat + 2 * k + 2;
        if (!point_seen(w, a, flat, b->level[1], &last)) return 0;
        if (!faces_toward(b, k, x, y)) continue;
        if (!point_seen(w, a, flat, b->level[0], &last) || !point_seen(w, a, flat, b->level[2], &last)) return 0;
    }
    return 1;
}

static Sampled *bodies_of(Arena *m, const Scene *s, const Backdrop *d, const int32_t *slots, int32_t count)
{
    Sampled *found = take(m, sizeof(Sampled) * (size_t)(count + 1));
    for (int32_t k = 0; k < count; k++) {
        solid_of(s, slots[k], &found[k].is);
        body_samples(s, d, found + k);
    }
    return found;
}

/* The bodies on the table that lie in the box about two groups. */
static Bulk *solids_about(Arena *m, const Scene *s, const Sampled *a, int32_t na, const Sampled *b, int32_t nb, int32_t *count)
{
    Between w = {0}, two;
    Bulk *found = take(m, sizeof(Bulk) * (size_t)(s->n + 1));
    for (int32_t k = 0; k < na + nb; k++) {
        const Sampled *one = k < na ? a + k : b + (k - na);
        between_two(&two, one, one);
        if (k == 0) w = two;
        if (two.left < w.left) w.left = two.left;
        if (two.bottom < w.bottom) w.bottom = two.bottom;
        if (two.right > w.right) w.right = two.right;
        if (two.top > w.top) w.top = two.top;
    }
    *count = 0;
    for (int32_t slot = 0; slot < s->n; slot++) {
        if (!on_table(s, slot)) continue;
        double x = slot_x(s, slot), y = slot_y(s, slot);
        double far = (double)read_i32(s->shape, 4 * slot) + read_i32(s->shape, 4 * slot + 1) + read_i32(s->shape, 4 * slot + 2) + 4;
        if (x - far >= w.right || x + far <= w.left || y - far >= w.top || y + far <= w.bottom) continue;
        solid_of(s, slot, found + (*count)++);
    }
    return found;
}

int32_t sampled_seen(SCENE_ARGS, const Backdrop *drop, int32_t opaque, const int32_t *from, int32_t observers,
                     const char *out_of, const int32_t *to, int32_t targets, const char *into, char *seen)
{
    Scene s = SCENE;
    Arena m;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    int32_t others = 0;
    Sampled *a = bodies_of(&m, &s, drop, from, observers), *b = bodies_of(&m, &s, drop, to, targets);
    Bulk *rest = solids_about(&m, &s, a, observers, b, targets, &others);
    Between w;
    w.near = take(&m, sizeof(Barrier) * (size_t)(drop->prisms + others + 1));
    Chord *spans = take(&m, sizeof(Chord) * (size_t)(drop->prisms + others + 1));
    char *hidden = take(&m, (size_t)targets + 1);
    for (int32_t i = 0; i < observers; i++) {
        int found = 0;
        memset(hidden, 0, (size_t)targets);
        for (int look = BY_AXIS; look < LOOKS && !found; look++) /* a target in plain view is found before the others are searched */
            for (int32_t j = 0; j < targets && !found; j++) {
                if (hidden[j]) continue;
                between_two(&w, a + i, b + j);
                if (opaque) add_things(&w, drop, rest, others, a + i, b + j, 0);
                add_screens(&w, drop, out_of + (size_t)i * drop->screens, into + (size_t)j * drop->screens, 0);
                found = sees_body(&w, spans, a + i, b + j, look, hidden + j);
            }
        seen[i] = (char)found;
    }
    arena_close(&m);
    return 0;
}

int32_t sampled_whole(SCENE_ARGS, const Backdrop *drop, int32_t opaque, int32_t observer, const char *out_of,
                      int32_t target, const char *into)
{
    Scene s = SCENE;
    Arena m;
    int32_t others = 0;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    Sampled *a = bodies_of(&m, &s, drop, &observer, 1), *b = bodies_of(&m, &s, drop, &target, 1);
    Bulk *rest = solids_about(&m, &s, a, 1, b, 1, &others);
    Between w;
    w.near = take(&m, sizeof(Barrier) * (size_t)(drop->prisms + others + 1));
    between_two(&w, a, b);
    if (opaque) add_things(&w, drop, rest, others, a, b, 1);
    add_screens(&w, drop, out_of, into, 1);
    int found = sees_whole(&w, a, b);
    arena_close(&m);
    return found;
}

static int hidden_behind(Between *w, const Backdrop *d, int32_t feature, const Sampled *a, const char *out_of, const Sampled *b,
                         const char *into)
{
    between_two(w, a, b);
    for (int32_t k = d->first_part[feature]; k < d->first_part[feature + 1]; k++) {
        int32_t number = d->part[k], screen = number < d->solids ? -1 : d->screen[number];
        if (screen >= 0 && (out_of[screen] || into[screen])) continue;
        add_near(w, d->prism + number, d->points);
    }
    return w->count && !sees_whole(w, a, b);
}

int32_t sampled_cover(SCENE_ARGS, const Backdrop *drop, const int32_t *from, int32_t observers, const char *out_of,
                      const int32_t *to, int32_t targets, const char *into, const char *rows, int32_t *cover)
{
    Scene s = SCENE;
    Arena m;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    Sampled *a = bodies_of(&m, &s, drop, from, observers), *b = bodies_of(&m, &s, drop, to, targets);
    Between w;
    w.near = take(&m, sizeof(Barrier) * (size_t)(drop->prisms + 1));
    for (int32_t j = 0; j < targets; j++) {
        const char *row = rows + (size_t)j * drop->features, *in = into + (size_t)j * drop->screens;
        cover[j] = -1;
        for (int32_t f = 0; f < drop->features && cover[j] < 0; f++) {
            if (row[f] == 2) cover[j] = f;
            for (int32_t i = 0; i < observers && row[f] == 1 && cover[j] < 0; i++)
                if (hidden_behind(&w, drop, f, a + i, out_of + (size_t)i * drop->screens, b + j, in)) cover[j] = f;
        }
    }
    arena_close(&m);
    return 0;
}
