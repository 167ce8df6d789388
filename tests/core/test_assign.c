/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_assign.c: the assignment of expected to seen places, against all assignments there are.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "host/assign.h"
#include "host/columns.h"

#include <math.h>

enum { MOST = 7, MANY = 3000 };

/* Returns the cost of two places within the gate as assign.h defines it; -1: they are not. */
static int64_t place_cost(const clump_assign_job *job, int32_t row, int32_t column)
{
    const double dx = (double)job->columns[column][0] - job->rows[row][0];
    const double dy = (double)job->columns[column][1] - job->rows[row][1];
    const double square = dx * dx + dy * dy, limit = job->gate * job->gate;
    if (fabs(dx) > job->gate || fabs(dy) > job->gate || square > limit) return -1;
    return (int64_t)(square * (0x1p26 / limit));
}

static double square_of(const clump_assign_job *job, int32_t row, int32_t column)
{
    const double dx = (double)job->columns[column][0] - job->rows[row][0];
    const double dy = (double)job->columns[column][1] - job->rows[row][1];
    return dx * dx + dy * dy;
}

/* Returns the cost of a pair; -1: no pair, as it is not within the gate or `most` others are nearer. */
static int64_t pair_cost(const clump_assign_job *job, int32_t row, int32_t column)
{
    const double square = square_of(job, row, column);
    int32_t nearer = 0;
    for (int32_t other = 0; other < job->column_count; other++) {
        const double its = square_of(job, row, other);
        nearer += (its < square || (its == square && other < column)) && place_cost(job, row, other) >= 0;
    }
    return nearer < job->most ? place_cost(job, row, column) : -1;
}

typedef struct best {
    int pairs;
    int64_t cost;
} best;

/* Tries all assignments of rows `row` and later to columns that are not in `used`. */
static void try_all(const clump_assign_job *job, int32_t row, unsigned used, best now, best *found)
{
    if (row == job->row_count) {
        if (now.pairs > found->pairs || (now.pairs == found->pairs && now.cost < found->cost)) *found = now;
        return;
    }
    try_all(job, row + 1, used, now, found);
    for (int32_t column = 0; column < job->column_count; column++) {
        const int64_t cost = used >> column & 1 ? -1 : pair_cost(job, row, column);
        if (cost >= 0) try_all(job, row + 1, used | 1u << column, (best){now.pairs + 1, now.cost + cost}, found);
    }
}

/* Checks that the partners are an assignment, and returns its pairs and cost. */
static best check_partners(const clump_assign_job *job)
{
    best sum = {0, 0};
    for (int32_t row = 0; row < job->row_count; row++) {
        const int32_t column = job->partner[row];
        if (column < 0) continue;
        CHECK(column < job->column_count && pair_cost(job, row, column) >= 0);
        for (int32_t other = 0; other < row && row < 100; other++) CHECK(job->partner[other] != column);
        sum.pairs++, sum.cost += pair_cost(job, row, column);
    }
    return sum;
}

static void solve(clump_context *ctx, const clump_assign_job *job)
{
    void *scratch = malloc(clump_assign_bytes(job->row_count, job->column_count, job->most) + 8);
    CHECK_INT(clump_assign(&ctx->work, job, scratch), CLUMP_OK);
    free(scratch);
}

/* Kinds of places: anywhere; on a grid, with many equal costs; on a line, with chains; all in one place. */
static float random_place(uint64_t *seed, int kind)
{
    const float value = check_random_float(seed);
    return kind == 0 ? 4 * value : kind == 1 ? floorf(3 * value) : kind == 2 ? floorf(8 * value) / 2 : 1;
}

static void is_the_best_of_all(void)
{
    clump_context *ctx = cpu_context(1);
    uint64_t seed = 11;
    const int rounds = check_rounds(3000);
    for (int round = 0; round < rounds; round++) {
        double rows[MOST][2];
        float columns[MOST][2];
        int32_t partner[MOST], again[MOST];
        const int kind = round % 4;
        clump_assign_job job = {
            .rows = (const double(*)[2])rows, .columns = (const float(*)[2])columns, .partner = partner};
        job.most = round % 5 < 3 ? 32 : 1 + (int32_t)(check_random(&seed) % 4);
        job.row_count = (int32_t)(check_random(&seed) % (MOST + 1)),
        job.column_count = (int32_t)(check_random(&seed) % (MOST + 1));
        job.gate = round % 3 == 0 ? 1 : round % 3 == 1 ? 0.5 + (double)check_random_float(&seed) : 2;
        for (int i = 0; i < MOST; i++) {
            rows[i][0] = (double)random_place(&seed, kind), columns[i][0] = random_place(&seed, kind);
            rows[i][1] = kind == 2 ? 0 : (double)random_place(&seed, kind),
            columns[i][1] = kind == 2 ? 0 : random_place(&seed, kind);
        }
        solve(ctx, &job);
        best found = {0, 0};
        try_all(&job, 0, 0, (best){0, 0}, &found);
        const best ours = check_partners(&job);
        CHECK_MSG(ours.pairs == found.pairs && ours.cost == found.cost, "round %d: %d pairs, cost %lld; best %d, %lld",
                  round, ours.pairs, (long long)ours.cost, found.pairs, (long long)found.cost);
        memcpy(again, partner, sizeof again);
        solve(ctx, &job);
        CHECK(memcmp(again, partner, (size_t)job.row_count * sizeof *again) == 0);
    }
    clump_context_destroy(ctx);
}

/* Equal costs: the lower row has the lower column. The last row takes what is left. */
static void takes_lower_indices_first(void)
{
    clump_context *ctx = cpu_context(1);
    const double rows[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    const float columns[2][2] = {{0, 0}, {0, 0}};
    int32_t partner[3];
    solve(ctx, &(clump_assign_job){rows, columns, 3, 2, 1, 32, partner, NULL});
    CHECK(partner[0] == 0 && partner[1] == 1 && partner[2] == -1);
    const double apart[3][2] = {
        {0.3, 0}, {-0.2, 0.1}, {0.1, -0.4}}; /* columns in one place: the cost is the same for all ways */
    const float above[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    solve(ctx, &(clump_assign_job){apart, above, 3, 3, 1, 32, partner, NULL});
    CHECK(partner[0] == 0 && partner[1] == 1 && partner[2] == 2);
    const float more[3][2] = {{0.5f, 0}, {-0.5f, 0}, {0, 0.5f}};
    solve(ctx, &(clump_assign_job){rows, more, 3, 3, 1, 32, partner, NULL});
    CHECK(partner[0] == 0 && partner[1] == 1 && partner[2] == 2);
    clump_context_destroy(ctx);
}

/* One more pair is worth any cost: a chain in which each row must leave the column it is at. */
static void prefers_pairs_to_costs(void)
{
    clump_context *ctx = cpu_context(1);
    static double rows[MANY + 1][2];
    static float columns[MANY + 1][2];
    static int32_t partner[MANY + 1];
    for (int i = 0; i <= MANY; i++) rows[i][0] = i, columns[i][0] = (float)i + 1;
    rows[MANY][0] = 0; /* takes column 0, which is 1 away; the others move on */
    solve(ctx, &(clump_assign_job){(const double(*)[2])rows, (const float(*)[2])columns, MANY + 1, MANY, 1, 32, partner,
                                   NULL});
    int alone = 0;
    for (int i = 0; i <= MANY; i++) alone += partner[i] < 0;
    CHECK_INT(alone, 1);
    for (int i = 0; i < MANY; i++) columns[i][0] = (float)i; /* rows 0 ... MANY - 1 are at their columns */
    columns[MANY][0] = MANY;
    solve(ctx, &(clump_assign_job){(const double(*)[2])rows, (const float(*)[2])columns, MANY + 1, MANY + 1, 1, 32,
                                   partner, NULL});
    for (int i = 0; i <= MANY; i++) CHECK(partner[i] >= 0);
    CHECK_INT(partner[MANY - 1], MANY);
    clump_context_destroy(ctx);
}

/* All are within the gate of all: a grid, whose columns come in another order and are moved a little. */
static void knows_places_in_a_crowd(void)
{
    clump_context *ctx = cpu_context(1);
    static double rows[MANY][2];
    static float columns[MANY][2];
    static int32_t partner[MANY];
    uint64_t seed = 4;
    for (int i = 0; i < MANY; i++) {
        const int j = (int)(i * 1009LL % MANY);
        rows[i][0] = 0.02 * (i % 50), rows[i][1] = 0.02 * (double)(i / 50);
        columns[j][0] = (float)rows[i][0] + 0.008f * check_random_float(&seed);
        columns[j][1] = (float)rows[i][1] - 0.008f * check_random_float(&seed);
    }
    solve(ctx,
          &(clump_assign_job){(const double(*)[2])rows, (const float(*)[2])columns, MANY, MANY, 2, 32, partner, NULL});
    for (int i = 0; i < MANY; i++) CHECK_INT(partner[i], (int)(i * 1009LL % MANY));
    clump_context_destroy(ctx);
}

/* Places at the gate belong to it; far places and the largest floats do no harm. */
static void keeps_the_gate(void)
{
    clump_context *ctx = cpu_context(1);
    const double rows[5][2] = {{0, 0}, {1e9, 0}, {-1e300, 1e300}, {3e38, -3e38}, {100, 100}};
    const float columns[5][2] = {{2, 0}, {1e9f, 2.0001f}, {0, -2}, {3e38f, -3e38f}, {101.5f, 101.5f}};
    int32_t partner[5];
    solve(ctx, &(clump_assign_job){rows, columns, 5, 5, 2, 32, partner, NULL});
    CHECK(partner[0] == 0 && partner[1] == -1 && partner[2] == -1 && partner[4] == -1);
    solve(ctx, &(clump_assign_job){rows, columns, 0, 5, 2, 32, partner, NULL});
    solve(ctx, &(clump_assign_job){rows, columns, 5, 0, 2, 32, partner, NULL});
    CHECK(partner[0] == -1);
    const double out[3][2] = {{-INFINITY, 0}, {0, 0}, {-INFINITY, 0}};
    const float of_reach[3][2] = {{INFINITY, 0}, {INFINITY, 0}, {0, 0}};
    solve(ctx, &(clump_assign_job){out, of_reach, 3, 3, 1e150, 2, partner, NULL});
    CHECK(partner[0] == -1 && partner[1] == 2 && partner[2] == -1);
    clump_context_destroy(ctx);
}

/* ----- the bound ------------------------------------------------------------------------------------- */

enum { CROWD = CLOUD_WATCHED ? 20000 : 100000 };

static double crowd_rows[CROWD][2];
static float crowd_columns[CROWD][2];
static int32_t crowd_partner[CROWD], other_partner[CROWD];

/* Fills rows and columns, `count` of each, whose places lie in a square with this side. moved: columns are at most so far from
 * the rows of their numbers; 0: they have nothing to do with them. */
static void fill_crowd(int32_t count, double side, double moved, uint64_t seed)
{
    for (int32_t i = 0; i < count; i++)
        for (int a = 0; a < 2; a++) {
            crowd_rows[i][a] = side * (double)check_random_float(&seed);
            const double from = moved > 0 ? crowd_rows[i][a] : 0, by = moved > 0 ? moved : side;
            crowd_columns[i][a] = (float)(from + by * (double)check_random_float(&seed));
        }
}

static clump_assign_job crowd_job(int32_t count, clump_assign_work *work)
{
    return (clump_assign_job){.rows = (const double(*)[2])crowd_rows,
                              .columns = (const float(*)[2])crowd_columns,
                              .row_count = count,
                              .column_count = count,
                              .gate = 2,
                              .most = 32,
                              .partner = crowd_partner,
                              .work = work};
}

/* Pairs and their cost, without a look at which columns are the nearest. */
static best sum_pairs(const clump_assign_job *job)
{
    best sum = {0, 0};
    for (int32_t row = 0; row < job->row_count; row++) {
        if (job->partner[row] < 0) continue;
        const int64_t cost = place_cost(job, row, job->partner[row]);
        CHECK(cost >= 0);
        sum.pairs++, sum.cost += cost;
    }
    return sum;
}

enum { PLAIN = 2000, PLAIN_PAIRS = 32 };

typedef struct plain {
    uint64_t pairs[PLAIN][PLAIN_PAIRS]; /* of a row, ascending: cost, column */
    int counts[PLAIN];                  /* of them */
    int64_t row_dual[PLAIN], dual[PLAIN], distance[PLAIN];
    int32_t before[PLAIN], owner[PLAIN], reached[PLAIN], count; /* reached: the columns of this search */
    bool done[PLAIN];
} plain;

static void plain_pairs(const clump_assign_job *job, int32_t row, plain *p)
{
    uint64_t *const list = p->pairs[row];
    int count = 0;
    for (int32_t column = 0; column < job->column_count; column++) {
        const int64_t cost = place_cost(job, row, column);
        const uint64_t pair = (uint64_t)cost << 32 | (uint32_t)column;
        if (cost < 0 || (count == PLAIN_PAIRS && pair > list[count - 1])) continue;
        int at = count < PLAIN_PAIRS ? count++ : count - 1;
        for (; at > 0 && list[at - 1] > pair; at--) list[at] = list[at - 1];
        list[at] = pair;
    }
    p->counts[row] = count;
}

/* Continues chains of length `base` at the row, and returns the nearest column that is not done; -1: none is reached. */
static int32_t plain_step(int32_t row, int64_t base, plain *p)
{
    int32_t nearest = -1;
    for (int k = 0; k < p->counts[row]; k++) {
        const int32_t column = (int32_t)(uint32_t)p->pairs[row][k];
        const int64_t length = base - p->row_dual[row] + (int64_t)(p->pairs[row][k] >> 32) - p->dual[column];
        if (p->done[column] || length >= p->distance[column]) continue;
        if (p->distance[column] == INT64_MAX) p->reached[p->count++] = column;
        p->distance[column] = length, p->before[column] = row;
    }
    for (int32_t k = 0; k < p->count; k++) {
        const int32_t j = p->reached[k];
        if (!p->done[j] && (nearest < 0 || p->distance[j] < p->distance[nearest])) nearest = j;
    }
    return nearest;
}

/* Finds a column for the row by Dijkstra's search, without a heap and without a bound; `alone` is the cost of none. */
static void plain_insert(const clump_assign_job *job, int32_t start, int64_t alone, plain *p)
{
    int32_t column = -1, row = start, exit_row = start;
    int64_t base = 0, exit = INT64_MAX;
    for (int32_t k = 0; k < p->count; k++) p->distance[p->reached[k]] = INT64_MAX, p->done[p->reached[k]] = false;
    p->count = 0;
    while (row >= 0) {
        if (base - p->row_dual[row] + alone < exit) exit = base - p->row_dual[row] + alone, exit_row = row;
        column = plain_step(row, base, p);
        if (column >= 0 && p->distance[column] >= exit) column = -1;
        if (column < 0) break;
        p->done[column] = true;
        base = p->distance[column];
        row = p->owner[column];
    }
    const int64_t length = column < 0 ? exit : p->distance[column];
    for (int32_t k = 0; k < p->count; k++) {
        const int32_t j = p->reached[k];
        if (!p->done[j]) continue;
        p->dual[j] -= length - p->distance[j];
        if (p->owner[j] >= 0) p->row_dual[p->owner[j]] += length - p->distance[j];
    }
    p->row_dual[start] += length;
    if (column < 0) { /* exit_row loses its column */
        column = job->partner[exit_row];
        job->partner[exit_row] = -1;
        if (exit_row == start) return;
    }
    for (row = -1; row != start;) {
        row = p->before[column];
        const int32_t freed = job->partner[row];
        job->partner[row] = column;
        p->owner[column] = row;
        column = freed;
    }
}

static void plain_assign(const clump_assign_job *job)
{
    static plain p;
    memset(&p, 0, sizeof p);
    for (int32_t j = 0; j < job->column_count; j++) p.owner[j] = -1, p.distance[j] = INT64_MAX;
    for (int32_t i = 0; i < job->row_count; i++) {
        job->partner[i] = -1;
        plain_pairs(job, i, &p);
        plain_insert(job, i, (job->row_count + 1) * (CLUMP_ASSIGN_UNIT + 1), &p);
    }
}

/* The assignment is that of the search without a bound: objects that move, and places at random, sparse and dense. */
static void is_as_without_a_bound(void)
{
    clump_context *ctx = cpu_context(1);
    const int rounds = CLOUD_WATCHED ? 30 : check_fewer(75, 300);
    for (int round = 0; round < rounds; round++) {
        uint64_t seed = 900 + (uint64_t)round;
        const int32_t count = 1 + (int32_t)(check_random(&seed) % (round % 10 == 0 ? PLAIN : 300));
        const double per_gate = round % 3 == 0 ? 1 : round % 3 == 1 ? 6 : 25; /* columns within the gate of a row */
        fill_crowd(count, sqrt(12.6 * count / per_gate), round % 2 ? 0.3 : 0, seed);
        clump_assign_work work;
        clump_assign_job job = crowd_job(count, &work), old = job;
        solve(ctx, &job);
        old.partner = other_partner;
        plain_assign(&old);
        const best ours = sum_pairs(&job), theirs = sum_pairs(&old);
        CHECK_MSG(!work.over, "round %d: %llu steps", round, (unsigned long long)work.steps);
        CHECK_MSG(ours.pairs == theirs.pairs && ours.cost == theirs.cost, "round %d: %d pairs, cost %lld; was %d, %lld",
                  round, ours.pairs, (long long)ours.cost, theirs.pairs, (long long)theirs.cost);
        CHECK_MSG(memcmp(crowd_partner, other_partner, (size_t)count * sizeof *crowd_partner) == 0,
                  "round %d: other pairs of the same cost", round);
    }
    clump_context_destroy(ctx);
}

/* Looks of one row: its list is made in three parts at most, and a search may end in the middle of a leaf or a box. */
static uint64_t most_looks(int32_t rows)
{
    const uint64_t parts = CLUMP_COLUMNS_LOOKS(4) + CLUMP_COLUMNS_LOOKS(8) + CLUMP_COLUMNS_LOOKS(20);
    return (uint64_t)rows * (parts + 3 * CLUMP_COLUMNS_LEAF);
}

static void check_crowd(clump_context *ctx, const char *what, int least)
{
    static bool taken[CROWD];
    clump_assign_work work;
    clump_assign_job job = crowd_job(CROWD, &work);
    solve(ctx, &job);
    CHECK_MSG(work.looks <= most_looks(CROWD), "%s: %llu looks", what, (unsigned long long)work.looks);
    /* to ask for columns takes a step per pair at most */
    CHECK_MSG(work.steps <= (uint64_t)clump_assign_steps(CROWD) + 32 * ((uint64_t)CROWD + 1), "%s: %llu steps", what,
              (unsigned long long)work.steps);
    CHECK_MSG(sum_pairs(&job).pairs >= least, "%s: %d pairs", what, sum_pairs(&job).pairs);
    memset(taken, 0, sizeof taken);
    for (int32_t row = 0; row < CROWD; row++) {
        const int32_t column = crowd_partner[row];
        CHECK(column < 0 || !taken[column]);
        if (column >= 0) taken[column] = true;
    }
}

/* Hostile places: the work stays within its bound, and most rows find a column. */
static void work_is_bounded(void)
{
    clump_context *ctx = cpu_context(1);
    const int most = CROWD - CROWD / 5;
    for (int kind = 0; kind < 3; kind++) { /* all within one gate: in 2 m, 0.1 m, 1 mm */
        fill_crowd(CROWD, kind == 0 ? 2 : kind == 1 ? 0.1 : 0.001, 0, 7);
        check_crowd(ctx, "one gate", most);
    }
    fill_crowd(CROWD, 1000, 0, 8);
    check_crowd(ctx, "spread", CROWD / 3);
    fill_crowd(CROWD, 300, 0.2, 9);
    check_crowd(ctx, "moved", CROWD);
    for (int i = 0; i < CROWD; i++) crowd_rows[i][0] = crowd_rows[i][1] = crowd_columns[i][0] = crowd_columns[i][1] = 0;
    check_crowd(ctx, "one place", 32);
    for (int i = 0; i < CROWD; i++) { /* two places: duplicates of rows in one, of columns in both */
        crowd_rows[i][0] = i % 2 ? 1 : 0;
        crowd_columns[i][0] = i % 2 ? 1.9f : 0;
    }
    check_crowd(ctx, "two places", 64);
    for (int i = 0; i < CROWD; i++) { /* a chain of ties: every row is in the middle of two columns */
        const int64_t at = i * 7919LL % CROWD;
        crowd_rows[i][0] = 0.12 * (double)at, crowd_rows[i][1] = 0;
        crowd_columns[i][0] = (float)(0.12 * i + 0.06), crowd_columns[i][1] = 0;
    }
    check_crowd(ctx, "ties", most);
    for (int i = 0; i < CROWD; i++) { /* a chain in which one row too many is at the beginning */
        crowd_rows[i][0] = i == CROWD - 1 ? 0 : i;
        crowd_columns[i][0] = (float)i;
    }
    check_crowd(ctx, "chain", CROWD - 1);
    for (int i = 0; i < CROWD; i++) { /* a circle of columns, and rows around its centre */
        crowd_rows[i][0] = 1e-9 * i, crowd_rows[i][1] = 0;
        crowd_columns[i][0] = (float)cos(i), crowd_columns[i][1] = (float)sin(i);
    }
    check_crowd(ctx, "circle", 12);
    for (int i = 0; i < CROWD; i++) crowd_rows[i][0] = cos(i), crowd_rows[i][1] = sin(i);
    for (int i = 0; i < CROWD; i++) crowd_columns[i][0] = 1e-9f * (float)i, crowd_columns[i][1] = 0;
    check_crowd(ctx, "centre", 12);
    clump_context_destroy(ctx);
}

/* Over the bound, pairs are taken in the order of costs: no row and column of a pair would both rather have each other. */
static void takes_cheap_pairs_over_the_bound(void)
{
    enum { COUNT = 20000, SAMPLE = 97 };
    static int32_t owner[COUNT];
    clump_context *ctx = cpu_context(1);
    clump_assign_work work;
    fill_crowd(COUNT, 30, 0, 3);
    clump_assign_job job = crowd_job(COUNT, &work);
    solve(ctx, &job);
    CHECK(work.over);
    job.most = CLUMP_ASSIGN_FEW; /* of the pairs that count */
    memset(owner, -1, sizeof owner);
    for (int32_t row = 0; row < COUNT; row++)
        if (crowd_partner[row] >= 0) owner[crowd_partner[row]] = row;
    for (int32_t row = 0; row < COUNT; row += SAMPLE) {
        const int64_t own = crowd_partner[row] >= 0 ? place_cost(&job, row, crowd_partner[row]) : INT64_MAX;
        for (int32_t column = 0; column < COUNT; column++) {
            const int64_t cost = place_cost(&job, row, column);
            if (cost < 0 || cost >= own || pair_cost(&job, row, column) < 0) continue;
            const int32_t other = owner[column];
            CHECK_MSG(other >= 0 && place_cost(&job, other, column) <= cost, "row %d and column %d", row, column);
        }
    }
    clump_context_destroy(ctx);
}

/* The same pairs, in whatever order rows and columns are given: within the bound and over it. */
static void does_not_depend_on_the_order(void)
{
    clump_context *ctx = cpu_context(1);
    for (int round = 0; round < 4; round++) {
        const int32_t count = round < 2 ? 1000 : 20000;
        clump_assign_work work;
        fill_crowd(count, round % 2 ? 0.2 * sqrt(count) : 1.5 * sqrt(count), 0, 5 + (uint64_t)round);
        clump_assign_job job = crowd_job(count, &work);
        solve(ctx, &job);
        CHECK_INT(work.over, round == 3);
        memcpy(other_partner, crowd_partner, (size_t)count * sizeof *other_partner);
        for (int32_t i = 0; i < count / 2; i++) /* rows backwards */
            for (int a = 0; a < 2; a++) {
                const double swapped = crowd_rows[i][a];
                crowd_rows[i][a] = crowd_rows[count - 1 - i][a], crowd_rows[count - 1 - i][a] = swapped;
            }
        for (int32_t i = 0; i + 1 < count; i += 2) /* columns in pairs */
            for (int a = 0; a < 2; a++) {
                const float swapped = crowd_columns[i][a];
                crowd_columns[i][a] = crowd_columns[i + 1][a], crowd_columns[i + 1][a] = swapped;
            }
        solve(ctx, &job);
        int differ = 0;
        for (int32_t i = 0; i < count; i++) {
            const int32_t was = other_partner[count - 1 - i];
            differ += crowd_partner[i] != (was < 0 ? -1 : was ^ 1);
        }
        CHECK_MSG(differ == 0, "round %d: %d differ", round, differ);
    }
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_assign)
{
    RUN(is_the_best_of_all);
    RUN(takes_lower_indices_first);
    RUN(prefers_pairs_to_costs);
    RUN(knows_places_in_a_crowd);
    RUN(keeps_the_gate);
    RUN(is_as_without_a_bound);
    RUN(work_is_bounded);
    RUN(takes_cheap_pairs_over_the_bound);
    RUN(does_not_depend_on_the_order);
}
