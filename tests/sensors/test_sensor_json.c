/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sensor_json.c: the reader of JSON.
 */
#include "support/check.h"
#include "sensors/json.h"

#include <math.h>

static clump_message why;

static clump_status parse(const char *text, size_t size, clump_io_json *root)
{
    const clump_io_where where = {.message = &why};
    why.text[0] = 0;
    return clump_io_json_parse(&where, text, size, root);
}

static clump_io_json parsed(const char *text)
{
    clump_io_json root;
    if (parse(text, strlen(text), &root) != CLUMP_OK) CHECK_FAIL("%s: %s", text, why.text);
    return root;
}

static void values_are_found(void)
{
    const clump_io_json root =
        parsed("\xef\xbb\xbf { \"a\" : {\"b\": [1, -2.5e1 ,{\"x\":0}], \"c\":\"te\\u00e4\\\"xt\"},"
               " \"a\": 3, \"d\": true, \"e\": null, \"f\":[], \"g\":{} } \n");
    clump_io_json value, element;
    double number = 0, numbers[4];
    char text[16];
    size_t count;
    CHECK(clump_io_json_find(root, "a.b", &value));
    const char *at = NULL;
    CHECK(clump_io_json_next(value, &at, &element) && clump_io_json_number(element, &number) && number == 1);
    CHECK(clump_io_json_next(value, &at, &element) && clump_io_json_number(element, &number) && number == -25);
    CHECK(clump_io_json_next(value, &at, &element) && clump_io_json_find(element, "x", &element));
    CHECK(!clump_io_json_next(value, &at, &element));
    CHECK(!clump_io_json_numbers(value, numbers, 4, &count));
    CHECK(clump_io_json_find(root, "a.c", &value) && clump_io_json_text(value, text, sizeof text));
    CHECK_TEXT(text, "te?\"xt");
    CHECK(!clump_io_json_text(value, text, 6) && !text[0]);
    CHECK(clump_io_json_text(value, text, 7));
    CHECK(clump_io_json_member(root, "a", &value) && *value.text == '{');
    CHECK(!clump_io_json_find(root, "a.x", &value) && !value.text);
    CHECK(!clump_io_json_find(root, "d.x", &value));
    CHECK(!clump_io_json_member(value, "x", &value));
    CHECK(clump_io_json_member(root, "e", &value) && !clump_io_json_number(value, &number));
    CHECK(!clump_io_json_text(value, text, sizeof text));
    CHECK(clump_io_json_member(root, "f", &value) && clump_io_json_numbers(value, numbers, 4, &count) && count == 0);
    CHECK(clump_io_json_member(root, "g", &value) && !clump_io_json_numbers(value, numbers, 4, &count));
    CHECK(!clump_io_json_member(value, "x", &value));
}

static void numbers_are_read(void)
{
    static const struct {
        const char *text;
        double value;
    } right[] = {{"0", 0},           {"-0.0", 0},
                 {"27.116", 27.116}, {"1e3", 1000},
                 {"1E-2", 0.01},     {"2.5e+1", 25},
                 {"0.1", 0.1},       {"123456789", 123456789},
                 {"1e-400", 0},      {"0.024999999999999998", 0.024999999999999998}};
    double number;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        CHECK_MSG(clump_io_json_number(parsed(right[i].text), &number), "%s", right[i].text);
        CHECK_MSG(number == right[i].value, "%s", right[i].text);
    }
    CHECK(!clump_io_json_number(parsed("1e400"), &number));
    CHECK(!clump_io_json_number(parsed("\"1\""), &number));
    int64_t whole;
    CHECK(clump_io_json_integer(parsed("16"), 1, 16, &whole) && whole == 16);
    CHECK(clump_io_json_integer(parsed("1.6e1"), 1, 16, &whole) && whole == 16);
    CHECK(!clump_io_json_integer(parsed("16.5"), 1, 20, &whole));
    CHECK(!clump_io_json_integer(parsed("17"), 1, 16, &whole));
    CHECK(!clump_io_json_integer(parsed("-1"), 0, 16, &whole));
    double two[2];
    size_t count;
    CHECK(clump_io_json_numbers(parsed("[1,2]"), two, 2, &count) && count == 2 && two[1] == 2);
    CHECK(!clump_io_json_numbers(parsed("[1,2,3]"), two, 2, &count));
}

static void faults_are_named(void)
{
    static const struct {
        const char *text, *sentence;
    } wrong[] = {
        {"", "JSON, line 1: the text ends too early"},
        {"\n\n{\"a\" 1}", "JSON, line 3: a colon is expected"},
        {"{\"a\": 1,\n}", "JSON, line 2: a string is expected"},
        {"[1,]", "JSON, line 1: a value is expected"},
        {"[1 2]", "JSON, line 1: a comma or ] is expected"},
        {"{\"a\": 1", "JSON, line 1: a comma or } is expected"},
        {"{a: 1}", "JSON, line 1: a string is expected"},
        {"01", "JSON, line 1: text behind the end"},
        {"-", "JSON, line 1: a number without digits"},
        {"1.", "JSON, line 1: a number without digits"},
        {"1e", "JSON, line 1: a number without digits"},
        {"nul", "JSON, line 1: a value is expected"},
        {"NaN", "JSON, line 1: a value is expected"},
        {"{} {}", "JSON, line 1: text behind the end"},
        {"\"abc", "JSON, line 1: a string without its end"},
        {"\"a\\", "JSON, line 1: a string without its end"},
        {"\"a\\x\"", "JSON, line 1: an unknown escape in a string"},
        {"\"a\\u12g4\"", "JSON, line 1: an unknown escape in a string"},
        {"\"a\nb\"", "JSON, line 1: a control character in a string"},
    };
    clump_io_json root;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK_INT(parse(wrong[i].text, strlen(wrong[i].text), &root), CLUMP_ERR_IO_FORMAT);
        CHECK_TEXT(why.text, wrong[i].sentence);
        CHECK(!root.text);
    }
    CHECK_INT(parse("{}\n\0\0", 5, &root), CLUMP_OK);
}

static void depth_is_limited(void)
{
    char text[4096];
    memset(text, '[', sizeof text);
    clump_io_json root;
    CHECK_INT(parse(text, sizeof text, &root), CLUMP_ERR_IO_FORMAT);
    CHECK_TEXT(why.text, "JSON, line 1: too many brackets inside each other");
    memset(text + CLUMP_IO_JSON_DEPTH, ']', CLUMP_IO_JSON_DEPTH);
    CHECK_INT(parse(text, 2 * (size_t)CLUMP_IO_JSON_DEPTH, &root), CLUMP_OK);
}

/* Uses every function on a text, right or wrong. */
static void use(clump_io_json value, int depth)
{
    double number, numbers[3];
    int64_t whole;
    char text[8];
    size_t count;
    clump_io_json inside;
    clump_io_json_number(value, &number);
    clump_io_json_integer(value, 0, 100, &whole);
    clump_io_json_numbers(value, numbers, 3, &count);
    clump_io_json_text(value, text, sizeof text);
    if (clump_io_json_find(value, "a.b", &inside) && depth < 8) use(inside, depth + 1);
    if (clump_io_json_member(value, "c", &inside) && depth < 8) use(inside, depth + 1);
    for (const char *at = NULL; clump_io_json_next(value, &at, &inside);)
        if (depth < 8) use(inside, depth + 1);
}

static void hostile_text_is_safe(void)
{
    static const char sample[] =
        "{\"a\": {\"b\": [1, -2.5e+1, \"x\\u0041\\n\", true, false, null, {}]}, \"c\": [[], [0.5]], \"d\": \"\"}";
    const size_t size = sizeof sample - 1;
    for (size_t cut = 0; cut < size; cut++) { /* exactly as much memory as text: a sanitizer sees a byte too far */
        char *const copy = malloc(cut + 1);
        memcpy(copy, sample, cut);
        char *const exact = realloc(copy, cut ? cut : 1);
        clump_io_json root;
        CHECK(parse(exact, cut, &root) != CLUMP_OK);
        use((clump_io_json){exact, exact + cut}, 0);
        free(exact);
    }
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++) {
            char *const copy = malloc(size);
            memcpy(copy, sample, size);
            copy[i] = (char)(copy[i] ^ (1 << bit));
            clump_io_json root;
            if (parse(copy, size, &root) == CLUMP_OK) use(root, 0);
            use((clump_io_json){copy, copy + size}, 0);
            free(copy);
        }
}

CHECK_PROGRAM(test_sensor_json)
{
    RUN(values_are_found);
    RUN(numbers_are_read);
    RUN(faults_are_named);
    RUN(depth_is_limited);
    RUN(hostile_text_is_safe);
}
