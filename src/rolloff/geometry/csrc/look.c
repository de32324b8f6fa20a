/* One look between two ends, blockers given: the compiled twin of plain/look.py, step for step. */

#define ANGLE 1.7453292519943296e-05

/* One end of a look: its centre, its convex members, and the arc it looks into. */
typedef struct {
    double x, y;
    const Core *member;
    int32_t members, has_arc, right, left;
} Side;

/* An obstacle that blocks this look. */
typedef struct {
    int32_t tag, cores;
    const Core *core;
} Blocker;

typedef struct {
    const Blocker *blocker;
    int32_t n;
} Blockers;

/* What a look found: 1 and the clear segment, or 0; `hiding`, if wanted, is called up for each tag that hides. */
typedef struct {
    double line[4];           /* not filled for ends in contact: plain_look.contact_line has their evidence */
    int32_t touching;
    char *hiding;             /* pieces first, then slots from MOST_PIECES on; NULL when not wanted */
} Found;

static int32_t arcs_of(const Side *s, int32_t parts[2][2])
{
    int32_t width = (s->left - s->right + 3600) % 3600;
    if (width < 1800) {
        parts[0][0] = s->right; parts[0][1] = s->left;
        return 1;
    }
    int32_t middle = (s->right + width / 2) % 3600;
    parts[0][0] = s->right; parts[0][1] = middle;
    parts[1][0] = middle; parts[1][1] = s->left;
    return 2;
}

static Span arc_slopes(const Frame *f, const int32_t arc[2], double way)
{
    const double scale = 1073741824.0;
    Span s = EVERYWHERE;
    for (int32_t k = 0; k < 2; k++) {
        double side = k == 0 ? 1.0 : -1.0, c = cosine(arc[k]) / scale, n = sine(arc[k]) / scale;
        double x = c + side * ANGLE * n, y = n - side * ANGLE * c;
        double u = (x * f->ax + y * f->ay) * side * way, v = (y * f->ax - x * f->ay) * side * way;
        Span open = EVERYWHERE;
        if (u > 0.0) open.from = v / u;
        else if (u < 0.0) open.to = v / u;
        else if (v > 0.0) return NEVER;
        s = both_spans(s, open);
    }
    return s;
}

/* The ranges of slopes that the arcs of both ends leave open: at most four. */
static int32_t ranges_of(const Frame *f, const Side *a, const Side *b, Span out[4])
{
    int32_t n = 1;
    out[0] = EVERYWHERE;
    for (int32_t k = 0; k < 2; k++) {
        const Side *s = k == 0 ? a : b;
        int32_t parts[2][2], count, old = n;
        Span before[4];
        if (!s->has_arc) continue;
        count = arcs_of(s, parts);
        memcpy(before, out, sizeof before);
        n = 0;
        for (int32_t i = 0; i < count; i++) {
            Span open = arc_slopes(f, parts[i], k == 0 ? 1.0 : -1.0);
            for (int32_t j = 0; j < old; j++) out[n++] = both_spans(before[j], open);
        }
    }
    return n;
}

/* Searches every open range of slopes, outward from slope t. */
static int search_open(Arena *m, const Frame *f, const Hull ends[2], const Shades *shades, double t, const Side *a,
                       const Side *b, int32_t margin, double line[2])
{
    double width = (margin - TOUCH) * f->scale;
    Span open[4];
    int32_t n = ranges_of(f, a, b, open);
    for (int32_t k = 0; k < n; k++)
        if (!(open[k].from > open[k].to) && search(m, ends, shades, t, open[k], width, line)) return 1;
    return 0;
}

static void evidence(const Frame *f, const Hull ends[2], const double line[2], double out[4])
{
    double t = line[0], s = line[1], start = -INFINITY, end = INFINITY;
    for (int32_t k = 0; k < ends[0].n; k++) {
        Span in = line_in(ends[0].box + k, 0.0, s, 1.0, t);
        if (in.from <= in.to && in.to > start) start = in.to;
    }
    for (int32_t k = 0; k < ends[1].n; k++) {
        Span in = line_in(ends[1].box + k, 0.0, s, 1.0, t);
        if (in.from <= in.to && in.from < end) end = in.from;
    }
    frame_table(f, start, s + t * start, out);
    frame_table(f, end, s + t * end, out + 2);
}

static void middle_of(const Form *b, double *x, double *y)
{
    *x = 0.0; *y = 0.0;
    for (int32_t k = 0; k < b->n; k++) {
        *x = *x + b->c[2 * k];
        *y = *y + b->c[2 * k + 1];
    }
    *x = *x / b->n;
    *y = *y / b->n;
}

static void note_hiding(const Shades *shades, Found *found)
{
    for (int32_t k = 0; found->hiding != NULL && k < shades->count; k++)
        if (shades->shade[k].used) {
            int32_t tag = shades->shade[k].tag;
            found->hiding[tag >= 0 ? tag : MOST_PIECES - 1 - tag] = 1;
        }
}

/* A look between two convex ends that do not touch. */
static int look_pair(Arena *m, const Core *p, const Core *q, const Blockers *blockers, const Side *a, const Side *b,
                     int32_t margin, Found *found)
{
    Mark mark = arena_mark(m);
    Shades shades = {NULL, 0, 0};
    Form first, second;
    double wx, wy, ux, uy, vx, vy, line[2];
    closest_way(p, q, &wx, &wy);
    Frame f = frame_along(p->c[0], p->c[1], wx, wy);
    frame_box(m, &f, p, &first);
    frame_box(m, &f, q, &second);
    Hull ends[2] = {{&first, 1}, {&second, 1}};
    double touch = TOUCH * f.scale;
    for (int32_t i = 0; i < blockers->n; i++) {
        const Blocker *o = blockers->blocker + i;
        for (int32_t k = 0; k < o->cores; k++) {
            Form box;
            Span slopes;
            frame_box(m, &f, o->core + k, &box);
            if (astray(ends, &box)) continue;
            if (!between(&first, &second, &box, touch, &slopes))
                shards(m, &shades, &first, &second, &box, o->tag, touch);
            else if (slopes.from < slopes.to)
                shade_add(m, &shades, o->tag, box.c, box.n, box.r, slopes);
        }
    }
    middle_of(&first, &ux, &uy);
    middle_of(&second, &vx, &vy);
    int seen = search_open(m, &f, ends, &shades, (vy - uy) / (vx - ux), a, b, margin, line);
    if (seen) evidence(&f, ends, line, found->line);
    else note_hiding(&shades, found);
    arena_back(m, mark);
    return seen;
}

static Hull hull_of(Arena *m, const Frame *f, const Side *s)
{
    Form *box = take(m, sizeof(Form) * (size_t)s->members);
    for (int32_t k = 0; k < s->members; k++) frame_box(m, f, s->member + k, box + k);
    Hull h = {box, s->members};
    return h;
}

static void hull_reach(const Hull *h, double *left, double *right)
{
    *left = INFINITY; *right = -INFINITY;
    for (int32_t k = 0; k < h->n; k++) {
        if (h->box[k].left < *left) *left = h->box[k].left;
        if (h->box[k].right > *right) *right = h->box[k].right;
    }
}

static int separates(Arena *m, const Frame *f, const Side *a, const Side *b)
{
    Mark mark = arena_mark(m);
    double al, ar, bl, br;
    Hull p = hull_of(m, f, a), q = hull_of(m, f, b);
    hull_reach(&p, &al, &ar);
    hull_reach(&q, &bl, &br);
    arena_back(m, mark);
    return ar < bl;
}

static int hull_frame(Arena *m, const Side *a, const Side *b, Frame *f)
{
    double wx = b->x - a->x, wy = b->y - a->y;
    if (wx != 0.0 || wy != 0.0) {
        *f = frame_along(a->x, a->y, wx, wy);
        if (separates(m, f, a, b)) return 1;
    }
    for (int32_t i = 0; i < a->members; i++)
        for (int32_t k = 0; k < b->members; k++) {
            closest_way(a->member + i, b->member + k, &wx, &wy);
            if (wx == 0.0 && wy == 0.0) continue;
            *f = frame_along(a->x, a->y, wx, wy);
            if (separates(m, f, a, b)) return 1;
        }
    return 0;
}

/* The slopes at which a shape lies before (sign 1) or behind a hull; everywhere if no direction parts them. */
static Span clear_of(const Hull *end, const Form *box, double sign, double touch)
{
    for (int32_t i = 0; i < end->n; i++) {
        double vx, vy, far = -INFINITY, near = INFINITY;
        parted(end->box + i, box, touch, &vx, &vy);
        double length = sqrt(vx * vx + vy * vy);
        for (int32_t k = 0; k < end->n; k++) {
            const Form *b = end->box + k;
            double most = -INFINITY;
            for (int32_t c = 0; c < b->n; c++) {
                double d = b->c[2 * c] * vx + b->c[2 * c + 1] * vy;
                if (d > most) most = d;
            }
            most = most + b->r * length;
            if (most > far) far = most;
        }
        for (int32_t c = 0; c < box->n; c++) {
            double d = box->c[2 * c] * vx + box->c[2 * c + 1] * vy;
            if (d < near) near = d;
        }
        near = near - box->r * length;
        if (length > 0.0 && far <= near) return ahead(vx * sign, vy * sign);
    }
    return EVERYWHERE;
}

static Span hull_slopes(const Hull ends[2], const Form *box, double touch)
{
    double al, ar, bl, br;
    Span s = EVERYWHERE;
    hull_reach(ends, &al, &ar);
    hull_reach(ends + 1, &bl, &br);
    if (box->right <= al || box->left >= br) return NEVER;
    if (box->left < ar) s = both_spans(s, clear_of(ends, box, 1.0, touch));
    if (box->right > bl) s = both_spans(s, clear_of(ends + 1, box, -1.0, touch));
    return s;
}

/* A look between the hulls of two connected ends: a line that meets such a hull meets the end itself. */
static int look_hulls(Arena *m, const Side *a, const Side *b, const Blockers *blockers, int32_t margin, Found *found)
{
    Mark mark = arena_mark(m);
    Shades shades = {NULL, 0, 0};
    Frame f;
    double line[2];
    int seen = 0;
    if (!hull_frame(m, a, b, &f)) return 0;
    Hull ends[2] = {hull_of(m, &f, a), hull_of(m, &f, b)};
    for (int32_t i = 0; i < blockers->n; i++) {
        const Blocker *o = blockers->blocker + i;
        for (int32_t k = 0; k < o->cores; k++) {
            Form box;
            frame_box(m, &f, o->core + k, &box);
            Span slopes = hull_slopes(ends, &box, TOUCH * f.scale);
            if (slopes.from < slopes.to) shade_add(m, &shades, o->tag, box.c, box.n, box.r, slopes);
        }
    }
    double u = (b->x - a->x) * f.ax + (b->y - a->y) * f.ay, v = (b->y - a->y) * f.ax - (b->x - a->x) * f.ay;
    if (u > 0.0) seen = search_open(m, &f, ends, &shades, v / u, a, b, margin, line);
    if (seen) evidence(&f, ends, line, found->line);
    arena_back(m, mark);
    return seen;
}

/* Whether two ends see each other past blockers; the order of the ends makes no difference. */
static int look(Arena *m, const Side *a, const Side *b, const Blockers *blockers, int32_t margin, double contact,
                Found *found)
{
    if (b->x < a->x || (b->x == a->x && b->y < a->y)) {
        int seen = look(m, b, a, blockers, margin, contact, found);
        double x = found->line[0], y = found->line[1];
        found->line[0] = found->line[2]; found->line[1] = found->line[3];
        found->line[2] = x; found->line[3] = y;
        return seen;
    }
    for (int32_t i = 0; i < a->members; i++)
        for (int32_t k = 0; k < b->members; k++) {
            const Core *p = a->member + i, *q = b->member + k;
            if (convex_gap(p->c, p->n, q->c, q->n) - (p->r + q->r) <= contact) {
                found->touching = 1;
                return 1;
            }
        }
    if (a->members == 1 && b->members == 1)
        return look_pair(m, a->member, b->member, blockers, a, b, margin, found);
    if (look_hulls(m, a, b, blockers, margin, found)) return 1;
    for (int32_t i = 0; i < a->members; i++)
        for (int32_t k = 0; k < b->members; k++)
            if (look_pair(m, a->member + i, b->member + k, blockers, a, b, margin, found)) return 1;
    return 0;
}
