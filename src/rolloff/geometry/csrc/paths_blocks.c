/* Orders read, obstacles gathered, and the least distances from them. Twin: plain/blocks.py. */

/* ---- reading an order ---- */

static void move_of(Move *move, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count)
{
    memcpy(&move->t, terms, sizeof(Terms));
    move->target = terms + sizeof(Terms);
    move->way = way; move->end = end; move->units = units;
    move->barred = barred; move->barred_count = barred_count;
    move->first_target = 0; move->after_targets = INT32_MAX;
    move->aimed = 0;
    for (int32_t k = 0; k < move->t.targets; k++) {
        int32_t unit = read_i32(move->target, k);
        if (unit >= 0 && unit < 64) move->aimed |= (uint64_t)1 << unit;
    }
}

static inline int is_target(const Move *move, int32_t unit)
{
    if (unit >= 0 && unit < 64) return (int)(move->aimed >> unit & 1);
    for (int32_t k = 0; k < move->t.targets; k++)
        if (read_i32(move->target, k) == unit) return 1;
    return 0;
}

/* Notes between which slots the models of all targets are, for those who ask after them again and again. */
static void note_targets(const Scene *s, Move *move)
{
    int32_t first = 0, after = move->t.targets ? s->n : 0;
    while (first < after && !is_target(move, slot_owner(s, first))) first++;
    while (after > first && !is_target(move, slot_owner(s, after - 1))) after--;
    move->first_target = first; move->after_targets = after;
}

/* The least gap a code asks for; a witness keeps well inside the judge's leeway, an aim beyond any. */
static double least_gap(const Move *move, int32_t code, int level)
{
    const Terms *t = &move->t;
    if (code == GAP_FREE) return NO_LIMIT;
    if (code >= GAP_OVER) return (double)(code - GAP_OVER) + (level == BY_JUDGE ? STRICT : level == BY_WITNESS ? 1.0 : 3.0);
    if (code == GAP_CLEAR) return (double)t->touch_gap + (level == BY_JUDGE ? STRICT : level == BY_WITNESS ? 2.0 : 5.0);
    if (level == BY_AIM) return (double)code + 2.0;
    if (code == 0) return -(double)(level == BY_JUDGE ? t->overlap : t->overlap / 2);
    return (double)(code - (level == BY_JUDGE ? t->gap : t->gap / 2));
}

static double ground_gap(const Move *move, int level)
{
    if (level == BY_AIM) return 2.0;
    return -(double)(level == BY_JUDGE ? move->t.overlap : move->t.overlap / 2);
}

static inline int32_t way_code(const Move *move, int32_t unit)
{
    return unit >= 0 && unit < move->units ? read_i32(move->way, unit) : GAP_FREE;
}

static inline int32_t end_code(const Move *move, int32_t unit)
{
    return unit >= 0 && unit < move->units ? read_i32(move->end, unit) : GAP_FREE;
}

/* What the order says of a piece: 1 bars it, 2 opens it, 3 bars it to those who would end there. */
static inline int32_t barred_as(const Move *move, int32_t piece)
{
    return piece >= 0 && piece < move->barred_count ? move->barred[piece] : 0;
}

static int bars(const Move *move, int32_t piece, int32_t kinds)
{
    int32_t flag = barred_as(move, piece);
    return flag == 1 || flag == 3 || (flag != 2 && (kinds & move->t.impassable));
}

/* ---- obstacles ---- */

static void blocks_free(Blocks *b)
{
    free(b->block);
    b->block = NULL;
}

/* Room for every model and every convex part, these so many times; a part may gain four corners from the mover's core. */
static int blocks_room(const Scene *s, Blocks *b, int32_t times)
{
    const Ground *g = s->ground;
    b->count = b->used = b->nears = b->avoid = 0;
    b->room = s->n + times * g->blocks;
    b->points_room = 8 * s->n + times * (g->block_corners + 4 * g->blocks);
    size_t room = (size_t)b->room + 1;
    b->block = malloc(room * (sizeof(Block) + sizeof(Near)) + ((size_t)b->points_room + 1) * 2 * sizeof(int32_t));
    if (!b->block) return 0;
    b->near = (Near *)(b->block + room);
    b->points = (int32_t *)(b->near + room);
    return 1;
}

/* The box of a mover's core; none to speak of for a round one, wherever it stands. */
static Box core_box(const Stand *core)
{
    Box b = {0, 0, 0, 0};
    if (core->corners <= 1) return b;
    b.left = b.right = core->px[0]; b.bottom = b.top = core->py[0];
    for (int32_t c = 1; c < core->corners; c++) widen(&b, core->px[c], core->py[c]);
    return b;
}

/* The box of a polygon. */
static Box box_of(const int32_t *pt, int32_t m)
{
    Box b = {pt[0], pt[1], pt[0], pt[1]};
    for (int32_t c = 1; c < m; c++) widen(&b, pt[2 * c], pt[2 * c + 1]);
    return b;
}

/* Adds a polygon with its box, grown by the mover's core and that one's box, unless what comes of it (grown by `far`) misses
 * the region. The box of a sum is the sum of the boxes: what lies too far off is never summed. */
static Block *block_add(Blocks *b, const int32_t *pt, int32_t m, Box box, const Stand *core, Box wide, int keep_points, int32_t r,
                        const Box *region, double far)
{
    Block *k = b->block + b->count;
    box.left += wide.left; box.right += wide.right; box.bottom += wide.bottom; box.top += wide.top;
    far += r;
    if (box.left - far > region->right || box.right + far < region->left || box.bottom - far > region->top
        || box.top + far < region->bottom) return NULL;
    if (core->corners > 1 || keep_points) {
        int32_t *out = b->points + 2 * (size_t)b->used;
        int32_t core_pt[8];
        for (int32_t c = 0; c < core->corners; c++) { core_pt[2 * c] = core->px[c]; core_pt[2 * c + 1] = core->py[c]; }
        if (core->corners > 1) m = convex_sum(pt, m, core_pt, core->corners, out);
        else memcpy(out, pt, (size_t)m * 2 * sizeof(int32_t));
        pt = out;
    }
    k->m = m; k->pt = pt; k->r = r; k->unit = k->slot = k->piece = -1;
    k->left = box.left; k->bottom = box.bottom; k->right = box.right; k->top = box.top;
    if (pt == b->points + 2 * (size_t)b->used) b->used += m;
    b->count++;
    return k;
}

/* Adds a round model as a mover with a round base sees it. */
static void block_add_disc(Blocks *b, int32_t x, int32_t y, int32_t r, int32_t unit, int32_t slot, const Box *region, double far)
{
    Block *k = b->block + b->count;
    int32_t *pt = b->points + 2 * (size_t)b->used;
    far += r;
    if (x - far > region->right || x + far < region->left || y - far > region->top || y + far < region->bottom) return;
    pt[0] = x; pt[1] = y;
    k->m = 1; k->pt = pt; k->r = r; k->unit = unit; k->slot = slot; k->piece = -1;
    k->left = k->right = x; k->bottom = k->top = y;
    b->used++;
    b->count++;
}

static void core_at(Stand *core, int32_t hl, int32_t hw, int32_t facing)
{
    stand_at(core, 0, 0, facing, hl, hw, 0, 0);
}

static void base_points(const Stand *b, int32_t *pt)
{
    for (int32_t c = 0; c < b->corners; c++) { pt[2 * c] = b->px[c]; pt[2 * c + 1] = b->py[c]; }
}

/* Models of other units that matter to an order, near a region of centres. */
static void blocks_of_models(const Scene *s, const Move *move, const Stand *core, int32_t r, const Box *region,
                             int targets_only, Blocks *b)
{
    int32_t wide = 0;
    for (int32_t c = 0; c < core->corners; c++) {
        if (abs(core->px[c]) > wide) wide = abs(core->px[c]);
        if (abs(core->py[c]) > wide) wide = abs(core->py[c]);
    }
    Box about = core_box(core);
    int32_t asked = -1;
    double asked_far = 0.0, left = region->left, bottom = region->bottom, right = region->right, top = region->top;
    for (int32_t j = 0; j < s->n; j++) {
        int32_t unit = slot_owner(s, j), x = slot_x(s, j), y = slot_y(s, j);
        if (unit == move->t.unit || x == NOWHERE) continue;
        double far = 1e9;
        if (targets_only) {
            if (!is_target(move, unit)) continue;
        } else {
            if (unit != asked) { /* models of a unit mostly stand together in the list */
                double w = least_gap(move, way_code(move, unit), BY_AIM), e = least_gap(move, end_code(move, unit), BY_AIM);
                asked = unit;
                asked_far = (w > e ? w : e) + r;
            }
            far = asked_far;
            if (far < -1e9) continue;
        }
        int32_t hl = read_i32(s->shape, 4 * j), hw = read_i32(s->shape, 4 * j + 1);
        int32_t round = read_i32(s->shape, 4 * j + 2);
        double off = far + (double)(round + hl + hw + wide + 2), at_x = x, at_y = y;
        if (at_x - off > right || at_x + off < left || at_y - off > top || at_y + off < bottom) continue;
        if (core->corners == 1 && (hl | hw) == 0) { /* both round, as most are */
            block_add_disc(b, x, y, round, unit, j, region, far);
            continue;
        }
        Stand other;
        int32_t pt[8] = {0};
        stand_of(s, j, &other);
        base_points(&other, pt);
        Block *k = block_add(b, pt, other.corners, box_of(pt, other.corners), core, about, 1, other.r, region, far);
        if (k) { k->unit = unit; k->slot = j; }
    }
}

/* Terrain pieces of some kinds, part by part. */
static void blocks_of_pieces(const Scene *s, const Move *move, const Stand *core, int32_t r, const Box *region,
                             int32_t kinds, Blocks *b)
{
    const Ground *g = s->ground;
    Box about = core_box(core);
    double far = r + 2.0;
    double left = (double)region->left - about.right - far, right = (double)region->right - about.left + far;
    double bottom = (double)region->bottom - about.top - far, top = (double)region->top - about.bottom + far;
    for (int32_t p = 0; p < g->pieces; p++) {
        const Piece *piece = g->piece + p;
        if (piece->left > right || piece->right < left || piece->bottom > top || piece->top < bottom) continue;
        if (kinds == 0 ? !bars(move, p, piece->kinds) : !(piece->kinds & kinds)) continue;
        if (piece->r > 0) {
            int32_t pt[2] = {piece->x, piece->y};
            Box at = {piece->x, piece->y, piece->x, piece->y};
            Block *k = block_add(b, pt, 1, at, core, about, 1, piece->r, region, far);
            if (k) k->piece = p;
            continue;
        }
        for (int32_t q = 0; q < piece->parts; q++) {
            const Part *part = g->part + piece->first_part + q;
            Box at = {part->left, part->bottom, part->right, part->top};
            const int32_t *pt = g->points + 2 * (size_t)part->first_point;
            Block *k = block_add(b, pt, part->corners, at, core, about, 0, 0, region, far);
            if (k) k->piece = p;
        }
    }
}

static inline int misses(const Fence *f, double left, double bottom, double right, double top)
{
    return right < f->left || left > f->right || top < f->bottom || bottom > f->top;
}

/* The index of the first block a leg comes too close to, or -1; fences by block. */
static int32_t leg_hit(const Blocks *b, const Fence *fence, double x0, double y0, double x1, double y1)
{
    double left = x0 < x1 ? x0 : x1, right = x0 < x1 ? x1 : x0, bottom = y0 < y1 ? y0 : y1, top = y0 < y1 ? y1 : y0;
    for (int32_t k = 0; k < b->count; k++) {
        if (misses(fence + k, left, bottom, right, top)) continue;
        if (comes_closer(b->block[k].pt, b->block[k].m, x0, y0, x1, y1, fence[k].d)) return k;
    }
    return -1;
}

/* All blocks a leg comes too close to. A shorter leg in the same direction need only be tested against these. */
static int32_t leg_hits(const Blocks *b, const Fence *fence, double x0, double y0, double x1, double y1, int32_t *out)
{
    double left = x0 < x1 ? x0 : x1, right = x0 < x1 ? x1 : x0, bottom = y0 < y1 ? y0 : y1, top = y0 < y1 ? y1 : y0;
    int32_t count = 0;
    for (int32_t k = 0; k < b->count; k++) {
        if (misses(fence + k, left, bottom, right, top)) continue;
        if (comes_closer(b->block[k].pt, b->block[k].m, x0, y0, x1, y1, fence[k].d)) out[count++] = k;
    }
    return count;
}

/* Whether a leg comes too close to one of some blocks. */
static int leg_hits_any(const Blocks *b, const Fence *fence, const int32_t *some, int32_t count, double x0, double y0, double x1,
                        double y1)
{
    for (int32_t k = 0; k < count; k++) {
        const Block *o = b->block + some[k];
        if (comes_closer(o->pt, o->m, x0, y0, x1, y1, fence[some[k]].d)) return 1;
    }
    return 0;
}

/* Draws the box of a fence at its distance. */
static inline void draw_fence(const Block *o, Fence *f)
{
    f->left = o->left - f->d; f->bottom = o->bottom - f->d; f->right = o->right + f->d; f->top = o->top + f->d;
}

/* Notes what a model that starts at x, y, with the core the blocks were grown by, is nearer to than it may be: units
 * (MOVE-5) and, for witnesses, which keep further off than the judge asks, barred ground. */
static void note_near(const Move *move, Blocks *b, int32_t r, int32_t x, int32_t y, int level)
{
    int32_t asked = -1;
    double w = NO_LIMIT, e = NO_LIMIT;
    b->nears = 0;
    for (int32_t k = 0; k < b->count && k < b->avoid; k++) {
        const Block *o = b->block + k;
        double sum = (double)(r + o->r);
        if (o->unit < 0) {
            if (level == BY_JUDGE) continue;
            w = e = ground_gap(move, level);
            asked = -1;
        } else if (o->unit != asked) { /* models of a unit mostly stand together in the list */
            asked = o->unit;
            w = least_gap(move, way_code(move, asked), level);
            e = least_gap(move, end_code(move, asked), level);
        }
        double most = sum + (w > e ? w : e);
        if (x < o->left - most || x > o->right + most || y < o->bottom - most || y > o->top + most) continue;
        double g = core_distance(o->pt, o->m, x, y) - sum;
        if (g >= w && g >= e) continue;
        Near near = {o->unit, o->piece, g};
        b->near[b->nears++] = near;
    }
}

/* Lowers the limits of what was noted: a gap that is too small already may not shrink. */
static void lower_limits(const Move *move, const Blocks *b, const Near *near, int32_t r, int level, Fence *way, Fence *end)
{
    const Terms *t = &move->t;
    double slack = level == BY_JUDGE ? t->gap : t->gap / 2, w, e;
    if (near->unit < 0) {
        double least = ground_gap(move, BY_JUDGE), low = near->g - 1.0 > least ? near->g - 1.0 : least;
        for (int32_t j = 0; j < b->avoid && j < b->count; j++) {
            const Block *q = b->block + j;
            if (q->unit >= 0 || q->piece != near->piece) continue;
            if ((double)(r + q->r) + low < way[j].d) way[j].d = (double)(r + q->r) + low;
            if ((double)(r + q->r) + low < end[j].d) end[j].d = (double)(r + q->r) + low;
        }
        return;
    }
    w = least_gap(move, way_code(move, near->unit), level);
    e = least_gap(move, end_code(move, near->unit), level);
    for (int32_t j = 0; j < b->count; j++) {
        const Block *q = b->block + j;
        if (q->unit != near->unit) continue;
        double low = (double)(r + q->r) + near->g - slack;
        if (near->g < w && low < way[j].d) way[j].d = low;
        if (t->tolerant && near->g < e && low < end[j].d) end[j].d = low;
    }
}

/* Least distances of the centre of a base of radius r from each block, on the way and at the end, lowered by what was
 * noted near the start. */
static void limits_of(const Move *move, const Blocks *b, int32_t r, int level, Fence *way, Fence *end)
{
    const Terms *t = &move->t;
    int32_t asked = -1;
    double w = NO_LIMIT, e = NO_LIMIT;
    for (int32_t k = 0; k < b->count; k++) {
        const Block *o = b->block + k;
        double sum = (double)(r + o->r);
        if (o->unit < 0) {
            end[k].d = sum + ground_gap(move, level);
            way[k].d = t->through || barred_as(move, o->piece) == 3 ? NO_LIMIT : end[k].d;
            if (k >= b->avoid) way[k].d = end[k].d = sum - t->touch;
            continue;
        }
        if (o->unit != asked) { /* models of a unit mostly stand together in the list */
            asked = o->unit;
            w = least_gap(move, way_code(move, asked), level);
            e = least_gap(move, end_code(move, asked), level);
        }
        way[k].d = w > NO_LIMIT ? sum + w : NO_LIMIT;
        end[k].d = e > NO_LIMIT ? sum + e : NO_LIMIT;
    }
    for (int32_t k = 0; k < b->nears; k++) lower_limits(move, b, b->near + k, r, level, way, end);
    for (int32_t k = 0; k < b->count; k++) {
        draw_fence(b->block + k, way + k);
        draw_fence(b->block + k, end + k);
    }
}

/* The limits of a model that starts at x, y. */
static void limits_at(const Move *move, Blocks *b, int32_t r, int32_t x, int32_t y, int level, Fence *way, Fence *end)
{
    note_near(move, b, r, x, y, level);
    limits_of(move, b, r, level, way, end);
}
