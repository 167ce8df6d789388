/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cloud_view.hpp: the points of a PointCloud2 as the library takes them. They stay where they are if the message has x, y and z
 * as three float32 in a row; other layouts are copied into memory that is kept from frame to frame.
 */
#ifndef CLUMP_ROS_CLOUD_VIEW_HPP
#define CLUMP_ROS_CLOUD_VIEW_HPP

#include <clump/clump.h>

#include <sensor_msgs/msg/point_cloud2.hpp>

#include <string>
#include <vector>

namespace clump_ros
{

using sensor_msgs::msg::PointCloud2;
using sensor_msgs::msg::PointField;

class CloudView
{
  public:
    /* Returns "", or one sentence that says what is wrong with the message. The view is valid as long as the message. */
    std::string read(const PointCloud2 &message);

    clump_points points() const
    {
        return points_;
    }
    bool copied() const
    {
        return points_.xyz == copy_.data();
    }
    bool swapped() const
    {
        return swapped_;
    }

    /* Record i of the message: the bytes of all its fields. */
    const uint8_t *record(size_t i) const
    {
        return message_->data.data() + (even_ ? i * step_ : i / width_ * row_step_ + i % width_ * step_);
    }

    /* The field "ring" of the points; null where there is none. */
    const uint16_t *rings();
    /* A field of whole numbers, the classes of the points; null where there is none. */
    const uint16_t *classes(const std::string &name);
    /* Points per row of an organised cloud whose rows can be rings; 0 for other clouds. */
    size_t columns() const;
    /* Seconds from the stamp of the message to each point, by the field "time", "t" or "timestamp"; null where there is none.
     * As `clump odometry` reads them: integers are nanoseconds, large numbers are times since 1970. */
    const float *times();

  private:
    std::string check(const PointField &field) const;
    std::string measure(const PointCloud2 &message);
    void copy_points(const PointField *const axes[3]);
    const PointField *find(const char *name) const;
    const uint16_t *numbers(const char *name, std::vector<uint16_t> &list) const;
    double value(const PointField &field, size_t i) const;

    const PointCloud2 *message_ = nullptr;
    clump_points points_{};
    size_t width_ = 1, step_ = 0, row_step_ = 0;
    bool even_ = true;     /* no bytes between the rows */
    bool swapped_ = false; /* the bytes of numbers are in the other order */
    std::vector<float> copy_, times_;
    std::vector<uint16_t> rings_, classes_;
};

} // namespace clump_ros

#endif
