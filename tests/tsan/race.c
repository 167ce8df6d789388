/* SPDX-License-Identifier: BSD-3-Clause
 *
 * race.c: a data race, which the thread sanitizer must find. If it does not, its silence about the
 * other tests means nothing.
 */
#include <stdio.h>

int main(void)
{
    long sum = 0;
#pragma omp parallel for num_threads(4)
    for (long i = 0; i < 100000; i++) sum += i;
    printf("%ld\n", sum);
    return 0;
}
