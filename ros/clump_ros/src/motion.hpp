/* SPDX-License-Identifier: BSD-3-Clause
 *
 * motion.hpp: the motion of the sensor (clump_odometry) as nav_msgs/Odometry and as a transform.
 */
#ifndef CLUMP_ROS_MOTION_HPP
#define CLUMP_ROS_MOTION_HPP

#include "cloud_view.hpp"
#include "parameters.hpp"

#include <nav_msgs/msg/odometry.hpp>
#include <tf2/LinearMath/Transform.h>
#include <tf2_ros/buffer.h>
#include <tf2_ros/transform_broadcaster.h>
#include <tf2_ros/transform_listener.h>

#include <memory>

namespace clump_ros
{

class Motion
{
  public:
    /* Throws std::runtime_error with the sentence of the library. */
    Motion(rclcpp_lifecycle::LifecycleNode &node, clump_context *context, const Settings &settings);

    /* Takes the next scan. Returns "" and the pose, or one sentence; a scan that is not later than the one before begins anew. */
    std::string push(clump_context *context, int64_t stamp, CloudView &view, clump_odometry_pose &pose);

    /* Publishes the pose. Waits for nothing: as long as the base frame is not known, it returns a sentence. */
    std::string publish(const std_msgs::msg::Header &header, const clump_odometry_pose &pose);

  private:
    struct Destroy {
        void operator()(clump_odometry *odometry) const
        {
            clump_odometry_destroy(odometry);
        }
    };
    bool find_base(const std::string &sensor, std::string &why);

    std::unique_ptr<clump_odometry, Destroy> odometry_;
    std::string frame_, base_frame_;
    bool base_known_ = false;
    int64_t pushed_ = 0, published_ = 0; /* stamps of the scan before; 0 where there is none */
    tf2::Transform sensor_in_base_, last_;
    std::unique_ptr<tf2_ros::TransformBroadcaster> broadcaster_;
    std::unique_ptr<tf2_ros::Buffer> buffer_;
    std::unique_ptr<tf2_ros::TransformListener> listener_;
    rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr publisher_;
};

} // namespace clump_ros

#endif
