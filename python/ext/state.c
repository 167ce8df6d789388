/* SPDX-License-Identifier: BSD-3-Clause
 *
 * state.c: what all files of the module need: its state, exceptions, objects of heap types.
 */
#include "module.h"

#include <string.h>

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
