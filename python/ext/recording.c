/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recording.c: recordings of a sensor, frame by frame. _recordings.py makes the iterator.
 *
 * The GIL is released while a frame is read. `busy` is set meanwhile: a second thread gets an exception, as with a generator.
 *
 * A live recording calls watch() while it waits: Ctrl-C raises its exception at once, and sentences go to the logger "clump".
 */
#include "cloud.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct py_recording {
    PyObject_HEAD
    clump_recording *recording; /* null: closed */
    bool busy;                  /* a call without the GIL is under way */
    PyThreadState *thread;      /* that has released the GIL, while busy; watch() is called by it */
    pid_t reader;               /* the process of the thread that reads ahead; 0: no such thread */
} py_recording;

static void destroy(PyObject *self)
{
    clump_recording *const recording = ((py_recording *)self)->recording;
    Py_BEGIN_ALLOW_THREADS
    clump_recording_close(recording); /* waits for its thread */
    Py_END_ALLOW_THREADS
    py_free(self);
}

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void *)(uintptr_t)destroy},
    {Py_tp_doc, (void *)"A clump_recording."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "clump._clump.RecordingHandle",
    .basicsize = sizeof(py_recording),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

int py_recording_init(PyObject *module)
{
    py_state *const state = py_state_of(module);
    state->recording_type = py_add_type(module, &spec);
    return state->recording_type ? 0 : -1;
}

/* Returns the argument as a recording that is open and not busy, or null with an exception. */
static py_recording *recording_of(PyObject *module, PyObject *object)
{
    py_recording *const self = (py_recording *)object;
    if (!PyObject_TypeCheck(object, (PyTypeObject *)py_state_of(module)->recording_type))
        PyErr_SetString(PyExc_TypeError, "a RecordingHandle is needed");
    else if (self->busy)
        py_refuse(module, "another thread reads this recording");
    else if (!self->recording)
        py_refuse(module, "the recording is closed");
    else
        return self;
    return NULL;
}

/* As recording_of, for calls that wait for the thread that reads ahead. A forked child does not have it. */
static py_recording *reader_of(PyObject *module, PyObject *object)
{
    py_recording *const self = recording_of(module, object);
    if (!self || !self->reader || self->reader == getpid()) return self;
    py_refuse(module, "the recording was opened with read_ahead before a fork: open it in this process");
    return NULL;
}

/* --- opening --------------------------------------------------------------------------------- */

/* Gives a sentence to Python's logging. */
static void say(const char *note)
{
    PyObject *const logging = PyImport_ImportModule("logging");
    PyObject *const logger = logging ? PyObject_CallMethod(logging, "getLogger", "s", "clump") : NULL;
    PyObject *const text = logger ? py_text(note) : NULL;
    PyObject *const done = text ? PyObject_CallMethod(logger, "warning", "sO", "%s", text) : NULL;
    Py_XDECREF(done);
    Py_XDECREF(text);
    Py_XDECREF(logger);
    Py_XDECREF(logging);
}

/* A clump_recording_watch. False: an exception is set, and the recording ends. */
static bool watch(void *user, const char *note)
{
    py_recording *const self = user;
    if (!self->thread) return true;
    PyEval_RestoreThread(self->thread);
    if (note && !PyErr_Occurred()) say(note);
    const bool goes_on = !PyErr_Occurred() && !PyErr_CheckSignals();
    self->thread = PyEval_SaveThread();
    return goes_on;
}

/* Opens one path, or a list of cloud files. */
static clump_status open_paths(py_recording *self, const char **paths, size_t count, bool is_list,
                               const clump_recording_options *options, clump_message *why)
{
    clump_status status;
    self->thread = PyEval_SaveThread();
    status = is_list ? clump_recording_open_files(paths, count, options, &self->recording, why)
                     : clump_recording_open(paths[0], options, &self->recording, why);
    PyEval_RestoreThread(self->thread);
    self->thread = NULL;
    return status;
}

/* open(list of bytes, is_list, topic, metadata, calibration, organised, columns, read_ahead) */
static PyObject *open_recording(PyObject *module, PyObject *args)
{
    PyObject *list;
    int is_list, organised;
    Py_ssize_t read_ahead, size;
    clump_recording_options options = clump_recording_defaults();
    if (!PyArg_ParseTuple(args, "Opzz#z#pzn", &list, &is_list, &options.topic, &options.metadata, &size,
                          &options.calibration, &size, &organised, &options.columns, &read_ahead))
        return NULL;
    options.organised = organised;
    options.read_ahead = (size_t)read_ahead;
    const Py_ssize_t count = PyList_Size(list);
    if (count < 0) return NULL;
    const char **const paths = calloc((size_t)count + 1, sizeof *paths);
    if (!paths) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++) {
        paths[i] = PyBytes_AsString(PyList_GetItem(list, i)); /* the list lives as long as the call */
        if (!paths[i]) {
            free(paths);
            return NULL;
        }
    }
    py_recording *const self = (py_recording *)py_new((PyTypeObject *)py_state_of(module)->recording_type);
    if (!self) {
        free(paths);
        return NULL;
    }
    options.watch = watch;
    options.watch_user = self;
    clump_message why = {0};
    const clump_status status = open_paths(self, paths, (size_t)count, is_list, &options, &why);
    free(paths);
    self->reader = read_ahead > 0 ? getpid() : 0;
    if (status == CLUMP_OK && !PyErr_Occurred()) return (PyObject *)self;
    if (!PyErr_Occurred()) py_raise(module, status, why.text);
    Py_DECREF(self);
    return NULL;
}

/* close(recording): a closed one stays closed */
static PyObject *close_recording(PyObject *module, PyObject *object)
{
    if (PyObject_TypeCheck(object, (PyTypeObject *)py_state_of(module)->recording_type) &&
        !((py_recording *)object)->recording && !((py_recording *)object)->busy)
        Py_RETURN_NONE;
    py_recording *const self = recording_of(module, object);
    if (!self) return NULL;
    clump_recording *const recording = self->recording;
    self->recording = NULL;
    Py_BEGIN_ALLOW_THREADS
    clump_recording_close(recording);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

/* --- frames ---------------------------------------------------------------------------------- */

/* Makes the tuple of a frame and takes over its cloud. */
static PyObject *frame_tuple(PyObject *module, clump_frame *frame)
{
    clump_cloud *const cloud = frame->cloud;
    frame->cloud = NULL;
    PyObject *const path = frame->path ? PyUnicode_DecodeFSDefault(frame->path) : Py_NewRef(Py_None);
    return Py_BuildValue("(KLNLNKN)", (unsigned long long)frame->index, (long long)frame->stamp,
                         py_cloud_wrap(module, cloud), (long long)frame->received, py_text(frame->frame_id),
                         (unsigned long long)frame->lost, path);
}

/* next(recording): (index, stamp, cloud, received, frame_id, lost, path), or None at the end */
static PyObject *next(PyObject *module, PyObject *object)
{
    py_recording *const self = reader_of(module, object);
    if (!self) return NULL;
    clump_frame frame = {0};
    clump_message why = {0};
    bool more = false;
    clump_status status;
    self->busy = true;
    self->thread = PyEval_SaveThread();
    status = clump_recording_next(self->recording, &frame, &more, &why);
    PyEval_RestoreThread(self->thread);
    self->thread = NULL;
    self->busy = false;
    PyObject *result = NULL;
    if (PyErr_Occurred()) /* in watch() */
        ;
    else if (status != CLUMP_OK)
        py_raise(module, status, why.text);
    else
        result = more ? frame_tuple(module, &frame) : Py_NewRef(Py_None);
    clump_frame_release(&frame);
    return result;
}

/* seek(recording, time) */
static PyObject *seek(PyObject *module, PyObject *args)
{
    PyObject *object;
    long long time;
    if (!PyArg_ParseTuple(args, "OL", &object, &time)) return NULL;
    py_recording *const self = reader_of(module, object);
    if (!self) return NULL;
    clump_message why = {0};
    clump_status status;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS
    status = clump_recording_seek(self->recording, time, &why);
    Py_END_ALLOW_THREADS
    self->busy = false;
    if (status == CLUMP_OK) Py_RETURN_NONE;
    py_raise(module, status, why.text);
    return NULL;
}

/* --- what is in it --------------------------------------------------------------------------- */

static PyObject *topic_tuple(const clump_topic *t)
{
    return Py_BuildValue("(NNOKKLLLKL)", py_text(t->name), py_text(t->type), t->has_clouds ? Py_True : Py_False,
                         (unsigned long long)t->messages, (unsigned long long)t->frames, (long long)t->first,
                         (long long)t->last, (long long)t->period, (unsigned long long)t->gaps,
                         (long long)t->longest_gap);
}

/* topics(recording): a list of tuples, in the order of clump_topic */
static PyObject *topics(PyObject *module, PyObject *object)
{
    py_recording *const self = reader_of(module, object);
    if (!self) return NULL;
    const clump_topic *found = NULL;
    size_t count = 0;
    clump_message why = {0};
    clump_status status;
    self->busy = true;
    self->thread = PyEval_SaveThread();
    status = clump_recording_topics(self->recording, &found, &count, &why);
    PyEval_RestoreThread(self->thread);
    self->thread = NULL;
    self->busy = false;
    if (PyErr_Occurred()) return NULL; /* in watch() */
    if (status != CLUMP_OK) {
        py_raise(module, status, why.text);
        return NULL;
    }
    PyObject *const list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *const row = topic_tuple(&found[i]);
        if (!row || PyList_Append(list, row) < 0) {
            Py_XDECREF(row);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(row);
    }
    return list;
}

/* lost(recording): a tuple in the order of clump_recording_losses */
static PyObject *lost(PyObject *module, PyObject *object)
{
    py_recording *const self = recording_of(module, object);
    if (!self) return NULL;
    const clump_recording_losses l = clump_recording_lost(self->recording);
    return Py_BuildValue("(KKKKKKON)", (unsigned long long)l.damaged_chunks, (unsigned long long)l.damaged_messages,
                         (unsigned long long)l.damaged_packets, (unsigned long long)l.lost_packets,
                         (unsigned long long)l.reordered, (unsigned long long)l.lost_bytes,
                         l.truncated ? Py_True : Py_False, py_text(l.first));
}

/* kind(recording): (format, topic that is read or None) */
static PyObject *kind(PyObject *module, PyObject *object)
{
    py_recording *const self = recording_of(module, object);
    if (!self) return NULL;
    const char *const topic = clump_recording_topic(self->recording);
    return Py_BuildValue("(sN)", clump_recording_format_name(clump_recording_kind(self->recording)),
                         topic ? py_text(topic) : Py_NewRef(Py_None));
}

PyMethodDef py_recording_functions[] = {
    {"recording_open", open_recording, METH_VARARGS, NULL},
    {"recording_close", close_recording, METH_O, NULL},
    {"recording_next", next, METH_O, NULL},
    {"recording_seek", seek, METH_VARARGS, NULL},
    {"recording_topics", topics, METH_O, NULL},
    {"recording_lost", lost, METH_O, NULL},
    {"recording_kind", kind, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
