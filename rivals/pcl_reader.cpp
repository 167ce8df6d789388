// SPDX-License-Identifier: BSD-3-Clause
//
// PCL's readers of PCD and PLY, from the distribution's library: they are no templates, so compiling them here would
// change nothing. load() stops at PCL's untyped cloud, the least PCL can do. load_points() goes on to a cloud of
// PointXYZI, which is what its users have.
#include "rivals/rival.h"

#include <pcl/console/print.h>
#include <pcl/conversions.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/pcl_config.h>
#include <pcl/point_types.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <string>

namespace
{

using blob = pcl::PCLPointCloud2;

bool is_ply(const std::string &path)
{
    return path.size() > 4 && path.compare(path.size() - 4, 4, ".ply") == 0;
}

// The cloud as points of a type; 0: done.
template <class Point> int load_typed(const std::string &path, pcl::PointCloud<Point> &cloud)
{
    return is_ply(path) ? pcl::io::loadPLYFile(path, cloud) : pcl::io::loadPCDFile(path, cloud);
}

bool read(const std::string &path, blob &cloud)
{
    Eigen::Vector4f origin;
    Eigen::Quaternionf orientation;
    int version = 0;
    if (!is_ply(path)) return pcl::PCDReader().read(path, cloud, origin, orientation, version) == 0;
    return pcl::PLYReader().read(path, cloud, origin, orientation, version) == 0;
}

void *load(const char *path)
try {
    pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
    auto cloud = std::make_unique<blob>();
    return read(path, *cloud) ? cloud.release() : nullptr;
} catch (...) {
    return nullptr;
}

size_t points(const void *cloud)
{
    const auto *b = static_cast<const blob *>(cloud);
    return static_cast<size_t>(b->width) * b->height;
}

size_t fields(const void *cloud)
{
    return static_cast<const blob *>(cloud)->fields.size();
}

void field(const void *cloud, size_t index, clump_reader_field *out)
{
    const pcl::PCLPointField &from = static_cast<const blob *>(cloud)->fields[index];
    *out = clump_reader_field{};
    std::strncpy(out->name, from.name.c_str(), sizeof out->name - 1);
    switch (from.datatype) {
    case pcl::PCLPointField::INT8:
    case pcl::PCLPointField::INT16:
    case pcl::PCLPointField::INT32:
        out->kind = 'i';
        break;
    case pcl::PCLPointField::FLOAT32:
    case pcl::PCLPointField::FLOAT64:
        out->kind = 'f';
        break;
    default:
        out->kind = 'u';
    }
    out->size = static_cast<size_t>(pcl::getFieldSize(from.datatype));
    out->elements = from.count;
    out->offset = from.offset;
}

const unsigned char *record(const void *cloud, size_t point)
{
    const auto *b = static_cast<const blob *>(cloud);
    return b->data.data() + point * b->point_step;
}

void release(void *cloud)
{
    delete static_cast<blob *>(cloud);
}

size_t load_points(const char *path, double *seconds)
try {
    pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
    auto cloud = std::make_unique<pcl::PointCloud<pcl::PointXYZI>>();
    const auto begin = std::chrono::steady_clock::now();
    const int status = load_typed(path, *cloud);
    *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return status == 0 ? cloud->size() : SIZE_MAX;
} catch (...) {
    return SIZE_MAX;
}

size_t load_labels(const char *path, uint32_t *labels, size_t room)
try {
    pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
    pcl::PointCloud<pcl::PointXYZL> cloud;
    if (load_typed(path, cloud) != 0) return SIZE_MAX;
    for (size_t i = 0; i < cloud.size() && i < room; i++) labels[i] = cloud[i].label;
    return cloud.size();
} catch (...) {
    return SIZE_MAX;
}

const clump_reader reader = {CLUMP_READER_INTERFACE,
                             "pcl",
                             "PCL " PCL_VERSION_PRETTY,
                             load,
                             points,
                             fields,
                             field,
                             record,
                             release,
                             load_points,
                             load_labels};

} // namespace

extern "C" __attribute__((visibility("default"))) const clump_reader *clump_reader_get()
{
    return &reader;
}
