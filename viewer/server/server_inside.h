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
 *     server_websocket.c    the frames of WebSocket
 *     server_foxglove.c     clients of Foxglove's protocol: what they say and are sent
 *
 * A connection goes through these states. Event clients and those of Foxglove stay in WAITING until there is something to
 * send. The latter also receive there, and between two messages:
 *
 *     READING -> SENDING -> READING (the connection is kept), DRAINING (it is not) or WAITING (event clients, Foxglove)
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
    bool upgrade;    /* to WebSocket */
    bool version;    /* it is that of RFC 6455, 13 */
    view_words key, protocols, origin;
} view_request;

/* Reads the request at the begin of the bytes. A complete or refused one has members that point into the bytes. With
 * size VIEW_REQUEST_MOST, an incomplete head is refused. */
view_request view_request_read(const char *bytes, size_t size);

/* Returns whether the text equals the other, which is in lower case; letters of both cases are equal. */
bool view_words_are(view_words words, const char *lower);

/* Returns whether the Host of a request names this machine: localhost, 127.0.0.1, [::1] or `address`, with any port. A
 * page of another site that makes its own name point to this machine (DNS rebinding) sends that name. */
bool view_host_is_local(view_words host, const char *address);

/* Takes the part before the first `mark` off the rest. False: there is no such mark. */
bool view_words_split(view_words *rest, char mark, view_words *part);
view_words view_words_trim(view_words words); /* without spaces at both ends */

/* --- server_websocket.c: frames of WebSocket. Bytes of a client are trusted as little as those of requests -- */

enum {
    VIEW_SOCKET_CONTINUED = 0, /* opcodes */
    VIEW_SOCKET_TEXT = 1,
    VIEW_SOCKET_BINARY = 2,
    VIEW_SOCKET_CLOSE = 8,
    VIEW_SOCKET_PING = 9,
    VIEW_SOCKET_PONG = 10,
    VIEW_SOCKET_DONE = 1000, /* codes to close with */
    VIEW_SOCKET_GONE = 1001,
    VIEW_SOCKET_FORGED = 1002,
    VIEW_SOCKET_TOO_LARGE = 1009,
    VIEW_SOCKET_CONTROL = 125, /* payload bytes of a control frame: close, ping or pong */
    VIEW_SOCKET_ACCEPT = 29    /* bytes of the answer to a key, with its 0 */
};

typedef struct view_socket_frame {
    size_t size; /* bytes of the frame; 0: it is not complete */
    int refusal; /* 0, or the code to close with */
    int opcode;  /* TEXT ... PONG */
    bool last;   /* of its message */
    view_words payload;
} view_socket_frame;

/* Reads the frame at the begin of the bytes, and removes the mask of a complete one in place. A frame of more than
 * VIEW_REQUEST_MOST bytes is refused. */
view_socket_frame view_socket_read(char *bytes, size_t size);
/* Writes the head of a frame that is the whole message. Returns its bytes, at most 10. */
size_t view_socket_head(uint8_t *to, int opcode, uint64_t length);
/* Writes the answer to the key of a client. False: it is no key. */
bool view_socket_accept(view_words key, char out[VIEW_SOCKET_ACCEPT]);
/* Returns whether a page or program of this origin may connect: no origin, one that is no web site, a page of this machine,
 * or Foxglove's own over HTTPS. Every other page in a browser could read the frames else. */
bool view_origin_is_trusted(view_words origin, const char *address);

/* --- the server ------------------------------------------------------------------------------------------- */

/* Milliseconds of a second. Tests of time limits shorten it. */
#ifndef VIEW_SECOND
#define VIEW_SECOND 1000
#endif

enum {
    VIEW_CONNECTIONS = 32,
    VIEW_EVENT_CLIENTS = 16,             /* the other connections are left for pages and packets, */
    VIEW_FOXGLOVE_CLIENTS = 8,           /* and for these */
    VIEW_CHANNELS = 8,                   /* topics for Foxglove */
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

/* A message of a frame for Foxglove: bytes of a body. */
typedef struct view_part {
    uint32_t channel;
    size_t at, size;
} view_part;

/* Bytes that several connections send. */
typedef struct view_body {
    uint8_t *data;
    size_t size;
    size_t users; /* guarded by the lock of the server */
    bool packet;
    int64_t time; /* nanoseconds since 1970; of a frame for Foxglove, and so its parts */
    view_part parts[VIEW_CHANNELS];
    size_t part_count;
} view_body;

/* Bodies of which the newest is kept: packets of the page, their events, and frames for Foxglove. */
typedef enum view_body_kind { VIEW_BODY_PACKET, VIEW_BODY_EVENT, VIEW_BODY_FRAME, VIEW_BODY_KINDS } view_body_kind;

/* What a client of Foxglove wants of a channel. */
typedef struct view_subscription {
    bool subscribed;
    uint32_t id;   /* that the client chose */
    uint64_t sent; /* number of the last frame whose message was sent */
} view_subscription;

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
    size_t head_size, sent;    /* sent: bytes of head and body */
    size_t sent_before;        /* of them before `marked` */
    view_body *body;           /* null: none */
    size_t body_at, body_size; /* what is sent of it */
    char in[VIEW_REQUEST_MOST];
    size_t in_size;

    bool foxglove;        /* a client of Foxglove, and so the next members */
    bool told_info;       /* serverInfo */
    bool told_time;       /* of the frame */
    size_t told_channels; /* advertised */
    view_subscription channels[VIEW_CHANNELS];
    view_body *frame; /* that is being sent, message by message; null: none */
    uint64_t frame_number;
    size_t part; /* that is next */
    int close_code;
    bool has_pong; /* to be sent */
    char pong[VIEW_SOCKET_CONTROL];
    size_t pong_size;
    bool in_message; /* the last frame of a message has not come yet */
    bool in_text;    /* it is text: other messages are passed over */
    char text[VIEW_REQUEST_MOST];
    size_t text_size;
} view_connection;

/* A topic for Foxglove. */
typedef struct view_channel {
    char *topic;
    view_body *advertisement;
} view_channel;

/* A frame for Foxglove that is being put together. */
typedef struct view_making {
    view_bytes bytes;
    view_part parts[VIEW_CHANNELS];
    size_t part_count;
} view_making;

struct view_server {
    char address[VIEW_ADDRESS];
    uint16_t port;
    bool loopback; /* only this machine can connect: the Host of requests is checked */
    int listener, wake[2];
    pthread_t thread;
    atomic_size_t clients;  /* event clients */
    atomic_size_t foxglove; /* clients of Foxglove */
    atomic_uint_fast64_t skipped;
    view_making making; /* of the thread that publishes */

    pthread_mutex_t lock; /* guards the next members, and view_body.users */
    view_body *newest[VIEW_BODY_KINDS];
    uint64_t numbers[VIEW_BODY_KINDS]; /* of them, from 1 */
    view_channel channels[VIEW_CHANNELS];
    size_t channel_count;
    size_t packets; /* packets and frames in memory */
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
void view_body_share(view_server *server, view_body *body); /* counts a user more */
/* Returns the newest body of the kind for a user more; null: none yet. *number: of the body, may be null. */
view_body *view_body_newest(view_server *server, view_body_kind kind, uint64_t *number);
/* Makes the body the newest one of its kind and takes it over; the thread of the server sends it. */
void view_body_publish(view_server *server, view_body_kind kind, view_body *body);
/* Returns the advertisement of a channel for a user more. */
view_body *view_body_channel(view_server *server, size_t channel);
size_t view_server_channels(view_server *server);
/* Returns the event as it is sent, for one user; null: no memory. */
view_body *view_body_event(const char *event);
size_t view_server_packets(view_server *server); /* in memory; for tests */

/* --- server.c: wakes the thread of the server, which then looks for what is new ----------------------------- */

void view_server_wake(view_server *server);

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

/* --- server_foxglove.c --------------------------------------------------------------------------------- */

/* Reads a text that a client of Foxglove has sent. */
void view_foxglove_hear(view_server *server, view_connection *c, view_words text);
/* Chooses what the client is sent next: sets head and body. False: nothing. pulse: a sign of life is due. */
bool view_foxglove_next(view_server *server, view_connection *c, bool pulse);

#endif
