/* The judge of moves. Twin: plain/paths.py. */

/* How much of a verdict somebody reads: all of it; not whether the unit was coherent before; or no more than the code. */
enum { WHOLE_VERDICT, AS_IT_ENDS, CODE_ALONE };

typedef struct {
    Blocks models, touched;           /* what may not be neared; difficult and dangerous ground */
    Fence *way, *end;
    int32_t *hits;
    int32_t core_hl, core_hw, core_facing;
    int32_t drawn_r, drawn;           /* the radius the fences are drawn for, and the level; -1 if they mind what is too near */
} Surroundings;

/* Rebuilds the obstacles when a mover's core differs from the last one. */
static void surround(const Scene *s, const Move *move, const Member *m, int32_t facing, int32_t most_r, const Box *region,
                     Surroundings *w)
{
    if ((m->hl | m->hw) == 0) facing = 0;
    if (w->core_hl == m->hl && w->core_hw == m->hw && w->core_facing == facing) return;
    Stand core;
    core_at(&core, m->hl, m->hw, facing);
    w->core_hl = m->hl; w->core_hw = m->hw; w->core_facing = facing;
    w->models.count = w->models.used = w->touched.count = w->touched.used = 0;
    w->drawn = -1;
    blocks_of_models(s, move, &core, most_r, region, 0, &w->models);
    blocks_of_pieces(s, move, &core, most_r, region, 0, &w->models);
    w->models.avoid = w->models.count;
    int32_t kinds = move->t.difficult | move->t.dangerous;
    if (kinds) blocks_of_pieces(s, move, &core, most_r, region, kinds, &w->touched);
}

/* Draws the fences of a mover, unless they are drawn as they are for everybody of his radius who is too near to nothing. */
static void draw_fences(const Move *move, int32_t r, int level, Surroundings *w)
{
    if (w->models.nears == 0 && w->drawn == level && w->drawn_r == r) return;
    limits_of(move, &w->models, r, level, w->way, w->end);
    w->drawn_r = r;
    w->drawn = w->models.nears == 0 ? level : -1;
}

static void blame(const Blocks *b, int32_t hit, int32_t slot, int32_t *out)
{
    if (hit < 0) return;
    const Block *o = b->block + hit;
    if (o->unit >= 0) refuse(out, C_GAP_UNIT, slot, o->unit);
    else refuse(out, C_IMPASSABLE, slot, o->piece);
}

/* Notes the difficult and dangerous pieces a leg touches; pairs of (slot, piece) without repeats. */
static void note_touched(const Scene *s, const Move *move, const Surroundings *w, const Member *m, double x0, double y0,
                         double x1, double y1, int32_t *out, int32_t *pairs)
{
    double d = (double)m->r - (double)move->t.touch;
    for (int32_t k = 0; k < w->touched.count; k++) {
        const Block *o = w->touched.block + k;
        double tau = d + (double)o->r;
        int32_t kinds = s->ground->piece[o->piece].kinds;
        Fence f = {.d = tau};
        draw_fence(o, &f);
        if (misses(&f, x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, x0 < x1 ? x1 : x0, y0 < y1 ? y1 : y0)) continue;
        if (!comes_closer(o->pt, o->m, x0, y0, x1, y1, tau)) continue;
        if (kinds & move->t.difficult) out[4] = 1;
        if (!(kinds & move->t.dangerous)) continue;
        int32_t known = 0;
        for (int32_t q = out[7] - 1; q >= 0 && pairs[2 * q] == m->slot; q--) if (pairs[2 * q + 1] == o->piece) known = 1;
        if (known) continue;
        pairs[2 * out[7]] = m->slot; pairs[2 * out[7] + 1] = o->piece;
        out[7]++;
    }
}

/* Whether nothing more of a way matters: it is refused, and no ground on it slows or harms. */
static inline int settled_already(const Terms *t, const int32_t *out)
{
    return out[0] != C_LEGAL && !(t->difficult | t->dangerous);
}

/* Walks one member along its path and refuses at the first thing in the way. */
static void walk_path(const Scene *s, const Move *move, const Member *m, const Pose *pose, int32_t most_r, const Box *region,
                      Surroundings *w, int32_t *out, int32_t *pairs)
{
    const Terms *t = &move->t;
    Pose at = m->from;
    int free_way = t->arranged && m->slot != t->leader;
    surround(s, move, m, at.facing, most_r, region, w);
    note_near(move, &w->models, m->r, m->from.x, m->from.y, BY_JUDGE);
    draw_fences(move, m->r, BY_JUDGE, w);
    for (int32_t k = 0; k < m->poses; k++) {
        Pose to = pose[m->first + k];
        if (to.facing < 0) to.facing = at.facing;
        if (!free_way) {
            if (m->moved) note_touched(s, move, w, m, at.x, at.y, to.x, to.y, out, pairs);
            Pose before = {to.x, to.y, at.facing};
            if (off_table(s, t, m, &before, t->edge)) refuse(out, C_OFF_TABLE, m->slot, -1);
            blame(&w->models, leg_hit(&w->models, w->way, at.x, at.y, to.x, to.y), m->slot, out);
            if (settled_already(t, out)) return;
        }
        if (to.facing != at.facing) {
            surround(s, move, m, to.facing, most_r, region, w);
            draw_fences(move, m->r, BY_JUDGE, w);
            if (!free_way) {
                if (m->moved) note_touched(s, move, w, m, to.x, to.y, to.x, to.y, out, pairs);
                blame(&w->models, leg_hit(&w->models, w->way, to.x, to.y, to.x, to.y), m->slot, out);
            }
        }
        at = to;
    }
    if (off_table(s, t, m, &m->to, t->edge)) refuse(out, C_OFF_TABLE, m->slot, -1);
    blame(&w->models, leg_hit(&w->models, w->end, m->to.x, m->to.y, m->to.x, m->to.y), m->slot, out);
    if (t->limited) {
        int32_t ex, ey;
        extent(m->hl, m->hw, m->r, m->to.facing, &ex, &ey);
        if (m->to.x + ex > t->x0 + t->edge && m->to.x - ex < t->x1 - t->edge && m->to.y + ey > t->y0 + t->edge
            && m->to.y - ey < t->y1 - t->edge) refuse(out, C_OFF_LIMITS, m->slot, -1);
    }
}

/* The gap of a member, at a pose, to the nearest model of the targets; `unit` -1: of all of them. Those who are round are measured
 * at once. Of others cores hold their middles: no gap is wider than between those, and whoever is further than the nearest of all
 * need not be measured. */
static double target_gap(const Scene *s, const Move *move, const Member *m, const Pose *p, int32_t unit)
{
    double best = 1e18, bound = 1e18, wide = (double)(m->hl + m->hw + m->r);
    int32_t after = s->n < move->after_targets ? s->n : move->after_targets, own = m->hl | m->hw, left = 0;
    for (int32_t j = move->first_target; j < after; j++) {
        int32_t owner = slot_owner(s, j);
        if ((unit >= 0 ? owner != unit : !is_target(move, owner)) || !on_table(s, j)) continue;
        double dx = p->x - slot_x(s, j), dy = p->y - slot_y(s, j);
        double g = sqrt(dx * dx + dy * dy) - (double)(m->r + read_i32(s->shape, 4 * j + 2));
        if ((own | read_i32(s->shape, 4 * j) | read_i32(s->shape, 4 * j + 1)) == 0) {
            if (g < best) best = g;
        } else {
            if (g + 1.0 < bound) bound = g + 1.0; /* more than any rounding */
            left++;
        }
    }
    for (int32_t j = move->first_target; left > 0; j++) {
        int32_t owner = slot_owner(s, j), hl = read_i32(s->shape, 4 * j), hw = read_i32(s->shape, 4 * j + 1);
        if ((own | hl | hw) == 0 || (unit >= 0 ? owner != unit : !is_target(move, owner)) || !on_table(s, j)) continue;
        left--;
        double dx = p->x - slot_x(s, j), dy = p->y - slot_y(s, j), d = sqrt(dx * dx + dy * dy);
        double reach = wide + hl + hw + read_i32(s->shape, 4 * j + 2) + 4.0;
        if (d > bound + reach || d > best + reach) continue;
        Member other;
        member_of(s, j, &other);
        double g = pose_gap(m, p, &other, &other.from);
        if (g < best) best = g;
    }
    return best;
}

/* Whether a member ends nearer to one of the targets than it began. */
static int nears_one(const Scene *s, const Move *move, const Member *m)
{
    for (int32_t q = 0; q < move->t.targets; q++) {
        int32_t unit = read_i32(move->target, q);
        if (target_gap(s, move, m, &m->to, unit) < target_gap(s, move, m, &m->from, unit)) return 1;
    }
    return 0;
}

/* Contact with every target, and nobody further away than allowed. */
static void check_targets(const Scene *s, const Move *move, const Member *member, int32_t n, int32_t *out)
{
    const Terms *t = &move->t;
    double contact = (double)(t->reach >= 0 ? t->reach : t->touch_gap);
    if (t->contact)
        for (int32_t q = 0; q < t->targets; q++) {
            int32_t unit = read_i32(move->target, q), met = 0;
            for (int32_t i = 0; i < n && !met; i++) met = target_gap(s, move, member + i, &member[i].to, unit) <= contact;
            if (!met) refuse(out, C_NO_CONTACT, -1, unit);
            if (!met) return;
        }
    if (t->closing == CLOSING_ANY || t->targets == 0) return;
    for (int32_t i = 0; i < n && out[0] == C_LEGAL; i++) {
        const Member *m = member + i;
        if (t->closing == CLOSING_NO_FURTHER && !m->poses) continue;
        double after = target_gap(s, move, m, &m->to, -1);
        if (after <= contact) continue;
        double before = target_gap(s, move, m, &m->from, -1);
        if (t->closing == CLOSING_NO_FURTHER ? after > before + t->gap
                : after >= before && (t->targets == 1 || !nears_one(s, move, m))) refuse(out, C_FURTHER, m->slot, -1);
    }
}

/* Whether everybody goes the same way and turns nowhere: then gaps in the unit stay what they are. */
static int in_step(const Pose *from, const Pose *to, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (to[i].x - from[i].x != to[0].x - from[0].x || to[i].y - from[i].y != to[0].y - from[0].y
            || to[i].facing != from[i].facing) return 0;
    return 1;
}

static int check_coherency(const Scene *s, const Move *move, const Member *member, const Pose *from, const Pose *to, int32_t n,
                           int32_t *links, int32_t *work, int read, int32_t *out)
{
    const Terms *t = &move->t;
    if (read == CODE_ALONE && (out[0] != C_LEGAL || t->cohere == COHERE_NEVER)) return 0;
    int same = (t->rise < 0 || !hilly(s)) && in_step(from, to, n);
    out[6] = coherent_at(s, t, member, to, n, links, work);
    if (read != WHOLE_VERDICT && (out[6] || t->cohere == COHERE_NEVER)) return 0;
    out[5] = same ? out[6] : coherent_at(s, t, member, from, n, links, work);
    if (out[6] || t->cohere == COHERE_NEVER) return 0;
    if (t->cohere == COHERE_ALWAYS || (t->cohere == COHERE_KEEP && out[5])) {
        if (!same) coherent_at(s, t, member, to, n, links, work);
        int32_t stray = 0;
        while (stray < n - 1 && links[stray] >= t->need) stray++;
        refuse(out, C_INCOHERENT, member[stray].slot, -1);
    }
    if (t->cohere == COHERE_NEARER && !out[5])
        for (int32_t i = 0; i < n; i++)
            if (links[i] < t->need && nearest_fellow(member, to, n, i) >= nearest_fellow(member, from, n, i))
                refuse(out, C_INCOHERENT, member[i].slot, -1);
    return 0;
}

static void check_own_bases(const Move *move, const Member *member, int32_t n, int32_t *out)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++) {
            if (!member[i].poses && !member[j].poses) continue;
            if (poses_overlap(member + i, &member[i].to, member + j, &member[j].to, -(double)move->t.overlap))
                refuse(out, C_OVERLAP, member[i].slot, member[j].slot);
        }
}

/* Longest path against the allowance, or against the cap of difficult ground. */
static void check_length(const Terms *t, const Member *member, int32_t n, int32_t most, int32_t *out)
{
    for (int32_t i = 0; i < n; i++) {
        if (t->arranged && member[i].slot != t->leader) continue;
        if (member[i].length > (double)(most + t->move)) refuse(out, C_TOO_LONG, member[i].slot, most);
    }
}

static int32_t judge_members(const Scene *s, const Move *move, Member *member, int32_t n, const Pose *pose, int32_t *out,
                             int32_t *pairs, Surroundings *w, Pose *from, Pose *to, int32_t *links, int32_t *work, int read)
{
    const Terms *t = &move->t;
    Box region = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    int32_t most_r = 0;
    for (int32_t i = 0; i < n; i++) {
        Member *m = member + i;
        measure_path(t, m, pose, out);
        from[i] = m->from; to[i] = m->to;
        if (!m->poses) continue;
        widen(&region, m->from.x, m->from.y);
        for (int32_t k = 0; k < m->poses; k++) widen(&region, pose[m->first + k].x, pose[m->first + k].y);
        if (m->r > most_r) most_r = m->r;
    }
    check_length(t, member, n, t->allowance, out);
    for (int32_t i = 0; i < n; i++)
        if (member[i].poses && !settled_already(t, out)) walk_path(s, move, member + i, pose, most_r, &region, w, out, pairs);
    if (out[0] == C_LEGAL) check_own_bases(move, member, n, out);
    if (out[4] && t->cap >= 0 && t->cap < t->allowance) check_length(t, member, n, t->cap, out);
    check_coherency(s, move, member, from, to, n, links, work, read, out);
    if (t->targets && out[0] == C_LEGAL) check_targets(s, move, member, n, out);
    double longest = 0.0;
    for (int32_t i = 0; i < n; i++)
        if (member[i].length > longest && !(t->arranged && member[i].slot != t->leader)) longest = member[i].length;
    out[3] = (int32_t)(longest + 0.5);
    return n;
}

static void *surroundings_room(const Scene *s, Surroundings *w)
{
    memset(w, 0, sizeof *w);
    w->core_hl = -1;
    if (!blocks_room(s, &w->models, 1) || !blocks_room(s, &w->touched, 1)) return NULL;
    size_t room = (size_t)w->models.room + 1;
    w->way = malloc(room * (2 * sizeof(Fence) + sizeof(int32_t)));
    if (!w->way) return NULL;
    w->end = w->way + room;
    w->hits = (int32_t *)(w->end + room);
    return w;
}

static void surroundings_free(Surroundings *w)
{
    blocks_free(&w->models); blocks_free(&w->touched);
    free(w->way);
}

/* Judges members whose `first` and `poses` say which way each goes; `out` as of `judge_march`, as far as it is `read`, without
 * ends and pairs: those are where the members go `to`. 0 without memory. */
static int judge_paths(const Scene *s, const Move *move, Member *member, int32_t n, const Pose *pose, int read, int32_t *out)
{
    Surroundings w;
    Pose *ends = malloc((size_t)(2 * n + 1) * sizeof(Pose));
    int32_t *work = malloc((size_t)(3 * n + 1) * sizeof(int32_t));
    int32_t *pairs = malloc(((size_t)n * (size_t)s->ground->pieces + 1) * 2 * sizeof(int32_t));
    int done = surroundings_room(s, &w) && ends && work && pairs;
    memset(out, 0, 8 * sizeof(int32_t));
    out[1] = out[2] = -1;
    if (done) judge_members(s, move, member, n, pose, out, pairs, &w, ends, ends + n, work, work + n, read);
    free(ends); free(work); free(pairs);
    surroundings_free(&w);
    return done;
}

/* What `judge_march` does, for an order that was read before, as far as the verdict is `read`. */
static int32_t judge_marching(const Scene *s, const Move *move, const char *counts, int32_t counted, const char *points,
                              int32_t poses, int32_t dx, int32_t dy, int read, int32_t *out)
{
    Surroundings w;
    int32_t n = s->n, *ends = out + 8, *pairs = out + 8 + 2 * n + (n + 1) / 2;
    int16_t *facings = (int16_t *)(out + 8 + 2 * n);
    out[1] = out[2] = -1;
    Member *member = malloc((size_t)(n + 1) * sizeof(Member));
    Pose *pose = malloc((size_t)(poses + 3 * n + 1) * sizeof(Pose));
    int32_t *work = malloc((size_t)(3 * n + 1) * sizeof(int32_t));
    void *room = surroundings_room(s, &w);
    int32_t result = -2;
    if (member && pose && work && room) {
        int32_t m = members_of(s, move->t.unit, member), first = 0;
        memcpy(pose, points, (size_t)poses * sizeof(Pose));
        if (counts == NULL) {
            counted = m;
            poses = dx || dy ? m : 0;
            for (int32_t i = 0; i < poses; i++) {
                pose[i].x = member[i].from.x + dx; pose[i].y = member[i].from.y + dy;
                pose[i].facing = -1;
            }
        }
        for (int32_t i = 0; i < m && i < counted; i++) {
            member[i].first = first; member[i].poses = counts == NULL ? poses > 0 : (uint8_t)counts[i];
            first += member[i].poses;
        }
        result = m != counted || first != poses ? -1
               : judge_members(s, move, member, m, pose, out, pairs, &w, pose + poses, pose + poses + m, work, work + m, read);
        for (int32_t i = 0; i < m; i++) {
            ends[2 * i] = member[i].to.x; ends[2 * i + 1] = member[i].to.y;
            facings[i] = (int16_t)member[i].to.facing;
        }
    }
    free(member); free(pose); free(work);
    surroundings_free(&w);
    return result;
}

/* Judges paths, or (without counts) a shift of all by dx, dy. `out`: code, slot, what, longest, difficult, was
 * coherent, coherent, number of dangerous pairs; then 2 n numbers of ends, n facings as int16, the pairs.
 * Returns the number of members, -1 for counts that do not fit the unit, -2 without memory. */
int32_t judge_march(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count, const char *counts, int32_t counted, const char *points, int32_t poses,
                    int32_t dx, int32_t dy, int32_t *out)
{
    Scene s = SCENE;
    Move move;
    move_of(&move, terms, way, end, units, barred, barred_count);
    note_targets(&s, &move);
    return judge_marching(&s, &move, counts, counted, points, poses, dx, dy, WHOLE_VERDICT, out);
}

/* The gap of each member of the unit to the nearest model of the targets. Returns the number of members. */
int32_t target_gaps(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                    int32_t barred_count, double *out)
{
    Scene s = SCENE;
    Move move;
    move_of(&move, terms, way, end, units, barred, barred_count);
    note_targets(&s, &move);
    Member *member = malloc((size_t)(n + 1) * sizeof(Member));
    if (!member) return -2;
    int32_t m = members_of(&s, move.t.unit, member);
    for (int32_t i = 0; i < m; i++) out[i] = target_gap(&s, &move, member + i, &member[i].from, -1);
    free(member);
    return m;
}
