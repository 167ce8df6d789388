/* SPDX-License-Identifier: BSD-3-Clause
 *
 * refuse.c: see refuse.h.
 */
#include "refuse.h"

#include <stdarg.h>
#include <stdio.h>

clump_status sim_refuse(clump_message *message, clump_status status, const char *format, ...)
{
    if (!message) return status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    return status;
}
