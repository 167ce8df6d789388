/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tracker.c: the type Tracker, which owns a clump_tracker. One thread at a time may use it: `busy` is read and written with
 * the GIL held.
 */
#include <clump/track.h>
#include <unistd.h>

#include "arrays.h"
#include "values.h"

typedef struct py_tracker {
    PyObject_HEAD
    clump_tracker *tracker;
    bool busy;
    pid_t process; /* that `busy` is of: a child process has no other threads */
} py_tracker;

static void tracker_dealloc(PyObject *object)
{
    clump_tracker_destroy(((py_tracker *)object)->tracker);
    py_free(object);
}

static PyType_Slot tracker_slots[] = {
    {Py_tp_dealloc, (void *)(uintptr_t)tracker_dealloc},
    {Py_tp_doc, "A clump_tracker."},
    {0, NULL},
};

static PyType_Spec tracker_spec = {
    .name = "clump._clump.Tracker",
    .basicsize = sizeof(py_tracker),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = tracker_slots,
};

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
    PyObject *const type = py_add_type(module, &tracker_spec);
    py_state_of(module)->tracker_type = type;
    if (!type || PyModule_AddIntConstant(module, "track_size", (long)sizeof(clump_track))) return -1;
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

/* The object as tracker that no other thread uses; null with an exception set. */
static py_tracker *tracker_of(PyObject *module, PyObject *object)
{
    if (!PyObject_TypeCheck(object, (PyTypeObject *)py_state_of(module)->tracker_type)) {
        py_type_error("tracker", "a tracker", object);
        return NULL;
    }
    py_tracker *const self = (py_tracker *)object;
    if (self->busy && self->process == getpid()) {
        py_refuse(module, "the tracker is in use by another thread");
        return NULL;
    }
    self->busy = false;
    return self;
}

/* tracker_create(context, options) -> Tracker */
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
    py_tracker *const self = (py_tracker *)py_new((PyTypeObject *)py_state_of(module)->tracker_type);
    if (self)
        self->tracker = tracker;
    else
        clump_tracker_destroy(tracker);
    return (PyObject *)self;
}

static int get_time(PyObject *module, PyObject *object, int64_t *time)
{
    int overflow;
    PyObject *const number = PyNumber_Index(object);
    if (!number) return -1;
    *time = (int64_t)PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    return overflow ? py_refuse(module, "time is %R, which is too large for nanoseconds in 64 bits", object) : 0;
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
    if (get_time(module, args[2], &time)) goto done;
    if (py_array_get(module, args[3], "pose", 'd', PY_READ_OPTIONAL, 12, &pose)) goto done;
    if (py_clusters_get(module, args[4], &clusters, &number)) goto done;
    if (py_array_get(module, args[5], "tracks", 'B', PY_WRITE, (size_t)number * sizeof(clump_track), &tracks))
        goto done;

    clump_context *ctx;
    clump_status status;
    if (py_context_begin(module, args[0], &ctx)) goto done;
    py_tracker *const self = tracker_of(module, args[1]); /* which another thread may have used while this one waited */
    if (!self) {
        py_context_end(args[0]);
        goto done;
    }
    self->busy = true;
    self->process = getpid();
    Py_BEGIN_ALLOW_THREADS
    status = clump_tracker_update_at(ctx, self->tracker, time, pose.data, clusters.data, number, tracks.data);
    Py_END_ALLOW_THREADS
    self->busy = false;
    if (!py_context_finish(module, args[0], ctx, status)) result = Py_NewRef(Py_None);
done:
    py_array_release(&tracks);
    py_array_release(&clusters);
    py_array_release(&pose);
    return result;
}

/* tracker_reset(tracker) */
static PyObject *tracker_reset(PyObject *module, PyObject *object)
{
    py_tracker *const self = tracker_of(module, object);
    if (!self) return NULL;
    clump_tracker_reset(self->tracker);
    Py_RETURN_NONE;
}

PyMethodDef py_tracker_functions[] = {
    {"tracker_create", (PyCFunction)(uintptr_t)tracker_create, METH_FASTCALL, NULL},
    {"tracker_update", (PyCFunction)(uintptr_t)tracker_update, METH_FASTCALL, NULL},
    {"tracker_reset", tracker_reset, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
