/* A unit led by its foremost model around obstacles toward a point, everyone else in formation after it: in one call what
 * marching.py does step by step. */

#define LEAD_FAR 400000
#define LEAD_SPOTS 49
#define LEAD_NEAREST 17

/* A point and rings of spots around it. */
static void spots_near(int32_t x, int32_t y, int32_t *spot)
{
    static const int32_t FAR[6] = {500, 1000, 2000, 3000, 4500, 6000};
    *spot++ = x; *spot++ = y;
    for (int32_t k = 0; k < 6; k++)
        for (int32_t turn = 0; turn < 3600; turn += 450) {
            *spot++ = x + nearest_whole(FAR[k] * ((double)cosine(turn) / 1073741824.0));
            *spot++ = y + nearest_whole(FAR[k] * ((double)sine(turn) / 1073741824.0));
        }
}

/* The part of a path that `most` thou reach; its number of points. */
static int32_t cut_path(const Pose *from, const int32_t *path, int32_t points, double most, int32_t *out)
{
    int32_t x = from->x, y = from->y;
    for (int32_t k = 0; k < points; k++) {
        double dx = (double)path[2 * k] - x, dy = (double)path[2 * k + 1] - y, size = sqrt(dx * dx + dy * dy);
        if (size > most) {
            if (most < 1.0) return k;
            out[2 * k] = x + nearest_whole(dx * most / size); out[2 * k + 1] = y + nearest_whole(dy * most / size);
            return k + 1;
        }
        x = out[2 * k] = path[2 * k]; y = out[2 * k + 1] = path[2 * k + 1];
        most -= size;
    }
    return points;
}

/* The number of the member nearest to a point. */
static int32_t foremost(const Storm *z, int32_t x, int32_t y)
{
    int32_t best = 0;
    double least = 0.0;
    for (int32_t i = 0; i < z->n; i++) {
        double dx = (double)z->member[i].from.x - x, dy = (double)z->member[i].from.y - y, far = dx * dx + dy * dy;
        if (i == 0 || far < least) { best = i; least = far; }
    }
    return best;
}

/* The whole unit as far along the way of its lead model as is lawful. */
static int train_along(Storm *z, const int32_t *whole, int32_t points, int32_t most, int32_t avoid)
{
    static const int32_t SHARE[5] = {16, 14, 12, 8, 4};
    for (int32_t k = 0; k < 5 && !z->failed; k++) {
        double far = (double)((int64_t)most * SHARE[k] / 16);
        z->points = cut_path(&z->member[z->lead].from, whole, points, far, z->path);
        if (in_formation(z, avoid ? AVOID : 0, most)) return 1;
    }
    return 0;
}

/* A unit led toward a point. `counts` and `points` as of `judge_march`. Returns the number of poses, -1 without a lawful way,
 * -2 without memory. */
int32_t train_unit(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                   int32_t barred_count, int32_t x, int32_t y, int32_t most, int32_t avoid, char *counts, int32_t *points)
{
    Scene s = SCENE;
    Move move;
    Storm w = {.s = &s, .move = &move};
    move_of(&move, terms, way, end, units, barred, barred_count);
    int32_t path[2 * MOST_LEGS], scratch[8], spot[2 * LEAD_SPOTS], found[1 + 2 * MOST_LEGS], result = -2;
    if (storm_room(&w, path, scratch)) {
        result = -1;
        spots_near(x, y, spot);
        w.lead = foremost(&w, x, y);
        int32_t *slot = &w.member[w.lead].slot, legs = -1;
        if (w.n) legs = way_of(&s, &move, slot, 1, (const char *)spot, LEAD_NEAREST, 0, LEAD_FAR, avoid, found);
        if (w.n && legs == -1)
            legs = way_of(&s, &move, slot, 1, (const char *)(spot + 2 * LEAD_NEAREST), LEAD_SPOTS - LEAD_NEAREST, 0, LEAD_FAR, avoid,
                          found);
        if (legs == -2) w.failed = 1;
        if (legs > 0 && train_along(&w, found + 1, legs, most, avoid)) {
            result = 0;
            for (int32_t i = 0; i < w.n; i++) {
                int32_t count = i == w.lead ? w.points : w.rows[(size_t)i * SETTLED_ROW];
                counts[i] = (char)count;
                result += count;
            }
            memcpy(points, w.pose, (size_t)result * sizeof(Pose));
        }
        if (w.failed) result = -2;
    }
    storm_free(&w);
    return result;
}
