/* SPDX-License-Identifier: BSD-3-Clause
 *
 * joint.c: the public clump_joint: pieces in memory, added by any thread, merged once.
 */
#include "joint/joint.h"

#include "common/assert.h"

#include <inttypes.h>
#include <string.h>

#define JOINT_BYTES ((sizeof(clump_joint) + 63) / 64 * 64)
#define JOINT_PART  ((sizeof(clump_joint_part) + 63) / 64 * 64)

clump_status clump_joint_create(clump_context *ctx, const clump_joint_settings *settings, clump_joint **out)
{
    if (out) *out = NULL;
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_joint_create"));
    if (!out) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: out is null", ctx->work.call);
    CLUMP_TRY(clump_joint_check(&ctx->work, settings));
    clump_joint *const joint = ctx->work.memory.allocate(JOINT_BYTES, 64, ctx->work.memory.user);
    if (!joint)
        return clump_fail(&ctx->work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated",
                          JOINT_BYTES);
    memset(joint, 0, sizeof *joint);
    joint->home.memory = ctx->work.memory;
    joint->home.hash_key = ctx->work.hash_key;
    joint->settings = *settings;
    pthread_mutex_init(&joint->lock, NULL);
    *out = joint;
    return CLUMP_OK;
}

static void destroy_part(clump_joint_part *part)
{
    const clump_allocator memory = part->memory;
    clump_piece_destroy(part->piece);
    memory.release(part, part->bytes, memory.user);
}

void clump_joint_destroy(clump_joint *joint)
{
    if (!joint) return;
    while (joint->last) {
        clump_joint_part *const part = joint->last;
        joint->last = part->before;
        destroy_part(part);
    }
    clump_buffer_release(&joint->home, &joint->parts);
    clump_buffer_release(&joint->home, &joint->numbers);
    CLUMP_ASSERT(joint->home.host_bytes == 0);
    pthread_mutex_destroy(&joint->lock);
    const clump_allocator memory = joint->home.memory;
    memory.release(joint, JOINT_BYTES, memory.user);
}

double clump_joint_reach(const clump_joint *joint)
{
    return joint ? clump_joint_reach_of(&joint->settings) : 0;
}

/* Allocates a part with room for the labels of `own` points, and for their indices if they are to be kept. */
static clump_status make_part(clump_context *ctx, size_t own, bool indices, clump_joint_part **out)
{
    const size_t wide = indices ? own * sizeof(int64_t) : 0;
    const size_t bytes = JOINT_PART + (wide + own * sizeof(int32_t) + 63) / 64 * 64;
    clump_joint_part *const part = ctx->work.memory.allocate(bytes, 64, ctx->work.memory.user);
    if (!part)
        return clump_fail(&ctx->work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated", bytes);
    char *const arrays = (char *)part + JOINT_PART;
    *part = (clump_joint_part){.memory = ctx->work.memory,
                               .bytes = bytes,
                               .indices = indices ? (int64_t *)(void *)arrays : NULL,
                               .labels = (int32_t *)(void *)(arrays + wide)};
    *out = part;
    return CLUMP_OK;
}

static clump_status refuse_finished(clump_context *ctx)
{
    return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: the joint is finished, no piece can be added any more",
                      ctx->work.call);
}

/* Puts a part into the joint, unless that is finished. */
static bool append(clump_joint *joint, clump_joint_part *part, int64_t *number)
{
    pthread_mutex_lock(&joint->lock);
    const bool open = !joint->finished;
    if (open) {
        part->number = joint->part_count++;
        part->before = joint->last;
        joint->last = part;
        if (number) *number = part->number;
    }
    pthread_mutex_unlock(&joint->lock);
    return open;
}

clump_status clump_joint_add(clump_context *ctx, clump_joint *joint, clump_points points, size_t own,
                             const int64_t *indices, int64_t *piece)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_joint_add"));
    if (!joint) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: joint is null", ctx->work.call);
    if (own > points.count)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: %zu own points, but the piece has %zu points",
                          ctx->work.call, own, points.count);
    if (own > INT32_MAX)
        return clump_fail(&ctx->work, CLUMP_ERR_TOO_MANY, "%s: %zu points, at most %d fit into one piece",
                          ctx->work.call, own, INT32_MAX);
    clump_joint_part *part = NULL;
    const bool all_core = joint->settings.min_points == 0;
    CLUMP_TRY(make_part(ctx, own, all_core, &part));
    clump_status status =
        clump_piece_run(ctx, &joint->settings, points, own, indices, NULL, all_core, part->labels, &part->piece);
    if (status == CLUMP_OK && all_core && own > 0) memcpy(part->indices, indices, own * sizeof *indices);
    if (status == CLUMP_OK && !append(joint, part, piece)) status = refuse_finished(ctx);
    if (status != CLUMP_OK) destroy_part(part);
    return status;
}

/* Lists the parts by number. */
static clump_status list_parts(clump_joint *joint)
{
    CLUMP_TRY(
        clump_buffer_reserve(&joint->home, &joint->parts, (size_t)joint->part_count * sizeof(clump_joint_part *)));
    clump_joint_part **const parts = joint->parts.data;
    for (clump_joint_part *part = joint->last; part; part = part->before) parts[part->number] = part;
    return CLUMP_OK;
}

clump_status clump_joint_finish(clump_context *ctx, clump_joint *joint, int64_t *clusters)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_joint_finish"));
    if (!joint) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: joint is null", ctx->work.call);
    pthread_mutex_lock(&joint->lock);
    clump_status status = CLUMP_OK;
    if (!joint->finished) {
        joint->home.team = ctx->work.team; /* for polls during this call only */
        joint->home.call = ctx->work.call;
        joint->home.error[0] = '\0';
        status = list_parts(joint);
        if (status == CLUMP_OK) status = clump_joint_merge(joint);
        joint->finished = status == CLUMP_OK;
        joint->home.team = NULL;
        if (status != CLUMP_OK) memcpy(ctx->work.error, joint->home.error, sizeof ctx->work.error);
    }
    if (status == CLUMP_OK && clusters) *clusters = joint->clusters;
    pthread_mutex_unlock(&joint->lock);
    return status;
}

clump_status clump_joint_labels(clump_context *ctx, const clump_joint *joint, int64_t piece, int64_t *labels)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_joint_labels"));
    if (!joint) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: joint is null", ctx->work.call);
    if (!joint->finished)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: the joint is not finished (clump_joint_finish)",
                          ctx->work.call);
    if (piece < 0 || piece >= joint->part_count)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "%s: there is no piece number %" PRId64 ", there are %" PRId64, ctx->work.call, piece,
                          joint->part_count);
    const clump_joint_part *const part = ((clump_joint_part *const *)joint->parts.data)[piece];
    if (!labels && part->piece->own > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: labels is null", ctx->work.call);
    const int64_t *const numbers = (const int64_t *)joint->numbers.data + part->base;
    for (size_t i = 0; i < part->piece->own; i++)
        labels[i] = part->labels[i] < 0 ? CLUMP_NOISE : numbers[part->labels[i]];
    return CLUMP_OK;
}
