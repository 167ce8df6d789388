/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers.h: options of the papers' methods in tests, where options are copied freely:
 *
 *     PAPERS(options)->in_place = true;      // options has a copy of its own from now on
 *     if (papers_of(&options.common)->in_place) ...
 */
#ifndef CLUMP_TESTS_PAPERS_H
#define CLUMP_TESTS_PAPERS_H

#include <clump/papers.h>

enum { PAPERS_KEPT = 4096 }; /* copies that are kept; older ones are overwritten */

static inline clump_papers *papers_write(clump_clustering *common)
{
    static _Thread_local clump_papers kept[PAPERS_KEPT];
    static _Thread_local size_t used;
    clump_papers *const copy = &kept[used++ % PAPERS_KEPT];
    *copy = common->papers ? *common->papers : clump_papers_defaults();
    common->papers = copy;
    return copy;
}

static inline const clump_papers *papers_of(const clump_clustering *common)
{
    static _Thread_local clump_papers usual;
    usual = clump_papers_defaults();
    return common->papers ? common->papers : &usual;
}

#define PAPERS(options) papers_write(&(options).common)

#endif
