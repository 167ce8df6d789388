/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_laz.c: the decoder of LAZ points (io/laz.h), below the reader of LAS files.
 *
 * Files made by LASzip and others come from the data folder, some of them with the LAS file they were
 * made from. Files of several chunks are put together here from theirs: a chunk stands for itself.
 */
#include "test_io.h"

#include "../io/laz.h"

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

/* At the beginning of each test that needs the decoder, and files. */
#define NEED_DECODER                                                                                                   \
    if (!clump_io_laz_available()) SKIP("the decoder is not built in")
#define NEED(s)                                                                                                        \
    NEED_DECODER;                                                                                                      \
    if (!(s).bytes) SKIP("no file %s in the data folder", (s).name)

/* A copy of exactly its size, so that reading one byte too far is seen. */
static clump_status open_copy(const scan *s, size_t size, size_t record, clump_io_laz **laz)
{
    unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, s->bytes, size);
    io_why.text[0] = 0;
    const clump_io_source source = {.bytes = copy, .size = size, .where = {s->name, &io_why}};
    const clump_status status = clump_io_laz_open(&source, record, laz);
    free(copy); /* the decoder has one of its own */
    CHECK((status == CLUMP_OK) == (*laz != NULL));
    CHECK((status == CLUMP_OK) == (io_why.text[0] == 0));
    return status;
}

/* All records, read in batches; null if that fails. */
static unsigned char *decode(const scan *s, size_t batch)
{
    clump_io_laz *laz;
    clump_status status = open_copy(s, s->size, s->record, &laz);
    unsigned char *records = malloc(s->count * s->record + 1);
    for (size_t at = 0; status == CLUMP_OK && at < s->count; at += batch)
        status = clump_io_laz_read(laz, records + at * s->record, s->count - at < batch ? s->count - at : batch);
    clump_io_laz_close(laz);
    if (status == CLUMP_OK) return records;
    free(records);
    return NULL;
}

static void check_same(const scan *s, const unsigned char *expected, size_t batch)
{
    unsigned char *records = decode(s, batch);
    CHECK_MSG(records != NULL, "%s", io_why.text);
    for (size_t i = 0; records && i < s->count; i++)
        CHECK_MSG(memcmp(records + i * s->record, expected + i * s->record, s->record) == 0, "%s: point %zu", s->name,
                  i);
    free(records);
}

/* That opening these bytes fails with this sentence. */
static void check_refused(const scan *s, size_t size, size_t record, clump_status status, const char *sentence)
{
    clump_io_laz *laz;
    char expected[512];
    snprintf(expected, sizeof expected, "%s: %s", s->name, sentence);
    CHECK_INT(open_copy(s, size, record, &laz), status);
    CHECK_TEXT(io_why.text, expected);
    clump_io_laz_close(laz);
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

/* One point of format 0, in one chunk: the point as it is, and the first bytes of the coder. */
static scan one_point(void)
{
    static const unsigned char table[24] = {0, 0, 0, 0, 1};
    unsigned char chunk[24] = {0}, *frame = calloc(1, 375 + 54 + 40);
    for (unsigned char i = 0; i < 20; i++) chunk[i] = (unsigned char)(i + 1);
    memcpy(frame, "LASF", 4);
    frame[24] = 1, frame[25] = 4;
    put(frame + 94, 375, 2), put(frame + 96, 375 + 54 + 40, 4), put(frame + 100, 1, 4);
    put(frame + 104, 0x80, 1), put(frame + 105, 20, 2);
    unsigned char *vlr = frame + 375;
    memcpy(vlr + 2, "laszip encoded", 14);
    put(vlr + 18, 22204, 2), put(vlr + 20, 40, 2);
    put(vlr + 54, 2, 2), put(vlr + 54 + 32, 1, 2);
    put(vlr + 54 + 34, 6, 2), put(vlr + 54 + 36, 20, 2), put(vlr + 54 + 38, 2, 2);
    const scan from = {.bytes = frame, .points = 375 + 54 + 40};
    const scan s = assemble(&from, 1, 50000, chunk, sizeof chunk, table, sizeof table);
    free(frame);
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
        static const size_t batches[] = {1, 7, 999, 1u << 20};
        for (int k = 0; k < 4; k++) check_same(&laz, las.bytes + las.points, batches[k]);
        free(laz.bytes), free(las.bytes);
    }
}

/* No twin, but the header has the box of the points, and the extra bytes are the number of a tree. */
static void extra_bytes(void)
{
    scan s = load("lidr_MixedConifer.laz");
    NEED(s);
    unsigned char *records = decode(&s, 10000);
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

/* Chunks of equal size, chunks whose size is in the table (which is LASzip's coding of 1065, 1, 1065
 * points and their bytes), and a table whose place is at the end of the file. */
static void several_chunks(void)
{
    static const unsigned char equal[24] = {0, 0, 0, 0, 5};
    static const unsigned char variable[] = {0,    0,    0,    0,    3,    0,    0,    0,    0x59,
                                             0x5b, 0xd1, 0xbe, 0x3b, 0x2d, 0x47, 0xed, 0x68, 0x16,
                                             0x59, 0x7a, 0x9f, 0xd0, 0,    0,    0};
    static const char *const names[] = {"laspy_simple.laz", "laspy_1_4_w_evlr.laz", "lidr_MixedConifer.laz"};
    for (int i = 0; i < 3; i++) {
        scan s = load(names[i]);
        NEED(s);
        const size_t from = s.points + 8, chunk = (size_t)get(s.bytes + s.points, 8) - from, all = s.count * s.record;
        unsigned char *records = decode(&s, s.count), *chunks = malloc(5 * chunk + 64), *expected = malloc(5 * all);
        CHECK_MSG(records != NULL, "%s", io_why.text);
        if (!records) records = calloc(1, all);
        for (size_t k = 0; k < 5; k++)
            memcpy(chunks + k * chunk, s.bytes + from, chunk), memcpy(expected + k * all, records, all);
        scan many = assemble(&s, 5 * s.count, (uint32_t)s.count, chunks, 5 * chunk, equal, sizeof equal);
        check_same(&many, expected, 1000);
        unsigned char *end = realloc(many.bytes, many.size + 8);
        memcpy(end + many.size, end + many.points, 8);
        memset(end + many.points, 0xff, 8);
        many.bytes = end, many.size += 8;
        check_same(&many, expected, 1000);
        free(many.bytes);

        if (i == 0) {
            for (unsigned char k = 0; k < 34; k++) chunks[chunk + k] = expected[all + k] = k;
            memset(chunks + chunk + 34, 0, 4);
            memcpy(chunks + chunk + 38, s.bytes + from, chunk);
            memcpy(expected + all + 34, records, all);
            many = assemble(&s, 2131, UINT32_MAX, chunks, 2 * chunk + 38, variable, sizeof variable);
            check_same(&many, expected, 1000);
            free(many.bytes);
        }
        free(records), free(chunks), free(expected), free(s.bytes);
    }
}

static void bounds(void)
{
    NEED_DECODER;
    scan s = one_point();
    unsigned char record[20];
    clump_io_laz *laz;
    clump_io_laz_close(NULL);
    CHECK_INT(open_copy(&s, s.size, 20, &laz), CLUMP_OK);
    clump_io_laz_close(laz); /* without a read */
    CHECK_INT(open_copy(&s, s.size, 20, &laz), CLUMP_OK);
    CHECK_INT(clump_io_laz_read(laz, record, 0), CLUMP_OK);
    CHECK_INT(clump_io_laz_read(laz, record, 1), CLUMP_OK);
    for (int i = 0; i < 20; i++) CHECK_INT(record[i], i + 1);
    CHECK_INT(clump_io_laz_read(laz, record, 0), CLUMP_OK);
    CHECK_INT(clump_io_laz_read(laz, record, 1), CLUMP_ERR_IO_TRUNCATED);
    CHECK_TEXT(io_why.text, "assembled.laz: there is no point 1, the header counts 1");
    CHECK_INT(clump_io_laz_read(laz, record, 0), CLUMP_ERR_IO_TRUNCATED);
    CHECK_TEXT(io_why.text, "assembled.laz: nothing can be read behind point 1");
    clump_io_laz_close(laz);

    put(s.bytes + 247, 0, 8); /* no points: then nothing behind the header matters */
    CHECK_INT(open_copy(&s, 375, 20, &laz), CLUMP_OK);
    CHECK_INT(clump_io_laz_read(laz, record, 0), CLUMP_OK);
    CHECK_INT(clump_io_laz_read(laz, record, 1), CLUMP_ERR_IO_TRUNCATED);
    clump_io_laz_close(laz);
    free(s.bytes);
}

/* --- what is wrong ------------------------------------------------------------------------------ */

static void refused(void)
{
    NEED_DECODER;
    /* Bytes of the file with one point, what is put there, and what comes of it. */
    static const struct {
        size_t at, size;
        uint64_t value;
        clump_status status;
        const char *sentence;
    } cases[] = {
        {0, 1, 'X', CLUMP_ERR_IO_FORMAT, "byte 0: no LAS file"},
        {96, 4, 600, CLUMP_ERR_IO_TRUNCATED, "the points begin at byte 600, the file ends at byte 525"},
        {100, 4, 0, CLUMP_ERR_IO_FORMAT, "no whole record \"laszip encoded\" in front of the points"},
        {104, 1, 0x00, CLUMP_ERR_IO_FORMAT, "byte 104: the points are not compressed"},
        {104, 1, 0xc0, CLUMP_ERR_IO_UNSUPPORTED, "byte 104: the points are compressed by an old LASzip"},
        {104, 1, 0x81, CLUMP_ERR_IO_FORMAT, "points of format 1 have 28 bytes, not 20"},
        {104, 1, 0x84, CLUMP_ERR_IO_UNSUPPORTED, "point format 4 has waveforms, which are not supported in a LAZ file"},
        {104, 1, 0x8b, CLUMP_ERR_IO_FORMAT, "byte 104: no point format 11"},
        {247, 8, 1u << 20, CLUMP_ERR_IO_FORMAT, "byte 501: too few chunks, 1, for 1048576 points"},
        {395, 2, 39, CLUMP_ERR_IO_FORMAT, "no whole record \"laszip encoded\" in front of the points"},
        {429, 2, 1, CLUMP_ERR_IO_UNSUPPORTED,
         "byte 429: compressor 1 with coder 0 is not supported for point format 0"},
        {441, 4, 0, CLUMP_ERR_IO_FORMAT,
         "byte 429: the record \"laszip encoded\" does not fit points of format 0 and 20 bytes"},
        {465, 2, 21, CLUMP_ERR_IO_FORMAT,
         "byte 429: the record \"laszip encoded\" does not fit points of format 0 and 20 bytes"},
        {467, 2, 1, CLUMP_ERR_IO_UNSUPPORTED, "byte 429: version 1 of compressed item 6 is not supported, only 2"},
        {469, 8, 1000, CLUMP_ERR_IO_TRUNCATED, "the chunk table is at byte 1000, the file ends at byte 525"},
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
    check_refused(&s, s.size - 14, 20, CLUMP_ERR_IO_TRUNCATED, "byte 501: the chunk table is not whole");
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
    clump_io_laz *laz;
    clump_status status = open_copy(s, size, s->record, &laz);
    if (status == CLUMP_OK) status = clump_io_laz_read(laz, records, s->count);
    clump_io_laz_close(laz);
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
        static const unsigned char one[16] = {0, 0, 0, 0, 1};
        for (size_t size = s.record; size < table - s.points - 8; size += 997) {
            scan cut = assemble(&s, s.count, 50000, s.bytes + s.points + 8, size, one, sizeof one);
            attempt(&cut, cut.size, records, &seconds);
            free(cut.bytes);
        }
        free(records), free(s.bytes);
    }
}

/* One to four random bytes changed, in the frame or in the points. There are no checksums: it must
 * end, and in a status and a sentence or in points. */
static void flipped(void)
{
    const char *const wish = getenv("CLUMP_TEST_LONG");
    const int rounds = wish && *wish && strcmp(wish, "0") != 0 ? 20000 : 1000;
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

/* Noise from the first chunk on, and counts that nothing stands behind. */
static void noise(void)
{
    NEED_DECODER;
    static const unsigned char one[16] = {0, 0, 0, 0, 1};
    uint64_t random = 7;
    unsigned char *chunk = malloc(50000), *records = malloc(20 * 100000);
    for (int round = 0; round < 30; round++) {
        scan from = one_point();
        for (size_t i = 0; i < 50000; i++)
            chunk[i] = round % 3 ? (unsigned char)check_random(&random) : (unsigned char)round;
        scan s = assemble(&from, 100000, round % 2 ? UINT32_MAX : 100000, chunk, 50000, one, sizeof one);
        if (round % 2) put(s.bytes + 247, UINT64_MAX, 8);
        s.count = 100000;
        double seconds;
        attempt(&s, s.size, records, &seconds);
        free(s.bytes), free(from.bytes);
    }
    free(chunk), free(records);
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
    j->same = true;
    for (int round = 0; round < 20 && j->same; round++) {
        clump_message message;
        const clump_io_source source = {
            .bytes = j->file.bytes, .size = j->file.size, .where = {j->file.name, &message}};
        clump_io_laz *laz;
        unsigned char *records = malloc(j->file.count * j->file.record);
        j->same = clump_io_laz_open(&source, j->file.record, &laz) == CLUMP_OK &&
                  clump_io_laz_read(laz, records, j->file.count) == CLUMP_OK &&
                  memcmp(records, j->expected, j->file.count * j->file.record) == 0;
        clump_io_laz_close(laz);
        free(records);
    }
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
        jobs[i].expected = decode(&jobs[i].file, 1000);
    }
    for (int i = 0; i < COUNT; i++) CHECK_INT(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    for (int i = 0; i < COUNT; i++) {
        pthread_join(threads[i], NULL);
        CHECK(jobs[i].same);
        free(jobs[i].expected), free(jobs[i].file.bytes);
    }
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(same_as_las);
    RUN(extra_bytes);
    RUN(several_chunks);
    RUN(bounds);
    RUN(refused);
    RUN(waveforms);
    RUN(truncated);
    RUN(flipped);
    RUN(noise);
    RUN(threads);
    return CHECK_END();
}
