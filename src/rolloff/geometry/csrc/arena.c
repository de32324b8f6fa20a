/* Memory of one call: a first block on the stack, more from the heap when a scene is large. */
typedef struct HeapBlock {
    struct HeapBlock *next;
} HeapBlock;

typedef struct {
    jmp_buf failed;
    HeapBlock *blocks;
    char *at;
    size_t left;
    char first[49152];
} Arena;

static void arena_open(Arena *m)
{
    m->blocks = NULL;
    m->at = m->first;
    m->left = sizeof m->first;
}

static void arena_close(Arena *m)
{
    while (m->blocks) {
        HeapBlock *next = m->blocks->next;
        free(m->blocks);
        m->blocks = next;
    }
}

typedef struct {
    HeapBlock *blocks;
    char *at;
    size_t left;
} Mark;

static inline Mark arena_mark(const Arena *m)
{
    Mark k = {m->blocks, m->at, m->left};
    return k;
}

static inline void arena_back(Arena *m, Mark k)
{
    while (m->blocks != k.blocks) {
        HeapBlock *next = m->blocks->next;
        free(m->blocks);
        m->blocks = next;
    }
    m->at = k.at;
    m->left = k.left;
}

static void *take(Arena *m, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (bytes > m->left) {
        size_t room = bytes > 262144 ? bytes : 262144;
        HeapBlock *b = malloc(16 + room);
        if (b == NULL) longjmp(m->failed, 1);
        b->next = m->blocks;
        m->blocks = b;
        m->at = (char *)b + 16;
        m->left = room;
    }
    void *p = m->at;
    m->at += bytes;
    m->left -= bytes;
    return p;
}
