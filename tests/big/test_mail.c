/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_mail.c: streams between ranks (big/peers/peers.h): what arrives, how long rounds are, and counts above 2^32.
 */
#include "support/check.h"

#include "big/peers_threads.h"

#include "peers/peers.h"

#include <pthread.h>

enum { RANKS = 6 };

/* ----- lists between threads ------------------------------------------------------------------------------------------ */

typedef struct mail_rank {
    clump_peers peers;
    uint64_t seed, most;
    bool right;
    pthread_t thread;
} mail_rank;

/* Returns how many entries a rank sends to another, and entry i of them. */
static uint64_t count_of(uint64_t seed, int from, int to)
{
    uint64_t random = seed * 1000 + (uint64_t)(from * 10 + to);
    return check_random(&random) % 3 ? check_random(&random) % 300 : 0;
}

static uint32_t entry_of(int from, int to, uint64_t i)
{
    return (uint32_t)(i * 100) + (uint32_t)(from * 10 + to);
}

static void *send_lists(void *arg)
{
    mail_rank *const m = arg;
    const int rank = m->peers.rank, ranks = m->peers.count;
    uint64_t counts[RANKS], received[RANKS];
    uint32_t *const send = malloc(RANKS * 300 * sizeof *send);
    size_t n = 0;
    for (int r = 0; r < ranks; r++) {
        counts[r] = count_of(m->seed, rank, r);
        for (uint64_t i = 0; i < counts[r]; i++) send[n++] = entry_of(rank, r, i);
    }
    clump_mail mail = clump_mail_make(&m->peers);
    mail.most = m->most;
    void *list = NULL;
    m->right = clump_mail_lists(&mail, sizeof *send, send, counts, &list, received) == CLUMP_OK;
    const uint32_t *const got = list;
    n = 0;
    for (int r = 0; r < ranks && m->right; r++) {
        m->right &= received[r] == count_of(m->seed, r, rank);
        for (uint64_t i = 0; i < received[r] && m->right; i++) m->right &= got[n++] == entry_of(r, rank, i);
    }
    free(list);
    free(send);
    uint64_t sum = (uint64_t)rank + 1, place = (uint64_t)rank + 1;
    int64_t least = -rank;
    m->right &= clump_mail_sum(&mail, &sum, 1) == CLUMP_OK && sum == (uint64_t)(ranks * (ranks + 1) / 2);
    m->right &= clump_mail_least(&mail, &least, 1) == CLUMP_OK && least == 1 - ranks;
    m->right &= clump_mail_before(&mail, &place) == CLUMP_OK && place == (uint64_t)(rank * (rank + 1) / 2);
    return NULL;
}

static void lists_arrive(void)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        const int ranks = 1 + (int)(seed % RANKS);
        clump_world *const world = clump_world_create(ranks);
        mail_rank all[RANKS];
        for (int r = 0; r < ranks; r++) {
            all[r] = (mail_rank){.peers = clump_world_peers(world, r), .seed = seed, .most = seed % 2 ? 64 : 100000};
            pthread_create(&all[r].thread, NULL, send_lists, &all[r]);
        }
        for (int r = 0; r < ranks; r++) {
            pthread_join(all[r].thread, NULL);
            CHECK_MSG(all[r].right, "seed %llu, rank %d of %d", (unsigned long long)seed, r, ranks);
        }
        clump_world_destroy(world);
    }
}

/* ----- a transport that lies ------------------------------------------------------------------------------------------ */

/* Four ranks of which only rank 1 exists. Nothing is copied, so that streams may be as long as no memory is. */
typedef struct liar {
    uint64_t most, sent[4], received[4]; /* bytes per rank, by the transport */
    uint64_t made[4], taken[4];          /* by source and sink */
    bool right;
} liar;

static clump_status lie_exchange(void *user, const void *send, const uint64_t *send_bytes, void *receive,
                                 const uint64_t *receive_bytes)
{
    liar *const l = user;
    uint64_t out = 0, in = 0;
    (void)send, (void)receive;
    for (int r = 0; r < 4; r++) {
        l->sent[r] += send_bytes[r], l->received[r] += receive_bytes[r];
        out += send_bytes[r], in += receive_bytes[r];
    }
    l->right &= out <= l->most && in <= l->most;
    return CLUMP_OK;
}

static clump_status lie_sum(void *user, uint64_t *values, size_t count)
{
    (void)user, (void)values, (void)count;
    return CLUMP_OK;
}

/* Another rank has a longer stream: 9 GiB. */
static clump_status lie_least(void *user, int64_t *values, size_t count)
{
    (void)user;
    if (count == 3 && values[0] > -((int64_t)9 << 30)) values[0] = -((int64_t)9 << 30);
    return CLUMP_OK;
}

static clump_status lie_before(void *user, uint64_t *value)
{
    (void)user, (void)value;
    return CLUMP_OK;
}

static void make_bytes(void *user, int rank, uint64_t at, size_t size, void *to)
{
    liar *const l = user;
    (void)to;
    l->right &= at == l->made[rank];
    l->made[rank] += size;
}

static void take_bytes(void *user, int rank, uint64_t at, size_t size, const void *from)
{
    liar *const l = user;
    (void)from;
    l->right &= at == l->taken[rank];
    l->taken[rank] += size;
}

static void counts_above_32_bits(void)
{
    liar l = {.most = (uint64_t)1 << 22, .right = true};
    const clump_peers peers = {.rank = 1,
                               .count = 4,
                               .user = &l,
                               .exchange = lie_exchange,
                               .sum = lie_sum,
                               .least = lie_least,
                               .before = lie_before};
    const uint64_t send[4] = {0, 5, ((uint64_t)3 << 30) + 7, ((uint64_t)5 << 30) + 1};
    const uint64_t receive[4] = {((uint64_t)1 << 33) + 3, 5, 0, (uint64_t)1 << 31};
    clump_mail mail = clump_mail_make(&peers);
    mail.most = l.most;
    CHECK_INT(clump_mail_stream(&mail, send, make_bytes, receive, take_bytes, &l), CLUMP_OK);
    CHECK(l.right);
    for (int r = 0; r < 4; r++) {
        CHECK_INT(l.sent[r], send[r]);
        CHECK_INT(l.made[r], send[r]);
        CHECK_INT(l.received[r], receive[r]);
        CHECK_INT(l.taken[r], receive[r]);
    }
    CHECK_INT(mail.rounds, 9 << 10); /* as many as the longest stream of all ranks needs, in slices of 1 MiB */
    CHECK_INT(mail.sent, send[0] + send[2] + send[3] + 24);
}

CHECK_PROGRAM(test_mail)
{
    RUN(lists_arrive);
    RUN(counts_above_32_bits);
}
