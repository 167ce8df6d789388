/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main.c: the program `clump`: finds the command and hands over. To add a command, write cmd_NAME.c,
 * which defines cli_cmd_NAME, and add NAME to the list here.
 *
 * The program, from the ground up; the header at the right lists the files of the room:
 *
 *     base       arguments, help, messages, numbers, JSON          cli.h
 *     files      input, output, device, timing                     output.h
 *     eval gen pair                                                eval.h, lidar_write.h, pair.h
 *     cluster    what all clustering commands do                   cluster.h
 *     view       `clump view`                                      view.h
 *     info       `clump info`                                      info.h
 *     each       --each                                            each.h
 *     big        --ram                                             big.h
 *     play       `clump play`                                      play.h
 *     commands   one command per file                              options.h
 *     run.c      which way a clustering command goes
 *     entry.c    the main function
 */
#include "base/cli.h"
#include "base/peers.h"
#include "base/stop.h"

#include <clump/big.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* NAME stands for the cli_command cli_cmd_NAME of the file cmd_NAME.c. The order is that of the help. */
#define COMMANDS(NAME)                                                                                                 \
    NAME(objects)                                                                                                      \
    NAME(detect)                                                                                                       \
    NAME(ec)                                                                                                           \
    NAME(dbscan)                                                                                                       \
    NAME(hdbscan)                                                                                                      \
    NAME(erccl)                                                                                                        \
    NAME(ground)                                                                                                       \
    NAME(view)                                                                                                         \
    NAME(play)                                                                                                         \
    NAME(send)                                                                                                         \
    NAME(frames)                                                                                                       \
    NAME(odometry)                                                                                                     \
    NAME(eval)                                                                                                         \
    NAME(nn)                                                                                                           \
    NAME(icp)                                                                                                          \
    NAME(map) NAME(gen_lidar) NAME(gen_survey) NAME(gen_factors) NAME(info) NAME(convert) NAME(work) NAME(devices)

#define DECLARE(name) extern const cli_command cli_cmd_##name;
#define ADDRESS(name) &cli_cmd_##name,
COMMANDS(DECLARE)
const cli_command *const cli_commands[] = {COMMANDS(ADDRESS) NULL};

/* Returns the command that the words at argv name, and how many words its name has; null: there is none. */
static const cli_command *find_command(int argc, char **argv, int *words)
{
    for (const cli_command *const *c = cli_commands; *c; c++) {
        const char *name = (*c)->name, *space = strchr(name, ' ');
        if (!space && strcmp(name, argv[0]) == 0) return *words = 1, *c;
        if (!space || argc < 2) continue;
        const size_t length = (size_t)(space - name);
        if (strlen(argv[0]) == length && strncmp(name, argv[0], length) == 0 && strcmp(space + 1, argv[1]) == 0)
            return *words = 2, *c;
    }
    return NULL;
}

/* Whether word is the first word of a command of two words. */
static bool is_group(const char *word)
{
    const size_t length = strlen(word);
    for (const cli_command *const *c = cli_commands; *c; c++)
        if (strncmp((*c)->name, word, length) == 0 && (*c)->name[length] == ' ') return true;
    return false;
}

static int unknown_command(int argc, char **argv)
{
    if (is_group(argv[0])) {
        const char *kind = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
        char list[128] = "";
        size_t used = 0;
        for (const cli_command *const *c = cli_commands; *c; c++) {
            if (strncmp((*c)->name, argv[0], strlen(argv[0])) != 0 || used >= sizeof list) continue;
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     strchr((*c)->name, ' ') + 1);
        }
        const cli_command group = {.name = argv[0]};
        const char *const verb = strchr(list, ',') ? "are" : "is";
        if (kind) return cli_usage(&group, "%s has no kind '%s', there %s %s", argv[0], kind, verb, list);
        return cli_usage(&group, "%s needs a kind of cloud, there %s %s", argv[0], verb, list);
    }
    const char *meant = cli_nearest(argv[0], NULL, "help");
    for (const cli_command *const *c = cli_commands; *c; c++)
        if (!strchr((*c)->name, ' ')) meant = cli_nearest(argv[0], meant, (*c)->name);
    if (meant) return cli_usage(NULL, "unknown command '%s' (did you mean %s?)", argv[0], meant);
    return cli_usage(NULL, "unknown command '%s'", argv[0]);
}

/* Refuses a word that is no command of a program with peers. */
static int foreign_command(const char *word)
{
    return cli_usage(NULL, "no command '%s' for several processes, there are ec and dbscan; clump has the others",
                     word);
}

static int help_command(int argc, char **argv)
{
    int words;
    if (argc == 0 || strcmp(argv[0], "help") == 0) return cli_help(stdout, NULL), CLI_DONE;
    const cli_command *command = find_command(argc, argv, &words);
    if (!cli_has_command(command ? command->name : argv[0])) return foreign_command(argv[0]);
    if (command) return cli_help(stdout, command), CLI_DONE;
    if (is_group(argv[0]) && argc == 1) return cli_help_group(stdout, argv[0]), CLI_DONE;
    return unknown_command(argc, argv);
}

static int run(int argc, char **argv)
{
    if (argc == 0) {
        cli_help(stderr, NULL);
        return cli_usage(NULL, "no command given");
    }
    const char *word = argv[0];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return cli_help(stdout, NULL), CLI_DONE;
    if (strcmp(word, "--version") == 0) return printf("%s %s\n", cli_program(), clump_version()), CLI_DONE;
    if (strcmp(word, "help") == 0) return help_command(argc - 1, argv + 1);
    if (strcmp(word, "--completion") == 0 && !cli_the_peers()) {
        if (argc == 2 && cli_print_completion(stdout, argv[1])) return CLI_DONE;
        return cli_usage(NULL, "--completion needs a shell, there are bash, zsh and fish");
    }
    if (strcmp(word, "--manual") == 0 && argc == 2 && !cli_the_peers()) return cli_print_manual(stdout, argv[1]);
    if (word[0] == '-') return cli_usage(NULL, "unknown option %s", word);

    int words;
    const cli_command *command = find_command(argc, argv, &words);
    if (!cli_has_command(command ? command->name : word)) return foreign_command(command ? command->name : word);
    if (command) return command->run(command, argc - words, argv + words);
    if (is_group(word) && argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return cli_help_group(stdout, word), CLI_DONE;
    return unknown_command(argc, argv);
}

int cli_main(int argc, char **argv, const cli_peers *peers)
{
    /* If a standard stream is closed, the next file opened gets its number and what is printed. /dev/null takes the
     * number instead; reading from it and writing to it fail. */
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream)
            return CLI_FAILED;
    }
    cli_set_peers(peers);
    if (peers && peers->peers->rank != 0 && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        return CLI_FAILED;
    signal(SIGXFSZ, SIG_IGN); /* a file at its size limit is reported as an error; the signal would end the program */
    cli_stop_watch();
    int status = run(argc - 1, argv + 1);
    if (status == CLI_HELPED) status = CLI_DONE;
    errno = 0;
    const bool broken = ferror(stdout) != 0;
    if (fflush(stdout) != 0 || broken) {
        cli_fail("standard output: cannot be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
        if (status == CLI_DONE) status = CLI_FAILED;
    }
    if (status == CLI_DONE) cli_stop_finish();
    return status;
}
