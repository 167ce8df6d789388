/* SPDX-License-Identifier: BSD-3-Clause
 *
 * make_corpus.c: writes the files that fuzzing starts from, one folder per format. They are small, made up
 * and written by clump itself; run it again when a format learns to write something new.
 *
 *     make_corpus FOLDER
 */
#include <clump/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct seed {
    const char *path;
    clump_encoding encoding;
    int fields;   /* 0 none, 1 intensity, 2 many types */
    bool labels;  /* adds a field label */
    double shift; /* coordinates that need an origin */
} seed;

static const seed seeds[] = {
    {"pcd/ascii.pcd", CLUMP_ENCODING_ASCII, 2, true, 0},
    {"pcd/binary.pcd", CLUMP_ENCODING_BINARY, 2, true, 0},
    {"pcd/compressed.pcd", CLUMP_ENCODING_COMPRESSED, 2, true, 0},
    {"pcd/wide.pcd", CLUMP_ENCODING_BINARY, 0, false, 500000.25},
    {"ply/ascii.ply", CLUMP_ENCODING_ASCII, 2, true, 0},
    {"ply/binary.ply", CLUMP_ENCODING_BINARY, 2, true, 0},
    {"ply/big.ply", CLUMP_ENCODING_BIG_ENDIAN, 1, false, 0},
    {"ply/wide.ply", CLUMP_ENCODING_BINARY, 0, false, 500000.25},
    {"las/plain.las", CLUMP_ENCODING_DEFAULT, 1, false, 0},
    {"las/extra.las", CLUMP_ENCODING_DEFAULT, 2, true, 500000.25},
    {"laz/plain.laz", CLUMP_ENCODING_DEFAULT, 1, false, 0},
    {"laz/extra.laz", CLUMP_ENCODING_DEFAULT, 2, true, 500000.25},
    {"text/plain.xyz", CLUMP_ENCODING_DEFAULT, 0, false, 0},
    {"text/named.csv", CLUMP_ENCODING_DEFAULT, 2, true, 0},
    {"text/wide.txt", CLUMP_ENCODING_DEFAULT, 1, false, 500000.25},
    {"npy/narrow.npy", CLUMP_ENCODING_DEFAULT, 1, false, 0},
    {"npy/wide.npy", CLUMP_ENCODING_DEFAULT, 2, false, 500000.25},
    {"kitti/scan.bin", CLUMP_ENCODING_DEFAULT, 1, false, 0},
    {"nuscenes/scan.pcd.bin", CLUMP_ENCODING_DEFAULT, 1, false, 0},
    {"labels/a.labels", CLUMP_ENCODING_DEFAULT, 0, true, 0},
    {"labels/a.label", CLUMP_ENCODING_DEFAULT, 0, true, 0},
    {"labels/a.npy", CLUMP_ENCODING_DEFAULT, 0, true, 0},
};

/* Text that clump would not write itself. */
static const struct {
    const char *path, *text;
} texts[] = {
    {"pcd/quirks.pcd", "# .PCD v.5\r\nVERSION .5\r\nCOLUMNS Z i _ X Y\r\nCOUNT 1 1 2 1 1\r\nPOINTS 2\r\nDATA ascii\r\n"
                       "3 9 a b 1\t2\r\n\r\n6 NaN  c d 4 5e-3 \r\n"},
    {"ply/lists.ply", "ply\nformat ascii 1.0\ncomment made up\nobj_info none\nelement face 1\n"
                      "property list uchar int vertex_index\nelement vertex 2\nproperty float x\nproperty float y\n"
                      "property list uchar float more\nproperty double z\nproperty uchar red\nend_header\n"
                      "3 0 1 0\n1 2 2 7 8 3 255\n4 5 0 6 0\n"},
    {"text/quirks.pts", "3\n# x y z intensity\n1 2 3 0.5\n4;5;6;;\n-1e30 nan inf 1.#QNAN // end\n"},
    {"raw/letters", "xyzirt\n0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"},
    {"raw/names", "x:f64,y,z:i16,_:u8,ring:u16,time:int64\n0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRS"},
    {"cross/arrays.pcd", /* names that collide, of fields and of elements of arrays */
     "VERSION .7\nFIELDS x y z extra extra_2 Intensity intensity nir infrared a a\nSIZE 4 4 4 4 4 2 4 8 2 1 1\n"
     "TYPE F F F I I U F F U U I\nCOUNT 1 1 1 3 1 1 1 1 1 1 1\nWIDTH 2\nPOINTS 2\nDATA ascii\n"
     "1 2 3 1 2 3 4 5 0.5 0.25 6 7 8\n4 5 6 9 8 7 6 0 1.5 0.75 5 4 -3\n"},
    {"cross/names.csv", "x,y,z,label,a b,a_b,class,Class\n1,2,3,-1,4,5,6,7\n4,5,6,0,1.5,123456789.123,8,9\n"},
    {"text/names.csv", "\xef\xbb\xbf\"X\",Y,Z,GPS time,class\n1,2,3,123456789.123456789,2\n,,3,1,2147483647\n"},
};

/* A LAS file that says it is compressed. */
static void make_laz(unsigned char *bytes, size_t size)
{
    if (size > 104) bytes[104] |= 0x80;
}

static void make_parent(const char *path)
{
    char folder[512];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = 0;
    mkdir(folder, 0777);
}

/* Records for target_laz_codec.c: 4 bytes that choose the layout, then points that move in small steps. */
static void make_records(const char *folder, unsigned format, unsigned extra, size_t record)
{
    char path[512];
    snprintf(path, sizeof path, "%s/laz_codec/format%u_%u", folder, format, extra);
    make_parent(path);
    FILE *out = fopen(path, "wb");
    if (!out) return;
    const unsigned char head[4] = {(unsigned char)(format < 6 ? format : format - 2), (unsigned char)extra, 0, 3};
    fwrite(head, 1, sizeof head, out);
    for (unsigned i = 0; i < 40; i++) {
        unsigned char point[64];
        for (size_t b = 0; b < record; b++) point[b] = (unsigned char)(b % 4 == 0 ? i * (b + 3) / 5 : b * (1 + i / 16));
        fwrite(point, 1, record, out);
    }
    fclose(out);
}

/* The extra dimensions ring and offset get the names of standard ones, which have values, too. */
static void make_namesakes(unsigned char *bytes, size_t size)
{
    for (size_t i = 375; i + 32 < size; i++) {
        if (memcmp(bytes + i, "ring\0\0\0", 7) == 0) memcpy(bytes + i, "classification", 14);
        if (memcmp(bytes + i, "offset\0", 7) == 0) memcpy(bytes + i, "gps_time", 8);
    }
}

enum { POINTS = 5 };

static void add(clump_cloud *cloud, const char *name, clump_type type, uint32_t count)
{
    unsigned char data[POINTS * 3 * 8];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 37 % 61);
    for (size_t i = 0; i < POINTS; i++) {
        const float f = 0.25f * (float)i;
        const double d = 1e9 + 0.125 * (double)i;
        if (type == CLUMP_TYPE_F32) memcpy(data + 4 * i, &f, 4);
        if (type == CLUMP_TYPE_F64) memcpy(data + 8 * i, &d, 8);
    }
    clump_cloud_set_field(cloud, &(clump_field){name, type, count, data}, NULL);
}

static clump_cloud *make(const seed *s)
{
    clump_cloud *cloud;
    if (clump_cloud_create(POINTS, &cloud, NULL) != CLUMP_OK) return NULL;
    float *xyz = clump_cloud_xyz(cloud);
    for (size_t i = 0; i < 3 * POINTS; i++) xyz[i] = 0.125f * (float)(i * 7 % 19) - 1;
    const double origin[3] = {s->shift, -s->shift, 0};
    clump_cloud_set_origin(cloud, origin);
    if (s->fields) add(cloud, "intensity", CLUMP_TYPE_F32, 1);
    if (s->fields == 2) {
        add(cloud, "classification", CLUMP_TYPE_U8, 1);
        add(cloud, "ring", CLUMP_TYPE_U16, 1);
        add(cloud, "offset", CLUMP_TYPE_I16, 1);
        add(cloud, "rgb", CLUMP_TYPE_U32, 1);
        add(cloud, "gps_time", CLUMP_TYPE_F64, 1);
        add(cloud, "normal", CLUMP_TYPE_F32, 3);
    }
    return cloud;
}

/* A seed for a format that has none above: NAME/plain.ENDING. */
static bool is_without_seed(const clump_format_info *info, char path[64])
{
    const size_t length = strlen(info->name);
    if (!info->writes || !info->holds_points) return false;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        if (strncmp(seeds[i].path, info->name, length) == 0 && seeds[i].path[length] == '/') return false;
    snprintf(path, 64, "%s/plain.%s", info->name, info->extensions[0]);
    return true;
}

static bool write_seed(const char *folder, const seed *s)
{
    static const int32_t labels[POINTS] = {0, 1, -1, 1, 2};
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, s->path);
    make_parent(path);
    clump_cloud *cloud = make(s);
    clump_save_options options = clump_save_defaults();
    options.encoding = s->encoding;
    clump_message why;
    const clump_status status = clump_cloud_save(path, cloud, s->labels ? labels : NULL, &options, &why);
    if (status != CLUMP_OK) fprintf(stderr, "%s\n", why.text);
    clump_cloud_destroy(cloud);
    return status == CLUMP_OK;
}

/* A seed that is another one, changed. */
static void derive(const char *folder, const char *from, const char *to, void (*change)(unsigned char *, size_t))
{
    unsigned char bytes[8192];
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, from);
    FILE *in = fopen(path, "rb");
    const size_t size = in ? fread(bytes, 1, sizeof bytes, in) : 0;
    if (in) fclose(in);
    change(bytes, size);
    snprintf(path, sizeof path, "%s/%s", folder, to);
    make_parent(path);
    FILE *out = fopen(path, "wb");
    if (out) fwrite(bytes, 1, size, out);
    if (out) fclose(out);
}

int main(int argc, char **argv)
{
    if (argc != 2) return fprintf(stderr, "usage: make_corpus FOLDER\n"), 2;
    mkdir(argv[1], 0777);
    char path[512];
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        if (!write_seed(argv[1], &seeds[i])) return 1;
    clump_format_info info;
    for (int f = CLUMP_FORMAT_GUESS + 1; clump_format_describe((clump_format)f, &info); f++)
        if (is_without_seed(&info, path) && !write_seed(argv[1], &(seed){.path = path, .fields = 1})) return 1;
    derive(argv[1], "las/plain.las", "laz/claimed.laz", make_laz);
    static const unsigned char sizes[9] = {20, 28, 26, 34, 0, 0, 30, 36, 38};
    for (unsigned f = 0; f < sizeof sizes; f++)
        for (unsigned extra = 0; sizes[f] && extra < 4; extra += 3) make_records(argv[1], f, extra, sizes[f] + extra);
    derive(argv[1], "las/extra.las", "cross/namesakes.las", make_namesakes);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", argv[1], texts[i].path);
        make_parent(path);
        FILE *f = fopen(path, "wb");
        if (!f || fputs(texts[i].text, f) < 0 || fclose(f) != 0) return fprintf(stderr, "%s\n", path), 1;
    }
    return 0;
}
