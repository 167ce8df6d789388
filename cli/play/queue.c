/* SPDX-License-Identifier: BSD-3-Clause
 *
 * queue.c: see play.h.
 */
#include "play/play.h"

#include "common/assert.h"

#include <stdlib.h>

bool cli_queue_begin(cli_queue *queue, size_t capacity)
{
    CLUMP_ASSERT(capacity >= 1);
    *queue = (cli_queue){.items = calloc(capacity, sizeof *queue->items), .capacity = capacity};
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    return queue->items != NULL;
}

void cli_queue_release(cli_queue *queue)
{
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    free(queue->items);
    *queue = (cli_queue){0};
}

static void append(cli_queue *queue, void *item)
{
    CLUMP_ASSERT(queue->count < queue->capacity);
    queue->items[(queue->first + queue->count++) % queue->capacity] = item;
}

static void *take(cli_queue *queue)
{
    CLUMP_ASSERT(queue->count > 0);
    void *const item = queue->items[queue->first];
    queue->first = (queue->first + 1) % queue->capacity;
    queue->count--;
    return item;
}

bool cli_queue_push(cli_queue *queue, void *item)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->count == queue->capacity && !queue->ended) pthread_cond_wait(&queue->changed, &queue->lock);
    const bool taken = !queue->ended;
    if (taken) append(queue, item);
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return taken;
}

void *cli_queue_push_newest(cli_queue *queue, void *item)
{
    pthread_mutex_lock(&queue->lock);
    void *dropped = NULL;
    if (queue->ended) {
        dropped = item;
    } else {
        if (queue->count == queue->capacity) dropped = take(queue);
        append(queue, item);
    }
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return dropped;
}

void *cli_queue_pop(cli_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->count == 0 && !queue->ended) pthread_cond_wait(&queue->changed, &queue->lock);
    void *const item = queue->count > 0 ? take(queue) : NULL;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return item;
}

void cli_queue_end(cli_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->ended = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}
