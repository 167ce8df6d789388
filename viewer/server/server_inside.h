/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server_inside.h: what the files of the server share.
 *
 *     server.c              the public functions, and the thread: poll, accept, time limits
 *     server_open.c         addresses, ports and sockets
 *     server_connection.c   one connection: receive, answer, send, events
 *     server_response.c     the heads of answers
 *     server_body.c         the bodies of answers: packets and events
 *     server_request.c      the parser of requests
 *
 * A connection goes through these states. Event clients stay in WAITING until there is an event to send:
 *
 *     READING -> SENDING -> READING (the connection is kept), DRAINING (it is not) or WAITING (event clients)
 *
 * A packet is freed when it is neither the newest one nor being sent. Memory is therefore bounded by the number of
 * connections.
 *
 * Clients that connect and do nothing, or read slowly, cannot keep others out. An answer has to make progress: a byte within
 * VIEW_SEND_TIME, and VIEW_SEND_LEAST bytes in every such time. Where all places are taken, a new connection takes that
 * of the one that has waited longest for a request, else that of the slowest answer (view_connection_patience()). Where all
 * are young or fast, new connections wait in the kernel.
 */
#ifndef CLUMP_VIEWER_SERVER_INSIDE_H
#define CLUMP_VIEWER_SERVER_INSIDE_H

#include "viewer/server/server.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* --- server_request.c: reads the head of an HTTP request. The bytes come from a stranger: none is trusted, and nothing
 * is copied or allocated. */

enum { VIEW_REQUEST_MOST = 8192 }; /* bytes of a head; a longer one is refused */

/* A part of the request; null: absent. */
typedef struct view_words {
    const char *text;
    size_t size;
} view_words;

typedef struct view_request {
    size_t size;     /* bytes of the head with its blank line; 0: the head is not complete */
    int refusal;     /* 0, or the status of the answer: 400, 405, 431, 501 or 505 */
    bool head;       /* HEAD: the answer has no body */
    bool keep;       /* the client wants to send more requests */
    view_words path; /* without the query */
    view_words host; /* as sent, with its port */
} view_request;

/* Reads the request at the begin of the bytes. A complete or refused one has members that point into the bytes. With
 * size VIEW_REQUEST_MOST, an incomplete head is refused. */
view_request view_request_read(const char *bytes, size_t size);

/* Returns whether the text equals the other, which is in lower case; letters of both cases are equal. */
bool view_words_are(view_words words, const char *lower);

/* Returns whether the Host of a request names this machine: localhost, 127.0.0.1, [::1] or `address`, with any port. A
 * page of another site that makes its own name point to this machine (DNS rebinding) sends that name. */
bool view_host_is_local(view_words host, const char *address);

/* --- the server ------------------------------------------------------------------------------------------- */

/* Milliseconds of a second. Tests of time limits shorten it. */
#ifndef VIEW_SECOND
#define VIEW_SECOND 1000
#endif

enum {
    VIEW_CONNECTIONS = 32,
    VIEW_EVENT_CLIENTS = 16,             /* the other connections are left for pages and packets */
    VIEW_HEAD = 1024,                    /* bytes of the head of an answer */
    VIEW_ADDRESS = 64,                   /* bytes of a numeric address */
    VIEW_TICK = VIEW_SECOND,             /* time between two looks at the limits; */
    VIEW_REQUEST_TIME = 5 * VIEW_SECOND, /* for a whole request; */
    VIEW_IDLE_TIME = 30 * VIEW_SECOND,   /* between two requests of a connection; */
    VIEW_SEND_TIME = 10 * VIEW_SECOND,   /* without a byte of progress, or with fewer bytes than the next line has; */
    VIEW_SEND_LEAST = 160 * 1024,        /* bytes: 16 kB per second */
    VIEW_GRACE_TIME = VIEW_SECOND / 10,  /* for a request to come before its connection may lose its place; */
    VIEW_STALL_TIME = VIEW_SECOND / 2,   /* without a byte before an answer may; */
    VIEW_DRAIN_TIME = VIEW_SECOND,       /* for a client to close after the last answer; */
    VIEW_PULSE_TIME = 5 * VIEW_SECOND,   /* between two signs of life to event clients; */
    VIEW_END_TIME = VIEW_SECOND          /* for clients to read after the last event */
};

/* Bytes that several connections send. */
typedef struct view_body {
    uint8_t *data;
    size_t size;
    size_t users; /* guarded by the lock of the server */
    bool packet;
} view_body;

typedef enum view_connection_state {
    VIEW_UNUSED,
    VIEW_READING,
    VIEW_SENDING,
    VIEW_WAITING,
    VIEW_DRAINING
} view_connection_state;

typedef struct view_connection {
    view_connection_state state;
    int socket;
    int64_t since;  /* milliseconds: when the request began, or the last byte was sent */
    int64_t marked; /* milliseconds: when the time began in which VIEW_SEND_LEAST bytes have to be sent */
    bool events;    /* an event client */
    bool keep;      /* more requests may come after the answer */
    bool idle;      /* an answer was sent, and no byte of the next request has come */
    bool told_end;  /* event clients: that no more events come */
    uint64_t event; /* number of the last event that was sent; 0: none */
    char head[VIEW_HEAD];
    size_t head_size, sent; /* sent: bytes of head and body */
    size_t sent_before;     /* of them before `marked` */
    view_body *body;        /* null: none */
    char in[VIEW_REQUEST_MOST];
    size_t in_size;
} view_connection;

struct view_server {
    char address[VIEW_ADDRESS];
    uint16_t port;
    bool loopback; /* only this machine can connect: the Host of requests is checked */
    int listener, wake[2];
    pthread_t thread;
    atomic_size_t clients; /* event clients */

    pthread_mutex_t lock; /* guards the next members, and view_body.users */
    view_body *packet, *event;
    uint64_t event_number;
    size_t packets; /* in memory */
    bool ending;

    view_body page;       /* of the thread, and so the next ones */
    int64_t accept_after; /* milliseconds: no connection is accepted before; file descriptors or places had run out */
    int64_t end_at;       /* 0: not yet */
    bool had_clients;     /* when the end began */
    view_connection connections[VIEW_CONNECTIONS];
};

/* --- server_body.c ------------------------------------------------------------------------------------- */

/* Counts one user less and frees the body after the last. Null is fine. The lock must not be held. */
void view_body_leave(view_server *server, view_body *body);
/* Returns the newest packet or event for a user more; null: none yet. *number: of the event, may be null. */
view_body *view_body_newest(view_server *server, bool packet, uint64_t *number);
/* Returns the event as it is sent, for one user; null: no memory. */
view_body *view_body_event(const char *event);
size_t view_server_packets(view_server *server); /* in memory; for tests */

/* --- server_open.c ------------------------------------------------------------------------------------- */

/* Opens the listener and the pipe that wakes the thread. False: *message says why; close what was opened. */
clump_status view_server_listen(view_server *server, const view_server_options *options, clump_message *message);
bool view_socket_prepare(int descriptor); /* not blocking, not inherited by programs that are started */

/* --- server_connection.c ------------------------------------------------------------------------------- */

void view_connection_begin(view_connection *c, int descriptor, int64_t now);
void view_connection_end(view_server *server, view_connection *c);
/* Events that poll() should wait for. */
short view_connection_polls(const view_connection *c);
/* Does what can be done without waiting, after poll() has returned these events. */
void view_connection_step(view_server *server, view_connection *c, short polled, int64_t now);
/* Returns how long a connection has let others wait, in milliseconds; 0: it may not lose its place to another now. Those that
 * wait for a request come before those that read slowly. */
int64_t view_connection_patience(const view_connection *c, int64_t now);
/* Gives waiting event clients the newest event, and ends connections over their time. */
void view_connection_tick(view_server *server, view_connection *c, int64_t now);

/* --- server_response.c --------------------------------------------------------------------------------- */

/* Chooses the answer to a complete or refused request: sets head, body and what comes after the answer. */
void view_respond(view_server *server, view_connection *c, const view_request *request);

#endif
