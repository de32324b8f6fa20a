/* The leapfrog sweep: the compiled twin of plain_sweep.py, step for step. */

#define LEAST_LEAP 1e-12
#define MOST_LEAPS 20000

/* An end of a sight line in the frame: the hull of its members. */
typedef struct {
    const Form *box;
    int32_t n;
} Hull;

/* A blocker's shadow at one slope: bottom and top, and how fast each moves as the slope grows. */
typedef struct {
    double low, high, low_pace, high_pace;
    int32_t shade;
} Cast;

static void borders(const Hull *end, double t, double q, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int32_t i = 0; i < end->n; i++) {
        const Form *b = end->box + i;
        double grown = b->r * q;
        for (int32_t k = 0; k < b->n; k++) {
            double s = b->c[2 * k + 1] - t * b->c[2 * k];
            if (s - grown < *low) *low = s - grown;
            if (s + grown > *high) *high = s + grown;
        }
    }
}

static int32_t cast_all(const Shades *shades, double t, double q, double qt, Cast *out)
{
    int32_t found = 0;
    for (int32_t i = 0; i < shades->count; i++) {
        const Shade *p = shades->shade + i;
        if (!(p->from < t && t < p->to)) continue;
        double x = p->c[0], low = p->c[1] - t * x, high = low, low_x = x, high_x = x;
        for (int32_t k = 1; k < p->n; k++) {
            x = p->c[2 * k];
            double s = p->c[2 * k + 1] - t * x;
            if (s < low) { low = s; low_x = x; }
            if (s > high) { high = s; high_x = x; }
        }
        double grown = p->r * q, pace = p->r * qt;
        Cast *c = out + found++;
        c->low = low - grown; c->high = high + grown;
        c->low_pace = -low_x - pace; c->high_pace = pace - high_x;
        c->shade = i;
    }
    return found;
}

static double holds(const Hull *end, double up, double t, double way, double at, double pace, double margin)
{
    double q = sqrt(1.0 + t * t), least = INFINITY;
    for (int32_t i = 0; i < end->n; i++) {
        const Form *box = end->box + i;
        double grown = box->r - margin;
        for (int32_t k = 0; k < box->n; k++) {
            double x = box->c[2 * k], y = box->c[2 * k + 1], bound = INFINITY;
            double a = up * ((y - t * x) - at), b = up * (-x - pace) * way;
            if (grown <= 0.0) {
                a = a - grown * q;
                b = b - grown * (t / q) * way;
                if (b < 0.0) bound = a / -b;
            } else {
                double square = grown * grown, c = a * a - square * (1.0 + t * t), half = a * b - square * t * way;
                double root = half * half - (b * b - square) * c;
                if (root >= 0.0) {
                    double below = sqrt(root) - half;
                    if (below > 0.0) bound = c / below;
                }
            }
            if (bound < least) least = bound;
        }
    }
    return least;
}

static double end_bound(const Hull ends[2], double up, double t, double way, double at, double pace, double margin)
{
    double best = 0.0, q = sqrt(1.0 + t * t);
    for (int32_t i = 0; i < 2; i++) {
        double low, high;
        borders(ends + i, t, q, &low, &high);
        double border = up > 0.0 ? low : high;
        if (up * (border - at) + margin * q > 0.0) {
            double bound = holds(ends + i, up, t, way, at, pace, margin);
            if (bound > best) best = bound;
        }
    }
    return best;
}

/* Goes through the slopes from t to `last` one way; fills slope and offset of a clear band and returns 1, or 0. */
static int sweep(const Hull ends[2], const Shades *shades, Cast *casts, double t, double way, double last, double margin,
                 double line[2])
{
    for (int32_t leaps = 0; leaps < MOST_LEAPS; leaps++) {
        if ((t - last) * way > 0.0) return 0;
        double q = sqrt(1.0 + t * t), e = margin * q, low_a, high_a, low_b, high_b;
        borders(ends, t, q, &low_a, &high_a);
        borders(ends + 1, t, q, &low_b, &high_b);
        double low = low_b > low_a ? low_b : low_a, high = high_b < high_a ? high_b : high_a;
        if (high - low < e) return 0;
        int32_t count = cast_all(shades, t, q, t / q, casts);
        const Cast *top = NULL;
        double cover = low, leap = INFINITY;
        while (high - cover >= e) {
            const Cast *best = NULL;
            double gap_end = high;
            for (int32_t k = 0; k < count; k++) {
                const Cast *c = casts + k;
                if (c->high > cover) {
                    if (c->low < cover + e) {
                        if (best == NULL || c->high > best->high) best = c;
                    } else if (c->low < gap_end) {
                        gap_end = c->low;
                    }
                }
            }
            if (best == NULL) {
                line[0] = t;
                line[1] = (cover + gap_end) / 2.0;
                return 1;
            }
            Shade *shade = shades->shade + best->shade;
            shade->used = 1;
            double bound;
            if (top == NULL) {
                bound = end_bound(ends, 1.0, t, way, best->low, best->low_pace, margin);
            } else {
                double room = top->high - best->low + e;
                double pace = (top->high_pace - best->low_pace + margin * (t / q)) * way;
                bound = pace < 0.0 ? room / -pace : INFINITY;
            }
            double stretch = way > 0.0 ? shade->to - t : t - shade->from;
            if (bound < leap) leap = bound;
            if (stretch < leap) leap = stretch;
            cover = best->high;
            top = best;
        }
        if (top != NULL) {
            double bound = end_bound(ends, -1.0, t, way, top->high, top->high_pace, margin);
            if (bound < leap) leap = bound;
        }
        if (leap == INFINITY) return 0;
        double least = LEAST_LEAP * (1.0 + fabs(t));
        t += way * (leap > least ? leap : least);
    }
    return 0;
}
