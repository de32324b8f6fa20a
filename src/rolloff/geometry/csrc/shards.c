/* Blockers that overlap a base, cut into the edges they show outside it: the compiled twin of plain/shards.py. */

#define SHORT 1e-9
#define RIM 180

static int32_t furthest(const Form *b, double c, double s)
{
    double far = -INFINITY;
    int32_t found = 0;
    for (int32_t k = 0; k < b->n; k++) {
        double d = b->c[2 * k] * c + b->c[2 * k + 1] * s;
        if (d > far) {
            far = d;
            found = k;
        }
    }
    return found;
}

static void rim_direction(int32_t k, double *c, double *s)
{
    const double scale = 1073741824.0, swell = 2.0 / (1.0 + cosine(1800 / RIM) / scale);
    *c = cosine(k * (3600 / RIM)) / scale * swell;
    *s = sine(k * (3600 / RIM)) / scale * swell;
}

/* The outline of a shape as corners; where it is curved it is drawn with 180 directions. */
static const double *rim_of(Arena *m, const Form *b, int32_t *count)
{
    if (b->r == 0.0) {
        *count = b->n;
        return b->c;
    }
    double c, s, *points = take(m, 2 * sizeof(double) * (size_t)(RIM * 3));
    int32_t n = 0, before;
    rim_direction(RIM - 1, &c, &s);
    before = furthest(b, c, s);
    for (int32_t k = 0; k < RIM; k++) {
        rim_direction(k, &c, &s);
        int32_t end = furthest(b, c, s);
        double x = b->c[2 * end], y = b->c[2 * end + 1];
        if (end != before) {
            double px = b->c[2 * before], py = b->c[2 * before + 1], ex = x - px, ey = y - py;
            double grow = b->r / sqrt(ex * ex + ey * ey);
            points[2 * n] = px + ey * grow; points[2 * n + 1] = py - ex * grow;
            n++;
            points[2 * n] = x + ey * grow; points[2 * n + 1] = y - ex * grow;
            n++;
        }
        points[2 * n] = x + b->r * c; points[2 * n + 1] = y + b->r * s;
        n++;
        before = end;
    }
    *count = n;
    return points;
}

/* The stretches of an edge, from 0 to 1, outside two ranges; returns how many of at most three. */
static int32_t outside(Span p, Span q, Span out[3])
{
    Span order[2] = {p, q};
    double start = 0.0;
    int32_t n = 0;
    if (!(p.from <= q.from)) {
        order[0] = q;
        order[1] = p;
    }
    for (int32_t k = 0; k < 2; k++) {
        if (order[k].from > order[k].to) continue;
        double end = order[k].from < 1.0 ? order[k].from : 1.0;
        if (end - start > SHORT) {
            out[n].from = start;
            out[n++].to = end;
        }
        if (order[k].to > start) start = order[k].to;
    }
    if (1.0 - start > SHORT) {
        out[n].from = start;
        out[n++].to = 1.0;
    }
    return n;
}

static Span edge_between(const Form *a, const Form *b, const Form *edge, double touch)
{
    double wx, wy;
    Span s = EVERYWHERE;
    if (edge->right <= a->left || edge->left >= b->right) return NEVER;
    if (edge->left < a->right) {
        parted(a, edge, touch, &wx, &wy);
        s = ahead(wx, wy);
    }
    if (edge->right > b->left) {
        parted(edge, b, touch, &wx, &wy);
        s = both_spans(s, ahead(wx, wy));
    }
    return s;
}

/* A blocker that overlaps a base, as its edges outside both bases and its cut midway between them. */
static void shards(Arena *m, Shades *out, const Form *a, const Form *b, const Form *p, int32_t tag, double touch)
{
    int32_t n;
    const double *c = rim_of(m, p, &n);
    double middle = (a->right + b->left) / 2.0, low = INFINITY, high = -INFINITY;
    double px = c[2 * n - 2], py = c[2 * n - 1];
    for (int32_t k = 0; k < n; k++) {
        double qx = c[2 * k], qy = c[2 * k + 1], dx = qx - px, dy = qy - py;
        Span open[3];
        int32_t count = outside(line_in(a, px, py, dx, dy), line_in(b, px, py, dx, dy), open);
        for (int32_t i = 0; i < count; i++) {
            double ends[4] = {px + open[i].from * dx, py + open[i].from * dy, px + open[i].to * dx, py + open[i].to * dy};
            Form edge = {ends, 2, 0.0, dx >= 0.0 ? ends[0] : ends[2], dx >= 0.0 ? ends[2] : ends[0], -INFINITY, INFINITY};
            Span slopes = edge_between(a, b, &edge, touch);
            if (slopes.from < slopes.to) {
                double *kept = take(m, sizeof ends);
                memcpy(kept, ends, sizeof ends);
                shade_add(m, out, tag, kept, 2, 0.0, slopes);
            }
        }
        if ((px <= middle) != (qx <= middle)) {
            double v = py + (middle - px) / dx * dy;
            if (v < low) low = v;
            if (v > high) high = v;
        }
        px = qx; py = qy;
    }
    if (low < high) {
        double *cut = take(m, 4 * sizeof(double));
        cut[0] = middle; cut[1] = low; cut[2] = middle; cut[3] = high;
        shade_add(m, out, tag, cut, 2, 0.0, EVERYWHERE);
    }
}
