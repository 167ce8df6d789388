/* SPDX-License-Identifier: BSD-3-Clause
 *
 * motion.cpp: see motion.hpp.
 */
#include "motion.hpp"

#include <stdexcept>

namespace clump_ros
{
namespace
{

tf2::Transform transform_of(const double m[16])
{
    return tf2::Transform(tf2::Matrix3x3(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]),
                          tf2::Vector3(m[3], m[7], m[11]));
}

geometry_msgs::msg::Vector3 vector_of(const tf2::Vector3 &from)
{
    geometry_msgs::msg::Vector3 vector;
    vector.x = from.x(), vector.y = from.y(), vector.z = from.z();
    return vector;
}

geometry_msgs::msg::Quaternion quaternion_of(const tf2::Transform &from)
{
    geometry_msgs::msg::Quaternion turn;
    const tf2::Quaternion q = from.getRotation();
    turn.x = q.x(), turn.y = q.y(), turn.z = q.z(), turn.w = q.w();
    return turn;
}

} // namespace

Motion::Motion(rclcpp_lifecycle::LifecycleNode &node, clump_context *context, const Settings &settings)
    : frame_(settings.odometry_frame), base_frame_(settings.base_frame)
{
    clump_odometry *made = nullptr;
    if (clump_odometry_create(context, &settings.odometry, &made) != CLUMP_OK)
        throw std::runtime_error(clump_context_error(context));
    odometry_.reset(made);
    publisher_ = rclcpp::create_publisher<nav_msgs::msg::Odometry>(node, "odometry", rclcpp::QoS(10));
    if (settings.odometry_tf) broadcaster_ = std::make_unique<tf2_ros::TransformBroadcaster>(node);
    if (!base_frame_.empty()) {
        buffer_ = std::make_unique<tf2_ros::Buffer>(node.get_clock());
        listener_ = std::make_unique<tf2_ros::TransformListener>(*buffer_);
    }
    sensor_in_base_.setIdentity();
    last_.setIdentity();
}

std::string Motion::push(clump_context *context, int64_t stamp, CloudView &view, clump_odometry_pose &pose)
{
    if (stamp <= pushed_) {
        clump_odometry_reset(odometry_.get());
        published_ = 0;
    }
    pushed_ = stamp;
    if (clump_odometry_push(context, odometry_.get(), stamp, view.points(), view.times(), &pose) != CLUMP_OK)
        return clump_context_error(context);
    return "";
}

bool Motion::find_base(const std::string &sensor, std::string &why)
{
    if (base_known_ || base_frame_.empty() || base_frame_ == sensor) return true;
    try {
        const auto found = buffer_->lookupTransform(base_frame_, sensor, tf2::TimePointZero).transform;
        sensor_in_base_ =
            tf2::Transform(tf2::Quaternion(found.rotation.x, found.rotation.y, found.rotation.z, found.rotation.w),
                           tf2::Vector3(found.translation.x, found.translation.y, found.translation.z));
        base_known_ = true;
    } catch (const tf2::TransformException &unknown) {
        why = unknown.what();
    }
    return base_known_;
}

std::string Motion::publish(const std_msgs::msg::Header &header, const clump_odometry_pose &pose)
{
    std::string why;
    if (!find_base(header.frame_id, why)) return why;
    const tf2::Transform now = sensor_in_base_ * transform_of(pose.transform) * sensor_in_base_.inverse();
    nav_msgs::msg::Odometry message;
    message.header.stamp = header.stamp;
    message.header.frame_id = frame_;
    message.child_frame_id = base_frame_.empty() ? header.frame_id : base_frame_;
    message.pose.pose.position.x = now.getOrigin().x();
    message.pose.pose.position.y = now.getOrigin().y();
    message.pose.pose.position.z = now.getOrigin().z();
    message.pose.pose.orientation = quaternion_of(now);
    if (published_ != 0) { /* the mean velocity since the scan before, in the axes of the child */
        const tf2::Transform step = last_.inverseTimes(now);
        const tf2::Quaternion turn = step.getRotation();
        const double seconds = 1e-9 * static_cast<double>(pose.time - published_);
        message.twist.twist.linear = vector_of(step.getOrigin() / seconds);
        message.twist.twist.angular = vector_of(turn.getAxis() * (turn.getAngleShortestPath() / seconds));
    }
    last_ = now;
    published_ = pose.time;
    if (broadcaster_) {
        geometry_msgs::msg::TransformStamped transform;
        transform.header = message.header;
        transform.child_frame_id = message.child_frame_id;
        transform.transform.translation = vector_of(now.getOrigin());
        transform.transform.rotation = message.pose.pose.orientation;
        broadcaster_->sendTransform(transform);
    }
    publisher_->publish(message);
    return "";
}

} // namespace clump_ros
