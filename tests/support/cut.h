/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cut.h: cuts a cloud into pieces at random, for the tests of pieces: own points and rims of clump_joint_add().
 */
#ifndef CLUMP_TESTS_CUT_H
#define CLUMP_TESTS_CUT_H

#include <clump/joint.h>

typedef enum cut_kind {
    CUT_BOXES,     /* boxes of a random k-d tree, rims of a given width around each */
    CUT_COARSE,    /* random sets of coarse cells, rims by voxels (rules/tiles.h) */
    CUT_SCATTERED, /* any point in any piece; rims of the points that are near one of the own, and no other */
    CUT_KINDS
} cut_kind;

#define CUT_PIECES 64 /* at most */

typedef struct cut_box {
    float low[3], high[3]; /* low <= x < high */
} cut_box;

typedef struct cut {
    size_t points;
    int pieces;
    int *owner; /* per point: its piece */
    /* Per piece: points, own ones first and ascending, then the rim in any order. */
    size_t own[CUT_PIECES], count[CUT_PIECES];
    size_t *members[CUT_PIECES];
} cut;

/* Cuts. Points that are not finite go to any piece. `width` replaces the reach of CUT_BOXES and CUT_SCATTERED; 0: the
 * reach of the settings. one_sided: rims have only points of pieces before. */
cut cut_make(cut_kind kind, const float *xyz, size_t count, const clump_joint_settings *settings, double width,
             bool one_sided, uint64_t *random);
void cut_free(cut *c);

/* Copies the points of a piece, three floats each, and their indices: point * step + base. */
void cut_copy(const cut *c, int piece, const float *xyz, int64_t step, int64_t base, float *points, int64_t *indices);

#endif
