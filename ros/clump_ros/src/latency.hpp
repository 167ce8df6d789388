/* SPDX-License-Identifier: BSD-3-Clause
 *
 * latency.hpp: how late results are and what was lost, as diagnostics.
 */
#ifndef CLUMP_ROS_LATENCY_HPP
#define CLUMP_ROS_LATENCY_HPP

#include <diagnostic_msgs/msg/diagnostic_array.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace clump_ros
{

class Latency
{
  public:
    /* A scan arrived. Where the gap to the one before is longer than those of late, scans in between were lost. */
    void arrived(int64_t stamp);
    void refused(const std::string &why);
    /* Its results are out, this long after its stamp; the call of the library took work_ms. */
    void published(double latency_ms, double work_ms, double deadline_ms, size_t points, size_t clusters);

    /* What is known now. It warns where scans were lost, refused or late since the last call. */
    diagnostic_msgs::msg::DiagnosticStatus status(const std::string &name);

  private:
    static constexpr size_t kept = 512, periods = 32;

    uint64_t frames_ = 0, lost_ = 0, refused_ = 0, late_ = 0;
    uint64_t told_lost_ = 0, told_refused_ = 0, told_late_ = 0, told_frames_ = 0;
    int64_t last_stamp_ = 0;
    size_t points_ = 0, clusters_ = 0;
    std::string why_;
    std::vector<double> latency_, work_; /* the last `kept` */
    std::vector<int64_t> period_;        /* the last `periods` */
    size_t next_period_ = 0;
};

} // namespace clump_ros

#endif
