/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes.h: --drop-class LIST: points of these classes take no part. Classes are those of the field "classification", which
 * LAS and LAZ files have: 2 ground, 7 and 18 noise, 9 water.
 */
#ifndef CLUMP_CLI_CLASSES_H
#define CLUMP_CLI_CLASSES_H

#include "base/cli.h"
#include "base/json.h"

enum { CLI_CLASSES = 256 };

/* Reads a list of numbers with commas between, "2,7,9": sets drop[c] to 1 for these classes, else to 0. False: it is no
 * such list; the first `length` characters at *item are wrong. */
bool cli_classes_read(const char *text, uint8_t drop[CLI_CLASSES], const char **item, size_t *length);

/* Checks a list. Returns CLI_DONE, or prints what is wrong and returns CLI_USAGE. */
int cli_classes_check(const cli_command *self, const char *text);

/* Sets mask[i] to 0 for points of the classes, and leaves the others as they are. The text has passed the check. Returns
 * CLI_DONE, or prints that the cloud has no classes and returns CLI_FAILED. */
int cli_classes_mask(const char *text, const clump_cloud *cloud, const char *input, uint8_t *mask);

/* "drop_class": [2, 7], or null where text is. The text has passed the check. */
void cli_put_classes(cli_json *j, const char *text);

#endif
