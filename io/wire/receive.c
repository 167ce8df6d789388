/* SPDX-License-Identifier: BSD-3-Clause
 *
 * receive.c: the thread that receives: see wire.h. It does nothing else, so that the buffer of the kernel is empty most of
 * the time. A packet is received into its place in the ring.
 */
#define _GNU_SOURCE /* SO_TIMESTAMPNS, SO_RXQ_OVFL */
#include "wire/wire.h"

#include "common/assert.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RECEIVE_MOST = 65536 };   /* bytes of a datagram are fewer */
enum { RECEIVE_AT_A_TIME = 64 }; /* packets of one socket before the others are looked at */

/* Takes the time of the kernel and its count of drops from the control messages. */
static void read_control(clump_io_wire_receiver *r, clump_io_wire_socket *s, struct msghdr *message, int64_t *time)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level != SOL_SOCKET) continue;
        if (c->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec stamp;
            memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
            *time = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
        }
        if (c->cmsg_type == SO_RXQ_OVFL) {
            uint32_t drops;
            memcpy(&drops, CMSG_DATA(c), sizeof drops);
            atomic_fetch_add(&r->kernel_dropped, drops - s->drops); /* the count may wrap */
            s->drops = drops;
        }
    }
}

/* Receives a packet. False: there is none, or the socket has failed, which *failed says. */
static bool receive_one(clump_io_wire_receiver *r, clump_io_wire_socket *s, int *failed)
{
    unsigned char *const room = clump_io_live_reserve(r->live, sizeof(clump_io_wire_head) + RECEIVE_MOST);
    unsigned char *const bytes = room ? room + sizeof(clump_io_wire_head) : r->spare;
    char control[256];
    struct sockaddr_in from = {0};
    struct iovec part = {bytes, RECEIVE_MOST};
    struct msghdr message = {.msg_name = &from,
                             .msg_namelen = sizeof from,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    const ssize_t size = recvmsg(s->file, &message, 0);
    if (size < 0) {
        if (errno == EINTR || errno == ECONNREFUSED) return true;
        if (errno != EAGAIN && errno != EWOULDBLOCK) *failed = errno;
        return false;
    }
    int64_t time = 0;
    read_control(r, s, &message, &time);
    if (!time) time = clump_io_now(CLOCK_REALTIME);
    if (r->from && from.sin_addr.s_addr != r->from) {
        atomic_fetch_add(&r->others, 1);
        return true;
    }
    if (room) {
        const clump_io_wire_head head = {from.sin_addr.s_addr, ntohs(from.sin_port), s->port};
        memcpy(room, &head, sizeof head);
        clump_io_live_commit(r->live, 0, time, sizeof head + (size_t)size);
    } else {
        atomic_fetch_add(&r->ring_dropped, 1);
    }
    atomic_fetch_add(&r->bytes, (uint64_t)size);
    atomic_fetch_add(&r->packets, 1); /* the last: tests wait for it */
    return true;
}

static void end(clump_io_wire_receiver *r, int failed)
{
    clump_message why = {0};
    const clump_io_where where = {NULL, &why};
    clump_io_live_end(
        r->live, failed ? clump_io_fail_errno(&where, CLUMP_ERR_IO_READ, "cannot receive", failed) : CLUMP_OK, &why);
}

static void *receive(void *user)
{
    clump_io_wire_receiver *const r = user;
    struct pollfd files[CLUMP_IO_WIRE_PORTS + 1] = {{.fd = r->wake[0], .events = POLLIN}};
    for (size_t i = 0; i < r->count; i++) files[i + 1] = (struct pollfd){.fd = r->sockets[i].file, .events = POLLIN};
    int failed = 0;
    while (!failed) {
        if (poll(files, (nfds_t)r->count + 1, -1) < 0 && errno != EINTR) failed = errno;
        if (files[0].revents) break;
        for (size_t i = 0; i < r->count && !failed; i++)
            for (int k = 0; files[i + 1].revents && k < RECEIVE_AT_A_TIME; k++)
                if (!receive_one(r, &r->sockets[i], &failed)) break;
    }
    end(r, failed);
    return NULL;
}

clump_status clump_io_wire_receiver_start(const clump_io_where *where, clump_io_wire_receiver *r)
{
    r->spare = malloc(RECEIVE_MOST);
    if (!r->spare) return clump_io_no_memory(where, RECEIVE_MOST);
    if (pipe(r->wake) != 0) {
        r->wake[0] = r->wake[1] = -1;
        return clump_io_fail_errno(where, CLUMP_ERR_IO_OPEN, "cannot make a pipe", errno);
    }
    for (int i = 0; i < 2; i++) fcntl(r->wake[i], F_SETFD, FD_CLOEXEC);
    sigset_t all, before; /* signals are for the threads of the program */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&r->thread, NULL, receive, r);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    r->running = error == 0;
    return error ? clump_io_fail_errno(where, CLUMP_ERR_OUT_OF_MEMORY, "cannot start a thread", error) : CLUMP_OK;
}

void clump_io_wire_receiver_stop(clump_io_wire_receiver *r)
{
    if (r->wake[1] >= 0) close(r->wake[1]);
    if (r->running) pthread_join(r->thread, NULL);
    if (r->wake[0] >= 0) close(r->wake[0]);
    for (size_t i = 0; i < r->count; i++) close(r->sockets[i].file);
    free(r->spare);
    r->spare = NULL;
    r->running = false;
    r->wake[0] = r->wake[1] = -1;
    r->count = 0;
}
