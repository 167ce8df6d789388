/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_source.cpp: the component clump::ScanSource. It publishes scans at a steady rate, for tests and for users without a sensor: files
 * of KITTI (x y z intensity, float32) in turn, or a made street. Loaded into the container of the detector, its scans are not copied.
 */
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>

#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace clump
{
namespace
{

using sensor_msgs::msg::PointCloud2;
using sensor_msgs::msg::PointField;

std::vector<uint8_t> read_file(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + ": the file cannot be opened");
    return std::vector<uint8_t>(std::istreambuf_iterator<char>(file), {});
}

/* A sensor 1.7 m above flat ground, with a box of 2 m every 20 m on both sides; `metres`: how far it has driven. */
std::vector<uint8_t> make_street(size_t rings, size_t columns, double metres)
{
    std::vector<float> points;
    for (size_t ring = 0; ring < rings; ring++)
        for (size_t column = 0; column < columns; column++) {
            const double turn = 6.283185307179586 * static_cast<double>(column) / static_cast<double>(columns);
            const double rise = -0.42 + 0.46 * static_cast<double>(ring) / static_cast<double>(rings);
            const double along = std::cos(turn), across = std::sin(turn), up = std::tan(rise);
            double range = up < 0 ? std::min(-1.7 / up, 80.0) : 80;
            if (std::fabs(across) > 1e-6) { /* the sides of the boxes that face the street */
                const double side = 5 / std::fabs(across), at = side * along + metres;
                if (side < range && std::fmod(std::fmod(at, 20) + 20, 20) < 2 && side * up < 0.3) range = side;
            }
            const double xyzi[] = {range * along, range * across, range * up, 0.5};
            if (range < 80) points.insert(points.end(), xyzi, xyzi + 4);
        }
    std::vector<uint8_t> bytes(points.size() * sizeof(float));
    std::memcpy(bytes.data(), points.data(), bytes.size());
    return bytes;
}

} // namespace

class ScanSource : public rclcpp::Node
{
  public:
    explicit ScanSource(const rclcpp::NodeOptions &options) : Node("scan_source", options)
    {
        for (const auto &path : declare_parameter<std::vector<std::string>>("files", std::vector<std::string>{}))
            if (!path.empty()) scans_.push_back(read_file(path));
        if (scans_.empty())
            for (int i = 0; i < 20; i++) scans_.push_back(make_street(64, 2000, i));
        frame_ = declare_parameter<std::string>("frame", "lidar");
        points_ = create_publisher<PointCloud2>("points", rclcpp::SensorDataQoS());
        const auto period = std::chrono::duration<double>(1 / declare_parameter<double>("rate", 10.0));
        timer_ = create_wall_timer(std::chrono::duration_cast<std::chrono::nanoseconds>(period), [this] { publish(); });
    }

  private:
    void publish()
    {
        auto scan = std::make_unique<PointCloud2>();
        for (const char *name : {"x", "y", "z", "intensity"}) {
            PointField field;
            field.name = name;
            field.offset = static_cast<uint32_t>(4 * scan->fields.size());
            field.datatype = PointField::FLOAT32;
            field.count = 1;
            scan->fields.push_back(field);
        }
        scan->data = scans_[next_++ % scans_.size()];
        scan->header.frame_id = frame_;
        scan->height = 1;
        scan->point_step = 16;
        scan->width = static_cast<uint32_t>(scan->data.size() / 16);
        scan->row_step = scan->width * 16;
        scan->header.stamp = now();
        points_->publish(std::move(scan));
    }

    std::vector<std::vector<uint8_t>> scans_;
    std::string frame_;
    size_t next_ = 0;
    rclcpp::Publisher<PointCloud2>::SharedPtr points_;
    rclcpp::TimerBase::SharedPtr timer_;
};

} // namespace clump

RCLCPP_COMPONENTS_REGISTER_NODE(clump::ScanSource)
