/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet_columns.c: columns of a packet and their descriptions in the header.
 */
#include "viewer/packet/packet_parts.h"

#include "viewer/bytes/bytes.h"

#include <math.h>
#include <stdlib.h>

int64_t *packet_values(packet *p, size_t rows)
{
    if (p->values && rows <= p->room) return p->values;
    free(p->values);
    p->room = rows ? rows : 1;
    p->values = p->room > SIZE_MAX / sizeof *p->values ? NULL : malloc(p->room * sizeof *p->values);
    if (!p->values) p->body.failed = true;
    return p->values;
}

void packet_put_column(packet *p, const packet_column *column, const int64_t *values, size_t rows)
{
    if (p->body.failed || p->json.failed) return;
    view_coding coding;
    view_put_column(&p->body, values, rows, rows == p->all ? p->width : 0, p->options->level, &coding);
    const char last = (char)p->json.data[p->json.size - 1];
    view_put_text(&p->json, last == '[' || last == ':' ? "{\"name\":" : ",{\"name\":");
    view_put_json_text(&p->json, column->name);
    if (column->type) view_put_format(&p->json, ",\"type\":\"%s\"", column->type);
    view_put_text(&p->json, ",\"scale\":");
    view_put_json_number(&p->json, column->scale);
    view_put_text(&p->json, ",\"offset\":");
    view_put_json_number(&p->json, column->offset);
    if (column->has_nan) view_put_format(&p->json, ",\"nan\":%lld", (long long)column->nan);
    view_put_format(&p->json, ",\"exact\":%s,\"back\":%u,\"planes\":%u,\"at\":%zu,\"size\":%zu}",
                    column->exact ? "true" : "false", coding.back, coding.planes, coding.at, coding.size);
}

void packet_put_numbers(packet *p, const char *name, const double *numbers, size_t rows, double scale, double offset)
{
    packet_column column = {.name = name, .scale = scale, .offset = offset};
    int64_t *const values = packet_values(p, rows);
    if (!values) return;
    const double most = (double)(PACKET_MOST - 1);
    int64_t largest = -PACKET_MOST;
    for (size_t i = 0; i < rows; i++) {
        if (!isfinite(numbers[i])) {
            column.has_nan = true;
            continue;
        }
        values[i] = (int64_t)fmin(fmax(floor(numbers[i] / scale + 0.5), -most), most);
        if (values[i] > largest) largest = values[i];
    }
    if (column.has_nan) {
        column.nan = largest + 1;
        for (size_t i = 0; i < rows; i++)
            if (!isfinite(numbers[i])) values[i] = column.nan;
    }
    packet_put_column(p, &column, values, rows);
}

void packet_put_vector(packet *p, const double vector[3])
{
    for (int a = 0; a < 3; a++) {
        view_put_text(&p->json, a ? "," : "[");
        view_put_json_number(&p->json, vector[a]);
    }
    view_put_text(&p->json, "]");
}
