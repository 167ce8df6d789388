/* SPDX-License-Identifier: BSD-3-Clause
 *
 * status.c: texts of the status codes, and the version.
 */
#include <clump/clump.h>

#define STATUS_TEXT2(x) #x
#define STATUS_TEXT(x)  STATUS_TEXT2(x)

const char *clump_version(void)
{
    return STATUS_TEXT(CLUMP_VERSION_MAJOR) "." STATUS_TEXT(CLUMP_VERSION_MINOR) "." STATUS_TEXT(CLUMP_VERSION_PATCH);
}

const char *clump_status_text(clump_status status)
{
    switch (status) {
#define STATUS_CASE(name, value, text)                                                                                 \
    case name:                                                                                                         \
        return text;
        CLUMP_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    case CLUMP_STATUS_MAX:
        break;
    }
    return "unknown status";
}
