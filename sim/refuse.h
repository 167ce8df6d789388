/* SPDX-License-Identifier: BSD-3-Clause
 *
 * refuse.h: why parameters of a synthetic cloud are refused.
 */
#ifndef CLUMP_SIM_REFUSE_H
#define CLUMP_SIM_REFUSE_H

#include <clump/clump.h>

/* Writes the sentence into the message, which may be null, and returns the status. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
clump_status
sim_refuse(clump_message *message, clump_status status, const char *format, ...);

#endif
