/* SPDX-License-Identifier: BSD-3-Clause
 *
 * euclidean_cluster.cpp: the component clump::EuclideanCluster, in place of the nodes of autoware_euclidean_cluster (and of
 * autoware_euclidean_cluster_object_detector): the same topics, parameters and messages. Clusters are exact: those of the node
 * EuclideanCluster. The parameters of voxels are accepted and have no effect.
 */
#include "messages.hpp"

#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#ifdef CLUMP_ROS_AUTOWARE_DEBUG
#include <autoware_internal_debug_msgs/msg/float64_stamped.hpp>
#endif

#include <chrono>
#include <cstring>

namespace clump
{
namespace
{

using clump_ros::PointCloud2;
using clump_ros::PointField;
using rclcpp::ParameterType;
using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

/* The mean of the points, summed in the order of the points. */
geometry_msgs::msg::Point centroid_of(const clump_points &points, const int32_t *members, size_t count)
{
    geometry_msgs::msg::Point sum;
    const size_t stride = points.stride == 0 ? 3 * sizeof(float) : points.stride;
    for (size_t i = 0; i < count; i++) {
        float xyz[3];
        std::memcpy(xyz, reinterpret_cast<const char *>(points.xyz) + static_cast<size_t>(members[i]) * stride,
                    sizeof xyz);
        sum.x += xyz[0], sum.y += xyz[1], sum.z += xyz[2];
    }
    const auto divisor = static_cast<double>(std::max<size_t>(count, 1));
    sum.x /= divisor, sum.y /= divisor, sum.z /= divisor;
    return sum;
}

} // namespace

class EuclideanCluster : public rclcpp::Node
{
  public:
    explicit EuclideanCluster(const rclcpp::NodeOptions &options);

  private:
    struct Destroy {
        void operator()(clump_context *context) const
        {
            clump_context_destroy(context);
        }
    };

    double number(const char *name, const char *old_name, double usual);
    bool has_voxels();
    void create_context();
    void take(const PointCloud2 &message);
    std::string find(const PointCloud2 &message);
    size_t oversized() const;
    void fill(autoware_perception_msgs::msg::DetectedObject &object, size_t cluster) const;
    void publish(const PointCloud2 &message, size_t first);
    void publish_debug(const PointCloud2 &message, size_t first);
    void publish_times(const PointCloud2 &message, double work_ms);

    std::unique_ptr<clump_context, Destroy> context_;
    clump_ec_options options_ = clump_ec_defaults();
    float tolerance_ = 0;
    size_t max_size_ = 0; /* 0: no limit */
    clump_ros::CloudView view_;
    clump_ros::Found found_; /* labels; the number of clusters, undescribed */
    clump_ros::Groups groups_;
    Clock::time_point last_ = Clock::now();

    rclcpp::Subscription<PointCloud2>::SharedPtr input_;
    rclcpp::Publisher<PointCloud2>::SharedPtr debug_;
    rclcpp::Publisher<autoware_perception_msgs::msg::DetectedObjects>::SharedPtr objects_;
#ifdef CLUMP_ROS_TIER4
    rclcpp::Publisher<tier4_perception_msgs::msg::DetectedObjectsWithFeature>::SharedPtr features_;
#endif
#ifdef CLUMP_ROS_AUTOWARE_DEBUG
    rclcpp::Publisher<autoware_internal_debug_msgs::msg::Float64Stamped>::SharedPtr times_[3];
#endif
};

EuclideanCluster::EuclideanCluster(const rclcpp::NodeOptions &options) : Node("euclidean_cluster_node", options)
{
    options_.common.order = CLUMP_ORDER_SIZE;
    options_.common.two_d = !declare_parameter<bool>("use_height", false);
    options_.common.min_size = static_cast<size_t>(number("min_points_per_cluster", "min_cluster_size", 10));
    max_size_ = static_cast<size_t>(number("max_cluster_size", nullptr, 0));
    tolerance_ = static_cast<float>(number("tolerance_m", "tolerance", 0.7));
    const bool voxels = has_voxels();
    const std::string messages = declare_parameter<std::string>("messages", "universe");
    create_context();

    bool core = true;
#ifdef CLUMP_ROS_TIER4
    core = messages == "core";
    if (!core)
        features_ = create_publisher<tier4_perception_msgs::msg::DetectedObjectsWithFeature>("output", rclcpp::QoS(1));
#endif
    if (core) objects_ = create_publisher<autoware_perception_msgs::msg::DetectedObjects>("output", rclcpp::QoS(1));
    debug_ = create_publisher<PointCloud2>("debug/clusters", 1);
#ifdef CLUMP_ROS_AUTOWARE_DEBUG
    const std::string space = voxels ? "voxel_grid_based_euclidean_cluster" : "euclidean_cluster";
    const char *const names[] = {"cyclic_time_ms", "processing_time_ms", "pipeline_latency_ms"};
    for (size_t i = 0; i < 3; i++)
        times_[i] =
            create_publisher<autoware_internal_debug_msgs::msg::Float64Stamped>(space + "/debug/" + names[i], 1);
#endif
    if (voxels) RCLCPP_INFO(get_logger(), "clusters are exact: the parameters of voxels have no effect");
    const auto take_one = [this](PointCloud2::ConstSharedPtr message) { take(*message); };
    input_ = create_subscription<PointCloud2>("input", rclcpp::SensorDataQoS().keep_last(1), take_one);
}

/* A number by its name, or by the name that it had before Autoware 0.52. */
double EuclideanCluster::number(const char *name, const char *old_name, double usual)
{
    rcl_interfaces::msg::ParameterDescriptor descriptor;
    descriptor.dynamic_typing = true;
    descriptor.read_only = true;
    for (const char *each : {name, old_name}) {
        if (!each) continue;
        const rclcpp::ParameterValue value = declare_parameter(each, rclcpp::ParameterValue(), descriptor);
        double given = -1;
        if (value.get_type() == ParameterType::PARAMETER_DOUBLE) given = value.get<double>();
        if (value.get_type() == ParameterType::PARAMETER_INTEGER) given = static_cast<double>(value.get<int64_t>());
        if (given < 0 && value.get_type() != ParameterType::PARAMETER_NOT_SET)
            throw std::invalid_argument(std::string(each) + " must be a number that is not negative");
        if (given >= 0) return given;
    }
    return usual;
}

bool EuclideanCluster::has_voxels()
{
    static const char *const names[][2] = {{"voxel_leaf_size_m", "voxel_leaf_size"},
                                           {"min_points_per_voxel", "min_points_number_per_voxel"},
                                           {"max_voxels_per_cluster", nullptr},
                                           {"large_cluster_voxel_count_threshold", nullptr},
                                           {"large_cluster_max_points_per_voxel", nullptr}};
    bool given = false;
    for (const auto &name : names) given = number(name[0], name[1], -1) >= 0 || given;
    return given;
}

void EuclideanCluster::create_context()
{
    clump_message why;
    clump_context_options options = clump_context_defaults();
    options.threads = static_cast<int>(declare_parameter<int64_t>("threads", 0));
    options.message = &why;
    clump_context *made = nullptr;
    if (clump_context_create(&options, &made) != CLUMP_OK) throw std::runtime_error(why.text);
    context_.reset(made);
    int32_t count = 0; /* the library says what is wrong with the parameters */
    if (clump_ec(made, clump_points{}, tolerance_, &options_, nullptr, &count) != CLUMP_OK)
        throw std::invalid_argument(clump_context_error(made));
}

void EuclideanCluster::take(const PointCloud2 &message)
{
    const auto begin = Clock::now();
    const std::string wrong = find(message);
    if (!wrong.empty()) {
        RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 1000, "%s", wrong.c_str());
        return;
    }
    const size_t first = oversized();
    if (first > 0)
        RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 5000,
                             "%zu clusters of more than %zu points are left out (max_cluster_size)", first, max_size_);
    publish(message, first);
    if (debug_->get_subscription_count() > 0) publish_debug(message, first);
    publish_times(message, milliseconds(Clock::now() - begin));
}

/* Returns "" or a sentence. */
std::string EuclideanCluster::find(const PointCloud2 &message)
{
    const std::string wrong = view_.read(message);
    if (!wrong.empty()) return wrong;
    int32_t count = 0;
    found_.header = message.header;
    found_.labels.resize(view_.points().count);
    if (clump_ec(context_.get(), view_.points(), tolerance_, &options_, found_.labels.data(), &count) != CLUMP_OK)
        return clump_context_error(context_.get());
    found_.clusters.resize(static_cast<size_t>(count));
    return groups_.make(context_.get(), found_);
}

/* The number of clusters that are too large. They come first. */
size_t EuclideanCluster::oversized() const
{
    size_t first = 0;
    while (max_size_ > 0 && first < found_.clusters.size() &&
           static_cast<size_t>(groups_.offsets[first + 1] - groups_.offsets[first]) > max_size_)
        first++;
    return first;
}

/* The object of a cluster: its centroid, and no class. */
void EuclideanCluster::fill(autoware_perception_msgs::msg::DetectedObject &object, size_t cluster) const
{
    const int32_t begin = groups_.offsets[cluster], end = groups_.offsets[cluster + 1];
    object = clump_ros::unknown_object();
    object.kinematics.pose_with_covariance.pose.position =
        centroid_of(view_.points(), groups_.members.data() + begin, static_cast<size_t>(end - begin));
}

void EuclideanCluster::publish(const PointCloud2 &message, size_t first)
{
    const size_t count = found_.clusters.size() - first;
    if (objects_ && objects_->get_subscription_count() > 0) {
        auto out = std::make_unique<autoware_perception_msgs::msg::DetectedObjects>();
        out->header = message.header;
        out->objects.resize(count);
        for (size_t i = 0; i < count; i++) fill(out->objects[i], first + i);
        objects_->publish(std::move(out));
    }
#ifdef CLUMP_ROS_TIER4
    if (features_ && features_->get_subscription_count() > 0) {
        auto out = std::make_unique<tier4_perception_msgs::msg::DetectedObjectsWithFeature>();
        out->header = message.header;
        out->feature_objects.resize(count);
        for (size_t i = 0; i < count; i++) {
            fill(out->feature_objects[i].object, first + i);
            out->feature_objects[i].feature.cluster = clump_ros::cluster_cloud(message, view_, groups_, first + i);
        }
        features_->publish(std::move(out));
    }
#endif
}

/* The points of all clusters, x y z and six colours in turn. */
void EuclideanCluster::publish_debug(const PointCloud2 &message, size_t first)
{
    static constexpr uint32_t colours[] = {0xc80000, 0x00c800, 0x0000c8, 0xc8c800, 0xc800c8, 0x00c8c8};
    auto out = std::make_unique<PointCloud2>();
    const auto begin = static_cast<size_t>(groups_.offsets[first]);
    const auto end = static_cast<size_t>(groups_.offsets[found_.clusters.size()]);
    const clump_points points = view_.points();
    const size_t stride = points.stride == 0 ? 3 * sizeof(float) : points.stride;
    out->header = message.header;
    out->height = 1;
    out->width = static_cast<uint32_t>(end - begin);
    for (const char *name : {"x", "y", "z", "rgb"}) {
        PointField field;
        field.name = name;
        field.offset = static_cast<uint32_t>(4 * out->fields.size());
        field.datatype = PointField::FLOAT32;
        field.count = 1;
        out->fields.push_back(field);
    }
    out->point_step = 16;
    out->row_step = out->width * 16;
    out->data.resize(out->row_step);
    for (size_t i = begin; i < end; i++) {
        const auto member = static_cast<size_t>(groups_.members[i]);
        uint8_t *const to = out->data.data() + 16 * (i - begin);
        std::memcpy(to, reinterpret_cast<const char *>(points.xyz) + member * stride, 12);
        std::memcpy(to + 12, &colours[(static_cast<size_t>(found_.labels[member]) - first) % 6], 4);
    }
    debug_->publish(std::move(out));
}

void EuclideanCluster::publish_times([[maybe_unused]] const PointCloud2 &message, [[maybe_unused]] double work_ms)
{
#ifdef CLUMP_ROS_AUTOWARE_DEBUG
    const auto end = Clock::now();
    const double late = 1e3 * (now() - rclcpp::Time(message.header.stamp, now().get_clock_type())).seconds();
    const double values[] = {milliseconds(end - last_), work_ms, late};
    last_ = end;
    for (size_t i = 0; i < 3; i++) {
        autoware_internal_debug_msgs::msg::Float64Stamped time;
        time.stamp = now();
        time.data = values[i];
        times_[i]->publish(time);
    }
#endif
}

} // namespace clump

RCLCPP_COMPONENTS_REGISTER_NODE(clump::EuclideanCluster)
