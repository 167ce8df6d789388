/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peers_alone.c: the transport of a single rank.
 */
#include "peers/peers.h"

#include "common/assert.h"

#include <string.h>

static clump_status exchange(void *user, const void *send, const uint64_t *send_bytes, void *receive,
                             const uint64_t *receive_bytes)
{
    (void)user, (void)receive_bytes;
    CLUMP_ASSERT(send_bytes[0] == receive_bytes[0]);
    if (send_bytes[0] > 0) memcpy(receive, send, (size_t)send_bytes[0]);
    return CLUMP_OK;
}

static clump_status sum(void *user, uint64_t *values, size_t count)
{
    (void)user, (void)values, (void)count;
    return CLUMP_OK;
}

static clump_status least(void *user, int64_t *values, size_t count)
{
    (void)user, (void)values, (void)count;
    return CLUMP_OK;
}

static clump_status before(void *user, uint64_t *value)
{
    (void)user;
    *value = 0;
    return CLUMP_OK;
}

clump_peers clump_peers_alone(void)
{
    return (clump_peers){.count = 1, .exchange = exchange, .sum = sum, .least = least, .before = before};
}
