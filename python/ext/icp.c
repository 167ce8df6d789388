/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp.c: clump_icp.
 */
#include "arrays.h"
#include "values.h"

#include <clump/index.h>

static const char *const methods[] = {"point", "plane", "gicp", NULL};

/* icp(context, target, source, initial, transform, information, method, options) -> (fitness, rmse, iterations, converged,
 * contested). transform and information: float64, 16 and 36 numbers, output; initial: 16 numbers or None */
static PyObject *icp(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (py_arguments("icp", count, 8)) return NULL;
    PyObject *result = NULL;
    py_points target = {0}, source = {0};
    py_array initial = {0}, transform = {0}, information = {0};
    clump_icp_options options = clump_icp_defaults();
    int method;
    if (py_points_get(module, args[1], &target)) goto done;
    if (py_points_get(module, args[2], &source)) goto done;
    if (py_array_get(module, args[3], "initial", 'd', PY_READ_OPTIONAL, 16, &initial)) goto done;
    if (py_array_get(module, args[4], "transform", 'd', PY_WRITE, 16, &transform)) goto done;
    if (py_array_get(module, args[5], "information", 'd', PY_WRITE, 36, &information)) goto done;
    if (py_word(module, args[6], "icp", "method", methods, &method)) goto done;
    if (py_options(module, args[7], "icp", false, &options)) goto done;
    options.method = (clump_icp_method)method;
    options.initial = initial.data;

    clump_context *ctx;
    clump_icp_result found;
    clump_status status;
    if (py_context_begin(module, args[0], &ctx)) goto done;
    Py_BEGIN_ALLOW_THREADS
    status = clump_icp(ctx, target.points, source.points, &options, &found);
    Py_END_ALLOW_THREADS
    if (py_context_finish(module, args[0], ctx, status)) goto done;
    for (int i = 0; i < 16; i++) ((double *)transform.data)[i] = found.transform[i];
    for (int i = 0; i < 36; i++) ((double *)information.data)[i] = found.information[i];
    result = Py_BuildValue("ddiOO", found.fitness, found.rmse, found.iterations, found.converged ? Py_True : Py_False,
                           found.contested ? Py_True : Py_False);
done:
    py_array_release(&information);
    py_array_release(&transform);
    py_array_release(&initial);
    py_points_release(&source);
    py_points_release(&target);
    return result;
}

PyMethodDef py_icp_functions[] = {
    {"icp", (PyCFunction)(uintptr_t)icp, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
