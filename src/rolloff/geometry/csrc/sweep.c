/* The leapfrog sweep: the compiled twin of plain/sweep.py, step for step. */

#define LEAST_LEAP 1e-12
#define MOST_LEAPS 20000

/* An end of a sight line in the frame: the hull of its members. */
typedef struct {
    const Form *box;
    int32_t n;
} Hull;

/* Whether a shape lies wholly above or below everything between two ends. */
static int astray(const Hull ends[2], const Form *p)
{
    int above = 1, below = 1;
    for (int32_t i = 0; i < 2; i++)
        for (int32_t k = 0; (above || below) && k < ends[i].n; k++) {
            above = above && p->bottom >= ends[i].box[k].top;
            below = below && p->top <= ends[i].box[k].bottom;
        }
    return above || below;
}

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

/* The better of both ends' bounds, of those whose border the chain reaches at all. */
static double end_bound(const Hull ends[2], const double border[2], double up, double t, double way, double at, double pace,
                        double margin)
{
    double best = 0.0, q = sqrt(1.0 + t * t);
    for (int32_t i = 0; i < 2; i++) {
        if (up * (border[i] - at) + margin * q > 0.0) {
            double bound = holds(ends + i, up, t, way, at, pace, margin);
            if (bound > best) best = bound;
        }
    }
    return best;
}

static double advanced(double t, double way, double leap)
{
    double least = LEAST_LEAP * (1.0 + fabs(t));
    return t + way * (leap > least ? leap : least);
}

/* How far the slope may go one way until some link of a chain of shadows could break. */
static double links(const Hull ends[2], const Shades *shades, const Cast *casts, const int32_t *chain, int32_t n,
                    const double lows[2], const double highs[2], double t, double way, double margin)
{
    const Cast *before = NULL;
    double q = sqrt(1.0 + t * t);
    double leap = end_bound(ends, lows, 1.0, t, way, casts[chain[0]].low, casts[chain[0]].low_pace, margin);
    for (int32_t k = 0; k < n; k++) {
        const Cast *c = casts + chain[k];
        if (before != NULL) {
            double room = before->high - c->low + margin * q;
            double pace = (before->high_pace - c->low_pace + margin * (t / q)) * way;
            double bound = pace < 0.0 ? room / -pace : INFINITY;
            if (bound < leap) leap = bound;
        }
        const Shade *shade = shades->shade + c->shade;
        double stretch = way > 0.0 ? shade->to - t : t - shade->from;
        if (stretch < leap) leap = stretch;
        before = c;
    }
    double bound = end_bound(ends, highs, -1.0, t, way, before->high, before->high_pace, margin);
    return bound < leap ? bound : leap;
}

/* Room for the shadows of one slope and the chain they form. */
typedef struct {
    Cast *casts;
    int32_t *chain;
} Slate;

static Slate slate_for(Arena *m, const Shades *shades)
{
    Slate s = {take(m, sizeof(Cast) * (size_t)(shades->count + 1)), take(m, sizeof(int32_t) * (size_t)(shades->count + 1))};
    return s;
}

/* Looks along one slope: 1 and a clear line, or 0 and leaps to where it could be otherwise. */
static int step(const Hull ends[2], const Shades *shades, Slate slate, double t, const double *ways, int32_t n,
                double margin, double line[2], double *leaps)
{
    double q = sqrt(1.0 + t * t), e = margin * q, lows[2], highs[2];
    borders(ends, t, q, lows, highs);
    borders(ends + 1, t, q, lows + 1, highs + 1);
    double low = lows[1] > lows[0] ? lows[1] : lows[0], high = highs[1] < highs[0] ? highs[1] : highs[0];
    for (int32_t k = 0; k < n; k++) leaps[k] = INFINITY;
    if (high - low < e) return 0;
    int32_t count = cast_all(shades, t, q, t / q, slate.casts), length = 0;
    double cover = low;
    while (high - cover >= e) {
        int32_t best = -1;
        double gap_end = high;
        for (int32_t k = 0; k < count; k++) {
            const Cast *c = slate.casts + k;
            if (c->high > cover) {
                if (c->low < cover + e) {
                    if (best < 0 || c->high > slate.casts[best].high) best = k;
                } else if (c->low < gap_end) {
                    gap_end = c->low;
                }
            }
        }
        if (best < 0) {
            line[0] = t;
            line[1] = (cover + gap_end) / 2.0;
            return 1;
        }
        shades->shade[slate.casts[best].shade].used = 1;
        slate.chain[length++] = best;
        cover = slate.casts[best].high;
    }
    for (int32_t k = 0; k < n; k++)
        leaps[k] = links(ends, shades, slate.casts, slate.chain, length, lows, highs, t, ways[k], margin);
    return 0;
}

static int sweep(const Hull ends[2], const Shades *shades, Slate slate, double t, double way, double last, double margin,
                 double line[2])
{
    for (int32_t count = 0; count < MOST_LEAPS; count++) {
        double leap;
        if ((t - last) * way > 0.0) return 0;
        if (step(ends, shades, slate, t, &way, 1, margin, line, &leap)) return 1;
        if (leap == INFINITY) return 0;
        t = advanced(t, way, leap);
    }
    return 0;
}

/* Goes through all slopes of a span, outward from t; fills slope and offset of a clear band and returns 1, or 0. */
static int search(Arena *m, const Hull ends[2], const Shades *shades, double t, Span open, double margin, double line[2])
{
    static const double ways[2] = {1.0, -1.0};
    double leaps[2];
    Slate slate = slate_for(m, shades);
    if (t < open.from) return sweep(ends, shades, slate, open.from, 1.0, open.to, margin, line);
    if (t > open.to) return sweep(ends, shades, slate, open.to, -1.0, open.from, margin, line);
    if (step(ends, shades, slate, t, ways, 2, margin, line, leaps)) return 1;
    for (int32_t k = 0; k < 2; k++)
        if (leaps[k] < INFINITY) {
            double start = advanced(t, ways[k], leaps[k]);
            if (sweep(ends, shades, slate, start, ways[k], k == 0 ? open.to : open.from, margin, line)) return 1;
        }
    return 0;
}
