/* How far models are from others in plan and in height: the compiled twin of plain/spans.py, step for step. */

#define SPAN_NEAR 1
#define SPAN_TOUCHES 2

static inline int32_t tall(const char *bodies, int32_t slot)
{
    int32_t height = read_i32(bodies, slot);
    return height < 0 ? -1 - height : height;
}

/* What the nearest of some models is no further away than, squared: a core holds its middle, no gap is wider than between those. */
static double span_bound(const Scene *s, const Body *a, int32_t za, const Body *others, const int32_t *theirs, int32_t k)
{
    double bound = INFINITY;
    for (int32_t j = 0; j < k; j++) {
        if (!on_table(s, theirs[j])) continue;
        double dx = others[j].x - a->x, dy = others[j].y - a->y, d = sqrt(dx * dx + dy * dy) - (a->r + others[j].r);
        double up = (double)za - read_i32(s->z, theirs[j]), plan = d > 0.0 ? d + 1.0 : 1.0;
        if (plan * plan + up * up < bound) bound = plan * plan + up * up;
    }
    return bound;
}

/* For each of some models the distance of the nearest of others, and behind all of those a byte for each: whether any is near or
 * touches it. Returns what any of these bytes says. */
int32_t spans_of(SCENE_ARGS, const char *over, const char *bodies, const int32_t *ours, int32_t m, const int32_t *theirs,
                 int32_t k, double flat, double rise, double touch, double *nearest)
{
    char *marks = (char *)(nearest + m);
    int32_t any = 0;
    Scene s = SCENE, hulls = SCENE;
    hulls.shape = over;
    int twice = over != shape;
    double limit = flat > touch ? flat : touch;
    if (limit < 0.0) limit = 0.0;
    Body others[MOST_MODELS], bulks[MOST_MODELS];
    int long_ones = 0;
    for (int32_t j = 0; j < k; j++)
        if (on_table(&s, theirs[j])) {
            body_of(&s, theirs[j], others + j);
            long_ones |= others[j].n > 1;
            if (twice) body_of(&hulls, theirs[j], bulks + j);
        }
    for (int32_t i = 0; i < m; i++) {
        nearest[i] = INFINITY;
        marks[i] = 0;
        if (!on_table(&s, ours[i])) continue;
        Body a, bulk;
        body_of(&s, ours[i], &a);
        if (twice) body_of(&hulls, ours[i], &bulk);
        int32_t za = read_i32(z, ours[i]), whole = read_i32(bodies, ours[i]) < 0;
        double bound = k > 1 && (long_ones || a.n > 1) ? span_bound(&s, &a, za, others, theirs, k) : INFINITY;
        for (int32_t j = 0; j < k; j++) {
            if (!on_table(&s, theirs[j])) continue;
            double dx = others[j].x - a.x, dy = others[j].y - a.y, reach = twice ? bulk.far + bulks[j].far : a.far + others[j].far;
            if (reach < a.far + others[j].far) reach = a.far + others[j].far;
            double least = sqrt(dx * dx + dy * dy) - reach - 1.0; /* that far apart at least: too far to count, mostly */
            if (least > limit && (least * least > nearest[i] || least * least > bound)) continue;
            double plan = body_gap(&a, others + j);
            if (twice) {
                double wide = body_gap(&bulk, bulks + j);
                if (wide < plan) plan = wide;
            }
            int32_t zb = read_i32(z, theirs[j]), up = za < zb ? zb - za : za - zb;
            int32_t below = tall(bodies, za <= zb ? ours[i] : theirs[j]);
            if (plan <= touch && up <= below) marks[i] |= SPAN_TOUCHES;
            if (whole || read_i32(bodies, theirs[j]) < 0) up = up > below ? up - below : 0;
            if (plan < 0.0) plan = 0.0;
            if (plan <= flat && up <= rise) marks[i] |= SPAN_NEAR;
            double far = plan * plan + (double)up * (double)up;
            if (far < nearest[i]) nearest[i] = far;
        }
        nearest[i] = sqrt(nearest[i]);
        any |= marks[i];
    }
    return any;
}

/* The distance in plan of each of some models from each of others, row by row. */
void gaps_between(SCENE_ARGS, const int32_t *ours, int32_t m, const int32_t *theirs, int32_t k, double *gaps)
{
    Scene s = SCENE;
    Body others[MOST_MODELS];
    for (int32_t j = 0; j < k; j++)
        if (on_table(&s, theirs[j])) body_of(&s, theirs[j], others + j);
    for (int32_t i = 0; i < m; i++) {
        Body a;
        int here = on_table(&s, ours[i]);
        if (here) body_of(&s, ours[i], &a);
        for (int32_t j = 0; j < k; j++)
            gaps[i * k + j] = here && on_table(&s, theirs[j]) ? body_gap(&a, others + j) : INFINITY;
    }
}

/* Who of others is closest to a model: those no further than the closest, in whole thou, and `slack`. How many, by number. */
static int32_t closest_ones(const Scene *s, const Body *a, const Body *others, const int32_t *theirs, int32_t k, double slack,
                            double *gaps, int32_t *found)
{
    double best = INFINITY;
    int32_t count = 0;
    for (int32_t j = 0; j < k; j++) {
        gaps[j] = on_table(s, theirs[j]) ? body_gap(a, others + j) : INFINITY;
        double far = gaps[j] < 0.0 ? 0.0 : gaps[j];
        if (far < best) best = far;
    }
    if (best == INFINITY) return 0;
    double limit = floor(best) + slack;
    for (int32_t j = 0; j < k; j++)
        if (gaps[j] <= limit) found[count++] = j;
    return count;
}

/* For each of some models who of others is closest to it: how many, and by number in a row. */
void closest_of(SCENE_ARGS, const int32_t *ours, int32_t m, const int32_t *theirs, int32_t k, double slack, int32_t *counts,
                int32_t *found)
{
    Scene s = SCENE;
    Body others[MOST_MODELS], a;
    double gaps[MOST_MODELS];
    for (int32_t j = 0; j < k; j++)
        if (on_table(&s, theirs[j])) body_of(&s, theirs[j], others + j);
    for (int32_t i = 0; i < m; i++) {
        counts[i] = 0;
        if (!on_table(&s, ours[i])) continue;
        body_of(&s, ours[i], &a);
        counts[i] = closest_ones(&s, &a, others, theirs, k, slack, gaps, found);
        found += counts[i];
    }
}

/* Marks those of some models that end (x, y, and a facing each) elsewhere than they stand, and not nearer by more than `slack` to
 * anybody who was closest to them. Returns how many. */
int32_t not_nearer_of(SCENE_ARGS, const char *ends, const char *turns, const int32_t *ours, int32_t m, const int32_t *theirs,
                      int32_t k, double slack, char *marks)
{
    Scene s = SCENE;
    Body others[MOST_MODELS], a, b;
    double gaps[MOST_MODELS];
    int32_t close[MOST_MODELS], many = 0;
    for (int32_t j = 0; j < k; j++)
        if (on_table(&s, theirs[j])) body_of(&s, theirs[j], others + j);
    for (int32_t i = 0; i < m; i++) {
        int32_t slot = ours[i], x = read_i32(ends, 2 * i), y = read_i32(ends, 2 * i + 1), nearer = 0;
        marks[i] = 0;
        if (!on_table(&s, slot) || (x == slot_x(&s, slot) && y == slot_y(&s, slot))) continue;
        Stand there;
        stand_at(&there, x, y, read_i16(turns, i), read_i32(shape, 4 * slot), read_i32(shape, 4 * slot + 1),
                 read_i32(shape, 4 * slot + 2), 0);
        body_of(&s, slot, &a);
        body_from(&there, &b);
        int32_t count = closest_ones(&s, &a, others, theirs, k, slack, gaps, close);
        for (int32_t q = 0; q < count && !nearer; q++) nearer = body_gap(&b, others + close[q]) < gaps[close[q]] - slack;
        marks[i] = !nearer;
        many += !nearer;
    }
    return many;
}

/* The first of some terrain pieces that lies between two models, one of ours and one of theirs, who are no further apart than some
 * limits in plan and in height; -1 without one. */
int32_t across_of(SCENE_ARGS, const int32_t *pieces, int32_t count, const int32_t *ours, int32_t m, const int32_t *theirs, int32_t k,
                  double limit, int32_t rise)
{
    Scene s = SCENE;
    Body a, b;
    for (int32_t i = 0; i < m; i++) {
        if (!on_table(&s, ours[i])) continue;
        body_of(&s, ours[i], &a);
        for (int32_t j = 0; j < k; j++) {
            if (!on_table(&s, theirs[j])) continue;
            int32_t up = read_i32(z, ours[i]) - read_i32(z, theirs[j]);
            if (up > rise || -up > rise) continue;
            body_of(&s, theirs[j], &b);
            double dx = b.x - a.x, dy = b.y - a.y, far = limit + a.far + b.far + 1.0;
            if (dx > far || -dx > far || dy > far || -dy > far || body_gap(&a, &b) > limit) continue;
            for (int32_t q = 0; q < count; q++)
                if (crosses_piece(ground, pieces[q], slot_x(&s, ours[i]), slot_y(&s, ours[i]), slot_x(&s, theirs[j]),
                                  slot_y(&s, theirs[j]))) return pieces[q];
        }
    }
    return -1;
}
