/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recorder_sample.c: recorder_sample FOLDER writes one recording in all formats and compressions, and expected.json:
 * what a reader must find in each. Programs that do not know clump compare both.
 */
#include <clump/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 6, GRID_WIDTH = 4, GRID_HEIGHT = 3, MAX_BOXES = 3 };

static FILE *json;
static bool first_message = true;

static void fail(const char *what, const clump_message *why)
{
    fprintf(stderr, "recorder_sample: %s: %s\n", what, why ? why->text : "");
    exit(1);
}

static void must(clump_status status, const clump_message *why)
{
    if (status != CLUMP_OK) fail("failed", why);
}

/* --- JSON ------------------------------------------------------------------------------------------ */

static void put_number(double value)
{
    if (isfinite(value))
        fprintf(json, "%.17g", value);
    else
        fputs("null", json); /* JSON has no NaN; the sample has no infinity */
}

static void put_numbers(const char *name, const double *values, int count)
{
    fprintf(json, "\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i) fputc(',', json);
        put_number(values[i]);
    }
    fputc(']', json);
}

static void begin_message(const char *topic, const char *type, const clump_frame *frame, unsigned sequence)
{
    fprintf(json, "%s\n{\"topic\":\"%s\",\"type\":\"%s\",\"received\":\"%lld\",\"stamp\":\"%lld\",",
            first_message ? "" : ",", topic, type, (long long)frame->received, (long long)frame->stamp);
    fprintf(json, "\"frame_id\":\"%s\",\"sequence\":%u,", frame->frame_id[0] ? frame->frame_id : "clump", sequence);
    first_message = false;
}

/* --- clouds ------------------------------------------------------------------------------------------ */

/* A column as the message has it. */
typedef struct column {
    const char *name;
    int datatype, count; /* of sensor_msgs/PointField */
    double values[3 * GRID_WIDTH * GRID_HEIGHT];
} column;

static void put_cloud(size_t width, size_t height, bool dense, const column *columns, int count)
{
    fprintf(json, "\"width\":%zu,\"height\":%zu,\"dense\":%s,\"fields\":[", width, height, dense ? "true" : "false");
    for (int i = 0; i < count; i++) {
        fprintf(json, "%s{\"name\":\"%s\",\"datatype\":%d,\"count\":%d,", i ? "," : "", columns[i].name,
                columns[i].datatype, columns[i].count);
        put_numbers("values", columns[i].values, (int)(width * height) * columns[i].count);
        fputc('}', json);
    }
    fputs("]}", json);
}

static void set_field(clump_cloud *cloud, const char *name, clump_type type, uint32_t count, const void *data)
{
    clump_message why;
    must(clump_cloud_set_field(cloud, &(clump_field){name, type, count, data}, &why), &why);
}

/* All types, a NaN, labels. */
static void fields_cloud(clump_frame *frame, int32_t *labels, column *columns, int *count)
{
    static const float xyz[3 * POINTS] = {1, 2, 3, -0.5f, 1e-3f, 80, 3, (float)NAN, 1, 4, 5, 6, 7, 8, 9, 1, 1, 1};
    static const int8_t i8[POINTS] = {-128, 0, 1, 2, 3, 127};
    static const uint8_t u8[POINTS] = {0, 1, 2, 3, 4, 255};
    static const int16_t i16[POINTS] = {-32768, 0, 1, 2, 3, 32767};
    static const uint16_t u16[POINTS] = {0, 1, 2, 3, 4, 65535};
    static const int32_t i32[POINTS] = {INT32_MIN, 0, 1, 2, 3, INT32_MAX};
    static const uint32_t u32[POINTS] = {0, 1, 2, 3, 4, UINT32_MAX};
    static const int64_t i64[POINTS] = {-9007199254740991, 0, 1, 2, 3, 9007199254740991};
    static const uint64_t u64[POINTS] = {0, 1, 2, 3, 4, 1ull << 53};
    static const double f64[POINTS] = {0.1, -0.2, 1e300, 4, 5, 6};
    static const float f32[3 * POINTS] = {0, 0, 1, 0, 1, 0, 1, 0, 0, 0.25f, 0.5f, 0.75f, -1, -2, -3, 9, 8, 7};
    static const int32_t label[POINTS] = {0, 0, -1, 1, 1, -2};
    memcpy(clump_cloud_xyz(frame->cloud), xyz, sizeof xyz);
    memcpy(labels, label, sizeof label);
    *count = 0;
    for (int a = 0; a < 3; a++) {
        columns[*count] = (column){.name = a == 0 ? "x" : a == 1 ? "y" : "z", .datatype = 7, .count = 1};
        for (int i = 0; i < POINTS; i++) columns[*count].values[i] = (double)xyz[3 * i + a];
        ++*count;
    }
#define COLUMN(field, type, elements, number)                                                                          \
    set_field(frame->cloud, #field, type, elements, field);                                                            \
    columns[*count] = (column){.name = #field, .datatype = number, .count = elements};                                 \
    for (int i = 0; i < POINTS * (elements); i++) columns[*count].values[i] = (double)(field)[i];                      \
    ++*count
    COLUMN(u8, CLUMP_TYPE_U8, 1, 2);
    COLUMN(f64, CLUMP_TYPE_F64, 1, 8);
    COLUMN(i8, CLUMP_TYPE_I8, 1, 1);
    COLUMN(i16, CLUMP_TYPE_I16, 1, 3);
    COLUMN(u16, CLUMP_TYPE_U16, 1, 4);
    COLUMN(i32, CLUMP_TYPE_I32, 1, 5);
    COLUMN(u32, CLUMP_TYPE_U32, 1, 6);
    COLUMN(i64, CLUMP_TYPE_I64, 1, 8);
    COLUMN(u64, CLUMP_TYPE_U64, 1, 8);
    COLUMN(f32, CLUMP_TYPE_F32, 3, 7);
#undef COLUMN
    columns[*count] = (column){.name = "label", .datatype = 5, .count = 1};
    for (int i = 0; i < POINTS; i++) columns[*count].values[i] = label[i];
    ++*count;
}

/* Rows of points without fields. */
static void grid_cloud(clump_frame *frame, column *columns, int *count)
{
    float *const xyz = clump_cloud_xyz(frame->cloud);
    clump_cloud_set_shape(frame->cloud, GRID_WIDTH, GRID_HEIGHT, (const double[7]){0, 0, 0, 1, 0, 0, 0});
    *count = 3;
    for (int a = 0; a < 3; a++) {
        columns[a] = (column){.name = a == 0 ? "x" : a == 1 ? "y" : "z", .datatype = 7, .count = 1};
        for (int i = 0; i < GRID_WIDTH * GRID_HEIGHT; i++)
            columns[a].values[i] = (double)(xyz[3 * i + a] = (float)(i * 0.1 + a));
    }
}

/* Coordinates finer than float32, and a field "label" that the labels replace. */
static void wide_cloud(clump_frame *frame, int32_t *labels, const double origin[3], column *columns, int *count)
{
    static const int32_t old[POINTS] = {9, 9, 9, 9, 9, 9};
    set_field(frame->cloud, "label", CLUMP_TYPE_I32, 1, old);
    clump_cloud_set_origin(frame->cloud, origin);
    float *const xyz = clump_cloud_xyz(frame->cloud);
    *count = 4;
    columns[3] = (column){.name = "label", .datatype = 5, .count = 1};
    for (int a = 0; a < 3; a++)
        columns[a] = (column){.name = a == 0 ? "x" : a == 1 ? "y" : "z", .datatype = 8, .count = 1};
    for (int i = 0; i < POINTS; i++) {
        columns[3].values[i] = labels[i] = i % 3 - 1;
        for (int a = 0; a < 3; a++) columns[a].values[i] = origin[a] + (double)(xyz[3 * i + a] = (float)(i * 0.25 + a));
    }
}

/* --- boxes --------------------------------------------------------------------------------------------- */

typedef struct boxes {
    clump_recorder_boxes given;
    clump_cluster clusters[MAX_BOXES];
    uint64_t ids[MAX_BOXES];
    float velocities[MAX_BOXES][3];
} boxes;

static void make_boxes(boxes *b, int count, bool tracked)
{
    memset(b, 0, sizeof *b);
    for (int i = 0; i < count; i++) {
        b->clusters[i] = (clump_cluster){.label = i,
                                         .count = 10,
                                         .centroid = {(float)i, 2, 0.75f},
                                         .lower = {(float)i - 1, 1, 0},
                                         .upper = {(float)i + 1, 3, i == 1 ? 0.0f : 1.5f},
                                         .box_center = {(float)i + 0.25f, 2.5f},
                                         .box_size = {1.5f, 0.5f},
                                         .yaw = 30.0f * (float)i};
        b->ids[i] = i == 0 ? 7 : i == 1 ? 0x123456789abcdef0u : 4000000000u;
        for (int a = 0; a < 3; a++) b->velocities[i][a] = i == 1 ? (float)NAN : i == 2 ? 0 : (float)(a + 1) * 0.5f;
    }
    b->given = (clump_recorder_boxes){.clusters = b->clusters, .count = count, .ids = tracked ? b->ids : NULL};
    if (tracked) b->given.velocities = (const float(*)[3])b->velocities;
}

static void put_boxes(const boxes *b, const double origin[3])
{
    fputs("\"boxes\":[", json);
    for (int i = 0; i < b->given.count; i++) {
        const clump_cluster *const c = &b->clusters[i];
        const double tall = (double)(c->upper[2] - c->lower[2]), half = (double)c->yaw / 2 * acos(-1.0) / 180;
        const double center[] = {origin[0] + (double)c->box_center[0], origin[1] + (double)c->box_center[1],
                                 origin[2] + (double)c->lower[2] + tall / 2};
        const double centroid[] = {origin[0] + (double)c->centroid[0], origin[1] + (double)c->centroid[1],
                                   origin[2] + (double)c->centroid[2]};
        static const char *const texts[] = {"7  1.9 m/s", "1311768467463790320", "4000000000  0.0 m/s"};
        char label[16];
        snprintf(label, sizeof label, "%d", i);
        fprintf(json, "%s{\"id\":\"%llu\",\"text\":\"%s\",", i ? "," : "",
                (unsigned long long)(b->given.ids ? b->ids[i] : (uint64_t)i), b->given.ids ? texts[i] : label);
        put_numbers("center", center, 3);
        fputc(',', json);
        put_numbers("centroid", centroid, 3);
        fputc(',', json);
        put_numbers("size", (const double[]){(double)c->box_size[0], (double)c->box_size[1], tall}, 3);
        fputc(',', json);
        put_numbers("orientation", (const double[]){0, 0, sin(half), cos(half)}, 4);
        fputc(',', json);
        const double velocity[] = {0.5, 1, 1.5};
        put_numbers("velocity", velocity, b->given.ids && i == 0 ? 3 : 0);
        fputc('}', json);
    }
    fputs("]}", json);
}

/* --- the recording -------------------------------------------------------------------------------------- */

/* Writes frame i. With `describe`, also what it must be. */
static void record_frame(clump_recorder *recorder, int i, bool describe)
{
    static const int64_t second = 1000000000;
    clump_message why;
    const double origin[2][3] = {{0, 0, 0}, {500000.125, 5400000.5, 100}};
    const int kind = i % 3;
    /* Frame 4 was received before frame 3. */
    clump_frame frame = {.stamp = 1700000000 * second + i * 100000001LL, .index = (uint64_t)i};
    frame.received = frame.stamp + 50000000 - (i == 4 ? 200000000 : 0);
    if (kind != 1) strcpy(frame.frame_id, kind ? "map" : "velodyne");
    must(clump_cloud_create(kind == 1 ? GRID_WIDTH * GRID_HEIGHT : POINTS, &frame.cloud, &why), &why);
    int32_t labels[POINTS];
    static column columns[20];
    int count = 0;
    if (kind == 0) fields_cloud(&frame, labels, columns, &count);
    if (kind == 1) grid_cloud(&frame, columns, &count);
    if (kind == 2) wide_cloud(&frame, labels, origin[1], columns, &count);
    boxes b;
    make_boxes(&b, kind == 0 ? 2 : kind == 1 ? 0 : MAX_BOXES, kind == 2);

    must(clump_recorder_cloud(recorder, "/clump/points", &frame, kind == 1 ? NULL : labels, &why), &why);
    must(clump_recorder_markers(recorder, "/clump/markers", &frame, &b.given, &why), &why);
    must(clump_recorder_detections(recorder, "/clump/detections", &frame, &b.given, &why), &why);
    if (i == 1) must(clump_recorder_cloud(recorder, "/more points", &frame, NULL, &why), &why);
    if (describe) {
        begin_message("/clump/points", "sensor_msgs/PointCloud2", &frame, (unsigned)i);
        put_cloud(kind == 1 ? GRID_WIDTH : POINTS, kind == 1 ? GRID_HEIGHT : 1, kind != 0, columns, count);
        begin_message("/clump/markers", "visualization_msgs/MarkerArray", &frame, (unsigned)i);
        put_boxes(&b, origin[kind == 2]);
        begin_message("/clump/detections", "vision_msgs/Detection3DArray", &frame, (unsigned)i);
        put_boxes(&b, origin[kind == 2]);
        if (i == 1) begin_message("/more points", "sensor_msgs/PointCloud2", &frame, 0);
        if (i == 1) put_cloud(GRID_WIDTH, GRID_HEIGHT, true, columns, count);
    }
    clump_cloud_destroy(frame.cloud);
}

static void write_recording(const char *folder, const char *name, clump_compression compression, size_t chunk_size,
                            int frames, bool describe)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    clump_recorder_options options = clump_recorder_defaults();
    options.compression = compression;
    options.chunk_size = chunk_size;
    clump_recorder *recorder;
    clump_message why;
    const clump_status opened = clump_recorder_open(path, &options, &recorder, &why);
    if (opened == CLUMP_ERR_IO_UNSUPPORTED) { /* a build without the compression */
        printf("left out: %s\n", why.text);
        return;
    }
    must(opened, &why);
    for (int i = 0; i < frames; i++) record_frame(recorder, i, describe);
    must(clump_recorder_close(recorder, true, &why), &why);
}

int main(int argc, char **argv)
{
    enum { FRAMES = 7 };
    const size_t large = (size_t)1 << 20, small = 2000;
    if (argc != 2) fail("usage", &(clump_message){"recorder_sample FOLDER"});
    char path[1024];
    snprintf(path, sizeof path, "%s/expected.json", argv[1]);
    json = fopen(path, "w");
    if (!json) fail("cannot write", &(clump_message){"expected.json"});
    fputs("{\"messages\":[", json);
    write_recording(argv[1], "none.mcap", CLUMP_COMPRESSION_NONE, large, FRAMES, true);
    fputs("\n]}\n", json);
    fclose(json);
    write_recording(argv[1], "none.bag", CLUMP_COMPRESSION_NONE, large, FRAMES, false);
    write_recording(argv[1], "small.mcap", CLUMP_COMPRESSION_NONE, small, FRAMES, false);
    write_recording(argv[1], "small.bag", CLUMP_COMPRESSION_NONE, small, FRAMES, false);
    write_recording(argv[1], "lz4.mcap", CLUMP_COMPRESSION_LZ4, small, FRAMES, false);
    write_recording(argv[1], "lz4.bag", CLUMP_COMPRESSION_LZ4, small, FRAMES, false);
    write_recording(argv[1], "zstd.mcap", CLUMP_COMPRESSION_ZSTD, large, FRAMES, false);
    write_recording(argv[1], "bz2.bag", CLUMP_COMPRESSION_BZ2, small, FRAMES, false);
    write_recording(argv[1], "empty.mcap", CLUMP_COMPRESSION_NONE, large, 0, false);
    write_recording(argv[1], "empty.bag", CLUMP_COMPRESSION_NONE, large, 0, false);
    return 0;
}
