/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page.c: a cloud with its labels and boxes as a page for browsers, made by the viewer.
 */
#include "arrays.h"
#include "cloud.h"
#include "values.h"
#include "viewer/page.h"

#include <stdlib.h>
#include <string.h>

/* --- how it is looked at ----------------------------------------------------------------------- */

/* A word, or the name of a field; "field:label" is a field in any case. */
static int get_colour(PyObject *object, view_options *look)
{
    static const char prefix[] = "field:";
    static const struct {
        const char *word;
        view_colour colour;
    } words[] = {
        {"label", VIEW_BY_LABEL},   {"height", VIEW_BY_HEIGHT}, {"range", VIEW_BY_RANGE},
        {"ground", VIEW_BY_GROUND}, {"rgb", VIEW_BY_RGB},
    };
    if (object == Py_None) return 0;
    const char *const text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, NULL) : NULL;
    if (!text) {
        if (!PyErr_Occurred()) py_type_error("colour", "a string", object);
        return -1;
    }
    for (size_t i = 0; i < PY_COUNT(words); i++) {
        if (strcmp(words[i].word, text)) continue;
        look->colour = words[i].colour;
        return 0;
    }
    look->colour = VIEW_BY_FIELD;
    look->field = strncmp(text, prefix, sizeof prefix - 1) ? text : text + sizeof prefix - 1;
    return 0;
}

/* From a tuple (colour, view, theme, boxes, point_size, max_points, up, flip, sensor). point_size is None where it is not
 * given, sensor a tuple of three floats. */
static int get_look(PyObject *module, PyObject *tuple, view_page_options *options, view_frame *frame)
{
    static const char *const views[] = {"home", "top", "side", "sensor", NULL};
    static const char *const themes[] = {"auto", "light", "dark", NULL};
    PyObject *values[PY_MOST_VALUES];
    view_options *const look = &options->look;
    int from, theme;
    if (py_unpack(tuple, "look", 9, values)) return -1;
    if (get_colour(values[0], look)) return -1;
    if (py_word(module, values[1], "view", "view", views, &from)) return -1;
    if (py_word(module, values[2], "view", "theme", themes, &theme)) return -1;
    if (py_bool(values[3], "boxes", &look->boxes)) return -1;
    look->point_size = view_point_size(frame);
    if (values[4] != Py_None && py_double(values[4], "point_size", &look->point_size)) return -1;
    if (!(look->point_size >= 0.1 && look->point_size <= 100))
        return py_refuse(module, "point_size is %R; it must lie between 0.1 and 100 pixels", values[4]);
    if (py_size(module, values[5], "max_points", &options->packet.most_points)) return -1;
    if (py_up(module, values[6], &frame->up) || py_bool(values[7], "flip", &frame->flip)) return -1;
    look->from = (view_from)from;
    look->theme = (view_theme)theme;
    return PyArg_ParseTuple(values[8], "ddd", &frame->sensor[0], &frame->sensor[1], &frame->sensor[2]) ? 0 : -1;
}

/* Replaces the automatic colour by the one it stands for. has_labels: points are labelled, not only boxes are shown. */
static int settle_colour(PyObject *module, view_frame *frame, view_options *look, bool has_labels)
{
    const size_t labelings = frame->labeling_count;
    if (!has_labels) frame->labeling_count = 0;
    const bool known = view_resolve_colour(frame, look, &look->colour);
    frame->labeling_count = labelings;
    if (known) return 0;
    if (look->colour == VIEW_BY_FIELD)
        return py_refuse(module,
                         "colour: there is no field '%s'; a colour is label, height, range, ground, rgb or a field",
                         look->field);
    return py_refuse(module,
                     look->colour == VIEW_BY_RGB
                         ? "colour is 'rgb', but the points have no colours: no field rgb, and no red, green and blue"
                         : "colour is 'label' or 'ground', but there are no labels");
}

/* --- the page ---------------------------------------------------------------------------------- */

/* Writes the page of the frame into *text, for free(). */
static clump_status make_page(const view_page_options *options, const view_frame *frame, char **text, size_t *size,
                              clump_message *why)
{
    FILE *const to = open_memstream(text, size);
    if (!to) return CLUMP_ERR_OUT_OF_MEMORY;
    view_page page = {0};
    clump_status status = view_page_begin(&page, to, options, why);
    if (status == CLUMP_OK) status = view_page_frame(&page, frame, why);
    if (status == CLUMP_OK) status = view_page_end(&page, why);
    view_page_release(&page);
    const bool failed = ferror(to) != 0;
    if ((fclose(to) || failed) && status == CLUMP_OK) status = CLUMP_ERR_OUT_OF_MEMORY;
    return status;
}

/* page(cloud, title, labels, clusters, has_labels, look) -> bytes of the page. labels are int32, one per point: indices of
 * clusters, -1 or -2; null without clusters. clusters are bytes of clump_cluster structs. */
static PyObject *page(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("page", count, 6)) return NULL;
    PyObject *result = NULL;
    py_array labels = {0}, clusters = {0};
    bool has_labels;
    py_cloud *const self = py_cloud_of(module, args[0]);
    const char *const title = self ? PyUnicode_AsUTF8AndSize(args[1], NULL) : NULL;
    if (!title) return NULL;
    view_page_options options = {.title = title, .look = view_defaults(), .packet = view_packet_defaults()};
    view_frame frame = {
        .name = title, .stamp = INT64_MIN, .clouds = {self->cloud}, .cloud_names = {title}, .cloud_count = 1};
    const size_t points = clump_cloud_points(self->cloud).count;
    if (py_array_get(module, args[2], "labels", 'i', PY_READ_OPTIONAL, points, &labels)) goto done;
    if (py_array_get(module, args[3], "clusters", 'B', PY_READ_OPTIONAL, PY_ANY_COUNT, &clusters)) goto done;
    if (py_bool(args[4], "has_labels", &has_labels)) goto done;
    if (labels.data || clusters.data) {
        frame.labeling_count = 1;
        frame.labelings[0] = (view_labels){.name = has_labels ? "labels" : "boxes",
                                           .labels = labels.data,
                                           .clusters = clusters.data,
                                           .count = (int32_t)(clusters.count / sizeof(clump_cluster))};
    }
    if (get_look(module, args[5], &options, &frame)) goto done;
    if (settle_colour(module, &frame, &options.look, has_labels)) goto done;
    options.packet.look = &options.look;

    char *text = NULL;
    size_t size = 0;
    clump_message why = {0};
    clump_status status;
    self->workers++;
    Py_BEGIN_ALLOW_THREADS
    status = make_page(&options, &frame, &text, &size, &why);
    Py_END_ALLOW_THREADS
    self->workers--;
    if (status == CLUMP_OK)
        result = PyBytes_FromStringAndSize(text, (Py_ssize_t)size);
    else
        py_raise(module, status, why.text);
    free(text);
done:
    py_array_release(&clusters);
    py_array_release(&labels);
    return result;
}

PyMethodDef py_page_functions[] = {
    {"page", (PyCFunction)(uintptr_t)page, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
