/* SPDX-License-Identifier: BSD-3-Clause
 *
 * devices.c: the devices of this machine.
 */
#include "module.h"

#include <clump/info.h>

/* devices() -> list of (backend, ordinal, name, units, memory_total, memory_free, level) */
static PyObject *devices(PyObject *module, PyObject *Py_UNUSED(unused))
{
    PyObject *list = PyList_New(0);
    if (!list) return NULL;
    const int count = clump_device_count();
    for (int i = 0; i < count; i++) {
        clump_device_info info;
        const clump_status status = clump_device_query(i, &info);
        if (status != CLUMP_OK) {
            py_raise(module, status, NULL);
            Py_DECREF(list);
            return NULL;
        }
        PyObject *row =
            Py_BuildValue("(sisinns)", info.backend == CLUMP_BACKEND_CUDA ? "cuda" : "cpu", info.device, info.name,
                          info.units, (Py_ssize_t)info.memory_total, (Py_ssize_t)info.memory_free, info.level);
        if (!row || PyList_Append(list, row)) {
            Py_XDECREF(row);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(row);
    }
    return list;
}

/* absence(backend) -> why there is no such device, or None */
static PyObject *absence(PyObject *Py_UNUSED(module), PyObject *backend)
{
    const long value = PyLong_AsLong(backend);
    if (value == -1 && PyErr_Occurred()) return NULL;
    const char *why = clump_device_absence((clump_backend)value);
    if (!why) Py_RETURN_NONE;
    return PyUnicode_FromString(why);
}

PyMethodDef py_device_functions[] = {
    {"devices", devices, METH_NOARGS, NULL},
    {"absence", absence, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
