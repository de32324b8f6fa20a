/* Distances between bases. */
double gap_of(SCENE_ARGS, int32_t i, int32_t j)
{
    Scene s = SCENE;
    Stand a, b;
    stand_of(&s, i, &a); stand_of(&s, j, &b);
    double dx = b.x - a.x, dy = b.y - a.y;
    return sqrt(dx * dx + dy * dy) - a.r - b.r;
}
