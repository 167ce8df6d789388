/* SPDX-License-Identifier: BSD-3-Clause
 *
 * definitions.c: the fields of the types, and how they are put together.
 *
 * The MD5 of ROS 1 is computed from the fields and constants without comments. Fields, constants and their order are
 * those of ROS Noetic, and of ROS 2 Humble to Kilted. The tests compare them with installed packages.
 */
#include "messages/encode.h"

typedef const char *const definition_part[2];

/* --- both versions ----------------------------------------------------------------------------- */

static definition_part point = {"geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"};
static definition_part vector = {"geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"};
static definition_part quaternion = {"geometry_msgs/Quaternion", "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n"};
static definition_part pose = {"geometry_msgs/Pose", "Point position\nQuaternion orientation\n"};
static definition_part pose_with_covariance = {"geometry_msgs/PoseWithCovariance",
                                               "Pose pose\nfloat64[36] covariance\n"};
static definition_part colour = {"std_msgs/ColorRGBA", "float32 r\nfloat32 g\nfloat32 b\nfloat32 a\n"};
static definition_part point_field = {"sensor_msgs/PointField", "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\n"
                                                                "uint8 UINT16=4\nuint8 INT32=5\nuint8 UINT32=6\n"
                                                                "uint8 FLOAT32=7\nuint8 FLOAT64=8\nstring name\n"
                                                                "uint32 offset\nuint8 datatype\nuint32 count\n"};
static definition_part box = {"vision_msgs/BoundingBox3D", "geometry_msgs/Pose center\ngeometry_msgs/Vector3 size\n"};

#define DEFINITIONS_POINTS                                                                                             \
    "uint32 height\nuint32 width\nPointField[] fields\nbool is_bigendian\nuint32 point_step\nuint32 row_step\n"        \
    "uint8[] data\nbool is_dense\n"

/* --- ROS 1 -------------------------------------------------------------------------------------- */

static definition_part header1 = {"std_msgs/Header", "uint32 seq\ntime stamp\nstring frame_id\n"};
static definition_part points1 = {"sensor_msgs/PointCloud2", "Header header\n" DEFINITIONS_POINTS};
static definition_part markers1 = {"visualization_msgs/MarkerArray", "Marker[] markers\n"};
static definition_part marker1 = {
    "visualization_msgs/Marker",
    "uint8 ARROW=0\nuint8 CUBE=1\nuint8 SPHERE=2\nuint8 CYLINDER=3\nuint8 LINE_STRIP=4\nuint8 LINE_LIST=5\n"
    "uint8 CUBE_LIST=6\nuint8 SPHERE_LIST=7\nuint8 POINTS=8\nuint8 TEXT_VIEW_FACING=9\nuint8 MESH_RESOURCE=10\n"
    "uint8 TRIANGLE_LIST=11\nuint8 ADD=0\nuint8 MODIFY=0\nuint8 DELETE=2\nuint8 DELETEALL=3\n"
    "Header header\nstring ns\nint32 id\nint32 type\nint32 action\ngeometry_msgs/Pose pose\n"
    "geometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\nduration lifetime\nbool frame_locked\n"
    "geometry_msgs/Point[] points\nstd_msgs/ColorRGBA[] colors\nstring text\nstring mesh_resource\n"
    "bool mesh_use_embedded_materials\n"};
static definition_part detections1 = {"vision_msgs/Detection3DArray", "Header header\nDetection3D[] detections\n"};
static definition_part detection1 = {"vision_msgs/Detection3D",
                                     "Header header\nObjectHypothesisWithPose[] results\nBoundingBox3D bbox\n"
                                     "sensor_msgs/PointCloud2 source_cloud\n"};
static definition_part hypothesis_with_pose1 = {"vision_msgs/ObjectHypothesisWithPose",
                                                "int64 id\nfloat64 score\ngeometry_msgs/PoseWithCovariance pose\n"};

/* --- ROS 2 -------------------------------------------------------------------------------------- */

static definition_part time2 = {"builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"};
static definition_part duration2 = {"builtin_interfaces/Duration", "int32 sec\nuint32 nanosec\n"};
static definition_part header2 = {"std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"};
static definition_part points2 = {"sensor_msgs/PointCloud2", "std_msgs/Header header\n" DEFINITIONS_POINTS};
static definition_part markers2 = {"visualization_msgs/MarkerArray", "Marker[] markers\n"};
static definition_part marker2 = {
    "visualization_msgs/Marker",
    "int32 ARROW=0\nint32 CUBE=1\nint32 SPHERE=2\nint32 CYLINDER=3\nint32 LINE_STRIP=4\nint32 LINE_LIST=5\n"
    "int32 CUBE_LIST=6\nint32 SPHERE_LIST=7\nint32 POINTS=8\nint32 TEXT_VIEW_FACING=9\nint32 MESH_RESOURCE=10\n"
    "int32 TRIANGLE_LIST=11\nint32 ADD=0\nint32 MODIFY=0\nint32 DELETE=2\nint32 DELETEALL=3\n"
    "std_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\ngeometry_msgs/Pose pose\n"
    "geometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\nbuiltin_interfaces/Duration lifetime\nbool frame_locked\n"
    "geometry_msgs/Point[] points\nstd_msgs/ColorRGBA[] colors\nstring texture_resource\n"
    "sensor_msgs/CompressedImage texture\nUVCoordinate[] uv_coordinates\nstring text\nstring mesh_resource\n"
    "MeshFile mesh_file\nbool mesh_use_embedded_materials\n"};
static definition_part image2 = {"sensor_msgs/CompressedImage",
                                 "std_msgs/Header header\nstring format\nuint8[] data\n"};
static definition_part texture2 = {"visualization_msgs/UVCoordinate", "float32 u\nfloat32 v\n"};
static definition_part mesh2 = {"visualization_msgs/MeshFile", "string filename\nuint8[] data\n"};
static definition_part detections2 = {"vision_msgs/Detection3DArray",
                                      "std_msgs/Header header\nDetection3D[] detections\n"};
static definition_part detection2 = {"vision_msgs/Detection3D",
                                     "std_msgs/Header header\nObjectHypothesisWithPose[] results\nBoundingBox3D bbox\n"
                                     "string id\n"};
static definition_part hypothesis_with_pose2 = {"vision_msgs/ObjectHypothesisWithPose",
                                                "ObjectHypothesis hypothesis\ngeometry_msgs/PoseWithCovariance pose\n"};
static definition_part hypothesis2 = {"vision_msgs/ObjectHypothesis", "string class_id\nfloat64 score\n"};

/* --- transforms --------------------------------------------------------------------------------- */

static definition_part transforms = {"tf2_msgs/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"};
static definition_part transform = {"geometry_msgs/Transform", "Vector3 translation\nQuaternion rotation\n"};
static definition_part stamped1 = {"geometry_msgs/TransformStamped",
                                   "Header header\nstring child_frame_id\nTransform transform\n"};
static definition_part stamped2 = {"geometry_msgs/TransformStamped",
                                   "std_msgs/Header header\nstring child_frame_id\nTransform transform\n"};

/* --- all of a type: the type first --------------------------------------------------------------- */

#define DEFINITIONS_PARTS(name, ...) static const char *const *name[] = {__VA_ARGS__, NULL}
DEFINITIONS_PARTS(all_points1, points1, header1, point_field);
DEFINITIONS_PARTS(all_points2, points2, header2, time2, point_field);
DEFINITIONS_PARTS(all_markers1, markers1, marker1, header1, pose, point, quaternion, vector, colour);
DEFINITIONS_PARTS(all_markers2, markers2, marker2, header2, time2, pose, point, quaternion, vector, colour, duration2,
                  image2, texture2, mesh2);
DEFINITIONS_PARTS(all_detections1, detections1, header1, detection1, hypothesis_with_pose1, pose_with_covariance, pose,
                  point, quaternion, box, vector, points1, point_field);
DEFINITIONS_PARTS(all_detections2, detections2, header2, time2, detection2, hypothesis_with_pose2, hypothesis2,
                  pose_with_covariance, pose, point, quaternion, box, vector);
DEFINITIONS_PARTS(all_transforms1, transforms, stamped1, header1, transform, vector, quaternion);
DEFINITIONS_PARTS(all_transforms2, transforms, stamped2, header2, time2, transform, vector, quaternion);
#undef PARTS

static const clump_io_definition definitions[4][2] = {
    [CLUMP_IO_WRITTEN_POINTS] = {{"sensor_msgs/PointCloud2", "1158d486dd51d683ce2f1be655c3c181", all_points1},
                                 {"sensor_msgs/msg/PointCloud2", NULL, all_points2}},
    [CLUMP_IO_WRITTEN_MARKERS] = {{"visualization_msgs/MarkerArray", "d155b9ce5188fbaf89745847fd5882d7", all_markers1},
                                  {"visualization_msgs/msg/MarkerArray", NULL, all_markers2}},
    [CLUMP_IO_WRITTEN_DETECTIONS] = {{"vision_msgs/Detection3DArray", "05c51d9aea1fb4cfdc8effb94f197b6f",
                                      all_detections1},
                                     {"vision_msgs/msg/Detection3DArray", NULL, all_detections2}},
    [CLUMP_IO_WRITTEN_TRANSFORM] = {{"tf2_msgs/TFMessage", "94810edda583a504dfda3829e70d7eec", all_transforms1},
                                    {"tf2_msgs/msg/TFMessage", NULL, all_transforms2}}};

const clump_io_definition *clump_io_definition_of(clump_io_written message, bool ros2)
{
    return &definitions[message][ros2];
}

void clump_io_definition_encode(clump_io_encoder *to, const clump_io_definition *definition)
{
    static const char line[] =
        "================================================================================\nMSG: ";
    const char *const *const *part = definition->parts;
    clump_io_encode_bytes(to, (*part)[1], strlen((*part)[1]));
    while (*++part) {
        clump_io_encode_bytes(to, line, sizeof line - 1);
        clump_io_encode_bytes(to, (*part)[0], strlen((*part)[0]));
        clump_io_encode_bytes(to, "\n", 1);
        clump_io_encode_bytes(to, (*part)[1], strlen((*part)[1]));
    }
}
