/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.c: defaults, and names of methods.
 */
#include "core/options.h"

#include <string.h>

clump_context_options clump_context_defaults(void)
{
    return (clump_context_options){.cookie = CLUMP_CONTEXT_COOKIE};
}

clump_ec_options clump_ec_defaults(void)
{
    return (clump_ec_options){.cookie = CLUMP_EC_COOKIE, .min_size = 1};
}

static const char *const ec_methods[] = {
    [CLUMP_EC_FAST] = "fast",           [CLUMP_EC_BFS] = "bfs",
    [CLUMP_EC_VERTEX_ES] = "vertex-es", [CLUMP_EC_VERTEX_RS] = "vertex-rs",
    [CLUMP_EC_EDGE_ES] = "edge-es",     [CLUMP_EC_EDGE_RS] = "edge-rs",
    [CLUMP_EC_MATRIX_ES] = "matrix-es", [CLUMP_EC_MATRIX_RS] = "matrix-rs",
};
enum { EC_METHODS = sizeof ec_methods / sizeof *ec_methods };

const char *clump_ec_method_name(clump_ec_method method)
{
    return (unsigned)method < EC_METHODS ? ec_methods[method] : NULL;
}

bool clump_ec_method_from_name(const char *name, clump_ec_method *method)
{
    if (!name || !method) return false;
    for (int i = 0; i < EC_METHODS; i++) {
        if (strcmp(name, ec_methods[i]) == 0) {
            *method = (clump_ec_method)i;
            return true;
        }
    }
    return false;
}
