/* SPDX-License-Identifier: BSD-3-Clause
 *
 * io.h: point clouds in files, and recordings of a sensor (library clump_io).
 *
 *     clump_cloud *cloud;
 *     clump_message why;
 *     if (clump_cloud_load("scan.pcd", NULL, &cloud, &why) != CLUMP_OK) puts(why.text);
 *     clump_points points = clump_cloud_points(cloud);
 *     ...
 *     clump_cloud_destroy(cloud);
 *
 * A cloud holds the contents of a file: float32 x y z, a double origin, and every other field with name and type.
 * Writing the cloud back loses nothing. Messages name the file and the place, "scan.pcd: header line 7: WIDTH is not a
 * number".
 *
 * float32 coordinates are kept as they are, with origin 0. Coordinates of other types become float32 offsets from an
 * origin. So do coordinates in text, when one is 131072 or more, or has digits that float32 cannot hold. The origin is
 * the lower corner of the bounding box, rounded down to whole units (0 along an axis longer than 2^24 units).
 *
 *              reads                                    writes
 *     pcd      0.5 to 0.7; ascii, binary and            all of the cloud; float64 x y z if it has an origin
 *              binary_compressed
 *     ply      1.0; ascii, binary of either byte order  as pcd
 *     las      1.0 to 1.4, point formats 0 to 10        all of the cloud; a LAS cloud with unchanged header, VLRs
 *                                                       and integer coordinates
 *     laz      compressed LAS and COPC, formats 0 to 3  as las, in formats 0 to 3 and 6 to 8
 *              and 6 to 8
 *     kitti    float32 x y z intensity                  x y z, and intensity or 0; no labels
 *     nuscenes float32 x y z intensity ring             as kitti, and ring or 0; no labels
 *     raw      records of numbers without a header,     never
 *              as clump_load_options.columns says
 *     text     blanks, comma or semicolon; column       all of the cloud, below a line of column names
 *              names, comments and a count are optional
 *     npy      N x 3 or wider, float32 or float64       N x (3 + fields) of float32, or of float64 if a number
 *                                                       needs it; with labels only the labels, int32, shape (N,)
 *     labels   one int32 per point, only as labels      only the labels
 *     semantickitti (.label)  a class and an instance   the labels + 1 as instances, with the classes of a field
 *              per point, only as labels                "semantic"; without labels, the fields as attached
 */
#ifndef CLUMP_IO_H
#define CLUMP_IO_H

#include <clump/classes.h>
#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clump_cloud clump_cloud;

typedef enum clump_format {
    CLUMP_FORMAT_GUESS = 0, /* by content, then by file name */
    CLUMP_FORMAT_PCD = 1,
    CLUMP_FORMAT_KITTI = 2,  /* .bin: float32 x y z intensity, no header */
    CLUMP_FORMAT_TEXT = 3,   /* .xyz .txt .csv .pts .asc: one point per line */
    CLUMP_FORMAT_NPY = 4,    /* NumPy array N x 3 or wider */
    CLUMP_FORMAT_LABELS = 5, /* .labels: raw little-endian int32, one per point; holds labels only */
    CLUMP_FORMAT_PLY = 6,
    CLUMP_FORMAT_LAS = 7,
    CLUMP_FORMAT_LAZ = 8,
    CLUMP_FORMAT_NUSCENES = 9,       /* .pcd.bin: float32 x y z intensity ring, no header */
    CLUMP_FORMAT_SEMANTICKITTI = 10, /* .label: uint32, instance << 16 | semantic, one per point; holds labels only */
    /* No header; clump_load_options.columns describes a point and selects this format: "xyz", "xyzi", "xyzirt" (float32;
     * _ is skipped), or "x,y,z,ring:u16,_:u8,time:f64". */
    CLUMP_FORMAT_RAW = 11
} clump_format;

typedef enum clump_encoding {
    CLUMP_ENCODING_DEFAULT = 0, /* binary where the format has it */
    CLUMP_ENCODING_ASCII = 1,
    CLUMP_ENCODING_BINARY = 2,
    CLUMP_ENCODING_COMPRESSED = 3, /* PCD, LAZ */
    CLUMP_ENCODING_BIG_ENDIAN = 4  /* PLY: binary, most significant byte first */
} clump_encoding;

typedef enum clump_type {
    CLUMP_TYPE_I8 = 0,
    CLUMP_TYPE_U8,
    CLUMP_TYPE_I16,
    CLUMP_TYPE_U16,
    CLUMP_TYPE_I32,
    CLUMP_TYPE_U32,
    CLUMP_TYPE_I64,
    CLUMP_TYPE_U64,
    CLUMP_TYPE_F32,
    CLUMP_TYPE_F64
} clump_type;

/* One field of every point besides x, y and z. The memory belongs to the cloud and is valid until the cloud changes. */
typedef struct clump_field {
    const char *name;
    clump_type type;
    uint32_t count;   /* elements per point; 1 for most fields */
    const void *data; /* cloud size x count elements of the type, native byte order, tightly packed */
} clump_field;

/* --- creating, reading, writing ---------------------------------------------------------------- */

/* Progress callback: called from time to time while a file is read or written, on the calling thread. `done` grows from
 * 0 to 1. Not called for small files. */
typedef void (*clump_progress)(void *user, double done);

typedef struct clump_load_options {
    uint32_t cookie;         /* set by clump_load_defaults(), do not touch */
    clump_format format;     /* CLUMP_FORMAT_GUESS */
    clump_progress progress; /* null: no progress */
    void *progress_user;
    const char *columns; /* null, or the layout of a point in a file without a header: CLUMP_FORMAT_RAW */
    bool partial;        /* true: read the complete points of a file that ends too early; a note tells how many */
    int threads;         /* 0: one per processor. Threads that decode LAZ, at most */
} clump_load_options;

CLUMP_API clump_load_options clump_load_defaults(void);

/* Reads a file. path "-" is standard input. options and message may be null. *out is null on failure. If another
 * program truncates the file meanwhile, the call fails with CLUMP_ERR_IO_TRUNCATED. */
CLUMP_API clump_status clump_cloud_load(const char *path, const clump_load_options *options, clump_cloud **out,
                                        clump_message *message);

/* Reads a cloud from memory. `name` is the file name for messages and for the guess of the format; may be null. */
CLUMP_API clump_status clump_cloud_parse(const void *bytes, size_t size, const char *name,
                                         const clump_load_options *options, clump_cloud **out, clump_message *message);

/* Called with the name of a temporary file just before it is created, and with null when it no longer exists. The
 * name is valid in between. For a signal handler that removes the file (unlink() is async-signal-safe). */
typedef void (*clump_temporary)(void *user, const char *name);

typedef struct clump_save_options {
    uint32_t cookie;         /* set by clump_save_defaults(), do not touch */
    clump_format format;     /* CLUMP_FORMAT_GUESS: by file name */
    clump_encoding encoding; /* CLUMP_ENCODING_DEFAULT: binary where the format has it, compressed for LAZ */
    clump_progress progress; /* null: no progress */
    void *progress_user;
    clump_temporary temporary; /* null: the caller does not need the name */
    void *temporary_user;
    int threads; /* 0: one per processor. Threads that compress LAZ, at most */
} clump_save_options;

CLUMP_API clump_save_options clump_save_defaults(void);

/* Writes a file.
 * path     "-" is standard output and needs a format. A symbolic link is followed: the file it leads to is replaced; a
 *          link to a file that does not exist is an error
 * labels   may be null; else one per point, written as an int32 field "label" that replaces a field of that name. For
 *          CLUMP_FORMAT_LABELS they are required and nothing else is written
 * message  may be null. After a success it names a field whose name had to change, because another field has it; else
 *          ""
 *
 * The file is written without a name and gets its name when it is complete. So the target is either the old or the
 * whole new file, and a killed program leaves nothing behind. Where the file system has no unnamed files, a file
 * .clump-PID-N beside the target is renamed.
 *
 * In PCD and PLY an int32 field "label" whose values are labels (-2 or more) is written as uint32 with the same
 * bits, as in pcl::PointXYZL: noise is 4294967295, ground 4294967294. It is read as int32 again. */
CLUMP_API clump_status clump_cloud_save(const char *path, const clump_cloud *cloud, const int32_t *labels,
                                        const clump_save_options *options, clump_message *message);

/* Creates a cloud of `count` points at 0, 0, 0, without fields. */
CLUMP_API clump_status clump_cloud_create(size_t count, clump_cloud **out, clump_message *message);
CLUMP_API void clump_cloud_destroy(clump_cloud *cloud); /* cloud may be null */

/* Copies a field into the cloud and replaces a field of that name. */
CLUMP_API clump_status clump_cloud_set_field(clump_cloud *cloud, const clump_field *field, clump_message *message);

/* Removes the points whose byte in `keep`, one per point, is 0. The other points keep their order, fields and
 * digits. If any point is removed, the cloud is no longer organised in rows. Returns the number of points left. */
CLUMP_API size_t clump_cloud_select(clump_cloud *cloud, const uint8_t *keep);

/* Reads the labels of a .labels or .npy file (int32 or int64, shape (N,)). Of a .label file it returns the bits
 * unchanged, instance << 16 | semantic. Free *labels with clump_labels_free(). */
CLUMP_API clump_status clump_labels_load(const char *path, int32_t **labels, size_t *count, clump_message *message);
CLUMP_API void clump_labels_free(int32_t *labels);

/* Reads labels as clump_labels_load() into fields of a cloud: "label" (int32), or for a .label file "semantic" and
 * "instance" (uint16). The file must have one label per point. */
CLUMP_API clump_status clump_cloud_attach(clump_cloud *cloud, const char *path, clump_message *message);

/* --- LAS and LAZ, block by block ------------------------------------------------------------------ */

/* Writes a file of LAS 1.4, point format 0, in bounded memory, for programs that make more points than memory holds. The
 * file appears when it is complete, or not at all, as with clump_cloud_save(). */
typedef struct clump_las_writer clump_las_writer;

/* Number and box of the points. */
typedef struct clump_las_extent {
    uint64_t points;
    int32_t lower[3], upper[3]; /* in steps */
} clump_las_extent;

typedef struct clump_las_writer_options {
    uint32_t cookie;     /* set by clump_las_writer_defaults(), do not touch */
    clump_format format; /* CLUMP_FORMAT_GUESS: by file name; else CLUMP_FORMAT_LAS or CLUMP_FORMAT_LAZ */
    double scale;        /* 0.001: length of a step, along all axes */
    double offset[3];    /* 0: coordinate = step x scale + offset */
    const clump_las_extent
        *extent;               /* null; required for LAS to a pipe, which gets the header first. All points are then
                                     * only returns. LAZ to a pipe is held in memory up to the end */
    int threads;               /* 1: threads that compress LAZ; 0: one per processor */
    clump_temporary temporary; /* as in clump_save_options */
    void *temporary_user;
} clump_las_writer_options;

CLUMP_API clump_las_writer_options clump_las_writer_defaults(void);

/* options and message may be null. *out is null on failure. */
CLUMP_API clump_status clump_las_writer_open(const char *path, const clump_las_writer_options *options,
                                             clump_las_writer **out, clump_message *message);
/* Appends records of point format 0, 20 bytes each: int32 x y z, uint16 intensity, uint8 returns, uint8 class, int8 angle,
 * uint8 user data, uint16 source. */
CLUMP_API clump_status clump_las_writer_add(clump_las_writer *writer, const void *records, size_t count,
                                            clump_message *message);
/* Gives the file its name, or, with keep false, leaves the target unchanged. Frees the writer, which may be null. */
CLUMP_API clump_status clump_las_writer_close(clump_las_writer *writer, bool keep, clump_message *message);

/* --- other files --------------------------------------------------------------------------------- */

/* A file that a program writes itself and that appears complete or not at all, as with clump_cloud_save(). `path` as
 * there. */
typedef struct clump_output clump_output;
CLUMP_API clump_status clump_output_open(const char *path, clump_temporary temporary, void *temporary_user,
                                         clump_output **out, clump_message *message);
/* Returns a descriptor to write to; open until clump_output_close(). */
CLUMP_API int clump_output_file(const clump_output *output);
/* Gives the file its name, or, with keep false, leaves the target unchanged. Frees the output. */
CLUMP_API clump_status clump_output_close(clump_output *output, bool keep, clump_message *message);

/* --- contents ----------------------------------------------------------------------------------- */

/* Returns element `element` of point i as the nearest double; NaN if the field has no such element. */
CLUMP_API double clump_field_value(const clump_field *field, size_t i, size_t element);

/* Returns the coordinate of point i along axis 0, 1 or 2 in the file's frame, with the precision of the file: the
 * number that will be written. (origin + xyz has the precision of float32.) NaN for another axis, a point that does
 * not exist or a null cloud. */
CLUMP_API double clump_cloud_coordinate(const clump_cloud *cloud, size_t i, int axis);

CLUMP_API clump_points clump_cloud_points(const clump_cloud *cloud);  /* valid until destroy */
CLUMP_API float *clump_cloud_xyz(clump_cloud *cloud);                 /* these floats, writable; tightly packed */
CLUMP_API const double *clump_cloud_origin(const clump_cloud *cloud); /* three doubles; add them for file coordinates */
CLUMP_API void clump_cloud_set_origin(clump_cloud *cloud, const double origin[3]);
CLUMP_API size_t clump_cloud_field_count(const clump_cloud *cloud);
CLUMP_API bool clump_cloud_field(const clump_cloud *cloud, size_t index, clump_field *out); /* false: does not exist */
CLUMP_API bool clump_cloud_find(const clump_cloud *cloud, const char *name, clump_field *out);

/* Returns the name of the field that has the rings of the points: "ring"; else the first of channel, laser_id, ring_id, beam,
 * line and row whose values can be rings. Null: the cloud has no such field. A constant string. */
CLUMP_API const char *clump_cloud_ring_field(const clump_cloud *cloud);

/* Reads the rings of the points, for clump_objects_options.rings, from that field.
 * rings    one per point, output. Points that are not finite and have no valid ring get 0
 * found    output; false: the cloud has no such field, and `rings` is not written
 * message  may be null
 * A value of "ring" that is no whole number below CLUMP_RINGS_MOST is an error, CLUMP_ERR_IO_FORMAT, that names point and value. */
CLUMP_API clump_status clump_cloud_rings(const clump_cloud *cloud, uint16_t *rings, bool *found,
                                         clump_message *message);
/* Returns the points per row of an organised cloud whose rows can be rings, for clump_objects_options.columns. 0: it is not
 * organised, or has more than 256 rows, as the image of a camera. */
CLUMP_API size_t clump_cloud_columns(const clump_cloud *cloud);

/* --- whole steps --------------------------------------------------------------------------------- */

/* LAS and LAZ files have integer coordinates: a coordinate is integer x scale + offset. Clustered as whole numbers of
 * steps, the labels depend on differences of integers alone, not on origin and offset (docs/results.md, frame `steps`):
 *
 *     clump_steps steps;
 *     float *xyz = malloc(3 * sizeof *xyz * points.count);
 *     clump_cloud_steps(cloud, 0, false, NULL, xyz, &steps, &why);
 *     points.xyz = xyz;
 *     clump_ec(ctx, points, clump_steps_distance(0.5f, steps.step), NULL, labels, &clusters); */

#define CLUMP_STEPS_SPAN          16777216   /* boxes must be shorter, in steps: float32 holds these whole numbers */
#define CLUMP_STEPS_MOST_DISTANCE 8388608.0f /* distances must not be longer, in steps */

/* By default, `steps` is used for distances of up to this many steps. Grids that are finer than that come from scans of
 * floats; a box of CLUMP_STEPS_SPAN steps would be small against the distance. */
#define CLUMP_STEPS_USUAL_DISTANCE 65536.0f

typedef struct clump_steps {
    double step;      /* length of a step, in the unit of the cloud */
    int64_t lower[3]; /* lower corner of the box, in steps; subtracted from all points */
    int64_t span;     /* longest side of the box, in steps */
    double origin[3]; /* lower corner of the box, in coordinates of the file */
    size_t moved;     /* coordinates that were rounded; 0 for integers of the file */
} clump_steps;

/* Returns the step of a cloud from LAS or LAZ: the least of its three scales. 0: the other scales are no whole multiples
 * of it, or the cloud has no integer coordinates. */
CLUMP_API double clump_cloud_step(const clump_cloud *cloud);

/* Converts the coordinates to whole numbers of steps from the lower corner of the box.
 * step     0: the step of the cloud. Above 0, for a cloud without one: coordinates are rounded to multiples of it
 * two_d    z takes no part; it becomes 0
 * mask     null, or one byte per point: points with 0 take no part and become 0 0 0. So do not finite ones: NaN
 * xyz      null, or 3 floats per point, output
 * out      output. If only the span is the reason of a failure, it is complete
 * message  may be null
 * Fails with CLUMP_ERR_IO_UNSUPPORTED where there is no step, or where the span is CLUMP_STEPS_SPAN or more. */
CLUMP_API clump_status clump_cloud_steps(const clump_cloud *cloud, double step, bool two_d, const uint8_t *mask,
                                         float *xyz, clump_steps *out, clump_message *message);

/* Returns a distance in steps. d is float32: if a whole number of steps has d as its nearest float32, it is that number
 * (0.51 is 510 steps of 0.001). Else it is d / step, rounded to float32. */
CLUMP_API float clump_steps_distance(float d, double step);

/* Returns how far the float32 offsets of a LAS or LAZ cloud can be from the coordinates of the file, where the box is
 * longer than 2^24 steps. 0: it is not, and the offsets tell all integers apart. */
CLUMP_API double clump_cloud_loss(const clump_cloud *cloud);

/* Properties of the file. width x height is the point count (height 1: not organised). */
typedef struct clump_cloud_info {
    clump_format format;
    clump_encoding encoding;
    size_t width, height;
    double viewpoint[7]; /* translation, quaternion w x y z; PCD's, else 0 0 0 1 0 0 0 */
    clump_type xyz_type; /* how the file stored the coordinates */
    char note[256];      /* remark on an unusual file, else "" */
} clump_cloud_info;
CLUMP_API clump_cloud_info clump_cloud_describe(const clump_cloud *cloud);
CLUMP_API void clump_cloud_set_shape(clump_cloud *cloud, size_t width, size_t height, const double viewpoint[7]);

/* The capabilities of a format in this build. */
typedef struct clump_format_info {
    const char *name;                           /* "pcd" */
    const char *const *extensions;              /* without the dot, lower case; ends with null */
    bool reads, writes;                         /* clouds */
    bool holds_points;                          /* a written file has the points */
    bool holds_fields;                          /* a written file has fields of any name and type */
    bool holds_labels;                          /* a written file has labels, with or without the points */
    bool ascii, binary, compressed, big_endian; /* encodings for writing */
} clump_format_info;
CLUMP_API bool clump_format_describe(clump_format format, clump_format_info *out); /* false: does not exist */
CLUMP_API clump_format clump_format_of_path(const char *path); /* by extension; CLUMP_FORMAT_GUESS: unknown */
CLUMP_API const char *clump_format_name(clump_format format);  /* "pcd"; null for none */
CLUMP_API bool clump_format_from_name(const char *name, clump_format *format);
CLUMP_API const char *clump_type_name(clump_type type); /* "float32" */
CLUMP_API size_t clump_type_size(clump_type type);      /* bytes */

/* --- poses -------------------------------------------------------------------------------------------- */

/* Where the sensor was: one pose per frame. A pose is a 3 x 4 matrix, row by row, that takes points of its frame to those of
 * the world: p -> R p + t. Its rotation is orthonormal to 0.001.
 *
 *     KITTI   the 12 numbers of the matrix per line
 *     TUM     time tx ty tz qx qy qz qw per line: seconds, translation, quaternion. Times rise
 *
 * Lines that are empty or begin with # are left out. Messages name file and line, "poses.txt: line 7: 11 numbers, the lines
 * before have 12". */
typedef enum clump_poses_format {
    CLUMP_POSES_GUESS = 0, /* by content; for writing by name: TUM where it ends in .tum, else KITTI */
    CLUMP_POSES_KITTI = 1,
    CLUMP_POSES_TUM = 2
} clump_poses_format;

typedef struct clump_poses {
    clump_poses_format format; /* that the file had; not used for writing */
    size_t count;
    double (*matrices)[12];
    int64_t *times; /* nanoseconds; null: KITTI has none */
} clump_poses;

/* Read a file ("-": standard input), or bytes; name is for messages and may be null. A file without a pose is refused. On
 * failure *out is empty. Free with clump_poses_free(). message may be null. */
CLUMP_API clump_status clump_poses_load(const char *path, clump_poses *out, clump_message *message);
CLUMP_API clump_status clump_poses_parse(const void *bytes, size_t size, const char *name, clump_poses *out,
                                         clump_message *message);
CLUMP_API void clump_poses_free(clump_poses *poses); /* poses may be null */

/* Writes poses ("-": standard output). The file appears complete or not at all, as with clump_cloud_save(); `temporary` may
 * be null. KITTI files read back bit for bit. TUM needs times. */
CLUMP_API clump_status clump_poses_save(const char *path, const clump_poses *poses, clump_poses_format format,
                                        clump_temporary temporary, void *temporary_user, clump_message *message);

/* Computes the quaternion x y z w of the rotation of a pose; w is 0 or more. */
CLUMP_API void clump_pose_quaternion(const double pose[12], double quaternion[4]);

/* --- tables of classes ------------------------------------------------------------------------------- */

/* The rows of clump/classes.h as a text, a line per group: ids with commas between, a name, and values in any order.
 *
 *     # the distance is in the unit of the points
 *     10,252    car        radius=0.8 min=20 2d
 *     30,254    person     radius=0.3 max=400 oversize=split 2d
 *     40,44,48  road       stuff
 *
 * radius= min= max= oversize=drop|keep|split 2d 3d and stuff are members of clump_class. What is not said is 0, 3d and drop. Names
 * have letters, digits and . _ -. Messages name file and line. */
typedef struct clump_class_table {
    clump_class *rows;
    size_t count;
} clump_class_table;

/* Read a file ("-": standard input), or bytes; path may also be the name of a built-in table (clump_classes_builtin). A table without
 * a class is refused. On failure *out is empty. Free with clump_class_table_free(). message may be null. */
CLUMP_API clump_status clump_class_table_load(const char *path, clump_class_table *out, clump_message *message);
CLUMP_API clump_status clump_class_table_parse(const void *bytes, size_t size, const char *name, clump_class_table *out,
                                               clump_message *message);
CLUMP_API void clump_class_table_free(clump_class_table *table); /* table may be null */

/* --- recordings --------------------------------------------------------------------------------- */

/* A recording is a sequence of frames, one cloud each, with time stamps:
 *
 *     clump_recording *recording;
 *     clump_message why;
 *     if (clump_recording_open("drive.bag", NULL, &recording, &why) != CLUMP_OK) puts(why.text);
 *     clump_frame frame = {0};
 *     bool more;
 *     while (clump_recording_next(recording, &frame, &more, &why) == CLUMP_OK && more)
 *         use(clump_cloud_points(frame.cloud), frame.stamp);
 *     clump_frame_release(&frame);
 *     clump_recording_close(recording);
 *
 *     ROS 1 bag 2.0    chunks without compression, bz2 or lz4; with or without an index, in any order
 *     rosbag2          .db3 (SQLite) or .mcap (none, lz4, zstd); one file, or the folder of a split recording
 *     pcap, pcapng     UDP packets of Velodyne, Ouster and Hesai sensors
 *     udp://           packets of sensors from sockets: udp://:2368, udp://239.0.0.1:2368 (multicast), udp://:2368,8308;
 *                      ouster://HOST gets the metadata of the sensor by HTTP first
 *     folder           cloud files, sorted by name; also clump_recording_open_files()
 *     NCLT             velodyne_hits.bin, and a folder velodyne_sync
 *
 * Topics hold sensor_msgs/PointCloud2, velodyne_msgs/VelodyneScan, pandar_msgs/PandarScan or packets of Ouster's driver, in
 * the encoding of ROS 1 or ROS 2. In a capture of packets, a topic is a UDP port: "udp/2368". In a folder it is "clouds".
 *
 * Packets become frames: a frame ends where the sensor begins a new turn, or where its frame number changes. The first
 * frame is usually less than a turn, and so is the last: they are delivered as they are.
 *
 * The time of a cloud file is the first of these that all files have: a number of 16 digits or more in the name
 * (microseconds or nanoseconds since 1970), seconds in the name (1305031102.175304.pcd), a line of times.txt or
 * timestamps.txt in the folder or its parent (KITTI), 0.1 s after the file before.
 *
 * A damaged recording is read as far as it can be. What was lost is counted: clump_recording_lost(). A part of a split
 * recording that cannot be read counts as a damaged chunk, and the others are read.
 *
 * One pass through a file decompresses at most 128 MiB and 256 times its size. Chunks beyond that count as damaged, and
 * clump_recording_lost() says so. */
typedef struct clump_recording clump_recording;

typedef enum clump_recording_format {
    CLUMP_RECORDING_BAG = 1,    /* ROS 1 */
    CLUMP_RECORDING_SQLITE = 2, /* rosbag2, .db3 */
    CLUMP_RECORDING_MCAP = 3,
    CLUMP_RECORDING_PCAP = 4,   /* pcap and pcapng */
    CLUMP_RECORDING_CLOUDS = 5, /* a folder or a list of cloud files */
    CLUMP_RECORDING_NCLT = 6,   /* velodyne_hits.bin */
    CLUMP_RECORDING_UDP = 7,    /* packets from sockets */
    CLUMP_RECORDING_ROS2 = 8    /* live: a topic of ROS 2, ros2://TOPIC */
} clump_recording_format;

/* Called by the thread that opens or reads a live recording: with a sentence for the user, or, while it waits, at least every
 * 50 ms with null. False: the recording ends here, as if no more came. */
typedef bool clump_recording_watch(void *user, const char *note);

typedef struct clump_recording_options {
    uint32_t cookie;         /* set by clump_recording_defaults(), do not touch */
    const char *topic;       /* null: the only topic with clouds */
    const char *metadata;    /* null, or the JSON file of an Ouster sensor. Null: a topic of the recording has it, or
                              * the file beside the recording with its name and .json */
    const char *calibration; /* null: the angles of the model; or a file of the sensor: .yaml of the ROS driver for
                              * Velodyne, .csv for Hesai. The unit of distances is that of the model */
    bool organised;      /* false: beams without a return are left out. true: they are NaN, and the cloud has one row
                              * per ring, where the sensor's packets allow it (Ouster) */
    size_t read_ahead;   /* 0: the caller's thread reads. Else a thread of the recording reads and decompresses as many
                              * messages ahead */
    const char *columns; /* of cloud files without a header, as in clump_load_options */

    const char *interface;        /* udp://: null, or the network interface of the sensor: "eth0" */
    const char *from_host;        /* udp://: null, or the machine whose packets alone are taken, as name or number */
    const char *capture;          /* udp://, ouster://: null, or the pcap file that all packets are written to */
    clump_recording_watch *watch; /* null, or the function that live recordings call */
    void *watch_user;
} clump_recording_options;

CLUMP_API clump_recording_options clump_recording_defaults(void);

/* Opens a recording. options and message may be null. *out is null on failure. A topic that does not exist, or that has
 * no clouds, is an error that names the topics there are. Without options.topic it is an error only for
 * clump_recording_next(): clump_recording_topics() works without a topic. */
CLUMP_API clump_status clump_recording_open(const char *path, const clump_recording_options *options,
                                            clump_recording **out, clump_message *message);

/* Opens cloud files, or the parts of one split recording, as a sequence in the order of the list. */
CLUMP_API clump_status clump_recording_open_files(const char *const *paths, size_t count,
                                                  const clump_recording_options *options, clump_recording **out,
                                                  clump_message *message);

/* Opens a recording in memory, which must stay until the recording is closed. `name` is for messages; may be null. */
CLUMP_API clump_status clump_recording_parse(const void *bytes, size_t size, const char *name,
                                             const clump_recording_options *options, clump_recording **out,
                                             clump_message *message);

/* Ends the thread of read_ahead, closes files, frees memory. recording may be null. */
CLUMP_API void clump_recording_close(clump_recording *recording);

/* Whether frames come as they are made: packets from sockets, a topic of ROS 2, and a capture from standard input or a pipe. Such a recording is
 * read once: clump_recording_seek(), clump_recording_topics() and clump_recording_poses() fail, read_ahead has no effect, and
 * clump_recording_next() waits. The topic is chosen from the packets of the first tenth of a second. */
CLUMP_API bool clump_recording_is_live(const clump_recording *recording);

/* What has come from sockets up to now. Any thread may call it. All 0: the recording is another one. */
typedef struct clump_wire {
    uint64_t packets, bytes; /* that were received, wanted or not */
    uint64_t kernel_dropped; /* packets that found the buffer of the kernel full, as the kernel counts them */
    uint64_t ring_dropped;   /* packets that found the memory of the recording full: 32 MB */
    uint64_t left_out;       /* packets of other senders (from_host), and of sensors that were not chosen */
    uint16_t port;           /* the first one: that of the socket where port 0 was asked for */
    size_t buffer;           /* bytes that the kernel keeps for packets that wait; 4 MB are asked for */
} clump_wire;
CLUMP_API clump_wire clump_recording_wire(const clump_recording *recording);

CLUMP_API clump_recording_format clump_recording_kind(const clump_recording *recording); /* 0: recording is null */
CLUMP_API const char *clump_recording_format_name(clump_recording_format format);        /* "bag"; null for none */

/* Returns the name of the topic that clump_recording_next() reads, valid until the recording is closed. Null: no frame has
 * been asked for yet. */
CLUMP_API const char *clump_recording_topic(const clump_recording *recording);

/* One topic. Times are nanoseconds since 1970, of the clock that recorded. */
typedef struct clump_topic {
    const char *name;    /* "/velodyne_points" */
    const char *type;    /* "sensor_msgs/PointCloud2"; of packets, the sensor: "Velodyne VLP-16" */
    bool has_clouds;     /* clump_recording_next() can read it */
    uint64_t messages;   /* or packets, or files */
    uint64_t frames;     /* of a topic with clouds, else 0 */
    uint64_t partial;    /* frames of these that are part of a turn, see clump_frame */
    int64_t first, last; /* time of the first and of the last message; 0 without messages */
    int64_t period;      /* median time between two messages (frames, for packets); 0: fewer than two */
    uint64_t gaps;       /* intervals of more than 1.5 periods */
    int64_t longest_gap; /* the longest interval; 0 without gaps */
} clump_topic;

/* Describes the topics, by name. Reads the index, and where there is none the whole recording. Packets are read once more,
 * one pass for all topics; frames are counted for the first 256 topics of packets. *topics is valid until the recording is
 * closed. May be called at any time; the position of clump_recording_next() stays. */
CLUMP_API clump_status clump_recording_topics(clump_recording *recording, const clump_topic **topics, size_t *count,
                                              clump_message *message);

/* A frame. The caller sets it to zero once, and passes it to clump_recording_next() as often as it likes. Several frames
 * can be in use at the same time. */
typedef struct clump_frame {
    clump_cloud *cloud; /* owned by the frame; the caller may read and change it until the next call with this frame */
    int64_t stamp;      /* time of the data: of the message's header, or of the first packet; nanoseconds since 1970 */
    int64_t received;   /* time when the last part of the frame was recorded */
    uint64_t index;     /* in the topic, from 0, damaged clouds included; counted from the position of the last seek */
    uint64_t lost;      /* packets of this frame that are known to be missing */
    char frame_id[64];  /* the coordinate frame, "velodyne"; "" where there is none */
    const char *path;   /* of a cloud file, valid until the recording is closed; else null */
    bool partial;       /* made of packets, and the recording begins or ends in the middle of this turn */
} clump_frame;

/* Reads the next frame, in the order of recording. *more is false at the end; the frame is then unchanged. Once frame and
 * recording have seen their largest frame, a call allocates no memory (but for cloud files). Damaged messages are left
 * out and counted. On failure, message has the reason; a later call goes on behind the failure or fails again. */
CLUMP_API clump_status clump_recording_next(clump_recording *recording, clump_frame *frame, bool *more,
                                            clump_message *message);
CLUMP_API void clump_frame_release(clump_frame *frame); /* frees the cloud; frame may be null or zero */

/* Moves to the first frame whose messages were all recorded at or after this time (nanoseconds since 1970). */
CLUMP_API clump_status clump_recording_seek(clump_recording *recording, int64_t time, clump_message *message);

/* Reads the transforms of a recording (tf2_msgs/TFMessage) as poses with times.
 * frame_id  the coordinate frame whose poses are wanted, as clump_frame has it; null: that of the first transform. The parent is that
 *           of its first transform; transforms to others are left out, and those that are not later than the one before
 * out       output; free with clump_poses_free()
 * A recording without such transforms is an error. Reads the whole recording; the position of clump_recording_next() stays. */
CLUMP_API clump_status clump_recording_poses(clump_recording *recording, const char *frame_id, clump_poses *out,
                                             clump_message *message);

/* What has been lost up to now, by clump_recording_next() or by clump_recording_topics(): both meet the same damage, and
 * the larger count is told. All 0: nothing. */
typedef struct clump_recording_losses {
    uint64_t damaged_chunks;   /* compressed parts that could not be read, or whose checksum is wrong */
    uint64_t damaged_messages; /* of the topic: left out */
    uint64_t damaged_packets;  /* packets of wrong size or content, and incomplete fragments: left out */
    uint64_t lost_packets;     /* by the sensor's own counting */
    uint64_t reordered;        /* packets that arrived late, and messages whose time goes backwards */
    uint64_t lost_bytes;       /* of the file that could not be read: behind a cut, in damaged parts */
    bool truncated;            /* the file ends too early, or was never finished */
    char first[192];           /* the first loss in words, "chunk at byte 4117: wrong checksum", or why a topic has no
                                * frames, or what is not used of a calibration file; else "" */
} clump_recording_losses;
CLUMP_API clump_recording_losses clump_recording_lost(const clump_recording *recording);

/* --- sending ---------------------------------------------------------------------------------------- */

/* Sends the packets of a capture, pcap or pcapng, as the sensor did: for tests, and for those who have no sensor. */
typedef struct clump_send_options {
    uint32_t cookie;   /* set by clump_send_defaults(), do not touch */
    double rate;       /* 2: twice the recorded speed; 0: as fast as the socket takes them. Default 1 */
    size_t loop;       /* times; default 1 */
    const char *topic; /* null: of the first sensor in the capture; or a name as clump_topic has it: "udp/2368" */
    clump_recording_watch *watch; /* as in clump_recording_options, and so the next */
    void *watch_user;
} clump_send_options;
CLUMP_API clump_send_options clump_send_defaults(void);

typedef struct clump_send_result {
    uint64_t packets, bytes; /* that were sent */
    uint64_t refused;        /* of them: nothing listened */
    double seconds;          /* from the first to the last */
    double latest;           /* seconds that a packet was sent after its time, at most; 0 with rate 0 */
    char to[64];             /* "127.0.0.1, port 2368" */
} clump_send_result;

/* path     the capture
 * to       "udp://ADDRESS:PORT": the packets of one sensor go to this port; "udp://ADDRESS": all packets of the capture, each to
 *          its own port. Where the address is none of this machine's own (127.0.0.0/8), the watch gets a sentence that says so
 * options, result and message may be null. A watch that returns false ends the call early, with CLUMP_OK. */
CLUMP_API clump_status clump_capture_send(const char *path, const char *to, const clump_send_options *options,
                                          clump_send_result *result, clump_message *message);

/* --- writing recordings --------------------------------------------------------------------------- */

/* Writes a recording that RViz, Foxglove and `ros2 bag play` open: .mcap (ROS 2, CDR) or .bag (ROS 1). The file appears
 * complete, when clump_recorder_close() keeps it, or not at all. */
typedef struct clump_recorder clump_recorder;

typedef enum clump_compression {
    CLUMP_COMPRESSION_NONE = 0,
    CLUMP_COMPRESSION_LZ4 = 1,
    CLUMP_COMPRESSION_ZSTD = 2, /* mcap */
    CLUMP_COMPRESSION_BZ2 = 3   /* bag */
} clump_compression;

/* A message as a recorder hands it over. The pointers are valid during the call. */
typedef struct clump_recorder_message {
    const char *topic;
    const char *type;       /* "sensor_msgs/msg/PointCloud2" */
    const char *definition; /* the text of the type and of all types in it, as MCAP's ros2msg */
    const void *data;       /* CDR of ROS 2, with the 4 bytes of its head */
    size_t size;
    int64_t received, stamp; /* nanoseconds since 1970, at least 0 */
} clump_recorder_message;
typedef void (*clump_recorder_take)(void *user, const clump_recorder_message *message);

typedef struct clump_recorder_options {
    uint32_t cookie;               /* set by clump_recorder_defaults(), do not touch */
    clump_recording_format format; /* 0: by file name; CLUMP_RECORDING_BAG or CLUMP_RECORDING_MCAP */
    clump_compression compression; /* CLUMP_COMPRESSION_NONE */
    size_t chunk_size;             /* 1 MiB: bytes of messages per chunk */
    clump_temporary temporary;     /* as in clump_save_options */
    void *temporary_user;
    clump_recorder_take
        take; /* null: a file is written. Else each message is handed over instead, by the call that makes
                               * it: for a network. path is then the name in sentences, and no file is opened */
    void *take_user;
} clump_recorder_options;

CLUMP_API clump_recorder_options clump_recorder_defaults(void);

/* Creates a recording. path "-" is standard output, for MCAP with options.format. "ros2://[?SETTINGS]" publishes the messages in ROS 2
 * instead (docs/live.md). options and message may be null. *out is null on failure. */
CLUMP_API clump_status clump_recorder_open(const char *path, const clump_recorder_options *options,
                                           clump_recorder **out, clump_message *message);

/* Appends the frame as sensor_msgs/PointCloud2: x y z, all fields, and the labels, where given, as the int32 field
 * "label". A topic holds messages of one type. A message has less than 1 GiB.
 *
 * The time of the message is `received` of the frame, or `stamp` where received is 0; the header has `stamp`. Without a
 * frame_id, "clump" is written. x y z are float64 where the cloud is finer than float32 or has an origin. 64-bit integers
 * become the nearest float64, because PointCloud2 has no such type.
 *
 * After a failure to write, every later call fails with the same sentence. */
CLUMP_API clump_status clump_recorder_cloud(clump_recorder *recorder, const char *topic, const clump_frame *frame,
                                            const int32_t *labels, clump_message *message);

/* The boxes of a frame. */
typedef struct clump_recorder_boxes {
    const clump_cluster *clusters;
    int32_t count;
    const uint64_t *ids; /* null, or one per cluster: stable identities (clump/track.h); else the labels are ids */
    const float (*velocities)[3]; /* null, or one per cluster */
    clump_up up;                  /* of the clusters; CLUMP_UP_Z. With CLUMP_UP_Y the boxes are turned around y */
} clump_recorder_boxes;

/* Appends boxes as visualization_msgs/MarkerArray: per object a box in the colour of its identity, a text, and an arrow
 * if it moves. The first marker deletes the objects of earlier frames. The origin of the frame's cloud is added
 * to the boxes; the cloud may be null. The id of a marker is the lower 31 bits of the identity. */
CLUMP_API clump_status clump_recorder_markers(clump_recorder *recorder, const char *topic, const clump_frame *frame,
                                              const clump_recorder_boxes *boxes, clump_message *message);

/* Appends boxes as vision_msgs/Detection3DArray: box, centroid and identity. All have the class "object". In ROS 1 the
 * identity is the id of the hypothesis. The origin is added, as for markers. */
CLUMP_API clump_status clump_recorder_detections(clump_recorder *recorder, const char *topic, const clump_frame *frame,
                                                 const clump_recorder_boxes *boxes, clump_message *message);

/* Appends a pose as tf2_msgs/TFMessage: takes points of the frame, by its frame_id, to those of the frame `parent` ("odom"). With
 * the topic "/tf", RViz and Foxglove draw clouds and boxes where they are. The cloud of the frame may be null. */
CLUMP_API clump_status clump_recorder_transform(clump_recorder *recorder, const char *topic, const clump_frame *frame,
                                                const char *parent, const double pose[12], clump_message *message);

/* Returns how many messages of ros2:// could not be sent; 0 for files. */
CLUMP_API uint64_t clump_recorder_unsent(const clump_recorder *recorder);

/* Finishes the file and gives it its name, or, with keep false, leaves the target unchanged. Frees the recorder, which may
 * be null. */
CLUMP_API clump_status clump_recorder_close(clump_recorder *recorder, bool keep, clump_message *message);

#ifdef __cplusplus
}
#endif
#endif
