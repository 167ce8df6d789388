/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes.c: see source.h.
 */
#include "files/source.h"

#include <stdlib.h>
#include <string.h>

bool cli_classes_read(const char *text, uint8_t drop[CLI_CLASSES], const char **item, size_t *length)
{
    memset(drop, 0, CLI_CLASSES);
    for (*item = text;; *item += *length + 1) {
        *length = strcspn(*item, ",");
        if (*length == 0 || *length > 3 || strspn(*item, "0123456789") < *length) return false;
        const int class = atoi(*item);
        if (class >= CLI_CLASSES) return false;
        drop[class] = 1;
        if ((*item)[*length] == '\0') return true;
    }
}

int cli_classes_check(const cli_command *self, const char *text)
{
    uint8_t drop[CLI_CLASSES];
    const char *item;
    size_t length;
    if (cli_classes_read(text, drop, &item, &length)) return CLI_DONE;
    return cli_usage(self, "--drop-class: '%.*s' is no class, a number from 0 to 255", (int)length, item);
}

int cli_classes_mask(const char *text, const clump_cloud *cloud, const char *input, uint8_t *mask)
{
    uint8_t drop[CLI_CLASSES];
    const char *item;
    size_t length;
    if (!cli_classes_read(text, drop, &item, &length)) return cli_fail("--drop-class %s is no list of classes", text);
    clump_field field;
    if (!clump_cloud_find(cloud, "classification", &field) || field.count != 1) {
        char list[256];
        cli_list_fields(cloud, true, list, sizeof list);
        return cli_fail("%s: --drop-class needs a field 'classification', the cloud has %s", input,
                        list[0] ? list : "no fields");
    }
    const size_t count = clump_cloud_points(cloud).count;
    const uint8_t *const bytes = field.type == CLUMP_TYPE_U8 ? field.data : NULL;
    for (size_t i = 0; i < count; i++) {
        const double class = bytes ? bytes[i] : clump_field_value(&field, i, 0);
        if (class >= 0 && class < CLI_CLASSES && drop[(size_t) class]) mask[i] = 0;
    }
    return CLI_DONE;
}

void cli_put_classes(cli_json *j, const char *text)
{
    uint8_t drop[CLI_CLASSES];
    const char *item;
    size_t length;
    if (!text || !cli_classes_read(text, drop, &item, &length)) {
        cli_json_null(j, "drop_class");
        return;
    }
    cli_json_open(j, "drop_class", '[');
    for (int class = 0; class < CLI_CLASSES; class ++)
        if (drop[class]) cli_json_int(j, NULL, class);
    cli_json_close(j, ']');
}
