/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that keep cores busy.
 *
 * A signal handler could not end the children of a bench that is killed by SIGKILL. So the children look after
 * themselves: they ask for their parent about every millisecond, and end when they have another one.
 */
#include "harness/machine.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t *children;
static int child_count;

enum { BUSY_STEPS = 1 << 18 }; /* between two looks at the parent: 0.3 to 1 ms on processors of today */

static _Noreturn void compute_below(pid_t parent)
{
    volatile uint64_t result = 1;
    while (getppid() == parent) {
        uint64_t x = result;
        for (int i = 0; i < BUSY_STEPS; i++) x = x * 6364136223846793005u + 1442695040888963407u;
        result = x;
    }
    _exit(0);
}

static void end_all(void)
{
    for (int i = 0; i < child_count; i++) kill(children[i], SIGKILL);
    for (int i = 0; i < child_count; i++)
        while (waitpid(children[i], NULL, 0) < 0 && errno == EINTR) continue;
    free(children);
    children = NULL, child_count = 0;
}

bool busy_set(int count)
{
    const pid_t self = getpid();
    end_all();
    if (count <= 0) return true;
    children = malloc((size_t)count * sizeof *children);
    if (!children) return false;
    for (; child_count < count; child_count++) {
        const pid_t child = fork();
        if (child == 0) compute_below(self);
        if (child < 0) {
            end_all();
            return false;
        }
        children[child_count] = child;
    }
    return true;
}
