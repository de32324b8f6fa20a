/* Ends of sight lines and what may stand between them: the compiled twin of plain/ends.py. */

#define MODELS_NONE 0
#define MODELS_HULLS 2

typedef struct {
    int32_t margin, contact, models, heights, eye_part, eye_whole, stand_exempt, target_exempt, ignored, clear;
    const char *lists;        /* ignored units, then clear pieces */
} Mode;

/* One end of a sight line. */
typedef struct {
    int32_t slot, unit, has_arc, right, left, members;
    double x, y, eye, far, own[8];
    Core one;
    const Core *member;       /* NULL: the one member is `one`, whose corners are `own` */
    uint64_t under[4];
} End;

/* What may block: a piece (tag 0 and up) or a model (tag -1 - slot). */
typedef struct {
    int32_t tag, cores;
    double x, y, far, top;
    const Core *core;
} Obstacle;

typedef struct {
    Obstacle *o;
    int32_t n;
} Obstacles;

static Mode mode_of(const char *packed)
{
    int32_t v[10];
    for (int32_t k = 0; k < 10; k++) v[k] = read_i32(packed, k);
    Mode m = {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], packed + 40};
    return m;
}

static int listed(const char *list, int32_t from, int32_t count, int32_t value)
{
    for (int32_t k = from; k < from + count; k++)
        if (read_i32(list, k) == value) return 1;
    return 0;
}

static inline int is_under(const End *e, int32_t piece) { return (e->under[piece >> 6] >> (piece & 63)) & 1; }

static void put_under(const Ground *g, int32_t x, int32_t y, End *e)
{
    for (int32_t k = 0; k < g->pieces; k++)
        if (g->piece[k].solid && in_piece(g, g->piece + k, x, y)) e->under[k >> 6] |= (uint64_t)1 << (k & 63);
}

static int32_t piece_cores(const Piece *p) { return p->r > 0 ? 1 : p->parts; }

static void cores_of_piece(const Ground *g, const Piece *p, Core *out)
{
    if (p->r > 0) {
        out->c = g->corners + 2 * (size_t)p->first_point;
        out->n = 1;
        out->r = p->r;
        return;
    }
    for (int32_t k = 0; k < p->parts; k++) {
        const Part *part = g->part + p->first_part + k;
        out[k].c = g->corners + 2 * (size_t)part->first_point;
        out[k].n = part->corners;
        out[k].r = 0.0;
    }
}

static double far_from(double x, double y, const Core *core, int32_t n)
{
    double best = 0.0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < core[i].n; k++) {
            double dx = core[i].c[2 * k] - x, dy = core[i].c[2 * k + 1] - y, d = sqrt(dx * dx + dy * dy) + core[i].r;
            if (d > best) best = d;
        }
    return best;
}

static const Core *end_members(const End *e) { return e->member ? e->member : &e->one; }

/* The end of a model's own base. The end must not be copied afterwards: `one` points into it. */
static void end_of_slot(const Scene *s, const Mode *mode, int32_t slot, End *e)
{
    Body body;
    int32_t x = slot_x(s, slot), y = slot_y(s, slot);
    memset(e, 0, sizeof *e);
    body_of(s, slot, &body);
    e->slot = slot;
    e->unit = slot_owner(s, slot);
    e->x = x; e->y = y;
    e->eye = (double)((int64_t)read_i32(s->z, slot) * mode->eye_whole +
                      (int64_t)read_i32(s->shape, 4 * slot + 3) * mode->eye_part);
    memcpy(e->own, body.c, sizeof e->own);
    e->one.c = e->own; e->one.n = body.n; e->one.r = body.r;
    e->members = 1;
    e->far = far_from(e->x, e->y, &e->one, 1);
    if (mode->stand_exempt) put_under(s->ground, x, y, e);
}

/* The end an eye stands for: slot, has barrel, x, y, has arc, right, left, pieces, then their numbers. */
static int end_of_eye(Arena *m, const Scene *s, const Mode *mode, const char *eye, End *e)
{
    int32_t slot = read_i32(eye, 0), pieces = read_i32(eye, 7);
    if (!on_table(s, slot)) return 0;
    end_of_slot(s, mode, slot, e);
    e->has_arc = read_i32(eye, 4);
    e->right = read_i32(eye, 5);
    e->left = read_i32(eye, 6);
    if (pieces > 0) {
        int32_t total = 0, at = 0;
        for (int32_t k = 0; k < pieces; k++) total += piece_cores(s->ground->piece + read_i32(eye, 8 + k));
        Core *member = take(m, sizeof(Core) * (size_t)total);
        for (int32_t k = 0; k < pieces; k++) {
            int32_t number = read_i32(eye, 8 + k);
            const Piece *p = s->ground->piece + number;
            cores_of_piece(s->ground, p, member + at);
            at += piece_cores(p);
            e->under[number >> 6] |= (uint64_t)1 << (number & 63);
        }
        e->member = member;
        e->members = total;
    } else if (read_i32(eye, 1)) {
        int32_t x = read_i32(eye, 2), y = read_i32(eye, 3);
        e->x = x; e->y = y;
        e->own[0] = x; e->own[1] = y;
        e->one.n = 1;
        e->one.r = mode->margin / 2.0;
        if (mode->stand_exempt) put_under(s->ground, x, y, e);
    }
    e->far = far_from(e->x, e->y, end_members(e), e->members);
    return 1;
}

/* Everything that could block between two units, wherever it is: solid pieces, then models. */
static Obstacles obstacles_of(Arena *m, const Scene *s, const Mode *mode, int32_t unit_a, int32_t unit_b)
{
    const Ground *g = s->ground;
    Obstacles found = {take(m, sizeof(Obstacle) * (size_t)(g->pieces + s->n + 1)), 0};
    for (int32_t k = 0; k < g->pieces; k++) {
        const Piece *p = g->piece + k;
        if (!p->solid || listed(mode->lists, mode->ignored, mode->clear, k)) continue;
        Core *core = take(m, sizeof(Core) * (size_t)piece_cores(p));
        cores_of_piece(g, p, core);
        Obstacle o = {k, piece_cores(p), p->middle_x, p->middle_y, p->far, (double)((int64_t)p->height * mode->eye_whole), core};
        found.o[found.n++] = o;
    }
    if (mode->models == MODELS_NONE) return found;
    for (int32_t k = 0; k < s->n; k++) {
        int32_t unit = slot_owner(s, k);
        if (!on_table(s, k) || unit == unit_a || (mode->target_exempt && unit == unit_b)) continue;
        if (listed(mode->lists, 0, mode->ignored, unit)) continue;
        if (mode->models == MODELS_HULLS && read_i32(s->shape, 4 * k + 2)) continue;
        Body body;
        body_of(s, k, &body);
        double *c = take(m, sizeof body.c);
        memcpy(c, body.c, sizeof body.c);
        Core *core = take(m, sizeof(Core));
        core->c = c; core->n = body.n; core->r = body.r;
        double top = (double)(((int64_t)read_i32(s->z, k) + read_i32(s->shape, 4 * k + 3)) * mode->eye_whole);
        Obstacle o = {-1 - k, 1, body.x, body.y, body.far, top, core};
        found.o[found.n++] = o;
    }
    return found;
}

/* Whether an obstacle's top is above the line from eye to eye, somewhere between the two centres. */
static int rises(const End *a, const End *b, const Core *core, int32_t cores, double top)
{
    if (b->x < a->x || (b->x == a->x && b->y < a->y)) {
        const End *swap = a;
        a = b;
        b = swap;
    }
    double dx = b->x - a->x, dy = b->y - a->y, span = dx * dx + dy * dy, root = sqrt(span), low = span, high = 0.0;
    for (int32_t i = 0; i < cores; i++) {
        double grown = core[i].r * root;
        for (int32_t k = 0; k < core[i].n; k++) {
            double p = (core[i].c[2 * k] - a->x) * dx + (core[i].c[2 * k + 1] - a->y) * dy;
            if (p - grown < low) low = p - grown;
            if (p + grown > high) high = p + grown;
        }
    }
    if (low < 0.0) low = 0.0;
    if (high > span) high = span;
    if (high <= low) return 0;
    double slant = b->eye - a->eye, least = a->eye * span + slant * (slant < 0.0 ? high : low);
    return top * span > least;
}

static int aside(const End *a, const End *b, const Obstacle *o)
{
    double near = o->far + (a->far > b->far ? a->far : b->far);
    return point_to_edge(o->x, o->y, a->x, a->y, b->x, b->y) >= near * near;
}

static int stands_up(const End *a, const End *b, const Obstacle *o, const Mode *mode)
{
    if (o->tag >= 0) {
        if (is_under(a, o->tag) || is_under(b, o->tag)) return 0;
    } else if (o->tag == -1 - a->slot || o->tag == -1 - b->slot) {
        return 0;
    }
    return !mode->heights || rises(a, b, o->core, o->cores, o->top);
}
