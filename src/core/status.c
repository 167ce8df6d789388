/* SPDX-License-Identifier: BSD-3-Clause
 *
 * status.c: texts of the status codes, and the version.
 */
#include <clump/clump.h>

#define TEXT2(x) #x
#define TEXT(x)  TEXT2(x)

const char *clump_version(void)
{
    return TEXT(CLUMP_VERSION_MAJOR) "." TEXT(CLUMP_VERSION_MINOR) "." TEXT(CLUMP_VERSION_PATCH);
}

const char *clump_status_text(clump_status status)
{
    switch (status) {
#define CASE(name, value, text)                                                                                        \
    case name:                                                                                                         \
        return text;
        CLUMP_STATUS_LIST(CASE)
#undef CASE
    case CLUMP_STATUS_MAX:
        break;
    }
    return "unknown status";
}
