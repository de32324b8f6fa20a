/* The pathfinder: a lazy search over the corners of polygons drawn around grown shapes. Twin: plain/search.py. */

#define MOST_NODES 4000
#define MOST_STEPS 400
#define MOST_LEGS 64
#define SPOTS_TRIED 6
#define GOAL_NODE (-2)

typedef struct { int32_t x, y, block, place, parent, source, closed; double g; } Node;
typedef struct { double f; int32_t node; } Waiting;
typedef struct { double d; int32_t k; } Ranked;

typedef struct {
    const Blocks *blocks;
    double *aim;                      /* by block: where corners are drawn */
    Fence *end;                       /* by block: where ends are lawful */
    Box frame, limits;                /* centres stay in the frame, and end outside the limits */
    int limited;
} Country;

typedef struct {
    Country *land;
    int32_t sources;
    const Spot *source;
    const Fence *way;                 /* by source and block */
    int32_t goals, targets, spots;
    const Spot *goal;
    const int32_t *target;
    double most;
    Node *node;
    int32_t nodes, nodes_room;
    int32_t *first, *sizes, *stamp, *work;
    int32_t working, round, failed;
    Waiting *heap;
    int32_t waiting, heap_room;
    Spot *spot;
    int8_t *spot_ok;
    Ranked *ranked;
} Hunt;

static int grow(void **array, int32_t *room, int32_t need, size_t size)
{
    if (need <= *room) return 1;
    int32_t wide = *room ? *room * 2 : 256;
    while (wide < need) wide *= 2;
    void *more = realloc(*array, (size_t)wide * size);
    if (!more) return 0;
    *array = more; *room = wide;
    return 1;
}

static int in_frame(const Country *c, int32_t x, int32_t y)
{
    return c->frame.left <= x && x <= c->frame.right && c->frame.bottom <= y && y <= c->frame.top;
}

static int may_stand(const Country *c, int32_t x, int32_t y)
{
    if (!in_frame(c, x, y)) return 0;
    if (c->limited && c->limits.left < x && x < c->limits.right && c->limits.bottom < y && y < c->limits.top) return 0;
    return leg_hit(c->blocks, c->end, x, y, x, y) < 0;
}

static int32_t new_node(Hunt *h, int32_t x, int32_t y, int32_t block, int32_t place)
{
    if (!grow((void **)&h->node, &h->nodes_room, h->nodes + 1, sizeof(Node))) { h->failed = 1; return 0; }
    Node made = {x, y, block, place, -1, -1, 0, 1e18};
    h->node[h->nodes] = made;
    return h->nodes++;
}

static double to_go(const Hunt *h, int32_t x, int32_t y)
{
    double best = 1e18;
    for (int32_t k = 0; k < h->goals; k++) {
        double dx = (double)x - h->goal[k].x, dy = (double)y - h->goal[k].y, d = sqrt(dx * dx + dy * dy);
        if (d < best) best = d;
    }
    for (int32_t k = 0; k < h->targets; k++) {
        const Block *b = h->land->blocks->block + h->target[k];
        double d = core_distance(b->pt, b->m, x, y) - h->land->aim[h->target[k]];
        if (d < best) best = d;
    }
    return best > 0.0 ? best : 0.0;
}

static int sooner(const Waiting *a, const Waiting *b) { return a->f < b->f || (a->f == b->f && a->node < b->node); }

static void push(Hunt *h, double f, int32_t node)
{
    if (!grow((void **)&h->heap, &h->heap_room, h->waiting + 1, sizeof(Waiting))) { h->failed = 1; return; }
    Waiting w = {f, node};
    int32_t k = h->waiting++;
    while (k > 0 && sooner(&w, h->heap + (k - 1) / 2)) { h->heap[k] = h->heap[(k - 1) / 2]; k = (k - 1) / 2; }
    h->heap[k] = w;
}

static Waiting pop(Hunt *h)
{
    Waiting top = h->heap[0], last = h->heap[--h->waiting];
    int32_t k = 0;
    for (;;) {
        int32_t c = 2 * k + 1;
        if (c >= h->waiting) break;
        if (c + 1 < h->waiting && sooner(h->heap + c + 1, h->heap + c)) c++;
        if (!sooner(h->heap + c, &last)) break;
        h->heap[k] = h->heap[c];
        k = c;
    }
    h->heap[k] = last;
    return top;
}

static void reach_node(Hunt *h, int32_t node, double g, int32_t parent, int32_t source, double rest)
{
    h->node[node].g = g; h->node[node].parent = parent; h->node[node].source = source;
    push(h, g + rest, node);
}

static int32_t in_the_way(const Hunt *h, int32_t v, int32_t x, int32_t y)
{
    const Fence *way = h->way + (size_t)h->node[v].source * h->land->blocks->count;
    return leg_hit(h->land->blocks, way, h->node[v].x, h->node[v].y, x, y);
}

static double leg_length(const Hunt *h, int32_t v, int32_t x, int32_t y)
{
    double dx = (double)x - h->node[v].x, dy = (double)y - h->node[v].y;
    return sqrt(dx * dx + dy * dy);
}

static void add_work(Hunt *h, int32_t block)
{
    if (h->stamp[block] == h->round) return;
    h->stamp[block] = h->round;
    h->work[h->working++] = block;
}

/* Draws the polygon around a block, once. */
static int32_t draw_around(Hunt *h, int32_t b)
{
    if (h->first[b] >= 0) return h->sizes[b];
    const Block *block = h->land->blocks->block + b;
    Spot *spot = malloc((size_t)around_room(block) * sizeof(Spot));
    int32_t n = 0;
    if (!spot) { h->failed = 1; return 0; }
    n = corners_around(block, h->land->aim[b], spot);
    if (h->nodes + n > MOST_NODES) n = 0;
    h->first[b] = h->nodes; h->sizes[b] = n;
    for (int32_t k = 0; k < n; k++) new_node(h, spot[k].x, spot[k].y, b, k);
    free(spot);
    return n;
}

/* The corners around a block to try from a node: the outermost two, or neighbours when close by. */
static int32_t outermost(Hunt *h, int32_t v, int32_t b, int32_t *out)
{
    int32_t n = draw_around(h, b), first = h->first[b];
    if (n == 0 || h->failed) return 0;
    if (h->node[v].block == b) {
        int32_t k = h->node[v].place;
        out[0] = first + (k + n - 1) % n; out[1] = first + (k + 1) % n;
        return 2;
    }
    int64_t vx = h->node[v].x, vy = h->node[v].y;
    int inside = 1;
    int32_t near = 0, left = 0, right = 0;
    double near_d = -1.0;
    int64_t lx = h->node[first].x - vx, ly = h->node[first].y - vy, rx = lx, ry = ly;
    for (int32_t k = 0; k < n; k++) {
        int64_t px = h->node[first + k].x - vx, py = h->node[first + k].y - vy;
        int32_t q = first + (k + 1) % n;
        int64_t qx = h->node[q].x - vx, qy = h->node[q].y - vy;
        if (px * qy - py * qx <= 0) inside = 0;
        double d = (double)px * px + (double)py * py;
        if (near_d < 0.0 || d < near_d) { near = k; near_d = d; }
        if (lx * py - ly * px > 0) { left = k; lx = px; ly = py; }
        if (rx * py - ry * px < 0) { right = k; rx = px; ry = py; }
    }
    if (inside) {
        out[0] = first + near; out[1] = first + (near + n - 1) % n; out[2] = first + (near + 1) % n;
        return 3;
    }
    out[0] = first + left; out[1] = first + right;
    return 2;
}

/* The first node on the way to v from which a spot can be reached without the bend at v. */
static int32_t cut_bend(const Hunt *h, int32_t v, int32_t x, int32_t y)
{
    while (h->node[v].parent >= 0 && in_the_way(h, h->node[v].parent, x, y) < 0) v = h->node[v].parent;
    return v;
}

/* Goes straight to a goal (a known node, or -1 for a new one) and notes what is in the way. */
static int try_spot(Hunt *h, int32_t v, Spot p, int32_t node)
{
    if (h->node[v].g + leg_length(h, v, p.x, p.y) > h->most) return 0;
    int32_t hit = in_the_way(h, v, p.x, p.y);
    if (hit >= 0) {
        add_work(h, hit);
        return 0;
    }
    v = cut_bend(h, v, p.x, p.y);
    double g = h->node[v].g + leg_length(h, v, p.x, p.y);
    if (node < 0) node = new_node(h, p.x, p.y, GOAL_NODE, 0);
    if (!h->failed && g < h->node[node].g) reach_node(h, node, g, v, h->node[v].source, 0.0);
    return 1;
}

static int by_rank(const void *a, const void *b)
{
    const Ranked *p = a, *q = b;
    if (p->d != q->d) return p->d < q->d ? -1 : 1;
    return p->k < q->k ? -1 : p->k > q->k;
}

/* Looks at the nearest contact with each target, the closest first, then at spots around them. */
static void try_contact(Hunt *h, int32_t v)
{
    double x = h->node[v].x, y = h->node[v].y;
    for (int32_t k = 0; k < h->targets; k++) {
        const Block *b = h->land->blocks->block + h->target[k];
        h->ranked[k].d = core_distance(b->pt, b->m, x, y) - h->land->aim[h->target[k]];
        h->ranked[k].k = h->target[k];
    }
    qsort(h->ranked, (size_t)h->targets, sizeof(Ranked), by_rank);
    for (int32_t k = 0; k < h->targets; k++) {
        Spot p;
        int32_t b = h->ranked[k].k;
        if (!nearest_contact(h->land->blocks->block + b, h->land->aim[b], x, y, &p)) continue;
        if (may_stand(h->land, p.x, p.y) && try_spot(h, v, p, -1)) return;
    }
    for (int32_t k = 0; k < h->spots; k++) {
        h->ranked[k].d = leg_length(h, v, h->spot[k].x, h->spot[k].y);
        h->ranked[k].k = k;
    }
    qsort(h->ranked, (size_t)h->spots, sizeof(Ranked), by_rank);
    for (int32_t k = 0, tried = 0; k < h->spots; k++) {
        int32_t s = h->ranked[k].k;
        if (tried >= SPOTS_TRIED || h->node[v].g + h->ranked[k].d > h->most) return;
        if (h->spot_ok[s] < 0) h->spot_ok[s] = (int8_t)may_stand(h->land, h->spot[s].x, h->spot[s].y);
        if (!h->spot_ok[s]) continue;
        tried++;
        if (try_spot(h, v, h->spot[s], -1)) return;
    }
}

/* Goes straight to a corner if that may lead to a goal. Returns the number of the block in the way, -1 without one, -2
 * for a corner that was gone on from already, whose neighbours may still be reached more directly from here. */
static int32_t try_corner(Hunt *h, int32_t v, int32_t w)
{
    int32_t x = h->node[w].x, y = h->node[w].y;
    if (h->node[w].closed) return -2;
    if (!in_frame(h->land, x, y)) return -1;
    double rest = to_go(h, x, y);
    const Spot *start = h->source + h->node[v].source;
    double dx = (double)x - start->x, dy = (double)y - start->y;
    if (sqrt(dx * dx + dy * dy) + rest > h->most) return -1;
    int32_t hit = in_the_way(h, v, x, y);
    if (hit >= 0) return hit;
    v = cut_bend(h, v, x, y);
    double g = h->node[v].g + leg_length(h, v, x, y);
    if (g < h->node[w].g && g + rest <= h->most) reach_node(h, w, g, v, h->node[v].source, rest);
    return -1;
}

/* Goes on from a node: to the goals, and around whatever is in the way. */
static void expand(Hunt *h, int32_t v)
{
    h->working = 0;
    h->round++;
    if (h->targets) try_contact(h, v);
    else for (int32_t k = 0; k < h->goals; k++) try_spot(h, v, h->goal[k], h->sources + k);
    for (int32_t k = 0; k < h->working && !h->failed; k++) {
        int32_t b = h->work[k], corner[3], corners = outermost(h, v, b, corner);
        for (int32_t c = 0; c < corners; c++) {
            int32_t hit = try_corner(h, v, corner[c]), first = h->first[b], n = h->sizes[b], w = corner[c] - first;
            if (hit == -1) continue;
            if (hit >= 0) add_work(h, hit);
            try_corner(h, v, first + (w + 1) % n);
            try_corner(h, v, first + (w + n - 1) % n);
        }
    }
}

/* The way to a goal without the corners that can be cut; its points go to `out`. */
static int32_t pull_tight(const Hunt *h, int32_t goal, int32_t *out)
{
    int32_t length = 1, count = 0;
    for (int32_t v = goal; h->node[v].parent >= 0; v = h->node[v].parent) length++;
    int32_t *chain = malloc((size_t)length * sizeof(int32_t));
    if (!chain) return -2;
    for (int32_t v = goal, k = length - 1; k >= 0; v = h->node[v].parent, k--) chain[k] = v;
    const Fence *way = h->way + (size_t)h->node[goal].source * h->land->blocks->count;
    for (int32_t at = 0; at < length - 1;) {
        int32_t to = length - 1;
        for (; to > at + 1; to--) {
            const Node *a = h->node + chain[at], *b = h->node + chain[to];
            if (leg_hit(h->land->blocks, way, a->x, a->y, b->x, b->y) < 0) break;
        }
        if (count < MOST_LEGS) { out[2 * count] = h->node[chain[to]].x; out[2 * count + 1] = h->node[chain[to]].y; }
        count++;
        at = to;
    }
    free(chain);
    return count <= MOST_LEGS ? count : -1;
}

/* Runs a hunt; returns the number of points of the way, -1 without one, -2 without memory. */
static int32_t hunt(Hunt *h, int32_t *source, int32_t *out)
{
    int32_t steps = 0, total = h->land->blocks->count, room = 0;
    for (int32_t k = 0; k < h->targets; k++) room += around_room(h->land->blocks->block + h->target[k]);
    h->node = NULL; h->heap = NULL;
    h->nodes = h->nodes_room = h->waiting = h->heap_room = h->round = h->failed = h->spots = 0;
    h->first = malloc((size_t)(4 * total + 1) * sizeof(int32_t));
    h->spot = malloc((size_t)(room + 1) * sizeof(Spot));
    h->spot_ok = malloc((size_t)room + 1);
    h->ranked = malloc((size_t)(room + 1) * sizeof(Ranked));
    int32_t result = -2;
    if (h->first && h->spot && h->spot_ok && h->ranked) {
        h->sizes = h->first + total; h->stamp = h->sizes + total; h->work = h->stamp + total;
        for (int32_t k = 0; k < total; k++) { h->first[k] = -1; h->sizes[k] = 0; h->stamp[k] = 0; }
        for (int32_t k = 0; k < h->sources; k++) {
            int32_t node = new_node(h, h->source[k].x, h->source[k].y, -1, 0);
            if (!h->failed) reach_node(h, node, 0.0, -1, k, to_go(h, h->source[k].x, h->source[k].y));
        }
        for (int32_t k = 0; k < h->goals; k++) new_node(h, h->goal[k].x, h->goal[k].y, GOAL_NODE, 0);
        for (int32_t k = 0; k < h->targets; k++)
            h->spots += contact_spots(h->land->blocks->block + h->target[k], h->land->aim[h->target[k]], h->spot + h->spots);
        memset(h->spot_ok, -1, (size_t)h->spots);
        result = -1;
        while (h->waiting && steps < MOST_STEPS && !h->failed) {
            Waiting w = pop(h);
            if (w.f > h->most) break;
            if (h->node[w.node].closed) continue;
            h->node[w.node].closed = 1;
            if (h->node[w.node].block == GOAL_NODE) {
                *source = h->node[w.node].source;
                result = pull_tight(h, w.node, out);
                break;
            }
            steps++;
            expand(h, w.node);
        }
        if (h->failed) result = -2;
    }
    free(h->node); free(h->heap); free(h->first); free(h->spot); free(h->spot_ok); free(h->ranked);
    return result;
}

/* ---- what one shape of model meets ---- */

typedef struct { Blocks blocks; Country land; double *aim; Fence *end, *way; int32_t ex, ey; } Meeting;

static void meeting_free(Meeting *m)
{
    blocks_free(&m->blocks);
    free(m->aim); free(m->end);
}

/* Gathers what stands in the way of models shaped like `lead`; room for the limits of `movers` models. */
static int meeting_of(const Scene *s, const Move *move, const Member *lead, const Box *region, int avoid, int32_t movers,
                      Meeting *out)
{
    Stand core;
    const Terms *t = &move->t;
    memset(out, 0, sizeof *out);
    /* terrain may stand in the list twice: barred, and to be avoided */
    if (!blocks_room(s, &out->blocks, 2)) return 0;
    core_at(&core, lead->hl, lead->hw, lead->from.facing);
    blocks_of_models(s, move, &core, lead->r, region, 0, &out->blocks);
    blocks_of_pieces(s, move, &core, lead->r, region, 0, &out->blocks);
    out->blocks.avoid = out->blocks.count;
    if (avoid && t->difficult) blocks_of_pieces(s, move, &core, lead->r, region, t->difficult, &out->blocks);
    int32_t count = out->blocks.count;
    out->aim = malloc((size_t)(count + 1) * sizeof(double));
    out->end = malloc((size_t)(count + 1) * (1 + (size_t)movers) * sizeof(Fence));
    if (!out->aim || !out->end) return 0;
    out->way = out->end + count;
    int32_t asked = -1;
    double gap = 2.0;
    for (int32_t k = 0; k < count; k++) {
        const Block *o = out->blocks.block + k;
        if (o->unit != asked) { /* models of a unit mostly stand together in the list */
            asked = o->unit;
            gap = 2.0;
            if (asked >= 0 && !is_target(move, asked)) {
                double w = least_gap(move, way_code(move, asked), BY_AIM), e = least_gap(move, end_code(move, asked), BY_AIM);
                gap = w > NO_LIMIT ? w : e;
            }
        }
        out->aim[k] = (double)(lead->r + o->r) + gap;
    }
    extent(lead->hl, lead->hw, lead->r, lead->from.facing, &out->ex, &out->ey);
    Box frame = {out->ex, out->ey, s->ground->width - out->ex, s->ground->height - out->ey};
    Box limits = {t->x0 - out->ex, t->y0 - out->ey, t->x1 + out->ex, t->y1 + out->ey};
    Country land = {&out->blocks, out->aim, out->end, frame, limits, t->limited};
    out->land = land;
    return 1;
}

/* The shortest way of one of `who` (slots, all of one shape) to a goal, or into contact with a target; `out`: its number
 * in who, points. Returns the number of points (at most MOST_LEGS), -1 without a way, -2 without memory. */
static int32_t way_of(const Scene *s, const Move *move, const int32_t *who, int32_t whos, const char *goals, int32_t goal_count,
                      int32_t contact, int32_t most, int32_t avoid, int32_t *out)
{
    Meeting meet;
    Member lead;
    Box region = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    Spot *source = malloc((size_t)(whos + goal_count + 1) * sizeof(Spot));
    if (!source) return -2;
    Spot *goal = source + whos;
    if (goal_count) memcpy(goal, goals, (size_t)goal_count * sizeof(Spot));
    member_of(s, who[0], &lead);
    for (int32_t k = 0; k < whos; k++) {
        source[k].x = slot_x(s, who[k]); source[k].y = slot_y(s, who[k]);
        widen(&region, source[k].x - most, source[k].y - most);
        widen(&region, source[k].x + most, source[k].y + most);
    }
    int32_t result = -2, *target = NULL;
    if (meeting_of(s, move, &lead, &region, avoid, whos + 1, &meet)) {
        int32_t count = meet.blocks.count, targets = 0, open = 0;
        target = malloc((size_t)(count + 1) * sizeof(int32_t));
        for (int32_t k = whos - 1; k >= 0; k--)
            limits_at(move, &meet.blocks, lead.r, source[k].x, source[k].y, BY_WITNESS, meet.way + (size_t)k * count, meet.end);
        if (target) {
            for (int32_t k = 0; contact && k < count; k++)
                if (meet.blocks.block[k].unit >= 0 && is_target(move, meet.blocks.block[k].unit)) target[targets++] = k;
            for (int32_t k = 0; k < goal_count; k++)
                if (may_stand(&meet.land, goal[k].x, goal[k].y)) goal[open++] = goal[k];
            Hunt h = {.land = &meet.land, .sources = whos, .source = source, .way = meet.way, .goals = contact ? 0 : open,
                      .goal = goal, .targets = targets, .target = target, .most = (double)most};
            result = (contact ? targets : open) == 0 ? -1 : hunt(&h, out, out + 1);
        }
    }
    meeting_free(&meet);
    free(source); free(target);
    return result;
}

/* `way_of` for Python. */
int32_t find_way(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                 int32_t barred_count, const char *who, int32_t whos, const char *goals, int32_t goal_count, int32_t contact,
                 int32_t most, int32_t avoid, int32_t *out)
{
    Scene s = SCENE;
    Move move;
    move_of(&move, terms, way, end, units, barred, barred_count);
    int32_t *slots = malloc((size_t)(whos + 1) * sizeof(int32_t));
    if (!slots) return -2;
    for (int32_t k = 0; k < whos; k++) slots[k] = read_i32(who, k);
    int32_t result = way_of(&s, &move, slots, whos, goals, goal_count, contact, most, avoid, out);
    free(slots);
    return result;
}
