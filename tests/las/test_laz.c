/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_laz.c: the chunks of LAZ files (io/las/laz.h), below the reader of LAS files.
 *
 * Files made by LASzip and others come from the data folder, some of them with the LAS file they were
 * made from. Files of several chunks are put together here from theirs: a chunk stands for itself.
 */
#include "io/test_io.h"

#include "las/laz_made.h"

#include "las/laz.h"

#include <pthread.h>
#include <time.h>

typedef struct scan {
    char name[64];
    unsigned char *bytes;
    size_t size, record, count, points; /* points: where they begin */
} scan;

static uint64_t get(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, bytes, size);
    return value;
}

static void put(unsigned char *bytes, uint64_t value, size_t size)
{
    memcpy(bytes, &value, size);
}

static scan scan_of(const char *name, unsigned char *bytes, size_t size)
{
    scan s = {.bytes = bytes, .size = size};
    snprintf(s.name, sizeof s.name, "%s", name);
    if (size < 375) return s;
    s.points = (size_t)get(bytes + 96, 4);
    s.record = (size_t)get(bytes + 105, 2);
    s.count = (size_t)(bytes[25] >= 4 ? get(bytes + 247, 8) : get(bytes + 107, 4));
    return s;
}

/* A file of the data folder; without bytes where there is none. */
static scan load(const char *name)
{
    char path[1024];
    size_t size = 0;
    const char *folder = check_data_folder();
    snprintf(path, sizeof path, "%s/las/%s", folder ? folder : "", name);
    unsigned char *bytes = folder ? io_slurp(path, &size) : NULL;
    return scan_of(name, bytes, size);
}

/* At the beginning of each test that needs files. */
#define NEED(s)                                                                                                        \
    if (!(s).bytes) SKIP("no file %s: " DO_DATA, (s).name)

/* Decodes the first `size` bytes of a file; records may be null: then it is only opened. Works on a copy of exactly its
 * size, so that reading one byte too far is seen. */
static clump_status read_copy(const scan *s, size_t size, size_t record, unsigned char *records)
{
    unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, s->bytes, size);
    io_why.text[0] = 0;
    const clump_io_source source = {.bytes = copy, .size = size, .where = {s->name, &io_why}};
    clump_io_laz *laz;
    clump_status status = clump_io_laz_open(&source, record, &laz);
    CHECK((status == CLUMP_OK) == (laz != NULL));
    void *memory = laz && records ? malloc(clump_io_laz_memory(laz)) : NULL;
    for (size_t c = 0; memory && status == CLUMP_OK && c < laz->chunk_count; c++) {
        const clump_io_laz_chunk *chunk = &laz->chunks[c];
        if (chunk->first + chunk->count > s->count) break; /* there is no room for more */
        status = clump_io_laz_decode_chunk(laz, c, copy + chunk->at, memory, CLUMP_IO_LAZ_ALL,
                                           records + chunk->first * record, &source.where);
    }
    clump_io_laz_close(laz);
    free(memory);
    free(copy);
    CHECK((status == CLUMP_OK) == (io_why.text[0] == 0));
    return status;
}

/* All records; null if that fails. */
static unsigned char *decode(const scan *s)
{
    unsigned char *records = malloc(s->count * s->record + 1);
    if (read_copy(s, s->size, s->record, records) == CLUMP_OK) return records;
    free(records);
    return NULL;
}

static void check_same(const scan *s, const unsigned char *expected)
{
    unsigned char *records = decode(s);
    CHECK_MSG(records != NULL, "%s", io_why.text);
    for (size_t i = 0; records && i < s->count; i++)
        CHECK_MSG(memcmp(records + i * s->record, expected + i * s->record, s->record) == 0, "%s: point %zu", s->name,
                  i);
    free(records);
}

/* That opening these bytes fails with this sentence. */
static void check_refused(const scan *s, size_t size, size_t record, clump_status status, const char *sentence)
{
    char expected[512];
    snprintf(expected, sizeof expected, "%s: %s", s->name, sentence);
    CHECK_INT(read_copy(s, size, record, NULL), status);
    CHECK_TEXT(io_why.text, expected);
}

/* A file with the frame of another, and chunks and a chunk table of its own. */
static scan assemble(const scan *frame, size_t count, uint32_t chunk_size, const void *chunks, size_t chunks_size,
                     const void *table, size_t table_size)
{
    const size_t size = frame->points + 8 + chunks_size + table_size;
    unsigned char *bytes = malloc(size);
    memcpy(bytes, frame->bytes, frame->points);
    put(bytes + frame->points, frame->points + 8 + chunks_size, 8);
    memcpy(bytes + frame->points + 8, chunks, chunks_size);
    memcpy(bytes + size - table_size, table, table_size);
    put(bytes + (bytes[25] >= 4 ? 247 : 107), count, bytes[25] >= 4 ? 8 : 4);
    for (size_t at = (size_t)get(bytes + 94, 2); at < frame->points; at += 54 + (size_t)get(bytes + at + 20, 2))
        if (memcmp(bytes + at + 2, "laszip encoded", 15) == 0) put(bytes + at + 54 + 12, chunk_size, 4);
    return scan_of("assembled.laz", bytes, size);
}

/* The same, with a table of `count` chunks that have these sizes, and these points if not null. */
static scan assemble_table(const scan *frame, size_t points, uint32_t chunk_size, const void *chunks,
                           const uint32_t *sizes, const uint32_t *counts, size_t count)
{
    size_t all = 0;
    clump_io_laz_bytes table = {0};
    for (size_t c = 0; c < count; c++) all += sizes[c];
    CHECK_INT(clump_io_laz_table_encode(counts, sizes, count, &table), CLUMP_IO_LAZ_DONE);
    const scan s = assemble(frame, points, chunk_size, chunks, all, table.data, table.size);
    clump_io_laz_bytes_free(&table);
    return s;
}

/* One point of format 0, in one chunk: the point as it is, and the first bytes of the coder. */
static scan one_point(void)
{
    static const uint32_t chunk_sizes[1] = {24};
    unsigned char chunk[24] = {0};
    for (unsigned char i = 0; i < 20; i++) chunk[i] = (unsigned char)(i + 1);
    const clump_io_laz_layout layout = laz_layout(0, 0);
    clump_io_laz_bytes head = {0};
    laz_made_head(&head, &layout, 1, 50000);
    const scan from = {.bytes = head.data, .points = head.size};
    const scan s = assemble_table(&from, 1, 50000, chunk, chunk_sizes, NULL, 1);
    clump_io_laz_bytes_free(&head);
    return s;
}

/* --- what is right ----------------------------------------------------------------------------- */

static void same_as_las(void)
{
    static const char *const pairs[][2] = {{"laspy_1_4_w_evlr.laz", "laspy_1_4_w_evlr.las"},
                                           {"laspy_simple.laz", "pdal_simple.las"}};
    for (int i = 0; i < 2; i++) {
        scan laz = load(pairs[i][0]), las = load(pairs[i][1]);
        NEED(laz);
        NEED(las);
        CHECK_INT(laz.record, las.record);
        CHECK_INT(laz.count, las.count);
        check_same(&laz, las.bytes + las.points);
        free(laz.bytes), free(las.bytes);
    }
}

/* No twin, but the header has the box of the points, and the extra bytes are the number of a tree. */
static void extra_bytes(void)
{
    scan s = load("lidr_MixedConifer.laz");
    NEED(s);
    unsigned char *records = decode(&s);
    CHECK_MSG(records != NULL, "%s", io_why.text);
    int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (size_t i = 0; records && i < s.count; i++) {
        const unsigned char *p = records + i * s.record;
        for (size_t a = 0; a < 3; a++) {
            const int32_t step = (int32_t)get(p + 4 * a, 4);
            if (step < low[a]) low[a] = step;
            if (step > high[a]) high[a] = step;
        }
        double tree;
        memcpy(&tree, p + 28, 8);
        CHECK_MSG((tree >= 1 && tree <= 205 && tree == floor(tree)) || tree > 1e308, "point %zu: tree %g", i, tree);
    }
    for (size_t a = 0; a < 3; a++) {
        double box[2];
        memcpy(box, s.bytes + 179 + 16 * a, 16);
        CHECK(fabs(box[0] - 0.01 * high[a]) < 1e-6 && fabs(box[1] - 0.01 * low[a]) < 1e-6);
    }
    free(records), free(s.bytes);
}

/* Chunks of equal size, chunks whose size is in the table (which is LASzip's coding of 1065, 1, 1065 points and their
 * bytes), and a table whose place is at the end of the file. */
static void several_chunks(void)
{
    static const unsigned char variable[] = {0,    0,    0,    0,    3,    0,    0,    0,    0x59,
                                             0x5b, 0xd1, 0xbe, 0x3b, 0x2d, 0x47, 0xed, 0x68, 0x16,
                                             0x59, 0x7a, 0x9f, 0xd0, 0,    0,    0};
    static const char *const names[] = {"laspy_simple.laz", "laspy_1_4_w_evlr.laz", "lidr_MixedConifer.laz"};
    for (int i = 0; i < 3; i++) {
        scan s = load(names[i]);
        NEED(s);
        const size_t from = s.points + 8, chunk = (size_t)get(s.bytes + s.points, 8) - from, all = s.count * s.record;
        unsigned char *records = decode(&s), *chunks = malloc(5 * chunk + 64), *expected = malloc(5 * all);
        CHECK_MSG(records != NULL, "%s", io_why.text);
        if (!records) records = calloc(1, all);
        for (size_t k = 0; k < 5; k++)
            memcpy(chunks + k * chunk, s.bytes + from, chunk), memcpy(expected + k * all, records, all);
        uint32_t sizes[5];
        for (size_t k = 0; k < 5; k++) sizes[k] = (uint32_t)chunk;
        scan many = assemble_table(&s, 5 * s.count, (uint32_t)s.count, chunks, sizes, NULL, 5);
        check_same(&many, expected);
        unsigned char *end = realloc(many.bytes, many.size + 8);
        memcpy(end + many.size, end + many.points, 8);
        memset(end + many.points, 0xff, 8);
        many.bytes = end, many.size += 8;
        check_same(&many, expected);
        free(many.bytes);

        if (i == 0) {
            for (unsigned char k = 0; k < 34; k++) chunks[chunk + k] = expected[all + k] = k;
            memset(chunks + chunk + 34, 0, 4);
            memcpy(chunks + chunk + 38, s.bytes + from, chunk);
            memcpy(expected + all + 34, records, all);
            many = assemble(&s, 2131, UINT32_MAX, chunks, 2 * chunk + 38, variable, sizeof variable);
            check_same(&many, expected);
            free(many.bytes);
        }
        free(records), free(chunks), free(expected), free(s.bytes);
    }
}

static void bounds(void)
{
    scan s = one_point();
    unsigned char record[20];
    clump_io_laz_close(NULL);
    CHECK_INT(read_copy(&s, s.size, 20, NULL), CLUMP_OK);
    CHECK_INT(read_copy(&s, s.size, 20, record), CLUMP_OK);
    for (int i = 0; i < 20; i++) CHECK_INT(record[i], i + 1);
    put(s.bytes + 247, 0, 8); /* no points: then nothing behind the header matters */
    CHECK_INT(read_copy(&s, 375, 20, record), CLUMP_OK);
    free(s.bytes);
}

/* --- what is wrong ------------------------------------------------------------------------------ */

static void refused(void)
{
    /* Bytes of the file with one point, what is put there, and what comes of it. */
    static const struct {
        size_t at, size;
        uint64_t value;
        clump_status status;
        const char *sentence;
    } cases[] = {
        {0, 1, 'X', CLUMP_ERR_IO_FORMAT, "byte 0: no LAS file"},
        {96, 4, 600, CLUMP_ERR_IO_TRUNCATED, "the points begin at byte 600, the file ends at byte 514"},
        {100, 4, 0, CLUMP_ERR_IO_FORMAT, "no whole record \"laszip encoded\" in front of the points"},
        {104, 1, 0x00, CLUMP_ERR_IO_FORMAT, "byte 104: the points are not compressed"},
        {104, 1, 0xc0, CLUMP_ERR_IO_UNSUPPORTED, "byte 104: the points are compressed by an old LASzip"},
        {104, 1, 0x81, CLUMP_ERR_IO_FORMAT, "points of format 1 have 28 bytes, not 20"},
        {104, 1, 0x84, CLUMP_ERR_IO_UNSUPPORTED, "point format 4 has waveforms, which are not supported in a LAZ file"},
        {104, 1, 0x8b, CLUMP_ERR_IO_FORMAT, "byte 104: no point format 11"},
        {247, 8, 1u << 20, CLUMP_ERR_IO_FORMAT, "byte 501: too few chunks, 1, for 1048576 points"},
        {395, 2, 39, CLUMP_ERR_IO_FORMAT, "no whole record \"laszip encoded\" in front of the points"},
        {429, 2, 1, CLUMP_ERR_IO_UNSUPPORTED,
         "byte 429: the points are compressed by LASzip 1 (compressor 1, without chunks), which is not supported; a "
         "newer "
         "laszip or PDAL can write the file anew"},
        {441, 4, 0, CLUMP_ERR_IO_FORMAT,
         "byte 429: the record \"laszip encoded\" does not fit points of format 0 and 20 bytes"},
        {465, 2, 21, CLUMP_ERR_IO_FORMAT,
         "byte 429: the record \"laszip encoded\" does not fit points of format 0 and 20 bytes"},
        {467, 2, 1, CLUMP_ERR_IO_UNSUPPORTED, "byte 429: version 1 of compressed item 6 is not supported, only 2"},
        {469, 8, 1000, CLUMP_ERR_IO_TRUNCATED, "the chunk table is at byte 1000, the file ends at byte 514"},
        {469, 8, 400, CLUMP_ERR_IO_FORMAT, "byte 400: no chunk table"},
        {501, 4, 7, CLUMP_ERR_IO_FORMAT, "byte 501: no chunk table"},
        {505, 4, 0, CLUMP_ERR_IO_FORMAT, "byte 501: too few chunks, 0, for 1 points"},
        {505, 4, UINT32_MAX, CLUMP_ERR_IO_FORMAT, "byte 501: 4294967295 chunks are not possible in 24 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scan s = one_point();
        put(s.bytes + cases[i].at, cases[i].value, cases[i].size);
        check_refused(&s, s.size, 20, cases[i].status, cases[i].sentence);
        free(s.bytes);
    }
    scan s = one_point();
    check_refused(&s, 300, 20, CLUMP_ERR_IO_TRUNCATED, "the LAS header ends at byte 300");
    check_refused(&s, s.size - 2, 20, CLUMP_ERR_IO_TRUNCATED, "byte 501: the chunk table is not whole");
    check_refused(&s, s.size, 19, CLUMP_ERR_IO_FORMAT, "points of format 0 have 20 bytes, not 19");
    check_refused(&s, s.size, 65535, CLUMP_ERR_IO_UNSUPPORTED,
                  "points of 65535 bytes are not supported in a LAZ file, only up to 1044");
    free(s.bytes);
}

static void waveforms(void)
{
    scan s = load("laspy_fullwave.laz");
    NEED(s);
    check_refused(&s, s.size, s.record, CLUMP_ERR_IO_UNSUPPORTED,
                  "point format 10 has waveforms, which are not supported in a LAZ file");
    free(s.bytes);
}

/* Reads what can be read of the first `size` bytes: the status, and how long it took, in seconds. */
static clump_status attempt(const scan *s, size_t size, unsigned char *records, double *seconds)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    const clump_status status = read_copy(s, size, s->record, records);
    clock_gettime(CLOCK_MONOTONIC, &end);
    *seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    CHECK_MSG(status == CLUMP_OK || (status >= CLUMP_ERR_IO_FORMAT && status <= CLUMP_ERR_IO_UNSUPPORTED),
              "%s: status %d", s->name, status);
    CHECK_MSG((status == CLUMP_OK) == (io_why.text[0] == 0), "%s: %s", s->name, io_why.text);
    CHECK_MSG(*seconds < 10, "%s: %g s", s->name, *seconds);
    return status;
}

static const char *const small[] = {"laspy_simple.laz", "laspy_1_4_w_evlr.laz"};

static void truncated(void)
{
    for (int i = 0; i < 2; i++) {
        scan s = load(small[i]);
        NEED(s);
        unsigned char *records = malloc(s.count * s.record);
        double seconds;
        const size_t table = (size_t)get(s.bytes + s.points, 8);
        for (size_t size = 0; size < table + 8; size += size < s.points + 64 || size > table - 64 ? 1 : 97) {
            attempt(&s, size, records, &seconds);
            CHECK_MSG(io_why.text[0], "%s cut at %zu was read", s.name, size);
        }
        /* The same points, and the table at once behind the cut: now the points themselves are short. */
        for (uint32_t size = (uint32_t)s.record; size < table - s.points - 8; size += 97) {
            scan cut = assemble_table(&s, s.count, 50000, s.bytes + s.points + 8, &size, NULL, 1);
            CHECK_INT(attempt(&cut, cut.size, records, &seconds), CLUMP_ERR_IO_TRUNCATED);
            free(cut.bytes);
        }
        free(records), free(s.bytes);
    }
}

/* One to four random bytes changed, in the frame or in the points. There are no checksums: it must
 * end, and in a status and a sentence or in points. */
static void flipped(void)
{
    const int rounds = check_rounds(1000);
    uint64_t random = 2024;
    double slowest = 0, seconds;
    int outcomes[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        scan s = load(small[i]);
        NEED(s);
        unsigned char *records = malloc(s.count * s.record), *whole = s.bytes;
        s.bytes = malloc(s.size);
        for (int round = 0; round < rounds; round++) {
            memcpy(s.bytes, whole, s.size);
            const size_t from = round % 4 ? s.points : 0, to = round % 4 ? s.size : s.points;
            for (uint64_t n = check_random(&random) % 4 + 1; n; n--)
                s.bytes[from + check_random(&random) % (to - from)] = (unsigned char)check_random(&random);
            outcomes[attempt(&s, s.size, records, &seconds) == CLUMP_OK]++;
            if (seconds > slowest) slowest = seconds;
        }
        free(records), free(whole), free(s.bytes);
    }
    printf("%d files with changed bytes: %d refused, %d read, the slowest in %.3f s\n", 2 * rounds, outcomes[0],
           outcomes[1], slowest);
    CHECK(outcomes[0] > 0 && outcomes[1] > 0);
}

/* Noise from the first chunk on, in every point format, and counts that nothing stands behind. */
static void noise(void)
{
    static const unsigned formats[] = {0, 1, 2, 3, 6, 7, 8};
    enum { BYTES = 50000, POINTS = 100000 };
    static const uint32_t size = BYTES, counts = POINTS;
    uint64_t random = 7;
    unsigned char *chunk = malloc(BYTES), *records = malloc(50 * POINTS);
    for (unsigned round = 0; round < 42; round++) {
        const clump_io_laz_layout layout = laz_layout(formats[round % 7], round % 5);
        clump_io_laz_bytes head = {0};
        laz_made_head(&head, &layout, POINTS, POINTS);
        const scan from = {.bytes = head.data, .points = head.size};
        for (size_t i = 0; i < BYTES; i++)
            chunk[i] = round % 3 ? (unsigned char)check_random(&random) : (unsigned char)(round * 6);
        const bool variable = round % 2;
        scan s =
            assemble_table(&from, POINTS, variable ? UINT32_MAX : POINTS, chunk, &size, variable ? &counts : NULL, 1);
        if (round % 4 == 3) put(s.bytes + 247, UINT64_MAX, 8);
        double seconds;
        attempt(&s, s.size, records, &seconds);
        free(s.bytes);
        clump_io_laz_bytes_free(&head);
    }
    free(chunk), free(records);
}

/* Tables whose chunks are larger than the file, too small for a point, or too small for their points. */
static void lying_tables(void)
{
    static const struct {
        uint32_t sizes[3], points[3];
        const char *sentence;
    } cases[] = {
        {{1000, 24, 24}, {1, 1, 1}, "chunk 0 has 1000 bytes, but from byte 477 to the table there are 72"},
        {{24, 49, 24}, {1, 1, 1}, "chunk 1 has 49 bytes, but from byte 501 to the table there are 48"},
        {{24, UINT32_MAX, 24}, {1, 1, 1}, "chunk 1 has 4294967295 bytes, but from byte 501 to the table there are 48"},
        {{24, 19, 24}, {1, 1, 1}, "1 points are not possible in the 19 bytes of chunk 1"},
        {{24, 24, 24}, {1, 1, 0}, "the chunks have 2 points, not 3"},
        {{24, 24, 24}, {0, 0, 0}, "the chunks have 0 points, not 3"},
        {{24, 0, 24}, {1, UINT32_MAX, 1}, "2 points are not possible in the 0 bytes of chunk 1"},
    };
    unsigned char chunks[72] = {0}, records[60];
    const clump_io_laz_layout layout = laz_layout(0, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const uint32_t right[3] = {24, 24, 24};
        clump_io_laz_bytes head = {0}, table = {0};
        laz_made_head(&head, &layout, 3, UINT32_MAX);
        const scan from = {.bytes = head.data, .points = head.size};
        scan s = assemble_table(&from, 3, UINT32_MAX, chunks, right, (const uint32_t[]){1, 1, 1}, 3);
        CHECK_INT(read_copy(&s, s.size, 20, records), CLUMP_OK);
        free(s.bytes);
        CHECK_INT(clump_io_laz_table_encode(cases[i].points, cases[i].sizes, 3, &table), CLUMP_IO_LAZ_DONE);
        s = assemble(&from, 3, UINT32_MAX, chunks, sizeof chunks, table.data, table.size);
        char sentence[256];
        snprintf(sentence, sizeof sentence, "byte %zu: %s", head.size + 8 + sizeof chunks, cases[i].sentence);
        check_refused(&s, s.size, 20, CLUMP_ERR_IO_FORMAT, sentence);
        free(s.bytes);
        clump_io_laz_bytes_free(&head), clump_io_laz_bytes_free(&table);
    }
}

/* A point needs some bits: a chunk cannot claim more points than its bytes can hold. */
static void too_dense(void)
{
    static const uint32_t size = 100, points = 100 * 2048 + 1;
    const clump_io_laz_layout layout = laz_layout(0, 0);
    unsigned char chunk[100] = {0};
    clump_io_laz_bytes head = {0};
    laz_made_head(&head, &layout, points, UINT32_MAX);
    const scan from = {.bytes = head.data, .points = head.size};
    scan s = assemble_table(&from, points, UINT32_MAX, chunk, &size, &points, 1);
    check_refused(&s, s.size, 20, CLUMP_ERR_IO_FORMAT,
                  "byte 577: 204801 points are not possible in the 100 bytes of chunk 0");
    free(s.bytes);
    clump_io_laz_bytes_free(&head);
}

static void ignore_chunk(void *user, size_t thread, const unsigned char *records, uint64_t first, size_t count)
{
    (void)user, (void)thread, (void)records, (void)first, (void)count;
}

/* Through the public interface: several threads give the cloud that one gives, and the failure of the lowest chunk. */
static void team(void)
{
    const clump_io_laz_layout layout = laz_layout(3, 2);
    const size_t count = 5000, damaged = 7;
    unsigned char *records = laz_made_records(&layout, count, LAZ_SURVEY, 9);
    clump_io_laz_bytes file = laz_made(&layout, records, count, 100, NULL, 0);
    clump_load_options options = clump_load_defaults();
    for (int threads = 0; threads < 9; threads++) {
        clump_cloud *cloud;
        options.threads = threads;
        CHECK_MSG(clump_cloud_parse(file.data, file.size, "team.laz", &options, &cloud, &io_why) == CLUMP_OK, "%s",
                  io_why.text);
        CHECK_INT(clump_cloud_points(cloud).count, count);
        clump_field intensity;
        CHECK(clump_cloud_field(cloud, 0, &intensity) && strcmp(intensity.name, "intensity") == 0);
        for (size_t i = 0; i < count; i++)
            CHECK(memcmp((const char *)intensity.data + 2 * i, records + i * layout.record + 12, 2) == 0);
        clump_cloud_destroy(cloud);
    }
    const clump_io_source source = {.bytes = file.data, .size = file.size, .where = {"team.laz", &io_why}};
    clump_io_laz *laz;
    CHECK_INT(clump_io_laz_open(&source, layout.record, &laz), CLUMP_OK);
    for (size_t c = damaged; c < laz->chunk_count; c++) /* so that every later chunk is too short, too */
        laz->chunks[c].size = layout.record + 4;
    for (size_t threads = 1; threads < 9; threads++) {
        CHECK_INT(clump_io_laz_each_chunk(laz, &source, threads, ignore_chunk, NULL), CLUMP_ERR_IO_TRUNCATED);
        CHECK_MSG(strncmp(io_why.text, "team.laz: the compressed points end at point 70", 47) == 0, "%s", io_why.text);
    }
    clump_io_laz_close(laz);
    clump_io_laz_bytes_free(&file);
    free(records);
}

/* --- two at once -------------------------------------------------------------------------------- */

typedef struct job {
    scan file;
    unsigned char *expected;
    bool same;
} job;

static void *work(void *argument)
{
    job *j = argument;
    const clump_io_source source = {.bytes = j->file.bytes, .size = j->file.size, .where = {j->file.name, NULL}};
    clump_io_laz *laz;
    j->same = clump_io_laz_open(&source, j->file.record, &laz) == CLUMP_OK;
    void *memory = laz ? malloc(clump_io_laz_memory(laz)) : NULL;
    unsigned char *records = malloc(j->file.count * j->file.record);
    for (int round = 0; round < 20 && j->same; round++)
        j->same = clump_io_laz_decode_chunk(laz, 0, source.bytes + laz->chunks[0].at, memory, CLUMP_IO_LAZ_ALL, records,
                                            &source.where) == CLUMP_OK &&
                  memcmp(records, j->expected, j->file.count * j->file.record) == 0;
    clump_io_laz_close(laz);
    free(memory), free(records);
    return NULL;
}

static void threads(void)
{
    enum { COUNT = 4 };
    job jobs[COUNT];
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++) {
        jobs[i].file = load(small[i % 2]);
        NEED(jobs[i].file);
        jobs[i].expected = decode(&jobs[i].file);
    }
    for (int i = 0; i < COUNT; i++) CHECK_INT(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    for (int i = 0; i < COUNT; i++) {
        pthread_join(threads[i], NULL);
        CHECK(jobs[i].same);
        free(jobs[i].expected), free(jobs[i].file.bytes);
    }
}

CHECK_PROGRAM(test_laz)
{
    RUN(same_as_las);
    RUN(extra_bytes);
    RUN(several_chunks);
    RUN(bounds);
    RUN(refused);
    RUN(waveforms);
    RUN(truncated);
    RUN(flipped);
    RUN(noise);
    RUN(lying_tables);
    RUN(too_dense);
    RUN(threads);
    RUN(team);
}
