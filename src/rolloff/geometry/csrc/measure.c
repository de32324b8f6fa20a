/* Distances: the compiled twin of plain/measure.py, step for step.
 *
 * Corners are whole thou held in doubles. A convex core is an array of x, y pairs, counter-clockwise.
 */

#define SLIVER 1e-9
#define FOOT_WHOLLY 1
#define FOOT_IN 2
#define FOOT_NEAR 4

typedef struct {
    double x, y, r, far;
    int32_t n;
    double c[8];
} Body;

static void body_from(const Stand *at, Body *b)
{
    b->x = at->x; b->y = at->y; b->r = at->r; b->n = at->corners;
    for (int32_t k = 0; k < at->corners; k++) {
        b->c[2 * k] = at->px[k];
        b->c[2 * k + 1] = at->py[k];
    }
    b->far = at->corners == 1 ? at->r : stand_reach(at);
}

static void body_of(const Scene *s, int32_t slot, Body *b)
{
    if ((read_i32(s->shape, 4 * slot) | read_i32(s->shape, 4 * slot + 1)) == 0) { /* round, as most are */
        b->x = b->c[0] = slot_x(s, slot); b->y = b->c[1] = slot_y(s, slot);
        b->r = b->far = read_i32(s->shape, 4 * slot + 2);
        b->n = 1;
        return;
    }
    Stand at;
    stand_of(s, slot, &at);
    body_from(&at, b);
}

static double point_to_edge(double px, double py, double ax, double ay, double bx, double by)
{
    double ex = bx - ax, ey = by - ay, qx = px - ax, qy = py - ay;
    double dot = qx * ex + qy * ey;
    if (dot <= 0.0) return qx * qx + qy * qy;
    double span = ex * ex + ey * ey;
    if (dot >= span) {
        qx = px - bx; qy = py - by;
        return qx * qx + qy * qy;
    }
    double turn = qx * ey - qy * ex;
    return turn * turn / span;
}

/* The largest separation of b from a along the normals of a's edges. */
static double apart_by(const double *a, int32_t na, const double *b, int32_t nb)
{
    double best = -INFINITY;
    if (na < 2) return best;
    for (int32_t k = 0; k < na; k++) {
        int32_t q = k + 1 == na ? 0 : k + 1;
        double px = a[2 * k], py = a[2 * k + 1];
        double ex = a[2 * q] - px, ey = a[2 * q + 1] - py, least = INFINITY;
        for (int32_t m = 0; m < nb; m++) {
            double d = (b[2 * m + 1] - py) * -ex + (b[2 * m] - px) * ey;
            if (d < least) least = d;
        }
        least = least / sqrt(ex * ex + ey * ey);
        if (least > best) best = least;
    }
    return best;
}

/* Whether some edge of a has all of b strictly on its outer side. */
static int lies_outside(const double *a, int32_t na, const double *b, int32_t nb)
{
    for (int32_t k = 0; k < na && na > 1; k++) {
        int32_t q = k + 1 == na ? 0 : k + 1, m = 0;
        double px = a[2 * k], py = a[2 * k + 1], ex = a[2 * q] - px, ey = a[2 * q + 1] - py;
        while (m < nb && (b[2 * m + 1] - py) * -ex + (b[2 * m] - px) * ey > 0.0) m++;
        if (m == nb) return 1;
    }
    return 0;
}

static double corners_to_edges(const double *a, int32_t na, const double *b, int32_t nb, double best)
{
    for (int32_t k = 0; k < na; k++)
        for (int32_t m = 0; m < nb; m++) {
            int32_t q = m == 0 ? nb - 1 : m - 1;
            double d = point_to_edge(a[2 * k], a[2 * k + 1], b[2 * q], b[2 * q + 1], b[2 * m], b[2 * m + 1]);
            if (d < best) best = d;
        }
    return best;
}

/* What `corners_to_edges` finds both ways between a point and a core, in one pass over its edges; below 0 if none has the point
 * on its outer side, so that it may lie inside. */
static double point_to_core(double px, double py, const double *b, int32_t nb)
{
    double ax = b[2 * nb - 2], ay = b[2 * nb - 1], qx = px - ax, qy = py - ay, best = INFINITY;
    int outside = 0;
    for (int32_t k = 0; k < nb; k++) {
        double bx = b[2 * k], by = b[2 * k + 1], ex = bx - ax, ey = by - ay, wx = px - bx, wy = py - by;
        double turn = qx * ey - qy * ex, dot = qx * ex + qy * ey, span = ex * ex + ey * ey, d = wx * wx + wy * wy;
        if (turn > 0.0) outside = 1;
        if (d < best) best = d;
        if (dot > 0.0 && dot < span && turn * turn / span < best) best = turn * turn / span;
        ax = bx; ay = by; qx = wx; qy = wy;
    }
    return outside ? best : -1.0;
}

/* Distance of two convex cores; when they overlap, minus the least shift that parts them. */
static double convex_gap(const double *a, int32_t na, const double *b, int32_t nb)
{
    if (na == 1 && nb == 1) {
        double dx = b[0] - a[0], dy = b[1] - a[1];
        return sqrt(dx * dx + dy * dy);
    }
    if (na == 1 || nb == 1) {
        double far = na == 1 ? point_to_core(a[0], a[1], b, nb) : point_to_core(b[0], b[1], a, na);
        if (far >= 0.0) return sqrt(far);
    }
    if (!lies_outside(a, na, b, nb) && !lies_outside(b, nb, a, na)) {
        double apart = apart_by(a, na, b, nb), other = apart_by(b, nb, a, na);
        if (other > apart) apart = other;
        if (apart < 0.0 || (apart == 0.0 && (na > 2 || nb > 2))) return apart;
    }
    double best = corners_to_edges(a, na, b, nb, INFINITY);
    return sqrt(corners_to_edges(b, nb, a, na, best));
}

static double body_gap(const Body *a, const Body *b)
{
    if (a->n == 1 && b->n == 1) {
        double dx = b->x - a->x, dy = b->y - a->y;
        return sqrt(dx * dx + dy * dy) - (a->r + b->r);
    }
    return convex_gap(a->c, a->n, b->c, b->n) - (a->r + b->r);
}

double gap_of(SCENE_ARGS, int32_t i, int32_t j)
{
    Scene s = SCENE;
    Body a, b;
    if (!on_table(&s, i) || !on_table(&s, j)) return INFINITY;
    body_of(&s, i, &a);
    body_of(&s, j, &b);
    return body_gap(&a, &b);
}

/* A base that would stand around another: its core without a place, that other, and how far off it touches at least and at most. */
typedef struct {
    Stand core;
    Body enemy;
    int32_t close, wide, hulls;
} Contacts;

static void contacts_of(const Scene *s, int32_t slot, int32_t enemy, Contacts *c)
{
    int32_t who[2] = {slot, enemy};
    body_of(s, enemy, &c->enemy);
    stand_at(&c->core, 0, 0, read_i16(s->facing, slot), read_i32(s->shape, 4 * slot), read_i32(s->shape, 4 * slot + 1),
             read_i32(s->shape, 4 * slot + 2), 0);
    c->close = c->wide = c->hulls = 0;
    for (int32_t k = 0; k < 2; k++) {
        int32_t hl = read_i32(s->shape, 4 * who[k]), hw = read_i32(s->shape, 4 * who[k] + 1), r = read_i32(s->shape, 4 * who[k] + 2);
        c->close += r;
        c->wide += hl + hw + r;
        c->hulls |= hl | hw;
    }
}

/* The least distance in one direction from a base's middle at which another, facing as it does, no longer overlaps it. A gap is
 * wider or narrower elsewhere by no more than one goes there: where that settles it nothing is measured. */
static int32_t touching_distance(const Contacts *c, int32_t heading)
{
    int32_t low = 0, high = c->wide;
    double inside = 0.0, outside = 1e18, slack = 4.0; /* more than any rounding */
    Body b = {.r = c->core.r, .n = c->core.corners};
    while (high - low > 1) {
        int32_t middle = (low + high) / 2, dx, dy;
        if (middle < inside) { low = middle; continue; }
        if (middle > outside) { high = middle; continue; }
        turned(middle, 0, heading, &dx, &dy);
        b.x = c->enemy.x + dx; b.y = c->enemy.y + dy;
        for (int32_t k = 0; k < b.n; k++) { b.c[2 * k] = b.x + c->core.px[k]; b.c[2 * k + 1] = b.y + c->core.py[k]; }
        double gap = body_gap(&b, &c->enemy);
        if (gap < 0.0) {
            low = middle;
            if (middle - gap - slack > inside) inside = middle - gap - slack;
        } else {
            high = middle;
            if (middle - gap + slack < outside) outside = middle - gap + slack;
        }
    }
    return high;
}

/* The place in one direction at which a base would touch another. */
static void contact_at(const Contacts *c, int32_t heading, int32_t *x, int32_t *y)
{
    int32_t dx, dy;
    turned(c->hulls ? touching_distance(c, heading) : c->close, 0, heading, &dx, &dy);
    *x = (int32_t)c->enemy.x + dx;
    *y = (int32_t)c->enemy.y + dy;
}

/* Whether no place in one direction is nearer to a point than a distance. */
static int contact_beyond(const Contacts *c, int32_t heading, int32_t x, int32_t y, double most)
{
    double ux = (double)cosine(heading) / 1073741824.0, uy = (double)sine(heading) / 1073741824.0;
    double vx = x - c->enemy.x, vy = y - c->enemy.y, along = vx * ux + vy * uy;
    double far = (most < 0.0 ? -most : most) + 4.0; /* more than any rounding */
    if (along < c->close) along = c->close;
    if (along > c->wide) along = c->wide;
    vx -= along * ux; vy -= along * uy;
    return vx * vx + vy * vy > far * far;
}

/* Fills x, y of the places around a base at which another, facing as it does, would touch it. */
void contacts_around(SCENE_ARGS, int32_t slot, int32_t enemy, int32_t places, int32_t *out)
{
    Scene s = SCENE;
    Contacts c;
    contacts_of(&s, slot, enemy, &c);
    for (int32_t k = 0; k < places; k++) contact_at(&c, 3600 * k / places, out + 2 * k, out + 2 * k + 1);
}

/* A place for a model, and how far from where it stands. */
typedef struct { double far; int32_t x, y; } Nearby;

static int nearer_place(const void *one, const void *other)
{
    const Nearby *a = one, *b = other;
    if (a->far != b->far) return a->far < b->far ? -1 : 1;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

/* The places around some bases at which another is so far from touching one of them, and no further than `reach` from where it
 * stands: the nearest first, x and y each. Returns how many, -2 without memory. */
int32_t spots_around(SCENE_ARGS, int32_t slot, const int32_t *enemies, int32_t enemy_count, int32_t places, const int32_t *apart,
                   int32_t apart_count, double reach, int32_t *out)
{
    Scene s = SCENE;
    int32_t x = slot_x(&s, slot), y = slot_y(&s, slot), count = 0, most = 0;
    Nearby *found = malloc(((size_t)enemy_count * (size_t)places * (size_t)apart_count + 1) * sizeof(Nearby));
    if (!found) return -2;
    for (int32_t k = 0; k < apart_count; k++) if (apart[k] > most) most = apart[k];
    for (int32_t q = 0; q < enemy_count; q++) {
        Contacts c;
        contacts_of(&s, slot, enemies[q], &c);
        for (int32_t k = 0; k < places; k++) {
            int32_t heading = 3600 * k / places, cx, cy;
            if (contact_beyond(&c, heading, x, y, reach + most)) continue;
            contact_at(&c, heading, &cx, &cy);
            double dx = cx - c.enemy.x, dy = cy - c.enemy.y, off = sqrt(dx * dx + dy * dy);
            if (off == 0.0) off = 1.0;
            for (int32_t j = 0; j < apart_count; j++) {
                Nearby at = {0.0, cx + (int32_t)rint(dx * apart[j] / off), cy + (int32_t)rint(dy * apart[j] / off)};
                double ax = (double)at.x - x, ay = (double)at.y - y;
                at.far = sqrt(ax * ax + ay * ay);
                if (at.far <= reach) found[count++] = at;
            }
        }
    }
    qsort(found, (size_t)count, sizeof(Nearby), nearer_place);
    for (int32_t k = 0; k < count; k++) { out[2 * k] = found[k].x; out[2 * k + 1] = found[k].y; }
    free(found);
    return count;
}

/* Fills the slots of a unit's models on the table; returns how many. */
int32_t slots_of_unit(int32_t n, const char *xy, const char *owner, int32_t unit, int32_t *slots)
{
    int32_t count = 0;
    for (int32_t k = 0; k < n; k++)
        if (read_i16(owner, k) == unit && read_i32(xy, 2 * k) != NOWHERE) slots[count++] = k;
    return count;
}

static int32_t gather(const Scene *s, int32_t unit, Body *bodies, int32_t *slots)
{
    int32_t count = 0;
    for (int32_t k = 0; k < s->n; k++)
        if (slot_owner(s, k) == unit && on_table(s, k)) {
            body_of(s, k, bodies + count);
            slots[count++] = k;
        }
    return count;
}

/* The first of the closest others nearer than *best, or -1. */
static int32_t closest(const Body *a, const Body *others, int32_t count, double *best)
{
    int32_t found = -1;
    for (int32_t k = 0; k < count; k++) {
        double dx = others[k].x - a->x, dy = others[k].y - a->y;
        if (sqrt(dx * dx + dy * dy) - (a->far + others[k].far) < *best) {
            double d = body_gap(a, others + k);
            if (d < *best) {
                *best = d;
                found = k;
            }
        }
    }
    return found;
}

typedef struct {
    double gap;
    int32_t a, b;
} Closest;

Closest nearest_of(SCENE_ARGS, int32_t unit_a, int32_t unit_b)
{
    Scene s = SCENE;
    Body b[MOST_MODELS];
    int32_t slots[MOST_MODELS], count = gather(&s, unit_b, b, slots);
    Closest found = {INFINITY, -1, -1};
    for (int32_t i = 0; i < n; i++)
        if (slot_owner(&s, i) == unit_a && on_table(&s, i)) {
            Body a;
            body_of(&s, i, &a);
            int32_t k = closest(&a, b, count, &found.gap);
            if (k >= 0) {
                found.a = i;
                found.b = slots[k];
            }
        }
    return found;
}

/* The least gap of a base to some others, if less than the best so far. Cores hold their middles: no gap is wider than between
 * those, and whoever is further than the nearest of them need not be measured. */
static double least_gap_to(const Body *own, int32_t count, const Body *b, double best)
{
    double bound = best;
    for (int32_t i = 0; i < count; i++) {
        double dx = b->x - own[i].x, dy = b->y - own[i].y, d = sqrt(dx * dx + dy * dy) - (own[i].r + b->r);
        if (d < bound) bound = d;
    }
    bound += 1.0; /* more than any rounding */
    for (int32_t i = 0; i < count; i++) {
        double dx = b->x - own[i].x, dy = b->y - own[i].y, d = sqrt(dx * dx + dy * dy) - (own[i].far + b->far);
        if (d >= best || d > bound) continue;
        d = body_gap(own + i, b);
        if (d < best) best = d;
    }
    return best;
}

/* The same where all are round: their middles say all. Of those of one size the nearest has the least gap, and no root is taken
 * of the others. */
static double least_round_gap(const Body *own, int32_t count, const Body *b, double best)
{
    if (!count) return best;
    double size = own[0].r, near = INFINITY, d;
    for (int32_t i = 0; i < count; i++) {
        double dx = b->x - own[i].x, dy = b->y - own[i].y, square = dx * dx + dy * dy;
        if (own[i].r == size) {
            if (square < near) near = square;
        } else {
            d = sqrt(square) - (own[i].r + b->r);
            if (d < best) best = d;
        }
    }
    d = sqrt(near) - (size + b->r);
    return d < best ? d : best;
}

/* The gap of a unit to each unit, by number: INFINITY to itself and to whom it has no model of on the table. */
void gaps_of_unit(SCENE_ARGS, int32_t unit, int32_t units, double *gaps)
{
    Scene s = SCENE;
    Body own[MOST_MODELS];
    int32_t slots[MOST_MODELS], count = gather(&s, unit, own, slots), corners = 0;
    for (int32_t i = 0; i < count; i++) corners += own[i].n;
    for (int32_t u = 0; u < units; u++)
        gaps[u] = INFINITY;
    for (int32_t k = 0; k < n; k++) {
        int32_t u = slot_owner(&s, k);
        if (u == unit || u < 0 || u >= units || !on_table(&s, k))
            continue;
        Body b;
        body_of(&s, k, &b);
        gaps[u] = (corners + b.n == count + 1 ? least_round_gap : least_gap_to)(own, count, &b, gaps[u]);
    }
}

/* The models of a unit on the table: one of them, and where they are. */
typedef struct {
    int32_t first;
    double left, bottom, right, top;
} Crowd;

static void crowd_in(Crowd *c, const Body *b, int32_t number)
{
    if (c->first < 0 || b->x - b->far < c->left) c->left = b->x - b->far;
    if (c->first < 0 || b->y - b->far < c->bottom) c->bottom = b->y - b->far;
    if (c->first < 0 || b->x + b->far > c->right) c->right = b->x + b->far;
    if (c->first < 0 || b->y + b->far > c->top) c->top = b->y + b->far;
    c->first = number;
}

static int crowds_apart(const Crowd *a, const Crowd *b, double limit)
{
    double far = limit + 1.0;
    return a->first < 0 || b->first < 0 || a->left - b->right > far || b->left - a->right > far || a->bottom - b->top > far
        || b->bottom - a->top > far;
}

/* Fills the pairs of units of two sides no further apart than the limit, as places in a table of units by units, and the gap
 * of each; both have room for the whole table. Returns how many, or that memory is out. */
int32_t close_units_of(SCENE_ARGS, const char *sides, int32_t units, double limit, int32_t *pairs, double *gaps)
{
    Scene s = SCENE;
    Body bodies[MOST_MODELS];
    int32_t next[MOST_MODELS], count = 0, found = 0;
    Crowd *crowds = malloc((size_t)(units + 1) * sizeof(Crowd));
    if (!crowds) return OUT_OF_MEMORY;
    for (int32_t k = 0; k < units * units; k++)
        gaps[k] = INFINITY;
    for (int32_t u = 0; u < units; u++)
        crowds[u].first = -1;
    for (int32_t k = 0; k < n; k++) {
        int32_t u = slot_owner(&s, k);
        if (u < 0 || u >= units || !on_table(&s, k)) continue;
        body_of(&s, k, bodies + count);
        next[count] = crowds[u].first;
        crowd_in(crowds + u, bodies + count, count);
        count++;
    }
    for (int32_t u = 0; u < units; u++)
        for (int32_t v = u + 1; v < units; v++) {
            if ((sides[u] != 0) == (sides[v] != 0) || crowds_apart(crowds + u, crowds + v, limit)) continue;
            double best = INFINITY;
            for (int32_t i = crowds[u].first; i >= 0; i = next[i])
                for (int32_t j = crowds[v].first; j >= 0; j = next[j]) {
                    const Body *a = bodies + i, *b = bodies + j;
                    double dx = b->x - a->x, dy = b->y - a->y, far = limit + (a->far + b->far) + 1.0;
                    if (dx > far || dx < -far || dy > far || dy < -far) continue;
                    double d = i < j ? body_gap(a, b) : body_gap(b, a);
                    if (d < best) best = d;
                }
            if (best <= limit) gaps[u * units + v] = gaps[v * units + u] = best;
        }
    for (int32_t k = 0; k < units * units; k++)
        if (gaps[k] <= limit) {
            pairs[found] = k;
            gaps[found++] = gaps[k];
        }
    free(crowds);
    return found;
}

/* Fills slots and gaps, each with room for n; returns how many. */
int32_t reach_of(SCENE_ARGS, int32_t unit_a, int32_t unit_b, int32_t *slots, double *gaps)
{
    Scene s = SCENE;
    Body b[MOST_MODELS];
    int32_t others[MOST_MODELS], count = gather(&s, unit_b, b, others), found = 0;
    for (int32_t i = 0; i < n; i++)
        if (slot_owner(&s, i) == unit_a && on_table(&s, i)) {
            Body a;
            body_of(&s, i, &a);
            slots[found] = i;
            gaps[found] = INFINITY;
            closest(&a, b, count, gaps + found);
            found++;
        }
    return found;
}

static int32_t largest_chain(const int32_t *chain, int32_t n)
{
    int32_t count[MOST_MODELS] = {0}, main = 0;
    for (int32_t i = 0; i < n; i++) count[chain[i]]++;
    for (int32_t i = 1; i < n; i++)
        if (count[i] > count[main]) main = i;
    return main;
}

/* Marks each stray among `count` slots; returns how many there are. Slots off the table are no strays. */
int32_t coherent_of(SCENE_ARGS, const int32_t *slots, int32_t count, int32_t link, int32_t spread, int32_t connected,
                    int32_t need, int32_t hub, int32_t tol, char *stray)
{
    Scene s = SCENE;
    Body body[MOST_MODELS];
    int32_t here[MOST_MODELS], links[MOST_MODELS], chain[MOST_MODELS], m = 0, strays = 0;
    double near = link + tol, far = spread + tol;
    for (int32_t k = 0; k < count; k++) {
        stray[k] = 0;
        if (!on_table(&s, slots[k])) continue;
        body_of(&s, slots[k], body + m);
        links[m] = 0;
        chain[m] = m;
        here[m++] = k;
    }
    if (m < 2) return 0;
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = i + 1; j < m; j++) {
            double d = body_gap(body + i, body + j);
            if (d <= near) {
                links[i]++;
                links[j]++;
                int32_t from = chain[i] > chain[j] ? chain[i] : chain[j], to = chain[i] < chain[j] ? chain[i] : chain[j];
                if (from != to)
                    for (int32_t k = 0; k < m; k++)
                        if (chain[k] == from) chain[k] = to;
            }
            if (d > far && (hub < 0 || hub == slots[here[i]] || hub == slots[here[j]])) {
                if (slots[here[i]] != hub) stray[here[i]] = 1;
                if (slots[here[j]] != hub) stray[here[j]] = 1;
            }
        }
    int32_t main = largest_chain(chain, m), least = need < m - 1 ? need : m - 1;
    for (int32_t i = 0; i < m; i++) {
        if (links[i] < least || (connected && chain[i] != main)) stray[here[i]] = 1;
        strays += stray[here[i]];
    }
    return strays;
}

/* Whether some slots, all on the table, are found to be one coherent group before every two of them are measured: those who follow
 * each other mostly stand side by side. What this does not find is left to `coherent_of`. */
static int soon_coherent(const Scene *s, const int32_t *slots, int32_t count, double near, double far, int32_t need)
{
    Body body[MOST_MODELS];
    int32_t links[MOST_MODELS], chain[MOST_MODELS], parts = count, lacking = need > 0 ? count : 0;
    double left = INFINITY, bottom = INFINITY, right = -INFINITY, top = -INFINITY;
    for (int32_t k = 0; k < count; k++) {
        if (!on_table(s, slots[k])) return 0;
        body_of(s, slots[k], body + k);
        links[k] = 0;
        chain[k] = k;
        if (body[k].x < left) left = body[k].x;
        if (body[k].x > right) right = body[k].x;
        if (body[k].y < bottom) bottom = body[k].y;
        if (body[k].y > top) top = body[k].y;
    }
    if (need >= count || right - left + top - bottom > far) return 0;
    for (int32_t off = 1; off < count; off++)
        for (int32_t i = 0, j = off; j < count; i++, j++) {
            if (body_gap(body + i, body + j) > near) continue;
            lacking -= (++links[i] == need) + (++links[j] == need);
            int32_t from = chain[j], into = chain[i];
            if (from != into) {
                for (int32_t k = 0; k < count; k++) if (chain[k] == from) chain[k] = into;
                parts--;
            }
            if (parts == 1 && lacking == 0) return 1;
        }
    return 0;
}

/* Fills the numbers of those groups of slots that are not one coherent group; of each how many slots it has, and how many fellows
 * each of its models needs. Returns how many. */
int32_t scattered_of(SCENE_ARGS, const int32_t *slots, const int32_t *counts, const int32_t *needs, int32_t groups, int32_t link,
                     int32_t spread, int32_t tol, int32_t *found)
{
    Scene s = SCENE;
    char stray[MOST_MODELS];
    int32_t many = 0;
    for (int32_t k = 0; k < groups; slots += counts[k++])
        if (!soon_coherent(&s, slots, counts[k], link + tol, spread + tol, needs[k])
            && coherent_of(ground, n, shape, xy, z, facing, owner, slots, counts[k], link, spread, 1, needs[k], -1, tol, stray))
            found[many++] = k;
    return many;
}

int32_t ground_z_at(const Ground *g, int32_t x, int32_t y)
{
    int32_t z = 0, any = 0;
    for (int32_t k = 0; k < g->pieces; k++)
        if (in_piece(g, g->piece + k, x, y) && (!any || g->piece[k].elevation > z)) {
            z = g->piece[k].elevation;
            any = 1;
        }
    return z;
}

void grounds_of(const Ground *g, int32_t n, const char *xy, int32_t *z)
{
    for (int32_t k = 0; k < n; k++) {
        int32_t x = read_i32(xy, 2 * k);
        z[k] = x == NOWHERE ? 0 : ground_z_at(g, x, read_i32(xy, 2 * k + 1));
    }
}

/* Fills the numbers of the pieces that contain a point; returns how many. */
int32_t pieces_at_point(const Ground *g, int32_t x, int32_t y, int32_t *pieces)
{
    int32_t found = 0;
    for (int32_t k = 0; k < g->pieces; k++)
        if (in_piece(g, g->piece + k, x, y)) pieces[found++] = k;
    return found;
}

static double core_to_piece(const Ground *g, const double *c, int32_t nc, double r, const Piece *p)
{
    double best = INFINITY;
    if (p->r > 0) {
        double at[2] = {p->x, p->y};
        return convex_gap(c, nc, at, 1) - (r + p->r);
    }
    for (int32_t k = 0; k < p->parts; k++) {
        const Part *part = g->part + p->first_part + k;
        double d = convex_gap(c, nc, g->corners + 2 * (size_t)part->first_point, part->corners) - (r + 0.0);
        if (d < best) best = d;
    }
    return best;
}

double point_gap_of(const Ground *g, int32_t piece, int32_t x, int32_t y)
{
    double at[2] = {x, y}, d = core_to_piece(g, at, 1, 0.0, g->piece + piece);
    return d > 0.0 ? d : 0.0;
}

double base_gap_of(SCENE_ARGS, int32_t slot, int32_t piece)
{
    Scene s = SCENE;
    Body b;
    if (!on_table(&s, slot)) return INFINITY;
    body_of(&s, slot, &b);
    return core_to_piece(ground, b.c, b.n, b.r, ground->piece + piece);
}

/* Whether all of a base lies in a footprint, edge included. */
static int wholly_in(const Ground *g, const Body *b, const Piece *p)
{
    if (!in_piece(g, p, (int32_t)b->x, (int32_t)b->y)) return 0;
    if (p->r > 0) {
        double inner = p->r - b->r;
        if (inner < 0.0) return 0;
        for (int32_t k = 0; k < b->n; k++) {
            double dx = b->c[2 * k] - p->x, dy = b->c[2 * k + 1] - p->y;
            if (dx * dx + dy * dy > inner * inner) return 0;
        }
        return 1;
    }
    const double *c = g->corners + 2 * (size_t)p->first_point;
    for (int32_t k = 0; k < p->corners; k++) {
        int32_t q = k == 0 ? p->corners - 1 : k - 1;
        double edge[4] = {c[2 * q], c[2 * q + 1], c[2 * k], c[2 * k + 1]};
        if (convex_gap(b->c, b->n, edge, 2) < b->r - 1e-6) return 0;
    }
    return 1;
}

int32_t wholly_within_of(SCENE_ARGS, int32_t slot, int32_t piece)
{
    Scene s = SCENE;
    Body b;
    if (!on_table(&s, slot)) return 0;
    body_of(&s, slot, &b);
    return wholly_in(ground, &b, ground->piece + piece);
}

static inline int32_t floor_part(int64_t whole, int32_t k, int32_t count)
{
    int64_t n = whole * k, q = n / count;
    return (int32_t)(n % count < 0 ? q - 1 : q);
}

/* How far a base goes up and down along legs (x, y, x, y, steps), from a height on: over walls it is in by more than a depth,
 * else down, unless a surface at its height holds it. `at` is the height, at first and at last. */
int32_t climb_along(SCENE_ARGS, int32_t slot, const char *legs, int32_t count, const int32_t *walls, int32_t wall_count,
                    const int32_t *tops, int32_t top_count, double depth, int32_t *at)
{
    int32_t total = 0, hl = read_i32(shape, 4 * slot), hw = read_i32(shape, 4 * slot + 1), r = read_i32(shape, 4 * slot + 2);
    (void)n; (void)xy; (void)z; (void)owner;
    for (int32_t leg = 0; leg < count; leg++) {
        int32_t ax = read_i32(legs, 5 * leg), ay = read_i32(legs, 5 * leg + 1), steps = read_i32(legs, 5 * leg + 4);
        int64_t dx = (int64_t)read_i32(legs, 5 * leg + 2) - ax, dy = (int64_t)read_i32(legs, 5 * leg + 3) - ay;
        for (int32_t k = 1; k <= steps; k++) {
            int32_t x = ax + floor_part(dx, k, steps), y = ay + floor_part(dy, k, steps), high = INT32_MIN, held = 0;
            Stand stand;
            Body b;
            stand_at(&stand, x, y, read_i16(facing, slot), hl, hw, r, 0);
            body_from(&stand, &b);
            for (int32_t w = 0; w < wall_count; w++) {
                const Piece *p = ground->piece + walls[w];
                if (b.x - b.far > p->right || b.x + b.far < p->left || b.y - b.far > p->top || b.y + b.far < p->bottom) continue;
                if (p->height > high && core_to_piece(ground, b.c, b.n, b.r, p) < -depth) high = p->height;
            }
            for (int32_t w = 0; w < top_count && !held && high == INT32_MIN; w++)
                held = ground->piece[tops[w]].height == *at && in_piece(ground, ground->piece + tops[w], x, y);
            if (high == INT32_MIN) high = held ? *at : 0;
            total += high > *at ? high - *at : *at - high;
            *at = high;
        }
    }
    return total;
}

/* How far the furthest part of a base is from a footprint: beyond that corner of its core which is. */
static double furthest_part(const Ground *g, const Body *b, const Piece *p)
{
    double most = core_to_piece(g, b->c, 1, 0.0, p);
    for (int32_t k = 1; k < b->n; k++) {
        double far = core_to_piece(g, b->c + 2 * k, 1, 0.0, p);
        if (far > most) most = far;
    }
    return most + b->r;
}

/* For a base and each of some footprints: if all of it lies in, how deep it reaches in, if all of it is near enough. */
static void footing_of(const Scene *s, int32_t slot, const int32_t *pieces, const double *limits, int32_t many, double depth, char *marks)
{
    Body b;
    memset(marks, 0, (size_t)many);
    if (!on_table(s, slot)) return;
    body_of(s, slot, &b);
    for (int32_t j = 0; j < many; j++) {
        const Piece *p = s->ground->piece + pieces[j];
        double far = b.far + (limits[j] > 0.0 ? limits[j] : 0.0) + 1.0, gap;
        if (b.x < p->left - far || b.x > p->right + far || b.y < p->bottom - far || b.y > p->top + far) continue;
        gap = core_to_piece(s->ground, b.c, b.n, b.r, p);
        if (gap < -depth) marks[j] |= FOOT_IN;
        if (limits[j] > 0.0 && gap <= limits[j] && furthest_part(s->ground, &b, p) <= limits[j]) marks[j] |= FOOT_NEAR;
        if (wholly_in(s->ground, &b, p)) marks[j] |= FOOT_WHOLLY;
    }
}

/* The same for each of some bases. */
void footings_of(SCENE_ARGS, const int32_t *slots, int32_t count, const int32_t *pieces, const double *limits, int32_t many,
                 double depth, char *marks)
{
    Scene s = SCENE;
    for (int32_t k = 0; k < count; k++, marks += many) footing_of(&s, slots[k], pieces, limits, many, depth, marks);
}

/* The part of a segment in a convex polygon; on which side it lies if the segment runs along an edge. */
static int clip_segment(const double *pt, int32_t corners, double x, double y, double dx, double dy, double *from,
                        double *to)
{
    int side = 0;
    double ax = pt[2 * corners - 2], ay = pt[2 * corners - 1];
    *from = 0.0;
    *to = 1.0;
    for (int32_t k = 0; k < corners; k++) {
        double bx = pt[2 * k], by = pt[2 * k + 1], ex = bx - ax, ey = by - ay;
        double inside = ex * (y - ay) - ey * (x - ax), change = ex * dy - ey * dx;
        if (change == 0.0) {
            if (inside < 0.0) {
                *from = 1.0;
                *to = 0.0;
                return 0;
            }
            if (inside == 0.0) side = ex * dx + ey * dy > 0.0 ? 1 : -1;
        } else {
            double u = -inside / change;
            if (change > 0.0) {
                if (u > *from) *from = u;
            } else if (u < *to) {
                *to = u;
            }
        }
        ax = bx;
        ay = by;
    }
    return side;
}

/* Whether two parts of a piece lie on both sides of some stretch of a segment. */
static int inside_seam(const Ground *g, const Piece *p, double x, double y, double dx, double dy)
{
    for (int32_t k = 0; k < p->parts; k++) {
        const Part *a = g->part + p->first_part + k;
        double a0, a1, b0, b1;
        int side = clip_segment(g->corners + 2 * (size_t)a->first_point, a->corners, x, y, dx, dy, &a0, &a1);
        if (side == 0 || a1 - a0 <= SLIVER) continue;
        for (int32_t m = 0; m < k; m++) {
            const Part *b = g->part + p->first_part + m;
            int other = clip_segment(g->corners + 2 * (size_t)b->first_point, b->corners, x, y, dx, dy, &b0, &b1);
            if (other == 0 || other == side || b1 - b0 <= SLIVER) continue;
            if ((a1 < b1 ? a1 : b1) - (a0 > b0 ? a0 : b0) > SLIVER) return 1;
        }
    }
    return 0;
}

int32_t crosses_piece(const Ground *g, int32_t piece, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    const Piece *p = g->piece + piece;
    double x = x0, y = y0, dx = (double)x1 - x0, dy = (double)y1 - y0;
    int seams = 0;
    if (p->r > 0) return point_to_edge(p->x, p->y, x, y, x + dx, y + dy) < (double)p->r * p->r;
    for (int32_t k = 0; k < p->parts; k++) {
        const Part *part = g->part + p->first_part + k;
        double from, to;
        int side = clip_segment(g->corners + 2 * (size_t)part->first_point, part->corners, x, y, dx, dy, &from, &to);
        if (to - from <= SLIVER) continue;
        if (side == 0) return 1;
        seams++;
    }
    return seams > 1 && inside_seam(g, p, x, y, dx, dy);
}

/* The distances of every two of some bases, row by row. */
void gaps_among(SCENE_ARGS, const int32_t *slots, int32_t m, double *out)
{
    for (int32_t i = 0, k = 0; i < m; i++)
        for (int32_t j = i + 1; j < m; j++, k++)
            out[k] = gap_of(ground, n, shape, xy, z, facing, owner, slots[i], slots[j]);
}

int32_t near_piece_of(SCENE_ARGS, int32_t piece, double distance, int32_t *slots)
{
    Scene s = SCENE;
    const Piece *p = ground->piece + piece;
    int32_t count = 0;
    for (int32_t slot = 0; slot < n; slot++) {
        if (!on_table(&s, slot)) continue;
        int32_t x = slot_x(&s, slot), y = slot_y(&s, slot);
        double far = distance + read_i32(shape, 4 * slot) + read_i32(shape, 4 * slot + 1) + read_i32(shape, 4 * slot + 2) + 4.0;
        if (x < p->left - far || x > p->right + far || y < p->bottom - far || y > p->top + far) continue;
        if (base_gap_of(ground, n, shape, xy, z, facing, owner, slot, piece) <= distance) slots[count++] = slot;
    }
    return count;
}

/* The same for several pieces: how many are near each, and behind those counts the slots, one piece's after the other's. */
int32_t near_pieces_of(SCENE_ARGS, const int32_t *pieces, int32_t m, double distance, int32_t *out)
{
    int32_t end = m;
    for (int32_t k = 0; k < m; k++) {
        out[k] = near_piece_of(ground, n, shape, xy, z, facing, owner, pieces[k], distance, out + end);
        end += out[k];
    }
    return end;
}
