/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_laz_codec.c: what the encoder of LAZ writes, the decoder reads, and laz-perf reads the same.
 */
#include "las/laz_made.h"
#include "io/test_io.h"

#include "las/laz.h"
#include "../io/laz/integer.h"
#include "lazperf/oracle.h"

static const unsigned formats[] = {0, 1, 2, 3, 6, 7, 8};
#define FOR_FORMATS for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)

/* All records of a file, by clump's decoder; null if that fails. */
static unsigned char *decode_all(const clump_io_source *source, const clump_io_laz_layout *layout, uint64_t count)
{
    clump_io_laz *laz;
    io_why.text[0] = 0;
    if (clump_io_laz_open(source, layout->record, &laz) != CLUMP_OK) return NULL;
    unsigned char *records = malloc((size_t)count * layout->record + 1);
    void *memory = malloc(clump_io_laz_memory(laz));
    clump_status status = CLUMP_OK;
    CHECK_INT(laz->count, count);
    for (size_t c = laz->chunk_count; c-- > 0 && status == CLUMP_OK;) { /* any order */
        const clump_io_laz_chunk *chunk = &laz->chunks[c];
        status = clump_io_laz_decode_chunk(laz, c, source->bytes + chunk->at, memory, CLUMP_IO_LAZ_ALL,
                                           records + chunk->first * layout->record, &source->where);
    }
    free(memory);
    clump_io_laz_close(laz);
    if (status == CLUMP_OK) return records;
    free(records);
    return NULL;
}

/* That both decoders read these records from the file. laz-perf takes items of version 4 for version 3, which differ where
 * the channel changes; see clump_io_laz_follower. */
static void check_file(const clump_io_laz_bytes *file, const clump_io_laz_layout *l, const unsigned char *records,
                       size_t count, const char *what)
{
    const clump_io_source source = {.bytes = file->data, .size = file->size, .where = {what, &io_why}};
    unsigned char *got = decode_all(&source, l, count);
    CHECK_MSG(got != NULL, "%s", io_why.text);
    for (size_t i = 0; got && i < count; i++)
        CHECK_MSG(memcmp(got + i * l->record, records + i * l->record, l->record) == 0, "%s: point %zu", what, i);
    if (got && l->version != 4 && lazperf_available()) {
        size_t done;
        memset(got, 0, count * l->record);
        CHECK_MSG(lazperf_decode(&source, l->record, got, count, &done) == CLUMP_OK, "%s", io_why.text);
        for (size_t i = 0; i < count; i++)
            CHECK_MSG(memcmp(got + i * l->record, records + i * l->record, l->record) == 0, "%s: laz-perf: point %zu",
                      what, i);
    }
    free(got);
}

static void round_trips(void)
{
    static const size_t extras[] = {0, 1, 13}, counts[] = {1, 2, 3000};
    FOR_FORMATS
    for (int kind = 0; kind < LAZ_KINDS; kind++)
        for (int e = 0; e < 3; e++)
            for (int n = 0; n < (formats[i] < 6 ? 3 : 4); n++) {
                clump_io_laz_layout l = laz_layout(formats[i], extras[e]);
                const size_t count = counts[n < 3 ? n : 2];
                if (n == 3) l.version = 4;
                char what[96];
                snprintf(what, sizeof what, "format %u, version %u, kind %d, %zu extra bytes, %zu points", l.format,
                         l.version, kind, l.extra, count);
                unsigned char *records = laz_made_records(&l, count, kind, 1 + (uint64_t)kind);
                clump_io_laz_bytes file = laz_made(&l, records, count, 1000, NULL, 0);
                check_file(&file, &l, records, count, what);
                clump_io_laz_bytes_free(&file);
                free(records);
            }
}

/* Long enough that models halve their counts many times. */
static void long_chunk(void)
{
    const clump_io_laz_layout l = laz_layout(3, 2);
    const size_t count = 60000;
    for (int kind = 0; kind < LAZ_KINDS; kind++) {
        unsigned char *records = laz_made_records(&l, count, kind, 77);
        clump_io_laz_bytes file = laz_made(&l, records, count, 50000, NULL, 0);
        check_file(&file, &l, records, count, "a long chunk");
        if (kind == LAZ_SURVEY) CHECK_MSG(file.size < count * l.record / 2, "%zu bytes", file.size);
        if (kind == LAZ_SAME) CHECK_MSG(file.size < 6000, "%zu bytes", file.size);
        clump_io_laz_bytes_free(&file);
        free(records);
    }
}

/* Chunks of different sizes, some without points. */
static void variable_chunks(void)
{
    static const uint32_t points[] = {1, 700, 0, 3, 0, 1296, 1};
    FOR_FORMATS
    {
        const clump_io_laz_layout l = laz_layout(formats[i], 3);
        unsigned char *records = laz_made_records(&l, 2001, LAZ_SURVEY, 5);
        clump_io_laz_bytes file = laz_made(&l, records, 2001, 0, points, 7);
        const clump_io_source source = {.bytes = file.data, .size = file.size, .where = {"variable", &io_why}};
        unsigned char *got = decode_all(&source, &l, 2001);
        CHECK_MSG(got && memcmp(got, records, 2001 * l.record) == 0, "format %u: %s", l.format, io_why.text);
        free(got), free(records);
        clump_io_laz_bytes_free(&file);
    }
}

/* Sizes of every magnitude, coded and decoded. */
static void tables(void)
{
    uint64_t random = 3;
    for (size_t count = 0; count < 300; count += 1 + count / 3) {
        uint32_t *sizes = malloc(4 * count + 4), *points = malloc(4 * count + 4), *got = malloc(8 * count + 8);
        for (size_t c = 0; c < count; c++) {
            sizes[c] = (uint32_t)(check_random(&random) >> (32 + check_random(&random) % 32));
            points[c] = (uint32_t)(check_random(&random) >> (32 + check_random(&random) % 32));
        }
        for (int variable = 0; variable < 2; variable++) {
            clump_io_laz_bytes out = {0};
            CHECK_INT(clump_io_laz_table_encode(variable ? points : NULL, sizes, count, &out), CLUMP_IO_LAZ_DONE);
            CHECK_INT(clump_io_laz_table_decode(out.data, out.size, count, variable ? got + count : NULL, got),
                      CLUMP_IO_LAZ_DONE);
            CHECK(memcmp(got, sizes, 4 * count) == 0);
            CHECK(!variable || memcmp(got + count, points, 4 * count) == 0);
            for (size_t cut = 0; cut < out.size && count; cut += 7)
                CHECK_INT(clump_io_laz_table_decode(out.data, cut, count, variable ? got + count : NULL, got),
                          CLUMP_IO_LAZ_SHORT);
            clump_io_laz_bytes_free(&out);
        }
        free(sizes), free(points), free(got);
    }
}

/* Integers of all widths, with and without a range, in every context. */
static void integers(void)
{
    static const uint32_t bits[] = {8, 16, 32};
    clump_io_laz_integer *codec = malloc(sizeof *codec);
    enum { COUNT = 20000 };
    int32_t *values = malloc(COUNT * sizeof *values);
    for (int b = 0; b < 3; b++) {
        clump_io_laz_bytes out = {0};
        clump_io_laz_encoder e;
        uint64_t random = 11;
        clump_io_laz_integer_begin(codec, bits[b]);
        clump_io_laz_encoder_begin(&e, &out);
        for (int i = 0; i < COUNT; i++) {
            const uint64_t dice = check_random(&random);
            values[i] = bits[b] == 32 ? (int32_t)(dice >> (32 + dice % 32)) : (int32_t)(dice >> (64 - bits[b]));
            if (bits[b] == 32 && dice % 5 == 0) values[i] = i % 2 ? INT32_MIN : INT32_MAX;
            clump_io_laz_encode_integer(&e, codec, i ? values[i - 1] : 0, values[i], (uint32_t)i % 22);
        }
        clump_io_laz_encoder_end(&e, &out);
        clump_io_laz_decoder d;
        clump_io_laz_integer_begin(codec, bits[b]);
        clump_io_laz_decoder_begin(&d, out.data, out.size);
        for (int i = 0; i < COUNT; i++)
            CHECK_INT(clump_io_laz_decode_integer(&d, codec, i ? values[i - 1] : 0, (uint32_t)i % 22), values[i]);
        CHECK_INT(d.at, out.size); /* the decoder reads all bytes, and none more */
        clump_io_laz_bytes_free(&out);
    }
    free(values), free(codec);
}

/* The samples of the data folder, record by record. */
static void samples(void)
{
    static const char *const names[] = {"laspy_simple.laz", "lidr_MixedConifer.laz", "laspy_1_4_w_evlr.laz"};
    if (!lazperf_available()) SKIP(DO_LAZ);
    for (int i = 0; i < 3; i++) {
        char path[1024];
        size_t size = 0, done;
        const char *folder = check_data_folder();
        snprintf(path, sizeof path, "%s/las/%s", folder ? folder : "", names[i]);
        unsigned char *bytes = folder ? io_slurp(path, &size) : NULL;
        if (!bytes) SKIP("no file %s: " DO_DATA, names[i]);
        const clump_io_source source = {.bytes = bytes, .size = size, .where = {names[i], &io_why}};
        uint16_t record;
        uint32_t count;
        memcpy(&record, bytes + 105, 2);
        memcpy(&count, bytes + (bytes[25] >= 4 ? 247 : 107), 4);
        const clump_io_laz_layout l = {.record = record};
        unsigned char *got = decode_all(&source, &l, count), *expected = malloc((size_t)count * record);
        CHECK_MSG(got != NULL, "%s", io_why.text);
        CHECK_MSG(lazperf_decode(&source, record, expected, count, &done) == CLUMP_OK, "%s", io_why.text);
        CHECK(got && memcmp(got, expected, (size_t)count * record) == 0);
        free(got), free(expected), free(bytes);
    }
}

CHECK_PROGRAM(test_laz_codec)
{
    RUN(integers);
    RUN(tables);
    RUN(round_trips);
    RUN(long_chunk);
    RUN(variable_chunks);
    RUN(samples);
}
