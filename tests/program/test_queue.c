/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_queue.c: the queues between the stages of `clump play` (cli/play/queue.c).
 */
#include "support/check.h"

#include "play/play.h"

static int items[10];

static void order_and_end(void)
{
    cli_queue queue;
    CHECK(cli_queue_begin(&queue, 3));
    for (int turn = 0; turn < 5; turn++) {
        for (int i = 0; i < 3; i++) CHECK(cli_queue_push(&queue, &items[i]));
        for (int i = 0; i < 3; i++) CHECK(cli_queue_pop(&queue) == &items[i]);
        CHECK(cli_queue_push(&queue, &items[9])); /* the ring turns */
        CHECK(cli_queue_pop(&queue) == &items[9]);
    }
    CHECK(cli_queue_push(&queue, &items[4]));
    cli_queue_end(&queue);
    CHECK(!cli_queue_push(&queue, &items[5]));
    CHECK(cli_queue_push_newest(&queue, &items[6]) == &items[6]);
    CHECK(cli_queue_pop(&queue) == &items[4]); /* what is in it can be taken */
    CHECK(cli_queue_pop(&queue) == NULL);
    cli_queue_release(&queue);
}

static void the_oldest_is_dropped(void)
{
    cli_queue queue;
    CHECK(cli_queue_begin(&queue, 2));
    CHECK(cli_queue_push_newest(&queue, &items[0]) == NULL);
    CHECK(cli_queue_push_newest(&queue, &items[1]) == NULL);
    CHECK(cli_queue_push_newest(&queue, &items[2]) == &items[0]);
    CHECK(cli_queue_push_newest(&queue, &items[3]) == &items[1]);
    CHECK(cli_queue_pop(&queue) == &items[2]);
    CHECK(cli_queue_pop(&queue) == &items[3]);
    cli_queue_release(&queue);
}

enum { QUEUE_ITEMS = 20000 };

static void *produce(void *given)
{
    static char numbers[QUEUE_ITEMS];
    for (size_t i = 0; i < QUEUE_ITEMS; i++)
        if (!cli_queue_push(given, &numbers[i])) return NULL;
    cli_queue_end(given);
    return numbers;
}

static void two_threads(void)
{
    cli_queue queue;
    pthread_t thread;
    CHECK(cli_queue_begin(&queue, 4));
    CHECK(pthread_create(&thread, NULL, produce, &queue) == 0);
    size_t count = 0;
    const char *last = NULL;
    for (const char *item; (item = cli_queue_pop(&queue)); count++) {
        CHECK(!last || item == last + 1);
        last = item;
    }
    CHECK_INT(count, QUEUE_ITEMS);
    pthread_join(thread, NULL);
    cli_queue_release(&queue);
}

/* A thread that waits for room goes on when the queue is ended. */
static void ending_wakes_up(void)
{
    cli_queue queue;
    pthread_t thread;
    void *result = &queue;
    CHECK(cli_queue_begin(&queue, 1));
    CHECK(pthread_create(&thread, NULL, produce, &queue) == 0);
    CHECK(cli_queue_pop(&queue) != NULL);
    cli_queue_end(&queue);
    pthread_join(thread, &result);
    CHECK(result == NULL);
    cli_queue_release(&queue);
}

CHECK_PROGRAM(test_queue)
{
    RUN(order_and_end);
    RUN(the_oldest_is_dropped);
    RUN(two_threads);
    RUN(ending_wakes_up);
}
