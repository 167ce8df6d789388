/* SPDX-License-Identifier: BSD-3-Clause
 *
 * state.c: what all files of the module need: its state, exceptions, objects of heap types, owners.
 */
#include "values.h"

#include <string.h>
#include <unistd.h>

py_state *py_state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

int py_raise(PyObject *module, clump_status status, const char *sentence)
{
    py_state *state = py_state_of(module);
    PyObject *type = state->error;
    switch (status) {
    case CLUMP_ERR_ARGUMENT:
    case CLUMP_ERR_OPTIONS:
    case CLUMP_ERR_MEMORY_KIND:
    case CLUMP_ERR_TOO_MANY:
        type = state->argument_error;
        break;
    case CLUMP_ERR_OUT_OF_MEMORY:
        type = state->out_of_memory_error;
        break;
    case CLUMP_ERR_NO_DEVICE:
    case CLUMP_ERR_UNSUPPORTED:
    case CLUMP_ERR_DEVICE:
        type = state->device_error;
        break;
    case CLUMP_ERR_IO_OPEN:
    case CLUMP_ERR_IO_READ:
    case CLUMP_ERR_IO_WRITE:
        type = state->file_error;
        break;
    case CLUMP_ERR_IO_FORMAT:
    case CLUMP_ERR_IO_TRUNCATED:
    case CLUMP_ERR_IO_UNSUPPORTED:
        type = state->format_error;
        break;
    default:
        break;
    }
    /* File names and broken files have bytes that are not UTF-8. */
    const char *text = sentence && *sentence ? sentence : clump_status_text(status);
    PyObject *words = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape");
    PyObject *said = words ? PyObject_CallFunctionObjArgs(state->in_python, words, NULL) : NULL;
    if (said) PyErr_SetObject(type, said);
    Py_XDECREF(said);
    Py_XDECREF(words);
    return -1;
}

int py_refuse(PyObject *module, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    PyErr_FormatV(py_state_of(module)->argument_error, format, values);
    va_end(values);
    return -1;
}

PyObject *py_add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddType(module, (PyTypeObject *)type)) Py_CLEAR(type);
    return type;
}

PyObject *py_new(PyTypeObject *type)
{
    allocfunc allocate = (allocfunc)(uintptr_t)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, 0);
}

void py_free(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)(uintptr_t)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type); /* every object of a heap type holds a reference to it */
}

/* ----- owners ------------------------------------------------------------------------------------------- */

static void owner_dealloc(PyObject *object)
{
    const py_owner *const self = (py_owner *)object;
    if (self->kind) self->kind->destroy(self->thing);
    py_free(object);
}

static PyType_Slot owner_slots[] = {
    {Py_tp_dealloc, (void *)(uintptr_t)owner_dealloc},
    {Py_tp_doc, "A clump_tracker, clump_odometry or clump_map."},
    {0, NULL},
};

static PyType_Spec owner_spec = {
    .name = "clump._clump.Owner",
    .basicsize = sizeof(py_owner),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = owner_slots,
};

int py_owner_init(PyObject *module)
{
    PyObject *const type = py_add_type(module, &owner_spec);
    py_state_of(module)->owner_type = type;
    return type ? 0 : -1;
}

PyObject *py_owner_new(PyObject *module, const py_kind *kind, void *thing)
{
    py_owner *const self = (py_owner *)py_new((PyTypeObject *)py_state_of(module)->owner_type);
    if (self)
        self->kind = kind, self->thing = thing;
    else
        kind->destroy(thing);
    return (PyObject *)self;
}

void *py_owner_thing(PyObject *module, PyObject *object, const py_kind *kind)
{
    py_owner *const self = (py_owner *)object;
    if (!PyObject_TypeCheck(object, (PyTypeObject *)py_state_of(module)->owner_type) || self->kind != kind)
        return py_type_error(kind->name, kind->one, object);
    if (self->busy && self->process == getpid()) {
        py_refuse(module, "the %s is in use by another thread", kind->name);
        return NULL;
    }
    self->busy = false;
    return self->thing;
}

int py_owner_begin(PyObject *module, PyObject *context, PyObject *object, const py_kind *kind, clump_context **ctx,
                   void **thing)
{
    if (py_context_begin(module, context, ctx)) return -1;
    *thing = py_owner_thing(module, object, kind);
    if (!*thing) {
        py_context_end(context);
        return -1;
    }
    ((py_owner *)object)->busy = true;
    ((py_owner *)object)->process = getpid();
    return 0;
}

int py_owner_finish(PyObject *module, PyObject *context, PyObject *object, clump_context *ctx, clump_status status)
{
    ((py_owner *)object)->busy = false;
    return py_context_finish(module, context, ctx, status);
}

int py_time(PyObject *module, PyObject *object, int64_t *time)
{
    int overflow;
    PyObject *const number = PyNumber_Index(object);
    if (!number) return -1;
    *time = (int64_t)PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    return overflow ? py_refuse(module, "time is %R, which is too large for nanoseconds in 64 bits", object) : 0;
}
