/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_reader.c: every format in blocks gives the points that it gives as a whole.
 */
#include "io/test_reader.h"

enum { POINTS = CLUMP_BLOCK_POINTS + 1000 }; /* two blocks */

static void saved(const char *name, clump_format format, clump_encoding encoding, bool wide, clump_coordinates kind)
{
    clump_cloud *cloud = reader_cloud(POINTS, wide);
    const char *path = reader_path(name);
    clump_save_options options = clump_save_defaults();
    options.format = format;
    options.encoding = encoding;
    if (clump_cloud_save(path, cloud, NULL, &options, &reader_why) != CLUMP_OK)
        CHECK_FAIL("%s", reader_why.text);
    else
        reader_compare_file(path, kind);
    clump_cloud_destroy(cloud);
    unlink(path);
}

static void kitti(void)
{
    saved("a.bin", CLUMP_FORMAT_KITTI, CLUMP_ENCODING_DEFAULT, false, CLUMP_COORDINATES_FLOAT);
}

static void nuscenes(void)
{
    saved("a.pcd.bin", CLUMP_FORMAT_NUSCENES, CLUMP_ENCODING_DEFAULT, false, CLUMP_COORDINATES_FLOAT);
}

static void pcd(void)
{
    saved("a.pcd", CLUMP_FORMAT_PCD, CLUMP_ENCODING_BINARY, false, CLUMP_COORDINATES_FLOAT);
    saved("a.pcd", CLUMP_FORMAT_PCD, CLUMP_ENCODING_BINARY, true, CLUMP_COORDINATES_DOUBLE);
}

static void pcd_packed(void)
{
    clump_format_info about;
    if (!clump_format_describe(CLUMP_FORMAT_PCD, &about) || !about.compressed) SKIP("built without liblzf: " DO_SETUP);
    saved("a.pcd", CLUMP_FORMAT_PCD, CLUMP_ENCODING_COMPRESSED, false, CLUMP_COORDINATES_FLOAT);
    saved("a.pcd", CLUMP_FORMAT_PCD, CLUMP_ENCODING_COMPRESSED, true, CLUMP_COORDINATES_DOUBLE);
}

static void ply(void)
{
    saved("a.ply", CLUMP_FORMAT_PLY, CLUMP_ENCODING_BINARY, false, CLUMP_COORDINATES_FLOAT);
    saved("a.ply", CLUMP_FORMAT_PLY, CLUMP_ENCODING_BIG_ENDIAN, false, CLUMP_COORDINATES_FLOAT);
    saved("a.ply", CLUMP_FORMAT_PLY, CLUMP_ENCODING_BIG_ENDIAN, true, CLUMP_COORDINATES_DOUBLE);
}

static void text(void)
{
    saved("a.xyz", CLUMP_FORMAT_TEXT, CLUMP_ENCODING_ASCII, false, CLUMP_COORDINATES_FLOAT);
    saved("a.csv", CLUMP_FORMAT_TEXT, CLUMP_ENCODING_ASCII, true, CLUMP_COORDINATES_DOUBLE);
    saved("a.pcd", CLUMP_FORMAT_PCD, CLUMP_ENCODING_ASCII, false, CLUMP_COORDINATES_FLOAT);
    saved("a.ply", CLUMP_FORMAT_PLY, CLUMP_ENCODING_ASCII, true, CLUMP_COORDINATES_DOUBLE);
}

static void numpy(void)
{
    saved("a.npy", CLUMP_FORMAT_NPY, CLUMP_ENCODING_DEFAULT, false, CLUMP_COORDINATES_FLOAT);
    saved("a.npy", CLUMP_FORMAT_NPY, CLUMP_ENCODING_DEFAULT, true, CLUMP_COORDINATES_DOUBLE);
}

/* A NumPy array of any type and order. */
static void write_array(const char *path, const char *type, bool fortran, size_t rows, size_t columns,
                        double (*value)(size_t row, size_t column))
{
    FILE *file = fopen(path, "wb");
    char text[128], head[10] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
    memset(text, ' ', sizeof text);
    const int used = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': (%zu, %zu), }", type,
                              fortran ? "True" : "False", rows, columns);
    text[used] = ' ';
    fwrite(head, 1, 10, file);
    fwrite(text, 1, 118, file);
    for (size_t i = 0; i < rows * columns; i++) {
        const size_t row = fortran ? i % rows : i / columns, column = fortran ? i / rows : i % columns;
        const double wide = value(row, column);
        const float narrow = (float)wide;
        unsigned char bytes[8];
        const size_t size = type[2] == '8' ? 8 : 4;
        memcpy(bytes, size == 8 ? (const void *)&wide : &narrow, size);
        for (size_t k = 0; k < size; k++) fputc(bytes[type[0] == '>' ? size - 1 - k : k], file);
    }
    fclose(file);
}

static double fine(size_t row, size_t column)
{
    return (double)row * 0.001 + (double)column * 1e6;
}

static double coarse(size_t row, size_t column)
{
    return (double)row * 0.5 - (double)column;
}

static double coarse_but_last(size_t row, size_t column)
{
    return row == POINTS - 1 && column == 2 ? 0.1 : coarse(row, column);
}

static void numpy_orders(void)
{
    static const char *const types[] = {"<f4", ">f4", "<f8", ">f8"};
    for (size_t t = 0; t < 4; t++)
        for (int fortran = 0; fortran < 2; fortran++) {
            const char *path = reader_path("b.npy");
            write_array(path, types[t], fortran, POINTS, 4, fine);
            reader_compare_file(path, t < 2 ? CLUMP_COORDINATES_FLOAT : CLUMP_COORDINATES_DOUBLE);
            unlink(path);
        }
}

/* float64 that float32 holds has no origin: all numbers decide. */
static void numpy_floats(void)
{
    const char *path = reader_path("c.npy");
    write_array(path, "<f8", false, POINTS, 3, coarse);
    reader_compare_file(path, CLUMP_COORDINATES_FLOAT);
    write_array(path, "<f8", false, POINTS, 3, coarse_but_last);
    reader_compare_file(path, CLUMP_COORDINATES_DOUBLE);
    unlink(path);
}

static void raw_columns(void)
{
    const char *path = reader_path("a.raw");
    unsigned char *bytes = malloc(POINTS * 27);
    for (size_t i = 0; i < POINTS; i++) {
        const double xyz[3] = {(double)i * 0.25, 1e6 + (double)i * 0.001, -(double)i};
        memcpy(bytes + 27 * i, &i, 2);
        memcpy(bytes + 27 * i + 2, xyz, 24);
        bytes[27 * i + 26] = (unsigned char)(i % 200);
    }
    reader_write(path, bytes, POINTS * 27);
    clump_load_options load = clump_load_defaults();
    clump_reader_options options = clump_reader_defaults();
    load.columns = options.columns = "id:u16,x:f64,y:f64,z:f64,classification:u8";
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_load(path, &load, &cloud, NULL), CLUMP_OK);
    clump_reader *reader = reader_open(path, &options);
    reader_compare(reader, cloud);
    clump_reader_close(reader);
    clump_cloud_destroy(cloud);
    free(bytes);
    unlink(path);
}

/* PLY without z, and with an element before the points. */
static void ply_odd(void)
{
    static const char head[] = "ply\nformat binary_little_endian 1.0\nelement edge 3\nproperty int a\n"
                               "element vertex 2\nproperty float y\nproperty uchar i\nproperty float x\nend_header\n";
    unsigned char bytes[sizeof head - 1 + 12 + 18] = {0};
    const float numbers[4] = {1, 2, 3, 4};
    memcpy(bytes, head, sizeof head - 1);
    for (size_t i = 0; i < 2; i++) {
        memcpy(bytes + sizeof head - 1 + 12 + 9 * i, numbers + 2 * i, 4);
        memcpy(bytes + sizeof head - 1 + 12 + 9 * i + 5, numbers + 2 * i + 1, 4);
    }
    const char *path = reader_path("odd.ply");
    reader_write(path, bytes, sizeof bytes);
    reader_compare_file(path, CLUMP_COORDINATES_FLOAT);
    unlink(path);
}

/* --- LAS -------------------------------------------------------------------------------------- */

static void las_formats(void)
{
    for (unsigned format = 0; format <= 10; format++) {
        las_file f = las_make(&(las_recipe){.minor = format < 6 ? 3 : 4,
                                            .format = format,
                                            .points = 3000,
                                            .extra = format,
                                            .vlrs = 2,
                                            .gap = 5,
                                            .evlrs = format < 6 ? 0 : 2,
                                            .offset = {637000.5, 4850000, -20}},
                              format);
        const char *path = reader_path("a.las");
        reader_write(path, f.bytes, f.size);
        reader_compare_file(path, CLUMP_COORDINATES_STEPS);
        free(f.bytes);
        unlink(path);
    }
}

/* The integers themselves. */
static void las_steps(void)
{
    las_file f = las_make(
        &(las_recipe){.minor = 2, .points = 1000, .scale = {0.01, 0.001, -0.002}, .offset = {100, 0.0004, -20.001}}, 5);
    const char *path = reader_path("b.las");
    reader_write(path, f.bytes, f.size);
    reader_compare_file(path, CLUMP_COORDINATES_STEPS);
    clump_reader *reader = reader_open(path, NULL);
    const clump_reader_info info = clump_reader_describe(reader);
    CHECK(info.step == 0.001 && info.has_box && info.has_class);
    clump_block block = {0};
    CHECK_INT(clump_reader_block(reader, 0, &block, NULL), CLUMP_OK);
    for (size_t i = 0; i < f.count; i++) {
        CHECK_INT(block.steps[3 * i], 100000 + 10 * (int64_t)las_step(&f, i, 0));
        CHECK_INT(block.steps[3 * i + 1], las_step(&f, i, 1));
        CHECK_INT(block.steps[3 * i + 2], -20001 - 2 * (int64_t)las_step(&f, i, 2));
        for (size_t a = 0; a < 3; a++)
            CHECK(block.steps[3 * i + a] >= info.lower_step[a] && block.steps[3 * i + a] <= info.upper_step[a]);
    }
    clump_block_release(&block);
    clump_reader_close(reader);
    free(f.bytes);
    unlink(path);
}

/* Scales without a common step: refused by name, or read as float64. */
static void las_no_step(void)
{
    las_file f = las_make(&(las_recipe){.minor = 2, .points = 500, .scale = {0.01, 0.001, 0.0003}}, 6);
    const char *path = reader_path("c.las");
    reader_write(path, f.bytes, f.size);
    clump_reader *reader = NULL;
    CHECK_INT(clump_reader_open(&path, 1, NULL, &reader, &reader_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(reader == NULL);
    CHECK(strstr(reader_why.text, "c.las: the scale of x is 0.01, no whole multiple of the least scale, 0.0003"));
    clump_reader_options options = clump_reader_defaults();
    options.whole = true;
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_load(path, NULL, &cloud, NULL), CLUMP_OK);
    reader = reader_open(path, &options);
    const clump_reader_info info = clump_reader_describe(reader);
    CHECK(info.coordinates == CLUMP_COORDINATES_DOUBLE && info.step == 0);
    reader_compare(reader, cloud);
    clump_reader_close(reader);
    clump_cloud_destroy(cloud);
    free(f.bytes);
    unlink(path);
}

/* --- classes by name -------------------------------------------------------------------------- */

/* Compares the classes of blocks with the field of the file, which also stands behind a name that the file does not have. */
static void compare_classes(const char *path, const char *field)
{
    const char *const fields[] = {"no such field", field, "x", NULL};
    clump_reader_options options = clump_reader_defaults();
    options.class_fields = fields;
    clump_cloud *cloud = NULL;
    if (clump_cloud_load(path, NULL, &cloud, &reader_why) != CLUMP_OK) CHECK_FAIL("%s", reader_why.text);
    clump_reader *reader = reader_open(path, &options);
    if (reader && cloud) reader_compare_field(reader, cloud, field);
    clump_reader_close(reader);
    clump_cloud_destroy(cloud);
}

static void classes_by_name(void)
{
    static const struct {
        const char *name;
        clump_encoding encoding;
    } files[] = {{"a.pcd", CLUMP_ENCODING_BINARY},     {"b.pcd", CLUMP_ENCODING_ASCII},
                 {"a.ply", CLUMP_ENCODING_BIG_ENDIAN}, {"b.ply", CLUMP_ENCODING_ASCII},
                 {"a.csv", CLUMP_ENCODING_ASCII},      {"a.laz", CLUMP_ENCODING_DEFAULT},
                 {"a.las", CLUMP_ENCODING_DEFAULT},    {"a.bin", CLUMP_ENCODING_DEFAULT}};
    clump_cloud *cloud = reader_cloud(POINTS, false);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const char *path = reader_path(files[k].name);
        clump_save_options options = clump_save_defaults();
        options.encoding = files[k].encoding;
        if (clump_cloud_save(path, cloud, NULL, &options, &reader_why) != CLUMP_OK) CHECK_FAIL("%s", reader_why.text);
        compare_classes(path, "intensity");
        if (!strstr(path, ".bin")) compare_classes(path, "classification");
        unlink(path);
    }
    clump_cloud_destroy(cloud);
    static const char *const fields[] = {"classification", "point_source_id", "user_data", "return_number",
                                         "intensity"};
    for (unsigned format = 0; format <= 10; format++) {
        las_file f = las_make(
            &(las_recipe){.minor = format < 6 ? 3 : 4, .format = format, .points = 3000, .extra = format}, format);
        const char *path = reader_path("c.las");
        reader_write(path, f.bytes, f.size);
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) compare_classes(path, fields[k]);
        free(f.bytes);
        unlink(path);
    }
}

/* Extra dimensions of LAS. One with a scale is refused, and so is a field of the format that one of the same name may hide. */
static void classes_of_extra_dimensions(void)
{
    static const char *const refused[] = {NULL, "the field has a scale", "two fields have the name"};
    unsigned char descriptors[3 * 192];
    las_describe(descriptors, "semantic", 3, 0, 0, 0); /* uint16 */
    las_describe(descriptors + 192, "coarse", 1, 8, 0.5, 0);
    las_describe(descriptors + 384, "User_Data", 1, 0, 0, 0);
    las_file f = las_make(&(las_recipe){.minor = 4,
                                        .format = 6,
                                        .points = 100,
                                        .extra = 4,
                                        .descriptors = descriptors,
                                        .descriptors_size = sizeof descriptors},
                          3);
    const char *path = reader_path("d.las");
    reader_write(path, f.bytes, f.size);
    compare_classes(path, "semantic");
    for (int k = 1; k < 3; k++) {
        const char *const fields[] = {k == 1 ? "coarse" : "user_data", NULL};
        clump_reader_options options = clump_reader_defaults();
        options.class_fields = fields;
        clump_reader *reader = NULL;
        CHECK_INT(clump_reader_open(&path, 1, &options, &reader, &reader_why), CLUMP_ERR_IO_UNSUPPORTED);
        CHECK_MSG(strstr(reader_why.text, refused[k]), "%s", reader_why.text);
    }
    free(f.bytes);
    unlink(path);
}

static void refused_classes(void)
{
    static const char *const none[] = {"semantic", "class", NULL}, *const negative[] = {"label", NULL};
    clump_cloud *cloud = reader_cloud(100, false);
    for (int text = 0; text < 2; text++) { /* records, and a file that is held */
        const char *path = reader_path(text ? "e.csv" : "e.pcd");
        CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, NULL), CLUMP_OK);
        clump_reader_options options = clump_reader_defaults();
        clump_reader *reader = NULL;
        clump_block block = {0};
        options.class_fields = none;
        CHECK_INT(clump_reader_open(&path, 1, &options, &reader, &reader_why), CLUMP_ERR_IO_FORMAT);
        CHECK_MSG(strstr(reader_why.text, ": there is no field 'semantic' or 'class' with one class per point"), "%s",
                  reader_why.text);
        options.class_fields = negative;
        clump_status status = clump_reader_open(&path, 1, &options, &reader, &reader_why);
        if (status == CLUMP_OK) status = clump_reader_block(reader, 0, &block, &reader_why);
        CHECK_INT(status, CLUMP_ERR_IO_FORMAT);
        CHECK_MSG(strstr(reader_why.text, ": the class of point 0 is ") &&
                      strstr(reader_why.text, ", not a whole number from 0 to 65535"),
                  "%s", reader_why.text);
        clump_block_release(&block);
        clump_reader_close(reader);
        unlink(path);
    }
    clump_cloud_destroy(cloud);
}

CHECK_PROGRAM(test_reader)
{
    RUN(kitti);
    RUN(nuscenes);
    RUN(pcd);
    RUN(pcd_packed);
    RUN(ply);
    RUN(ply_odd);
    RUN(text);
    RUN(numpy);
    RUN(numpy_orders);
    RUN(numpy_floats);
    RUN(raw_columns);
    RUN(las_formats);
    RUN(las_steps);
    RUN(las_no_step);
    RUN(classes_by_name);
    RUN(classes_of_extra_dimensions);
    RUN(refused_classes);
}
