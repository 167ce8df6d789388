/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cloud.c: the contents of a file in memory.
 *
 *     xyz     x y z x y z ...            float32, tightly packed, relative to origin
 *     origin  three doubles              0 0 0 unless the file had more precision than float32
 *     exact   x y z x y z ...            float64 as in the file, where origin + xyz has fewer digits
 *     grid    offset, scale, steps       exact coordinates of files with integer coordinates
 *     fields  name, type, count, data    one array per field, not one struct per point
 */
#define _DEFAULT_SOURCE /* madvise */
#include "format.h"
#include "common/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const clump_cloud_info blank_info = {
    .height = 1, .viewpoint = {0, 0, 0, 1, 0, 0, 0}, .xyz_type = CLUMP_TYPE_F32};

/* malloc(0) may be null, which would look like a failure. Half of the time for a large file goes to page faults; large
 * pages make that much less. */
void *clump_io_allocate(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
#ifdef MADV_HUGEPAGE
    const uintptr_t huge = (uintptr_t)1 << 21, first = ((uintptr_t)memory + huge - 1) & ~(huge - 1);
    const uintptr_t last = ((uintptr_t)memory + bytes) & ~(huge - 1);
    if (memory && bytes >= 2 * huge && last > first) madvise((void *)first, last - first, MADV_HUGEPAGE);
#endif
    return memory;
}

clump_status clump_io_cloud_resize(const clump_io_where *where, clump_cloud *cloud, size_t count)
{
    size_t bytes;
    if (!clump_io_multiply(count, 3 * sizeof(float), &bytes)) return clump_io_no_memory(where, SIZE_MAX);
    float *xyz = clump_io_allocate(bytes);
    if (!xyz) return clump_io_no_memory(where, bytes);
    free(cloud->xyz);
    cloud->xyz = xyz;
    cloud->count = cloud->info.width = count;
    cloud->info.height = 1;
    cloud->capacity = 0;
    return CLUMP_OK;
}

void clump_io_cloud_shrink(clump_cloud *cloud, size_t count)
{
    CLUMP_ASSERT(count <= cloud->count);
    if (count >= cloud->count) return;
    cloud->count = cloud->info.width = count;
    cloud->info.height = 1;
}

clump_status clump_cloud_create(size_t count, clump_cloud **out, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    if (message) message->text[0] = 0;
    if (!out) return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_cloud_create: out is null");
    *out = NULL;
    clump_cloud *cloud = calloc(1, sizeof *cloud);
    if (!cloud) return clump_io_no_memory(&where, sizeof *cloud);
    cloud->info = blank_info;
    const clump_status status = clump_io_cloud_resize(&where, cloud, count);
    if (status != CLUMP_OK) {
        clump_cloud_destroy(cloud);
        return status;
    }
    *out = cloud;
    return CLUMP_OK;
}

void clump_cloud_destroy(clump_cloud *cloud)
{
    if (!cloud) return;
    for (size_t i = 0; i < cloud->field_count; i++) {
        free((void *)(uintptr_t)cloud->fields[i].name);
        free((void *)(uintptr_t)cloud->fields[i].data);
    }
    free((void *)(uintptr_t)cloud->parked.name);
    free((void *)(uintptr_t)cloud->parked.data);
    free(cloud->fields);
    free(cloud->xyz);
    free(cloud->exact);
    free(cloud->spare);
    free(cloud->grid.steps);
    free(cloud->rest);
    free(cloud);
}

/* Whether the byte would break a header line of some format. */
static bool is_unfit(char c)
{
    return (unsigned char)c <= ' ' || c == 0x7f || c == ',' || c == ';' || c == '"';
}

static char *copy_name(const char *name, size_t size)
{
    if (size == 0) name = "unnamed", size = 7; /* a header needs some name */
    char *copy = clump_io_allocate(size + 1);
    if (!copy) return NULL;
    for (size_t i = 0; i < size; i++) copy[i] = is_unfit(name[i]) ? '_' : name[i];
    if (size == 1 && copy[0] == '_') copy[0] = '-'; /* "_" is padding in PCD and would be lost */
    return copy;
}

clump_status clump_io_cloud_add_field(const clump_io_where *where, clump_cloud *cloud, const char *name,
                                      size_t name_size, clump_type type, uint32_t count, void **data)
{
    CLUMP_ASSERT(count >= 1 && clump_type_size(type) > 0);
    if (cloud->field_count >= CLUMP_IO_MAX_FIELDS)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "more than %d fields", CLUMP_IO_MAX_FIELDS);
    if (cloud->field_count == cloud->field_capacity) {
        const size_t capacity = cloud->field_capacity ? 2 * cloud->field_capacity : 8;
        clump_field *grown = realloc(cloud->fields, capacity * sizeof *grown);
        if (!grown) return clump_io_no_memory(where, capacity * sizeof *grown);
        cloud->fields = grown;
        cloud->field_capacity = capacity;
    }
    size_t bytes;
    if (!clump_io_multiply(cloud->count, count, &bytes) || !clump_io_multiply(bytes, clump_type_size(type), &bytes))
        return clump_io_no_memory(where, SIZE_MAX);
    char *own_name = copy_name(name, name_size);
    *data = own_name ? clump_io_allocate(bytes) : NULL;
    if (!*data) {
        free(own_name);
        return clump_io_no_memory(where, bytes + name_size);
    }
    CLUMP_ASSERT(cloud->field_count < cloud->field_capacity);
    cloud->fields[cloud->field_count++] = (clump_field){own_name, type, count, *data};
    return CLUMP_OK;
}

static bool is_coordinate_name(const char *name)
{
    return strchr("xyzXYZ", name[0]) && name[1] == 0;
}

static bool is_alike(const clump_field *a, const clump_field *b)
{
    return a->name && a->type == b->type && a->count == b->count && strcmp(a->name, b->name) == 0;
}

/* Returns memory of the cloud for such a field: one that it has, or that the frame before had. Null: none. */
static void *find_memory(clump_cloud *cloud, const clump_field *field)
{
    for (size_t i = 0; i < cloud->field_count; i++)
        if (is_alike(&cloud->fields[i], field)) return (void *)(uintptr_t)cloud->fields[i].data;
    if (!is_alike(&cloud->parked, field) || cloud->capacity == 0 || cloud->field_count == cloud->field_capacity)
        return NULL;
    for (size_t i = 0; i < cloud->field_count; i++) /* it would be replaced, and is of another type */
        if (strcmp(cloud->fields[i].name, field->name) == 0) return NULL;
    CLUMP_ASSERT(cloud->field_count < cloud->field_capacity);
    cloud->fields[cloud->field_count++] = cloud->parked;
    cloud->parked = (clump_field){0};
    return (void *)(uintptr_t)cloud->fields[cloud->field_count - 1].data;
}

/* Appends a field with room for as many points as the other fields have. */
static clump_status append_field(const clump_io_where *where, clump_cloud *cloud, const clump_field *field, void **data)
{
    const size_t count = cloud->count;
    if (cloud->capacity > 0) cloud->count = cloud->capacity;
    const clump_status status =
        clump_io_cloud_add_field(where, cloud, field->name, strlen(field->name), field->type, field->count, data);
    cloud->count = count;
    return status;
}

clump_status clump_cloud_set_field(clump_cloud *cloud, const clump_field *field, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    if (message) message->text[0] = 0;
    if (!cloud || !field || !field->name || (!field->data && cloud->count) || field->count == 0 ||
        field->count > CLUMP_IO_MAX_FIELDS || !clump_type_size(field->type))
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT,
                             "clump_cloud_set_field: no cloud, or a field without name, data, elements or known type");
    const char *bad = field->name;
    while (*bad && !is_unfit(*bad)) bad++;
    if (!field->name[0] || *bad || strcmp(field->name, "_") == 0 || is_coordinate_name(field->name))
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "\"%s\" cannot be the name of a field",
                             clump_io_quote(field->name, strlen(field->name)).text);
    const size_t bytes = cloud->count * field->count * clump_type_size(field->type);
    void *data = find_memory(cloud, field);
    if (data) {
        if (bytes) memmove(data, field->data, bytes);
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(append_field(&where, cloud, field, &data));
    /* The new field is last. Copy before an old field of that name is freed: `field` may point into it. */
    if (bytes) memcpy(data, field->data, bytes);
    clump_field *last = &cloud->fields[cloud->field_count - 1];
    for (size_t i = 0; i + 1 < cloud->field_count; i++) {
        if (strcmp(cloud->fields[i].name, last->name) != 0) continue;
        const clump_field old = cloud->fields[i];
        cloud->fields[i] = *last;
        cloud->field_count--;
        free((void *)(uintptr_t)old.name);
        free((void *)(uintptr_t)old.data);
        break;
    }
    return CLUMP_OK;
}

/* The origin is the lower corner of the box, rounded down to whole units. It is short to write, and the offsets are
 * small, where float32 is finest. A box longer than 2^24 has an outlier; relative to its corner, all other points
 * would coincide. The origin is then 0. */
void clump_io_cloud_choose_origin(clump_cloud *cloud, const double lower[3], const double upper[3])
{
    for (int a = 0; a < 3; a++) /* no finite point: -infinity, which is not >= 0 */
        cloud->origin[a] = upper[a] - lower[a] >= 0 && upper[a] - lower[a] <= 0x1p24 ? floor(lower[a]) + 0.0 : 0.0;
}

void clump_io_cloud_take_xyz64(clump_cloud *cloud, double *xyz)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < cloud->count; i++) {
        const double *p = xyz + 3 * i;
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) continue;
        for (int a = 0; a < 3; a++) {
            lower[a] = p[a] < lower[a] ? p[a] : lower[a];
            upper[a] = p[a] > upper[a] ? p[a] : upper[a];
        }
    }
    clump_io_cloud_choose_origin(cloud, lower, upper);
    bool finer = false;
    for (size_t i = 0; i < cloud->count; i++) {
        for (size_t a = 0; a < 3; a++) {
            const double value = xyz[3 * i + a];
            const float offset = (float)(value - cloud->origin[a]);
            cloud->xyz[3 * i + a] = offset;
            finer |= cloud->origin[a] + (double)offset != value && !isnan(value);
        }
    }
    free(cloud->exact);
    cloud->exact = finer ? xyz : NULL;
    if (finer) return;
    const bool reused = cloud->capacity > 0; /* the next frame needs the memory again */
    free(reused ? cloud->spare : xyz);
    if (reused) cloud->spare = xyz;
}

double clump_io_coordinate(const clump_cloud *cloud, size_t i, int axis)
{
    CLUMP_ASSERT(i < cloud->count && axis >= 0 && axis < 3);
    const size_t at = 3 * i + (size_t)axis;
    const double origin = cloud->origin[axis], local = (double)cloud->xyz[at];
    const double coarse = origin == 0 ? local : origin + local; /* 0 + -0 would be 0 */
    double fine = coarse;
    if (cloud->exact) {
        fine = cloud->exact[at];
    } else if (cloud->grid.on) {
        const clump_io_grid *g = &cloud->grid;
        const double step = g->steps ? g->steps[at] : rint((coarse - g->offset[axis]) / g->scale[axis]);
        fine = step * g->scale[axis] + g->offset[axis];
    }
    return (float)(fine - origin) == cloud->xyz[at] ? fine : coarse;
}

/* --- looking -------------------------------------------------------------------------------- */

double clump_field_value(const clump_field *field, size_t i, size_t element)
{
    if (!field || !field->data || element >= field->count) return (double)NAN;
    return clump_io_value(field->type, field->data, i * field->count + element);
}

double clump_cloud_coordinate(const clump_cloud *cloud, size_t i, int axis)
{
    if (!cloud || i >= cloud->count || axis < 0 || axis > 2) return (double)NAN;
    return clump_io_coordinate(cloud, i, axis);
}

clump_points clump_cloud_points(const clump_cloud *cloud)
{
    if (!cloud) return (clump_points){0};
    return (clump_points){.xyz = cloud->xyz, .count = cloud->count, .stride = 3 * sizeof(float)};
}

float *clump_cloud_xyz(clump_cloud *cloud)
{
    return cloud ? cloud->xyz : NULL;
}

const double *clump_cloud_origin(const clump_cloud *cloud)
{
    return cloud ? cloud->origin : NULL;
}

void clump_cloud_set_origin(clump_cloud *cloud, const double origin[3])
{
    if (cloud && origin) memcpy(cloud->origin, origin, sizeof cloud->origin);
}

size_t clump_cloud_field_count(const clump_cloud *cloud)
{
    return cloud ? cloud->field_count : 0;
}

bool clump_cloud_field(const clump_cloud *cloud, size_t index, clump_field *out)
{
    if (!cloud || index >= cloud->field_count) return false;
    if (out) *out = cloud->fields[index];
    return true;
}

bool clump_cloud_find(const clump_cloud *cloud, const char *name, clump_field *out)
{
    for (size_t i = 0; cloud && name && i < cloud->field_count; i++)
        if (strcmp(cloud->fields[i].name, name) == 0) return clump_cloud_field(cloud, i, out);
    return false;
}

clump_cloud_info clump_cloud_describe(const clump_cloud *cloud)
{
    return cloud ? cloud->info : blank_info;
}

void clump_cloud_set_shape(clump_cloud *cloud, size_t width, size_t height, const double viewpoint[7])
{
    size_t count;
    if (!cloud) return;
    if (clump_io_multiply(width, height, &count) && count == cloud->count) {
        cloud->info.width = width;
        cloud->info.height = height;
    }
    if (viewpoint) memcpy(cloud->info.viewpoint, viewpoint, sizeof cloud->info.viewpoint);
}
