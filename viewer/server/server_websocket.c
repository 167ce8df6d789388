/* SPDX-License-Identifier: BSD-3-Clause
 *
 * server_websocket.c: see server_inside.h. WebSocket is RFC 6455, without extensions: the answer to an upgrade, and frames.
 */
#include "viewer/server/server_inside.h"

#include "common/assert.h"

#include <string.h>

/* --- the answer to an upgrade ---------------------------------------------------------------------------- */

static uint32_t rotate(uint32_t word, int bits)
{
    return word << bits | word >> (32 - bits);
}

/* Mixes 64 bytes into the state of SHA-1 (RFC 3174). */
static void sha1_block(uint32_t state[5], const uint8_t *block)
{
    static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t w[80];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               (uint32_t)block[4 * i + 3];
    for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int i = 0; i < 80; i++) {
        const uint32_t choice = (b & c) | (~b & d), majority = (b & c) | (b & d) | (c & d), parity = b ^ c ^ d;
        const uint32_t f = i < 20 ? choice : i >= 40 && i < 60 ? majority : parity;
        const uint32_t next = rotate(a, 5) + f + e + constants[i / 20] + w[i];
        e = d, d = c, c = rotate(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

static void base64(const uint8_t *from, size_t size, char *to)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t second = i + 1 < size ? from[i + 1] : 0, third = i + 2 < size ? from[i + 2] : 0;
        const uint32_t bits = (uint32_t)from[i] << 16 | second << 8 | third;
        *to++ = letters[bits >> 18];
        *to++ = letters[bits >> 12 & 63];
        *to++ = i + 1 < size ? letters[bits >> 6 & 63] : '=';
        *to++ = i + 2 < size ? letters[bits & 63] : '=';
    }
    *to = '\0';
}

bool view_socket_accept(view_words key, char out[VIEW_SOCKET_ACCEPT])
{
    static const char fixed[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; /* of the RFC */
    enum { KEY = 24, ALL = KEY + sizeof fixed - 1 };
    if (!key.text || key.size != KEY) return false;
    uint8_t blocks[128] = {0}, digest[20];
    memcpy(blocks, key.text, KEY);
    memcpy(blocks + KEY, fixed, sizeof fixed - 1);
    blocks[ALL] = 0x80;
    blocks[126] = (uint8_t)(8 * ALL >> 8);
    blocks[127] = (uint8_t)(8 * ALL);
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    sha1_block(state, blocks);
    sha1_block(state, blocks + 64);
    for (int i = 0; i < 20; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
    base64(digest, sizeof digest, out);
    return true;
}

/* --- frames ---------------------------------------------------------------------------------------------- */

static bool is_control(int opcode)
{
    return opcode >= VIEW_SOCKET_CLOSE;
}

/* Returns the code to close with for the first two bytes of a frame; 0: they are fine. */
static int refuse_frame(const uint8_t *head)
{
    const int opcode = head[0] & 15;
    const bool known = opcode <= VIEW_SOCKET_BINARY || (opcode >= VIEW_SOCKET_CLOSE && opcode <= VIEW_SOCKET_PONG);
    if (!known || head[0] & 0x70) return VIEW_SOCKET_FORGED; /* no extension was agreed on */
    if (!(head[1] & 0x80)) return VIEW_SOCKET_FORGED;        /* clients mask */
    if (is_control(opcode) && (!(head[0] & 0x80) || (head[1] & 127) > VIEW_SOCKET_CONTROL)) return VIEW_SOCKET_FORGED;
    return 0;
}

/* Reads the number of payload bytes, whose form is the second byte of the frame. */
static uint64_t read_length(const uint8_t *frame)
{
    const int form = frame[1] & 127;
    uint64_t length = form < 126 ? (uint64_t)form : 0;
    for (int i = 0; i < (form == 126 ? 2 : form == 127 ? 8 : 0); i++) length = length << 8 | frame[2 + i];
    return length;
}

view_socket_frame view_socket_read(char *bytes, size_t size)
{
    uint8_t *const frame = (uint8_t *)bytes;
    view_socket_frame found = {0};
    if (size < 2) return found;
    found.refusal = refuse_frame(frame);
    const int form = frame[1] & 127;
    const size_t head = form == 127 ? 14 : form == 126 ? 8 : 6; /* with the mask */
    if (found.refusal || size < head) return found;
    const uint64_t length = read_length(frame);
    if ((form == 126 && length < 126) || (form == 127 && length <= UINT16_MAX)) found.refusal = VIEW_SOCKET_FORGED;
    if (!found.refusal && length > VIEW_REQUEST_MOST - head) found.refusal = VIEW_SOCKET_TOO_LARGE;
    if (found.refusal || size - head < length) return found;
    found.size = head + (size_t)length;
    found.opcode = frame[0] & 15;
    found.last = frame[0] & 0x80;
    found.payload = (view_words){bytes + head, (size_t)length};
    const uint8_t *const mask = frame + head - 4;
    for (size_t i = 0; i < length; i++) frame[head + i] ^= mask[i & 3];
    return found;
}

size_t view_socket_head(uint8_t *to, int opcode, uint64_t length)
{
    CLUMP_ASSERT(!is_control(opcode) || length <= VIEW_SOCKET_CONTROL);
    const int bytes = length < 126 ? 0 : length <= UINT16_MAX ? 2 : 8;
    to[0] = (uint8_t)(0x80 | opcode);
    to[1] = (uint8_t)(bytes == 0 ? length : bytes == 2 ? 126 : 127);
    for (int i = 0; i < bytes; i++) to[2 + i] = (uint8_t)(length >> 8 * (bytes - 1 - i));
    return 2 + (size_t)bytes;
}

/* --- origins --------------------------------------------------------------------------------------------- */

/* Takes the text off the front. False: it is not there. */
static bool take_front(view_words *words, const char *lower)
{
    const size_t size = strlen(lower);
    if (words->size < size || !view_words_are((view_words){words->text, size}, lower)) return false;
    *words = (view_words){words->text + size, words->size - size};
    return true;
}

bool view_origin_is_trusted(view_words origin, const char *address)
{
    static const char foxglove[] = ".foxglove.dev";
    const size_t tail = sizeof foxglove - 1;
    if (!origin.text) return true;
    if (view_words_are(origin, "null")) return false;
    view_words host = origin;
    if (take_front(&host, "http://")) return view_host_is_local(host, address);
    if (!take_front(&host, "https://")) return true; /* file:// and the like: a program of this machine */
    if (view_host_is_local(host, address)) return true;
    return host.size > tail && view_words_are((view_words){host.text + host.size - tail, tail}, foxglove);
}
