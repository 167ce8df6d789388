/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_objects.h: the objects that TRAVEL (Oh et al. 2022) computes entropies over. SemanticKITTI has instances of cars and
 * people only. So an object is a Euclidean cluster of points of one class and one instance that are not ground.
 */
#ifndef CLUMP_CLI_EVAL_OBJECTS_H
#define CLUMP_CLI_EVAL_OBJECTS_H

#include "base/cli.h"
#include "eval/eval.h"

/* The distance in metres, and the least and largest number of points, of the published evaluation. */
#define CLI_EVAL_OBJECT_DISTANCE 1.0f
enum { CLI_EVAL_OBJECT_LEAST = 10, CLI_EVAL_OBJECT_MOST = 300000 };

/* Sets objects[i] to the object of each point, numbered from 0, or to -1. words[i] is instance << 16 | class. Points that
 * are not judged are in no object. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_eval_find_objects(const cli_eval_input *in, const clump_cloud *cloud, const uint32_t *words, int32_t *objects);

#endif
