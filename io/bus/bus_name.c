/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bus_name.c: names of topics and settings, see bus.h.
 */
#define _DEFAULT_SOURCE /* IFF_UP with strict C */
#include "bus/bus.h"

#include "common/assert.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BUS_NAME_DOMAIN = 232,  /* the last one: ports end there */
    BUS_NAME_INTERFACES = 6 /* of a machine, beside the loopback interface; CycloneDDS takes 8 */
};

/* --- the name -------------------------------------------------------------------------------------------- */

static bool is_word(const char *text, size_t size, const char *word)
{
    return size == strlen(word) && strncmp(text, word, size) == 0;
}

/* Reads a number up to `most`. False: it is none. */
static bool read_number(const char *text, size_t size, unsigned most, unsigned *out)
{
    unsigned number = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9' || i == 4) return false;
        number = 10 * number + (unsigned)(text[i] - '0');
    }
    *out = number;
    return size > 0 && number <= most;
}

/* Chooses between two words. False: it is neither. */
static bool read_choice(const char *text, size_t size, const char *no, const char *yes, bool *out)
{
    *out = is_word(text, size, yes);
    return *out || is_word(text, size, no);
}

/* Reads KEY=VALUE of `size` bytes. */
static clump_status read_setting(const clump_io_where *where, const char *text, size_t size, clump_io_bus_name *out)
{
    const char *const equals = memchr(text, '=', size);
    const size_t key = equals ? (size_t)(equals - text) : size;
    const char *const value = equals ? equals + 1 : text + size;
    const size_t left = size - (size_t)(value - text);
    bool fine = false;
    if (is_word(text, key, "domain")) {
        if (!read_number(value, left, BUS_NAME_DOMAIN, &out->domain))
            return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "a domain of ROS 2 is a number from 0 to %d",
                                 BUS_NAME_DOMAIN);
        return CLUMP_OK;
    }
    if (is_word(text, key, "ros")) fine = read_choice(value, left, "jazzy", "humble", &out->humble);
    if (is_word(text, key, "qos")) fine = read_choice(value, left, "best-effort", "reliable", &out->reliable);
    if (is_word(text, key, "net")) fine = read_choice(value, left, "all", "local", &out->local);
    if (fine) return CLUMP_OK;
    return clump_io_fail(where, CLUMP_ERR_ARGUMENT,
                         "'%.*s' is none of domain=N, ros=humble|jazzy, qos=best-effort|reliable, net=all|local",
                         size < 60 ? (int)size : 60, text);
}

/* Whether a topic of ROS: parts of letters, digits and underscores, with slashes between. */
static bool is_topic(const char *text, size_t size)
{
    char before = '/';
    for (size_t i = 0; i < size; before = text[i++]) {
        const char c = text[i];
        const bool digit = c >= '0' && c <= '9', letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!digit && !letter && c != '/') return false;
        if (before == '/' && !letter) return false;
    }
    return before != '/' || size == 0;
}

/* Reads what ROS itself reads of the environment. */
static void read_environment(clump_io_bus_name *out)
{
    const char *const domain = getenv("ROS_DOMAIN_ID"), *const local = getenv("ROS_LOCALHOST_ONLY");
    const char *const range = getenv("ROS_AUTOMATIC_DISCOVERY_RANGE");
    if (!domain || !read_number(domain, strlen(domain), BUS_NAME_DOMAIN, &out->domain)) out->domain = 0;
    out->local = (local && strcmp(local, "1") == 0) || (range && strcmp(range, "LOCALHOST") == 0);
}

clump_status clump_io_bus_name_read(const clump_io_where *where, const char *text, clump_io_bus_name *out)
{
    CLUMP_ASSERT(strncmp(text, CLUMP_IO_BUS_SCHEME, strlen(CLUMP_IO_BUS_SCHEME)) == 0);
    *out = (clump_io_bus_name){0};
    read_environment(out);
    text += strlen(CLUMP_IO_BUS_SCHEME);
    if (*text == '/') text++; /* ros2:///points */
    const size_t topic = strcspn(text, "?");
    if (topic >= sizeof out->topic || !is_topic(text, topic))
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT,
                             "this is no topic of ROS 2: words of letters, digits and _, with / between");
    memcpy(out->topic, text, topic);
    for (text += topic; *text; text += strcspn(text, "&")) {
        text++; /* ? or & */
        CLUMP_IO_TRY(read_setting(where, text, strcspn(text, "&"), out));
    }
    return CLUMP_OK;
}

/* --- settings of CycloneDDS -------------------------------------------------------------------------------- */

/* Returns the bytes of a receive buffer that the kernel grants, of those asked for. */
static size_t ask_for_buffer(size_t bytes)
{
    const int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0) return 0;
    int size = (int)bytes;
    socklen_t room = sizeof size;
    setsockopt(s, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    if (getsockopt(s, SOL_SOCKET, SO_RCVBUF, &size, &room) != 0) size = 0;
    close(s);
#ifdef __linux__
    size /= 2; /* Linux doubles it for its own records */
#endif
    return size > 0 ? (size_t)size : 0;
}

/* Writes the interfaces of a member that keeps to this machine: the loopback interface, and the others, because ROS 2 Jazzy
 * tells their addresses to nodes of the same machine. Nothing is sent to a network: only 127.0.0.1 is asked for members, and
 * there is no multicast. */
static void put_interfaces(char *to, size_t room)
{
    static const char text[] = "<NetworkInterface address=\"%s\"/>";
    struct ifaddrs *list = NULL;
    int size = snprintf(to, room, "<Interfaces>"), count = 0;
    size += snprintf(to + size, room - (size_t)size, text, "127.0.0.1");
    if (getifaddrs(&list) != 0) list = NULL;
    for (const struct ifaddrs *i = list; i && count < BUS_NAME_INTERFACES; i = i->ifa_next) {
        char address[INET_ADDRSTRLEN];
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
        if (!(i->ifa_flags & IFF_UP) || i->ifa_flags & IFF_LOOPBACK) continue;
        const struct sockaddr_in *const four = (const struct sockaddr_in *)(const void *)i->ifa_addr;
        if (!inet_ntop(AF_INET, &four->sin_addr, address, sizeof address)) continue;
        size += snprintf(to + size, room - (size_t)size, text, address);
        count++;
    }
    freeifaddrs(list);
    snprintf(to + size, room - (size_t)size, "</Interfaces><AllowMulticast>false</AllowMulticast>");
}

size_t clump_io_bus_settings(const clump_io_bus_name *name, char out[CLUMP_IO_BUS_SETTINGS])
{
    char local[1024] = "";
    static const char peers[] = "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
                                "<MaxAutoParticipantIndex>100</MaxAutoParticipantIndex>"
                                "<Peers><Peer Address=\"127.0.0.1\"/></Peers></Discovery>";
    const char *const own = getenv("CYCLONEDDS_URI");
    if (name->local) put_interfaces(local, sizeof local);
    const size_t granted = ask_for_buffer(CLUMP_IO_BUS_BUFFER);
    /* "min" fails where the kernel grants less. */
    snprintf(out, CLUMP_IO_BUS_SETTINGS,
             "<CycloneDDS><Domain Id=\"any\"><General>%s<MaxMessageSize>65500B</MaxMessageSize>"
             "<FragmentSize>63000B</FragmentSize></General>%s"
             "<Internal><SocketReceiveBufferSize "
             "%s=\"4MB\"/><Watermarks><WhcHigh>64MB</WhcHigh></Watermarks></Internal></Domain></CycloneDDS>%s%s",
             local, name->local ? peers : "", granted >= CLUMP_IO_BUS_BUFFER ? "min" : "max", own && *own ? "," : "",
             own ? own : "");
    return granted;
}
