/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes_text.h: an amount of memory as people say it.
 */
#ifndef CLUMP_CORE_BYTES_TEXT_H
#define CLUMP_CORE_BYTES_TEXT_H

#include <stddef.h>

/* "936 bytes", "68.7 GB". A double, so that what overflows can still be said. */
void clump_bytes_text(char *text, size_t size, double bytes);

#endif
