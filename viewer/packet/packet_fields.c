/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet_fields.c: the fields of the clouds. Integers are exact up to 2^53. Real numbers are exact where they are fractions
 * of a common denominator (intensities of KITTI are hundredths), else rounded to 16 bits.
 */
#include "viewer/packet/packet_parts.h"

#include "common/assert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MOST_EXACT 0x1p24 /* fractions beyond this take more bytes than they are worth */
#define FIELDS_NEAR_ZERO  0x1p31 /* integers up to this size need no offset */
/* Files write the largest number of the type where there is no data. Such numbers become NaN: they would take all levels. */
#define FIELDS_NO_DATA_F32 0x1p127
#define FIELDS_NO_DATA_F64 0x1p1000
enum { FIELDS_LEVELS = 65534 }; /* of rounded numbers */

/* One element of a field in all clouds, as float64. */
typedef struct element {
    packet_column column;
    double *numbers; /* NaN: not finite, or the cloud has no such field */
    size_t rows, missing;
    bool whole, wide, single; /* integers; with 64 bits; float32 */
    bool infinite;            /* some number was infinite or stands for "no data" */
    double least, most;
    double limit; /* of the integers */
} element;

static void read_element(packet *p, const char *name, uint32_t index, element *e)
{
    size_t row = 0;
    e->least = HUGE_VAL, e->most = -HUGE_VAL;
    e->whole = e->single = true;
    e->limit = (double)(PACKET_MOST - 2);
    for (size_t c = 0; c < p->frame->cloud_count; c++) {
        clump_field field;
        const bool found = clump_cloud_find(p->frame->clouds[c], name, &field) && index < field.count;
        if (found) {
            e->whole &= field.type <= CLUMP_TYPE_U64;
            e->wide |= field.type == CLUMP_TYPE_I64 || field.type == CLUMP_TYPE_U64;
            e->single &= field.type == CLUMP_TYPE_F32;
            if (!e->column.type) e->column.type = clump_type_name(field.type);
        }
        const double largest = found && field.type == CLUMP_TYPE_F64 ? FIELDS_NO_DATA_F64 : FIELDS_NO_DATA_F32;
        for (size_t i = 0; i < p->rows[c]; i++, row++) {
            const double x = found ? clump_field_value(&field, i * p->every, index) : (double)NAN;
            const bool known = fabs(x) < largest;
            e->infinite |= !known && !isnan(x);
            e->numbers[row] = known ? x : (double)NAN;
            if (!known)
                e->missing++;
            else
                e->least = fmin(e->least, x), e->most = fmax(e->most, x);
        }
    }
    CLUMP_ASSERT(row == p->all);
    e->rows = row;
}

/* Returns the integer of a number. */
static int64_t integer_of(const element *e, double number)
{
    return (int64_t)fmin(fmax(floor((number - e->column.offset) / e->column.scale + 0.5), -e->limit), e->limit);
}

/* Integers: 64-bit ones beyond 2^53 are rounded by float64. */
static void plan_integers(element *e)
{
    CLUMP_ASSERT(e->least <= e->most);
    packet_column *const column = &e->column;
    column->offset = fmax(fabs(e->least), fabs(e->most)) < FIELDS_NEAR_ZERO ? 0 : e->least;
    column->scale = 1;
    while ((e->most - column->offset) / column->scale >= (double)(PACKET_MOST - 2)) column->scale *= 2;
    column->exact = column->scale == 1 && !(e->wide && fmax(fabs(e->least), fabs(e->most)) > 0x1p53);
}

/* Whether the page shows the number of the file: the same float32, or a float64 up to its last bits. */
static bool comes_back(const element *e, double number)
{
    const double back = e->column.offset + e->column.scale * (double)integer_of(e, number);
    return e->single ? (float)back == (float)number : fabs(back - number) <= 0x1p-51 * fabs(number);
}

static bool all_come_back(const element *e)
{
    if ((e->most - e->least) / e->column.scale > FIELDS_MOST_EXACT) return false;
    for (size_t i = 0; i < e->rows; i++)
        if (!isnan(e->numbers[i]) && !comes_back(e, e->numbers[i])) return false;
    return true;
}

static bool plan_fractions(element *e)
{
    static const double denominators[] = {1,  2,   4,    8,     16,     32,      64,  128, 256,  512,   1024, 4096,
                                          10, 100, 1000, 10000, 100000, 1000000, 255, 127, 4095, 65535, 65536};
    packet_column *const column = &e->column;
    column->exact = true;
    column->offset = fmax(fabs(e->least), fabs(e->most)) < FIELDS_MOST_EXACT ? 0 : floor(e->least);
    for (size_t k = 0; k < sizeof denominators / sizeof *denominators; k++) {
        column->scale = 1 / denominators[k];
        if (all_come_back(e)) return true;
    }
    return false;
}

static void plan_rounding(element *e)
{
    CLUMP_ASSERT(e->least <= e->most);
    packet_column *const column = &e->column;
    column->exact = e->least == e->most;
    e->limit = FIELDS_LEVELS;
    column->offset = e->least;
    column->scale = column->exact ? 1 : e->most / FIELDS_LEVELS - e->least / FIELDS_LEVELS;
    if (column->scale == 0) column->scale = 1; /* a range below the smallest float64 */
}

static void put_element(packet *p, element *e)
{
    packet_column *const column = &e->column;
    if (e->missing == e->rows)
        *column = (packet_column){.name = column->name, .type = column->type, .scale = 1};
    else if (e->whole)
        plan_integers(e);
    else if (e->least == e->most || !plan_fractions(e))
        plan_rounding(e);
    if (e->infinite) column->exact = false;
    int64_t *const values = packet_values(p, e->rows);
    if (!values) return;
    int64_t largest = -1;
    for (size_t i = 0; i < e->rows; i++) {
        if (isnan(e->numbers[i])) continue;
        values[i] = integer_of(e, e->numbers[i]);
        if (values[i] > largest) largest = values[i];
    }
    column->has_nan = e->missing > 0;
    column->nan = largest + 1;
    CLUMP_ASSERT(column->nan <= PACKET_MOST);
    for (size_t i = 0; i < e->rows && column->has_nan; i++)
        if (isnan(e->numbers[i])) values[i] = column->nan;
    packet_put_column(p, column, values, e->rows);
}

static void put_field(packet *p, const clump_field *field)
{
    const size_t room = strlen(field->name) + 32;
    char *const name = malloc(room);
    double *const numbers = malloc((p->all + 1) * sizeof *numbers);
    if (!name || !numbers) p->body.failed = true;
    for (uint32_t k = 0; !p->body.failed && k < field->count; k++) {
        if (field->count > 1)
            snprintf(name, room, "field:%s[%u]", field->name, k);
        else
            snprintf(name, room, "field:%s", field->name);
        element e = {.column.name = name, .numbers = numbers};
        read_element(p, field->name, k, &e);
        put_element(p, &e);
    }
    free(name);
    free(numbers);
}

/* Whether a field "label" holds the labels of a labelling, which the packet already has. */
static bool is_shown(const packet *p, const clump_field *field)
{
    if (strcmp(field->name, "label") != 0 || field->count != 1) return false;
    for (size_t k = 0; k < p->frame->labeling_count; k++) {
        const size_t count = clump_cloud_points(p->frame->clouds[0]).count;
        size_t i = 0;
        while (i < count && clump_field_value(field, i, 0) == packet_label(&p->frame->labelings[k], i)) i++;
        if (i == count) return true;
    }
    return false;
}

void packet_put_fields(packet *p)
{
    clump_field field, other;
    for (size_t c = 0; c < p->frame->cloud_count; c++) {
        view_colours colours;
        const bool coloured = packet_find_colours(p->frame->clouds[c], &colours);
        for (size_t k = 0; clump_cloud_field(p->frame->clouds[c], k, &field); k++) {
            if (c == 0 ? is_shown(p, &field) : clump_cloud_find(p->frame->clouds[0], field.name, &other)) continue;
            if (coloured && packet_is_colour(p, &colours, field.name)) continue;
            put_field(p, &field);
        }
    }
}
