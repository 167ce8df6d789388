/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_bytes.c: the buffer of the viewer: hostile texts, numbers, base64.
 */
#include "support/check.h"

#include "viewer/bytes/bytes.h"

#include <math.h>

typedef void put_text(view_bytes *to, const char *text);

static void check_text(put_text *put, const char *text, const char *expected)
{
    view_bytes bytes = {0};
    put(&bytes, text);
    view_put(&bytes, "", 1);
    CHECK(!bytes.failed);
    CHECK_TEXT((const char *)bytes.data, expected);
    view_bytes_release(&bytes);
}

static void json_text_is_harmless(void)
{
    put_text *const put = view_put_json_text;
    check_text(put, NULL, "null");
    check_text(put, "", "\"\"");
    check_text(put, "a \"b\" \\ c", "\"a \\\"b\\\" \\\\ c\"");
    check_text(put, "</script><img onerror=x()>", "\"\\u003c/script\\u003e\\u003cimg onerror=x()\\u003e\"");
    check_text(put, "<!--&", "\"\\u003c!--\\u0026\"");
    check_text(put, "\n\t\x01\x7f", "\"\\u000a\\u0009\\u0001\\u007f\"");
    check_text(put, "\xe2\x80\xa8\xe2\x80\xa9", "\"\\u2028\\u2029\"");
    check_text(put, "\xc2\x85", "\"\\u0085\"");
    check_text(put,
               "Stra\xc3\x9f"
               "e \xe7\x82\xb9 \xf0\x9f\x9a\x97",
               "\"Stra\xc3\x9f"
               "e \xe7\x82\xb9 \xf0\x9f\x9a\x97\"");
}

/* U+FFFD per byte that is not UTF-8; the bytes after it are read again. */
static void wrong_utf8_is_replaced(void)
{
#define BAD "\xef\xbf\xbd"
    put_text *const puts[] = {view_put_json_text, view_put_html_text};
    for (int k = 0; k < 2; k++) {
        const char *const quote = k == 0 ? "\"" : "";
        static const char *const cases[][2] = {
            {"\xff", BAD},
            {"a\x80z", "a" BAD "z"},
            {"\xc3", BAD},
            {"\xc3z", BAD "z"},
            {"\xe2\x80", BAD BAD},
            {"\xc0\xbc", BAD BAD},         /* overlong '<' */
            {"\xe0\x80\xbc", BAD BAD BAD}, /* overlong '<' */
            {"\xf0\x80\x80\xbc", BAD BAD BAD BAD},
            {"\xed\xa0\x80", BAD BAD BAD},         /* surrogate */
            {"\xf4\x90\x80\x80", BAD BAD BAD BAD}, /* above 0x10FFFF */
            {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char expected[64];
            snprintf(expected, sizeof expected, "%s%s%s", quote, cases[i][1], quote);
            check_text(puts[k], cases[i][0], expected);
        }
    }
}

static void html_text_is_harmless(void)
{
    put_text *const put = view_put_html_text;
    check_text(put, "a < b & c", "a &#60; b &#38; c");
    check_text(put, "\"'`>", "&#34;&#39;&#96;&#62;");
    check_text(put, "a\nb\x1b", "a" BAD "b" BAD);
    check_text(put, "\xc2\x9b", BAD);
}

static void check_number(double number, const char *expected)
{
    view_bytes bytes = {0};
    view_put_json_number(&bytes, number);
    view_put(&bytes, "", 1);
    CHECK_TEXT((const char *)bytes.data, expected);
    if (isfinite(number)) CHECK(strtod((const char *)bytes.data, NULL) == number);
    view_bytes_release(&bytes);
}

static void numbers_keep_all_digits(void)
{
    check_number(0, "0");
    check_number(0.002, "0.002");
    check_number(-1.5, "-1.5");
    check_number(0.1 + 0.2, "0.30000000000000004");
    check_number(1e300, "1e+300");
    check_number(1317384506.403, "1317384506.403");
    check_number((double)NAN, "null");
    check_number((double)INFINITY, "null");
    check_number((double)-INFINITY, "null");
}

static void base64_has_padding(void)
{
    static const char *const expected[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t size = 0; size <= 6; size++) {
        view_bytes bytes = {0};
        view_put_base64(&bytes, "foobar", size);
        view_put(&bytes, "", 1);
        CHECK_TEXT((const char *)bytes.data, expected[size]);
        view_bytes_release(&bytes);
    }
    view_bytes bytes = {0};
    view_put_base64(&bytes, "\xff\xfe\xfd\x00\x10\x83", 6);
    view_put(&bytes, "", 1);
    CHECK_TEXT((const char *)bytes.data, "//79ABCD");
    view_bytes_release(&bytes);
}

static void buffer_grows(void)
{
    view_bytes bytes = {0};
    for (int i = 0; i < 100000; i++) view_put_format(&bytes, "%05d,", i);
    CHECK_INT(bytes.size, 600000);
    CHECK(memcmp(bytes.data + 6 * 4711, "04711,", 6) == 0);
    view_bytes_release(&bytes);
    CHECK(!bytes.data && bytes.size == 0);
    view_bytes_release(&bytes);
}

/* A size that cannot be is a failure, and nothing is added any more. */
static void failure_is_kept(void)
{
    view_bytes bytes = {0};
    view_put_text(&bytes, "abc");
    view_put_base64(&bytes, "", SIZE_MAX / 2);
    CHECK(bytes.failed);
    view_put_text(&bytes, "def");
    CHECK_INT(bytes.size, 3);
    view_bytes_release(&bytes);
}

CHECK_PROGRAM(test_view_bytes)
{
    RUN(json_text_is_harmless);
    RUN(wrong_utf8_is_replaced);
    RUN(html_text_is_harmless);
    RUN(numbers_keep_all_digits);
    RUN(base64_has_padding);
    RUN(buffer_grows);
    RUN(failure_is_kept);
}
