/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_serve.h: --serve of `clump play`: the frames live in a browser.
 */
#ifndef CLUMP_CLI_PLAY_SERVE_H
#define CLUMP_CLI_PLAY_SERVE_H

#include "play/play.h"

typedef struct cli_play_address {
    char address[64]; /* numeric */
    uint16_t port;    /* 0: any free one */
} cli_play_address;

/* Reads [ADDR:]PORT. Returns CLI_DONE, or prints what is wrong and returns CLI_USAGE. */
int cli_play_serve_check(const cli_command *self, const char *text, cli_play_address *out);

/* Opens the server and prints its address on standard error. argv: what comes after "clump play". Returns CLI_DONE, or
 * prints what is wrong and returns CLI_FAILED. */
int cli_play_serve_begin(cli_play *play, const cli_play_address *at, int argc, char **argv);

/* Takes a slot that was written, where a page is open and the last frame has been sent; the slot goes back to `unused`
 * by itself. False: the slot stays the caller's. Never waits. */
bool cli_play_serve_take(cli_play *play, cli_play_slot *slot);

void cli_play_serve_drain(cli_play *play);           /* after it no slot is in use; the server goes on */
uint64_t cli_play_serve_shown(const cli_play *play); /* frames; after cli_play_serve_drain() */

/* Tells the pages that the play has ended, and closes. Without --serve it does nothing. */
void cli_play_serve_end(cli_play *play);

#endif
