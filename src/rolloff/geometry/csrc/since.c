/* Measured again after somebody moved: what was measured before stands for all who stand and face as they did. */

/* Marks the units of which somebody stands or faces otherwise; returns how many. No unit has a number of MOST_MODELS or more. */
static int32_t units_moved(const Scene *s, int32_t units, const char *xy, const char *facing, char *moved)
{
    int32_t count = 0;
    memset(moved, 0, (size_t)units);
    for (int32_t k = 0; k < s->n; k++) {
        if (!memcmp(s->xy + 8 * k, xy + 8 * k, 8) && !memcmp(s->facing + 2 * k, facing + 2 * k, 2)) continue;
        int32_t u = slot_owner(s, k);
        if (u < 0 || u >= units || moved[u]) continue;
        moved[u] = 1;
        count++;
    }
    return count;
}

/* What `gaps_of_unit` fills, of which it may be known how everybody stood before and what came of it then. */
void gaps_since(SCENE_ARGS, int32_t unit, int32_t units, const char *xy_before, const char *facing_before,
                const double *before, double *gaps)
{
    Scene s = SCENE;
    char moved[MOST_MODELS];
    if (!before || units > MOST_MODELS || unit < 0 || unit >= units
        || (units_moved(&s, units, xy_before, facing_before, moved) && moved[unit])) {
        gaps_of_unit(ground, n, shape, xy, z, facing, owner, unit, units, gaps);
        return;
    }
    Body own[MOST_MODELS];
    int32_t slots[MOST_MODELS], count = gather(&s, unit, own, slots), corners = 0;
    for (int32_t i = 0; i < count; i++) corners += own[i].n;
    for (int32_t u = 0; u < units; u++)
        gaps[u] = moved[u] ? INFINITY : before[u];
    for (int32_t k = 0; k < n; k++) {
        int32_t u = slot_owner(&s, k);
        if (u < 0 || u >= units || !moved[u] || !on_table(&s, k)) continue;
        Body b;
        body_of(&s, k, &b);
        gaps[u] = (corners + b.n == count + 1 ? least_round_gap : least_gap_to)(own, count, &b, gaps[u]);
    }
}

/* Whether a base is no further than the limit from one of a unit's. */
static int comes_near(const Scene *s, int32_t slot, int32_t unit, const Crowd *crowd, double limit)
{
    double far = limit + 4.0; /* more than any rounding */
    for (int32_t k = 0; k < 3; k++) far += read_i32(s->shape, 4 * slot + k);
    int32_t x = slot_x(s, slot), y = slot_y(s, slot);
    if (x < crowd->left - far || x > crowd->right + far || y < crowd->bottom - far || y > crowd->top + far) return 0;
    Body a, b;
    body_of(s, slot, &a);
    for (int32_t k = 0; k < s->n; k++) {
        if (slot_owner(s, k) != unit || !on_table(s, k)) continue;
        body_of(s, k, &b);
        if ((slot < k ? body_gap(&a, &b) : body_gap(&b, &a)) <= limit) return 1;
    }
    return 0;
}

/* Whether `close_units_of` would find the very pairs it found when everybody stood as before: of whoever moved none was among
 * them, and none is no further than the limit from an enemy now. */
int32_t as_close_as_before(SCENE_ARGS, const char *sides, int32_t units, double limit, const char *xy_before,
                           const char *facing_before, const int32_t *pairs, int32_t count)
{
    Scene s = SCENE;
    char moved[MOST_MODELS];
    if (units > MOST_MODELS) return 0;
    if (!units_moved(&s, units, xy_before, facing_before, moved)) return 1;
    for (int32_t k = 0; k < count; k++)
        if (moved[pairs[k] / units]) return 0; /* each pair is there twice, once from either side */
    for (int32_t u = 0; u < units; u++) {
        if (!moved[u]) continue;
        Crowd crowd = {.first = -1};
        for (int32_t k = 0; k < n; k++) {
            if (slot_owner(&s, k) != u || !on_table(&s, k)) continue;
            Body b;
            body_of(&s, k, &b);
            crowd_in(&crowd, &b, k);
        }
        for (int32_t k = 0; crowd.first >= 0 && k < n; k++) {
            int32_t v = slot_owner(&s, k);
            if (v < 0 || v >= units || (sides[v] != 0) == (sides[u] != 0) || !on_table(&s, k)) continue;
            if (comes_near(&s, k, u, &crowd, limit)) return 0;
        }
    }
    return 1;
}
