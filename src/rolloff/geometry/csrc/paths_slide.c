/* The longest lawful shift of a whole unit. Twin: plain/slide.py. */

typedef struct { const Scene *s; const Move *move; Member *member; int32_t n, dx, dy, most_r; double length; Box region; } Course;

/* The pose of a member after `m` thou of the course. */
static Pose along_course(const Course *c, const Member *k, int32_t m)
{
    Pose p = k->from;
    p.x += nearest_whole((double)c->dx * (double)m / c->length);
    p.y += nearest_whole((double)c->dy * (double)m / c->length);
    return p;
}

static int course_clear(const Course *c, const Member *k, const Surroundings *w, int32_t hits, int32_t m)
{
    Pose p = along_course(c, k, m);
    return !off_table(c->s, &c->move->t, k, &p, c->move->t.edge)
        && !leg_hits_any(&w->models, w->way, w->hits, hits, k->from.x, k->from.y, p.x, p.y);
}

static int course_touches(const Course *c, const Member *k, const Surroundings *w, int32_t m)
{
    Pose p = along_course(c, k, m);
    double d = (double)k->r - (double)c->move->t.touch;
    for (int32_t b = 0; b < w->touched.count; b++) {
        const Block *o = w->touched.block + b;
        if (!(c->s->ground->piece[o->piece].kinds & c->move->t.difficult)) continue;
        if (comes_closer(o->pt, o->m, k->from.x, k->from.y, p.x, p.y, d + (double)o->r)) return 1;
    }
    return 0;
}

/* The largest m up to `most` for which a test that only ever turns once stays true. */
static int32_t longest_clear(const Course *c, const Member *k, const Surroundings *w, int32_t most, int touching)
{
    int32_t low = 0, high = most, hits = 0;
    if (!touching) {
        Pose p = along_course(c, k, most);
        hits = leg_hits(&w->models, w->way, k->from.x, k->from.y, p.x, p.y, w->hits);
    }
    if (touching ? !course_touches(c, k, w, most) : course_clear(c, k, w, hits, most)) return most;
    if (touching && course_touches(c, k, w, 0)) return -1;
    while (high - low > 1) {
        int32_t mid = low + (high - low) / 2;
        if (touching ? !course_touches(c, k, w, mid) : course_clear(c, k, w, hits, mid)) low = mid;
        else high = mid;
    }
    return low;
}

static void ready(const Course *c, const Member *k, Surroundings *w)
{
    surround(c->s, c->move, k, k->from.facing, c->most_r, &c->region, w);
    note_near(c->move, &w->models, k->r, k->from.x, k->from.y, BY_WITNESS);
    draw_fences(c->move, k->r, BY_WITNESS, w);
}

static int course_ends_well(const Course *c, Surroundings *w, int32_t m)
{
    for (int32_t i = 0; i < c->n; i++) {
        ready(c, c->member + i, w);
        Pose p = along_course(c, c->member + i, m);
        if (leg_hit(&w->models, w->end, p.x, p.y, p.x, p.y) >= 0) return 0;
    }
    return 1;
}

/* How far the course can be followed, by table, gaps, impassable and difficult ground. */
static int32_t follow(const Course *c, Surroundings *w, int32_t most)
{
    const Terms *t = &c->move->t;
    int32_t far = most, dry = most;
    for (int32_t i = 0; i < c->n; i++) {
        ready(c, c->member + i, w);
        far = longest_clear(c, c->member + i, w, far, 0);
    }
    if (t->cap >= 0 && far > t->cap) {
        dry = far;
        for (int32_t i = 0; i < c->n && dry >= 0; i++) {
            ready(c, c->member + i, w);
            dry = longest_clear(c, c->member + i, w, dry, 1);
        }
        far = dry > t->cap ? dry : t->cap;
    }
    for (int32_t k = 16; k > 0; k--) {
        int32_t m = (int32_t)((int64_t)far * k / 16);
        if (m == 0) return 0;
        if (course_ends_well(c, w, m)) return m;
    }
    return 0;
}

/* The longest lawful part of a shift of the whole unit; `out`: dx, dy. Returns its length, or -2 without memory. */
int32_t slide_shift(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count, int32_t dx, int32_t dy, int32_t *out)
{
    Scene s = SCENE;
    Move move;
    Surroundings w;
    move_of(&move, terms, way, end, units, barred, barred_count);
    Member *member = malloc((size_t)(n + 1) * sizeof(Member));
    void *room = surroundings_room(&s, &w);
    int32_t far = -2;
    out[0] = out[1] = 0;
    if (member && room) {
        Course c = {&s, &move, member, 0, dx, dy, 0, sqrt((double)dx * dx + (double)dy * dy),
                    {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN}};
        c.n = members_of(&s, move.t.unit, member);
        int32_t most = (int32_t)c.length, factor = 1;
        if (move.t.hull && c.n) factor = hull_factor(&move.t, dx, dy, member[0].from.facing);
        if (factor == 0) most = 0;
        else if (most > move.t.allowance / factor) most = move.t.allowance / factor;
        far = 0;
        if (most > 0 && c.n) {
            for (int32_t i = 0; i < c.n; i++) {
                Pose p = along_course(&c, member + i, most);
                widen(&c.region, member[i].from.x, member[i].from.y);
                widen(&c.region, p.x, p.y);
                if (member[i].r > c.most_r) c.most_r = member[i].r;
            }
            far = follow(&c, &w, most);
            out[0] = nearest_whole((double)dx * (double)far / c.length);
            out[1] = nearest_whole((double)dy * (double)far / c.length);
        }
    }
    free(member);
    surroundings_free(&w);
    return far;
}

/* The same, and the verdict on that shift, as `judge_march` writes it; the shift itself is at `step` in `out`. Returns the number
 * of members, 0 where the unit cannot go at all, -2 without memory. */
int32_t slide_judged(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                     int32_t barred_count, int32_t dx, int32_t dy, int32_t step, int32_t *out)
{
    int32_t far = slide_shift(ground, n, shape, xy, z, facing, owner, terms, way, end, units, barred, barred_count, dx, dy,
                              out + step);
    if (far <= 0) return far;
    return judge_march(ground, n, shape, xy, z, facing, owner, terms, way, end, units, barred, barred_count, NULL, 0, "", 0,
                       out[step], out[step + 1], out);
}
