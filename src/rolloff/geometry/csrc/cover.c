/* Who is within or behind cover. */

/* Thou: gaps closer than this are the same. */
#define TIE 1e-6

/* The first piece that a target is behind, seen from one firing model, or -1. */
static int32_t cover_from(const Scene *s, const Mode *mode, const End *a, const End *b, int32_t kinds, int32_t near,
                          int32_t tol)
{
    const Ground *g = s->ground;
    for (int32_t k = 0; k < g->pieces; k++) {
        const Piece *p = g->piece + k;
        if (!(p->kinds & kinds)) {
            if (!p->solid || listed(mode->lists, mode->ignored, mode->clear, k)) continue;
            if (is_under(a, k) || is_under(b, k)) continue;
        }
        if (!crosses_piece(g, k, (int32_t)a->x, (int32_t)a->y, (int32_t)b->x, (int32_t)b->y)) continue;
        if (!(p->kinds & kinds) && mode->heights) {
            Core few[16], *core = piece_cores(p) <= 16 ? few : malloc(sizeof(Core) * (size_t)piece_cores(p));
            if (core == NULL) return OUT_OF_MEMORY;
            cores_of_piece(g, p, core);
            int up = rises(a, b, core, piece_cores(p), (double)((int64_t)p->height * mode->eye_whole));
            if (core != few) free(core);
            if (!up) continue;
        }
        if (core_to_piece(g, b->own, b->one.n, b->one.r, p) <= (double)near + tol ||
            core_to_piece(g, a->own, a->one.n, a->one.r, p) > near)
            return k;
    }
    return -1;
}

static int32_t cover_of(const Scene *s, const Mode *mode, const End *shooters, const double *gaps, int32_t count,
                        const End *b, int32_t kinds, int32_t near, int32_t tol)
{
    const Ground *g = s->ground;
    double least = INFINITY;
    int32_t found = -1;
    for (int32_t k = 0; k < g->pieces; k++)
        if ((g->piece[k].kinds & kinds) && in_piece(g, g->piece + k, (int32_t)b->x, (int32_t)b->y)) return k;
    for (int32_t k = 0; k < count; k++)
        if (gaps[k] < least) least = gaps[k];
    for (int32_t k = 0; k < count; k++)
        if (gaps[k] <= least + TIE) {
            found = cover_from(s, mode, shooters + k, b, kinds, near, tol);
            if (found < 0) return found;
        }
    return found;
}

/* Fills the slots of a unit on the table and, for each, a piece that it is within or behind, or -1. */
int32_t covered_from(SCENE_ARGS, const char *packed_mode, const int32_t *firing, int32_t count, int32_t unit_b,
                     int32_t kinds, int32_t near, int32_t tol, int32_t *slots, int32_t *pieces)
{
    Scene s = SCENE;
    Mode mode = mode_of(packed_mode);
    Arena m;
    int32_t standing = 0, found = 0;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    End *shooters = take(&m, sizeof(End) * (size_t)(count + 1));
    double *gaps = take(&m, sizeof(double) * (size_t)(count + 1));
    for (int32_t k = 0; k < count; k++)
        if (on_table(&s, firing[k])) end_of_slot(&s, &mode, firing[k], shooters + standing++);
    for (int32_t slot = 0; slot < n; slot++) {
        if (slot_owner(&s, slot) != unit_b || !on_table(&s, slot)) continue;
        End b;
        end_of_slot(&s, &mode, slot, &b);
        for (int32_t k = 0; k < standing; k++)
            gaps[k] = convex_gap(shooters[k].own, shooters[k].one.n, b.own, b.one.n) - (shooters[k].one.r + b.one.r);
        slots[found] = slot;
        pieces[found] = cover_of(&s, &mode, shooters, gaps, standing, &b, kinds, near, tol);
        if (pieces[found++] == OUT_OF_MEMORY) {
            found = OUT_OF_MEMORY;
            break;
        }
    }
    arena_close(&m);
    return found;
}
