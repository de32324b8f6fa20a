/* Shared by all kernels: the resident ground, readers of the whole-table buffers, turned cores of bases.
 *
 * No function keeps anything between calls: two threads may play at once. Doubles use + - * / and sqrt only,
 * in the same order as the plain twin.
 */
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE INT32_MIN
#define MOST_MODELS 1000
#define MOST_PIECES 200
#define OUT_OF_MEMORY (-3)

typedef struct {
    int32_t first_part, parts;        /* convex parts of the outline; none for a disc */
    int32_t first_point, corners;     /* the outline, counter-clockwise; a disc has its centre here and no corners */
    int32_t x, y, r;                  /* the disc; r = 0 for an outline */
    int32_t left, bottom, right, top; /* bounding box */
    int32_t elevation, height, solid, kinds;
    double middle_x, middle_y, far;   /* a circle around it */
} Piece;

typedef struct {
    int32_t first_point, corners;     /* a convex polygon, counter-clockwise */
    int32_t left, bottom, right, top;
} Part;

typedef struct {
    int32_t width, height, pieces;
    int32_t blocks, block_corners;    /* most convex parts and discs there are, and the corners of all parts */
    int32_t hills;                    /* how many pieces lie higher than the table */
    const Piece *piece;
    const Part *part;
    const int32_t *points;            /* x, y by point number */
    const double *corners;            /* the same in doubles */
} Ground;

/* The buffers of one moment, by roster slot: see field.py. */
typedef struct {
    const Ground *ground;
    int32_t n;
    const char *shape, *xy, *z, *facing, *owner;
} Scene;

/* Every kernel takes the scene's buffers first, one by one: cffi passes Python bytes without copying them. */
#define SCENE_ARGS const Ground *ground, int32_t n, const char *shape, const char *xy, const char *z, \
                   const char *facing, const char *owner
#define SCENE {ground, n, shape, xy, z, facing, owner}

/* A base on the table: its core's corners (1, 2 or 4) and its radius. */
typedef struct {
    int32_t x, y, r, height, corners;
    int32_t px[4], py[4];
} Stand;

static inline int32_t read_i32(const char *buffer, int32_t k)
{
    int32_t v;
    memcpy(&v, buffer + 4 * (size_t)k, 4);
    return v;
}

static inline int16_t read_i16(const char *buffer, int32_t k)
{
    int16_t v;
    memcpy(&v, buffer + 2 * (size_t)k, 2);
    return v;
}

static inline int32_t slot_x(const Scene *s, int32_t slot) { return read_i32(s->xy, 2 * slot); }
static inline int32_t slot_y(const Scene *s, int32_t slot) { return read_i32(s->xy, 2 * slot + 1); }
static inline int32_t slot_owner(const Scene *s, int32_t slot) { return read_i16(s->owner, slot); }
/* A slot beyond the roster is on no table either. */
static inline int on_table(const Scene *s, int32_t slot)
{
    return slot >= 0 && slot < s->n && slot_x(s, slot) != NOWHERE;
}

/* Takes off the scale of the sine table and rounds, halves away from zero. */
static inline int32_t rounded(int64_t scaled)
{
    const int64_t half = (int64_t)1 << 29;
    return (int32_t)(scaled < 0 ? -((-scaled + half) >> 30) : (scaled + half) >> 30);
}

static inline int64_t cosine(int32_t facing) { return COSINES[facing]; }
static inline int64_t sine(int32_t facing) { return COSINES[facing < 900 ? facing + 2700 : facing - 900]; }

/* Turns an offset (along the facing, across to the left) into table axes. */
static inline void turned(int32_t along, int32_t across, int32_t facing, int32_t *dx, int32_t *dy)
{
    int64_t c = cosine(facing), s = sine(facing);
    *dx = rounded(along * c - across * s);
    *dy = rounded(along * s + across * c);
}

/* The corners of a core, counter-clockwise, in the order of shapes.core. */
static void stand_at(Stand *b, int32_t x, int32_t y, int32_t facing, int32_t hl, int32_t hw, int32_t r, int32_t height)
{
    int32_t ax, ay, bx, by;
    b->x = x; b->y = y; b->r = r; b->height = height;
    if (hl == 0 && hw == 0) {
        b->corners = 1; b->px[0] = x; b->py[0] = y;
        return;
    }
    if (hw == 0 || hl == 0) {
        turned(hl, hw, facing, &ax, &ay);
        b->corners = 2;
        b->px[0] = x - ax; b->py[0] = y - ay;
        b->px[1] = x + ax; b->py[1] = y + ay;
        return;
    }
    turned(hl, hw, facing, &ax, &ay);
    turned(hl, -hw, facing, &bx, &by);
    b->corners = 4;
    b->px[0] = x + ax; b->py[0] = y + ay;
    b->px[1] = x - bx; b->py[1] = y - by;
    b->px[2] = x - ax; b->py[2] = y - ay;
    b->px[3] = x + bx; b->py[3] = y + by;
}

static void stand_of(const Scene *s, int32_t slot, Stand *b)
{
    stand_at(b, slot_x(s, slot), slot_y(s, slot), read_i16(s->facing, slot), read_i32(s->shape, 4 * slot),
             read_i32(s->shape, 4 * slot + 1), read_i32(s->shape, 4 * slot + 2), read_i32(s->shape, 4 * slot + 3));
}

/* How far a base reaches from its centre at most. */
static inline double stand_reach(const Stand *b)
{
    double far = 0.0;
    for (int32_t k = 0; k < b->corners; k++) {
        double dx = b->px[k] - b->x, dy = b->py[k] - b->y, d = dx * dx + dy * dy;
        if (d > far) far = d;
    }
    return sqrt(far) + b->r;
}

/* Whether a point lies in a convex polygon of the ground, edge included. */
static int in_part(const Ground *g, const Part *p, int32_t x, int32_t y)
{
    const int32_t *pt = g->points + 2 * (size_t)p->first_point;
    if (x < p->left || x > p->right || y < p->bottom || y > p->top) return 0;
    int64_t bx = pt[2 * (p->corners - 1)], by = pt[2 * (p->corners - 1) + 1];
    for (int32_t k = 0; k < p->corners; k++) {
        int64_t cx = pt[2 * k], cy = pt[2 * k + 1];
        if ((cx - bx) * (y - by) - (cy - by) * (x - bx) < 0) return 0;
        bx = cx; by = cy;
    }
    return 1;
}

/* Whether a point lies in a piece's footprint, edge included. */
static int in_piece(const Ground *g, const Piece *p, int32_t x, int32_t y)
{
    if (x < p->left || x > p->right || y < p->bottom || y > p->top) return 0;
    if (p->r > 0) {
        int64_t dx = (int64_t)x - p->x, dy = (int64_t)y - p->y;
        return dx * dx + dy * dy <= (int64_t)p->r * p->r;
    }
    for (int32_t k = 0; k < p->parts; k++)
        if (in_part(g, g->part + p->first_part + k, x, y)) return 1;
    return 0;
}
