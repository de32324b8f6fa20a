/* The models of a moving unit: gaps between them, coherency, and what their paths cost. Twin: plain/members.py. */

typedef struct { int32_t slot, hl, hw, r; Pose from, to; int32_t first, poses, moved; double length; } Member;

static double long_gap(const Member *a, const Pose *p, const Member *b, const Pose *q)
{
    Stand sa, sb;
    int32_t pa[8], pb[8], sum[16];
    stand_at(&sa, 0, 0, p->facing, a->hl, a->hw, 0, 0);
    stand_at(&sb, 0, 0, q->facing, b->hl, b->hw, 0, 0);
    base_points(&sa, pa); base_points(&sb, pb);
    int32_t m = convex_sum(pb, sb.corners, pa, sa.corners, sum);
    return core_distance(sum, m, p->x - q->x, p->y - q->y) - (double)(a->r + b->r);
}

static inline double pose_gap(const Member *a, const Pose *p, const Member *b, const Pose *q)
{
    if ((a->hl | a->hw | b->hl | b->hw) != 0) return long_gap(a, p, b, q);
    double dx = p->x - q->x, dy = p->y - q->y;
    return sqrt(dx * dx + dy * dy) - (double)(a->r + b->r);
}

/* Whether two poses are surely further apart than a distance. */
static inline int surely_apart(const Member *a, const Pose *p, const Member *b, const Pose *q, double far)
{
    double reach = far + (double)(a->hl + a->hw + a->r + b->hl + b->hw + b->r + 4), dx = p->x - q->x, dy = p->y - q->y;
    return dx > reach || -dx > reach || dy > reach || -dy > reach;
}

/* Whether two poses are closer than `least`, a whole number, which is no gap or less. The squares of those who are round are whole
 * numbers without rounding: they say the same as the gap. */
static inline int poses_overlap(const Member *a, const Pose *p, const Member *b, const Pose *q, double least)
{
    if ((a->hl | a->hw | b->hl | b->hw) != 0) return !surely_apart(a, p, b, q, 0.0) && long_gap(a, p, b, q) < least;
    double dx = p->x - q->x, dy = p->y - q->y, near = (double)(a->r + b->r) + least;
    return near > 0.0 && dx * dx + dy * dy < near * near;
}

/* Whether two poses are no further apart than `link`, a whole number. */
static inline int poses_linked(const Member *a, const Pose *p, const Member *b, const Pose *q, double link)
{
    if ((a->hl | a->hw | b->hl | b->hw) != 0) return !surely_apart(a, p, b, q, link) && long_gap(a, p, b, q) <= link;
    double dx = p->x - q->x, dy = p->y - q->y, far = (double)(a->r + b->r) + link;
    return far >= 0.0 && dx * dx + dy * dy <= far * far;
}

/* Whether some ground lies higher than other. */
static inline int hilly(const Scene *s) { return s->ground->hills > 0; }

static int32_t height_at(const Scene *s, int32_t x, int32_t y)
{
    int32_t best = 0;
    for (int32_t p = 0; p < s->ground->pieces; p++) {
        const Piece *piece = s->ground->piece + p;
        if (piece->elevation > best && in_piece(s->ground, piece, x, y)) best = piece->elevation;
    }
    return best;
}

/* Whether poses hold together; if not, `links` receives each member's number of linked fellows. `work` has room for 2 n.
 * Those who follow each other in the roster mostly stand side by side and are measured first: without a limit to its spread a
 * unit is measured only until everybody is linked to enough of the others. */
static int coherent_at(const Scene *s, const Terms *t, const Member *member, const Pose *pose, int32_t n, int32_t *links,
                       int32_t *work)
{
    int ok = 1, rises = t->rise >= 0 && hilly(s), limited = t->spread >= 0;
    int32_t *group = work, *height = work + n, parts = t->connected ? n : 1, lacking = t->need > 0 ? n : 0;
    double link = (double)(t->link + t->gap), spread = (double)(t->spread + t->gap);
    if (n < 2) return 1;
    for (int32_t i = 0; i < n; i++) {
        links[i] = 0; group[i] = i;
        height[i] = rises ? height_at(s, pose[i].x, pose[i].y) : 0;
    }
    for (int32_t off = 1; off < n; off++)
        for (int32_t i = 0, j = off; j < n; i++, j++) {
            double g = limited ? pose_gap(member + i, pose + i, member + j, pose + j) : 0.0;
            int linked = limited ? g <= link : poses_linked(member + i, pose + i, member + j, pose + j, link);
            int32_t rise = height[i] - height[j];
            if (linked && (!rises || (rise <= t->rise && -rise <= t->rise))) {
                lacking -= (++links[i] == t->need) + (++links[j] == t->need);
                int32_t from = group[j], into = group[i];
                if (parts > 1 && from != into) {
                    for (int32_t k = 0; k < n; k++) if (group[k] == from) group[k] = into;
                    parts--;
                }
                if (!limited && parts == 1 && lacking == 0) return 1;
            }
            if (limited && g > spread
                && (t->leader < 0 || member[i].slot == t->leader || member[j].slot == t->leader)) ok = 0;
        }
    return ok && parts == 1 && lacking == 0;
}

static double nearest_fellow(const Member *member, const Pose *pose, int32_t n, int32_t i)
{
    double best = 1e18;
    for (int32_t j = 0; j < n; j++) {
        if (j == i) continue;
        double g = pose_gap(member + i, pose + i, member + j, pose + j);
        if (g < best) best = g;
    }
    return best;
}

/* ---- lengths ---- */

/* cos(k * 5.625 degrees) * 2**30 for a quarter turn; 64 equal steps make the rim of a base. */
static const int32_t RIM_QUARTER[17] = {
    1073741824, 1068571464, 1053110176, 1027506862, 992008094, 946955747, 892783698, 830013654, 759250125,
    681174602, 596538995, 506158392, 410903207, 311690799, 209476638, 105245103, 0};

static double rim_cos(int32_t k)
{
    k &= 63;
    if (k > 32) k = 64 - k;
    return (k <= 16 ? (double)RIM_QUARTER[k] : -(double)RIM_QUARTER[32 - k]) / 1073741824.0;
}

/* The greatest straight way of any rim point between two poses. */
static double rim_way(const Member *m, const Pose *a, const Pose *b, int32_t rim)
{
    double ca = (double)cosine(a->facing) / 1073741824.0, sa = (double)sine(a->facing) / 1073741824.0;
    double cb = (double)cosine(b->facing) / 1073741824.0, sb = (double)sine(b->facing) / 1073741824.0;
    double dx = (double)(b->x - a->x), dy = (double)(b->y - a->y), dc = cb - ca, ds = sb - sa, most = 0.0;
    for (int32_t k = 0; k < 64; k += 64 / rim) {
        double u = (double)(m->hl + m->r) * rim_cos(k), v = (double)(m->hw + m->r) * rim_cos(k - 16);
        double x = dx + (u * dc - v * ds), y = dy + (u * ds + v * dc);
        double d = x * x + y * y;
        if (d > most) most = d;
    }
    return sqrt(most);
}

static void refuse(int32_t *out, int32_t code, int32_t slot, int32_t what)
{
    if (out[0] != C_LEGAL) return;
    out[0] = code; out[1] = slot; out[2] = what;
}

/* The cost factor of a hull's straight part, or 0 if it may not go that way. */
static int32_t hull_factor(const Terms *t, int32_t dx, int32_t dy, int32_t facing)
{
    int64_t c = cosine(facing), s = sine(facing), slack = (int64_t)t->axis << 30;
    int64_t along = dx * c + dy * s, across = dy * c - dx * s;
    if (across <= slack && -across <= slack) return along >= 0 ? 1 : t->reverse;
    if (along <= slack && -along <= slack) return t->sideways;
    return 0;
}

/* Lengths, pivots and end poses of one member's path. */
static void measure_path(const Terms *t, Member *m, const Pose *pose, int32_t *out)
{
    Pose at = m->from;
    int32_t pivots = 0;
    double length = 0.0;
    for (int32_t k = 0; k < m->poses; k++) {
        Pose to = pose[m->first + k];
        if (to.facing < 0) to.facing = at.facing;
        int32_t dx = to.x - at.x, dy = to.y - at.y;
        if (dx || dy) {
            double d = sqrt((double)dx * dx + (double)dy * dy);
            m->moved = 1;
            if (t->hull) {
                int32_t factor = hull_factor(t, dx, dy, at.facing);
                if (factor == 0) refuse(out, C_SIDEWAYS, m->slot, k);
                d = d * factor;
            } else if (t->rim_by_leg && t->rim && to.facing != at.facing && (m->hl | m->hw)) {
                d = rim_way(m, &at, &to, t->rim);
            }
            length = length + d;
        } else if (!t->hull && t->rim_by_leg && t->rim && to.facing != at.facing && (m->hl | m->hw)) {
            length = length + rim_way(m, &at, &to, t->rim);
        }
        if (to.facing != at.facing && t->hull) {
            int32_t turn = to.facing - at.facing;
            if (turn < 0) turn = -turn;
            if (turn > 1800) turn = 3600 - turn;
            pivots++;
            if (pivots > t->pivots || turn > t->pivot) refuse(out, C_PIVOT, m->slot, turn);
        }
        at = to;
    }
    m->to = at;
    if (!t->hull && !t->rim_by_leg && t->rim && at.facing != m->from.facing && (m->hl | m->hw)) {
        double d = rim_way(m, &m->from, &at, t->rim);
        if (d > length) length = d;
    }
    m->length = length;
    if (!m->moved && (at.facing == m->from.facing || (m->hl | m->hw) == 0)) m->poses = 0;
}

/* ---- on the table ---- */

static void extent(int32_t hl, int32_t hw, int32_t r, int32_t facing, int32_t *ex, int32_t *ey)
{
    Stand c;
    core_at(&c, hl, hw, facing);
    *ex = *ey = 0;
    for (int32_t k = 0; k < c.corners; k++) {
        if (c.px[k] > *ex) *ex = c.px[k];
        if (c.py[k] > *ey) *ey = c.py[k];
    }
    *ex += r; *ey += r;
}

static int off_table(const Scene *s, const Terms *t, const Member *m, const Pose *p, int32_t slack)
{
    int32_t ex, ey;
    (void)t;
    extent(m->hl, m->hw, m->r, p->facing, &ex, &ey);
    return p->x - ex < -slack || p->y - ey < -slack || p->x + ex > s->ground->width + slack
        || p->y + ey > s->ground->height + slack;
}

static void member_of(const Scene *s, int32_t j, Member *m)
{
    m->slot = j; m->hl = read_i32(s->shape, 4 * j); m->hw = read_i32(s->shape, 4 * j + 1);
    m->r = read_i32(s->shape, 4 * j + 2);
    m->from.x = slot_x(s, j); m->from.y = slot_y(s, j); m->from.facing = read_i16(s->facing, j);
    m->to = m->from;
    m->first = m->poses = m->moved = 0;
    m->length = 0.0;
}

static int32_t members_of(const Scene *s, int32_t unit, Member *member)
{
    int32_t n = 0;
    for (int32_t j = 0; j < s->n; j++) {
        if (slot_owner(s, j) != unit || !on_table(s, j)) continue;
        member_of(s, j, member + n++);
    }
    return n;
}
