/* SPDX-License-Identifier: BSD-3-Clause
 *
 * room.h: memory for large arrays that are filled once. Large pages take most of the page faults away.
 */
#ifndef CLUMP_BIG_ROOM_H
#define CLUMP_BIG_ROOM_H

#include <stddef.h>

/* Returns memory for free(), of any content; null: there is none. bytes may be 0. */
void *clump_big_room(size_t bytes);

#endif
