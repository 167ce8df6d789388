/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text.h: between text.c, which reads, and text_write.c; and what other formats with points as text
 * share with it.
 */
#ifndef CLUMP_IO_TEXT_H
#define CLUMP_IO_TEXT_H

#include "format.h"

/* A line a point: coordinates and fields with a separator of one character between them. */
void clump_io_put_rows(const clump_io_output *output, clump_io_sink *sink, const char *separator);

clump_status clump_io_text_write(const clump_io_output *output, clump_io_sink *sink);

#endif
