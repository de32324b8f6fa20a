/* What places say of models. plain/stances.py is the twin and says what is meant. */

#define FOOTINGS 8                    /* as many ways there are to stand to a piece */

typedef struct {
    int32_t pieces, columns;
    double depth;
    const int32_t *piece;             /* by number on the ground */
    const double *limit;              /* how near all of a model is to be to each */
    const int32_t *about;             /* to which of these pieces each column belongs */
    const char *says;                 /* a row of all columns for each sort of models and each footing */
    const char *sort;                 /* of what sort each model is */
} Stances;

/* A row for each model. Who stands as he did before, where that is known, keeps his. */
int32_t stances_of(SCENE_ARGS, const Stances *t, const char *old_xy, const char *old_facing, const char *old, char *rows)
{
    Scene s = SCENE;
    size_t wide = (size_t)t->columns;
    char marks[MOST_PIECES];
    if (t->pieces > MOST_PIECES) return OUT_OF_MEMORY;
    for (int32_t slot = 0; slot < n; slot++) {
        size_t at = (size_t)slot;
        if (old && !memcmp(old_xy + 8 * at, xy + 8 * at, 8) && !memcmp(old_facing + 2 * at, facing + 2 * at, 2)) {
            memcpy(rows + wide * at, old + wide * at, wide);
            continue;
        }
        footing_of(&s, slot, t->piece, t->limit, t->pieces, t->depth, marks);
        const char *says = t->says + FOOTINGS * wide * (size_t)t->sort[slot];
        for (size_t k = 0; k < wide; k++) rows[wide * at + k] = says[wide * (size_t)marks[t->about[k]] + k];
    }
    return 0;
}
