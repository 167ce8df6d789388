/* SPDX-License-Identifier: BSD-3-Clause
 *
 * leak.c: loses memory. The leak checker must say so, with leaks.c in the program too.
 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *volatile lost = malloc(10);
    printf("%s\n", lost ? "10 bytes are lost" : "no memory");
    lost = NULL;
    return 0;
}
