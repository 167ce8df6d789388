/* SPDX-License-Identifier: BSD-3-Clause
 *
 * messages.hpp: what was found in a scan, as messages of ROS. Boxes, colours and texts are those that `clump play -o FILE.mcap` writes.
 */
#ifndef CLUMP_ROS_MESSAGES_HPP
#define CLUMP_ROS_MESSAGES_HPP

#include "cloud_view.hpp"

#include <clump/track.h>

#include <vision_msgs/msg/detection3_d_array.hpp>
#include <visualization_msgs/msg/marker_array.hpp>

#ifdef CLUMP_ROS_AUTOWARE
#include <autoware_perception_msgs/msg/detected_objects.hpp>
#endif
#ifdef CLUMP_ROS_TIER4
#include <tier4_perception_msgs/msg/detected_objects_with_feature.hpp>
#endif

#include <memory>
#include <vector>

namespace clump_ros
{

/* The clusters of one scan. */
struct Found {
    std_msgs::msg::Header header;
    clump_up up = CLUMP_UP_Z;
    std::vector<int32_t> labels;         /* one per point */
    std::vector<clump_cluster> clusters; /* by label */
    std::vector<clump_object> objects;   /* job objects: one per cluster; else empty */
    std::vector<clump_track> tracks;     /* with tracking: one per cluster; else empty */
};

/* Members of clusters: cluster c has members[offsets[c]] ... members[offsets[c + 1] - 1]. */
struct Groups {
    std::vector<int32_t> offsets, members;
    /* Returns "" or the sentence of the library. */
    std::string make(clump_context *context, const Found &found);
};

/* The input with a field "label" (int32), which takes the place of a field of that name. */
std::unique_ptr<PointCloud2> labelled_cloud(const PointCloud2 &input, const CloudView &view, const Found &found);
std::unique_ptr<vision_msgs::msg::Detection3DArray> detections(const Found &found);
std::unique_ptr<visualization_msgs::msg::MarkerArray> markers(const Found &found);

/* The points of one cluster, with all fields of the input. */
PointCloud2 cluster_cloud(const PointCloud2 &input, const CloudView &view, const Groups &groups, size_t cluster);

#ifdef CLUMP_ROS_AUTOWARE
autoware_perception_msgs::msg::DetectedObject unknown_object();
std::unique_ptr<autoware_perception_msgs::msg::DetectedObjects> detected_objects(const Found &found);
#endif
#ifdef CLUMP_ROS_TIER4
std::unique_ptr<tier4_perception_msgs::msg::DetectedObjectsWithFeature>
objects_with_feature(const PointCloud2 &input, const CloudView &view, const Found &found, const Groups &groups);
#endif

} // namespace clump_ros

#endif
