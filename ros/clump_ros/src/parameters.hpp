/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parameters.hpp: the options of the library as parameters of ROS. Names, defaults, ranges and descriptions come from the rows of
 * clump/options.h; the library itself says whether values go together.
 *
 *     min_size, d, thin ...    clustering and detect      ground.slope ...     ground
 *     dbscan.  erccl.  objects.  odometry.                the tables of these names
 */
#ifndef CLUMP_ROS_PARAMETERS_HPP
#define CLUMP_ROS_PARAMETERS_HPP

#include <clump/classes.h>
#include <clump/odometry.h>

#include <rclcpp/parameter.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>

#include <string>
#include <vector>

namespace clump_ros
{

struct Settings {
    clump_detect_options detect;
    clump_odometry_options odometry;
    std::string job, ground;          /* names, see parameters.cpp */
    std::string classes, class_field; /* name of a table, "": none; the field of the points */
    clump_classes table;              /* rows of that table, null: none; without the classes of points */
    double deadline_ms;
    bool track, odometry_on, odometry_tf;
    std::string odometry_frame, base_frame;
};

/* Declares all parameters and returns their values. Throws what rclcpp throws for wrong types and ranges. */
Settings declare_settings(rclcpp_lifecycle::LifecycleNode &node);

/* Takes over the parameters that are settings. Returns "", or one sentence that says why not; settings are then undefined. */
std::string change_settings(Settings &settings, const std::vector<rclcpp::Parameter> &parameters);

/* Asks the library whether it takes these options. Returns "" or its sentence. */
std::string refused(clump_context *context, const Settings &settings);

} // namespace clump_ros

#endif
