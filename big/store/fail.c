/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fail.c: see store.h.
 */
#include "store/store.h"

#include "common/atomics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

clump_status clump_big_fail(clump_message *message, clump_status status, const char *format, ...)
{
    if (!message) return status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    return status;
}

clump_status clump_big_fail_errno(clump_message *message, clump_status status, const char *path, const char *what,
                                  int error)
{
    char reason[128] = "";
    if (strerror_r(error, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", error);
    return clump_big_fail(message, status, "%.240s: %s: %s", path, what, reason);
}

clump_status clump_big_no_memory(clump_message *message, size_t bytes)
{
    return clump_big_fail(message, CLUMP_ERR_OUT_OF_MEMORY, "no memory for %zu bytes", bytes);
}

clump_status clump_big_poll(const volatile int *cancel, clump_message *message)
{
    if (!cancel || CLUMP_LOAD(cancel) == 0) return CLUMP_OK;
    return clump_big_fail(message, CLUMP_ERR_CANCELLED, "cancelled by the caller");
}
