/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detector.cpp: the component clump::Detector. A lifecycle node that takes scans and publishes what is in them.
 *
 *     input (PointCloud2) ─► view ─► odometry ─► clump_detect ─► tracks ─► messages, each where someone subscribes
 */
#include "latency.hpp"
#include "messages.hpp"
#include "motion.hpp"
#include "parameters.hpp"

#include <lifecycle_msgs/msg/state.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include <chrono>
#include <mutex>

namespace clump
{

using clump_ros::CloudView;
using clump_ros::PointCloud2;
using clump_ros::Settings;
using Return = rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface::CallbackReturn;

class Detector : public rclcpp_lifecycle::LifecycleNode
{
  public:
    explicit Detector(const rclcpp::NodeOptions &options);

  private:
    struct Destroy {
        void operator()(clump_context *context) const
        {
            clump_context_destroy(context);
        }
        void operator()(clump_tracker *tracker) const
        {
            clump_tracker_destroy(tracker);
        }
    };
    template <typename Message> using Out = typename rclcpp_lifecycle::LifecyclePublisher<Message>::SharedPtr;

    Return on_configure(const rclcpp_lifecycle::State &) override;
    Return on_activate(const rclcpp_lifecycle::State &state) override;
    Return on_deactivate(const rclcpp_lifecycle::State &state) override;
    Return on_cleanup(const rclcpp_lifecycle::State &) override;
    Return on_shutdown(const rclcpp_lifecycle::State &state) override
    {
        return on_cleanup(state);
    }

    void start();
    void create_context();
    void create_publishers();
    void subscribe();
    void prepare();
    rcl_interfaces::msg::SetParametersResult change(const std::vector<rclcpp::Parameter> &parameters);
    void take(const PointCloud2 &message);
    std::string find(const PointCloud2 &message);
    std::string follow(int64_t stamp, const clump_odometry_pose *pose);
    std::string detect();
    std::string publish(const PointCloud2 &message);
    void diagnose();

    /* Settings are changed by services, which may have another thread; and by publishers, which declare parameters. */
    std::recursive_mutex mutex_;
    Settings settings_;
    std::unique_ptr<clump_context, Destroy> context_;
    std::unique_ptr<clump_tracker, Destroy> tracker_;
    std::unique_ptr<clump_ros::Motion> motion_;
    CloudView view_;
    clump_ros::Found found_;
    clump_ros::Groups groups_;
    clump_ros::Latency latency_;
    double work_ms_ = 0;
    bool anew_ = false; /* the next scan begins with prepare() */

    OnSetParametersCallbackHandle::SharedPtr on_set_;
    rclcpp::TimerBase::SharedPtr starter_, timer_;
    rclcpp::Subscription<PointCloud2>::SharedPtr input_;
    rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_;
    Out<PointCloud2> clusters_;
    Out<visualization_msgs::msg::MarkerArray> markers_;
    Out<vision_msgs::msg::Detection3DArray> detections_;
#ifdef CLUMP_ROS_AUTOWARE
    Out<autoware_perception_msgs::msg::DetectedObjects> objects_;
#endif
#ifdef CLUMP_ROS_TIER4
    Out<tier4_perception_msgs::msg::DetectedObjectsWithFeature> features_;
#endif
};

Detector::Detector(const rclcpp::NodeOptions &options) : LifecycleNode("clump", options)
{
    rcl_interfaces::msg::ParameterDescriptor fixed;
    fixed.read_only = true;
    fixed.description = "CPU threads of a call (0: as many as pay)";
    declare_parameter("threads", 0, fixed);
    fixed.description = "where calls run: auto, cpu or cuda";
    declare_parameter("backend", "auto", fixed);
    fixed.description = "configure and activate without being asked";
    declare_parameter("autostart", false, fixed);
    settings_ = clump_ros::declare_settings(*this);
    create_context(); /* it checks parameters, also those of a node that is not configured */
    const std::string wrong = clump_ros::refused(context_.get(), settings_);
    if (!wrong.empty()) throw std::invalid_argument(wrong);
    on_set_ = add_on_set_parameters_callback([this](const auto &parameters) { return change(parameters); });
    if (get_parameter("autostart").as_bool())
        starter_ = create_wall_timer(std::chrono::milliseconds(1), [this] { start(); });
}

void Detector::start()
{
    starter_->cancel();
    using lifecycle_msgs::msg::State;
    if (configure().id() == State::PRIMARY_STATE_INACTIVE) activate();
}

void Detector::create_context()
{
    const std::string backend = get_parameter("backend").as_string();
    clump_message why;
    clump_context_options options = clump_context_defaults();
    options.threads = static_cast<int>(get_parameter("threads").as_int());
    options.backend = backend == "cpu"    ? CLUMP_BACKEND_CPU
                      : backend == "cuda" ? CLUMP_BACKEND_CUDA
                                          : CLUMP_BACKEND_AUTO;
    options.message = &why;
    clump_context *made = nullptr;
    if (backend != "auto" && options.backend == CLUMP_BACKEND_AUTO)
        throw std::invalid_argument("there is no backend '" + backend + "': it is auto, cpu or cuda");
    if (clump_context_create(&options, &made) != CLUMP_OK) throw std::runtime_error(why.text);
    context_.reset(made);
}

void Detector::create_publishers()
{
    clusters_ = create_publisher<PointCloud2>("clusters", rclcpp::SensorDataQoS());
    markers_ = create_publisher<visualization_msgs::msg::MarkerArray>("markers", rclcpp::QoS(1));
    detections_ = create_publisher<vision_msgs::msg::Detection3DArray>("detections", rclcpp::QoS(1));
#ifdef CLUMP_ROS_AUTOWARE
    objects_ = create_publisher<autoware_perception_msgs::msg::DetectedObjects>("objects", rclcpp::QoS(1));
#endif
#ifdef CLUMP_ROS_TIER4
    features_ = create_publisher<tier4_perception_msgs::msg::DetectedObjectsWithFeature>("objects_with_feature",
                                                                                         rclcpp::QoS(1));
#endif
    diagnostics_ = rclcpp::create_publisher<diagnostic_msgs::msg::DiagnosticArray>(*this, "/diagnostics", 10);
}

/* Makes what the settings ask for; frees what they no longer ask for. */
void Detector::prepare()
{
    if (settings_.odometry_on)
        motion_ = std::make_unique<clump_ros::Motion>(*this, context_.get(), settings_);
    else
        motion_.reset();
    clump_tracker_options options = clump_tracker_defaults();
    options.up = settings_.detect.ground.up;
    clump_tracker *made = nullptr;
    if (settings_.track && clump_tracker_create(context_.get(), &options, &made) != CLUMP_OK)
        throw std::runtime_error(clump_context_error(context_.get()));
    tracker_.reset(made);
    anew_ = false;
}

Return Detector::on_configure(const rclcpp_lifecycle::State &)
{
    try {
        const std::lock_guard<std::recursive_mutex> lock(mutex_);
        create_publishers();
        prepare();
        latency_ = {};
    } catch (const std::exception &wrong) {
        RCLCPP_ERROR(get_logger(), "%s", wrong.what());
        return Return::FAILURE;
    }
    return Return::SUCCESS;
}

Return Detector::on_activate(const rclcpp_lifecycle::State &state)
{
    LifecycleNode::on_activate(state);
    subscribe();
    timer_ = create_wall_timer(std::chrono::seconds(1), [this] { diagnose(); });
    return Return::SUCCESS;
}

/* The newest scan counts: one that arrives while another is worked on takes the place of an older one that waits. */
void Detector::subscribe()
{
    const auto take_one = [this](PointCloud2::ConstSharedPtr message) { take(*message); };
    input_ = create_subscription<PointCloud2>("input", rclcpp::SensorDataQoS().keep_last(1), take_one);
}

Return Detector::on_deactivate(const rclcpp_lifecycle::State &state)
{
    input_.reset();
    timer_.reset();
    LifecycleNode::on_deactivate(state);
    return Return::SUCCESS;
}

Return Detector::on_cleanup(const rclcpp_lifecycle::State &)
{
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    input_.reset();
    timer_.reset();
    clusters_.reset();
    markers_.reset();
    detections_.reset();
#ifdef CLUMP_ROS_AUTOWARE
    objects_.reset();
#endif
#ifdef CLUMP_ROS_TIER4
    features_.reset();
#endif
    diagnostics_.reset();
    motion_.reset();
    tracker_.reset();
    found_ = clump_ros::Found();
    groups_ = clump_ros::Groups();
    clump_context_trim(context_.get());
    return Return::SUCCESS;
}

rcl_interfaces::msg::SetParametersResult Detector::change(const std::vector<rclcpp::Parameter> &parameters)
{
    rcl_interfaces::msg::SetParametersResult result;
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    Settings next = settings_;
    result.reason = clump_ros::change_settings(next, parameters);
    if (result.reason.empty()) result.reason = clump_ros::refused(context_.get(), next);
    result.successful = result.reason.empty();
    if (!result.successful) return result;
    const bool anew = std::any_of(parameters.begin(), parameters.end(), [](const rclcpp::Parameter &parameter) {
        const std::string &name = parameter.get_name();
        return name == "track" || name == "ground.up" || name.rfind("odometry.", 0) == 0;
    });
    settings_ = next;
    anew_ = anew_ || anew; /* publishers cannot be made here: ROS declares parameters for them */
    return result;
}

void Detector::take(const PointCloud2 &message)
{
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    latency_.arrived(rclcpp::Time(message.header.stamp).nanoseconds());
    if (anew_) prepare();
    std::string wrong = find(message);
    if (wrong.empty()) wrong = publish(message);
    if (!wrong.empty()) {
        latency_.refused(wrong);
        RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 1000, "%s", wrong.c_str());
        return;
    }
    const double late = 1e3 * (now() - rclcpp::Time(message.header.stamp, now().get_clock_type())).seconds();
    latency_.published(late, work_ms_, settings_.deadline_ms, found_.labels.size(), found_.clusters.size());
}

/* Reads the scan and finds what is in it. Returns "" or a sentence. */
std::string Detector::find(const PointCloud2 &message)
{
    const auto begin = std::chrono::steady_clock::now();
    const int64_t stamp = rclcpp::Time(message.header.stamp).nanoseconds();
    found_.header = message.header;
    found_.up = settings_.detect.ground.up;
    std::string wrong = view_.read(message);
    clump_odometry_pose pose;
    if (wrong.empty() && motion_) {
        wrong = motion_->push(context_.get(), stamp, view_, pose);
        const std::string why = wrong.empty() ? motion_->publish(message.header, pose) : "";
        if (!why.empty()) RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 1000, "%s", why.c_str());
    }
    if (wrong.empty()) wrong = detect();
    if (wrong.empty()) wrong = follow(stamp, motion_ ? &pose : nullptr);
    work_ms_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return wrong;
}

std::string Detector::detect()
{
    clump_detect_options options = settings_.detect;
    clump_objects_options &objects = options.objects;
    const bool sized = options.method == CLUMP_DETECT_OBJECTS;
    if (sized && objects.neighbours != CLUMP_NEIGHBOURS_EXACT) {
        objects.rings = view_.rings();
        objects.columns = objects.rings ? 0 : view_.columns();
    }
    clump_classes classes = settings_.table;
    if (classes.rows) {
        classes.of = view_.classes(settings_.class_field);
        if (!classes.of && view_.points().count > 0)
            return "the cloud has no field '" + settings_.class_field +
                   "' with the class of each point, a whole number from 0 to 65535";
        options.common.classes = &classes;
    }
    found_.labels.resize(view_.points().count);
    int32_t count = static_cast<int32_t>(std::max<size_t>(found_.clusters.capacity(), 1024));
    do { /* once more where there are more clusters than ever before */
        found_.clusters.resize(static_cast<size_t>(count));
        found_.objects.resize(sized ? found_.clusters.size() : 0);
        objects.found = sized ? found_.objects.data() : nullptr;
        objects.found_capacity = sized ? count : 0;
        if (clump_detect(context_.get(), view_.points(), &options, found_.labels.data(), found_.clusters.data(),
                         static_cast<int32_t>(found_.clusters.size()), &count) != CLUMP_OK)
            return clump_context_error(context_.get());
    } while (static_cast<size_t>(count) > found_.clusters.size());
    found_.clusters.resize(static_cast<size_t>(count));
    found_.objects.resize(sized ? found_.clusters.size() : 0);
    return "";
}

std::string Detector::follow(int64_t stamp, const clump_odometry_pose *pose)
{
    found_.tracks.resize(tracker_ ? found_.clusters.size() : 0);
    if (!tracker_) return "";
    const clump_status status = clump_tracker_update_at(
        context_.get(), tracker_.get(), stamp, pose ? pose->transform : nullptr, found_.clusters.data(),
        static_cast<int32_t>(found_.clusters.size()), found_.tracks.data());
    return status == CLUMP_OK ? "" : clump_context_error(context_.get());
}

std::string Detector::publish(const PointCloud2 &message)
{
    if (detections_->get_subscription_count() > 0) detections_->publish(clump_ros::detections(found_));
    if (markers_->get_subscription_count() > 0) markers_->publish(clump_ros::markers(found_));
    if (clusters_->get_subscription_count() > 0) clusters_->publish(clump_ros::labelled_cloud(message, view_, found_));
#ifdef CLUMP_ROS_AUTOWARE
    if (objects_->get_subscription_count() > 0) objects_->publish(clump_ros::detected_objects(found_));
#endif
#ifdef CLUMP_ROS_TIER4
    if (features_->get_subscription_count() > 0) {
        const std::string wrong = groups_.make(context_.get(), found_);
        if (!wrong.empty()) return wrong;
        features_->publish(clump_ros::objects_with_feature(message, view_, found_, groups_));
    }
#endif
    return "";
}

void Detector::diagnose()
{
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    diagnostic_msgs::msg::DiagnosticArray message;
    message.header.stamp = now();
    message.status.push_back(latency_.status(std::string(get_fully_qualified_name()) + ": " + settings_.job));
    diagnostics_->publish(message);
}

} // namespace clump

RCLCPP_COMPONENTS_REGISTER_NODE(clump::Detector)
