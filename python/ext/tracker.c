/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tracker.c: clump_tracker and clump_memory.
 */
#include <clump/track.h>

#include "arrays.h"
#include "values.h"

#include <string.h>

static void destroy_tracker(void *tracker)
{
    clump_tracker_destroy(tracker);
}

static const py_kind tracker_kind = {"tracker", "a tracker", destroy_tracker};

/* The members of clump_track, as columns of a structured array: name, offset and type of NumPy. */
#define MEMBER(name, member, type)                                                                                     \
    {                                                                                                                  \
        name, offsetof(clump_track, member), type                                                                      \
    }
static const struct {
    const char *name;
    size_t offset;
    const char *type;
} members[] = {
    MEMBER("id", id, "u8"),
    MEMBER("velocity_x", velocity[0], "f4"),
    MEMBER("velocity_y", velocity[1], "f4"),
    MEMBER("velocity_z", velocity[2], "f4"),
    MEMBER("speed", speed, "f4"),
    MEMBER("seen", seen, "u4"),
    MEMBER("missed", missed, "u4"),
    MEMBER("age", age, "f8"),
    MEMBER("motion", motion, "u4"),
    MEMBER("confidence", confidence, "f4"),
};

/* The module gets track_fields, a list of (name, offset, type), and track_size. */
int py_tracker_init(PyObject *module)
{
    if (PyModule_AddIntConstant(module, "track_size", (long)sizeof(clump_track))) return -1;
    PyObject *const fields = PyList_New(0);
    if (!fields) return -1;
    int status = 0;
    for (size_t i = 0; i < PY_COUNT(members) && !status; i++) {
        PyObject *const field = Py_BuildValue("sns", members[i].name, (Py_ssize_t)members[i].offset, members[i].type);
        status = field ? PyList_Append(fields, field) : -1;
        Py_XDECREF(field);
    }
    if (!status) status = PyModule_AddObjectRef(module, "track_fields", fields);
    Py_DECREF(fields);
    return status;
}

/* tracker_create(context, options) -> Owner */
static PyObject *tracker_create(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("tracker_create", count, 2)) return NULL;
    clump_tracker_options options = clump_tracker_defaults();
    clump_tracker *tracker = NULL;
    clump_context *ctx;
    if (py_options(module, args[1], "tracker", false, &options)) return NULL;
    if (py_context_begin(module, args[0], &ctx)) return NULL;
    const clump_status status = clump_tracker_create(ctx, &options, &tracker);
    if (py_context_finish(module, args[0], ctx, status)) return NULL;
    return py_owner_new(module, &tracker_kind, tracker);
}

/* tracker_update(context, tracker, time, pose, clusters, tracks): clusters and tracks are bytes of structs, as many of both; pose:
 * 12 numbers of float64, or None */
static PyObject *tracker_update(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("tracker_update", count, 6)) return NULL;
    PyObject *result = NULL;
    py_array clusters = {0}, tracks = {0}, pose = {0};
    int32_t number;
    int64_t time;
    if (py_time(module, args[2], &time)) goto done;
    if (py_array_get(module, args[3], "pose", 'd', PY_READ_OPTIONAL, 12, &pose)) goto done;
    if (py_clusters_get(module, args[4], &clusters, &number)) goto done;
    if (py_array_get(module, args[5], "tracks", 'B', PY_WRITE, (size_t)number * sizeof(clump_track), &tracks))
        goto done;

    clump_context *ctx;
    clump_status status;
    void *tracker;
    if (py_owner_begin(module, args[0], args[1], &tracker_kind, &ctx, &tracker)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_tracker_update_at(ctx, tracker, time, pose.data, clusters.data, number, tracks.data);
    Py_END_ALLOW_THREADS
    if (!py_owner_finish(module, args[0], args[1], ctx, status)) result = Py_NewRef(Py_None);
done:
    py_array_release(&tracks);
    py_array_release(&clusters);
    py_array_release(&pose);
    return result;
}

/* tracker_reset(tracker) */
static PyObject *tracker_reset(PyObject *module, PyObject *object)
{
    clump_tracker *const tracker = py_owner_thing(module, object, &tracker_kind);
    if (!tracker) return NULL;
    clump_tracker_reset(tracker);
    Py_RETURN_NONE;
}

/* ----- memory ----- */

static void destroy_memory(void *memory)
{
    clump_memory_destroy(memory);
}

static const py_kind memory_kind = {"memory", "a memory", destroy_memory};

_Static_assert(sizeof(clump_memory_box) == 36 && offsetof(clump_memory_box, views) == 28,
               "the structured type of python/clump/_track.py");

/* memory_create(context, whether y is up) -> Owner */
static PyObject *memory_create(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("memory_create", count, 2)) return NULL;
    clump_memory *memory = NULL;
    clump_context *ctx;
    if (py_context_begin(module, args[0], &ctx)) return NULL;
    const clump_status status = clump_memory_create(ctx, args[1] == Py_True ? CLUMP_UP_Y : CLUMP_UP_Z, &memory);
    if (py_context_finish(module, args[0], ctx, status)) return NULL;
    return py_owner_new(module, &memory_kind, memory);
}

/* memory_correct(context, memory, time, pose, points, labels, clusters, found, count, whether y is up, sensor) -> number of
 * clusters. clusters and found are bytes of structs, with room for as many of both; of these, the first `count` are there. */
static PyObject *memory_correct(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("memory_correct", count, 11)) return NULL;
    PyObject *result = NULL;
    py_points points = {0};
    py_array pose = {0}, labels = {0}, clusters = {0}, found = {0}, sensor = {0};
    int32_t capacity, number = 0;
    int64_t time;
    if (py_time(module, args[2], &time)) goto done;
    if (py_array_get(module, args[3], "pose", 'd', PY_READ_OPTIONAL, 12, &pose)) goto done;
    if (py_points_get(module, args[4], &points)) goto done;
    if (py_array_get(module, args[5], "labels", 'i', PY_WRITE, points.points.count, &labels)) goto done;
    if (py_clusters_get(module, args[6], &clusters, &capacity)) goto done;
    if (py_array_get(module, args[7], "objects", 'B', PY_WRITE, (size_t)capacity * sizeof(clump_object), &found))
        goto done;
    if (py_array_get(module, args[10], "sensor", 'f', PY_READ_OPTIONAL, 3, &sensor)) goto done;
    const long given = PyLong_AsLong(args[8]);
    if (given == -1 && PyErr_Occurred()) goto done;
    number = given < 0 || given > capacity ? -1 : (int32_t)given; /* which the library refuses */
    clump_describe_options options = clump_describe_defaults();
    options.up = args[9] == Py_True ? CLUMP_UP_Y : CLUMP_UP_Z;
    if (sensor.data) memcpy(options.sensor, sensor.data, sizeof options.sensor);

    clump_context *ctx;
    clump_status status;
    void *memory;
    if (py_owner_begin(module, args[0], args[1], &memory_kind, &ctx, &memory)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_memory_correct(ctx, memory, time, pose.data, points.points, &options, labels.data, clusters.data,
                                  found.data, capacity, &number);
    if (status == CLUMP_OK && number <= capacity) py_clusters_turn(clusters.data, number);
    Py_END_ALLOW_THREADS
    if (!py_owner_finish(module, args[0], args[1], ctx, status)) result = PyLong_FromLong(number);
done:
    py_array_release(&sensor);
    py_array_release(&found);
    py_array_release(&clusters);
    py_array_release(&labels);
    py_points_release(&points);
    py_array_release(&pose);
    return result;
}

/* memory_remember(context, memory, time, pose, clusters, found, tracks, boxes): bytes of structs, as many of all */
static PyObject *memory_remember(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("memory_remember", count, 8)) return NULL;
    PyObject *result = NULL;
    py_array pose = {0}, clusters = {0}, found = {0}, tracks = {0}, boxes = {0};
    int32_t number;
    int64_t time;
    if (py_time(module, args[2], &time)) goto done;
    if (py_array_get(module, args[3], "pose", 'd', PY_READ_OPTIONAL, 12, &pose)) goto done;
    if (py_clusters_get(module, args[4], &clusters, &number)) goto done;
    const size_t rows = (size_t)number;
    if (py_array_get(module, args[5], "objects", 'B', PY_WRITE, rows * sizeof(clump_object), &found)) goto done;
    if (py_array_get(module, args[6], "tracks", 'B', PY_WRITE, rows * sizeof(clump_track), &tracks)) goto done;
    if (py_array_get(module, args[7], "boxes", 'B', PY_WRITE, rows * sizeof(clump_memory_box), &boxes)) goto done;

    clump_context *ctx;
    clump_status status;
    void *memory;
    if (py_owner_begin(module, args[0], args[1], &memory_kind, &ctx, &memory)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status =
        clump_memory_remember(ctx, memory, time, pose.data, clusters.data, found.data, tracks.data, number, boxes.data);
    Py_END_ALLOW_THREADS
    if (!py_owner_finish(module, args[0], args[1], ctx, status)) result = Py_NewRef(Py_None);
done:
    py_array_release(&boxes);
    py_array_release(&tracks);
    py_array_release(&found);
    py_array_release(&clusters);
    py_array_release(&pose);
    return result;
}

/* memory_reset(memory) */
static PyObject *memory_reset(PyObject *module, PyObject *object)
{
    clump_memory *const memory = py_owner_thing(module, object, &memory_kind);
    if (!memory) return NULL;
    clump_memory_reset(memory);
    Py_RETURN_NONE;
}

PyMethodDef py_tracker_functions[] = {
    {"memory_create", (PyCFunction)(uintptr_t)memory_create, METH_FASTCALL, NULL},
    {"memory_correct", (PyCFunction)(uintptr_t)memory_correct, METH_FASTCALL, NULL},
    {"memory_remember", (PyCFunction)(uintptr_t)memory_remember, METH_FASTCALL, NULL},
    {"memory_reset", memory_reset, METH_O, NULL},
    {"tracker_create", (PyCFunction)(uintptr_t)tracker_create, METH_FASTCALL, NULL},
    {"tracker_update", (PyCFunction)(uintptr_t)tracker_update, METH_FASTCALL, NULL},
    {"tracker_reset", tracker_reset, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
