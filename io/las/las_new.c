/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_new.c: chooses point format and scale of LAS for clouds of other formats.
 *
 * Format: the smallest of 0 to 3 that has time and colours where the cloud has; 6, 7 or 8 for infrared,
 * scanner channel, overlap or fine scan angles, or if a return number or class is too large for 0 to 3.
 *
 * Scale, for each axis: a step of 0.001, which is usual, unless that loses digits.
 *
 *     0.001 0.0001 ... 0.0000001     the first at which every coordinate reads back as it was
 *                                    (float32 clouds: to the last bit; others: to 2^-50 of the value)
 *     if there is none               the finest of them whose 2^31 steps reach across the box
 *     0.01 0.1 1                     the first that does, where 0.001 does not
 *
 * Many scans have three decimals and lose nothing. Offset is the lower corner of the box, rounded down to
 * whole units. The file has no date, so that equal clouds give equal bytes.
 */
#include "las/las.h"

#include "common/assert.h"

#include <math.h>
#include <stdio.h>

static const double steps_of[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
enum { STEP_USUAL = 3, STEP_FINEST = 7 };

#define GPS_WEEK 604800.0 /* seconds */

/* --- scale and offset ----------------------------------------------------------------------- */

clump_status clump_io_las_not_finite(const clump_io_where *where, const clump_cloud *cloud)
{
    size_t count = 0;
    for (size_t i = 0; i < cloud->count; i++) {
        bool finite = true;
        for (int a = 0; a < 3; a++) finite = finite && isfinite(clump_io_coordinate(cloud, i, a));
        count += !finite;
    }
    if (count == 0) return CLUMP_OK;
    return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                         count == 1 ? "%zu point is not finite; LAS cannot hold it"
                                    : "%zu points are not finite; LAS cannot hold them",
                         count);
}

static bool is_exact(const clump_cloud *cloud, int axis, double scale, double offset)
{
    CLUMP_ASSERT(axis >= 0 && axis < 3 && scale > 0);
    const bool wide = clump_io_is_wide(cloud);
    for (size_t i = 0; i < cloud->count; i++) {
        const double value = clump_io_coordinate(cloud, i, axis);
        const double again = rint((value - offset) / scale) * scale + offset;
        if (wide ? !(fabs(again - value) <= fabs(value) * 0x1p-50) : (float)again != (float)value) return false;
    }
    return true;
}

static clump_status choose_frame(const clump_io_output *output, clump_io_las_header *h, int axis)
{
    CLUMP_ASSERT(axis >= 0 && axis < 3);
    const clump_cloud *cloud = output->cloud;
    double lower = cloud->count ? INFINITY : 0, upper = cloud->count ? -INFINITY : 0;
    for (size_t i = 0; i < cloud->count; i++) {
        const double value = clump_io_coordinate(cloud, i, axis);
        lower = fmin(lower, value);
        upper = fmax(upper, value);
    }
    const double offset = floor(lower) + 0.0, length = upper - offset;
    int finest = STEP_FINEST, choice = STEP_USUAL;
    while (finest >= 0 && length / steps_of[finest] > INT32_MAX) finest--;
    if (finest < 0)
        return CLUMP_IO_UNSUPPORTED(
            output, "%c reaches from %g to %g; LAS has 2^31 steps for that, and they would be longer than 1",
            "xyz"[axis], lower, upper);
    if (finest < choice) choice = finest;
    while (choice < finest && !is_exact(cloud, axis, steps_of[choice], offset)) choice++;
    h->scale[axis] = steps_of[choice];
    h->offset[axis] = offset;
    return CLUMP_OK;
}

/* --- point format --------------------------------------------------------------------------- */

/* Returns the field that would fill the slot of that name, or null. */
static const clump_field *filler(const clump_io_output *output, const clump_io_las_layout *layout, const char *name)
{
    for (size_t s = 0; s < layout->count; s++) {
        if (strcmp(layout->slots[s].name, name) != 0) continue;
        for (size_t i = 0; i < output->field_count; i++)
            if (clump_io_las_is_called(&output->fields[i], name) &&
                clump_io_las_fits(&output->fields[i], &layout->slots[s], output->cloud->count))
                return &output->fields[i];
    }
    return NULL;
}

/* Whether the times are seconds of the GPS week. Times beyond a week are adjusted GPS time. */
static bool is_week_time(const clump_field *time, size_t points)
{
    for (size_t i = 0; i < points; i++) {
        const double seconds = clump_io_value(time->type, time->data, i);
        if (seconds < 0 || seconds > GPS_WEEK) return false;
    }
    return true;
}

/* Chooses the point format. old has the slots of formats 0 to 3, new the slots of 6 to 8. */
static unsigned choose_format(const clump_io_output *output, const clump_io_las_layout *old,
                              const clump_io_las_layout *new, bool *adjusted)
{
    static const char *const only_new[] = {"nir", "scanner_channel", "overlap", "scan_angle"};
    static const char *const larger[] = {"return_number", "number_of_returns", "classification"};
    bool extended = false;
    for (size_t i = 0; i < sizeof only_new / sizeof only_new[0]; i++)
        extended = extended || filler(output, new, only_new[i]);
    for (size_t i = 0; i < sizeof larger / sizeof larger[0]; i++)
        extended = extended || (filler(output, new, larger[i]) && !filler(output, old, larger[i]));
    const clump_field *time = filler(output, new, "gps_time");
    const bool colour = filler(output, new, "red") && filler(output, new, "green") && filler(output, new, "blue");
    *adjusted = time && !is_week_time(time, output->cloud->count);
    if (extended) return filler(output, new, "nir") ? 8 : colour ? 7 : 6;
    return (time ? 1u : 0u) + (colour ? 2u : 0u);
}

/* --- header --------------------------------------------------------------------------------- */

void clump_io_las_fill_header(const clump_io_las_header *h, unsigned char *bytes, bool adjusted)
{
    memset(bytes, 0, CLUMP_IO_LAS_SIZE_1_4);
    memcpy(bytes, "LASF", 4);
    clump_io_las_put(bytes, CLUMP_IO_LAS_ENCODING, (adjusted ? 1 : 0) | (h->format >= 6 ? 16 : 0), 2);
    clump_io_las_put(bytes, CLUMP_IO_LAS_VERSION, 1, 1);
    clump_io_las_put(bytes, CLUMP_IO_LAS_VERSION + 1, h->minor, 1);
    memcpy(bytes + CLUMP_IO_LAS_SYSTEM, "OTHER", 5);
    char software[32];
    const int length = snprintf(software, sizeof software, "clump %s", clump_version());
    memcpy(bytes + CLUMP_IO_LAS_SOFTWARE, software, length > 31 ? 31 : (size_t)length);
    clump_io_las_put(bytes, CLUMP_IO_LAS_HEADER_SIZE, h->size, 2);
    clump_io_las_put(bytes, CLUMP_IO_LAS_FORMAT, h->format, 1);
    if (h->format < 6 && h->count <= UINT32_MAX) clump_io_las_put(bytes, CLUMP_IO_LAS_COUNT, h->count, 4);
    clump_io_las_put(bytes, CLUMP_IO_LAS_COUNT_64, h->count, 8);
    memcpy(bytes + CLUMP_IO_LAS_SCALE, h->scale, sizeof h->scale);
    memcpy(bytes + CLUMP_IO_LAS_OFFSET, h->offset, sizeof h->offset);
}

void clump_io_las_put_bounds(const clump_io_las_header *h, const clump_io_las_summary *summary, unsigned char *head)
{
    for (size_t a = 0; a < 3; a++) {
        double bounds[2] = {0, 0};
        for (int k = 0; k < 2 && h->count; k++) {
            const int32_t step = (k == 0) == (h->scale[a] > 0) ? summary->upper[a] : summary->lower[a];
            bounds[k] = step * h->scale[a] + h->offset[a];
        }
        memcpy(head + CLUMP_IO_LAS_BOUNDS + 16 * a, bounds, sizeof bounds);
    }
}

/* The old counters have 32 bits. They are 0 if the old count of points is 0. */
void clump_io_las_put_returns(const clump_io_las_header *h, const clump_io_las_summary *summary, unsigned char *head)
{
    for (size_t r = 1; r <= 5; r++)
        if (clump_io_las_u32(head + CLUMP_IO_LAS_COUNT))
            clump_io_las_put(head, CLUMP_IO_LAS_RETURNS + 4 * (r - 1), summary->returns[r], 4);
    for (size_t r = 1; r <= 15 && h->minor >= 4; r++)
        clump_io_las_put(head, CLUMP_IO_LAS_RETURNS_64 + 8 * (r - 1), summary->returns[r], 8);
}

clump_status clump_io_las_new(const clump_io_output *output, unsigned char bytes[CLUMP_IO_LAS_SIZE_1_4],
                              clump_io_las_header *h)
{
    *h = (clump_io_las_header){.minor = 4,
                               .size = CLUMP_IO_LAS_SIZE_1_4,
                               .points = CLUMP_IO_LAS_SIZE_1_4,
                               .vlr_end = CLUMP_IO_LAS_SIZE_1_4,
                               .count = output->cloud->count};
    CLUMP_IO_TRY(clump_io_las_not_finite(&output->where, output->cloud));
    for (int a = 0; a < 3; a++) CLUMP_IO_TRY(choose_frame(output, h, a));
    clump_status status = CLUMP_OK;
    clump_io_las_layout old = {0}, new = {0};
    bool adjusted = false;
    if (clump_io_las_layout_format(&old, 3) && clump_io_las_layout_format(&new, 8))
        h->format = choose_format(output, &old, &new, &adjusted);
    else
        status = clump_io_no_memory(&output->where, sizeof *old.slots);
    h->record = clump_io_las_base(h->format);
    clump_io_las_fill_header(h, bytes, adjusted);
    clump_io_las_layout_free(&old);
    clump_io_las_layout_free(&new);
    return status;
}
