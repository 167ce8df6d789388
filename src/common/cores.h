/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cores.h: how many processors there are to use. Linux limits them in two ways: the affinity mask of a thread names
 * processors, and the CPU quotas of control groups (cgroups) limit the time on them. Containers use both.
 */
#ifndef CLUMP_COMMON_CORES_H
#define CLUMP_COMMON_CORES_H

/* Returns the number of processors that the calling thread may run on, at least 1. */
int clump_cores_allowed(void);

/* Returns the number of processors of the machine that are online, at least 1. */
int clump_cores_online(void);

/* Returns how many threads the CPU quotas allow, rounded up: 2 for 1.5 processors. The smallest quota of the process's
 * cgroup and its ancestors counts, in versions 1 and 2. 0: there is no quota, or none that can be read. `root` is the
 * folder in which /proc and the cgroup mounts are looked up: "" outside of tests. */
int clump_cores_quota(const char *root);

/* Returns how many threads can run at once that inherit the mask of the calling thread, within the quotas; at least 1. */
int clump_cores(void);

/* Returns how many threads can run at once that have masks of their own, within the quotas; at least 1. */
int clump_cores_for_others(void);

#endif
