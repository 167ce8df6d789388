/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las.c: reads LAS and LAZ, and keeps what the file has besides its points.
 *
 * In a LAS file the records are consecutive, and their number is compared with the size of the file. The
 * records of a LAZ file come from a decoder. All other steps are common.
 */
#include "las/las.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A LAZ file that claims a larger ratio of unpacked to packed bytes is decoded once before memory is taken. Most files
 * have a ratio of 5 to 20. */
#define LAS_LIKELY_RATIO 1000

static clump_status check_promise(const clump_io_source *source, const clump_io_las_header *h)
{
    if (!h->compressed || h->count / LAS_LIKELY_RATIO <= (source->size - h->points) / h->record) return CLUMP_OK;
    return clump_io_las_check_points(source, h);
}

/* Returns the hidden slots as bits. A slot of the format is hidden if it is 0 throughout and an extra dimension has
 * its name: the values did not fit the slot. It becomes no field of the cloud. */
static uint64_t find_hidden(const clump_cloud *cloud, const clump_io_las_layout *layout)
{
    uint64_t all = 0;
    for (size_t i = 0; i < layout->count && !layout->slots[i].extra; i++) {
        const clump_field *field = &cloud->fields[i];
        bool hidden = false;
        for (size_t k = i + 1; k < layout->count && !hidden; k++)
            hidden = layout->slots[k].extra && clump_io_las_same_name(layout->slots[i].name, layout->slots[k].name);
        const unsigned char *bytes = field->data;
        const size_t size = cloud->count * clump_type_size(field->type);
        for (size_t b = 0; b < size && hidden; b++) hidden = bytes[b] == 0;
        all |= (uint64_t)hidden << i;
    }
    return all;
}

/* Renames the fields after their slots, and removes the fields of hidden slots. */
static clump_status name_fields(const clump_io_where *where, clump_cloud *cloud, const clump_io_las_layout *layout)
{
    size_t kept = 0;
    clump_status status = CLUMP_OK;
    for (size_t i = 0; i < layout->count; i++) {
        clump_field field = cloud->fields[i];
        const clump_io_las_slot *slot = &layout->slots[i];
        char *name = slot->renamed ? strdup(slot->name) : NULL;
        if (slot->renamed && !name) status = clump_io_no_memory(where, sizeof slot->name);
        if (name || slot->hidden) free((void *)(uintptr_t)field.name);
        if (name) field.name = name;
        if (slot->hidden)
            free((void *)(uintptr_t)field.data);
        else
            cloud->fields[kept++] = field;
    }
    cloud->field_count = kept;
    return status;
}

/* Corrects the header of a truncated file: it counts the points that were read, and nothing follows them. Bounds and
 * returns are computed again when the cloud is written. */
static void describe_rest(clump_io_las_rest *k)
{
    const uint64_t count = k->header.count, none = 0;
    if (clump_io_las_u32(k->bytes + CLUMP_IO_LAS_COUNT)) memcpy(k->bytes + CLUMP_IO_LAS_COUNT, &count, 4);
    if (k->header.minor >= 3) memcpy(k->bytes + CLUMP_IO_LAS_WAVEFORMS, &none, 8);
    if (k->header.minor >= 4) {
        memcpy(k->bytes + CLUMP_IO_LAS_COUNT_64, &count, 8);
        memcpy(k->bytes + CLUMP_IO_LAS_EVLRS, &none, 8);
        memcpy(k->bytes + CLUMP_IO_LAS_EVLR_COUNT, &none, 4);
    }
    k->summary.lower[0] = 0, k->summary.upper[0] = -1; /* impossible bounds: they are never equal */
    k->summary.returns[0] = UINT64_MAX;
}

static clump_status keep_rest(const clump_io_source *source, const clump_io_las_header *h,
                              const clump_io_las_summary *summary, clump_cloud *cloud)
{
    const size_t tail = source->size - h->tail, bytes = sizeof(clump_io_las_rest) + h->points + tail;
    clump_io_las_rest *k = malloc(bytes);
    if (!k) return clump_io_no_memory(&source->where, bytes);
    k->header = *h;
    k->summary = *summary;
    k->summarized = true;
    k->tail_size = tail;
    memcpy(k->bytes, source->bytes, h->points);
    memcpy(k->bytes + h->points, source->bytes + h->tail, tail);
    if (h->cut) describe_rest(k);
    cloud->rest = k;
    return CLUMP_OK;
}

bool clump_io_las_layout_make(const clump_io_source *source, const clump_io_las_header *h, clump_io_las_layout *layout,
                              clump_cloud *cloud)
{
    const unsigned char *descriptors = source->bytes + h->extra_at + CLUMP_IO_LAS_VLR_HEAD;
    return clump_io_las_layout_format(layout, h->format) &&
           clump_io_las_layout_extra(layout, descriptors, h->extra_size, h->record, cloud);
}

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    clump_io_las_header h;
    clump_io_las_summary summary;
    clump_io_las_layout layout = {0};
    CLUMP_IO_TRY(clump_io_las_header_parse(source, &h, cloud));
    CLUMP_IO_TRY(clump_io_require(source, h.tail, source->size));
    cloud->info.format = h.compressed ? CLUMP_FORMAT_LAZ : CLUMP_FORMAT_LAS;
    cloud->info.encoding = h.compressed ? CLUMP_ENCODING_COMPRESSED : CLUMP_ENCODING_BINARY;
    CLUMP_IO_TRY(check_promise(source, &h));
    CLUMP_IO_TRY(clump_io_cloud_resize(&source->where, cloud, h.count));
    clump_status status = CLUMP_OK;
    if (!clump_io_las_layout_make(source, &h, &layout, cloud))
        status = clump_io_no_memory(&source->where, sizeof *layout.slots);
    if (status == CLUMP_OK) status = clump_io_las_read_points(source, &h, &layout, cloud, &summary);
    if (status == CLUMP_OK) {
        h.hidden = find_hidden(cloud, &layout);
        clump_io_las_layout_separate(&layout, h.hidden, cloud);
        status = name_fields(&source->where, cloud, &layout);
    }
    if (status == CLUMP_OK) status = keep_rest(source, &h, &summary, cloud);
    const int outside = status == CLUMP_OK ? clump_io_las_axis_outside(source->bytes, &h, &summary) : -1;
    if (outside >= 0)
        clump_io_note(cloud, "points lie outside of the bounds that the header gives for %c", "xyz"[outside]);
    clump_io_las_layout_free(&layout);
    return status;
}

const clump_io_format clump_io_format_las = {
    .format = CLUMP_FORMAT_LAS,
    .name = "las",
    .extensions = {"las"},
    .encodings = CLUMP_IO_BINARY,
    .holds_points = true,
    .holds_fields = true,
    .holds_labels = true,
    .sniff = clump_io_las_sniff,
    .streams = true,
    .parse = parse,
    .write = clump_io_las_write,
};

const clump_io_format clump_io_format_laz = {
    .format = CLUMP_FORMAT_LAZ,
    .name = "laz",
    .extensions = {"laz"},
    .holds_points = true,
    .holds_fields = true,
    .holds_labels = true,
    .encodings = CLUMP_IO_COMPRESSED,
    .sniff = clump_io_las_sniff_compressed,
    .streams = true,
    .parse = parse,
    .write = clump_io_las_write,
};
