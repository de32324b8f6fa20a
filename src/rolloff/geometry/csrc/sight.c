/* Sight between two ends of a scene: with watch.c and cover.c the compiled twin of plain/sight.py, step for step. */

static Side side_of(const End *e)
{
    Side s = {e->x, e->y, end_members(e), e->members, e->has_arc, e->right, e->left};
    return s;
}

/* A look between two ends past the obstacles that block this pair. */
static int look_between(Arena *m, const Mode *mode, const End *a, const End *b, const Obstacles *all, Found *found)
{
    Mark mark = arena_mark(m);
    Blocker *list = take(m, sizeof(Blocker) * (size_t)(all->n + 1));
    Blockers blockers = {list, 0};
    for (int32_t k = 0; k < all->n; k++) {
        const Obstacle *o = all->o + k;
        if (aside(a, b, o) || !stands_up(a, b, o, mode)) continue;
        Blocker *blocker = list + blockers.n++;
        blocker->tag = o->tag; blocker->cores = o->cores; blocker->core = o->core;
    }
    Side p = side_of(a), q = side_of(b);
    double contact = a->has_arc || b->has_arc ? 0.0 : mode->contact;
    int seen = look(m, &p, &q, &blockers, mode->margin, contact, found);
    arena_back(m, mark);
    return seen;
}

/* -1 and the clear line when the ends see each other; else how many tags were filled; -2 off the table, -4 in contact. */
int32_t sees_eyes(SCENE_ARGS, const char *packed_mode, const char *eye_a, const char *eye_b, double *line, int32_t *tags)
{
    Scene s = SCENE;
    Mode mode = mode_of(packed_mode);
    Arena m;
    End a, b;
    char hiding[MOST_PIECES + MOST_MODELS];
    Found found = {{0.0, 0.0, 0.0, 0.0}, 0, hiding};
    int32_t answer = 0;
    arena_open(&m);
    if (setjmp(m.failed)) {
        arena_close(&m);
        return OUT_OF_MEMORY;
    }
    if (!end_of_eye(&m, &s, &mode, eye_a, &a) || !end_of_eye(&m, &s, &mode, eye_b, &b)) {
        arena_close(&m);
        return -2;
    }
    memset(hiding, 0, sizeof hiding);
    Obstacles all = obstacles_of(&m, &s, &mode, a.unit, b.unit);
    if (look_between(&m, &mode, &a, &b, &all, &found)) {
        memcpy(line, found.line, sizeof found.line);
        answer = found.touching ? -4 : -1;
    } else {
        for (int32_t k = 0; k < MOST_PIECES + MOST_MODELS; k++)
            if (hiding[k]) tags[answer++] = k < MOST_PIECES ? k : MOST_PIECES - 1 - k;
    }
    arena_close(&m);
    return answer;
}
