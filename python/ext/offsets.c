/* SPDX-License-Identifier: BSD-3-Clause
 *
 * offsets.c: float64 coordinates as float32 offsets from an origin.
 *
 * The rule is that of clump/io.h: the origin is the lower corner of the box of the finite points, rounded down to whole
 * units; 0 along an axis longer than 2^24 units. Coordinates that float32 holds exactly are taken as they are: then the
 * origin is 0.
 */
#include <math.h>
#include <string.h>

#include "arrays.h"
#include "values.h"

typedef struct rows {
    const char *data;
    Py_ssize_t count, row, column; /* strides in bytes, of any sign */
} rows;

static double value_at(const rows *from, Py_ssize_t i, int axis)
{
    double value;
    memcpy(&value, from->data + i * from->row + axis * from->column, sizeof value);
    return value;
}

/* Returns whether float32 holds all values. NaN and infinities count as held. Finds the box of the finite points. */
static bool survey(const rows *from, double *lower, double *upper)
{
    bool exact = true;
    for (int a = 0; a < 3; a++) {
        lower[a] = INFINITY;
        upper[a] = -INFINITY;
    }
    for (Py_ssize_t i = 0; i < from->count; i++) {
        const double p[3] = {value_at(from, i, 0), value_at(from, i, 1), value_at(from, i, 2)};
        for (int a = 0; a < 3; a++) exact &= (double)(float)p[a] == p[a] || isnan(p[a]);
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) continue;
        for (int a = 0; a < 3; a++) {
            lower[a] = p[a] < lower[a] ? p[a] : lower[a];
            upper[a] = p[a] > upper[a] ? p[a] : upper[a];
        }
    }
    return exact;
}

static void choose_origin(const rows *from, double *origin)
{
    double lower[3], upper[3];
    const bool exact = survey(from, lower, upper);
    for (int a = 0; a < 3; a++) {
        const double length = upper[a] - lower[a]; /* no finite point: -infinity */
        origin[a] = !exact && length >= 0 && length <= 0x1p24 ? floor(lower[a]) + 0.0 : 0.0;
    }
}

static void subtract(const rows *from, const double *origin, float *to)
{
    for (Py_ssize_t i = 0; i < from->count; i++)
        for (int a = 0; a < 3; a++) to[3 * i + a] = (float)(value_at(from, i, a) - origin[a]);
}

/* offsets(points, out, origin) -> (x, y, z). points: float64 (N, 3 or more), strides of any kind; out: float32 (N, 3).
 * origin is None, to be chosen, or three numbers. */
static PyObject *offsets(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("offsets", count, 3)) return NULL;
    PyObject *result = NULL;
    Py_buffer buffer;
    py_array out = {0};
    double origin[3] = {0};
    if (args[2] != Py_None && !PyArg_ParseTuple(args[2], "ddd:origin", &origin[0], &origin[1], &origin[2])) return NULL;
    if (PyObject_GetBuffer(args[0], &buffer, PyBUF_STRIDES | PyBUF_FORMAT)) return NULL;
    if (buffer.ndim != 2 || buffer.shape[1] < 3 || !buffer.format || strcmp(buffer.format, "d")) {
        PyErr_SetString(PyExc_TypeError, "points must be a float64 array of shape (N, 3)");
        goto done;
    }
    if (py_array_get(module, args[1], "out", 'f', PY_WRITE, 3 * (size_t)buffer.shape[0], &out)) goto done;
    const rows from = {buffer.buf, buffer.shape[0], buffer.strides[0], buffer.strides[1]};
    Py_BEGIN_ALLOW_THREADS
    if (args[2] == Py_None) choose_origin(&from, origin);
    subtract(&from, origin, out.data);
    Py_END_ALLOW_THREADS
    result = Py_BuildValue("ddd", origin[0], origin[1], origin[2]);
done:
    py_array_release(&out);
    PyBuffer_Release(&buffer);
    return result;
}

PyMethodDef py_offset_functions[] = {
    {"offsets", (PyCFunction)(uintptr_t)offsets, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
