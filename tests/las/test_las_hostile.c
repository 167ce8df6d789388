/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_las_hostile.c: LAS files that lie, end early or were hit by something. They are refused, with
 * the place and the reason, or give the right points; they never cost more than their bytes justify.
 */
#include "las/test_las.h"

enum { SAMPLES = 5 };

static las_file make_sample(int which)
{
    unsigned char d[192 * 3];
    las_describe(d, "one", 4, 8, 0.01, 0);
    las_describe(d + 192, "two", 25, 0, 0, 0);
    las_describe(d + 384, "label", 6, 0, 0, 0);
    const las_recipe recipes[SAMPLES] = {
        {.minor = 2, .format = 3, .points = 4, .vlrs = 1},
        {.minor = 0, .format = 0, .points = 5, .gap = 2},
        {.minor = 3, .format = 4, .points = 3, .waveforms = true},
        {.minor = 4, .format = 7, .points = 3, .vlrs = 2, .waveforms = true, .evlrs = 2, .extra = 3},
        {.minor = 4, .format = 10, .points = 3, .extra = 20, .descriptors = d, .descriptors_size = sizeof d},
    };
    return las_make(&recipes[which], (uint64_t)which);
}

static void every_truncation(void)
{
    for (int which = 0; which < SAMPLES; which++) {
        las_file f = make_sample(which);
        clump_cloud *whole = las_parse(&f), *cloud;
        const size_t end = f.points + f.count * f.record;
        for (size_t cut = 0; cut < f.size; cut++) {
            const clump_status status = io_parse_copy("a.las", f.bytes, cut, &cloud);
            CHECK_MSG((status == CLUMP_OK) == (cut >= end), "sample %d cut at %zu: %s", which, cut, io_why.text);
            if (cut >= 4 && cut < end) CHECK_INT(status, CLUMP_ERR_IO_TRUNCATED);
            if (status != CLUMP_OK) continue;
            CHECK(io_same_xyz(whole, cloud) && io_same_fields(whole, cloud));
            CHECK_MSG(clump_cloud_describe(cloud).note[0], "sample %d cut at %zu", which, cut);
            clump_cloud_destroy(cloud);
        }
        clump_cloud_destroy(whole);
        free(f.bytes);
    }
}

/* What can be read can be written, with labels too, whatever it is. */
static void random_damage(void)
{
    uint64_t state = 2024;
    clump_save_options options = clump_save_defaults();
    options.format = CLUMP_FORMAT_LAS;
    size_t read = 0;
    for (int round = 0; round < 15000; round++) {
        las_file f = make_sample(round % SAMPLES);
        clump_cloud *cloud;
        for (uint64_t n = 1 + check_random(&state) % 4; n; n--) {
            const uint64_t r = check_random(&state);
            const size_t at = (size_t)(r >> 8) % (r & 1 ? 120 : f.points); /* the points may be anything */
            if (at < 4) continue;
            if (r & 2)
                f.bytes[at] ^= (unsigned char)(1u << (r >> 2 & 7));
            else
                f.bytes[at] = (unsigned char)"\x00\x01\x7f\x80\xff\x04\x0c\x10"[r >> 3 & 7];
        }
        if (io_parse_copy("a.las", f.bytes, f.size, &cloud) == CLUMP_OK) {
            read++;
            int32_t *labels = calloc(clump_cloud_points(cloud).count + 1, sizeof *labels);
            const clump_status status =
                clump_cloud_save("/dev/null", cloud, round % 2 ? labels : NULL, &options, &io_why);
            CHECK_MSG(status == CLUMP_OK, "round %d: %s", round, io_why.text);
            const bool mended = strstr(clump_cloud_describe(cloud).note, "variable length records") != NULL;
            if (round % 16 == 0 && !mended) las_check_same_again(&f, "damaged");
            free(labels);
        }
        clump_cloud_destroy(cloud);
        free(f.bytes);
    }
    CHECK(read > 1000);
}

/* A count of VLRs that is too high does not affect the points. Written again, the file has the right count. */
static void too_many_records_are_announced(void)
{
    const struct {
        size_t at;
        uint64_t value;
        size_t bytes;
        const char *note;
    } lies[] = {{100, 3, 4, "byte 100 announces 3 variable length records, but 2 are there"},
                {100, 0xffffffff, 4, "byte 100 announces 4294967295 variable length records, but 2 are there"},
                {395, 25, 2, "byte 100 announces 2 variable length records, but 1 are there"}};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        las_file f = las_make(&(las_recipe){.minor = 4, .format = 1, .points = 10, .vlrs = 2, .gap = 10}, 1);
        las_put(f.bytes + lies[i].at, lies[i].value, lies[i].bytes);
        clump_cloud *cloud = NULL;
        CHECK_INT(io_parse_copy("a.las", f.bytes, f.size, &cloud), CLUMP_OK);
        if (cloud) {
            CHECK_INT(clump_cloud_points(cloud).count, 10);
            CHECK_TEXT(clump_cloud_describe(cloud).note, lies[i].note);
        }
        clump_cloud_destroy(cloud);
        free(f.bytes);
    }
}

static void lies_of_the_header(void)
{
    las_file f = las_make(&(las_recipe){.minor = 4, .format = 1, .points = 10, .vlrs = 2, .gap = 10}, 1);
    unsigned char *good = malloc(f.size);
    memcpy(good, f.bytes, f.size);
#define LIE(at, value, bytes_, status, sentence)                                                                       \
    do {                                                                                                               \
        memcpy(f.bytes, good, f.size);                                                                                 \
        las_put(f.bytes + (at), value, bytes_);                                                                        \
        LAS_REFUSED(&f, status, "a.las: " sentence);                                                                   \
    } while (0)
    const double nan = NAN, infinity = -INFINITY;
    LIE(24, 2, 1, CLUMP_ERR_IO_UNSUPPORTED, "byte 24: LAS version 2.4 is not 1.0 to 1.4");
    LIE(25, 5, 1, CLUMP_ERR_IO_UNSUPPORTED, "byte 24: LAS version 1.5 is not 1.0 to 1.4");
    LIE(94, 374, 2, CLUMP_ERR_IO_FORMAT, "byte 94: the header has 374 bytes, but LAS 1.4 needs 375");
    LIE(94, 0, 2, CLUMP_ERR_IO_FORMAT, "byte 94: the header has 0 bytes, but LAS 1.4 needs 375");
    LIE(94, 65535, 2, CLUMP_ERR_IO_TRUNCATED, "byte 94: the header has 65535 bytes, but the file has 787");
    LIE(94, 600, 2, CLUMP_ERR_IO_FORMAT, "byte 96: the points begin at byte 507, inside the header of 600 bytes");
    LIE(94, 395, 2, CLUMP_ERR_IO_FORMAT,
        "byte 469: variable length record 2 has 28271 bytes of data, but the points begin 4 bytes behind its head");
    LIE(96, 0, 4, CLUMP_ERR_IO_FORMAT, "byte 96: the points begin at byte 0, inside the header of 375 bytes");
    LIE(96, 0xffffffff, 4, CLUMP_ERR_IO_TRUNCATED,
        "byte 96: the points begin at byte 4294967295, but the file has 787 bytes");
    LIE(96, 788, 4, CLUMP_ERR_IO_TRUNCATED, "byte 96: the points begin at byte 788, but the file has 787 bytes");
    LIE(395, 100, 2, CLUMP_ERR_IO_FORMAT,
        "byte 395: variable length record 1 has 100 bytes of data, but the points begin 78 bytes behind its head");
    LIE(104, 11, 1, CLUMP_ERR_IO_UNSUPPORTED, "byte 104: point format 11 is not 0 to 10");
    LIE(104, 63, 1, CLUMP_ERR_IO_UNSUPPORTED, "byte 104: point format 63 is not 0 to 10");
    LIE(104, 3, 1, CLUMP_ERR_IO_FORMAT, "byte 105: a point has 28 bytes, but point format 3 needs 34");
    LIE(105, 0, 2, CLUMP_ERR_IO_FORMAT, "byte 105: a point has 0 bytes, but point format 1 needs 28");
    LIE(105, 1, 2, CLUMP_ERR_IO_FORMAT, "byte 105: a point has 1 bytes, but point format 1 needs 28");
    LIE(105, 29, 2, CLUMP_ERR_IO_TRUNCATED,
        "byte 247: 10 points of 29 bytes each are announced, but from byte 507 on there are bytes for 9; --partial "
        "reads the 9 points there are");
    LIE(131, 0, 8, CLUMP_ERR_IO_FORMAT, "byte 131: the scale of x is 0");
    LIE(139, las_get((const void *)&infinity, 8), 8, CLUMP_ERR_IO_FORMAT, "byte 139: the scale of y is -inf");
    LIE(171, las_get((const void *)&nan, 8), 8, CLUMP_ERR_IO_FORMAT, "byte 171: the offset of z is nan");
    LIE(247, 11, 8, CLUMP_ERR_IO_TRUNCATED,
        "byte 247: 11 points of 28 bytes each are announced, but from byte 507 on there are bytes for 10; --partial "
        "reads the 10 points there are");
    LIE(247, (uint64_t)1 << 63, 8, CLUMP_ERR_IO_TRUNCATED,
        "byte 247: 9223372036854775808 points of 28 bytes each are announced, but from byte 507 on there are bytes for "
        "10; --partial reads the 10 points there are");
    LIE(247, UINT64_MAX, 8, CLUMP_ERR_IO_TRUNCATED,
        "byte 247: 18446744073709551615 points of 28 bytes each are announced, but from byte 507 on there are bytes "
        "for "
        "10; --partial reads the 10 points there are");
    LIE(247, ((uint64_t)1 << 62) + 1, 8, CLUMP_ERR_IO_TRUNCATED, /* times 28 it wraps to 28 */
        "byte 247: 4611686018427387905 points of 28 bytes each are announced, but from byte 507 on there are bytes for "
        "10; --partial reads the 10 points there are");
    memcpy(f.bytes, good, f.size);
    las_put(f.bytes + 247, 0, 8), las_put(f.bytes + 107, 0xffffffff, 4); /* the old counter: 112 GB */
    LAS_REFUSED(&f, CLUMP_ERR_IO_TRUNCATED,
                "a.las: byte 107: 4294967295 points of 28 bytes each are announced, but from byte 507 on there are "
                "bytes for 10; --partial reads the 10 points there are");
#undef LIE
    free(good);
    free(f.bytes);
    CHECK_REFUSED("a.las", "", CLUMP_ERR_IO_TRUNCATED,
                  "a.las: the file has 0 bytes, less than the 227 of the smallest LAS header");
    CHECK_REFUSED("a.las", "LASF.......", CLUMP_ERR_IO_TRUNCATED,
                  "a.las: the file has 11 bytes, less than the 227 of the smallest LAS header");
    CHECK_REFUSED("a.las", "hello there", CLUMP_ERR_IO_FORMAT,
                  "a.las: byte 0: no LAS file: it does not begin with LASF");
}

/* A LAZ file's count cannot be compared with its bytes. It is not believed either. */
static void promises_of_laz(void)
{
    las_file f = las_make(&(las_recipe){.minor = 4, .format = 6, .points = 10, .vlrs = 2}, 1);
    clump_cloud *cloud;
    f.bytes[104] |= 0x80;
    CHECK(io_parse_copy("a.laz", f.bytes, f.size, &cloud) != CLUMP_OK);
    las_put(f.bytes + 247, (uint64_t)1 << 62, 8);
    CHECK(io_parse_copy("a.laz", f.bytes, f.size, &cloud) != CLUMP_OK);
    free(f.bytes);
}

CHECK_PROGRAM(test_las_hostile)
{
    RUN(every_truncation);
    RUN(random_damage);
    RUN(too_many_records_are_announced);
    RUN(lies_of_the_header);
    RUN(promises_of_laz);
    io_cleanup();
}
