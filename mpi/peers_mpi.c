/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peers_mpi.c: see peers_mpi.h. MPI 3.1 is enough: its counts are int, so messages and reductions go in parts. One thread
 * makes all calls.
 */
#include "peers_mpi.h"

#include <stdlib.h>
#include <string.h>

#define PEERS_PART   ((uint64_t)1 << 29) /* bytes per message: below 2^31, and below the limits of transports */
#define PEERS_VALUES ((size_t)1 << 24)   /* values per reduction */

enum { PEERS_TAG = 17 };

bool mpi_peers_make(MPI_Comm world, mpi_peers *peers)
{
    *peers = (mpi_peers){.world = world};
    if (MPI_Comm_rank(world, &peers->rank) != MPI_SUCCESS || MPI_Comm_size(world, &peers->count) != MPI_SUCCESS)
        return false;
    peers->requests = malloc(2 * (size_t)peers->count * sizeof(MPI_Request));
    return peers->requests != NULL;
}

void mpi_peers_release(mpi_peers *peers)
{
    free(peers->requests);
    peers->requests = NULL;
}

bool mpi_peers_greet(mpi_peers *peers, bool takes_part)
{
    if (peers->greeted) return peers->ready;
    int all = takes_part;
    const int code = MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, peers->world);
    peers->greeted = true;
    peers->failed = code != MPI_SUCCESS;
    peers->ready = !peers->failed && all;
    return peers->ready;
}

/* Whether calls can be made. */
static bool can_call(mpi_peers *peers)
{
    return mpi_peers_greet(peers, true) && !peers->failed;
}

static clump_status status_of(mpi_peers *peers, int code)
{
    if (code == MPI_SUCCESS) return CLUMP_OK;
    peers->failed = true;
    return CLUMP_ERR_INTERNAL;
}

/* Returns the bytes of a stream that part number `part` has. */
static uint64_t part_of(uint64_t bytes, uint64_t part)
{
    if (bytes / PEERS_PART < part) return 0;
    const uint64_t left = bytes - part * PEERS_PART;
    return left < PEERS_PART ? left : PEERS_PART;
}

/* Exchanges one part of each stream. Pairs of ranks meet in another order on every rank, so that not all send to one. */
static int exchange_part(mpi_peers *p, uint64_t part, const char *send, const uint64_t *send_bytes, char *receive,
                         const uint64_t *receive_bytes)
{
    int open = 0, code = MPI_SUCCESS;
    uint64_t *const begins = malloc(2 * (size_t)p->count * sizeof *begins);
    if (!begins) return MPI_ERR_NO_MEM;
    for (uint64_t r = 0, from = 0, to = 0; r < (uint64_t)p->count; r++) {
        begins[2 * r] = from, begins[2 * r + 1] = to;
        from += send_bytes[r], to += receive_bytes[r];
    }
    for (int k = 1; k < p->count && code == MPI_SUCCESS; k++) {
        const int from = (p->rank + p->count - k) % p->count;
        const uint64_t bytes = part_of(receive_bytes[from], part);
        if (bytes > 0)
            code = MPI_Irecv(receive + begins[2 * from + 1] + part * PEERS_PART, (int)bytes, MPI_BYTE, from, PEERS_TAG,
                             p->world, &p->requests[open++]);
    }
    for (int k = 1; k < p->count && code == MPI_SUCCESS; k++) {
        const int to = (p->rank + k) % p->count;
        const uint64_t bytes = part_of(send_bytes[to], part);
        if (bytes > 0)
            code = MPI_Isend(send + begins[2 * to] + part * PEERS_PART, (int)bytes, MPI_BYTE, to, PEERS_TAG, p->world,
                             &p->requests[open++]);
    }
    if (part == 0 && send_bytes[p->rank] > 0)
        memcpy(receive + begins[2 * p->rank + 1], send + begins[2 * p->rank], (size_t)send_bytes[p->rank]);
    free(begins);
    return code == MPI_SUCCESS ? MPI_Waitall(open, p->requests, MPI_STATUSES_IGNORE) : code;
}

static clump_status exchange(void *user, const void *send, const uint64_t *send_bytes, void *receive,
                             const uint64_t *receive_bytes)
{
    mpi_peers *const p = user;
    if (!can_call(p)) return CLUMP_ERR_INTERNAL;
    uint64_t longest = 0;
    for (int r = 0; r < p->count; r++) {
        longest = send_bytes[r] > longest ? send_bytes[r] : longest;
        longest = receive_bytes[r] > longest ? receive_bytes[r] : longest;
    }
    int code = MPI_SUCCESS; /* messages of a pair keep their order, so ranks may have different numbers of parts */
    for (uint64_t part = 0; (part == 0 || part * PEERS_PART < longest) && code == MPI_SUCCESS; part++)
        code = exchange_part(p, part, send, send_bytes, receive, receive_bytes);
    return status_of(p, code);
}

static clump_status reduce(mpi_peers *p, void *values, size_t count, MPI_Datatype type, MPI_Op op)
{
    if (!can_call(p)) return CLUMP_ERR_INTERNAL;
    int code = MPI_SUCCESS;
    for (size_t done = 0; done < count && code == MPI_SUCCESS; done += PEERS_VALUES) {
        const size_t now = count - done < PEERS_VALUES ? count - done : PEERS_VALUES;
        code = MPI_Allreduce(MPI_IN_PLACE, (char *)values + done * 8, (int)now, type, op, p->world);
    }
    return status_of(p, code);
}

static clump_status sum(void *user, uint64_t *values, size_t count)
{
    return reduce(user, values, count, MPI_UINT64_T, MPI_SUM);
}

static clump_status least(void *user, int64_t *values, size_t count)
{
    return reduce(user, values, count, MPI_INT64_T, MPI_MIN);
}

static clump_status before(void *user, uint64_t *value)
{
    mpi_peers *const p = user;
    if (!can_call(p)) return CLUMP_ERR_INTERNAL;
    uint64_t total = 0;
    const int code = MPI_Exscan(value, &total, 1, MPI_UINT64_T, MPI_SUM, p->world);
    *value = p->rank > 0 ? total : 0; /* MPI leaves that of rank 0 undefined */
    return status_of(p, code);
}

clump_peers mpi_peers_of(mpi_peers *peers)
{
    return (clump_peers){.rank = peers->rank,
                         .count = peers->count,
                         .user = peers,
                         .exchange = exchange,
                         .sum = sum,
                         .least = least,
                         .before = before};
}
