/* SPDX-License-Identifier: BSD-3-Clause
 *
 * messages.cpp: see messages.hpp.
 */
#include "messages.hpp"

#include <clump/info.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace clump_ros
{
namespace
{

using visualization_msgs::msg::Marker;

constexpr double pi = 3.14159265358979323846;
constexpr double least_size = 0.01, text_size = 0.6, text_gap = 0.5; /* metres; RViz refuses a scale of 0 */

uint64_t id_of(const Found &found, size_t i)
{
    return found.tracks.empty() ? static_cast<uint64_t>(found.clusters[i].label) : found.tracks[i].id;
}

/* A turn about the axis that points up. Seen from above, yaw turns x towards y, or with y up towards z: hence the sign. */
geometry_msgs::msg::Quaternion turn(double degrees, clump_up up)
{
    geometry_msgs::msg::Quaternion q;
    (up == CLUMP_UP_Y ? q.y : q.z) = std::sin(degrees * pi / 360) * (up == CLUMP_UP_Y ? -1 : 1);
    q.w = std::cos(degrees * pi / 360);
    return q;
}

struct Box {
    geometry_msgs::msg::Pose pose;
    geometry_msgs::msg::Vector3 size;
};

Box box_of(const clump_cluster &c, clump_up up)
{
    Box box;
    const int top = up == CLUMP_UP_Y ? 1 : 2;
    double center[3] = {c.box_center[0], c.box_center[1], c.box_center[1]};
    double size[3] = {c.box_size[0], c.box_size[1], c.box_size[1]};
    center[top] = (static_cast<double>(c.lower[top]) + static_cast<double>(c.upper[top])) / 2;
    size[top] = static_cast<double>(c.upper[top]) - static_cast<double>(c.lower[top]);
    box.pose.position.x = center[0], box.pose.position.y = center[1], box.pose.position.z = center[2];
    box.size.x = size[0], box.size.y = size[1], box.size.z = size[2];
    box.pose.orientation = turn(c.yaw, up);
    return box;
}

geometry_msgs::msg::Point point_of(const float place[3])
{
    geometry_msgs::msg::Point point;
    point.x = place[0], point.y = place[1], point.z = place[2];
    return point;
}

/* Steps of the golden ratio around the colour wheel: neighbouring identities differ. */
std_msgs::msg::ColorRGBA colour_of(uint64_t id, float alpha)
{
    const float hue = static_cast<float>((static_cast<uint32_t>(id ^ id >> 32) * 2654435769u) >> 8) * (6.0f / 16777216);
    float rgb[3];
    for (int k = 0; k < 3; k++) {
        float away = std::fabs(hue - static_cast<float>(2 * k));
        away = away > 3 ? 6 - away : away;
        rgb[k] = 0.25f + 0.75f * std::clamp(2 - away, 0.0f, 1.0f);
    }
    std_msgs::msg::ColorRGBA colour;
    colour.r = rgb[0], colour.g = rgb[1], colour.b = rgb[2], colour.a = alpha;
    return colour;
}

Marker marker_of(const Found &found, size_t i, const char *space, int type)
{
    Marker marker;
    marker.header = found.header;
    marker.ns = space;
    marker.id = static_cast<int32_t>(id_of(found, i) & 0x7fffffff);
    marker.type = type;
    marker.color = colour_of(id_of(found, i), type == Marker::CUBE ? 0.5f : 1.0f);
    return marker;
}

Marker text_of(const Found &found, size_t i, const Box &box)
{
    Marker marker = marker_of(found, i, "texts", Marker::TEXT_VIEW_FACING);
    char text[64];
    const unsigned long long id = id_of(found, i);
    if (!found.tracks.empty() && found.tracks[i].speed > 0)
        std::snprintf(text, sizeof text, "%llu  %.1f m/s", id, static_cast<double>(found.tracks[i].speed));
    else
        std::snprintf(text, sizeof text, "%llu", id);
    marker.text = text;
    marker.pose.position = box.pose.position;
    const bool y_up = found.up == CLUMP_UP_Y;
    (y_up ? marker.pose.position.y : marker.pose.position.z) += (y_up ? box.size.y : box.size.z) / 2 + text_gap;
    marker.scale.z = text_size;
    marker.color.r = marker.color.g = marker.color.b = 1;
    return marker;
}

/* The way of one second. */
Marker arrow_of(const Found &found, size_t i, const Box &box)
{
    Marker marker = marker_of(found, i, "velocities", Marker::ARROW);
    const float *const v = found.tracks[i].velocity;
    geometry_msgs::msg::Point tip = box.pose.position;
    tip.x += v[0], tip.y += v[1], tip.z += v[2];
    marker.points = {box.pose.position, tip};
    marker.scale.x = 0.1, marker.scale.y = 0.25, marker.scale.z = 0.3;
    return marker;
}

} // namespace

std::string Groups::make(clump_context *context, const Found &found)
{
    const auto count = static_cast<int32_t>(found.clusters.size());
    offsets.resize(found.clusters.size() + 1);
    members.resize(std::max<size_t>(found.labels.size(), 1));
    const clump_status status = clump_group(context, found.labels.data(), found.labels.size(), CLUMP_PLACE_HOST, count,
                                            offsets.data(), members.data());
    return status == CLUMP_OK ? "" : clump_context_error(context);
}

std::unique_ptr<PointCloud2> labelled_cloud(const PointCloud2 &input, const CloudView &view, const Found &found)
{
    auto out = std::make_unique<PointCloud2>();
    out->header = input.header;
    out->height = input.height;
    out->width = input.width;
    for (const PointField &field : input.fields)
        if (field.name != "label") out->fields.push_back(field);
    PointField label;
    label.name = "label";
    label.offset = (input.point_step + 3) / 4 * 4;
    label.datatype = PointField::INT32;
    label.count = 1;
    out->fields.push_back(label);
    out->is_bigendian = input.is_bigendian;
    out->is_dense = input.is_dense;
    out->point_step = label.offset + 4;
    out->row_step = out->point_step * out->width;
    out->data.resize(found.labels.size() * out->point_step);
    for (size_t i = 0; i < found.labels.size(); i++) {
        uint8_t *const to = out->data.data() + i * out->point_step;
        std::memcpy(to, view.record(i), input.point_step);
        std::memcpy(to + label.offset, &found.labels[i], 4);
        if (view.swapped()) std::reverse(to + label.offset, to + label.offset + 4);
    }
    return out;
}

std::unique_ptr<vision_msgs::msg::Detection3DArray> detections(const Found &found)
{
    auto out = std::make_unique<vision_msgs::msg::Detection3DArray>();
    out->header = found.header;
    out->detections.resize(found.clusters.size());
    for (size_t i = 0; i < found.clusters.size(); i++) {
        const Box box = box_of(found.clusters[i], found.up);
        vision_msgs::msg::Detection3D &detection = out->detections[i];
        detection.header = found.header;
        detection.id = std::to_string(id_of(found, i));
        detection.bbox.center = box.pose;
        detection.bbox.size = box.size;
        detection.results.resize(1);
        detection.results[0].pose.pose.position = point_of(found.clusters[i].centroid);
        detection.results[0].pose.pose.orientation = box.pose.orientation;
        detection.results[0].hypothesis.class_id = "object"; /* clump does not classify */
        detection.results[0].hypothesis.score = 1;
        if (!found.objects.empty()) { /* the name of a size, and how often such objects are road users */
            const clump_object &object = found.objects[i];
            detection.results[0].hypothesis.class_id = object.object ? clump_fit_name(object.fits) : "background";
            detection.results[0].hypothesis.score = static_cast<double>(object.score);
        }
    }
    return out;
}

std::unique_ptr<visualization_msgs::msg::MarkerArray> markers(const Found &found)
{
    auto out = std::make_unique<visualization_msgs::msg::MarkerArray>();
    out->markers.reserve(1 + 3 * found.clusters.size());
    Marker clear; /* the objects of earlier frames disappear */
    clear.header = found.header;
    clear.action = Marker::DELETEALL;
    out->markers.push_back(clear);
    for (size_t i = 0; i < found.clusters.size(); i++) {
        const Box box = box_of(found.clusters[i], found.up);
        Marker cube = marker_of(found, i, "boxes", Marker::CUBE);
        cube.pose = box.pose;
        cube.scale.x = std::max(box.size.x, least_size);
        cube.scale.y = std::max(box.size.y, least_size);
        cube.scale.z = std::max(box.size.z, least_size);
        out->markers.push_back(std::move(cube));
        out->markers.push_back(text_of(found, i, box));
        if (!found.tracks.empty() && found.tracks[i].speed > 0) out->markers.push_back(arrow_of(found, i, box));
    }
    return out;
}

PointCloud2 cluster_cloud(const PointCloud2 &input, const CloudView &view, const Groups &groups, size_t cluster)
{
    PointCloud2 out;
    const int32_t *const members = groups.members.data() + groups.offsets[cluster];
    const auto count = static_cast<size_t>(groups.offsets[cluster + 1] - groups.offsets[cluster]);
    out.header = input.header;
    out.height = 1;
    out.width = static_cast<uint32_t>(count);
    out.fields = input.fields;
    out.is_bigendian = input.is_bigendian;
    out.is_dense = input.is_dense;
    out.point_step = input.point_step;
    out.row_step = out.width * out.point_step;
    out.data.resize(count * out.point_step);
    for (size_t i = 0; i < count; i++)
        std::memcpy(out.data.data() + i * out.point_step, view.record(static_cast<size_t>(members[i])), out.point_step);
    return out;
}

#ifdef CLUMP_ROS_AUTOWARE
autoware_perception_msgs::msg::DetectedObject unknown_object()
{
    autoware_perception_msgs::msg::DetectedObject object;
    object.classification.resize(1);
    object.classification[0].label = autoware_perception_msgs::msg::ObjectClassification::UNKNOWN;
    object.classification[0].probability = 1;
    return object;
}

/* A box whose length is its longer side: which end is the front is not known. */
static autoware_perception_msgs::msg::DetectedObject object_of(const Found &found, size_t i)
{
    const clump_cluster &c = found.clusters[i];
    const bool across = c.box_size[1] > c.box_size[0];
    const double yaw = static_cast<double>(c.yaw) + (across ? 90 : 0);
    const Box box = box_of(c, found.up);
    auto object = unknown_object();
    object.existence_probability = found.objects.empty() ? 1 : found.objects[i].score;
    object.shape.type = autoware_perception_msgs::msg::Shape::BOUNDING_BOX;
    object.shape.dimensions = box.size;
    if (across) std::swap(object.shape.dimensions.x, object.shape.dimensions.y);
    auto &kinematics = object.kinematics;
    kinematics.pose_with_covariance.pose = box.pose;
    kinematics.pose_with_covariance.pose.orientation = turn(yaw, found.up);
    kinematics.orientation_availability = kinematics.SIGN_UNKNOWN;
    if (!found.tracks.empty() && found.tracks[i].speed > 0) { /* along and across the box */
        const float *const v = found.tracks[i].velocity;
        const double cosine = std::cos(yaw * pi / 180), sine = std::sin(yaw * pi / 180);
        kinematics.has_twist = true;
        kinematics.twist_with_covariance.twist.linear.x = cosine * v[0] + sine * v[1];
        kinematics.twist_with_covariance.twist.linear.y = cosine * v[1] - sine * v[0];
    }
    return object;
}

std::unique_ptr<autoware_perception_msgs::msg::DetectedObjects> detected_objects(const Found &found)
{
    auto out = std::make_unique<autoware_perception_msgs::msg::DetectedObjects>();
    out->header = found.header;
    out->objects.reserve(found.clusters.size());
    for (size_t i = 0; i < found.clusters.size(); i++) out->objects.push_back(object_of(found, i));
    return out;
}
#endif

#ifdef CLUMP_ROS_TIER4
std::unique_ptr<tier4_perception_msgs::msg::DetectedObjectsWithFeature>
objects_with_feature(const PointCloud2 &input, const CloudView &view, const Found &found, const Groups &groups)
{
    auto out = std::make_unique<tier4_perception_msgs::msg::DetectedObjectsWithFeature>();
    out->header = found.header;
    out->feature_objects.resize(found.clusters.size());
    for (size_t i = 0; i < found.clusters.size(); i++) {
        out->feature_objects[i].object = object_of(found, i);
        out->feature_objects[i].feature.cluster = cluster_cloud(input, view, groups, i);
    }
    return out;
}
#endif

} // namespace clump_ros
