/* Whoever of a unit could end in contact with one of his enemies does so, one after the other. Twin: contacts.py. */

typedef struct { int64_t far; int32_t enemy, x, y; } Contact;

typedef struct {
    const Scene *s;
    const Move *move;
    Member *member, *judged;
    int32_t n, places, failed, coherent, changed;
    int32_t *count;                   /* by member: the points of its way */
    Pose **way, *own, *pose, *end;    /* where they stand, room for new ones, all in a row, and where everybody ends */
    char *xy, *facing, *terms;        /* the scene and the order as the one who tries meets them */
    Contact *contact;
    Spot *goal;
} Touching;

/* Judges the ways as they are; whether they are legal. */
static int judge_touching(Touching *w)
{
    int32_t out[8], total = 0;
    for (int32_t i = 0; i < w->n; i++) {
        w->judged[i] = w->member[i];
        w->judged[i].first = total; w->judged[i].poses = w->count[i];
        memcpy(w->pose + total, w->way[i], (size_t)w->count[i] * sizeof(Pose));
        total += w->count[i];
    }
    if (!judge_paths(w->s, w->move, w->judged, w->n, w->pose, AS_IT_ENDS, out)) w->failed = 1;
    if (w->failed || (w->changed && out[0] != C_LEGAL)) return 0;
    w->coherent = out[6];
    for (int32_t i = 0; i < w->n; i++) w->end[i] = w->judged[i].to;
    return 1;
}

/* How far a member would be from the nearest of some enemies at a pose. */
static double nearest_enemy(const Touching *w, int32_t i, const Pose *p, const int32_t *enemies, int32_t count)
{
    Stand at;
    Body own, other;
    const Member *m = w->member + i;
    double best = INFINITY;
    stand_at(&at, p->x, p->y, p->facing, m->hl, m->hw, m->r, 0);
    body_from(&at, &own);
    for (int32_t k = 0; k < count; k++) {
        if (!on_table(w->s, enemies[k])) continue;
        body_of(w->s, enemies[k], &other);
        double d = body_gap(&own, &other);
        if (d < best) best = d;
    }
    return best;
}

static int nearest_first(const void *p, const void *q)
{
    const Contact *a = p, *b = q;
    if (a->far != b->far) return a->far < b->far ? -1 : 1;
    if (a->enemy != b->enemy) return a->enemy < b->enemy ? -1 : 1;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

/* The places in contact with some enemies that a member may reach, the nearest first: how many. */
static int32_t contacts_in_reach(Touching *w, const Scene *before, int32_t i, const int32_t *enemies, int32_t count)
{
    const Member *m = w->member + i;
    const Terms *t = &w->move->t;
    int64_t most = (int64_t)(t->allowance + t->move) * (t->allowance + t->move);
    int32_t found = 0;
    for (int32_t k = 0; k < count; k++) {
        Contacts around;
        contacts_of(before, m->slot, enemies[k], &around);
        for (int32_t q = 0; q < w->places; q++) {
            int32_t heading = 3600 * q / w->places;
            Contact c = {0, enemies[k], 0, 0};
            if (contact_beyond(&around, heading, m->from.x, m->from.y, (double)(t->allowance + t->move))) continue;
            contact_at(&around, heading, &c.x, &c.y);
            int64_t dx = (int64_t)c.x - m->from.x, dy = (int64_t)c.y - m->from.y;
            c.far = dx * dx + dy * dy;
            if (c.far <= most) w->contact[found++] = c;
        }
    }
    qsort(w->contact, (size_t)found, sizeof(Contact), nearest_first);
    for (int32_t k = 0; k < found; k++) { w->goal[k].x = w->contact[k].x; w->goal[k].y = w->contact[k].y; }
    return found;
}

/* The scene in which all others have ended and one member begins. */
static Scene before_him(Touching *w, int32_t i)
{
    Scene before = *w->s;
    size_t n = (size_t)before.n;
    memcpy(w->xy, before.xy, 8 * n);
    memcpy(w->facing, before.facing, 2 * n);
    for (int32_t k = 0; k < w->n; k++) {
        int16_t turn = (int16_t)w->end[k].facing;
        if (k == i) continue;
        memcpy(w->xy + 8 * (size_t)w->member[k].slot, &w->end[k].x, 4);
        memcpy(w->xy + 8 * (size_t)w->member[k].slot + 4, &w->end[k].y, 4);
        memcpy(w->facing + 2 * (size_t)w->member[k].slot, &turn, 2);
    }
    before.xy = w->xy; before.facing = w->facing;
    return before;
}

/* Whether one member may go a way of some points while the others stand. */
static int lone_lawful(Touching *w, const Scene *before, const Move *lone, int32_t i, const Pose *path, int32_t points)
{
    int32_t out[8], n = members_of(before, lone->t.unit, w->judged);
    w->judged[i].poses = points;
    if (!judge_paths(before, lone, w->judged, n, path, CODE_ALONE, out)) w->failed = 1;
    return !w->failed && out[0] == C_LEGAL;
}

/* A way of one member into contact while all others end where they do: the number of its points, 0 without one. */
static int32_t lone_way(Touching *w, int32_t i, const int32_t *enemies, int32_t count, Pose *path)
{
    Scene b = before_him(w, i);
    Move lone = *w->move;
    int32_t goals = contacts_in_reach(w, &b, i, enemies, count), way[1 + 2 * MOST_LEGS], slot = w->member[i].slot;
    if (!goals) return 0;
    lone.t.cohere = w->coherent ? COHERE_ALWAYS : COHERE_NEVER;
    lone.t.closing = CLOSING_ANY;
    memcpy(w->terms, &lone.t, sizeof(Terms));
    int32_t straight = first_step(b.ground, b.n, b.shape, b.xy, b.z, b.facing, b.owner, w->terms, lone.way, lone.end, lone.units,
                                  lone.barred, lone.barred_count, i, (const char *)w->goal, goals);
    if (straight == -2) w->failed = 1;
    if (straight >= 0) {
        Pose to = {w->goal[straight].x, w->goal[straight].y, -1};
        *path = to;
        return 1;
    }
    int32_t points = w->failed ? -1 : way_of(&b, &lone, &slot, 1, (const char *)w->goal, goals, 0, lone.t.allowance, 0, way);
    if (points == -2) w->failed = 1;
    for (int32_t k = 0; k < points; k++) {
        Pose to = {way[1 + 2 * k], way[2 + 2 * k], -1};
        path[k] = to;
    }
    return points > 0 && lone_lawful(w, &b, &lone, i, path, points) ? points : 0;
}

/* Brings one member more into contact, if that is to be had and it is not in contact already. */
static int one_more(Touching *w, int32_t i, const int32_t *enemies, int32_t count)
{
    Pose path[MOST_LEGS], *kept = w->way[i], *own = w->own + (size_t)i * 2 * MOST_LEGS;
    int32_t had = w->count[i];
    if (nearest_enemy(w, i, w->end + i, enemies, count) <= (double)w->move->t.touch_gap) return 0;
    int32_t points = lone_way(w, i, enemies, count, path);
    if (!points) return 0;
    w->way[i] = kept == own ? own + MOST_LEGS : own;
    memcpy(w->way[i], path, (size_t)points * sizeof(Pose));
    w->count[i] = points;
    w->changed++;
    if (judge_touching(w)) return 1;
    w->changed--;
    w->way[i] = kept; w->count[i] = had;
    return 0;
}

/* Everybody in turn, until nobody more gets into contact. `who` are members by number, `enemy_count` how many of `enemies` in a
 * row belong to each. */
static void touch_in_turn(Touching *w, const int32_t *who, int32_t whos, const int32_t *enemies, int32_t *enemy_count)
{
    int better = 1;
    while (better && !w->failed) {
        const int32_t *theirs = enemies;
        better = 0;
        for (int32_t k = 0; k < whos && !w->failed; k++) {
            if (enemy_count[k] && one_more(w, who[k], theirs, enemy_count[k])) better = 1;
            theirs += enemy_count[k];
        }
    }
}

/* Leaves those enemies of each out who are further away than he may go. */
static int32_t drop_the_far(const Touching *w, const int32_t *who, int32_t whos, int32_t *enemies, int32_t *enemy_count)
{
    int32_t kept = 0, first = 0, most = 0;
    for (int32_t k = 0; k < whos; k++) {
        int32_t count = enemy_count[k], left = 0;
        for (int32_t q = first; q < first + count; q++)
            if (nearest_enemy(w, who[k], &w->member[who[k]].from, enemies + q, 1) <= (double)w->move->t.allowance) {
                enemies[kept++] = enemies[q];
                left++;
            }
        enemy_count[k] = left;
        first += count;
        if (left > most) most = left;
    }
    return most;
}

/* Reads the ways of a march or, without counts, of a shift of all (`counted` -1) or of nobody (0); 0 where they do not fit. */
static int read_ways(Touching *w, const char *counts, int32_t counted, const Pose *points, int32_t poses, int32_t dx, int32_t dy)
{
    int32_t first = 0;
    if (counts && counted != w->n) return 0;
    for (int32_t i = 0; i < w->n; i++) {
        Pose *own = w->own + (size_t)i * 2 * MOST_LEGS, to = {w->member[i].from.x + dx, w->member[i].from.y + dy, -1};
        *own = to;
        w->count[i] = counts ? (uint8_t)counts[i] : counted < 0;
        w->way[i] = counts ? (Pose *)points + first : own;
        first += w->count[i];
    }
    return !counts || first == poses;
}

/* The ways of a unit (see `read_ways`) with everybody in contact who can be. `who` and `enemies` as of `touch_in_turn`; both
 * lists of enemies are used up. `out_counts` a byte a member, `out` x, y and facing a point, with room for all that are given and
 * MOST_LEGS of each member. Returns the number of points, -1 where nothing changes, -2 without memory. */
int32_t touch_unit(SCENE_ARGS, const char *terms, const char *way, const char *end, int32_t units, const char *barred,
                   int32_t barred_count, const char *counts, int32_t counted, const char *points, int32_t poses, int32_t dx,
                   int32_t dy, const int32_t *who, int32_t whos, int32_t *enemies, int32_t *enemy_count, int32_t places,
                   char *out_counts, int32_t *out)
{
    Scene s = SCENE;
    Move move;
    Touching w = {.s = &s, .move = &move, .places = places};
    move_of(&move, terms, way, end, units, barred, barred_count);
    note_targets(&s, &move);
    size_t m = (size_t)n + 1, given = (size_t)poses + 1, row = sizeof(Terms) + 4 * (size_t)move.t.targets;
    int32_t result = -2, most = 0;
    w.member = malloc(2 * m * sizeof(Member));
    w.way = malloc(m * sizeof(Pose *));
    w.count = malloc(m * sizeof(int32_t));
    w.own = malloc((m * (3 * MOST_LEGS + 1) + 2 * given) * sizeof(Pose));
    w.xy = malloc(10 * m + row);
    if (w.member && w.way && w.count && w.own && w.xy) {
        w.n = members_of(&s, move.t.unit, w.member);
        w.judged = w.member + m;
        w.pose = w.own + m * 2 * MOST_LEGS;
        w.end = w.pose + m * MOST_LEGS + given;
        w.facing = w.xy + 8 * m;
        w.terms = w.facing + 2 * m;
        memcpy(w.terms, terms, row);
        Pose *before = w.end + m;
        memcpy(before, points, (size_t)poses * sizeof(Pose));
        most = drop_the_far(&w, who, whos, enemies, enemy_count);
        w.contact = malloc(((size_t)most * (size_t)places + 1) * sizeof(Contact));
        w.goal = malloc(((size_t)(most + 1) * (size_t)places + 1) * sizeof(Spot));
        if (!w.contact || !w.goal) w.failed = 1;
        result = -1;
        if (most && !w.failed && read_ways(&w, counts, counted, before, poses, dx, dy)) {
            judge_touching(&w);
            touch_in_turn(&w, who, whos, enemies, enemy_count);
        }
        if (w.failed) result = -2;
    }
    if (result == -1 && w.changed) {
        result = 0;
        for (int32_t i = 0; i < w.n; i++) {
            out_counts[i] = (char)w.count[i];
            memcpy(out + 3 * result, w.way[i], (size_t)w.count[i] * sizeof(Pose));
            result += w.count[i];
        }
    }
    free(w.member); free(w.way); free(w.count); free(w.own); free(w.xy); free(w.contact); free(w.goal);
    return result;
}
