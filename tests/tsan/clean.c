/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clean.c: everything clump uses of OpenMP, used correctly. The thread sanitizer must say nothing:
 * the ends of parallel regions, barriers, reductions and critical sections order what it sees.
 */
#include <stdatomic.h>
#include <stdio.h>

enum { N = 20000 };
static long value[N];

int main(void)
{
    long sum = 0;
    _Atomic long seen = 0;
    for (int round = 0; round < 10; round++) {
#pragma omp parallel for num_threads(4) schedule(dynamic, 64)
        for (int i = 0; i < N; i++) value[i] = i;
#pragma omp parallel for num_threads(4) schedule(static) reduction(+ : sum)
        for (int i = 0; i < N; i++) {
            sum += value[N - 1 - i];
            atomic_fetch_add_explicit(&seen, 1, memory_order_relaxed);
        }
#pragma omp parallel num_threads(4)
        {
#pragma omp for
            for (int i = 0; i < N; i++) value[i]++;
#pragma omp single
            value[0] = value[N - 1];
#pragma omp for
            for (int i = 1; i < N; i++) value[i] = value[0];
#pragma omp critical
            sum++;
        }
    }
    printf("%ld %ld\n", sum, (long)seen);
    return 0;
}
