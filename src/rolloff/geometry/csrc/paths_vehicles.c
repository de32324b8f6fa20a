/* Hulls: a straight part, perhaps a pivot, another straight part. Twin: plain/drive.py. */

#define MOST_DRIVES 60
#define SWERVE_COUNT 11
#define PART_COUNT 5

static const int32_t SWERVES[SWERVE_COUNT] = {0, 50, -50, 100, -100, 200, -200, 450, -450, 900, -900};
static const int32_t PARTS[PART_COUNT] = {0, 16, 8, 4, -16};

typedef struct { double score; int32_t first, facing, rest; } Plan;

typedef struct {
    const Scene *s;
    const Move *move;
    Surroundings w, judging;
    Member hull;
    int32_t most, stopped;            /* stopped: difficult ground made a way too long */
    Box region;
} Driver;

/* The facing that points along a vector best. */
static int32_t heading_of(int32_t dx, int32_t dy)
{
    int64_t x = dx, y = dy;
    int32_t quarter = 0, low = 0, high = 900;
    while (!(x > 0 && y >= 0) && quarter < 4) {
        int64_t was = x;
        x = y; y = -was;
        quarter++;
    }
    while (high - low > 1) {
        int32_t mid = (low + high) / 2;
        if (cosine(mid) * y - sine(mid) * x >= 0) low = mid;
        else high = mid;
    }
    int32_t nearer = cosine(low) * y - sine(low) * x <= sine(high) * x - cosine(high) * y ? low : high;
    return (nearer + quarter * 900) % 3600;
}

static int32_t signed_turn(int32_t a, int32_t b)
{
    int32_t t = (b - a + 1800) % 3600;
    return (t < 0 ? t + 3600 : t) - 1800;
}

static Spot ahead_of(int32_t x, int32_t y, int32_t facing, int32_t far)
{
    Spot p = {x + rounded(far * cosine(facing)), y + rounded(far * sine(facing))};
    return p;
}

typedef struct { const Driver *d; int32_t x, y, turn, heading; } Lane;

/* Whether `far` thou along a lane the hull is off the table (hit -1) or too close to a block. */
static int lane_closed(const Lane *l, int32_t hit, int32_t far)
{
    const Driver *d = l->d;
    Spot q = ahead_of(l->x, l->y, l->heading, far);
    Pose p = {q.x, q.y, l->turn};
    if (hit < 0) return off_table(d->s, &d->move->t, &d->hull, &p, 0);
    const Block *o = d->w.models.block + hit;
    return comes_closer(o->pt, o->m, l->x, l->y, p.x, p.y, d->w.way[hit].d);
}

/* How far the hull could go straight from a pose, or -1 if the pose itself is unlawful. What a lane of full length does
 * not meet, a shorter one does not meet either. */
static int32_t drive_reach(Driver *d, int32_t x, int32_t y, int32_t turn, int32_t heading, int32_t most)
{
    Surroundings *w = &d->w;
    Lane lane = {d, x, y, turn, heading};
    surround(d->s, d->move, &d->hull, turn, d->hull.r, &d->region, w);
    limits_of(d->move, &w->models, d->hull.r, BY_AIM, w->way, w->end);
    Spot end = ahead_of(x, y, heading, most);
    int32_t hits = leg_hits(&w->models, w->way, x, y, end.x, end.y, w->hits), far = most;
    for (int32_t k = -1; k < hits; k++)
        if (lane_closed(&lane, k < 0 ? -1 : w->hits[k], 0)) return -1;
    for (int32_t k = -1; k < hits; k++) {
        int32_t hit = k < 0 ? -1 : w->hits[k], low = 0, high = far;
        if (!lane_closed(&lane, hit, far)) continue;
        while (high - low > 1) {
            int32_t mid = low + (high - low) / 2;
            if (lane_closed(&lane, hit, mid)) high = mid;
            else low = mid;
        }
        far = low;
    }
    return far;
}

static int32_t drive_rest(const Driver *d, int32_t first)
{
    return first >= 0 ? d->most - first : d->most + first * d->move->t.reverse;
}

static int by_plan(const void *a, const void *b)
{
    const Plan *p = a, *q = b;
    if (p->score != q->score) return p->score < q->score ? -1 : 1;
    if (p->first != q->first) return p->first < q->first ? -1 : 1;
    if (p->facing != q->facing) return p->facing < q->facing ? -1 : 1;
    return p->rest < q->rest ? -1 : p->rest > q->rest;
}

/* Every plan toward the goals, the best first and without repeats; returns how many. Charging, plans whose second part
 * passes a goal at more than `wide` to the side, or ends more than `deep` short of it, are left out. */
static int32_t drive_plans(Driver *d, const Spot *goal, int32_t goals, int charging, double wide, double deep, Plan *plan)
{
    const Terms *t = &d->move->t;
    const Pose *at = &d->hull.from;
    int32_t count = 0, kept = 0;
    int32_t forward = drive_reach(d, at->x, at->y, at->facing, at->facing, d->most), behind = 0;
    if (t->reverse) behind = drive_reach(d, at->x, at->y, at->facing, (at->facing + 1800) % 3600, d->most / t->reverse);
    if (forward < 0) forward = 0;
    if (behind < 0) behind = 0;
    for (int32_t k = 0; k < PART_COUNT; k++) {
        int32_t first = PARTS[k] > 0 ? forward * PARTS[k] / 16 : -(behind * -PARTS[k] / 16), rest = drive_rest(d, first);
        Spot p = ahead_of(at->x, at->y, at->facing, first);
        for (int32_t g = 0; g < goals; g++) {
            int32_t wanted = heading_of(goal[g].x - p.x, goal[g].y - p.y);
            for (int32_t v = 0; v <= SWERVE_COUNT; v++) {
                int32_t turn = v < SWERVE_COUNT && t->pivots ? signed_turn(at->facing, wanted + SWERVES[v]) : 0;
                if (turn > t->pivot) turn = t->pivot;
                if (turn < -t->pivot) turn = -t->pivot;
                int32_t facing = (at->facing + turn + 3600) % 3600;
                double along = (double)((goal[g].x - p.x) * cosine(facing) + (goal[g].y - p.y) * sine(facing)) / ONE_TURN;
                double aside = (double)((goal[g].y - p.y) * cosine(facing) - (goal[g].x - p.x) * sine(facing)) / ONE_TURN;
                if (charging && (aside > wide || -aside > wide || along > (double)rest + deep || -along > deep)) continue;
                if (along > (double)rest) along = (double)rest;
                if (along < 0.0) along = 0.0;
                Spot e = ahead_of(p.x, p.y, facing, (int32_t)along);
                double dx = (double)goal[g].x - e.x, dy = (double)goal[g].y - e.y;
                Plan made = {sqrt(dx * dx + dy * dy), first, facing, (int32_t)along};
                plan[count++] = made;
            }
        }
    }
    qsort(plan, (size_t)count, sizeof(Plan), by_plan);
    for (int32_t k = 0; k < count; k++)
        if (!kept || by_plan(plan + k, plan + kept - 1)) plan[kept++] = plan[k];
    return kept < MOST_DRIVES ? kept : MOST_DRIVES;
}

/* A plan as a path of at most two poses; 0 without room to turn. */
static int32_t drive_path(Driver *d, const Plan *plan, int charging, Pose *path)
{
    const Pose *at = &d->hull.from;
    int32_t count = 0;
    Spot p = {at->x, at->y};
    if (plan->first || plan->facing != at->facing) {
        p = ahead_of(at->x, at->y, at->facing, plan->first);
        Pose turned = {p.x, p.y, plan->facing};
        path[count++] = turned;
    }
    int32_t far = drive_reach(d, p.x, p.y, plan->facing, plan->facing, charging ? drive_rest(d, plan->first) : plan->rest);
    if (far < 0) return 0;
    if (far) {
        Spot e = ahead_of(p.x, p.y, plan->facing, far);
        Pose end = {e.x, e.y, -1};
        path[count++] = end;
    }
    return count;
}

/* Whether the judge lets the hull go this way. */
static int drive_lawful(Driver *d, const Pose *path, int32_t poses)
{
    Member m = d->hull;
    Pose from, to;
    int32_t out[8] = {0, -1, -1, 0, 0, 0, 0, 0}, links[1], work[2];
    int32_t pairs[2 * MOST_PIECES];
    m.poses = poses;
    judge_members(d->s, d->move, &m, 1, path, out, pairs, &d->judging, &from, &to, links, work, CODE_ALONE);
    d->judging.core_hl = -1;
    if (out[0] == C_TOO_LONG && out[4]) d->stopped = 1;
    return out[0] == C_LEGAL;
}

/* Whether a path ends in contact with a model of the targets. */
static int drive_meets(const Driver *d, const Pose *path, int32_t poses)
{
    const Terms *t = &d->move->t;
    double contact = (double)(t->reach >= 0 ? t->reach : t->touch_gap);
    Pose end = path[poses - 1];
    if (end.facing < 0) end.facing = poses > 1 ? path[0].facing : d->hull.from.facing;
    return target_gap(d->s, d->move, &d->hull, &end, -1) <= contact;
}

static int32_t drive_search(Driver *d, const Spot *goal, int32_t goals, Plan *plan, int32_t charging, int32_t near, Pose *best)
{
    double dx = (double)goal[0].x - d->hull.from.x, dy = (double)goal[0].y - d->hull.from.y;
    double nearest = charging ? (double)near : sqrt(dx * dx + dy * dy) - 1.0;
    const Member *h = &d->hull;
    double foe = (double)(near - h->hl - h->hw - h->r), wide = (double)(h->hw + h->r) + foe, deep = (double)(h->hl + h->r) + foe;
    int32_t plans = drive_plans(d, goal, goals, charging, wide, deep, plan), found = -1;
    for (int32_t k = 0; k < plans && plan[k].score < nearest; k++) {
        Pose path[2];
        int32_t poses = drive_path(d, plan + k, charging, path);
        if (!poses) continue;
        dx = (double)goal[0].x - path[poses - 1].x; dy = (double)goal[0].y - path[poses - 1].y;
        double far = sqrt(dx * dx + dy * dy);
        if (charging ? !drive_meets(d, path, poses) : far >= nearest) continue;
        if (!drive_lawful(d, path, poses)) continue;
        memcpy(best, path, (size_t)poses * sizeof(Pose));
        found = poses;
        if (charging) break;
        nearest = far;
    }
    return found;
}

/* The way of a unit's lone hull as near to the first goal as it gets, or into contact when charging; `out`: poses.
 * Returns their number, -1 without a way, -2 without memory. */
int32_t drive_hull(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                   int32_t barred_count, int32_t most, const char *goals, int32_t goal_count, int32_t charging, int32_t near,
                   int32_t *out)
{
    Scene s = SCENE;
    Move move;
    Driver d = {.s = &s, .move = &move, .most = most};
    move_of(&move, terms, way, end, units, barred, barred_count);
    Member *member = malloc((size_t)(n + 1) * sizeof(Member));
    Plan *plan = malloc((size_t)(PART_COUNT * (SWERVE_COUNT + 1) * goal_count + 1) * sizeof(Plan));
    Spot *goal = malloc((size_t)(goal_count + 1) * sizeof(Spot));
    void *room = surroundings_room(&s, &d.w), *more = surroundings_room(&s, &d.judging);
    int32_t result = -2;
    if (member && plan && goal && room && more) {
        result = -1;
        memcpy(goal, goals, (size_t)goal_count * sizeof(Spot));
        if (members_of(&s, move.t.unit, member) == 1) {
            Pose best[2];
            d.hull = member[0];
            Box region = {d.hull.from.x - 2 * most, d.hull.from.y - 2 * most, d.hull.from.x + 2 * most, d.hull.from.y + 2 * most};
            d.region = region;
            surround(&s, &move, &d.hull, d.hull.from.facing, d.hull.r, &region, &d.w);
            note_near(&move, &d.w.models, d.hull.r, d.hull.from.x, d.hull.from.y, BY_AIM);
            result = drive_search(&d, goal, goal_count, plan, charging, near, best);
            if (result > 0) memcpy(out, best, (size_t)result * sizeof(Pose));
            out[6] = d.stopped;
        }
    }
    free(member); free(plan); free(goal);
    surroundings_free(&d.w); surroundings_free(&d.judging);
    return result;
}

/* How far a unit's lone hull could go straight back once it has turned; -1 if it cannot stand so, -2 without memory. */
int32_t back_reach(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                   int32_t barred_count, int32_t turn, int32_t most)
{
    Scene s = SCENE;
    Move move;
    Driver d = {.s = &s, .move = &move, .most = most};
    move_of(&move, terms, way, end, units, barred, barred_count);
    Member *member = malloc((size_t)(n + 1) * sizeof(Member));
    void *room = surroundings_room(&s, &d.w);
    int32_t result = -2;
    if (member && room) {
        result = -1;
        if (members_of(&s, move.t.unit, member) == 1) {
            d.hull = member[0];
            Box region = {d.hull.from.x - 2 * most, d.hull.from.y - 2 * most, d.hull.from.x + 2 * most, d.hull.from.y + 2 * most};
            d.region = region;
            surround(&s, &move, &d.hull, d.hull.from.facing, d.hull.r, &region, &d.w);
            note_near(&move, &d.w.models, d.hull.r, d.hull.from.x, d.hull.from.y, BY_AIM);
            result = drive_reach(&d, d.hull.from.x, d.hull.from.y, turn, (turn + 1800) % 3600, most);
        }
    }
    free(member);
    surroundings_free(&d.w);
    return result;
}
