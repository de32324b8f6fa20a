/* Exact sight over a scene: the compiled twin of plain_sight.py, step for step. */

#define TIE 1e-6
#define MODELS_NONE 0
#define MODELS_HULLS 2
#define OUT_OF_MEMORY (-3)

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
        if (in_piece(g, g->piece + k, x, y)) e->under[k >> 6] |= (uint64_t)1 << (k & 63);
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

static Side side_of(const End *e)
{
    Side s = {e->x, e->y, end_members(e), e->members, e->has_arc, e->right, e->left};
    return s;
}

/* A look between two ends past the obstacles that block this pair. */
static int look_between(Arena *m, const Mode *mode, const End *a, const End *b, const Obstacles *all, Found *found)
{
    Mark mark = arena_mark(m);
    Blocker *list = take(m, sizeof(Blocker) * (size_t)(all->n + 1));
    Blockers blockers = {list, 0};
    for (int32_t k = 0; k < all->n; k++) {
        const Obstacle *o = all->o + k;
        if (aside(a, b, o) || !stands_up(a, b, o, mode)) continue;
        Blocker *blocker = list + blockers.n++;
        blocker->tag = o->tag; blocker->cores = o->cores; blocker->core = o->core;
    }
    Side p = side_of(a), q = side_of(b);
    double contact = a->has_arc || b->has_arc ? 0.0 : mode->contact;
    int seen = look(m, &p, &q, &blockers, mode->margin, contact, found);
    arena_back(m, mark);
    return seen;
}

/* -1 and the clear line when the ends see each other; else how many tags were filled; -2 off the table. */
int32_t sees_eyes(SCENE_ARGS, const char *packed_mode, const char *eye_a, const char *eye_b, double *line, int32_t *tags)
{
    Scene s = SCENE;
    Mode mode = mode_of(packed_mode);
    Arena m;
    End a, b;
    char hiding[MOST_PIECES + MOST_MODELS];
    Found found = {{0.0, 0.0, 0.0, 0.0}, hiding};
    int32_t answer = 0;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    if (!end_of_eye(&m, &s, &mode, eye_a, &a) || !end_of_eye(&m, &s, &mode, eye_b, &b)) {
        arena_close(&m);
        return -2;
    }
    memset(hiding, 0, sizeof hiding);
    Obstacles all = obstacles_of(&m, &s, &mode, a.unit, b.unit);
    if (look_between(&m, &mode, &a, &b, &all, &found)) {
        memcpy(line, found.line, sizeof found.line);
        answer = -1;
    } else {
        for (int32_t k = 0; k < MOST_PIECES + MOST_MODELS; k++)
            if (hiding[k]) tags[answer++] = k < MOST_PIECES ? k : MOST_PIECES - 1 - k;
    }
    arena_close(&m);
    return answer;
}

/* Whether what stands between a viewer and all of several targets hides every one of them. */
static int all_hidden(Arena *m, const Mode *mode, const End *a, const End *const *targets, int32_t n, const Obstacles *all)
{
    Mark mark = arena_mark(m);
    double x = 0.0, y = 0.0, left, right;
    for (int32_t k = 0; k < n; k++) {
        x = x + (targets[k]->x - a->x);
        y = y + (targets[k]->y - a->y);
    }
    if (x == 0.0 && y == 0.0) return 0;
    Frame f = frame_along(a->x, a->y, x, y);
    Form first, *boxes = take(m, sizeof(Form) * (size_t)n);
    frame_box(m, &f, &a->one, &first);
    for (int32_t k = 0; k < n; k++) frame_box(m, &f, &targets[k]->one, boxes + k);
    Hull ends[2] = {{&first, 1}, {boxes, n}};
    hull_reach(ends + 1, &left, &right);
    int hidden = 0;
    if (first.right < left) {
        Shades shades = {NULL, 0, 0};
        for (int32_t i = 0; i < all->n; i++) {
            const Obstacle *o = all->o + i;
            Form *box = take(m, sizeof(Form) * (size_t)o->cores);
            int fits = 1;
            for (int32_t k = 0; fits && k < o->cores; k++) {
                frame_box(m, &f, o->core + k, box + k);
                fits = first.right <= box[k].left && box[k].right <= left;
            }
            for (int32_t k = 0; fits && k < n; k++) fits = aside(a, targets[k], o) || stands_up(a, targets[k], o, mode);
            for (int32_t k = 0; fits && k < o->cores; k++)
                shade_add(m, &shades, o->tag, box[k].c, box[k].n, box[k].r, EVERYWHERE);
        }
        double width = (mode->margin - TOUCH) * f.scale, line[2];
        Cast *casts = take(m, sizeof(Cast) * (size_t)(shades.count + 1));
        hidden = !sweep(ends, &shades, casts, 0.0, 1.0, INFINITY, width, line) &&
                 !sweep(ends, &shades, casts, 0.0, -1.0, -INFINITY, width, line);
    }
    arena_back(m, mark);
    return hidden;
}

static int32_t seen_by(Arena *m, const Mode *mode, const End *a, const End **targets, int32_t n, const Obstacles *all)
{
    Found found = {{0.0, 0.0, 0.0, 0.0}, NULL};
    for (int32_t k = 0; k < n; k++) {
        if (look_between(m, mode, a, targets[k], all, &found)) return k;
        if (k == 0 && n > 1 && all_hidden(m, mode, a, targets + 1, n - 1, all)) return -1;
    }
    return -1;
}

typedef struct {
    double left, right, bottom, top;
} Reach;

static void reach_over(Reach *r, const End *e)
{
    if (e->x - e->far < r->left) r->left = e->x - e->far;
    if (e->x + e->far > r->right) r->right = e->x + e->far;
    if (e->y - e->far < r->bottom) r->bottom = e->y - e->far;
    if (e->y + e->far > r->top) r->top = e->y + e->far;
}

/* Keeps the obstacles that reach into a box. */
static void keep_nearby(Obstacles *all, const Reach *r)
{
    int32_t kept = 0;
    for (int32_t k = 0; k < all->n; k++) {
        const Obstacle *o = all->o + k;
        if (r->left < o->x + o->far && o->x - o->far < r->right && r->bottom < o->y + o->far && o->y - o->far < r->top)
            all->o[kept++] = *o;
    }
    all->n = kept;
}

static int32_t ends_of_unit(Arena *m, const Scene *s, const Mode *mode, int32_t unit, const End ***out, Reach *r)
{
    int32_t count = 0, at = 0;
    for (int32_t k = 0; k < s->n; k++) count += slot_owner(s, k) == unit && on_table(s, k);
    const End **list = take(m, sizeof(End *) * (size_t)(count + 1));
    for (int32_t k = 0; k < s->n; k++)
        if (slot_owner(s, k) == unit && on_table(s, k)) {
            End *e = take(m, sizeof(End));
            end_of_slot(s, mode, k, e);
            reach_over(r, e);
            list[at++] = e;
        }
    *out = list;
    return count;
}

/* Fills, for each viewer, a target slot it sees or -1. */
int32_t watch_from(SCENE_ARGS, const char *packed_mode, int32_t unit_a, int32_t unit_b, const int32_t *viewers,
                   int32_t count, int32_t *seen)
{
    Scene s = SCENE;
    Mode mode = mode_of(packed_mode);
    Arena m;
    Reach r = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    const End **targets;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    End **ends = take(&m, sizeof(End *) * (size_t)(count + 1));
    for (int32_t k = 0; k < count; k++) {
        seen[k] = -1;
        ends[k] = NULL;
        if (!on_table(&s, viewers[k])) continue;
        ends[k] = take(&m, sizeof(End));
        end_of_slot(&s, &mode, viewers[k], ends[k]);
        reach_over(&r, ends[k]);
    }
    int32_t standing = ends_of_unit(&m, &s, &mode, unit_b, &targets, &r);
    if (standing > 0) {
        Obstacles all = obstacles_of(&m, &s, &mode, unit_a, unit_b);
        keep_nearby(&all, &r);
        for (int32_t k = 0; k < count; k++) {
            int32_t found = ends[k] ? seen_by(&m, &mode, ends[k], targets, standing, &all) : -1;
            if (found < 0) continue;
            const End *target = targets[found];
            seen[k] = target->slot;
            memmove(targets + 1, targets, sizeof(End *) * (size_t)found);
            targets[0] = target;
        }
    }
    arena_close(&m);
    return 0;
}

/* The first model of a unit that one eye sees, or -1. */
int32_t aims_at(SCENE_ARGS, const char *packed_mode, const char *eye, int32_t unit_b)
{
    Scene s = SCENE;
    Mode mode = mode_of(packed_mode);
    Arena m;
    End a;
    Reach r = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    const End **targets;
    Found found = {{0.0, 0.0, 0.0, 0.0}, NULL};
    int32_t answer = -1;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    if (end_of_eye(&m, &s, &mode, eye, &a)) {
        reach_over(&r, &a);
        int32_t standing = ends_of_unit(&m, &s, &mode, unit_b, &targets, &r);
        Obstacles all = obstacles_of(&m, &s, &mode, a.unit, unit_b);
        keep_nearby(&all, &r);
        for (int32_t k = 0; k < standing && answer < 0; k++)
            if (look_between(&m, &mode, &a, targets[k], &all, &found)) answer = targets[k]->slot;
    }
    arena_close(&m);
    return answer;
}

/* The first piece that a target is behind, seen from one firing model, or -1. */
static int32_t cover_from(const Scene *s, const Mode *mode, const End *a, const End *b, int32_t kinds, int32_t near,
                          int32_t tol)
{
    const Ground *g = s->ground;
    for (int32_t k = 0; k < g->pieces; k++) {
        const Piece *p = g->piece + k;
        if (!(p->kinds & kinds)) {
            if (!p->solid || listed(mode->lists, mode->ignored, mode->clear, k)) continue;
            if (is_under(a, k) || is_under(b, k)) continue;
        }
        if (!crosses_piece(g, k, (int32_t)a->x, (int32_t)a->y, (int32_t)b->x, (int32_t)b->y)) continue;
        if (!(p->kinds & kinds) && mode->heights) {
            Core few[16], *core = piece_cores(p) <= 16 ? few : malloc(sizeof(Core) * (size_t)piece_cores(p));
            if (core == NULL) return OUT_OF_MEMORY;
            cores_of_piece(g, p, core);
            int up = rises(a, b, core, piece_cores(p), (double)((int64_t)p->height * mode->eye_whole));
            if (core != few) free(core);
            if (!up) continue;
        }
        if (core_to_piece(g, b->own, b->one.n, b->one.r, p) <= (double)near + tol ||
            core_to_piece(g, a->own, a->one.n, a->one.r, p) > near)
            return k;
    }
    return -1;
}

static int32_t cover_of(const Scene *s, const Mode *mode, const End *shooters, const double *gaps, int32_t count,
                        const End *b, int32_t kinds, int32_t near, int32_t tol)
{
    const Ground *g = s->ground;
    double least = INFINITY;
    int32_t found = -1;
    for (int32_t k = 0; k < g->pieces; k++)
        if ((g->piece[k].kinds & kinds) && in_piece(g, g->piece + k, (int32_t)b->x, (int32_t)b->y)) return k;
    for (int32_t k = 0; k < count; k++)
        if (gaps[k] < least) least = gaps[k];
    for (int32_t k = 0; k < count; k++)
        if (gaps[k] <= least + TIE) {
            found = cover_from(s, mode, shooters + k, b, kinds, near, tol);
            if (found < 0) return found;
        }
    return found;
}

/* Fills the slots of a unit on the table and, for each, a piece that it is within or behind, or -1. */
int32_t covered_from(SCENE_ARGS, const char *packed_mode, const int32_t *firing, int32_t count, int32_t unit_b,
                     int32_t kinds, int32_t near, int32_t tol, int32_t *slots, int32_t *pieces)
{
    Scene s = SCENE;
    Mode mode = mode_of(packed_mode);
    Arena m;
    int32_t standing = 0, found = 0;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    End *shooters = take(&m, sizeof(End) * (size_t)(count + 1));
    double *gaps = take(&m, sizeof(double) * (size_t)(count + 1));
    for (int32_t k = 0; k < count; k++)
        if (on_table(&s, firing[k])) end_of_slot(&s, &mode, firing[k], shooters + standing++);
    for (int32_t slot = 0; slot < n; slot++) {
        if (slot_owner(&s, slot) != unit_b || !on_table(&s, slot)) continue;
        End b;
        end_of_slot(&s, &mode, slot, &b);
        for (int32_t k = 0; k < standing; k++)
            gaps[k] = convex_gap(shooters[k].own, shooters[k].one.n, b.own, b.one.n) - (shooters[k].one.r + b.one.r);
        slots[found] = slot;
        pieces[found] = cover_of(&s, &mode, shooters, gaps, standing, &b, kinds, near, tol);
        if (pieces[found++] == OUT_OF_MEMORY) {
            found = OUT_OF_MEMORY;
            break;
        }
    }
    arena_close(&m);
    return found;
}
