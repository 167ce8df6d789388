/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_assign.c: the assignment of expected to seen places, against all assignments there are.
 */
#include "check.h"

#include "calls.h"
#include "host/assign.h"

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

/* Returns the cost of a pair; -1: no pair, as it is not within the gate or `most` others are better. */
static int64_t pair_cost(const clump_assign_job *job, int32_t row, int32_t column)
{
    const int64_t cost = place_cost(job, row, column);
    int32_t better = 0;
    for (int32_t other = 0; other < job->column_count; other++) {
        const int64_t its = other == column ? -1 : place_cost(job, row, other);
        better += its >= 0 && (its < cost || (its == cost && other < column));
    }
    return better < job->most ? cost : -1;
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
    CHECK_INT(clump_assign(ctx, job, scratch), CLUMP_OK);
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
    const char *const longer = getenv("CLUMP_TEST_LONG");
    const int rounds = longer && *longer == '1' ? 60000 : 3000;
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
    solve(ctx, &(clump_assign_job){rows, columns, 3, 2, 1, 32, partner});
    CHECK(partner[0] == 0 && partner[1] == 1 && partner[2] == -1);
    const float more[3][2] = {{0.5f, 0}, {-0.5f, 0}, {0, 0.5f}};
    solve(ctx, &(clump_assign_job){rows, more, 3, 3, 1, 32, partner});
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
    solve(ctx,
          &(clump_assign_job){(const double(*)[2])rows, (const float(*)[2])columns, MANY + 1, MANY, 1, 32, partner});
    int alone = 0;
    for (int i = 0; i <= MANY; i++) alone += partner[i] < 0;
    CHECK_INT(alone, 1);
    for (int i = 0; i < MANY; i++) columns[i][0] = (float)i; /* rows 0 ... MANY - 1 are at their columns */
    columns[MANY][0] = MANY;
    solve(ctx, &(clump_assign_job){(const double(*)[2])rows, (const float(*)[2])columns, MANY + 1, MANY + 1, 1, 32,
                                   partner});
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
    solve(ctx, &(clump_assign_job){(const double(*)[2])rows, (const float(*)[2])columns, MANY, MANY, 2, 32, partner});
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
    solve(ctx, &(clump_assign_job){rows, columns, 5, 5, 2, 32, partner});
    CHECK(partner[0] == 0 && partner[1] == -1 && partner[2] == -1 && partner[4] == -1);
    solve(ctx, &(clump_assign_job){rows, columns, 0, 5, 2, 32, partner});
    solve(ctx, &(clump_assign_job){rows, columns, 5, 0, 2, 32, partner});
    CHECK(partner[0] == -1);
    const double out[3][2] = {{-INFINITY, 0}, {0, 0}, {-INFINITY, 0}};
    const float of_reach[3][2] = {{INFINITY, 0}, {INFINITY, 0}, {0, 0}};
    solve(ctx, &(clump_assign_job){out, of_reach, 3, 3, 1e150, 2, partner});
    CHECK(partner[0] == -1 && partner[1] == 2 && partner[2] == -1);
    clump_context_destroy(ctx);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(is_the_best_of_all);
    RUN(takes_lower_indices_first);
    RUN(prefers_pairs_to_costs);
    RUN(knows_places_in_a_crowd);
    RUN(keeps_the_gate);
    return CHECK_END();
}
