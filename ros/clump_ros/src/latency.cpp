/* SPDX-License-Identifier: BSD-3-Clause
 *
 * latency.cpp: see latency.hpp.
 */
#include "latency.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace clump_ros
{
namespace
{

void add(diagnostic_msgs::msg::DiagnosticStatus &status, const char *key, const std::string &value)
{
    status.values.emplace_back();
    status.values.back().key = key;
    status.values.back().value = value;
}

std::string decimal(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

/* The least value that a share of the values does not exceed. */
double percentile(std::vector<double> values, double share)
{
    if (values.empty()) return 0;
    const auto at = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(values.size()))) - 1;
    std::nth_element(values.begin(), values.begin() + std::max<std::ptrdiff_t>(at, 0), values.end());
    return values[static_cast<size_t>(std::max<std::ptrdiff_t>(at, 0))];
}

} // namespace

void Latency::arrived(int64_t stamp)
{
    const int64_t gap = stamp - last_stamp_;
    if (last_stamp_ != 0 && gap > 0) {
        if (!period_.empty()) {
            std::vector<int64_t> sorted = period_; /* the shorter gaps: longer ones can be those of lost scans */
            std::sort(sorted.begin(), sorted.end());
            const int64_t period = sorted[sorted.size() / 4], missing = (gap + period / 2) / period - 1;
            if (missing > 0) lost_ += static_cast<uint64_t>(missing);
        }
        if (period_.size() < periods) period_.resize(period_.size() + 1);
        period_[next_period_++ % periods] = gap;
    }
    if (gap <= 0) period_.clear(), next_period_ = 0; /* a recording that begins anew */
    last_stamp_ = stamp;
}

void Latency::refused(const std::string &why)
{
    refused_++;
    why_ = why;
}

void Latency::published(double latency_ms, double work_ms, double deadline_ms, size_t points, size_t clusters)
{
    const size_t at = frames_++ % kept;
    latency_.resize(std::max(latency_.size(), at + 1));
    work_.resize(latency_.size());
    latency_[at] = latency_ms;
    work_[at] = work_ms;
    late_ += deadline_ms > 0 && latency_ms > deadline_ms;
    points_ = points;
    clusters_ = clusters;
}

diagnostic_msgs::msg::DiagnosticStatus Latency::status(const std::string &name)
{
    diagnostic_msgs::msg::DiagnosticStatus status;
    status.name = name;
    status.hardware_id = "none";
    status.level = status.OK;
    status.message = std::to_string(frames_ - told_frames_) + " scans";
    if (frames_ == told_frames_) status.level = status.WARN, status.message = "no scans";
    if (late_ > told_late_) status.level = status.WARN, status.message = "results are late";
    if (lost_ > told_lost_) status.level = status.WARN, status.message = "scans are lost";
    if (refused_ > told_refused_) status.level = status.ERROR, status.message = why_;
    told_lost_ = lost_, told_refused_ = refused_, told_late_ = late_, told_frames_ = frames_;
    add(status, "scans", std::to_string(frames_));
    add(status, "scans lost", std::to_string(lost_));
    add(status, "scans refused", std::to_string(refused_));
    add(status, "deadlines missed", std::to_string(late_));
    const struct {
        const char *key;
        double share;
    } shares[] = {{"50", 0.5}, {"90", 0.9}, {"99", 0.99}, {"100", 1}};
    for (const auto &each : shares) {
        add(status, (std::string("latency p") + each.key + ", ms").c_str(), decimal(percentile(latency_, each.share)));
        add(status, (std::string("work p") + each.key + ", ms").c_str(), decimal(percentile(work_, each.share)));
    }
    add(status, "points", std::to_string(points_));
    add(status, "clusters", std::to_string(clusters_));
    return status;
}

} // namespace clump_ros
