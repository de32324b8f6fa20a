/* A whole pile-in in one call: everybody toward the targets in turn, then whoever can still close up. Twin: closing.py. */

#define NEAR_ENOUGH 250.0

/* Ways of all members, a settled row each, and what the judge says of them. */
typedef struct { int32_t *row, code, slot, coherent; Pose *end; } Ways;

typedef struct {
    const Scene *s;
    const Move *move;
    Settling settling;                /* gathers what is in the way once for all that is tried */
    Member *judged;
    Pose *pose;
    double *before;                   /* how far from the targets everybody began */
    char *still;
    int32_t *turns, turn_count, n, failed;
    double contact;
} Tighten;

static int32_t *row_of(const Ways *w, int32_t i) { return w->row + (size_t)i * SETTLED_ROW; }

static void judge_ways(Tighten *z, Ways *w)
{
    int32_t out[8], total = 0;
    for (int32_t i = 0; i < z->n; i++) {
        const int32_t *row = row_of(w, i);
        z->judged[i] = z->settling.member[i];
        z->judged[i].first = total; z->judged[i].poses = row[0];
        for (int32_t k = 0; k < row[0]; k++) {
            Pose p = {row[1 + 2 * k], row[2 + 2 * k], -1};
            z->pose[total++] = p;
        }
    }
    if (!judge_paths(z->s, z->move, z->judged, z->n, z->pose, AS_IT_ENDS, out)) z->failed = 1;
    w->code = out[0]; w->slot = out[1]; w->coherent = out[6];
    for (int32_t i = 0; i < z->n; i++) w->end[i] = z->judged[i].to;
}

/* Takes those out of some ways whom the judge refuses, or everybody where that does not help. */
static void keep_lawful(Tighten *z, Ways *w)
{
    for (;;) {
        int32_t refused = -1, going = 0;
        judge_ways(z, w);
        for (int32_t i = 0; i < z->n; i++) {
            going |= row_of(w, i)[0];
            if (row_of(w, i)[0] && z->settling.member[i].slot == w->slot) refused = i;
        }
        if (z->failed || !going || w->code == C_LEGAL) return;
        if (refused >= 0) row_of(w, refused)[0] = 0;
        else for (int32_t i = 0; i < z->n; i++) row_of(w, i)[0] = 0;
    }
}

/* How far from the targets everybody ends, all told. */
static double still_apart(const Tighten *z, const Ways *w)
{
    double sum = 0.0;
    for (int32_t i = 0; i < z->n; i++) sum = sum + target_gap(z->s, z->move, z->settling.member + i, w->end + i, -1);
    return sum;
}

/* Sets those who have a turn down while the others stand where they are. */
static int settle_turns(Tighten *z, int32_t rules, Ways *w)
{
    memset(w->row, 0, (size_t)z->n * SETTLED_ROW * sizeof(int32_t));
    settling_begin(&z->settling, TO_TARGETS, rules);
    for (int32_t i = 0; i < z->n; i++) z->settling.placed[i] = 1;
    int done = settle_in_turn(&z->settling, (const char *)z->turns, z->turn_count, w->row);
    z->failed |= z->settling.failed;
    return done;
}

/* The way of a member that could close up further while all others end where they do: its number, -1 without one. Nobody ends
 * nearer than he began by more than he may go. */
static int32_t laggard_of(Tighten *z, const Ways *w, int32_t *row)
{
    int32_t rules = IN_TURN | NOT_FURTHER | (w->coherent ? COHERENT : 0);
    for (int32_t i = 0; i < z->n && !z->failed; i++) {
        const Member *m = z->settling.member + i;
        if (z->before[i] <= z->contact || z->still[i]) continue;
        double after = target_gap(z->s, z->move, m, w->end + i, -1);
        if (after <= z->contact || z->before[i] - (double)z->settling.most - 1.0 >= after - NEAR_ENOUGH) continue;
        settling_begin(&z->settling, TO_TARGETS, rules);
        for (int32_t k = 0; k < z->n; k++) if (k != i) settle_fixed(&z->settling, k, w->end[k].x, w->end[k].y);
        z->settling.worth = after - NEAR_ENOUGH + 1.0; /* more than any rounding */
        row[0] = 0;
        settle_one(&z->settling, i, row);
        z->failed |= z->settling.failed;
        if (z->failed || !row[0]) continue;
        Pose to = {row[2 * row[0] - 1], row[2 * row[0]], m->from.facing};
        if (target_gap(z->s, z->move, m, &to, -1) < after - NEAR_ENOUGH) return i;
    }
    return -1;
}

/* Lets those who can still close up do so, one at a time, as long as the judge lets them. */
static void close_up(Tighten *z, Ways *w, Ways *trial)
{
    int32_t row[SETTLED_ROW];
    for (int32_t k = 0; k < 2 * z->n && !z->failed; k++) {
        int32_t i = laggard_of(z, w, row);
        if (i < 0) return;
        memcpy(trial->row, w->row, (size_t)z->n * SETTLED_ROW * sizeof(int32_t));
        memcpy(row_of(trial, i), row, sizeof row);
        judge_ways(z, trial);
        if (z->failed || trial->code != C_LEGAL) return;
        Ways swap = *w;
        *w = *trial;
        *trial = swap;
    }
}

/* Members out of contact who may move, the nearest to the targets first. */
static void turns_by_gap(Tighten *z)
{
    for (int32_t i = 0; i < z->n; i++) {
        z->before[i] = target_gap(z->s, z->move, z->settling.member + i, &z->settling.member[i].from, -1);
        if (z->before[i] <= z->contact || z->still[i]) continue;
        int32_t k = z->turn_count++;
        while (k > 0 && z->before[z->turns[k - 1]] > z->before[i]) { z->turns[k] = z->turns[k - 1]; k--; }
        z->turns[k] = i;
    }
}

/* The better of two ways of piling in, closed up, stands in the first. */
static void tighten(Tighten *z, Ways *w, Ways *other)
{
    judge_ways(z, w);
    int32_t coherent = w->coherent;
    settle_turns(z, IN_TURN | NOT_FURTHER | (coherent ? COHERENT : 0), w);
    if (!z->failed) keep_lawful(z, w);
    /* Step by step a model waits for those behind it; all at once each keeps to those set down before it. */
    if (!z->failed && coherent && settle_turns(z, LINKED | NOT_FURTHER, other)) {
        keep_lawful(z, other);
        if (other->coherent > w->coherent || (other->coherent == w->coherent && still_apart(z, other) < still_apart(z, w))) {
            Ways swap = *w;
            *w = *other;
            *other = swap;
        }
    }
    if (!z->failed) close_up(z, w, other);
}

static int32_t told(const Tighten *z, const Ways *w, char *counts, int32_t *points)
{
    int32_t total = 0;
    for (int32_t i = 0; i < z->n; i++) {
        const int32_t *row = row_of(w, i);
        counts[i] = (char)row[0];
        for (int32_t k = 0; k < row[0]; k++) {
            points[3 * total] = row[1 + 2 * k]; points[3 * total + 1] = row[2 + 2 * k]; points[3 * total + 2] = -1;
            total++;
        }
    }
    return total;
}

/* A unit piles in; those in `still` stand. `counts` a byte a member, `points` x, y and no facing a point: room for MOST_POINTS
 * of each member. Returns the number of points, 0 where nobody moves, -2 without memory. */
int32_t pile_in_unit(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                     int32_t barred_count, const int32_t *still, int32_t still_count, char *counts, int32_t *points)
{
    Scene s = SCENE;
    Move move;
    Tighten w = {.s = &s, .move = &move};
    move_of(&move, terms, way, end, units, barred, barred_count);
    note_targets(&s, &move);
    int ready = settling_open(&w.settling, &s, &move, move.t.allowance);
    int32_t result = -2;
    w.n = ready ? w.settling.n : 0;
    w.contact = w.settling.contact;
    size_t m = (size_t)w.n + 1;
    Ways ways = {.row = calloc(2 * m * SETTLED_ROW, sizeof(int32_t)), .end = malloc(2 * m * sizeof(Pose))}, other = ways;
    w.judged = malloc(m * sizeof(Member));
    w.pose = malloc(m * MOST_POINTS * sizeof(Pose));
    w.before = malloc(m * (sizeof(double) + sizeof(int32_t)));
    w.still = calloc(m, 1);
    int32_t *rows = ways.row;
    Pose *ends = ways.end;
    if (ready && rows && ends && w.judged && w.pose && w.before && w.still) {
        w.turns = (int32_t *)(w.before + m);
        other.row += m * SETTLED_ROW;
        other.end += m;
        for (int32_t i = 0; i < w.n; i++)
            for (int32_t k = 0; k < still_count; k++) w.still[i] |= w.settling.member[i].slot == still[k];
        turns_by_gap(&w);
        if (w.turn_count) tighten(&w, &ways, &other);
        if (!w.failed) result = told(&w, &ways, counts, points);
    }
    free(rows); free(ends); free(w.judged); free(w.pose); free(w.before); free(w.still);
    settling_close(&w.settling);
    return result;
}
