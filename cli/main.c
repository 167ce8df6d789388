/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main.c: the program `clump`: finds the command and hands over. To add a command, write cmd_NAME.c
 * with a table of options and a run function, declare both in cli.h, and add a row here.
 */
#include "cli.h"
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

const cli_command cli_commands[] = {
    {.name = "ec",
     .operands = "IN",
     .usage = "IN -d R [options]",
     .brief = "Euclidean clustering: points closer than R belong together",
     .about = "Two points closer than R are neighbours; neighbours, and neighbours of\n"
              "neighbours, are one cluster. Prints a summary and the largest clusters. Clusters\n"
              "are numbered from 0; points in none are noise, -1. The same input gives the same\n"
              "labels on every device and with any number of threads.\n",
     .examples = "clump ec scan.pcd -d 0.5\n"
                 "    points less than 0.5 m apart; 'clump info scan.pcd' suggests a distance\n"
                 "clump ec scan.pcd -d 0.5 --min-size 10 -o labelled.pcd --clusters boxes.json\n"
                 "    ignore the smallest, keep the labels and a list of boxes\n"
                 "clump ec scan.bin -d 0.4 --2d --crop -40,40,-40,40,-1.2,3 --min-range 2.5\n"
                 "    seen from above, without the ground and the vehicle itself\n"
                 "clump ec scan.pcd -d 0.5 --repeat 21 --json\n"
                 "    how fast is it here?\n"
                 "clump ec scan.pcd -d 0.5 --method matrix-rs --json\n"
                 "    the same labels by another algorithm: its passes, its time, its memory\n"
                 "clump ec scan.pcd -d 0.5 --device cuda --memory device --repeat 21\n"
                 "    on a GPU, without the way there and back\n",
     .options = cli_ec_options,
     .run = cli_ec},
    {.name = "dbscan",
     .operands = "IN",
     .usage = "IN --eps R --min-points K [options]",
     .brief = "density clustering: what is sparse is noise",
     .about = "A point with at least K points within R of it, itself counted, is a core point.\n"
              "Core points within R of each other are one cluster, and so on from point to\n"
              "point. Other points within R of a core point are border points and join its\n"
              "cluster, of several the one with the smallest number. The rest is noise, -1.\n"
              "The labels are those of scikit-learn, with every method and any number of\n"
              "threads.\n",
     .examples = "clump dbscan scan.pcd --eps 0.5 --min-points 10\n"
                 "    10 points within 0.5 m make a place dense\n"
                 "clump dbscan scan.pcd --eps 0.5 --min-points 10 --core -o labelled.pcd\n"
                 "    keep the labels, and which points are core points\n"
                 "clump dbscan scan.bin --eps 0.6 --min-points 8 --2d --min-size 20\n"
                 "    seen from above, without small clusters\n"
                 "clump dbscan scan.pcd --eps 0.5 --min-points 10 --no-border -o dense.npy\n"
                 "    only what is dense itself\n"
                 "clump dbscan scan.pcd --eps 0.5 --min-points 10 --method disjoint-set --json\n"
                 "    the same labels by another algorithm, and how busy each thread was\n",
     .options = cli_dbscan_options,
     .run = cli_dbscan},
    {.name = "erccl",
     .operands = "IN",
     .usage = "IN [options]",
     .brief = "obstacles: the ground removed, the rest clustered from above",
     .about = "Finds the ground, puts all other points into the cells of a map around the\n"
              "sensor, and joins cells near each other whose highest and lowest points are at\n"
              "similar heights (ER-CCL, Tian et al. 2020). Obstacles are numbered from 0. The\n"
              "ground is -2, the rest, outside the map or not finite, -1. Lengths are metres.\n",
     .examples = "clump erccl scan.bin -o labelled.pcd --clusters boxes.json\n"
                 "    obstacles within 20 m, and a list of boxes with heights and distances\n"
                 "clump erccl scan.bin --extent 80 --cell 0.1 --min-size 20\n"
                 "    a larger map of larger cells, without specks\n"
                 "clump erccl scan.pcd --ground peak --sensor-height 1.73\n"
                 "    flat ground, at a level that is known about\n"
                 "clump erccl hanging.pcd --flip\n"
                 "    from a sensor that is mounted upside down\n"
                 "clump erccl scan.bin --method serial --reach 3 --json\n"
                 "    the same labels by the paper's algorithm: its passes and its time\n",
     .options = cli_erccl_options,
     .run = cli_erccl},
    {.name = "ground",
     .operands = "IN",
     .usage = "IN [options]",
     .brief = "mark the ground",
     .about = "Gives every point of the ground the label -2 and all others -1. 'grid' finds a\n"
              "surface that may rise and fall: the lowest points of each tile of a map around\n"
              "the sensor, limited in slope. 'peak' finds one level, for ground that is flat.\n"
              "Lengths are metres. To cluster what stands on the ground, use --remove-ground\n"
              "of 'clump ec' and 'clump dbscan'.\n",
     .examples = "clump ground scan.pcd -o marked.pcd\n"
                 "clump ground scan.pcd --ground peak --sensor-height 1.73 --json\n"
                 "clump ground hanging.pcd --flip -o marked.labels\n"
                 "    from a sensor that is mounted upside down\n"
                 "clump ec scan.pcd -d 0.5 --remove-ground --min-size 20\n",
     .options = cli_mark_ground_options,
     .run = cli_mark_ground},
    {.name = "eval",
     .operands = "LABELED TRUTH",
     .usage = "LABELED TRUTH [options]",
     .brief = "how good a labelling is, against true labels",
     .about = "For every true instance: matched (a cluster has an IoU of at least 0.5 with it),\n"
              "over-segmented, under-segmented or missed; precision, recall and F1 of the\n"
              "ground; the share of clusters that are not wrong; the adjusted Rand index; all\n"
              "by range. LABELED is a cloud with a field 'label', or labels alone (.labels\n"
              ".npy). TRUTH is a SemanticKITTI .label file, labels alone, or a cloud with the\n"
              "fields 'semantic' and 'instance', or 'truth', or 'label'.\n",
     .examples = "clump eval found.pcd 000000.label --max-range 20 --min-size 50\n"
                 "clump eval found.labels 000000.label --cloud 000000.bin --json\n"
                 "clump eval found.pcd toy.pcd --instances\n"
                 "    against the clusters that 'clump gen factors' made\n",
     .options = cli_eval_options,
     .run = cli_eval},
    {.name = "nn",
     .operands = "A B",
     .usage = "A B [options]",
     .brief = "the nearest point of A for each point of B",
     .about = "Finds, for every point of cloud B, the nearest point of cloud A, or the K nearest.\n"
              "Of points as near as each other the first one counts. Exact, except for the\n"
              "method azimuth, which looks only into the direction of a point, as seen from 0,0,0,\n"
              "and says how often it was right.\n",
     .examples = "clump nn 000000.bin 000001.bin\n"
                 "    how far apart are two scans?\n"
                 "clump nn map.pcd scan.pcd --max-distance 0.5 -o matched.csv\n"
                 "    keep number and distance of each neighbour; -1 and inf where there is none\n"
                 "clump nn scan.pcd scan.pcd --k 9 -o neighbours.pcd\n"
                 "    each point itself, and 8 around it\n"
                 "clump nn 000000.bin 000001.bin --method azimuth --window 2 --json\n"
                 "    an approximate method, its recall and its time\n",
     .options = cli_nn_options,
     .run = cli_nn},
    {.name = "icp",
     .operands = "A B",
     .usage = "A B [options]",
     .brief = "align cloud B to cloud A",
     .about = "Finds the rigid motion that lays cloud B onto cloud A: pairs each point of B with\n"
              "the nearest of A, moves B so that the pairs come together, and begins again, until\n"
              "nothing moves. B must be about in place. Prints the motion as 4 rows of a matrix\n"
              "that takes coordinates of B to those of A.\n",
     .examples = "clump icp 000000.bin 000001.bin --max-distance 1 -o aligned.pcd\n"
                 "    where was the sensor, seen from the scan before?\n"
                 "clump icp map.pcd scan.pcd --method plane --max-distance 1 --keep 0.9\n"
                 "    onto surfaces, and without the tenth of the pairs that is farthest apart\n"
                 "clump icp map.pcd scan.pcd --json\n"
                 "    motion, fitness, error and time for another program\n",
     .options = cli_icp_options,
     .run = cli_icp},
    {.name = "gen factors",
     .operands = "",
     .usage = "-o OUT [options]",
     .brief = "make a synthetic cloud with known clusters",
     .about = "Makes N points in C clusters, each point with about K neighbours closer than 1,\n"
              "so that 'clump ec OUT -d 1' finds the C clusters. Clusters lie about 10 apart.\n"
              "The cluster each point was made for is the field 'truth' of OUT. The same\n"
              "options give the same file.\n",
     .examples = "clump gen factors -o toy.pcd\n"
                 "    262144 points in 128 chains\n"
                 "clump gen factors --layout line -n 65536 -c 4 -k 2 -o worst.npy\n"
                 "    long thin clusters, hard for methods that hand labels from point to point\n"
                 "clump gen factors --layout slabs -n 100000 -o slabs.pcd\n"
                 "    two crowded plates just out of reach of each other\n",
     .options = cli_gen_factors_options,
     .run = cli_gen_factors},
    {.name = "info",
     .operands = "FILE",
     .usage = "FILE [options]",
     .brief = "what is in a cloud file, what is odd, and a distance to try",
     .about = "Prints format, fields, number of points, bounds and the typical distance from a\n"
              "point to the nearest other one, from which it suggests a -d for 'clump ec'. It\n"
              "suggests --remove-ground where 15 to 95 % of the points are ground, as 'clump\n"
              "ground' finds it, at least 10 m wide; that takes metres, z up, and the sensor at\n"
              "0,0,0.\n",
     .examples = "clump info scan.pcd\n"
                 "clump info scan.dat --format kitti\n"
                 "clump info scan.pcd --json\n",
     .options = cli_info_options,
     .run = cli_info},
    {.name = "convert",
     .operands = "A B",
     .usage = "A B [options]",
     .brief = "write cloud A as B, in the format that the ending of B tells",
     .about = "Keeps every field that B can hold, reads B back, and says what it could not\n"
              "hold. A is any of .pcd .ply .las .laz .bin (KITTI) .pcd.bin (nuScenes) .xyz .txt\n"
              ".csv .pts .asc .npy, B the same but .laz, or a file of labels alone: .labels for\n"
              "the field 'label', .label for 'semantic' and 'instance'. - is standard input or\n"
              "output.\n",
     .examples = "clump convert scan.bin scan.pcd\n"
                 "clump convert labelled.pcd labelled.csv\n"
                 "clump convert scan.pcd small.pcd --compressed\n"
                 "clump convert 000000.bin truth.pcd --labels 000000.label\n"
                 "clump convert survey.laz - --to pcd | other-program\n",
     .options = cli_convert_options,
     .run = cli_convert},
    {.name = "devices",
     .operands = "",
     .usage = "[--json]",
     .brief = "what can run here",
     .about = "Lists the devices that --device of the other commands takes, and says why where\n"
              "no CUDA device can be used.\n",
     .examples = "clump devices\n",
     .options = cli_devices_options,
     .run = cli_devices},
    {0},
};

/* The row for the words at argv and how many words its name took; null when there is none. */
static const cli_command *find_command(int argc, char **argv, int *words)
{
    for (const cli_command *c = cli_commands; c->name; c++) {
        const char *space = strchr(c->name, ' ');
        if (!space && strcmp(c->name, argv[0]) == 0) return *words = 1, c;
        if (!space || argc < 2) continue;
        const size_t length = (size_t)(space - c->name);
        if (strlen(argv[0]) == length && strncmp(c->name, argv[0], length) == 0 && strcmp(space + 1, argv[1]) == 0)
            return *words = 2, c;
    }
    return NULL;
}

/* Whether word is the first of commands of two words. */
static bool is_group(const char *word)
{
    const size_t length = strlen(word);
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (strncmp(c->name, word, length) == 0 && c->name[length] == ' ') return true;
    }
    return false;
}

static int unknown_command(int argc, char **argv)
{
    if (is_group(argv[0])) {
        const char *kind = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
        char list[128] = "";
        size_t used = 0;
        for (const cli_command *c = cli_commands; c->name; c++) {
            if (strncmp(c->name, argv[0], strlen(argv[0])) != 0 || used >= sizeof list) continue;
            used +=
                (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", strchr(c->name, ' ') + 1);
        }
        const cli_command group = {.name = argv[0]};
        if (kind) return cli_usage(&group, "%s has no kind '%s', there is %s", argv[0], kind, list);
        return cli_usage(&group, "%s needs a kind of cloud, there is %s", argv[0], list);
    }
    const char *meant = cli_nearest(argv[0], NULL, "help");
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (!strchr(c->name, ' ')) meant = cli_nearest(argv[0], meant, c->name);
    }
    if (meant) return cli_usage(NULL, "unknown command '%s' (did you mean %s?)", argv[0], meant);
    return cli_usage(NULL, "unknown command '%s'", argv[0]);
}

static int help_command(int argc, char **argv)
{
    int words;
    if (argc == 0 || strcmp(argv[0], "help") == 0) return cli_help(stdout, NULL), CLI_DONE;
    const cli_command *command = find_command(argc, argv, &words);
    if (command) return cli_help(stdout, command), CLI_DONE;
    if (is_group(argv[0]) && argc == 1) return cli_help_group(stdout, argv[0]), CLI_DONE;
    return unknown_command(argc, argv);
}

static int run(int argc, char **argv)
{
    if (argc == 0) return cli_usage(NULL, "no command given");
    const char *word = argv[0];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return cli_help(stdout, NULL), CLI_DONE;
    if (strcmp(word, "--version") == 0) return printf("clump %s\n", clump_version()), CLI_DONE;
    if (strcmp(word, "help") == 0) return help_command(argc - 1, argv + 1);
    if (strcmp(word, "--completion") == 0) {
        if (argc == 2 && cli_print_completion(stdout, argv[1])) return CLI_DONE;
        return cli_usage(NULL, "--completion needs a shell, there are bash, zsh and fish");
    }
    if (word[0] == '-') return cli_usage(NULL, "unknown option %s", word);

    int words;
    const cli_command *command = find_command(argc, argv, &words);
    if (command) return command->run(command, argc - words, argv + words);
    if (is_group(word) && argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return cli_help_group(stdout, word), CLI_DONE;
    return unknown_command(argc, argv);
}

int main(int argc, char **argv)
{
    /* With a standard stream closed, the next file opened would take its number and receive what is
     * printed. Reading from these fails, writing too, as it should. */
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream)
            return CLI_FAILED;
    }
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow further is an error to report, not a way to die */
    cli_stop_watch();
    int status = run(argc - 1, argv + 1);
    errno = 0;
    const bool broken = ferror(stdout) != 0;
    if (fflush(stdout) != 0 || broken) {
        cli_fail("standard output: cannot be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
        if (status == CLI_DONE) status = CLI_FAILED;
    }
    return status;
}
