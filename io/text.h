/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text.h: between text.c, which reads, and text_write.c.
 */
#ifndef CLUMP_IO_TEXT_H
#define CLUMP_IO_TEXT_H

#include "format.h"

clump_status clump_io_text_write(const clump_io_output *output, clump_io_sink *sink);

#endif
