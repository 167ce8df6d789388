/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_serve.c: --serve of `clump play`: frames as they are clustered, for pages in browsers and for Foxglove.
 *
 * The thread that writes hands over a slot only where a client is there and the serve thread has nothing to do; else the
 * frame is not shown. The serve thread makes the messages for Foxglove, as a recording has them, then the packet of the page,
 * each only where it has clients, and puts the slot back. It runs at a low priority. So the other stages never wait for it;
 * they have one slot more instead.
 */
#define _DEFAULT_SOURCE /* setpriority */
#include "play/play.h"

#include "common/assert.h"

#include "viewer/server/server.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    SERVE_LEVEL = 1, /* of deflate: 9 takes a third longer for packets of the same size; a KITTI scan, Intel Xeon */
    SERVE_POINTS = 1000000, /* most of a packet; browsers draw more only slowly */
    SERVE_NICE = 10,        /* added to the nice value */
};

struct cli_play_serve {
    cli_play *play;
    view_server *server;
    clump_recorder *recorder; /* hands messages to the server */
    view_options look;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* guards the next members */
    pthread_cond_t changed;
    cli_play_slot *slot; /* that the thread works on; null: none */
    uint64_t dropped;    /* frames before this one */
    bool ended;
    uint64_t shown; /* frames; of the thread until it has ended */
};

/* --- the command line ------------------------------------------------------------------------------------ */

int cli_play_serve_check(const cli_command *self, const char *text, cli_play_address *out)
{
    const char *const colon = strrchr(text, ':');
    const char *const port = colon ? colon + 1 : text;
    size_t size = colon ? (size_t)(colon - text) : 0;
    const char *address = text;
    if (text[0] && text[strlen(text) - 1] == ']')
        return cli_usage(self, "--serve %s: the port after the address is missing", text);
    if (size >= 2 && address[0] == '[' && address[size - 1] == ']')
        address++, size -= 2;
    else if (memchr(address, ':', size))
        return cli_usage(self, "--serve %s: an IPv6 address needs brackets: [::1]:8080", text);
    char *end = NULL;
    const unsigned long number = isdigit((unsigned char)port[0]) ? strtoul(port, &end, 10) : 0;
    if (!end || *end || number > 65535)
        return cli_usage(self, "--serve %s: '%s' is no port, which is a number up to 65535", text, port);
    if (colon && size == 0) return cli_usage(self, "--serve %s: the address before the colon is missing", text);
    if (size >= sizeof out->address) return cli_usage(self, "--serve %s: this is no numeric address", text);
    out->port = (uint16_t)number;
    const bool local = !colon || (size == 9 && strncmp(address, "localhost", 9) == 0);
    snprintf(out->address, sizeof out->address, "%.*s", local ? 9 : (int)size, local ? "127.0.0.1" : address);
    return CLI_DONE;
}

/* --- packets --------------------------------------------------------------------------------------------- */

/* Writes the event of the frame as one line of JSON. */
static void put_event(view_bytes *to, const cli_play_slot *slot, uint64_t dropped)
{
    CLUMP_ASSERT(slot->status == CLUMP_OK && slot->count >= 0);
    view_put_format(to, "{\"frame\":%llu,\"stamp\":", (unsigned long long)slot->number);
    view_put_json_number(to, 1e-9 * (double)slot->frame.stamp);
    view_put_format(to, ",\"points\":%zu,\"clusters\":%d,\"latency_ms\":%.3f,\"dropped\":%llu}", slot->points.count,
                    (int)slot->count, 1e-6 * (double)(slot->ready - slot->due), (unsigned long long)dropped);
    view_put(to, "", 1);
}

static void add_message(void *given, const clump_recorder_message *m)
{
    const view_message message = {m->topic, m->type, m->definition, m->data, m->size};
    (void)view_server_add(given, &message); /* view_server_send() fails then */
}

/* Returns whether the messages of the frame were given to the server. */
static bool send_messages(cli_play_serve *serve, cli_play_slot *slot)
{
    const bool made = cli_play_record(serve->play, slot, serve->recorder, NULL) == CLUMP_OK;
    const int64_t time = slot->frame.received ? slot->frame.received : slot->frame.stamp;
    return view_server_send(serve->server, time > 0 ? time : 0) && made;
}

/* Returns whether the packet of the frame was given to the server. */
static bool show_page(cli_play_serve *serve, const cli_play_slot *slot, uint64_t dropped)
{
    cli_play_shown shown;
    view_packet_options options = view_packet_defaults();
    options.level = SERVE_LEVEL;
    options.most_points = SERVE_POINTS;
    options.look = &serve->look;
    view_bytes packet = {0}, event = {0};
    put_event(&event, slot, dropped);
    clump_status status = CLUMP_ERR_OUT_OF_MEMORY;
    if (cli_play_view_fill(serve->play, slot, true, &shown) == CLI_DONE)
        status = view_put_packet(&packet, &shown.frame, &options, NULL);
    const bool published = status == CLUMP_OK && !packet.failed && !event.failed &&
                           view_server_publish(serve->server, &packet, (const char *)event.data);
    view_bytes_release(&packet);
    view_bytes_release(&event);
    cli_play_shown_release(&shown);
    return published;
}

/* Shows the frame. A frame that cannot be shown is left out: the play goes on. */
static void show(cli_play_serve *serve, cli_play_slot *slot, uint64_t dropped)
{
    bool shown = false;
    if (view_server_foxglove(serve->server)) shown = send_messages(serve, slot);
    if (view_server_clients(serve->server)) shown = show_page(serve, slot, dropped) || shown;
    serve->shown += shown;
}

/* --- the thread ------------------------------------------------------------------------------------------ */

static void *serve_all(void *given)
{
    cli_play_serve *const serve = given;
#ifdef __linux__
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + SERVE_NICE); /* of this thread only */
#endif
    pthread_mutex_lock(&serve->lock);
    for (;;) {
        while (!serve->slot && !serve->ended) pthread_cond_wait(&serve->changed, &serve->lock);
        cli_play_slot *const slot = serve->slot;
        if (!slot) break;
        const uint64_t dropped = serve->dropped;
        pthread_mutex_unlock(&serve->lock);
        show(serve, slot, dropped);
        cli_queue_push(&serve->play->unused, slot); /* before the next one is taken: see --stages 1 */
        pthread_mutex_lock(&serve->lock);
        CLUMP_ASSERT(serve->slot == slot);
        serve->slot = NULL;
    }
    pthread_mutex_unlock(&serve->lock);
    return NULL;
}

bool cli_play_serve_take(cli_play *play, cli_play_slot *slot)
{
    cli_play_serve *const serve = play->serve;
    if (!serve || slot->status != CLUMP_OK) return false;
    if (view_server_clients(serve->server) == 0 && view_server_foxglove(serve->server) == 0) return false;
    if (pthread_mutex_trylock(&serve->lock) != 0) return false; /* a thread of low priority may keep it for long */
    const bool taken = !serve->slot;
    if (taken) {
        serve->slot = slot;
        serve->dropped = atomic_load(&play->dropped);
        pthread_cond_signal(&serve->changed);
    }
    pthread_mutex_unlock(&serve->lock);
    return taken;
}

/* --- begin and end --------------------------------------------------------------------------------------- */

/* Writes the page that the server sends into memory. Returns CLI_DONE, or says what is wrong. */
static int make_page(const cli_play_serve *serve, char **text, size_t *size)
{
    FILE *const to = open_memstream(text, size);
    if (!to) return cli_fail("not enough memory for the page");
    const view_page_options options = {.title = serve->play->view.title,
                                       .command = serve->play->view.command,
                                       .look = serve->look,
                                       .packet = view_packet_defaults(),
                                       .live = true};
    view_page page = {0};
    clump_message message = {0};
    clump_status status = view_page_begin(&page, to, &options, &message);
    if (status == CLUMP_OK) status = view_page_end(&page, &message);
    if (!cli_text_end(to, text)) return cli_fail("not enough memory for the page");
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message("--serve", status, &message);
}

/* Opens the server, prints where it is and starts the thread. */
static int start(cli_play_serve *serve, const cli_play_address *at)
{
    char *page = NULL;
    size_t size = 0;
    clump_message message = {0};
    int status = make_page(serve, &page, &size);
    if (status == CLI_DONE) {
        const view_server_options options = {.address = at->address, .port = at->port, .page = page, .page_size = size};
        const clump_status opened = view_server_open(&options, &serve->server, &message);
        const char *const why = message.text[0] ? message.text : clump_status_text(opened);
        if (opened != CLUMP_OK) status = cli_fail("--serve %s: %s", serve->play->s->serve, why);
    }
    free(page);
    if (status != CLI_DONE) return status;
    clump_recorder_options recorder = clump_recorder_defaults();
    recorder.take = add_message;
    recorder.take_user = serve->server;
    const clump_status made = clump_recorder_open("--serve", &recorder, &serve->recorder, &message);
    if (made != CLUMP_OK) return cli_fail_message("--serve", made, &message);
    if (pthread_create(&serve->thread, NULL, serve_all, serve) != 0) return cli_fail("a thread could not be started");
    serve->started = true;
    const bool six = strchr(at->address, ':') != NULL;
    fprintf(stderr, "http://%s%s%s:%u/\n", six ? "[" : "", at->address, six ? "]" : "",
            view_server_port(serve->server));
    return CLI_DONE;
}

int cli_play_serve_begin(cli_play *play, const cli_play_address *at)
{
    cli_play_serve *const serve = play->serve = calloc(1, sizeof *serve);
    if (!serve) return cli_fail("not enough memory for the server");
    serve->play = play;
    serve->look = view_defaults();
    pthread_mutex_init(&serve->lock, NULL);
    pthread_cond_init(&serve->changed, NULL);
    return start(serve, at);
}

void cli_play_serve_drain(cli_play *play)
{
    cli_play_serve *const serve = play->serve;
    if (!serve || !serve->started) return;
    pthread_mutex_lock(&serve->lock);
    serve->ended = true;
    pthread_cond_signal(&serve->changed);
    pthread_mutex_unlock(&serve->lock);
    pthread_join(serve->thread, NULL);
    CLUMP_ASSERT(!serve->slot);
    serve->started = false;
}

uint64_t cli_play_serve_shown(const cli_play *play)
{
    return play->serve ? play->serve->shown : 0;
}

uint64_t cli_play_serve_skipped(const cli_play *play)
{
    return play->serve ? view_server_skipped(play->serve->server) : 0;
}

void cli_play_serve_end(cli_play *play)
{
    cli_play_serve *const serve = play->serve;
    if (!serve) return;
    cli_play_serve_drain(play);
    clump_recorder_close(serve->recorder, false, NULL);
    view_server_close(serve->server);
    pthread_cond_destroy(&serve->changed);
    pthread_mutex_destroy(&serve->lock);
    free(serve);
    play->serve = NULL;
}
