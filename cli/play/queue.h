/* SPDX-License-Identifier: BSD-3-Clause
 *
 * queue.h: a queue of pointers between two threads, with a bound. Memory is allocated once.
 */
#ifndef CLUMP_CLI_QUEUE_H
#define CLUMP_CLI_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cli_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void **items; /* a ring */
    size_t capacity, first, count;
    bool ended;
} cli_queue;

/* Makes a queue of at most `capacity` items, at least 1. False: no memory. cli_queue_release() follows in any case.
 * */
bool cli_queue_begin(cli_queue *queue, size_t capacity);
void cli_queue_release(cli_queue *queue);

/* Appends an item. Waits while the queue is full. False: the queue has been ended, and the item was not taken. */
bool cli_queue_push(cli_queue *queue, void *item);

/* Appends an item and never waits. Where the queue is full, takes the oldest item out and returns it; else null. An
 * ended queue returns the item itself. */
void *cli_queue_push_newest(cli_queue *queue, void *item);

/* Takes the oldest item. Waits while the queue is empty. Null: the queue is empty and has been ended. */
void *cli_queue_pop(cli_queue *queue);

/* No item is accepted any more. Those in the queue can still be taken. */
void cli_queue_end(cli_queue *queue);

#endif
