/* SPDX-License-Identifier: BSD-3-Clause
 *
 * las_fit.c: which field of a cloud goes where in a record.
 *
 *     field                    slot
 *     of its name and type     its own, if the values fit (return_number has three bits)
 *     of a name like it        the format's own, if the values fit: "Intensity", whatever its type
 *     a float intensity        the format's own, scaled: 0 ... 1 times 65535, 0 ... 255 times 256
 *     none of these            a new extra dimension; an array becomes name_0 name_1 ...
 *
 * A slot of the format belongs to the field of its exact name. A field of another spelling gets the slot only if there
 * is no such field. An element name_1 of an array becomes name_1_2 if another field is called name_1. A new dimension
 * never has the name of a standard one, in any case of letters: laspy refuses such a file. It becomes intensity_2.
 *
 * The format's own slots without a field are 0. Extra dimensions without a field are dropped: fields of a
 * cloud are only ever replaced, so another field has their values.
 */
#include "las/las.h"
#include "common/assert.h"
#include "format.h"

#include <math.h>

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { FIT_MAX_RECORD = 65535, FIT_MAX_DATA = 65535 /* of a VLR */, FIT_MAX_NAME = 31, FIT_MAX_OPAQUE = 255 };

/* --- values --------------------------------------------------------------------------------- */

static bool fits_bits(const uint8_t *values, size_t count, unsigned bits)
{
    CLUMP_ASSERT(bits >= 1 && bits <= 8);
    uint8_t all = 0;
    for (size_t i = 0; i < count; i++) all |= values[i];
    return all >> bits == 0;
}

/* Whether a scaled slot holds the field. Unscaled numbers are stored as they are only if a reader would not scale
 * them. */
static bool fits_scaled(const clump_field *field, const clump_io_las_slot *slot, size_t points)
{
    CLUMP_ASSERT(slot->scaled && slot->count >= 1 && slot->count == field->count);
    const double *values = field->data;
    uint64_t room; /* aligned for any type */
    void *raw = &room;
    if (field->type == slot->type) return !clump_io_las_scale_all(slot, field->data, points * field->count, NULL);
    if (field->type != CLUMP_TYPE_F64) return false;
    for (size_t i = 0; i < points * field->count; i++) {
        const uint32_t k = (uint32_t)(i % slot->count);
        if (!clump_io_las_unscale(slot, k, values[i], raw)) return false;
        /* A value between two steps would be rounded without notice. */
        const double back = clump_io_value(slot->type, raw, 0) * slot->scale[k] + slot->add[k];
        if (back != values[i] && !(isnan(back) && isnan(values[i]))) return false;
    }
    return true;
}

/* Whether all values are integers within the limits of the slot; for a float64 slot, values that float64 holds. */
static bool fits_number(const clump_field *field, const clump_io_las_slot *slot, size_t points)
{
    const size_t bytes = clump_type_size(slot->type);
    const bool real = slot->type == CLUMP_TYPE_F64, sign = slot->type == CLUMP_TYPE_I8 || slot->type == CLUMP_TYPE_I16;
    const unsigned bits = slot->bits ? slot->bits : (unsigned)(8 * bytes - sign);
    if (slot->type == CLUMP_TYPE_F32 || slot->type == CLUMP_TYPE_U64) return false; /* only fields of this type fit */
    if (real && (field->type == CLUMP_TYPE_F32 || field->type == CLUMP_TYPE_F64)) return true;
    const double highest = (double)((uint64_t)1 << (real ? 53 : bits)) - 1;
    const double lowest = real ? -highest : sign ? -highest - 1 : 0;
    for (size_t i = 0; i < points; i++) {
        const double value = clump_io_value(field->type, field->data, i);
        if (!(value >= lowest && value <= highest) || value != (double)(int64_t)value) return false;
    }
    return true;
}

bool clump_io_las_fits(const clump_field *field, const clump_io_las_slot *slot, size_t points)
{
    if (field->count != slot->count) return false;
    if (slot->bits && field->type == CLUMP_TYPE_U8) return fits_bits(field->data, points, slot->bits);
    if (slot->scaled) return fits_scaled(field, slot, points);
    if (field->type == slot->type) return true;
    return !slot->extra && fits_number(field, slot, points);
}

/* --- names ---------------------------------------------------------------------------------- */

bool clump_io_las_is_called(const clump_field *field, const char *name)
{
    static const char *const others[][2] = {{"nir", "infrared"}, {"scanner_channel", "scan_channel"}};
    if (clump_io_las_same_name(field->name, name)) return true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i][0], name) == 0 && clump_io_las_same_name(field->name, others[i][1])) return true;
    return false;
}

static bool has_exact_name(const clump_io_output *output, const char *name)
{
    for (size_t i = 0; i < output->field_count; i++)
        if (strcmp(output->fields[i].name, name) == 0) return true;
    return false;
}

/* Whether a reader would take the slot for hidden: all values are 0, and an extra dimension of the file that was read has
 * the slot's name. */
static bool would_be_hidden(const clump_io_output *output, const clump_io_las_layout *layout, const clump_field *field,
                            const clump_io_las_slot *slot)
{
    bool namesake = false;
    for (size_t i = 0; i < layout->count && !namesake; i++) {
        const char *name = layout->slots[i].name;
        namesake = layout->slots[i].extra && clump_io_las_same_name(name, slot->name) &&
                   strcmp(field->name, name) != 0 && has_exact_name(output, name);
    }
    const unsigned char *bytes = field->data;
    const size_t size = namesake ? output->cloud->count * field->count * clump_type_size(field->type) : 0;
    bool zero = namesake;
    for (size_t b = 0; b < size && zero; b++) zero = bytes[b] == 0;
    return zero;
}

/* Returns a free field for the slot, or null. exact: only a field of its exact name and type. */
static const clump_field *find(const clump_io_output *output, const clump_io_las_layout *layout, const bool *taken,
                               const clump_io_las_slot *slot, bool exact)
{
    if (exact && slot->hidden) return NULL;
    const bool exactly = exact || has_exact_name(output, slot->name);
    for (size_t i = 0; i < output->field_count; i++) {
        const clump_field *f = &output->fields[i];
        const bool named = exactly ? strcmp(f->name, slot->name) == 0 : clump_io_las_is_called(f, slot->name);
        if (taken[i] || !named || (exact && f->type != slot->type && !slot->scaled)) continue;
        if (!slot->extra && would_be_hidden(output, layout, f, slot)) continue;
        if (clump_io_las_fits(f, slot, output->cloud->count)) return f;
    }
    return NULL;
}

/* Returns the factor that brings a float intensity to 16 bits, or 0: the values are neither 0 ... 1 nor 0 ... 255. */
static double intensity_factor(const clump_field *field, size_t points)
{
    if (field->count != 1 || (field->type != CLUMP_TYPE_F32 && field->type != CLUMP_TYPE_F64)) return 0;
    double highest = 0;
    for (size_t i = 0; i < points; i++) {
        const double value = clump_io_value(field->type, field->data, i);
        if (!(value >= 0 && value <= 255)) return 0;
        highest = fmax(highest, value);
    }
    return highest <= 1 ? 65535 : 256;
}

/* --- the plan ------------------------------------------------------------------------------- */

/* What the file has otherwise than the cloud. */
typedef struct changes {
    clump_io_renamed renamed;
    double factor; /* of the intensity, or 0 */
} changes;

/* Gives the slot "intensity" to a float field of that name. */
static void scale_intensity(const clump_io_output *output, bool *taken, clump_io_las_plan *plan, size_t slots,
                            changes *changed)
{
    for (size_t i = 0; i < slots; i++) {
        clump_io_las_part *part = &plan->parts[i];
        if (part->field || part->slot.extra || strcmp(part->slot.name, "intensity") != 0) continue;
        const bool exactly = has_exact_name(output, part->slot.name);
        for (size_t f = 0; f < output->field_count && !part->field; f++) {
            const clump_field *field = &output->fields[f];
            if (taken[f] || !clump_io_las_is_called(field, part->slot.name)) continue;
            if (exactly && strcmp(field->name, part->slot.name) != 0) continue;
            changed->factor = intensity_factor(field, output->cloud->count);
            if (changed->factor == 0) return;
            part->slot.scale[0] = 1 / changed->factor;
            part->field = field;
            taken[f] = true;
        }
    }
}

static clump_status too_long(const clump_io_output *output)
{
    return CLUMP_IO_UNSUPPORTED(output, "a point would have more than %d bytes, which LAS cannot hold", FIT_MAX_RECORD);
}

static clump_status too_many(const clump_io_output *output, size_t dimensions)
{
    return CLUMP_IO_UNSUPPORTED(output, "%zu extra dimensions; LAS can describe at most %d", dimensions,
                                FIT_MAX_DATA / CLUMP_IO_LAS_DESCRIPTOR);
}

static bool is_labels(const clump_io_output *output, const clump_field *field)
{
    return output->labels && field == &output->fields[output->field_count - 1];
}

/* Whether a reader that ignores case finds one of the parts [0, count), other than `except`, under this name. */
static bool is_in_use(const clump_io_las_plan *plan, size_t count, size_t except, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        const clump_io_las_part *part = &plan->parts[i];
        if (i != except && (part->slot.extra || part->field) && strcasecmp(part->slot.name, name) == 0) return true;
    }
    return false;
}

/* Renames new dimensions that have the name of a standard one or of another part. Of equal names of whole fields the
 * first stays; elements of arrays always yield. The label keeps its name. */
static void separate_names(const clump_io_output *output, clump_io_las_plan *plan, clump_io_renamed *renamed)
{
    for (size_t i = 0; i < plan->count; i++) {
        clump_io_las_slot *slot = &plan->parts[i].slot;
        const clump_field *field = plan->parts[i].field;
        if (slot->descriptor != CLUMP_IO_LAS_ADDED || is_labels(output, field)) continue;
        const bool yields = field->count > 1 || (output->labels && strcasecmp(slot->name, "label") == 0);
        if (!clump_io_las_is_standard(slot->name) && !is_in_use(plan, yields ? plan->count : i, i, slot->name))
            continue;
        char name[sizeof slot->name];
        size_t number = 2;
        do clump_io_las_number_name(name, slot->name, number++);
        while (is_in_use(plan, plan->count, i, name));
        if (renamed->count++ == 0) {
            renamed->from = clump_io_quote(slot->name, strlen(slot->name));
            renamed->to = clump_io_quote(name, strlen(name));
        }
        memcpy(slot->name, name, sizeof name);
    }
}

/* Reports the changes in the message of a save that succeeds. */
static void say_changes(const clump_io_output *output, const changes *changed)
{
    const clump_io_renamed *renamed = &changed->renamed;
    if (changed->factor == 0) {
        clump_io_say_renamed(output, renamed);
        return;
    }
    char also[160] = "";
    if (renamed->count)
        snprintf(also, sizeof also, "; the name %s is in use: that column is written as %s", renamed->from.text,
                 renamed->to.text);
    clump_io_fail(&output->where, CLUMP_OK, "the intensity is written times %g, since LAS has 16-bit integers for it%s",
                  changed->factor, also);
}

/* Adds a part per element of a field that has no slot. */
static clump_status add_new(const clump_io_output *output, const clump_field *field, clump_io_las_plan *plan)
{
    for (uint32_t k = 0; k < field->count; k++) {
        clump_io_las_part part = {.field = field, .element = k};
        part.slot = (clump_io_las_slot){
            .type = field->type, .count = 1, .offset = plan->record, .extra = true, .descriptor = CLUMP_IO_LAS_ADDED};
        int length = snprintf(part.slot.name, sizeof part.slot.name, "%s", field->name);
        if (field->count > 1) length = snprintf(part.slot.name, sizeof part.slot.name, "%s_%u", field->name, k);
        if (length < 0 || length > FIT_MAX_NAME)
            return CLUMP_IO_UNSUPPORTED(output, "field %s: LAS has names of at most %d bytes",
                                        clump_io_quote(field->name, strlen(field->name)).text, FIT_MAX_NAME);
        plan->parts[plan->count++] = part;
        plan->record += clump_type_size(field->type);
    }
    return CLUMP_OK;
}

/* Assigns fields to the slots of the layout. False: a slot was dropped. */
static bool take_slots(const clump_io_output *output, const clump_io_las_layout *layout, bool *taken,
                       clump_io_las_plan *plan, changes *changed)
{
    for (int exact = 1; exact >= 0; exact--) {
        for (size_t i = 0; i < layout->count; i++) {
            clump_io_las_part *part = &plan->parts[i];
            if (exact) *part = (clump_io_las_part){.slot = layout->slots[i]};
            if (part->field || (!exact && part->slot.extra)) continue;
            part->field = find(output, layout, taken, &part->slot, exact);
            if (part->field) taken[part->field - output->fields] = true;
        }
    }
    scale_intensity(output, taken, plan, layout->count, changed);
    plan->record = layout->base;
    for (size_t i = 0; i < layout->count; i++) {
        clump_io_las_part part = plan->parts[i];
        CLUMP_ASSERT(plan->count <= i);
        if (part.slot.extra && !part.field) continue;
        if (part.slot.extra) {
            part.slot.offset = plan->record;
            plan->record += part.slot.count * clump_type_size(part.slot.type);
        }
        plan->parts[plan->count++] = part;
    }
    return plan->count == layout->count;
}

/* Describes `bytes` bytes of unknown meaning, at most FIT_MAX_OPAQUE per descriptor. */
static void describe_unknown(clump_io_las_plan *plan, const char *name, uint32_t bytes)
{
    for (size_t number = 1; bytes; number++) {
        const uint32_t now = bytes < FIT_MAX_OPAQUE ? bytes : FIT_MAX_OPAQUE;
        unsigned char *to = plan->descriptors + CLUMP_IO_LAS_DESCRIPTOR * plan->descriptor_count++;
        char numbered[40];
        clump_io_las_number_name(numbered, name, number);
        clump_io_las_describe_opaque(to, number == 1 ? name : numbered, now);
        bytes -= now;
    }
}

/* Writes the descriptors of all extra parts. Bytes without a descriptor get one if other parts follow. */
static void describe(const clump_io_output *output, const unsigned char *old, clump_io_las_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        const clump_io_las_slot *slot = &plan->parts[i].slot;
        const bool label = is_labels(output, plan->parts[i].field);
        unsigned char *to = plan->descriptors + plan->descriptor_count * CLUMP_IO_LAS_DESCRIPTOR;
        if (!slot->extra) continue;
        if (slot->descriptor == CLUMP_IO_LAS_UNKNOWN) {
            if (i + 1 < plan->count) describe_unknown(plan, slot->name, slot->count);
            continue;
        }
        if (slot->descriptor == CLUMP_IO_LAS_ADDED) {
            clump_io_las_describe(to, slot->name, slot->type, label ? "cluster, or -1 for noise" : "");
        } else {
            memcpy(to, old + slot->descriptor * CLUMP_IO_LAS_DESCRIPTOR, CLUMP_IO_LAS_DESCRIPTOR);
            if (slot->renamed || (slot->invented && plan->described_anew)) clump_io_las_set_name(to, slot->name);
            if (label && clump_io_las_forget_limits(to)) plan->described_anew = true;
        }
        plan->descriptor_count++;
    }
}

static clump_status make_plan(const clump_io_output *output, const clump_io_las_layout *layout,
                              const unsigned char *old, bool *taken, clump_io_las_plan *plan)
{
    size_t elements = layout->count, bytes = 0;
    for (size_t i = 0; i < output->field_count; i++) {
        size_t more;
        if (!clump_io_multiply(output->fields[i].count, clump_type_size(output->fields[i].type), &more) ||
            __builtin_add_overflow(bytes, more, &bytes))
            return too_long(output);
        elements += output->fields[i].count;
    }
    if (bytes > 2 * FIT_MAX_RECORD) return too_long(output); /* an upper bound: slots of bits count as bytes */
    plan->parts = calloc(elements, sizeof *plan->parts);
    if (!plan->parts) return clump_io_no_memory(&output->where, elements * sizeof *plan->parts);
    changes changed = {0};
    plan->described_anew = !take_slots(output, layout, taken, plan, &changed);
    for (size_t i = 0; i < plan->count; i++) plan->described_anew = plan->described_anew || plan->parts[i].slot.renamed;
    size_t added = 0, record = plan->record;
    for (size_t i = 0; i < output->field_count; i++) {
        added += taken[i] ? 0 : output->fields[i].count;
        record += taken[i] ? 0 : output->fields[i].count * clump_type_size(output->fields[i].type);
    }
    if (record > FIT_MAX_RECORD) return too_long(output);
    if (added > FIT_MAX_DATA / CLUMP_IO_LAS_DESCRIPTOR) return too_many(output, added);
    for (size_t i = 0; i < output->field_count; i++) {
        if (taken[i]) continue;
        plan->described_anew = true;
        CLUMP_IO_TRY(add_new(output, &output->fields[i], plan));
    }
    separate_names(output, plan, &changed.renamed);
    say_changes(output, &changed);
    plan->descriptors = calloc(plan->count + FIT_MAX_RECORD / FIT_MAX_OPAQUE + 1, CLUMP_IO_LAS_DESCRIPTOR);
    if (!plan->descriptors) return clump_io_no_memory(&output->where, plan->count * CLUMP_IO_LAS_DESCRIPTOR);
    describe(output, old, plan);
    if (plan->described_anew && plan->descriptor_count > FIT_MAX_DATA / CLUMP_IO_LAS_DESCRIPTOR)
        return too_many(output, plan->descriptor_count);
    return CLUMP_OK;
}

clump_status clump_io_las_plan_make(const clump_io_output *output, const clump_io_las_layout *layout,
                                    const unsigned char *old, clump_io_las_plan *plan)
{
    *plan = (clump_io_las_plan){0};
    bool *taken = calloc(output->field_count + 1, sizeof *taken);
    if (!taken) return clump_io_no_memory(&output->where, output->field_count + 1);
    const clump_status status = make_plan(output, layout, old, taken, plan);
    free(taken);
    if (status != CLUMP_OK) clump_io_las_plan_free(plan);
    return status;
}

/* Takes over all slots but a label of another type. */
static void keep_slots(const clump_io_las_layout *layout, const clump_field *label, bool *there,
                       clump_io_las_plan *plan)
{
    plan->record = layout->base;
    for (size_t i = 0; i < layout->count; i++) {
        clump_io_las_part part = {.slot = layout->slots[i]};
        const bool is_label = part.slot.extra && strcmp(part.slot.name, label->name) == 0;
        if (is_label && (part.slot.type != label->type || part.slot.count != 1 || part.slot.scaled || *there)) {
            plan->described_anew = true;
            continue;
        }
        if (is_label) part.field = label, *there = true;
        if (part.slot.extra) {
            part.slot.offset = plan->record;
            plan->record += part.slot.count * clump_type_size(part.slot.type);
        }
        plan->parts[plan->count++] = part;
    }
}

clump_status clump_io_las_plan_label(const clump_io_where *where, const clump_io_las_layout *layout,
                                     const unsigned char *old, clump_type type, clump_io_las_plan *plan)
{
    static const clump_field labels[2] = {{"label", CLUMP_TYPE_I32, 1, NULL}, {"label", CLUMP_TYPE_I64, 1, NULL}};
    static const int32_t none = 0;
    const clump_field *label = &labels[type == CLUMP_TYPE_I64];
    const clump_io_output output = {.fields = label, .field_count = 1, .labels = &none, .where = *where};
    bool there = false;
    *plan = (clump_io_las_plan){.parts = calloc(layout->count + 1, sizeof *plan->parts)};
    plan->descriptors = calloc(layout->count + 2 + FIT_MAX_RECORD / FIT_MAX_OPAQUE, CLUMP_IO_LAS_DESCRIPTOR);
    if (!plan->parts || !plan->descriptors) return clump_io_no_memory(where, (layout->count + 1) * sizeof *plan->parts);
    keep_slots(layout, label, &there, plan);
    if (!there) {
        if (plan->record + clump_type_size(type) > FIT_MAX_RECORD) return too_long(&output);
        plan->described_anew = true;
        CLUMP_IO_TRY(add_new(&output, label, plan));
    }
    describe(&output, old, plan);
    if (plan->described_anew && plan->descriptor_count > FIT_MAX_DATA / CLUMP_IO_LAS_DESCRIPTOR)
        return too_many(&output, plan->descriptor_count);
    return CLUMP_OK;
}

void clump_io_las_plan_free(clump_io_las_plan *plan)
{
    free(plan->parts);
    free(plan->descriptors);
    *plan = (clump_io_las_plan){0};
}
