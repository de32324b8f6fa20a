/* Many straight ways of one unit, each judged for one thing alone: what the judge refuses it for first, if he does. What stands in
 * the way is gathered once for all of them. The twins ask the judge about each: judging.py, shifting.py. */

typedef struct {
    Scene s;
    Move move;
    Member *member;
    int32_t n, first, movers;         /* those who go: so many from this number on */
    Box region;                       /* where they begin and may end */
    int32_t most_r, alike, level;     /* alike: all of them see the same obstacles; level: no ground lies higher than other */
    Surroundings w;
    Fence *fence;                     /* on the way and at the end, of each who goes; of one at a time where they are not alike */
    char *drawn;                      /* whose fences are drawn */
    int8_t *met;                      /* by target: whether one of those who stand is in contact with it, -1 before it is known */
    Pose *from, *to, *pose;
    int32_t *work, *pairs, was_coherent, out[8];
} Trials;

static void trials_close(Trials *z)
{
    blocks_free(&z->w.models); blocks_free(&z->w.touched);
    free(z->member); free(z->fence); free(z->drawn); free(z->from); free(z->work); free(z->pairs);
}

/* Whether those who go have bases of one outline. */
static int bases_alike(const Trials *z)
{
    const Member *one = z->member + z->first;
    for (int32_t i = z->first; i < z->first + z->movers; i++) {
        const Member *m = z->member + i;
        if (m->hl != one->hl || m->hw != one->hw || ((m->hl | m->hw) && m->from.facing != one->from.facing)) return 0;
    }
    return 1;
}

/* Makes ready to try ways of those members who go, by boxes of where each could end, seen from where it begins; 0 without memory.
 * `trials_close` in any case. */
static int trials_open(Trials *z, const Box *about)
{
    Scene *s = &z->s;
    const Terms *t = &z->move.t;
    for (int32_t i = z->first; i < z->first + z->movers; i++) {
        const Member *m = z->member + i;
        widen(&z->region, m->from.x, m->from.y);
        widen(&z->region, m->from.x + about->left, m->from.y + about->bottom);
        widen(&z->region, m->from.x + about->right, m->from.y + about->top);
        if (m->r > z->most_r) z->most_r = m->r;
    }
    z->was_coherent = -1;
    z->level = t->rise < 0 || !hilly(s);
    z->alike = z->movers > 0 && bases_alike(z);
    z->w.core_hl = -1;
    if (!blocks_room(s, &z->w.models, 1) || !blocks_room(s, &z->w.touched, 1)) return 0;
    if (z->alike) surround(s, &z->move, z->member + z->first, z->member[z->first].from.facing, z->most_r, &z->region, &z->w);
    size_t room = (size_t)(z->alike ? z->w.models.count : z->w.models.room) + 1, n = (size_t)z->n + 1;
    z->fence = malloc((z->alike ? (size_t)z->movers : 1) * 2 * room * sizeof(Fence));
    z->drawn = calloc(n + (size_t)t->targets, 1);
    z->from = malloc(3 * n * sizeof(Pose));
    z->work = malloc(3 * n * sizeof(int32_t));
    if (t->difficult | t->dangerous) z->pairs = malloc((n * (size_t)s->ground->pieces + 1) * 2 * sizeof(int32_t));
    if (!z->fence || !z->drawn || !z->from || !z->work || ((t->difficult | t->dangerous) && !z->pairs)) return 0;
    z->met = (int8_t *)z->drawn + n;
    memset(z->met, -1, (size_t)t->targets);
    z->to = z->from + n; z->pose = z->to + n;
    for (int32_t i = 0; i < z->n; i++) z->from[i] = z->to[i] = z->member[i].from;
    return 1;
}

/* Walks one member straight to where it ends, and refuses at the first thing in the way: `walk_path` of who does not turn. */
static void walk_straight(Trials *z, int32_t i)
{
    const Terms *t = &z->move.t;
    const Member *m = z->member + i;
    Surroundings *w = &z->w;
    size_t room = (size_t)(z->alike ? w->models.count : w->models.room) + 1;
    Fence *way = z->fence + (z->alike ? 2 * room * (size_t)(i - z->first) : 0), *end = way + room;
    if (!z->alike) surround(&z->s, &z->move, m, m->from.facing, z->most_r, &z->region, w);
    if (!z->alike || !z->drawn[i]) limits_at(&z->move, &w->models, m->r, m->from.x, m->from.y, BY_JUDGE, way, end);
    z->drawn[i] = 1;
    if (z->pairs) note_touched(&z->s, &z->move, w, m, m->from.x, m->from.y, m->to.x, m->to.y, z->out, z->pairs);
    if (off_table(&z->s, t, m, &m->to, t->edge)) refuse(z->out, C_OFF_TABLE, m->slot, -1);
    if (z->out[0] != C_LEGAL) return;
    blame(&w->models, leg_hit(&w->models, way, m->from.x, m->from.y, m->to.x, m->to.y), m->slot, z->out);
    if (z->out[0] != C_LEGAL) return;
    blame(&w->models, leg_hit(&w->models, end, m->to.x, m->to.y, m->to.x, m->to.y), m->slot, z->out);
    if (t->limited) {
        int32_t ex, ey;
        extent(m->hl, m->hw, m->r, m->to.facing, &ex, &ey);
        if (m->to.x + ex > t->x0 + t->edge && m->to.x - ex < t->x1 - t->edge && m->to.y + ey > t->y0 + t->edge
            && m->to.y - ey < t->y1 - t->edge) refuse(z->out, C_OFF_LIMITS, m->slot, -1);
    }
}

/* Whether the unit held together before anybody went. */
static int held_together(Trials *z)
{
    if (z->was_coherent < 0)
        z->was_coherent = coherent_at(&z->s, &z->move.t, z->member, z->from, z->n, z->work, z->work + z->n);
    return z->was_coherent;
}

/* What `check_coherency` refuses, without saying whom. Who all go the same way stand to each other as before. */
static void hold_together(Trials *z)
{
    const Terms *t = &z->move.t;
    if (t->cohere == COHERE_NEVER) return;
    if (t->cohere == COHERE_NEARER) {
        check_coherency(&z->s, &z->move, z->member, z->from, z->to, z->n, z->work, z->work + z->n, CODE_ALONE, z->out);
        return;
    }
    int holds = z->level && in_step(z->from, z->to, z->n)
        ? held_together(z) : coherent_at(&z->s, t, z->member, z->to, z->n, z->work, z->work + z->n);
    if (!holds && (t->cohere == COHERE_ALWAYS || held_together(z))) refuse(z->out, C_INCOHERENT, -1, -1);
}

/* What `check_targets` refuses. Where one goes and nobody has to end nearer, it is asked once of the others whom they meet. */
static void meet_targets(Trials *z)
{
    const Terms *t = &z->move.t;
    if (t->closing != CLOSING_ANY || z->movers != 1) {
        check_targets(&z->s, &z->move, z->member, z->n, z->out);
        return;
    }
    double contact = (double)(t->reach >= 0 ? t->reach : t->touch_gap);
    for (int32_t q = 0; t->contact && q < t->targets && z->out[0] == C_LEGAL; q++) {
        int32_t unit = read_i32(z->move.target, q);
        const Member *m = z->member + z->first;
        if (z->met[q] > 0 || target_gap(&z->s, &z->move, m, &m->to, unit) <= contact) continue;
        for (int32_t i = 0; i < z->n && z->met[q] < 0; i++)
            if (i != z->first && target_gap(&z->s, &z->move, z->member + i, z->from + i, unit) <= contact) z->met[q] = 1;
        if (z->met[q] < 0) z->met[q] = 0;
        if (!z->met[q]) refuse(z->out, C_NO_CONTACT, -1, unit);
    }
}

/* What the judge refuses it for first if those who go do so by dx, dy each. */
static int32_t tried_by(Trials *z, int32_t dx, int32_t dy)
{
    const Terms *t = &z->move.t;
    int32_t *out = z->out;
    memset(out, 0, sizeof z->out);
    for (int32_t i = z->first; i < z->first + z->movers; i++) {
        Member *m = z->member + i;
        Pose to = {m->from.x + dx, m->from.y + dy, -1};
        z->pose[i] = to;
        m->first = i; m->poses = dx || dy; m->moved = 0;
        measure_path(t, m, z->pose, out);
        z->to[i] = m->to;
    }
    check_length(t, z->member + z->first, z->movers, t->allowance, out);
    for (int32_t i = z->first; i < z->first + z->movers && out[0] == C_LEGAL; i++)
        if (z->member[i].poses) walk_straight(z, i);
    if (out[0] == C_LEGAL) check_own_bases(&z->move, z->member, z->n, out);
    if (out[4] && t->cap >= 0 && t->cap < t->allowance) check_length(t, z->member + z->first, z->movers, t->cap, out);
    if (out[0] == C_LEGAL) hold_together(z);
    if (out[0] == C_LEGAL && t->targets) meet_targets(z);
    return out[0];
}

/* How near to a model no other may come by the discs in the middle of their bases alone. */
typedef struct { double x, y, reach; } Disc;

/* The discs that some spots of a member could be too near to, and where it stands is not. */
static int32_t discs_about(const Scene *s, const Move *move, const Member *m, const Box *about, Disc *found)
{
    int32_t count = 0;
    for (int32_t j = 0; j < s->n; j++) {
        int32_t unit = slot_owner(s, j);
        if (j == m->slot || !on_table(s, j) || (unit != move->t.unit && move->t.tolerant)) continue;
        double least = unit == move->t.unit ? -(double)move->t.overlap : least_gap(move, end_code(move, unit), BY_JUDGE);
        double x = slot_x(s, j), y = slot_y(s, j), reach = (double)(m->r + read_i32(s->shape, 4 * j + 2)) + least - 2.0;
        if (reach <= 0.0 || x - reach > about->right || x + reach < about->left || y - reach > about->top
            || y + reach < about->bottom) continue;
        double fx = m->from.x - x, fy = m->from.y - y;
        if (fx * fx + fy * fy < (reach + 4.0) * (reach + 4.0)) continue;
        Disc disc = {x, y, reach};
        found[count++] = disc;
    }
    return count;
}

/* Whether the judge is sure to refuse a member an end at a spot: the discs in the middle of bases alone come too near to each
 * other there, and did not where it stands. He has the last word on every other spot. */
static int too_near(const Disc *discs, int32_t count, int32_t x, int32_t y)
{
    for (int32_t k = 0; k < count; k++) {
        double dx = x - discs[k].x, dy = y - discs[k].y;
        if (dx * dx + dy * dy < discs[k].reach * discs[k].reach) return 1;
    }
    return 0;
}

/* The first of some spots to which the member `who` of the unit may go straight while the others stand; -1 without one, -2
 * without memory. */
int32_t first_step(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                   int32_t barred_count, int32_t who, const char *spots, int32_t spot_count)
{
    Trials w = {.s = SCENE, .first = who, .movers = 1, .region = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN}};
    Box about = w.region;
    int32_t found = -1;
    move_of(&w.move, terms, way, end, units, barred, barred_count);
    note_targets(&w.s, &w.move);
    w.member = malloc((size_t)(n + 1) * sizeof(Member));
    if (!w.member) return -2;
    w.n = members_of(&w.s, w.move.t.unit, w.member);
    if (who < 0 || who >= w.n || spot_count < 1) {
        free(w.member);
        return -1;
    }
    Disc discs[MOST_MODELS];
    Pose from = w.member[who].from;
    for (int32_t k = 0; k < spot_count; k++) widen(&about, read_i32(spots, 2 * k), read_i32(spots, 2 * k + 1));
    int32_t many = discs_about(&w.s, &w.move, w.member + who, &about, discs), opened = 0;
    about.left -= from.x; about.right -= from.x; about.bottom -= from.y; about.top -= from.y;
    for (int32_t k = 0; found == -1 && k < spot_count; k++) {
        int32_t x = read_i32(spots, 2 * k), y = read_i32(spots, 2 * k + 1);
        if (too_near(discs, many, x, y)) continue;
        if (!opened && !trials_open(&w, &about)) found = -2;
        opened = 1;
        if (found == -1 && tried_by(&w, x - from.x, y - from.y) == C_LEGAL) found = k;
    }
    trials_close(&w);
    return found;
}

/* The first of some shifts of the whole unit, from a number on, of which the verdict has one of some codes (a bit each): -1
 * without one, -2 without memory. */
int32_t first_shift(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count, const char *shifts, int32_t shift_count, int32_t first, int32_t codes)
{
    Trials w = {.s = SCENE, .region = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN}};
    Box about = {0, 0, 0, 0};
    int32_t found = -1;
    move_of(&w.move, terms, way, end, units, barred, barred_count);
    note_targets(&w.s, &w.move);
    w.member = malloc((size_t)(n + 1) * sizeof(Member));
    if (!w.member) return -2;
    w.n = w.movers = members_of(&w.s, w.move.t.unit, w.member);
    for (int32_t k = first; k < shift_count; k++) widen(&about, read_i32(shifts, 2 * k), read_i32(shifts, 2 * k + 1));
    if (!trials_open(&w, &about)) found = -2;
    for (int32_t k = first; found == -1 && k < shift_count; k++)
        if (codes >> tried_by(&w, read_i32(shifts, 2 * k), read_i32(shifts, 2 * k + 1)) & 1) found = k;
    trials_close(&w);
    return found;
}
