/* SPDX-License-Identifier: BSD-3-Clause
 *
 * module.h: the extension module clump._clump: its state, its errors, its contexts.
 *
 * The functions of the module are thin: buffers in, buffers out, one call of the library each. What users see is made in
 * Python (python/clump). Every file of functions has one table, py_NAME_functions, which module.c adds to the module. state.c
 * has what they share.
 *
 * The module uses the Limited API of Python 3.11, so one binary serves 3.11 and all later versions. It keeps no static
 * Python objects: everything is in the state of the module.
 */
#ifndef CLUMP_PYTHON_MODULE_H
#define CLUMP_PYTHON_MODULE_H

#include <Python.h>
#include <clump/clump.h>

typedef struct py_state {
    PyObject *error; /* the exceptions of python/clump/_errors.py */
    PyObject *argument_error;
    PyObject *out_of_memory_error;
    PyObject *device_error;
    PyObject *file_error;
    PyObject *format_error;
    PyObject *in_python;    /* its function that puts sentences of the library in Python's words */
    PyObject *context_type; /* heap types of the module */
    PyObject *index_type;
    PyObject *cloud_type;
    PyObject *cloud_view_type;
    PyObject *recording_type;
    PyObject *view_type;
    PyObject *owner_type;
    PyObject *getsignal, *interrupt_handler; /* _signal.getsignal, and the handler that raises KeyboardInterrupt */
} py_state;

/* Returns the state of the module. */
py_state *py_state_of(PyObject *module);

/* Sets the exception that belongs to a status, with this sentence in Python's words. Always returns -1. */
int py_raise(PyObject *module, clump_status status, const char *sentence);

/* As py_raise with CLUMP_ERR_ARGUMENT; the sentence is made as by PyErr_Format. */
int py_refuse(PyObject *module, const char *format, ...);

/* Adds a heap type to the module under its name. Returns a new reference, null with an exception set. */
PyObject *py_add_type(PyObject *module, PyType_Spec *spec);

/* Allocates a zeroed object of a heap type; frees one. */
PyObject *py_new(PyTypeObject *type);
void py_free(PyObject *object);

/* context.c. A context is used by one call at a time: py_context_begin takes its lock and waits, without the GIL, for a
 * call of another thread. Returns -1 with an exception set where the object is no context or is closed. After 0,
 * py_context_end must follow. */
int py_context_begin(PyObject *module, PyObject *object, clump_context **out);

/* The CUDA stream of arrays on a GPU. */
typedef struct py_stream {
    void *handle; /* null: the arrays are in host memory */
    bool waits;   /* the call ends when the GPU is done: the library of the arrays knows nothing of the stream */
} py_stream;

/* As py_context_begin. The call runs on this stream until py_context_finish or py_context_end. */
int py_context_begin_on(PyObject *module, PyObject *object, py_stream stream, clump_context **out);

void py_context_end(PyObject *object);

/* Ends the use of a context after a call that returned `status`. Returns 0, or -1 with the exception set that has the
 * context's sentence. Every call of the library looks like this:
 *
 *     if (py_context_begin_on(module, args[0], points.stream, &ctx)) goto done;
 *     Py_BEGIN_ALLOW_THREADS
 *     status = clump_ec(ctx, ...);
 *     Py_END_ALLOW_THREADS
 *     if (py_context_finish(module, args[0], ctx, status)) goto done;
 */
int py_context_finish(PyObject *module, PyObject *object, clump_context *ctx, clump_status status);

/* owners: objects of Python that own one thing of the library which lives over many calls: a tracker, an odometry, a map. One
 * thread at a time may use it: `busy` is read and written with the GIL held. */
typedef struct py_kind {
    const char *name, *one; /* "odometry", "an odometry" */
    void (*destroy)(void *thing);
} py_kind;

typedef struct py_owner {
    PyObject_HEAD
    const py_kind *kind;
    void *thing;
    bool busy;
    pid_t process; /* that `busy` is of: a child process has no other threads */
} py_owner;

/* Makes an owner. Destroys the thing where that fails. */
PyObject *py_owner_new(PyObject *module, const py_kind *kind, void *thing);

/* Returns the thing of an owner that no other thread uses; null with an exception set. */
void *py_owner_thing(PyObject *module, PyObject *object, const py_kind *kind);

/* Takes the context, and then the owner: another thread may have used it while this one waited. Returns -1 with an exception
 * set. After 0, py_owner_finish must follow. */
int py_owner_begin(PyObject *module, PyObject *context, PyObject *object, const py_kind *kind, clump_context **ctx,
                   void **thing);

/* As py_context_finish. */
int py_owner_finish(PyObject *module, PyObject *context, PyObject *object, clump_context *ctx, clump_status status);

/* Reads a time in nanoseconds. */
int py_time(PyObject *module, PyObject *object, int64_t *time);

/* Types and tables of functions. */
int py_context_init(PyObject *module);
int py_cloud_init(PyObject *module);
int py_recording_init(PyObject *module);
int py_view_init(PyObject *module);
int py_index_init(PyObject *module);
int py_describe_init(PyObject *module);
int py_objects_init(PyObject *module);
int py_owner_init(PyObject *module);
int py_tracker_init(PyObject *module);
extern PyMethodDef py_context_functions[];
extern PyMethodDef py_describe_functions[];
extern PyMethodDef py_detect_functions[];
extern PyMethodDef py_device_functions[];
extern PyMethodDef py_icp_functions[];
extern PyMethodDef py_index_functions[];
extern PyMethodDef py_job_functions[];
extern PyMethodDef py_cloud_functions[];
extern PyMethodDef py_recording_functions[];
extern PyMethodDef py_view_functions[];
extern PyMethodDef py_object_functions[];
extern PyMethodDef py_obstacle_functions[];
extern PyMethodDef py_offset_functions[];
extern PyMethodDef py_page_functions[];
extern PyMethodDef py_odometry_functions[];
extern PyMethodDef py_tracker_functions[];

#endif
