/* SPDX-License-Identifier: BSD-3-Clause
 *
 * folder.h: makes, locks and leaves the work folder of a process. The lock file says that the files beside it are temporary
 * files of clump. Without it they belong to the user, and are never changed.
 */
#ifndef CLUMP_BIG_FOLDER_H
#define CLUMP_BIG_FOLDER_H

#include "store/disk.h"

#define CLUMP_BIG_LOCK_NAME "clump-lock"

/* Whether a file of the folder proves that clump made it: a checksum is right. */
typedef bool clump_big_folder_proof(clump_big_disk *disk);

/* Opens or makes the folder and locks it.
 * given   its path; null: OUTPUT.clump, or clump.work without an output
 * names   of the temporary files. Refuses the folder where one of them is there and was not made by clump. Refuses a folder
 *         of clump-mpi, too
 * proof   of a folder whose lock file has lost its text, as a power failure can make it
 * disk    hooks are set; the rest is output, for clump_big_folder_close() also after a failure */
clump_status clump_big_folder_open(const char *given, const char *output, const char *const *names, size_t count,
                                   clump_big_folder_proof *proof, clump_big_disk *disk, clump_big_file *lock,
                                   clump_message *message);

/* Unlocks and closes the folder. With `remove` deletes its lock and, where nothing else is in it, the folder. */
void clump_big_folder_close(clump_big_disk *disk, clump_big_file *lock, bool remove);

#endif
