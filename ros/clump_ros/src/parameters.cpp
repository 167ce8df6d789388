/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parameters.cpp: see parameters.hpp.
 */
#include "parameters.hpp"

#include <clump/info.h>
#include <clump/options.h>

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <limits>

namespace clump_ros
{
namespace
{

using rcl_interfaces::msg::ParameterDescriptor;
using rclcpp::Parameter;
using rclcpp::ParameterType;
using rclcpp::ParameterValue;

/* A table of the library, and where its struct is. `only` and `without` name one row. */
struct Table {
    const char *prefix, *name;
    size_t at;
    const char *only, *without;
};

#define AT(member) offsetof(Settings, member)
const Table tables[] = {
    {"", "clustering", AT(detect.common), nullptr, nullptr},
    {"", "detect", AT(detect), nullptr, nullptr},
    {"ground.", "ground", AT(detect.ground), nullptr, "sensor"},
    {"dbscan.", "dbscan", AT(detect.dbscan), nullptr, nullptr},
    {"erccl.", "erccl", AT(detect.erccl), nullptr, nullptr},
    {"objects.", "objects", AT(detect.objects), nullptr, "columns"},
    {"objects.", "clustering", AT(detect.objects.common), "eps_per_metre", nullptr},
    {"odometry.", "odometry", AT(odometry), nullptr, nullptr},
};
#undef AT

/* What the program has no option for, or says in another place. */
const char *const descriptions[][2] = {
    {"d", "Euclidean clustering: points closer than this are neighbours; DBSCAN: the radius eps"},
    {"min_points", "DBSCAN: a point with this number of points within eps, itself included, is a core point"},
    {"eps_per_metre", "the distance is at least this times the range from the sensor (0: it is the same everywhere)"},
    {"thin", "cluster one point per voxel of this side, the others get its label (0: all points)"},
    {"sensor", "position of the sensor in the coordinates of the points"},
    {"erccl.extent", "length of the map along x"},
    {"erccl.extent_columns", "length of the map along y (0: as erccl.extent)"},
    {"objects.d", "radius of a point near the sensor"},
    {"objects.eps_per_metre", "the radius is at least this times the range from the sensor"},
};

struct Job {
    const char *name;
    clump_detect_method method;
    bool removes_ground;
};
const Job jobs[] = {{"detect", CLUMP_DETECT_EC, true},
                    {"objects", CLUMP_DETECT_OBJECTS, true},
                    {"ec", CLUMP_DETECT_EC, false},
                    {"dbscan", CLUMP_DETECT_DBSCAN, false},
                    {"erccl", CLUMP_DETECT_ERCCL, true}};

template <typename Use> void each_row(const Use &use)
{
    for (const Table &table : tables) {
        const clump_option_table *const rows = clump_option_table_named(table.name);
        for (size_t i = 0; rows && i < rows->count; i++) {
            const std::string name = rows->rows[i].name;
            if (table.only ? name == table.only : !table.without || name != table.without)
                use(table.prefix + name, rows->rows[i], table.at + rows->rows[i].offset);
        }
    }
}

template <typename T> T &member(Settings &settings, size_t at)
{
    return *reinterpret_cast<T *>(reinterpret_cast<char *>(&settings) + at);
}

ParameterValue value_of(const clump_option &row, Settings &settings, size_t at)
{
    switch (row.kind) {
    case CLUMP_OPTION_BOOL:
        return ParameterValue(member<bool>(settings, at));
    case CLUMP_OPTION_FLOAT: /* the default as it is written: 0.2, not the float that is nearest to it */
        return ParameterValue(member<float>(settings, at) == static_cast<float>(row.usual)
                                  ? row.usual
                                  : std::stod(std::to_string(member<float>(settings, at))));
    case CLUMP_OPTION_DOUBLE:
        return ParameterValue(member<double>(settings, at));
    case CLUMP_OPTION_INT:
        return ParameterValue(static_cast<int64_t>(member<int>(settings, at)));
    case CLUMP_OPTION_SIZE:
        return ParameterValue(static_cast<int64_t>(member<size_t>(settings, at)));
    case CLUMP_OPTION_CHOICE:
        return ParameterValue(std::string(row.choice(member<int>(settings, at))));
    case CLUMP_OPTION_POINT:
        break;
    }
    const float *const point = &member<float>(settings, at);
    return ParameterValue(std::vector<double>{point[0], point[1], point[2]});
}

std::string set_value(const clump_option &row, const Parameter &parameter, Settings &settings, size_t at)
{
    switch (row.kind) {
    case CLUMP_OPTION_BOOL:
        member<bool>(settings, at) = parameter.as_bool();
        return "";
    case CLUMP_OPTION_FLOAT:
        member<float>(settings, at) = static_cast<float>(parameter.as_double());
        return "";
    case CLUMP_OPTION_DOUBLE:
        member<double>(settings, at) = parameter.as_double();
        return "";
    case CLUMP_OPTION_INT:
        member<int>(settings, at) = static_cast<int>(parameter.as_int());
        return "";
    case CLUMP_OPTION_SIZE:
        member<size_t>(settings, at) = static_cast<size_t>(parameter.as_int());
        return "";
    case CLUMP_OPTION_CHOICE:
        for (int i = 0; row.choice(i); i++)
            if (parameter.as_string() == row.choice(i)) {
                member<int>(settings, at) = i;
                return "";
            }
        return parameter.get_name() + " cannot be '" + parameter.as_string() + "'";
    case CLUMP_OPTION_POINT:
        break;
    }
    const std::vector<double> point = parameter.as_double_array();
    if (point.size() != 3) return parameter.get_name() + " needs three numbers: x, y, z";
    for (size_t k = 0; k < 3; k++) (&member<float>(settings, at))[k] = static_cast<float>(point[k]);
    return "";
}

/* The help of the program, without the default, which ROS shows itself. Where it has a letter for the value, that is said. */
std::string describe(const std::string &name, const clump_option &row)
{
    for (const auto &text : descriptions)
        if (name == text[0]) return text[1];
    std::string text = row.help ? row.help : row.noun ? row.noun : "";
    for (const char *part : {" (default {})", "(default {}, ", "{what}"}) {
        const size_t at = text.find(part);
        if (at != std::string::npos)
            text.replace(at, std::string(part).size(), part[0] == '{' ? "clusters" : part[0] == '(' ? "(0: " : "");
    }
    const bool has_letter =
        row.argument && (" " + text + " ").find(std::string(" ") + row.argument + " ") != std::string::npos;
    return has_letter ? text + "; " + row.argument + " is the value" : text;
}

ParameterDescriptor descriptor_of(const std::string &name, const clump_option &row)
{
    ParameterDescriptor descriptor;
    descriptor.description = describe(name, row);
    if (row.kind == CLUMP_OPTION_CHOICE)
        for (int i = 0; row.choice(i); i++)
            descriptor.additional_constraints += (i > 0 ? ", " : "one of ") + std::string(row.choice(i));
    const bool from_0 = row.bounds == CLUMP_BOUNDS_ABOVE_0 || row.bounds == CLUMP_BOUNDS_FROM_0;
    if (row.bounds == CLUMP_BOUNDS_ABOVE_0) descriptor.additional_constraints = "above 0";
    const double most = row.bounds == CLUMP_BOUNDS_RANGE || from_0 ? row.most : DBL_MAX;
    if (row.kind == CLUMP_OPTION_INT || row.kind == CLUMP_OPTION_SIZE) {
        descriptor.integer_range.resize(1);
        descriptor.integer_range[0].from_value = static_cast<int64_t>(row.least);
        descriptor.integer_range[0].to_value = static_cast<int64_t>(std::min(most, 2147483647.0));
    } else if (row.bounds == CLUMP_BOUNDS_RANGE || from_0) {
        descriptor.floating_point_range.resize(1);
        descriptor.floating_point_range[0].from_value = row.bounds == CLUMP_BOUNDS_RANGE ? row.least : 0;
        descriptor.floating_point_range[0].to_value = std::min(most, DBL_MAX);
    }
    return descriptor;
}

ParameterDescriptor described(const std::string &text, const std::string &constraints = "")
{
    ParameterDescriptor descriptor;
    descriptor.description = text;
    descriptor.additional_constraints = constraints;
    return descriptor;
}

/* The region as one array: lower x y z, upper x y z. */
std::vector<double> region_of(const clump_region &region)
{
    std::vector<double> box(region.lower, region.lower + 3);
    box.insert(box.end(), region.upper, region.upper + 3);
    return box;
}

/* Sets the method and the ground of the job. */
std::string choose_job(Settings &settings)
{
    for (const Job &job : jobs) {
        if (settings.job != job.name) continue;
        const char *const automatic = job.removes_ground ? "grid" : "none";
        const std::string ground = settings.ground == "auto" ? automatic : settings.ground;
        if (!clump_ground_method_from_name(ground.c_str(), &settings.detect.ground.method))
            return "ground.method cannot be '" + ground + "'";
        settings.detect.method = job.method;
        return "";
    }
    return "there is no job '" + settings.job + "'";
}

/* Finds the table of classes. */
std::string choose_classes(Settings &settings)
{
    settings.table = clump_classes{};
    if (settings.classes.empty()) return "";
    settings.table.rows = clump_classes_builtin(settings.classes.c_str(), &settings.table.count);
    return settings.table.rows ? "" : "there is no table of classes '" + settings.classes + "'";
}

/* The settings that are no options of the library, or have no row there. Returns whether the name is one of them. */
bool change_own(Settings &settings, const Parameter &parameter, std::string &wrong)
{
    const std::string &name = parameter.get_name();
    clump_region &region = settings.detect.region;
    if (name == "region.box") {
        const std::vector<double> box = parameter.as_double_array();
        if (box.size() != 6) wrong = "region.box needs six numbers: the least x, y, z and the largest";
        for (size_t k = 0; k < 3 && box.size() == 6; k++) {
            region.lower[k] = static_cast<float>(box[k]);
            region.upper[k] = static_cast<float>(box[k + 3]);
        }
        return true;
    }
    if (name == "job") return settings.job = parameter.as_string(), true;
    if (name == "classes") return settings.classes = parameter.as_string(), true;
    if (name == "class_field") return settings.class_field = parameter.as_string(), true;
    if (name == "ground.method") return settings.ground = parameter.as_string(), true;
    if (name == "region.min_range") return region.min_range = static_cast<float>(parameter.as_double()), true;
    if (name == "region.max_range") return region.max_range = static_cast<float>(parameter.as_double()), true;
    if (name == "deadline_ms") return settings.deadline_ms = parameter.as_double(), true;
    if (name == "track") return settings.track = parameter.as_bool(), true;
    if (name == "odometry.enable") return settings.odometry_on = parameter.as_bool(), true;
    if (name == "odometry.tf") return settings.odometry_tf = parameter.as_bool(), true;
    if (name == "odometry.frame") return settings.odometry_frame = parameter.as_string(), true;
    if (name == "odometry.base_frame") return settings.base_frame = parameter.as_string(), true;
    return false;
}

void declare_own(rclcpp_lifecycle::LifecycleNode &node)
{
    const clump_region region = clump_detect_defaults().region;
    node.declare_parameter("job", "detect",
                           described("what is done with a scan", "one of detect, objects, ec, dbscan, erccl"));
    node.declare_parameter(
        "ground.method", "auto",
        described("how ground is found; auto is grid, and none for ec and dbscan", "one of auto, grid, peak, none"));
    node.declare_parameter("classes", "",
                           described("clusters per class of the points, by this table (empty: points have no classes)",
                                     "empty, semantickitti or nuscenes"));
    node.declare_parameter("class_field", "semantic", described("the field with the class of each point"));
    node.declare_parameter("region.box", region_of(region),
                           described("only points in this box: the least x, y, z and the largest"));
    node.declare_parameter("region.min_range", static_cast<double>(region.min_range),
                           described("only points at least this far from the sensor"));
    node.declare_parameter("region.max_range", static_cast<double>(region.max_range),
                           described("only points at most this far from the sensor"));
    node.declare_parameter("deadline_ms", 100.0,
                           described("results later than this after the stamp are counted in the diagnostics"));
    node.declare_parameter("track", false, described("give objects identities and velocities over time"));
    node.declare_parameter("odometry.enable", false, described("publish the motion of the sensor, from its scans"));
    node.declare_parameter("odometry.tf", true, described("publish it as a transform, too"));
    node.declare_parameter("odometry.frame", "odom", described("name of the frame that stands still"));
    node.declare_parameter("odometry.base_frame", "",
                           described("whose motion is published (empty: the frame of the points)"));
}

} // namespace

Settings declare_settings(rclcpp_lifecycle::LifecycleNode &node)
{
    Settings settings{};
    settings.detect = clump_detect_defaults();
    settings.odometry = clump_odometry_defaults();
    std::vector<std::string> names;
    each_row([&](const std::string &name, const clump_option &row, size_t at) {
        node.declare_parameter(name, value_of(row, settings, at), descriptor_of(name, row));
        names.push_back(name);
    });
    declare_own(node);
    for (const char *name :
         {"job", "classes", "class_field", "ground.method", "region.box", "region.min_range", "region.max_range",
          "deadline_ms", "track", "odometry.enable", "odometry.tf", "odometry.frame", "odometry.base_frame"})
        names.push_back(name);
    const std::string wrong = change_settings(settings, node.get_parameters(names));
    if (!wrong.empty()) throw rclcpp::exceptions::InvalidParameterValueException(wrong);
    return settings;
}

std::string change_settings(Settings &settings, const std::vector<Parameter> &parameters)
{
    std::string wrong;
    for (const Parameter &parameter : parameters) {
        if (change_own(settings, parameter, wrong)) {
            if (!wrong.empty()) return wrong;
            continue;
        }
        each_row([&](const std::string &name, const clump_option &row, size_t at) {
            if (wrong.empty() && name == parameter.get_name()) wrong = set_value(row, parameter, settings, at);
        });
        if (!wrong.empty()) return wrong;
    }
    wrong = choose_classes(settings);
    return wrong.empty() ? choose_job(settings) : wrong;
}

std::string refused(clump_context *context, const Settings &settings)
{
    int32_t count = 0;
    clump_detect_options options = settings.detect;
    if (settings.table.rows) options.common.classes = &settings.table;
    if (clump_detect(context, clump_points{}, &options, nullptr, nullptr, 0, &count) != CLUMP_OK)
        return clump_context_error(context);
    clump_odometry *odometry = nullptr;
    const clump_status status = clump_odometry_create(context, &settings.odometry, &odometry);
    clump_odometry_destroy(odometry);
    return status == CLUMP_OK ? "" : clump_context_error(context);
}

} // namespace clump_ros
