/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server_foxglove.c: clients of Foxglove's WebSocket protocol (foxglove.websocket.v1, foxglove.sdk.v1): Foxglove, Lichtblick.
 *
 *     server -> client  serverInfo, advertise (JSON), one per channel; time, messageData (binary)
 *     client -> server  subscribe, unsubscribe (JSON); what else a client says is not needed and passed over
 *
 * A channel is a topic. All messages of one frame are published at once and share a body. A client is sent all messages of
 * a frame that it subscribed to, then those of the frame that is newest by then. So its cloud and boxes are of one frame,
 * and a slow client gets fewer frames.
 */
#include "viewer/server/server_inside.h"

#include "common/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- JSON ------------------------------------------------------------------------------------------------ */

enum { FOXGLOVE_DEPTH = 16 }; /* of nested values */

/* What is left of a text. `bad`: it is no JSON, and nothing more is read. */
typedef struct foxglove_json {
    const char *at, *end;
    bool bad;
} foxglove_json;

static char json_next(foxglove_json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r')) j->at++;
    return j->bad || j->at == j->end ? '\0' : *j->at;
}

static bool json_take(foxglove_json *j, char expected)
{
    if (!expected || json_next(j) != expected) return false;
    j->at++;
    return true;
}

/* Reads a string. Returns its bytes between the quotes, escapes as they are. */
static view_words json_string(foxglove_json *j)
{
    view_words text = {0};
    if (!json_take(j, '"')) {
        j->bad = true;
        return text;
    }
    text.text = j->at;
    while (j->at < j->end && *j->at != '"') j->at += *j->at == '\\' && j->end - j->at > 1 ? 2 : 1;
    text.size = (size_t)(j->at - text.text);
    j->bad = j->at >= j->end;
    if (!j->bad) j->at++;
    return text;
}

/* Reads a whole number; other values are bad. */
static uint32_t json_number(foxglove_json *j)
{
    uint64_t number = 0;
    const char first = json_next(j);
    if (first < '0' || first > '9') j->bad = true;
    while (!j->bad && j->at < j->end && *j->at >= '0' && *j->at <= '9') {
        number = 10 * number + (uint64_t)(*j->at++ - '0');
        j->bad = number > UINT32_MAX;
    }
    return (uint32_t)number;
}

/* Passes over a value: brackets are counted, strings are read. */
static void json_skip(foxglove_json *j)
{
    int depth = 0;
    do {
        const char c = json_next(j);
        if (c == '"') {
            json_string(j);
            continue;
        }
        if (c == '{' || c == '[') depth++;
        if (c == '}' || c == ']') depth--;
        if (!c || depth < 0 || depth > FOXGLOVE_DEPTH || (depth == 0 && (c == ',' || c == ':'))) {
            j->bad = true;
            return;
        }
        j->at++;
        const bool word = depth == 0 && c != '}' && c != ']';
        while (word && j->at < j->end && !strchr(",}] \t\r\n", *j->at)) j->at++;
    } while (depth > 0 && !j->bad);
}

/* Finds a member of the object. False: it has none, or is no JSON. */
static bool json_member(foxglove_json *object, const char *name, foxglove_json *value)
{
    foxglove_json j = *object;
    if (!json_take(&j, '{')) return false;
    while (json_next(&j) == '"') {
        const view_words key = json_string(&j);
        if (!json_take(&j, ':')) return false;
        if (!j.bad && key.size == strlen(name) && memcmp(key.text, name, key.size) == 0) {
            *value = j;
            return true;
        }
        json_skip(&j);
        if (j.bad || !json_take(&j, ',')) return false;
    }
    return false;
}

/* --- what a client says ---------------------------------------------------------------------------------- */

/* Subscribes to the channel; one that does not exist, or an id that is taken, is passed over. */
static void subscribe(view_server *server, view_connection *c, uint32_t id, uint32_t channel)
{
    for (size_t i = 0; i < VIEW_CHANNELS; i++)
        if (c->channels[i].subscribed && c->channels[i].id == id) return;
    if (channel < 1 || channel > view_server_channels(server)) return;
    view_subscription *const to = &c->channels[channel - 1];
    if (to->subscribed) return;
    *to = (view_subscription){.subscribed = true, .id = id};
}

static void unsubscribe(view_connection *c, uint32_t id)
{
    for (size_t i = 0; i < VIEW_CHANNELS; i++)
        if (c->channels[i].id == id) c->channels[i].subscribed = false;
}

/* Reads {"op":"subscribe","subscriptions":[{"id":1,"channelId":2}]}, the list of which begins at j. */
static void read_subscriptions(view_server *server, view_connection *c, foxglove_json j)
{
    if (!json_take(&j, '[')) return;
    while (json_next(&j) == '{') {
        foxglove_json id, channel;
        const bool whole = json_member(&j, "id", &id) && json_member(&j, "channelId", &channel);
        json_skip(&j);
        if (j.bad || !whole) return;
        const uint32_t number = json_number(&id), of = json_number(&channel);
        if (!id.bad && !channel.bad) subscribe(server, c, number, of);
        if (!json_take(&j, ',')) return;
    }
}

static void read_ids(view_connection *c, foxglove_json j)
{
    if (!json_take(&j, '[')) return;
    do {
        const uint32_t id = json_number(&j);
        if (!j.bad) unsubscribe(c, id);
    } while (!j.bad && json_take(&j, ','));
}

void view_foxglove_hear(view_server *server, view_connection *c, view_words text)
{
    foxglove_json whole = {text.text, text.text + text.size, false}, op, list;
    if (!json_member(&whole, "op", &op)) return;
    const view_words name = json_string(&op);
    if (view_words_are(name, "subscribe") && json_member(&whole, "subscriptions", &list))
        read_subscriptions(server, c, list);
    if (view_words_are(name, "unsubscribe") && json_member(&whole, "subscriptionIds", &list)) read_ids(c, list);
}

/* --- what a client is sent -------------------------------------------------------------------------------- */

/* Puts a message of `size` bytes behind the head of its frame, all in the head of the connection. */
static void put_small(view_connection *c, int opcode, const void *bytes, size_t size)
{
    uint8_t *const to = (uint8_t *)c->head;
    const size_t head = view_socket_head(to, opcode, size);
    CLUMP_ASSERT(head + size <= sizeof c->head);
    if (size) memcpy(to + head, bytes, size);
    c->head_size = head + size;
}

static void put_little(uint8_t *to, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++) to[i] = (uint8_t)(number >> 8 * i);
}

static void put_info(view_connection *c)
{
    static const char info[] = "{\"op\":\"serverInfo\",\"name\":\"clump\",\"capabilities\":[\"time\"],"
                               "\"supportedEncodings\":[],\"metadata\":{},\"sessionId\":\"clump\"}";
    put_small(c, VIEW_SOCKET_TEXT, info, sizeof info - 1);
}

static void put_close(view_connection *c, int code)
{
    const uint8_t bytes[2] = {(uint8_t)(code >> 8), (uint8_t)code};
    put_small(c, VIEW_SOCKET_CLOSE, bytes, sizeof bytes);
}

/* The time of the frame: players show it as the current time. */
static void put_time(view_connection *c)
{
    uint8_t bytes[9] = {2};
    put_little(bytes + 1, (uint64_t)c->frame->time, 8);
    put_small(c, VIEW_SOCKET_BINARY, bytes, sizeof bytes);
}

/* Lets the connection send a part of the frame to a subscription. */
static void put_part(view_server *server, view_connection *c, const view_part *part)
{
    enum { HEAD = 13 }; /* opcode, subscription, time */
    uint8_t *const to = (uint8_t *)c->head;
    const size_t head = view_socket_head(to, VIEW_SOCKET_BINARY, HEAD + (uint64_t)part->size);
    to[head] = 1;
    put_little(to + head + 1, c->channels[part->channel].id, 4);
    put_little(to + head + 5, (uint64_t)c->frame->time, 8);
    c->head_size = head + HEAD;
    view_body_share(server, c->frame);
    c->body = c->frame;
    c->body_at = part->at;
    c->body_size = part->size;
}

/* Returns whether the frame has a message that the connection has not been sent. */
static bool wants(const view_connection *c, const view_body *frame, uint64_t number)
{
    for (size_t i = 0; i < frame->part_count; i++) {
        const view_subscription *const to = &c->channels[frame->parts[i].channel];
        if (to->subscribed && to->sent != number) return true;
    }
    return false;
}

/* Takes the newest frame, where the connection wants it. Frames between it and the last one were skipped. */
static bool take_newest(view_server *server, view_connection *c)
{
    CLUMP_ASSERT(!c->frame);
    uint64_t number = 0;
    view_body *const newest = view_body_newest(server, VIEW_BODY_FRAME, &number);
    if (!newest) return false;
    const bool wanted = wants(c, newest, number);
    if (wanted && c->frame_number && number > c->frame_number + 1)
        atomic_fetch_add(&server->skipped, number - c->frame_number - 1);
    c->frame_number = number;
    if (!wanted) {
        view_body_leave(server, newest);
        return false;
    }
    c->frame = newest;
    c->part = 0;
    c->told_time = false;
    return true;
}

/* Lets the connection send the next message of its frame, or of the newest one. False: there is none. */
static bool next_message(view_server *server, view_connection *c)
{
    while (c->frame || take_newest(server, c)) {
        if (!c->told_time) {
            c->told_time = true;
            put_time(c);
            return true;
        }
        while (c->part < c->frame->part_count) {
            const view_part *const part = &c->frame->parts[c->part++];
            view_subscription *const to = &c->channels[part->channel];
            if (!to->subscribed || to->sent == c->frame_number) continue;
            to->sent = c->frame_number;
            put_part(server, c, part);
            return true;
        }
        view_body_leave(server, c->frame);
        c->frame = NULL;
    }
    return false;
}

bool view_foxglove_next(view_server *server, view_connection *c, bool pulse)
{
    CLUMP_ASSERT(c->foxglove && !c->body);
    c->head_size = c->sent = 0;
    if (c->close_code) {
        put_close(c, c->close_code);
        c->told_end = true;
    } else if (c->has_pong) {
        put_small(c, VIEW_SOCKET_PONG, c->pong, c->pong_size);
        c->has_pong = false;
    } else if (!c->told_info) {
        put_info(c);
        c->told_info = true;
    } else if (c->told_channels < view_server_channels(server)) {
        c->body = view_body_channel(server, c->told_channels++);
        c->body_size = c->body->size;
        c->head_size = view_socket_head((uint8_t *)c->head, VIEW_SOCKET_TEXT, c->body_size);
    } else if (next_message(server, c)) {
        return true;
    } else if (server->end_at) {
        put_close(c, VIEW_SOCKET_GONE);
        c->told_end = true;
    } else if (pulse) {
        put_small(c, VIEW_SOCKET_PING, NULL, 0);
    }
    return c->head_size > 0;
}

/* --- publishing ------------------------------------------------------------------------------------------ */

/* Returns the message that advertises the channel, for one user; null: no memory. */
static view_body *make_advertisement(size_t id, const view_message *message)
{
    view_bytes text = {0};
    view_put_format(&text, "{\"op\":\"advertise\",\"channels\":[{\"id\":%zu,\"topic\":", id);
    view_put_json_text(&text, message->topic);
    view_put_text(&text, ",\"encoding\":\"cdr\",\"schemaEncoding\":\"ros2msg\",\"schemaName\":");
    view_put_json_text(&text, message->type);
    view_put_text(&text, ",\"schema\":");
    view_put_json_text(&text, message->definition);
    view_put_text(&text, "}]}");
    view_body *const body = calloc(1, sizeof *body);
    if (!body || text.failed) {
        free(body);
        view_bytes_release(&text);
        return NULL;
    }
    *body = (view_body){.data = text.data, .size = text.size, .users = 1};
    return body;
}

/* Returns the index of the channel of the message; VIEW_CHANNELS: no memory or no place. Only the thread that publishes
 * adds channels, so it may read them without the lock. */
static size_t channel_of(view_server *server, const view_message *message)
{
    const size_t count = server->channel_count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(server->channels[i].topic, message->topic) == 0) return i;
    if (count == VIEW_CHANNELS) return VIEW_CHANNELS;
    char *const topic = strdup(message->topic);
    view_body *const advertisement = make_advertisement(count + 1, message);
    if (!topic || !advertisement) {
        free(topic);
        if (advertisement) free(advertisement->data);
        free(advertisement);
        return VIEW_CHANNELS;
    }
    pthread_mutex_lock(&server->lock);
    server->channels[count] = (view_channel){topic, advertisement};
    server->channel_count++;
    pthread_mutex_unlock(&server->lock);
    return count;
}

bool view_server_add(view_server *server, const view_message *message)
{
    view_making *const making = &server->making;
    const size_t channel = channel_of(server, message);
    if (channel == VIEW_CHANNELS || making->part_count == VIEW_CHANNELS) return false;
    making->parts[making->part_count++] = (view_part){(uint32_t)channel, making->bytes.size, message->size};
    view_put(&making->bytes, message->data, message->size);
    return !making->bytes.failed;
}

bool view_server_send(view_server *server, int64_t time)
{
    view_making *const making = &server->making;
    view_body *const body = calloc(1, sizeof *body);
    const bool fine = body && !making->bytes.failed && making->part_count > 0;
    if (fine) {
        *body = (view_body){
            .data = making->bytes.data, .size = making->bytes.size, .users = 1, .packet = true, .time = time};
        memcpy(body->parts, making->parts, making->part_count * sizeof *making->parts);
        body->part_count = making->part_count;
        view_body_publish(server, VIEW_BODY_FRAME, body);
    } else {
        free(body);
        view_bytes_release(&making->bytes);
    }
    making->bytes = (view_bytes){0};
    making->part_count = 0;
    return fine;
}

size_t view_server_foxglove(const view_server *server)
{
    return atomic_load(&server->foxglove);
}

uint64_t view_server_skipped(const view_server *server)
{
    return atomic_load(&server->skipped);
}
