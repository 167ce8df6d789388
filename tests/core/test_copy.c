/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_copy.c: any number of threads copies all rows and writes nothing else.
 */
#include "support/check.h"

#include "common/team.h"

#include <stdlib.h>
#include <string.h>

static void rows_arrive(void)
{
    static const struct {
        size_t row, stride, n;
    } cases[] = {{12, 12, 0},    {12, 16, 1},     {12, 12, 70000}, {12, 16, 70001}, {12, 44, 33333},
                 {4, 4, 300001}, {1, 1, 1000003}, {5, 9, 100000},  {12, 12, 10923}, {12, 12, 10922}};
    clump_team *const team = clump_team_init(aligned_alloc(64, clump_team_bytes()), NULL);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const size_t row = cases[c].row, stride = cases[c].stride, n = cases[c].n;
        const size_t read = n > 0 ? (n - 1) * stride + row : 0; /* the last row ends where the memory does */
        unsigned char *const from = malloc(read + 1), *const to = malloc(n * row + 1);
        CHECK(from && to);
        uint64_t random = c;
        for (size_t i = 0; i < read; i++) from[i] = (unsigned char)check_random(&random);
        for (int threads = 1; threads <= 9; threads += threads < 3 ? 1 : 3) {
            memset(to, 0xee, n * row + 1);
            if (threads % 2) clump_copy_expect(team, row, n, threads);
            clump_copy_rows(team, to, from, row, stride, n, threads);
            size_t wrong = 0;
            for (size_t i = 0; i < n; i++) wrong += memcmp(to + i * row, from + i * stride, row) != 0;
            CHECK_MSG(wrong == 0 && to[n * row] == 0xee, "%zu rows of %zu in %zu, %d threads: %zu wrong", n, row,
                      stride, threads, wrong);
        }
        free(from), free(to);
    }
    clump_team_destroy(team);
    free(team);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(rows_arrive);
    return CHECK_END();
}
