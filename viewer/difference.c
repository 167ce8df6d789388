/* SPDX-License-Identifier: BSD-3-Clause
 *
 * difference.c: see difference.h.
 */
#include "difference.h"

bool view_find_differences(const int32_t *first, const int32_t *second, size_t count, uint8_t *differs, size_t *total)
{
    *total = 0;
    for (size_t i = 0; i < count; i++) *total += differs[i] = first[i] != second[i];
    return true;
}
