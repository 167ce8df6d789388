/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_packet.c: frames as packets, read back by a plain decoder: coordinates, fields, labels, clusters, pairs, maps.
 */
#include "support/check.h"

#include "view/view_decode.h"
#include "viewer/packet/packet.h"

#include <float.h>

static clump_cloud *make_cloud(size_t count, double shift, uint64_t seed)
{
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_create(count, &cloud, NULL), CLUMP_OK);
    float *const xyz = clump_cloud_xyz(cloud);
    for (size_t i = 0; i < 3 * count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        xyz[i] = (float)(seed >> 40) / 65536.0f - 128.0f;
    }
    clump_cloud_set_origin(cloud, (const double[3]){shift, -shift, 0});
    return cloud;
}

static view_frame frame_of(const clump_cloud *cloud)
{
    return (view_frame){
        .name = "a frame", .stamp = INT64_MIN, .clouds = {cloud}, .cloud_names = {"cloud"}, .cloud_count = 1};
}

static view_bytes packet_of(const view_frame *frame, size_t most_points)
{
    view_packet_options options = view_packet_defaults();
    options.most_points = most_points;
    view_bytes bytes = {0};
    clump_message message = {0};
    CHECK_INT(view_put_packet(&bytes, frame, &options, &message), CLUMP_OK);
    return bytes;
}

/* Whether the header contains the text. */
static void check_header(const view_read *read, const char *text)
{
    if (!strstr(read->header, text)) CHECK_FAIL("not in the header: %s", text);
}

static double origin_of(const view_read *read, int axis)
{
    const char *at = strstr(read->header, "\"origin\":[") + strlen("\"origin\":[");
    for (; axis > 0; axis--) at = strchr(at, ',') + 1;
    return strtod(at, NULL);
}

/* All coordinates are within 1 mm. Few points have no sweep. */
static void check_coordinates(const view_read *read, const clump_cloud *cloud, size_t every)
{
    static const char *const names[] = {"x", "y", "z"};
    const size_t rows = view_rows(read, "points");
    CHECK_INT(rows, (clump_cloud_points(cloud).count + every - 1) / every);
    CHECK(!strstr(read->header, "\"sweep\""));
    for (int a = 0; a < 3; a++) {
        double *const values = view_values(read, view_column(read, "points", names[a]), rows);
        CHECK(values);
        for (size_t i = 0; values && i < rows; i++) {
            const double wanted = clump_cloud_coordinate(cloud, i * every, a);
            if (isfinite(wanted)) CHECK(fabs(values[i] + origin_of(read, a) - wanted) <= 0.0010001);
        }
        free(values);
    }
}

static void coordinates_come_back(void)
{
    const double shifts[] = {0, 1000, 1e6, 1e9};
    for (size_t s = 0; s < 4; s++) {
        clump_cloud *const cloud = make_cloud(500, shifts[s], s);
        const view_frame frame = frame_of(cloud);
        view_bytes bytes = packet_of(&frame, 0);
        view_read read;
        CHECK(view_read_packet(&read, bytes.data, bytes.size));
        check_coordinates(&read, cloud, 1);
        CHECK(shifts[s] > 2000 ? fabs(origin_of(&read, 0) - shifts[s]) < 200 : origin_of(&read, 0) == 0);
        check_header(&read, "\"stamp\":null");
        check_header(&read, "\"facts\":null");
        check_header(&read, "\"differs\":null");
        view_read_release(&read);
        view_bytes_release(&bytes);
        clump_cloud_destroy(cloud);
    }
}

/* A point at 1e30: the step grows, nothing else breaks. */
static void huge_extent_is_coarser(void)
{
    clump_cloud *const cloud = make_cloud(100, 0, 3);
    clump_cloud_xyz(cloud)[0] = 1e30f;
    clump_cloud_xyz(cloud)[1] = -3e38f;
    const view_frame frame = frame_of(cloud);
    view_bytes bytes = packet_of(&frame, 0);
    view_read read;
    CHECK(view_read_packet(&read, bytes.data, bytes.size));
    double *const x = view_values(&read, view_column(&read, "points", "x"), 100);
    CHECK(x && fabs(x[0] - (double)1e30f) < 1e22);
    free(x);
    view_read_release(&read);
    view_bytes_release(&bytes);
    clump_cloud_destroy(cloud);
}

/* A model of 6 cm, and degrees: the step is smaller. */
static void small_scenes_are_finer(void)
{
    clump_cloud *const cloud = make_cloud(400, 50, 4);
    for (int i = 0; i < 1200; i++) clump_cloud_xyz(cloud)[i] /= 4096;
    const view_frame frame = frame_of(cloud);
    view_bytes bytes = packet_of(&frame, 0);
    view_read read;
    CHECK(view_read_packet(&read, bytes.data, bytes.size));
    double *const x = view_values(&read, view_column(&read, "points", "x"), 400);
    CHECK(x);
    for (size_t i = 0; x && i < 400; i++) CHECK(fabs(x[i] - clump_cloud_coordinate(cloud, i, 0)) < 0.0625 / 8192);
    free(x);
    view_read_release(&read);
    view_bytes_release(&bytes);
    clump_cloud_destroy(cloud);
}

static void empty_and_nan_work(void)
{
    for (size_t count = 0; count < 4; count++) {
        clump_cloud *const cloud = make_cloud(count, 0, 1);
        float *const xyz = clump_cloud_xyz(cloud);
        if (count > 1) /* all NaN, or all but one */
            for (size_t i = 0; i < 3 * count - (count == 3 ? 3 : 0); i++) xyz[i] = NAN;
        view_frame frame = frame_of(cloud);
        const int32_t labels[3] = {-1, -1, -1};
        frame.labelings[0] = (view_labels){.name = "none", .labels = labels};
        frame.labeling_count = 1;
        view_bytes bytes = packet_of(&frame, 0);
        view_read read;
        CHECK(view_read_packet(&read, bytes.data, bytes.size));
        check_coordinates(&read, cloud, 1);
        CHECK_INT(view_rows(&read, "clusters0"), 0);
        double *const hidden = view_values(&read, view_column(&read, "points", "hidden"), count);
        CHECK((hidden != NULL) == (count > 1));
        for (size_t i = 0; hidden && i < count; i++) CHECK_INT(hidden[i], !isfinite(xyz[3 * i]));
        free(hidden);
        view_read_release(&read);
        view_bytes_release(&bytes);
        clump_cloud_destroy(cloud);
    }
}

static void thinning_keeps_every_kth(void)
{
    clump_cloud *const cloud = make_cloud(1000, 0, 5);
    const view_frame frame = frame_of(cloud);
    view_bytes bytes = packet_of(&frame, 300);
    view_read read;
    CHECK(view_read_packet(&read, bytes.data, bytes.size));
    check_coordinates(&read, cloud, 4);
    check_header(&read, "\"of\":1000,");
    double *const index = view_values(&read, view_column(&read, "points", "index"), 250);
    for (size_t i = 0; index && i < 250; i++) CHECK_INT(index[i], 4 * i);
    CHECK(index);
    free(index);
    view_read_release(&read);
    view_bytes_release(&bytes);
    clump_cloud_destroy(cloud);
}

enum { FIELD_ROWS = 300 };

/* Adds a field and checks what the packet makes of it. error 0: every number comes back as it was. */
static void check_field(clump_type type, const void *data, double error, bool exact)
{
    clump_cloud *const cloud = make_cloud(FIELD_ROWS, 0, 6);
    const clump_field field = {.name = "f", .type = type, .count = 1, .data = data};
    CHECK_INT(clump_cloud_set_field(cloud, &field, NULL), CLUMP_OK);
    const view_frame frame = frame_of(cloud);
    view_bytes bytes = packet_of(&frame, 0);
    view_read read;
    CHECK(view_read_packet(&read, bytes.data, bytes.size));
    const char *const column = view_column(&read, "points", "field:f");
    double *const values = view_values(&read, column, FIELD_ROWS);
    CHECK(values);
    for (size_t i = 0; values && i < FIELD_ROWS; i++) {
        const double wanted = clump_field_value(&field, i, 0);
        const double found = type == CLUMP_TYPE_F32 && error == 0 ? (double)(float)values[i] : values[i];
        CHECK_MSG(fabs(wanted) < 0x1p1000 ? fabs(found - wanted) <= error : isnan(found),
                  "%s row %zu: %.17g, not %.17g", clump_type_name(type), i, found, wanted);
    }
    char type_key[64];
    snprintf(type_key, sizeof type_key, "\"type\":\"%s\"", clump_type_name(type));
    check_header(&read, type_key);
    const char *const flag = column ? strstr(column, "\"exact\":") : NULL;
    CHECK(flag && (flag[8] == 't') == exact);
    free(values);
    view_read_release(&read);
    view_bytes_release(&bytes);
    clump_cloud_destroy(cloud);
}

static void fields_come_back(void)
{
    int8_t i8[FIELD_ROWS];
    uint32_t u32[FIELD_ROWS];
    int64_t small[FIELD_ROWS], stamps[FIELD_ROWS], wild[FIELD_ROWS];
    float hundredths[FIELD_ROWS], bytes[FIELD_ROWS], noise[FIELD_ROWS], same[FIELD_ROWS], none[FIELD_ROWS];
    double seconds[FIELD_ROWS], no_data[FIELD_ROWS];
    for (int i = 0; i < FIELD_ROWS; i++) {
        i8[i] = (int8_t)(i * 37);
        u32[i] = UINT32_MAX - (uint32_t)(i * i);
        small[i] = ((int64_t)1 << 50) + i * 7;
        stamps[i] = 1317384506403000000 + i * (int64_t)100000;
        wild[i] = i % 2 ? INT64_MAX - i : INT64_MIN + i;
        hundredths[i] = (float)(i % 100) / 100.0f;
        bytes[i] = (float)(i % 256) / 255.0f;
        noise[i] = i % 7 == 0 ? NAN : i % 50 == 1 ? INFINITY : sinf((float)i);
        same[i] = 0.123456789f;
        none[i] = NAN;
        seconds[i] = 1317384506.0 + i / 1000.0;
        no_data[i] = i % 3 ? sin(i) : i % 2 ? DBL_MAX : -(double)INFINITY;
    }
    check_field(CLUMP_TYPE_I8, i8, 0, true);
    check_field(CLUMP_TYPE_U32, u32, 0, true);
    check_field(CLUMP_TYPE_I64, small, 0, true);
    check_field(CLUMP_TYPE_I64, stamps, 256, false);
    check_field(CLUMP_TYPE_I64, wild, 0x1p15, false);
    check_field(CLUMP_TYPE_F32, hundredths, 0, true);
    check_field(CLUMP_TYPE_F32, bytes, 0, true);
    check_field(CLUMP_TYPE_F32, noise, 2.0 / 65534, false);
    check_field(CLUMP_TYPE_F32, same, 0, true);
    check_field(CLUMP_TYPE_F32, none, 0, false);
    check_field(CLUMP_TYPE_F64, seconds, 1e-6, true);
    check_field(CLUMP_TYPE_F64, no_data, 2.0 / 65534, false);
}

/* Two labellings: numbers with gaps, cores, differences, tracks; the shown field "label" is left out. */
static void labelings_come_back(void)
{
    clump_cloud *const cloud = make_cloud(6, 0, 8);
    const int32_t first[] = {0, 0, 1, -1, -2, 1}, second[] = {0, 0, -1, -1, -2, 0}, shown[] = {7, 7, 9, -1, -2, 9};
    const uint8_t core[] = {1, 0, 1, 0, 0, 1};
    const clump_field field = {.name = "label", .type = CLUMP_TYPE_I32, .count = 1, .data = shown};
    clump_cloud_set_field(cloud, &field, NULL);
    const clump_cluster clusters[] = {
        {.label = 7, .count = 2, .centroid = {1.0009f, 2, 3}, .upper = {1.2345f, 2, 3}, .yaw = 179.5f, .height = NAN},
        {.label = 9, .count = 2, .box_size = {4, 2}, .height = 1.5f, .distance = 1e30f}};
    const clump_track tracks[] = {{.id = 41, .velocity = {-1.5f, 0, 0}}, {.id = 42}};
    view_frame frame = frame_of(cloud);
    frame.labelings[0] =
        (view_labels){.name = "a", .labels = first, .clusters = clusters, .count = 2, .core = core, .tracks = tracks};
    frame.labelings[1] = (view_labels){.name = "b", .labels = second, .clusters = clusters, .count = 1};
    frame.labeling_count = 2;
    view_bytes bytes = packet_of(&frame, 0);
    view_read read;
    CHECK(view_read_packet(&read, bytes.data, bytes.size));
    static const struct {
        const char *table, *column;
        double values[6];
    } cases[] = {
        {"points", "label0", {7, 7, 9, -1, -2, 9}},
        {"points", "label1", {7, 7, -1, -1, -2, 7}},
        {"points", "core0", {1, 0, 1, 0, 0, 1}},
        {"clusters0", "label", {7, 9}},
        {"clusters0", "cx", {1.0009, 0}},
        {"clusters0", "cz", {3, 0}},
        {"clusters0", "ux", {1.2345, 0}},
        {"clusters0", "yaw", {179.5, 0}},
        {"clusters0", "length", {0, 4}},
        {"clusters0", "height", {(double)NAN, 1.5}},
        {"clusters0", "track", {41, 42}},
        {"clusters0", "vx", {-1.5, 0}},
        {"clusters1", "label", {7}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const size_t rows = view_rows(&read, cases[k].table);
        CHECK(rows <= 6);
        double *const values = view_values(&read, view_column(&read, cases[k].table, cases[k].column), rows);
        CHECK_MSG(values != NULL, "%s", cases[k].column);
        for (size_t i = 0; values && i < rows; i++)
            CHECK_MSG(isnan(cases[k].values[i]) ? isnan(values[i]) : fabs(values[i] - cases[k].values[i]) <= 0.00051,
                      "%s row %zu: %g", cases[k].column, i, values[i]);
        free(values);
    }
    CHECK(!view_column(&read, "points", "core1"));
    CHECK(!view_column(&read, "points", "field:label"));
    CHECK(view_column(&read, "points", "differs"));
    CHECK(!view_column(&read, "clusters1", "track"));
    check_header(&read, "{\"name\":\"a\",\"clusters\":2,\"noise\":1,\"ground\":1}");
    view_read_release(&read);
    view_bytes_release(&bytes);
    clump_cloud_destroy(cloud);
}

static void pairs_are_rows(void)
{
    clump_cloud *const first = make_cloud(10, 0, 1), *const second = make_cloud(4, 0, 2);
    const int32_t nearest[] = {9, -1, 4, 4};
    view_frame frame = frame_of(first);
    frame.clouds[1] = second;
    frame.cloud_count = 2;
    frame.nearest = nearest;
    const double expected[2][2][3] = {{{9, 4, 4}, {10, 12, 13}}, {{2, 0, 0}, {6, 0, 0}}};
    const size_t rows[2] = {3, 1};
    for (int thin = 0; thin < 2; thin++) { /* every second point: of the pairs only 2 -> 4 is left */
        view_bytes bytes = packet_of(&frame, thin ? 7 : 0);
        view_read read;
        CHECK(view_read_packet(&read, bytes.data, bytes.size));
        CHECK_INT(view_rows(&read, "pairs"), rows[thin]);
        for (int k = 0; k < 2; k++) {
            double *const values = view_values(&read, view_column(&read, "pairs", k ? "b" : "a"), rows[thin]);
            for (size_t i = 0; values && i < rows[thin]; i++) CHECK_INT(values[i], expected[thin][k][i]);
            CHECK(values);
            free(values);
        }
        view_read_release(&read);
        view_bytes_release(&bytes);
    }
    clump_cloud_destroy(first);
    clump_cloud_destroy(second);
}

static void maps_come_back(void)
{
    clump_cloud *const cloud = make_cloud(3, 1e6, 1);
    const float heights[] = {1.5f, NAN, -2.0f, 0.0f};
    const int32_t labels[] = {-1, 0, 1, 70000};
    const uint8_t flags[] = {0, 1, 1, 0};
    view_frame frame = frame_of(cloud);
    frame.maps[0] =
        (view_map){.name = "highest", .kind = VIEW_MAP_F32, .data = heights, .rows = 2, .columns = 2, .cell = 0.5f};
    frame.maps[1] =
        (view_map){.name = "label", .kind = VIEW_MAP_I32, .data = labels, .rows = 1, .columns = 4, .cell = 0.5f};
    frame.maps[2] =
        (view_map){.name = "flag", .kind = VIEW_MAP_U8, .data = flags, .rows = 4, .columns = 1, .cell = 0.5f};
    frame.map_count = 3;
    view_bytes bytes = packet_of(&frame, 0);
    view_read read;
    CHECK(view_read_packet(&read, bytes.data, bytes.size));
    static const char *const kinds[] = {"f32", "i32", "u8"};
    for (int k = 0; k < 3; k++) {
        char key[128];
        snprintf(key, sizeof key, "{\"name\":\"%s\",\"kind\":\"%s\",\"rows\":%zu,\"columns\":%zu,", frame.maps[k].name,
                 kinds[k], frame.maps[k].rows, frame.maps[k].columns);
        const char *const map = strstr(read.header, key);
        double *const values = view_values(&read, map ? strstr(map, "\"column\":{") + 9 : NULL, 4);
        CHECK(values);
        for (int i = 0; values && i < 4; i++) {
            const double height = (double)heights[i] - origin_of(&read, 2);
            const double wanted = k == 0 ? height : k == 1 ? labels[i] : flags[i];
            CHECK(isnan(wanted) ? isnan(values[i]) : values[i] == wanted);
        }
        free(values);
    }
    view_read_release(&read);
    view_bytes_release(&bytes);
    clump_cloud_destroy(cloud);
}

/* Names that want to leave their string, and facts that are not JSON. */
static void hostile_names_stay_inside(void)
{
    clump_cloud *const cloud = make_cloud(2, 0, 1);
    const float data[2] = {1, 2};
    const clump_field field = {.name = "</script>'}{\xff", .type = CLUMP_TYPE_F32, .count = 1, .data = data};
    CHECK_INT(clump_cloud_set_field(cloud, &field, NULL), CLUMP_OK);
    view_frame frame = frame_of(cloud);
    frame.name = "\"</script><img src=x onerror=alert(1)>";
    static const struct {
        const char *text;
        bool good;
    } facts[] = {{"{}", true},
                 {" {\"a\":[1,-2.5e3,true,false,null,\"x\\u00e9\\n\"],\"b\":{\"c\":[]}} ", true},
                 {"", false},
                 {"[]", false},
                 {"{\"a\":1", false},
                 {"{\"a\":1}}", false},
                 {"{\"a\":01}", false},
                 {"{\"a\":1.}", false},
                 {"{\"a\":tru}", false},
                 {"{\"a\":\"\n\"}", false},
                 {"{\"a\":\"\\x\"}", false},
                 {"{\"a\":\"\\u12g4\"}", false},
                 {"{\"a\" 1}", false},
                 {"{a:1}", false},
                 {"{\"a\":1,}", false},
                 {"{\"a\":-}", false}};
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
        frame.facts = facts[k].text;
        view_bytes bytes = packet_of(&frame, 0);
        view_read read;
        CHECK(view_read_packet(&read, bytes.data, bytes.size));
        check_header(&read, "{\"name\":\"\\\"\\u003c/script\\u003e\\u003cimg src=x onerror=alert(1)\\u003e\",");
        check_header(&read, "{\"name\":\"field:\\u003c/script\\u003e'}{\xef\xbf\xbd\",");
        CHECK_MSG(facts[k].good == !strstr(read.header, "\"facts\":null"), "%s", facts[k].text);
        view_read_release(&read);
        view_bytes_release(&bytes);
    }
    for (size_t depth = 20; depth < 2000000; depth *= 10) { /* a parser without a limit runs out of stack */
        char *const deep = calloc(2 * depth + 8, 1);
        memcpy(deep, "{\"a\":", 5);
        memset(deep + 5, '[', depth);
        memset(deep + 5 + depth, ']', depth);
        deep[5 + 2 * depth] = '}';
        frame.facts = deep;
        view_bytes bytes = packet_of(&frame, 0);
        view_read read;
        CHECK(view_read_packet(&read, bytes.data, bytes.size));
        CHECK_MSG((depth > 20) == (strstr(read.header, "\"facts\":null") != NULL), "depth %zu", depth);
        view_read_release(&read);
        view_bytes_release(&bytes);
        free(deep);
    }
    clump_cloud_destroy(cloud);
}

static void same_frame_gives_same_bytes(void)
{
    clump_cloud *const cloud = make_cloud(20000, 1e5, 9);
    const view_frame frame = frame_of(cloud);
    view_bytes first = packet_of(&frame, 0), second = packet_of(&frame, 0);
    CHECK_INT(first.size, second.size);
    CHECK(memcmp(first.data, second.data, first.size) == 0);
    view_bytes_release(&first);
    view_bytes_release(&second);
    clump_cloud_destroy(cloud);
}

CHECK_PROGRAM(test_view_packet)
{
    RUN(coordinates_come_back);
    RUN(huge_extent_is_coarser);
    RUN(small_scenes_are_finer);
    RUN(empty_and_nan_work);
    RUN(thinning_keeps_every_kth);
    RUN(fields_come_back);
    RUN(labelings_come_back);
    RUN(pairs_are_rows);
    RUN(maps_come_back);
    RUN(hostile_names_stay_inside);
    RUN(same_frame_gives_same_bytes);
}
