/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text_header.c: reads what precedes the first point of a text file: a count, names of columns.
 */
#include "formats/text.h"

#include "common/assert.h"

bool clump_io_text_word(const char **p, const char *end, bool commas, clump_io_span *word)
{
    *p = clump_io_text_skip_blanks(*p, end);
    if (*p == end) return false;
    word->begin = *p;
    while (*p < end && !clump_io_text_is_separator(**p) && (commas || !clump_io_is_blank(**p))) ++*p;
    word->end = *p;
    while (word->end > word->begin && clump_io_is_blank(word->end[-1])) word->end--;
    *p = clump_io_text_skip_blanks(*p, end);
    if (*p < end && clump_io_text_is_separator(**p)) ++*p;
    if (word->end - word->begin >= 2 && word->begin[0] == '"' && word->end[-1] == '"') word->begin++, word->end--;
    return true;
}

bool clump_io_text_has_commas(clump_io_span line)
{
    for (const char *p = line.begin; p < line.end; p++)
        if (clump_io_text_is_separator(*p)) return true;
    return false;
}

static size_t count_words(clump_io_span line)
{
    size_t count = 0;
    clump_io_span word;
    const bool commas = clump_io_text_has_commas(line);
    while (clump_io_text_word(&line.begin, line.end, commas, &word)) count++;
    return count;
}

/* Counts how often a line of names has x, y and z, up to two. */
static void count_axes(clump_io_span line, int seen[3])
{
    clump_io_span word;
    const bool commas = clump_io_text_has_commas(line);
    seen[0] = seen[1] = seen[2] = 0;
    while (clump_io_text_word(&line.begin, line.end, commas, &word)) {
        const int axis = clump_io_axis(word.begin, (size_t)(word.end - word.begin));
        if (axis >= 0 && seen[axis] < 2) seen[axis]++;
    }
}

/* Whether the first value that is not empty is a number. ",x,y,z" is a line of names: the index of pandas has none. */
static bool begins_with_number(clump_io_span line)
{
    clump_io_number n;
    const char *p = clump_io_text_skip_blanks(line.begin, line.end);
    const char *const begin = p;
    while (p < line.end && !clump_io_text_is_over(p, line.end)) {
        const bool separator = clump_io_text_is_separator(*p);
        const char *const next = separator ? p + 1 : clump_io_text_value(p, line.end, &n);
        if (!next) return false;
        if (!separator && n.end > p) return true;
        p = clump_io_text_skip_blanks(next, line.end);
    }
    return p > begin; /* empty values alone */
}

const char *clump_io_text_value(const char *p, const char *end, clump_io_number *n)
{
    const bool quoted = p < end && *p == '"';
    const char *const first = quoted ? clump_io_text_skip_blanks(p + 1, end) : p;
    const char *stop = first;
    n->end = p;
    if (!quoted || first == end || *first != '"') { /* else nothing in quotes */
        if (!clump_io_scan(first, end, n)) return NULL;
        stop = n->end;
    }
    if (quoted) stop = clump_io_text_skip_blanks(stop, end);
    if (quoted && (stop == end || *stop++ != '"')) return NULL;
    const bool whole = stop == end || clump_io_is_blank(*stop) || clump_io_text_is_separator(*stop) ||
                       clump_io_text_is_over(stop, end);
    return whole ? stop : NULL;
}

static bool is_count(clump_io_span line, size_t *count)
{
    clump_io_number n;
    uint64_t value;
    const char *p = clump_io_text_skip_blanks(line.begin, line.end);
    if (!clump_io_scan(p, line.end, &n) || !n.integer || clump_io_text_skip_blanks(n.end, line.end) != line.end)
        return false;
    if (!clump_io_to_unsigned(&n, SIZE_MAX - 1, &value)) return false;
    *count = (size_t)value;
    return true;
}

/* Checks that a line of names has x, y and z once each. */
static clump_status check_names(const clump_io_source *source, clump_io_span line, size_t number)
{
    CLUMP_ASSERT(number >= 1);
    int seen[3];
    count_axes(line, seen);
    for (int a = 0; a < 3; a++) {
        if (seen[a] == 1) continue;
        const char *end = line.end > line.begin && line.end[-1] == '\r' ? line.end - 1 : line.end;
        return CLUMP_IO_DAMAGED(source, "line %zu: neither a point nor names of columns with one %c: \"%s\"", number,
                                "xyz"[a], clump_io_quote(line.begin, (size_t)(end - line.begin)).text);
    }
    return CLUMP_OK;
}

/* Returns the character that ends the first line; a '\r' before a '\n' is a blank. */
static char find_newline(const char *p, const char *end)
{
    while (p < end && *p != '\n' && *p != '\r') p++;
    return p < end && *p == '\r' && (p + 1 == end || p[1] != '\n') ? '\r' : '\n';
}

/* Whether a comment names the columns: it begins with x, y or z, or has commas. "# points: x y z" does not. */
static bool is_list_of_names(clump_io_span remark)
{
    int seen[3];
    count_axes(remark, seen);
    if (seen[0] != 1 || seen[1] != 1 || seen[2] != 1) return false;
    clump_io_span rest = remark, word;
    return clump_io_text_has_commas(remark) || (clump_io_text_word(&rest.begin, rest.end, false, &word) &&
                                                clump_io_axis(word.begin, (size_t)(word.end - word.begin)) >= 0);
}

clump_status clump_io_text_header_read(const clump_io_source *source, clump_io_text_header *h)
{
    const char *p = (const char *)source->bytes, *end = p + source->size;
    *h = (clump_io_text_header){.newline = find_newline(p, end), .data = p, .line = 1, .declared = SIZE_MAX};
    if (source->size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3; /* byte order mark */
    clump_io_span remark = {NULL, NULL};
    for (size_t number = 1; p < end; number++) {
        h->data = p;
        h->line = number;
        clump_io_span line = clump_io_text_line(&p, end, h->newline);
        line.begin = clump_io_text_skip_blanks(line.begin, line.end);
        if (line.begin == line.end) continue;
        if (clump_io_text_is_over(line.begin, line.end)) {
            while (line.begin < line.end && (*line.begin == '#' || *line.begin == '/')) line.begin++;
            if (is_list_of_names(line)) remark = line;
            continue;
        }
        if (h->declared == SIZE_MAX && !h->names.begin && is_count(line, &h->declared)) continue;
        if (begins_with_number(line)) {
            for (const char *c = line.begin; c < line.end; c++)
                if (clump_io_text_is_over(c, line.end)) line.end = c;
            const size_t words = count_words(line);
            if (!h->names.begin && remark.begin && count_words(remark) == words) h->names = remark;
            if (!h->names.begin) h->columns = words;
            break;
        }
        if (h->names.begin)
            return CLUMP_IO_DAMAGED(source, "line %zu: \"%s\" is not a number", number,
                                    clump_io_quote(line.begin, (size_t)(line.end - line.begin)).text);
        CLUMP_IO_TRY(check_names(source, line, number));
        h->names = line;
        h->data = p;
        h->line = number + 1;
    }
    if (!h->names.begin && !h->columns && remark.begin) h->names = remark;
    if (h->names.begin) h->columns = count_words(h->names);
    if (h->columns && h->columns < 3)
        return CLUMP_IO_DAMAGED(source, "line %zu: %zu values, a point has at least three", h->line, h->columns);
    return CLUMP_OK;
}
