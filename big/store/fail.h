/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fail.h: the sentence of a failure, and how failures are passed up.
 */
#ifndef CLUMP_BIG_FAIL_H
#define CLUMP_BIG_FAIL_H

#include <clump/clump.h>

/* Passes a failure up. */
#define CLUMP_BIG_TRY(call)                                                                                            \
    do {                                                                                                               \
        const clump_status status_ = (call);                                                                           \
        if (status_ != CLUMP_OK) return status_;                                                                       \
    } while (0)

/* Writes the sentence and returns the status. message may be null. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
clump_status
clump_big_fail(clump_message *message, clump_status status, const char *format, ...);

/* The same, with what errno says. */
clump_status clump_big_fail_errno(clump_message *message, clump_status status, const char *path, const char *what,
                                  int error);

clump_status clump_big_no_memory(clump_message *message, size_t bytes);

/* CLUMP_ERR_CANCELLED with its sentence where the caller has cancelled; cancel may be null. */
clump_status clump_big_poll(const volatile int *cancel, clump_message *message);

#endif
