/* Which weapons of a group have a target of another near enough and in sight: by `spans_of` and `sampled_seen`, asked at once. */

/* Each of some shots is of an observer (by his number), reaches so far and is fired `unseen` or not; marks those that may hit anybody
 * of the targets. Only those observers look that have a shot in reach which needs sight. */
int32_t shots_in_aim(SCENE_ARGS, const Backdrop *drop, int32_t opaque, const char *over, const char *bodies, const int32_t *from,
                     int32_t observers, const char *out_of, const int32_t *to, int32_t targets, const char *into,
                     const int32_t *bearer, const double *reach, const char *unseen, int32_t shots, char *able)
{
    Arena m;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    size_t many = (size_t)observers, screens = (size_t)drop->screens;
    double *nearest = take(&m, 9 * many + 8);
    int32_t *lookers = take(&m, sizeof(int32_t) * (many + 1)), *at = take(&m, sizeof(int32_t) * (many + 1)), looking = 0;
    char *outs = take(&m, many * screens + 1), *sees = take(&m, many + 1);
    spans_of(ground, n, shape, xy, z, facing, owner, over, bodies, from, observers, to, targets, -1.0, -1.0, -1.0, nearest);
    for (int32_t i = 0; i < observers; i++) at[i] = -1;
    for (int32_t k = 0; k < shots; k++) {
        int32_t i = bearer[k];
        able[k] = nearest[i] <= reach[k];
        if (!able[k] || unseen[k] || at[i] >= 0) continue;
        memcpy(outs + screens * (size_t)looking, out_of + screens * (size_t)i, screens);
        lookers[looking] = from[i];
        at[i] = looking++;
    }
    int32_t failed = 0;
    if (looking) failed = sampled_seen(ground, n, shape, xy, z, facing, owner, drop, opaque, lookers, looking, outs, to, targets, into, sees);
    for (int32_t k = 0; k < shots && !failed; k++)
        if (able[k] && !unseen[k]) able[k] = sees[at[bearer[k]]];
    arena_close(&m);
    return failed;
}
