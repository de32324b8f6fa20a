/* Exact sight over a scene: the compiled twin of plain_sight.py, step for step. */

#define TIE 1e-6
#define TRIES 4
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

/* Some ends of sight lines. */
typedef struct {
    const End **end;
    int32_t n;
} Group;

static int between_all(const Mode *mode, const Group *viewers, const Group *targets, const Obstacle *o)
{
    for (int32_t i = 0; i < viewers->n; i++)
        for (int32_t k = 0; k < targets->n; k++)
            if (!aside(viewers->end[i], targets->end[k], o) && !stands_up(viewers->end[i], targets->end[k], o, mode))
                return 0;
    return 1;
}

static Hull group_hull(Arena *m, const Frame *f, const Group *g)
{
    Form *box = take(m, sizeof(Form) * (size_t)g->n);
    for (int32_t k = 0; k < g->n; k++) frame_box(m, f, &g->end[k]->one, box + k);
    Hull h = {box, g->n};
    return h;
}

/* The direction from the middle of one group to the middle of another, in whole numbers. */
static void group_way(const Group *viewers, const Group *targets, double *wx, double *wy)
{
    const End *origin = viewers->end[0];
    double x = 0.0, y = 0.0, u = 0.0, v = 0.0;
    for (int32_t k = 0; k < targets->n; k++) {
        x = x + (targets->end[k]->x - origin->x);
        y = y + (targets->end[k]->y - origin->y);
    }
    for (int32_t k = 0; k < viewers->n; k++) {
        u = u + (viewers->end[k]->x - origin->x);
        v = v + (viewers->end[k]->y - origin->y);
    }
    *wx = x * viewers->n - u * targets->n;
    *wy = y * viewers->n - v * targets->n;
}

/* What lies wholly between two groups; the tag of a shade is the number of its obstacle. */
static Shades shades_between(Arena *m, const Frame *f, const Hull ends[2], const Obstacles *all, double right, double left)
{
    Shades shades = {NULL, 0, 0};
    for (int32_t i = 0; i < all->n; i++) {
        const Obstacle *o = all->o + i;
        Form few[8], *box = o->cores <= 8 ? few : take(m, sizeof(Form) * (size_t)o->cores);
        int fits = 1;
        for (int32_t k = 0; fits && k < o->cores; k++) {
            frame_box(m, f, o->core + k, box + k);
            fits = right <= box[k].left && box[k].right <= left;
        }
        for (int32_t k = 0; fits && k < o->cores; k++)
            if (!astray(ends, box + k)) shade_add(m, &shades, i, box[k].c, box[k].n, box[k].r, EVERYWHERE);
    }
    return shades;
}

/* Checks the obstacles a proof rests on; drops those that do not block every pair and returns whether any was. */
static int drop_wrong(const Mode *mode, const Group *viewers, const Group *targets, const Obstacles *all, Shades *shades)
{
    int32_t kept = 0, last = -1, wrong = 0, any = 0;
    char bad[MOST_PIECES + MOST_MODELS];
    for (int32_t k = 0; k < shades->count; k++) bad[shades->shade[k].tag] = 0;
    for (int32_t k = 0; k < shades->count; k++) {
        int32_t tag = shades->shade[k].tag;
        if (!shades->shade[k].used) continue;
        if (tag != last) wrong = !between_all(mode, viewers, targets, all->o + tag);
        last = tag;
        if (wrong) bad[tag] = 1;
        any |= wrong;
    }
    for (int32_t k = 0; any && k < shades->count; k++)
        if (!bad[shades->shade[k].tag]) {
            shades->shade[kept] = shades->shade[k];
            shades->shade[kept++].used = 0;
        }
    if (any) shades->count = kept;
    return any;
}

/* Whether what stands between all viewers and all targets hides every target from every viewer. */
static int all_hidden(Arena *m, const Mode *mode, const Group *viewers, const Group *targets, const Obstacles *all)
{
    Mark mark = arena_mark(m);
    double wx, wy, least, right, left, most, line[2];
    int hidden = 0;
    group_way(viewers, targets, &wx, &wy);
    if (wx == 0.0 && wy == 0.0) return 0;
    Frame f = frame_along(viewers->end[0]->x, viewers->end[0]->y, wx, wy);
    Hull ends[2] = {group_hull(m, &f, viewers), group_hull(m, &f, targets)};
    hull_reach(ends, &least, &right);
    hull_reach(ends + 1, &left, &most);
    if (!(right + mode->contact * f.scale >= left)) {
        Shades shades = shades_between(m, &f, ends, all, right, left);
        double width = (mode->margin - TOUCH) * f.scale;
        for (int32_t tries = 0; tries < TRIES && !hidden; tries++) {
            if (search(m, ends, &shades, 0.0, EVERYWHERE, width, line)) break;
            hidden = !drop_wrong(mode, viewers, targets, all, &shades);
        }
    }
    arena_back(m, mark);
    return hidden;
}

static int32_t seen_by(Arena *m, const Mode *mode, const End *a, const Group *targets, const Obstacles *all)
{
    Found found = {{0.0, 0.0, 0.0, 0.0}, NULL};
    Group viewer = {&a, 1}, rest = {targets->end + 1, targets->n - 1};
    for (int32_t k = 0; k < targets->n; k++) {
        if (look_between(m, mode, a, targets->end[k], all, &found)) return k;
        if (k == 0 && targets->n > 1 && all_hidden(m, mode, &viewer, &rest, all)) return -1;
    }
    return -1;
}

static void circle_of(const Group *g, double *cx, double *cy, double *far)
{
    double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
    for (int32_t k = 0; k < g->n; k++) {
        const End *e = g->end[k];
        if (e->x < left) left = e->x;
        if (e->x > right) right = e->x;
        if (e->y < bottom) bottom = e->y;
        if (e->y > top) top = e->y;
    }
    *cx = (left + right) / 2.0;
    *cy = (bottom + top) / 2.0;
    *far = 0.0;
    for (int32_t k = 0; k < g->n; k++) {
        double dx = g->end[k]->x - *cx, dy = g->end[k]->y - *cy, d = sqrt(dx * dx + dy * dy) + g->end[k]->far;
        if (d > *far) *far = d;
    }
}

/* Keeps the obstacles near enough to meet a line between two groups. */
static void keep_nearby(Obstacles *all, const Group *viewers, const Group *targets)
{
    double ax, ay, a_far, bx, by, b_far;
    int32_t kept = 0;
    circle_of(viewers, &ax, &ay, &a_far);
    circle_of(targets, &bx, &by, &b_far);
    double far = a_far > b_far ? a_far : b_far;
    for (int32_t k = 0; k < all->n; k++) {
        const Obstacle *o = all->o + k;
        if (point_to_edge(o->x, o->y, ax, ay, bx, by) < (o->far + far) * (o->far + far)) all->o[kept++] = *o;
    }
    all->n = kept;
}

static Group group_of(Arena *m, const Scene *s, const Mode *mode, int32_t unit)
{
    int32_t count = 0;
    for (int32_t k = 0; k < s->n; k++) count += slot_owner(s, k) == unit && on_table(s, k);
    Group g = {take(m, sizeof(End *) * (size_t)(count + 1)), 0};
    for (int32_t k = 0; k < s->n; k++)
        if (slot_owner(s, k) == unit && on_table(s, k)) {
            End *e = take(m, sizeof(End));
            end_of_slot(s, mode, k, e);
            g.end[g.n++] = e;
        }
    return g;
}

static void watch_groups(Arena *m, const Mode *mode, const Group *standing, const int32_t *places, Group *targets,
                         const Obstacles *all, int32_t *seen)
{
    int tried = 0;
    for (int32_t k = 0; k < standing->n; k++) {
        int32_t found = seen_by(m, mode, standing->end[k], targets, all);
        if (found >= 0) {
            const End *target = targets->end[found];
            seen[places[k]] = target->slot;
            memmove(targets->end + 1, targets->end, sizeof(End *) * (size_t)found);
            targets->end[0] = target;
        } else if (!tried && k + 1 < standing->n) {
            Group rest = {standing->end + k + 1, standing->n - k - 1};
            tried = 1;
            if (all_hidden(m, mode, &rest, targets, all)) return;
        }
    }
}

/* Fills, for each viewer, a target slot it sees or -1. */
int32_t watch_from(SCENE_ARGS, const char *packed_mode, int32_t unit_a, int32_t unit_b, const int32_t *viewers,
                   int32_t count, int32_t *seen)
{
    Scene s = SCENE;
    Mode mode = mode_of(packed_mode);
    Arena m;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    Group standing = {take(&m, sizeof(End *) * (size_t)(count + 1)), 0}, targets = group_of(&m, &s, &mode, unit_b);
    int32_t *places = take(&m, sizeof(int32_t) * (size_t)(count + 1));
    for (int32_t k = 0; k < count; k++) {
        seen[k] = -1;
        if (!on_table(&s, viewers[k])) continue;
        End *e = take(&m, sizeof(End));
        end_of_slot(&s, &mode, viewers[k], e);
        places[standing.n] = k;
        standing.end[standing.n++] = e;
    }
    if (standing.n > 0 && targets.n > 0) {
        Obstacles all = obstacles_of(&m, &s, &mode, unit_a, unit_b);
        keep_nearby(&all, &standing, &targets);
        watch_groups(&m, &mode, &standing, places, &targets, &all, seen);
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
    Found found = {{0.0, 0.0, 0.0, 0.0}, NULL};
    int32_t answer = -1;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    Group targets = group_of(&m, &s, &mode, unit_b);
    if (end_of_eye(&m, &s, &mode, eye, &a) && targets.n > 0) {
        const End *one = &a;
        Group viewer = {&one, 1};
        Obstacles all = obstacles_of(&m, &s, &mode, a.unit, unit_b);
        keep_nearby(&all, &viewer, &targets);
        for (int32_t k = 0; k < targets.n && answer < 0; k++)
            if (look_between(&m, &mode, &a, targets.end[k], &all, &found)) answer = targets.end[k]->slot;
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
