/* SPDX-License-Identifier: BSD-3-Clause
 *
 * embed.c: embed SCRIPT STYLE LOADER SCRIPT_SUM LOADER_SUM OUT.c, a program of the build. It makes a C file of the style and the
 * script of the page (deflated, with a 0 between them) and of its loader, with the SHA-256 of script and loader, which CMake
 * gives: the page allows these two scripts and no other.
 */
#include "viewer/bytes/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool load(const char *path, view_bytes *bytes)
{
    FILE *const file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "embed: %s cannot be opened\n", path);
        return false;
    }
    char piece[1 << 14];
    size_t size;
    while ((size = fread(piece, 1, sizeof piece, file)) > 0) view_put(bytes, piece, size);
    const bool good = !ferror(file) && !bytes->failed;
    fclose(file);
    const bool text = good && (bytes->size == 0 || !memchr(bytes->data, 0, bytes->size));
    if (!text) fprintf(stderr, "embed: %s %s\n", path, good ? "contains a 0" : "cannot be read");
    return text;
}

/* Whether the text can stand inside an element of this name. */
static bool fits(const char *path, const view_bytes *bytes, const char *end)
{
    const size_t length = strlen(end);
    for (size_t i = 0; i + length <= bytes->size; i++)
        if (memcmp(bytes->data + i, end, length) == 0) {
            fprintf(stderr, "embed: %s contains %s\n", path, end);
            return false;
        }
    return true;
}

static void put_array(view_bytes *to, const char *name, const view_bytes *from)
{
    view_put_format(to, "const unsigned char %s[] = {", name);
    for (size_t i = 0; i < from->size; i++) view_put_format(to, i % 32 ? "%u," : "\n%u,", from->data[i]);
    view_put_format(to, "0};\nconst size_t %s_size = %zu;\n", name, from->size);
}

/* Writes a SHA-256 of 64 hexadecimal digits as a content security policy names it. False: it is none. */
static bool put_hash(view_bytes *to, const char *name, const char *digits)
{
    uint8_t digest[32];
    if (strlen(digits) != 2 * sizeof digest || strspn(digits, "0123456789abcdef") != 2 * sizeof digest) {
        fprintf(stderr, "embed: %s is no SHA-256\n", digits);
        return false;
    }
    for (size_t k = 0; k < sizeof digest; k++)
        digest[k] = (uint8_t)strtoul((const char[]){digits[2 * k], digits[2 * k + 1], 0}, NULL, 16);
    view_put_format(to, "const char %s[] = \"sha256-", name);
    view_put_base64(to, digest, sizeof digest);
    view_put_text(to, "\";\n");
    return true;
}

static bool save(const char *path, const view_bytes *bytes)
{
    FILE *const file = fopen(path, "wb");
    bool good = file && !bytes->failed && fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
    if (file && fclose(file) != 0) good = false;
    if (!good) fprintf(stderr, "embed: %s cannot be written\n", path);
    return good;
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: embed SCRIPT STYLE LOADER SCRIPT_SUM LOADER_SUM OUT.c\n");
        return 2;
    }
    view_bytes script = {0}, style = {0}, loader = {0}, deflated = {0}, out = {0};
    bool good = load(argv[1], &script) && load(argv[2], &style) && load(argv[3], &loader) &&
                fits(argv[3], &loader, "</script") && fits(argv[3], &loader, "<!--");
    if (good) {
        view_put(&style, "", 1);
        view_put(&style, script.data, script.size);
        view_put_deflated(&deflated, style.data, style.size, 9);
        view_put_text(&out, "#include \"viewer/page.h\"\n");
        put_array(&out, "view_page_script", &deflated);
        put_array(&out, "view_page_loader", &loader);
        good = put_hash(&out, "view_page_script_hash", argv[4]) && put_hash(&out, "view_page_loader_hash", argv[5]) &&
               !style.failed && !deflated.failed && save(argv[6], &out);
    }
    view_bytes *const all[] = {&script, &style, &loader, &deflated, &out};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) view_bytes_release(all[k]);
    return good ? 0 : 1;
}
