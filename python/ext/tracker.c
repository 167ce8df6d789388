/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tracker.c: clump_tracker.
 */
#include <clump/track.h>

#include "arrays.h"
#include "values.h"

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

PyMethodDef py_tracker_functions[] = {
    {"tracker_create", (PyCFunction)(uintptr_t)tracker_create, METH_FASTCALL, NULL},
    {"tracker_update", (PyCFunction)(uintptr_t)tracker_update, METH_FASTCALL, NULL},
    {"tracker_reset", tracker_reset, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
