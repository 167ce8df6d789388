// SPDX-License-Identifier: BSD-3-Clause
//
// The one function of PCL's libraries that its templates call: messages to standard error. Part of the modules that are
// built from headers alone (CLUMP_PCL_HEADERS).
#include <pcl/console/print.h>

#include <cstdarg>
#include <cstdio>

namespace pcl
{
namespace console
{

void print(VERBOSITY_LEVEL level, const char *format, ...)
{
    if (level > L_WARN) return;
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
}

} // namespace console
} // namespace pcl
