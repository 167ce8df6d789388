/* SPDX-License-Identifier: BSD-3-Clause
 *
 * message.c: the messages of failures, and the "C" locale of a thread.
 */
#include "format.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

clump_status clump_io_fail(const clump_io_where *where, clump_status status, const char *format, ...)
{
    if (!where->message) return status;
    char *text = where->message->text;
    const size_t room = sizeof where->message->text;
    size_t used = 0;
    if (where->name) {
        /* A long path is cut at its front, so that the message behind it fits. */
        const size_t length = strlen(where->name), keep = 240;
        const char *cut = length > keep ? "..." : "";
        const int written = snprintf(text, room, "%s%s: ", cut, where->name + (length > keep ? length - keep : 0));
        used = written > 0 ? (size_t)written : 0;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, room - used, format, arguments);
    va_end(arguments);
    return status;
}

clump_status clump_io_no_memory(const clump_io_where *where, size_t bytes)
{
    return clump_io_fail(where, CLUMP_ERR_OUT_OF_MEMORY, "no memory for %zu bytes", bytes);
}

clump_status clump_io_fail_errno(const clump_io_where *where, clump_status status, const char *what, int error)
{
    char reason[128] = "";
    if (strerror_r(error, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", error);
    return clump_io_fail(where, status, "%s: %s", what, reason);
}

clump_status clump_io_cut(const clump_io_source *source, clump_cloud *cloud, size_t have, size_t announced,
                          const char *format, ...)
{
    if (source->partial) {
        if (have != SIZE_MAX)
            clump_io_note(cloud, "the file ends too early: %zu of %zu points were read", have, announced);
        return CLUMP_OK;
    }
    char sentence[384], hint[64] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (source->all_needed) have = 0;
    if (have == SIZE_MAX)
        snprintf(hint, sizeof hint, "; --partial reads the points that are there");
    else if (have)
        snprintf(hint, sizeof hint, "; --partial reads the %zu point%s there %s", have, have == 1 ? "" : "s",
                 have == 1 ? "is" : "are");
    return CLUMP_IO_TRUNCATED(source, "%s%s", sentence, hint);
}

void clump_io_say_cut_line(const clump_io_source *source)
{
    clump_message *message = source->all_needed ? NULL : source->where.message;
    const size_t used = message ? strlen(message->text) : 0;
    if (message)
        snprintf(message->text + used, sizeof message->text - used,
                 "; the file may be cut in its last line: --partial leaves that out");
}

void clump_io_lose(clump_recording_losses *losses, uint64_t *counter, uint64_t amount, const char *format, ...)
{
    if (counter) *counter += amount;
    if (losses->first[0]) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(losses->first, sizeof losses->first, format, arguments);
    va_end(arguments);
}

clump_io_quoted clump_io_quote(const void *bytes, size_t size)
{
    clump_io_quoted quoted;
    const unsigned char *from = bytes;
    const size_t room = sizeof quoted.text - 4, kept = size > room ? room : size;
    for (size_t i = 0; i < kept; i++) quoted.text[i] = from[i] >= 0x20 && from[i] < 0x7f ? (char)from[i] : '?';
    memcpy(quoted.text + kept, size > kept ? "..." : "", size > kept ? 4 : 1);
    return quoted;
}

void clump_io_note(clump_cloud *cloud, const char *format, ...)
{
    char *note = cloud->info.note;
    const size_t room = sizeof cloud->info.note;
    size_t used = strlen(note);
    if (used && used + 3 < room) memcpy(note + used, "; ", 3), used += 2;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note + used, room - used, format, arguments);
    va_end(arguments);
}

bool clump_io_locale_enter(clump_io_locale *locale)
{
    locale_t ours = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!ours) return false;
    locale->ours = ours;
    locale->before = uselocale(ours);
    return true;
}

void clump_io_locale_leave(clump_io_locale *locale)
{
    uselocale((locale_t)locale->before);
    freelocale((locale_t)locale->ours);
}
