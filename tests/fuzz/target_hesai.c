/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_hesai.c: packets of Hesai sensors and their calibration files.
 *
 * The first byte chooses the model; with its highest bit, the rest is a calibration file. Else the rest is a list of
 * changes {offset u16, bytes u8, bytes...} to a packet of the model; a change of 0 bytes sends the packet.
 */
#include "support/hesai_packets.h"
#include "sensors/sensor.h"
#include "target.h"

enum { ROOM = 4096 };

typedef struct frame {
    float xyz[3 * ROOM], intensity[ROOM], time[ROOM];
    uint16_t ring[ROOM];
    uint8_t nth[ROOM];
    clump_io_filling to;
} frame;

static void send(void *state, const unsigned char *bytes, size_t size, int64_t received, frame *f)
{
    const clump_io_sensor *sensor = &clump_io_sensor_hesai;
    unsigned char *exact = malloc(size + 1); /* so that a read behind the end is seen */
    REQUIRE(exact);
    memcpy(exact, bytes, size);
    bool damaged;
    uint64_t lost, reordered;
    const clump_io_packet packet = {exact, size, received};
    const size_t parts = sensor->begin(state, &packet, &damaged, &lost, &reordered);
    REQUIRE(!damaged || parts == 0);
    for (size_t i = 0; i < parts; i++) {
        if (sensor->cuts(state, i) || ROOM - f->to.count < sensor->most_points(state)) f->to.count = 0, f->to.stamp = 0;
        if (!f->to.stamp) f->to.stamp = sensor->part_time(state, i);
        const size_t before = f->to.count;
        sensor->append(state, i, &f->to);
        REQUIRE(f->to.count - before <= sensor->most_points(state));
        for (size_t k = 3 * before; k < 3 * f->to.count; k++) REQUIRE(f->xyz[k] > -16800 && f->xyz[k] < 16800);
    }
    free(exact);
}

FUZZ_TARGET(hesai)
{
    if (size < 1) return 0;
    static frame f;
    f.to = (clump_io_filling){.room = ROOM, .xyz = f.xyz, .fields = {f.intensity, f.ring, f.time, f.nth}};
    const hesai_layout *layout = &hesai_layouts[(data[0] & 0x7f) % HESAI_LAYOUTS];
    unsigned char packet[1500];
    hesai_packet(layout, packet, 35900, 1, 0);
    clump_message why = {""};
    clump_io_sensor_setup setup = {.calibration_name = "fuzz", .where = {"fuzz", &why}};
    if (data[0] & 0x80) setup.calibration = (const char *)data + 1, setup.calibration_size = size - 1;
    if (size > 1 && data[1] & 1) packet[layout->mode_at] = 0x39;
    const clump_io_packet first = {packet, layout->size, 1};
    void *state;
    if (clump_io_sensor_hesai.create(&setup, &first, &state) != CLUMP_OK) {
        REQUIRE(why.text[0] && !state);
        return 0;
    }
    send(state, packet, layout->size, 1673403880000000000, &f);
    for (size_t i = 1; !setup.calibration && i + 3 <= size;) {
        const size_t offset = (data[i] | (size_t)data[i + 1] << 8), count = data[i + 2];
        i += 3;
        if (count == 0)
            send(state, packet, offset <= layout->size ? offset : layout->size, (int64_t)(offset * 1000000), &f);
        for (size_t k = 0; k < count && i < size; k++, i++) packet[(offset + k) % layout->size] = data[i];
    }
    clump_io_sensor_hesai.destroy(state);
    return 0;
}
