/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_labels.c: files that hold labels without points, and the scans without a header that they belong to.
 */
#include "io/test_io.h"

static void labels_round_trip(void)
{
    clump_cloud *cloud = io_make_cloud(3);
    const int32_t labels[3] = {-1, 0, 2147483647};
    const char *path = io_path("a.labels");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(io_why.text, "a.labels: there are no labels to write"));
    CHECK_INT(access(path, F_OK), -1);
    CHECK_INT(clump_cloud_save(path, cloud, labels, NULL, &io_why), CLUMP_OK);
    int32_t *back;
    size_t count;
    CHECK_INT(clump_labels_load(path, &back, &count, &io_why), CLUMP_OK);
    CHECK(count == 3 && memcmp(back, labels, sizeof labels) == 0);
    clump_labels_free(back);
    io_spill(path, "12345", 5);
    CHECK_INT(clump_labels_load(path, &back, &count, &io_why), CLUMP_ERR_IO_FORMAT);
    CHECK(back == NULL && count == 0 && strstr(io_why.text, "5 bytes is no multiple of 4, the size of a label"));
    io_spill(path, "", 0);
    CHECK_INT(clump_labels_load(path, &back, &count, &io_why), CLUMP_OK);
    CHECK_INT(count, 0);
    clump_labels_free(back);
    unlink(path);
    CHECK_INT(clump_labels_load(path, &back, &count, &io_why), CLUMP_ERR_IO_OPEN);
    CHECK_REFUSED("a.labels", "1234", CLUMP_ERR_IO_UNSUPPORTED, "a.labels: the file holds labels, not points");
    clump_cloud_destroy(cloud);
}

static void semantickitti_round_trips(void)
{
    clump_cloud *cloud = io_make_cloud(4), *other = io_make_cloud(4);
    const uint32_t entries[4] = {0, 40, 3u << 16 | 10, 65535u << 16 | 252};
    const char *path = io_path("a.label");
    io_spill(path, entries, sizeof entries);
    int32_t *raw;
    size_t count;
    CHECK_INT(clump_labels_load(path, &raw, &count, &io_why), CLUMP_OK);
    CHECK(count == 4 && memcmp(raw, entries, sizeof entries) == 0);
    clump_labels_free(raw);
    CHECK_INT(clump_cloud_attach(cloud, path, &io_why), CLUMP_OK);
    clump_field semantic, instance;
    CHECK(clump_cloud_find(cloud, "semantic", &semantic) && semantic.type == CLUMP_TYPE_U16);
    CHECK(clump_cloud_find(cloud, "instance", &instance) && instance.type == CLUMP_TYPE_U16);
    for (size_t i = 0; i < 4; i++) {
        CHECK_INT(((const uint16_t *)semantic.data)[i], entries[i] & 0xffff);
        CHECK_INT(((const uint16_t *)instance.data)[i], entries[i] >> 16);
    }
    unlink(path);
    /* The fields as they are ... */
    size_t size;
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    unsigned char *bytes = io_slurp(path, &size);
    CHECK(size == sizeof entries && memcmp(bytes, entries, size) == 0);
    free(bytes);
    /* ... and clusters as instances, noise as none, under the classes there are. */
    const int32_t labels[4] = {-1, 0, 1, -2};
    const uint32_t expected[4] = {0, 1u << 16 | 40, 2u << 16 | 10, 252};
    CHECK_INT(clump_cloud_save(path, cloud, labels, NULL, &io_why), CLUMP_OK);
    bytes = io_slurp(path, &size);
    CHECK(size == sizeof expected && memcmp(bytes, expected, size) == 0);
    free(bytes);
    CHECK_INT(clump_cloud_save(path, other, (const int32_t[4]){0, 0, 65535, 0}, NULL, &io_why),
              CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(io_why.text, "a.label: point 2: a .label file has 16 bits for an instance and 16 for a class"));
    CHECK_INT(clump_cloud_save(path, other, NULL, NULL, &io_why), CLUMP_ERR_ARGUMENT);
    CHECK(strstr(io_why.text, "a.label: there are no labels to write, nor a field semantic or instance"));
    unlink(path);
    clump_cloud_destroy(cloud);
    clump_cloud_destroy(other);
}

/* In formats that PCL reads, a label is uint32 with the bits of ours; pcl::PointXYZL takes no other type. */
static void labels_are_unsigned_in_pcd_and_ply(void)
{
    static const char *const names[] = {"a.pcd", "a.ply"};
    static const char *const types[2][2] = {{"TYPE F F F U\n", "TYPE F F F I\n"},
                                            {"property uint label\n", "property int label\n"}};
    const int32_t labels[5] = {0, 1, -1, -2, 2147483647}, others[5] = {0, 1, -1, -3, 5};
    clump_cloud *cloud, *back;
    CHECK_INT(clump_cloud_create(5, &cloud, &io_why), CLUMP_OK);
    for (int other = 0; other < 2; other++) {
        const int32_t *values = other ? others : labels; /* -3 is no label of clump's, and its type stays */
        for (int way = 0; way < 4; way++) {
            clump_save_options options = clump_save_defaults();
            options.encoding = way % 2 ? CLUMP_ENCODING_ASCII : CLUMP_ENCODING_BINARY;
            const char *path = io_path(names[way / 2]);
            if (way == 3) /* as a field of the cloud: the same */
                clump_cloud_set_field(cloud, &(clump_field){"label", CLUMP_TYPE_I32, 1, values}, NULL);
            CHECK_INT(clump_cloud_save(path, cloud, way == 3 ? NULL : values, &options, &io_why), CLUMP_OK);
            size_t size;
            unsigned char *bytes = io_slurp(path, &size);
            char head[512];
            snprintf(head, sizeof head, "%.*s", (int)(size < 400 ? size : 400), (const char *)bytes);
            CHECK_MSG(strstr(head, types[way / 2][other]), "%s", head);
            CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
            clump_field f = {0};
            CHECK(clump_cloud_find(back, "label", &f) && f.type == CLUMP_TYPE_I32);
            CHECK(f.data && memcmp(f.data, values, sizeof labels) == 0);
            clump_cloud_destroy(back);
            unlink(path);
            free(bytes);
        }
    }
    clump_cloud_destroy(cloud);
    /* Labels of others that need all 32 bits stay as they are. */
    back = io_parse_text("o.pcd", "VERSION .7\nFIELDS x y z label\nSIZE 4 4 4 4\nTYPE F F F U\nWIDTH 2\nPOINTS 2\n"
                                  "DATA ascii\n1 2 3 3000000000\n4 5 6 4294967295\n");
    clump_field f;
    CHECK(clump_cloud_find(back, "label", &f) && f.type == CLUMP_TYPE_U32 && clump_field_value(&f, 0, 0) == 3e9);
    clump_cloud_destroy(back);
}

static void labels_are_attached(void)
{
    clump_cloud *cloud = io_make_cloud(3);
    const int32_t labels[3] = {-1, 0, 7};
    static const char *const names[] = {"a.labels", "a.npy"};
    for (size_t i = 0; i < 2; i++) {
        const char *path = io_path(names[i]);
        CHECK_INT(clump_cloud_save(path, cloud, labels, NULL, &io_why), CLUMP_OK);
        clump_cloud *fresh = io_make_cloud(3), *larger = io_make_cloud(4);
        clump_field f;
        CHECK_INT(clump_cloud_attach(fresh, path, &io_why), CLUMP_OK);
        CHECK(clump_cloud_find(fresh, "label", &f) && f.type == CLUMP_TYPE_I32);
        CHECK(memcmp(f.data, labels, sizeof labels) == 0);
        CHECK_INT(clump_cloud_attach(larger, path, &io_why), CLUMP_ERR_IO_FORMAT);
        CHECK(strstr(io_why.text, ": 3 labels for a cloud of 4 points"));
        clump_cloud_destroy(fresh);
        clump_cloud_destroy(larger);
        unlink(path);
    }
    CHECK_INT(clump_cloud_attach(cloud, io_path("none.labels"), &io_why), CLUMP_ERR_IO_OPEN);
    /* Text has four bytes a label easily, and is none. */
    const char *text = io_path("labels.txt");
    io_spill(text, "123\n456\n789\n", 12);
    CHECK_INT(clump_cloud_attach(cloud, text, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(io_why.text, "labels.txt: labels are read from .labels, .label and .npy files"));
    unlink(text);
    CHECK_INT(clump_cloud_attach(NULL, "a", &io_why), CLUMP_ERR_ARGUMENT);
    clump_cloud_destroy(cloud);
}

/* What NumPy makes of labels: int64. */
static void numpy_labels(void)
{
    const char header[] = "\x93NUMPY\1\0\x36\0{'descr': '<i8', 'fortran_order': False, 'shape': (2,)}";
    unsigned char bytes[96];
    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, header, sizeof header - 1);
    int64_t values[2] = {-1, 2147483647};
    const char *path = io_path("a.npy");
    int32_t *labels;
    size_t count;
    memcpy(bytes + 64, values, sizeof values);
    io_spill(path, bytes, 80);
    CHECK_INT(clump_labels_load(path, &labels, &count, &io_why), CLUMP_OK);
    CHECK(count == 2 && labels && labels[0] == -1 && labels[1] == 2147483647);
    clump_labels_free(labels);
    values[1]++;
    memcpy(bytes + 64, values, sizeof values);
    io_spill(path, bytes, 80);
    CHECK_INT(clump_labels_load(path, &labels, &count, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(io_why.text, "a.npy: label 2147483648 of point 1 is not an int32"));
    io_spill(path, bytes, 79);
    CHECK_INT(clump_labels_load(path, &labels, &count, &io_why), CLUMP_ERR_IO_TRUNCATED);
    bytes[22] = 'f';
    io_spill(path, bytes, 80);
    CHECK_INT(clump_labels_load(path, &labels, &count, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK(strstr(io_why.text, "only int32 and int64 are supported"));
    unlink(path);
}

static void nuscenes_round_trips(void)
{
    clump_cloud *cloud = io_make_cloud(20), *back = NULL;
    float intensity[20], ring[20];
    for (int i = 0; i < 20; i++) intensity[i] = (float)i * 0.1f, ring[i] = (float)(i % 7);
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"intensity", CLUMP_TYPE_F32, 1, intensity}, NULL), CLUMP_OK);
    CHECK_INT(clump_cloud_set_field(cloud, &(clump_field){"ring", CLUMP_TYPE_F32, 1, ring}, NULL), CLUMP_OK);
    const char *path = io_path("scan.pcd.bin");
    CHECK_INT(clump_cloud_save(path, cloud, NULL, NULL, &io_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(path, NULL, &back, &io_why), CLUMP_OK);
    CHECK(io_same_xyz(cloud, back) && clump_cloud_field_count(back) == 2);
    CHECK_INT(clump_cloud_describe(back).format, CLUMP_FORMAT_NUSCENES);
    clump_field f;
    CHECK(clump_cloud_find(back, "ring", &f) && memcmp(f.data, ring, sizeof ring) == 0);
    clump_cloud_destroy(back);
    /* Under KITTI's name its rings give it away. */
    size_t size;
    unsigned char *bytes = io_slurp(path, &size);
    CHECK_INT(io_parse("scan.bin", bytes, size, &back), CLUMP_OK);
    CHECK_INT(clump_cloud_describe(back).format, CLUMP_FORMAT_NUSCENES);
    CHECK_TEXT(clump_cloud_describe(back).note, "named .bin but holds NUSCENES");
    clump_cloud_destroy(back);
    free(bytes);
    CHECK_INT(clump_cloud_save(path, cloud, (const int32_t[20]){0}, NULL, &io_why), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_REFUSED("s.pcd.bin", "0123456789abcdef", CLUMP_ERR_IO_FORMAT,
                  "s.pcd.bin: 16 bytes is no multiple of 20, the size of a nuScenes point (float32 x y z intensity "
                  "ring); as kitti it would fit");
    clump_cloud_destroy(cloud);
    unlink(path);
}

/* Integers everywhere: a ring is nothing special then, and the name decides. */
static void integers_are_no_sign(void)
{
    float numbers[80];
    for (int i = 0; i < 80; i++) numbers[i] = (float)(i * 7 % 23);
    clump_cloud *cloud;
    CHECK_INT(io_parse("a.bin", numbers, sizeof numbers, &cloud), CLUMP_OK);
    CHECK_INT(clump_cloud_describe(cloud).format, CLUMP_FORMAT_KITTI);
    clump_cloud_destroy(cloud);
    CHECK_INT(io_parse("a.pcd.bin", numbers, sizeof numbers, &cloud), CLUMP_OK);
    CHECK_INT(clump_cloud_describe(cloud).format, CLUMP_FORMAT_NUSCENES);
    clump_cloud_destroy(cloud);
    /* One ring alone is a sign among measured points. */
    for (int i = 0; i < 80; i++) numbers[i] = i % 5 == 4 ? 0 : 0.1f + (float)i;
    CHECK_INT(io_parse("a.bin", numbers, sizeof numbers, &cloud), CLUMP_OK);
    CHECK_INT(clump_cloud_describe(cloud).format, CLUMP_FORMAT_NUSCENES);
    clump_cloud_destroy(cloud);
}

/* Integers between the floats: no error is possible, but a word of doubt is. */
static void other_layouts_are_doubted(void)
{
    uint32_t words[64];
    for (uint32_t i = 0; i < 64; i++) words[i] = i % 4 == 1 ? i : 0x40000000u + i;
    clump_cloud *cloud;
    CHECK_INT(io_parse("blob.bin", words, sizeof words, &cloud), CLUMP_OK);
    CHECK_TEXT(clump_cloud_describe(cloud).note, "16 of 16 points looked at have coordinates no sensor gives: perhaps "
                                                 "this is no KITTI file; --columns says what it is");
    clump_cloud_destroy(cloud);
}

CHECK_PROGRAM(test_labels)
{
    RUN(labels_round_trip);
    RUN(semantickitti_round_trips);
    RUN(labels_are_unsigned_in_pcd_and_ply);
    RUN(labels_are_attached);
    RUN(numpy_labels);
    RUN(nuscenes_round_trips);
    RUN(integers_are_no_sign);
    RUN(other_layouts_are_doubted);
    io_cleanup();
}
