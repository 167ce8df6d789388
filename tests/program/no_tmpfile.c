/* SPDX-License-Identifier: BSD-3-Clause
 *
 * no_tmpfile.c: preloaded into the program, makes O_TMPFILE fail, as on file systems without unnamed files. The program
 * must then use temporary files with names, and remove them when it is stopped.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...);
    *(void **)&next = dlsym(RTLD_NEXT, "open");
    va_list rest;
    va_start(rest, flags);
    const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1;
    return next(path, flags, mode);
}
