/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cloud_view.cpp: see cloud_view.hpp.
 */
#include "cloud_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace clump_ros
{
namespace
{

constexpr uint32_t most_rows = 256; /* an organised cloud with more is the image of a camera */

bool host_is_big_endian()
{
    const uint16_t one = 1;
    unsigned char first = 0;
    std::memcpy(&first, &one, 1);
    return first == 0;
}

size_t size_of(uint8_t datatype)
{
    static constexpr size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return datatype < sizeof sizes / sizeof *sizes ? sizes[datatype] : 0;
}

template <typename T> double number(const uint8_t *bytes, bool swapped)
{
    T value;
    uint8_t order[sizeof value];
    for (size_t i = 0; i < sizeof value; i++) order[i] = bytes[swapped ? sizeof value - 1 - i : i];
    std::memcpy(&value, order, sizeof value);
    return static_cast<double>(value);
}

} // namespace

const PointField *CloudView::find(const char *name) const
{
    for (const auto &field : message_->fields)
        if (field.name == name) return &field;
    return nullptr;
}

std::string CloudView::check(const PointField &field) const
{
    const size_t size = size_of(field.datatype);
    if (size == 0)
        return "the field " + field.name + " has the datatype " + std::to_string(field.datatype) +
               ", which does not exist";
    if (size > step_ || field.offset > step_ - size)
        return "the field " + field.name + " lies outside the " + std::to_string(step_) + " bytes of a point";
    return "";
}

/* Where the points are: all sizes are checked before a byte is read. */
std::string CloudView::measure(const PointCloud2 &message)
{
    const uint64_t count = static_cast<uint64_t>(message.width) * message.height;
    message_ = &message;
    width_ = std::max(message.width, 1u);
    step_ = message.point_step;
    swapped_ = message.is_bigendian != host_is_big_endian();
    points_ = {};
    if (count > static_cast<uint64_t>(std::numeric_limits<int32_t>::max()))
        return "the message announces " + std::to_string(count) + " points, more than 2147483647";
    const uint64_t row = static_cast<uint64_t>(message.width) * step_;
    row_step_ = message.height > 1 && message.row_step > row ? message.row_step : row;
    even_ = row_step_ == row;
    const uint64_t needed = count == 0 ? 0 : (message.height - 1) * static_cast<uint64_t>(row_step_) + row;
    if (count > 0 && step_ == 0) return "the message has points of 0 bytes";
    if (message.data.size() < needed)
        return "the message announces " + std::to_string(needed) + " bytes of points and has " +
               std::to_string(message.data.size());
    points_.count = static_cast<size_t>(count);
    return "";
}

double CloudView::value(const PointField &field, size_t i) const
{
    const uint8_t *const bytes = record(i) + field.offset;
    switch (field.datatype) {
    case PointField::INT8:
        return number<int8_t>(bytes, swapped_);
    case PointField::UINT8:
        return number<uint8_t>(bytes, swapped_);
    case PointField::INT16:
        return number<int16_t>(bytes, swapped_);
    case PointField::UINT16:
        return number<uint16_t>(bytes, swapped_);
    case PointField::INT32:
        return number<int32_t>(bytes, swapped_);
    case PointField::UINT32:
        return number<uint32_t>(bytes, swapped_);
    case PointField::FLOAT32:
        return number<float>(bytes, swapped_);
    default:
        return number<double>(bytes, swapped_);
    }
}

void CloudView::copy_points(const PointField *const axes[3])
{
    copy_.resize(std::max<size_t>(3 * points_.count, 1));
    for (size_t i = 0; i < points_.count; i++)
        for (size_t k = 0; k < 3; k++) copy_[3 * i + k] = static_cast<float>(value(*axes[k], i));
    points_.xyz = copy_.data();
    points_.stride = 0;
}

std::string CloudView::read(const PointCloud2 &message)
{
    std::string wrong = measure(message);
    if (!wrong.empty() || points_.count == 0) return wrong;
    const PointField *axes[3];
    for (size_t k = 0; k < 3; k++) {
        const char name[] = {"xyz"[k], 0};
        axes[k] = find(name);
        if (!axes[k]) return std::string("the message has no field ") + name;
        wrong = check(*axes[k]);
        if (!wrong.empty()) return wrong;
    }
    const uint8_t *const first = message.data.data() + axes[0]->offset;
    const bool floats = std::all_of(axes, axes + 3, [](auto *axis) { return axis->datatype == PointField::FLOAT32; });
    const bool in_a_row = axes[1]->offset == axes[0]->offset + 4 && axes[2]->offset == axes[0]->offset + 8;
    if (floats && in_a_row && even_ && !swapped_ && step_ % 4 == 0 && reinterpret_cast<uintptr_t>(first) % 4 == 0) {
        points_.xyz = reinterpret_cast<const float *>(first);
        points_.stride = step_;
    } else {
        copy_points(axes);
    }
    return "";
}

/* A field of whole numbers from 0 to 65535 in a list; null where there is none, or where a point has no such number. */
const uint16_t *CloudView::numbers(const char *name, std::vector<uint16_t> &list) const
{
    const PointField *const field = points_.count > 0 ? find(name) : nullptr;
    if (!field || !check(*field).empty()) return nullptr;
    list.resize(points_.count);
    for (size_t i = 0; i < points_.count; i++) {
        const double number = value(*field, i);
        if (!(number >= 0 && number <= 65535) || number != std::floor(number)) return nullptr;
        list[i] = static_cast<uint16_t>(number);
    }
    return list.data();
}

const uint16_t *CloudView::rings()
{
    return numbers("ring", rings_);
}

const uint16_t *CloudView::classes(const std::string &name)
{
    return numbers(name.c_str(), classes_);
}

size_t CloudView::columns() const
{
    return message_ && message_->height > 1 && message_->height <= most_rows ? message_->width : 0;
}

const float *CloudView::times()
{
    const PointField *field = nullptr;
    for (const char *name : {"time", "t", "timestamp"})
        if (points_.count > 0 && !field) field = find(name);
    if (!field || !check(*field).empty()) return nullptr;
    const double stamp = message_->header.stamp.sec + 1e-9 * message_->header.stamp.nanosec;
    const double unit = field->datatype == PointField::UINT32 ? 1e-9 : 1;
    times_.resize(points_.count);
    for (size_t i = 0; i < points_.count; i++) {
        const double seconds = unit * value(*field, i);
        times_[i] = static_cast<float>(std::fabs(seconds) > 1e6 ? seconds - stamp : seconds);
    }
    return times_.data();
}

} // namespace clump_ros
