/* What lies around a grown shape: corners to pass it by, and spots in contact with it. Twin: plain/around.py. */

#define CIRCUMSCRIBED 1.0195911582083184
#define FINE_TURN 0.9
#define SPACING 700.0
#define ONE_TURN 1073741824.0

typedef struct { int32_t x, y; } Spot;
typedef struct { double ax, ay, bx, by; } Arc;

static int32_t arc_parts(double ax, double ay, double bx, double by, Arc *out, int32_t count)
{
    double dot = ax * bx + ay * by;
    if (dot >= FINE_TURN) {
        Arc part = {ax, ay, bx, by};
        out[count] = part;
        return count + 1;
    }
    double mx = ax + bx, my = ay + by, size = sqrt(mx * mx + my * my);
    if (dot < -0.999) { mx = -ay; my = ax; size = 1.0; }
    mx = mx / size; my = my / size;
    count = arc_parts(ax, ay, mx, my, out, count);
    return arc_parts(mx, my, bx, by, out, count);
}

static void side_normal(const int32_t *pt, int32_t m, int32_t k, double *nx, double *ny)
{
    int32_t q = (k + 1) % m;
    double ex = (double)pt[2 * q] - pt[2 * k], ey = (double)pt[2 * q + 1] - pt[2 * k + 1];
    double size = sqrt(ex * ex + ey * ey);
    *nx = ey / size; *ny = -ex / size;
}

/* The most corners or spots that a shape of m corners can have around it. */
static int32_t around_room(const Block *b)
{
    double way = (double)(b->right - b->left) + (double)(b->top - b->bottom);
    return 16 + b->m * 18 + (int32_t)(2.0 * way / SPACING);
}

/* The corners of a polygon drawn around a shape grown by tau. */
static int32_t corners_around(const Block *b, double tau, Spot *out)
{
    int32_t count = 0;
    if (b->m == 1) {
        double far = tau * CIRCUMSCRIBED;
        for (int32_t t = 0; t < 3600; t += 225) {
            out[count].x = nearest_whole(b->pt[0] + far * ((double)cosine(t) / ONE_TURN));
            out[count++].y = nearest_whole(b->pt[1] + far * ((double)sine(t) / ONE_TURN));
        }
        return count;
    }
    for (int32_t k = 0; k < b->m; k++) {
        double px, py, nx, ny;
        Arc part[64];
        side_normal(b->pt, b->m, (k + b->m - 1) % b->m, &px, &py);
        side_normal(b->pt, b->m, k, &nx, &ny);
        int32_t parts = arc_parts(px, py, nx, ny, part, 0);
        for (int32_t q = 0; q < parts; q++) {
            double scale = tau / (1.0 + (part[q].ax * part[q].bx + part[q].ay * part[q].by));
            out[count].x = nearest_whole(b->pt[2 * k] + (part[q].ax + part[q].bx) * scale);
            out[count++].y = nearest_whole(b->pt[2 * k + 1] + (part[q].ay + part[q].by) * scale);
        }
    }
    return count;
}

/* Spots on the border of a shape grown by a radius. */
static int32_t contact_spots(const Block *b, double radius, Spot *out)
{
    int32_t count = 0;
    if (b->m == 1) {
        for (int32_t t = 0; t < 3600; t += 225) {
            out[count].x = nearest_whole(b->pt[0] + radius * ((double)cosine(t) / ONE_TURN));
            out[count++].y = nearest_whole(b->pt[1] + radius * ((double)sine(t) / ONE_TURN));
        }
        return count;
    }
    for (int32_t k = 0; k < b->m; k++) {
        double px, py, nx, ny, x = b->pt[2 * k], y = b->pt[2 * k + 1];
        Arc part[64];
        side_normal(b->pt, b->m, (k + b->m - 1) % b->m, &px, &py);
        side_normal(b->pt, b->m, k, &nx, &ny);
        int32_t parts = arc_parts(px, py, nx, ny, part, 0), next = (k + 1) % b->m;
        for (int32_t q = 0; q < parts; q++) {
            out[count].x = nearest_whole(x + radius * part[q].ax);
            out[count++].y = nearest_whole(y + radius * part[q].ay);
        }
        double ex = b->pt[2 * next] - x, ey = b->pt[2 * next + 1] - y;
        int32_t pieces = (int32_t)(sqrt(ex * ex + ey * ey) / SPACING) + 1;
        for (int32_t q = 0; q < pieces; q++) {
            double share = (double)q / (double)pieces;
            out[count].x = nearest_whole(x + ex * share + radius * nx);
            out[count++].y = nearest_whole(y + ey * share + radius * ny);
        }
    }
    return count;
}

/* The spot at a distance from a shape that is nearest to a point outside it; 0 from inside. */
static int nearest_contact(const Block *b, double radius, double x, double y, Spot *out)
{
    double px = b->pt[2 * (b->m - 1)], py = b->pt[2 * (b->m - 1) + 1], best = -1.0, qx = px, qy = py;
    for (int32_t k = 0; k < b->m; k++) {
        double cx = b->pt[2 * k], cy = b->pt[2 * k + 1], d = point_segment2(x, y, px, py, cx, cy);
        if (best < 0.0 || d < best) {
            best = d;
            double ex = cx - px, ey = cy - py, t = (x - px) * ex + (y - py) * ey, ll = ex * ex + ey * ey;
            if (t <= 0.0) { qx = px; qy = py; }
            else if (t >= ll) { qx = cx; qy = cy; }
            else { qx = px + ex * (t / ll); qy = py + ey * (t / ll); }
        }
        px = cx; py = cy;
    }
    if (b->m >= 3 && core_distance(b->pt, b->m, x, y) < 0.0) return 0;
    double dx = x - qx, dy = y - qy, size = sqrt(dx * dx + dy * dy);
    if (size == 0.0) return 0;
    out->x = nearest_whole(qx + dx / size * radius);
    out->y = nearest_whole(qy + dy / size * radius);
    return 1;
}
