/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_send.c: `clump send`: the packets of a capture to a socket, as a sensor sends them.
 */
#include "commands/options.h"
#include "base/json.h"
#include "base/stop.h"

#include <inttypes.h>
#include <string.h>

typedef struct settings {
    double rate;
    bool flat_out, json, quiet;
    size_t loop;
    const char *topic;
} settings;
#define AT(member) offsetof(settings, member)

static const cli_option option_rows[] = {
    CLI_OPTION(CLI_NUMBER, 0, "rate", "X", AT(rate), .matters = true, .help = "X times the recorded speed (default 1)"),
    CLI_OPTION(CLI_SWITCH, 0, "flat-out", NULL, AT(flat_out), .help = "as fast as it goes: receivers may lose packets"),
    CLI_OPTION(CLI_COUNT, 0, "loop", "N", AT(loop), .least = 1, .help = "send N times (default 1)"),
    CLI_OPTION(CLI_TEXT, 0, "topic", "NAME", AT(topic),
               .help =
                   "the packets to send, as 'clump info' lists them: udp/2368 (default: those of the first sensor)"),
    CLI_OPTION(CLI_SWITCH, 0, "json", NULL, AT(json), .help = "print the summary as one JSON object"),
    CLI_QUIET_OPTION(settings, "print no summary"),
    {0}};

static bool watch(void *user, const char *note)
{
    (void)user;
    if (note) cli_warn("%s", note);
    return !cli_stop_asked();
}

static void report(const settings *s, const char *path, const clump_send_result *r)
{
    if (s->json) {
        cli_json j = cli_json_begin(stdout, "send");
        cli_json_text(&j, "input", path);
        cli_json_text(&j, "to", r->to);
        cli_json_count(&j, "packets", r->packets);
        cli_json_count(&j, "bytes", r->bytes);
        cli_json_count(&j, "refused", r->refused);
        cli_json_number(&j, "seconds", r->seconds);
        cli_json_ms(&j, "latest_ms", 1e3 * r->latest);
        cli_json_end(&j);
    } else if (!s->quiet) {
        printf("%s: sent %" PRIu64 " packet%s, %.1f MB, to %s in %.2f s\n", cli_shown(path), r->packets,
               r->packets == 1 ? "" : "s", 1e-6 * (double)r->bytes, r->to, r->seconds);
        if (r->refused) printf("refused   %" PRIu64 ": nothing listened there\n", r->refused);
    }
}

static int run(const cli_command *self, int argc, char **argv)
{
    settings s = {.rate = 1, .loop = 1};
    const char *paths[2];
    CLI_TRY(cli_parse(self, argc, argv, &s, paths));
    if (s.flat_out && s.rate != 1) return cli_usage(self, "--flat-out and --rate contradict each other");
    if (!(s.rate >= 0.001 && s.rate <= 1000)) return cli_usage(self, "--rate must lie between 0.001 and 1000");
    clump_send_options options = clump_send_defaults();
    options.rate = s.flat_out ? 0 : s.rate;
    options.loop = s.loop;
    options.topic = s.topic;
    options.watch = watch;
    clump_send_result result;
    clump_message message = {0};
    cli_stop_soft(true);
    const clump_status status = clump_capture_send(paths[0], paths[1], &options, &result, &message);
    if (status != CLUMP_OK) return cli_fail_message(paths[0], status, &message);
    report(&s, paths[0], &result);
    return CLI_DONE;
}

const cli_command cli_cmd_send = {
    .name = "send",
    .operands = "CAPTURE URL",
    .usage = "CAPTURE udp://ADDRESS[:PORT] [options]",
    .brief = "send the packets of a capture, as the sensor did",
    .about = "Sends the UDP packets of a capture, pcap or pcapng, at the recorded speed: for\n"
             "'clump play udp://:2368' without a sensor. With a PORT, the packets of the first\n"
             "sensor go there. Without one, all packets go, each to its own port.\n",
    .examples = "clump send drive.pcap udp://127.0.0.1:2368\n"
                "    to a 'clump play udp://127.0.0.1:2368 -- detect' on this machine\n"
                "clump send drive.pcap udp://127.0.0.1:2368 --rate 2 --loop 100\n"
                "    a sensor that turns twice as fast, for a long time\n",
    .options = option_rows,
    .run = run,
};
