/* SPDX-License-Identifier: BSD-3-Clause
 *
 * play_ros.c: ROS 2 in `clump play`: the options of a topic as the settings of its name, and publishing what was found.
 *
 *     ros2://points  --domain 7 --local   ->   ros2://points?domain=7&net=local, and ros2://?domain=7&net=local to publish
 */
#include "play/play.h"

#include <stdlib.h>
#include <string.h>

#define ROS_SCHEME "ros2://"

static bool is_topic(const char *path)
{
    return strncmp(path, ROS_SCHEME, strlen(ROS_SCHEME)) == 0;
}

/* Returns the name of a topic, "" to publish, with settings: those of the given name, "?..." or "", then those of the options.
 * For free(); null: no memory. */
static char *make_name(const char *topic, size_t topic_size, const char *settings, const cli_play_ros *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    if (!to) return NULL;
    const char *separator = settings[0] ? "&" : "?";
    fprintf(to, ROS_SCHEME "%.*s%s", (int)topic_size, topic, settings);
    if (s->domain != CLI_UNSET) fprintf(to, "%sdomain=%zu", separator, s->domain), separator = "&";
    if (s->ros) fprintf(to, "%sros=%s", separator, s->ros), separator = "&";
    if (s->qos) fprintf(to, "%sqos=%s", separator, s->qos), separator = "&";
    if (s->local) fprintf(to, "%snet=local", separator);
    return cli_text_end(to, &text) ? text : NULL;
}

static int check(const cli_play *play, const char *const *paths, size_t count, bool reads)
{
    const cli_play_ros *const s = &play->s->ros;
    for (size_t i = 0; count > 1 && i < count; i++)
        if (is_topic(paths[i])) return cli_usage(play->self, "%s cannot be a part of a recording", paths[i]);
    if (!reads && s->qos) return cli_usage(play->self, "--qos is for a topic that is read, ros2://NAME");
    if (!reads && !s->publish && (s->domain != CLI_UNSET || s->ros || s->local))
        return cli_usage(play->self, "--domain, --ros and --local are for ros2://NAME and --publish");
    return CLI_DONE;
}

int cli_play_ros_begin(cli_play *play, const char **paths, size_t count)
{
    const cli_play_ros *const s = &play->s->ros;
    const bool reads = is_topic(paths[0]);
    CLI_TRY(check(play, paths, count, reads));
    if (!reads && !s->publish) return CLI_DONE;
    const char *const topic = reads ? paths[0] + strlen(ROS_SCHEME) : "";
    const size_t size = strcspn(topic, "?");
    play->ros_source = make_name(topic, size, topic + size, s);
    char *const target = make_name("", 0, topic + size, s);
    if (!play->ros_source || !target) return free(target), cli_fail("not enough memory for a name");
    if (reads) paths[0] = play->ros_source;
    if (!reads && !s->local && !play->s->quiet)
        cli_warn("--publish reaches the networks that ROS 2 uses; --local keeps to this machine");
    clump_message message = {0};
    const clump_status status = clump_recorder_open(target, NULL, &play->publisher, &message);
    free(target);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_message(ROS_SCHEME, status, &message);
}

int cli_play_ros_publish(cli_play *play, cli_play_slot *slot)
{
    if (!play->publisher) return CLI_DONE;
    clump_message message = {0};
    const clump_status status = cli_play_record(play, slot, play->publisher, &message);
    if (status != CLUMP_OK) return cli_play_wipe_status(play), cli_fail_message(ROS_SCHEME, status, &message);
    play->published++;
    return CLI_DONE;
}

void cli_play_ros_end(cli_play *play)
{
    clump_recorder_close(play->publisher, false, NULL);
    play->publisher = NULL;
    free(play->ros_source);
    play->ros_source = NULL;
}
