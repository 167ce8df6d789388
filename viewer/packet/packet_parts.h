/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet_parts.h: the parts of a packet, one file each. Only the packet_*.c files include it. A failed allocation is in
 * packet.body.failed or packet.json.failed, which are checked once.
 *
 *     packet.c            header and columns, put together
 *     packet_points.c     which points, their coordinates and labels
 *     packet_sweep.c      a prediction for the points of a spinning sensor
 *     packet_fields.c     fields of the clouds
 *     packet_rgb.c        colours of the file
 *     packet_clusters.c   clusters, trails and pairs
 *     packet_maps.c       maps
 *     packet_columns.c    columns and their descriptions
 *     packet_json.c       whether a text is a JSON object
 *
 * Words of the room: a `packet` is one frame as bytes. A `step` is what coordinates are rounded to, 2 mm for most
 * scenes; a `unit` is half of it, for lengths of clusters and heights of maps. A `sweep` is the prediction of points
 * from the points before, an `apex` the place where the beams of the sensor meet.
 */
#ifndef CLUMP_VIEWER_PACKET_PARTS_H
#define CLUMP_VIEWER_PACKET_PARTS_H

#include "viewer/packet/packet.h"
#include "viewer/scene/palette.h"

typedef struct packet {
    const view_frame *frame;
    const view_packet_options *options;
    view_bytes json;          /* the header */
    view_bytes body;          /* the columns */
    size_t every;             /* row i of a cloud is its point i * every */
    size_t rows[VIEW_CLOUDS]; /* rows of the table of points per cloud */
    size_t all;               /* their sum */
    size_t width;             /* row length of an organised cloud; 0: none */
    double origin[3];         /* file coordinates - origin = packet coordinates */
    size_t differing;         /* points that two labellings treat differently */
    double unit;              /* of lengths besides coordinates: half a step, 1 mm unless the scene is small */
    int64_t *values;          /* scratch: see packet_values() */
    size_t room;
} packet;

/* How the integers of a column are to be read. */
typedef struct packet_column {
    const char *name;
    const char *type; /* of a field in the file; null: not a field */
    double scale, offset;
    bool exact, has_nan;
    int64_t nan;
} packet_column;

/* Integers are at most this large, so that differences of two are exact in float64 too. */
#define PACKET_MOST ((int64_t)1 << 51)

/* Returns scratch memory for an integer per row, valid until the next call; null: no memory. */
int64_t *packet_values(packet *p, size_t rows);

/* Appends a column to the body and its description to the header. */
void packet_put_column(packet *p, const packet_column *column, const int64_t *values, size_t rows);
/* The same for real numbers: rounded to `scale`; what is not finite becomes NaN. The value is offset + number. */
void packet_put_numbers(packet *p, const char *name, const double *numbers, size_t rows, double scale, double offset);
void packet_put_vector(packet *p, const double vector[3]);

/* Chooses origin, rows and every. */
void packet_plan(packet *p);
/* Returns the label that is shown for point i of the first cloud. */
int32_t packet_label(const view_labels *labels, size_t i);

void packet_put_coordinates(packet *p); /* "sweep", then x y z and hidden: begins the list of columns */
void packet_put_labels(packet *p);      /* label0 core0 label1 core1 differs */
void packet_put_colours(packet *p);     /* rgb */
void packet_put_fields(packet *p);
void packet_put_clusters(packet *p); /* the tables clusters0 and clusters1 */
void packet_put_trails(packet *p);
void packet_put_pairs(packet *p);
void packet_put_maps(packet *p);

/* Finds the colours of a cloud. False: it has none, or the column rgb says less than the fields of the colours. */
bool packet_find_colours(const clump_cloud *cloud, view_colours *colours);
/* Returns whether the field is one of the colours, and not what the page is to be coloured by. */
bool packet_is_colour(const packet *p, const view_colours *colours, const char *name);

/* A spinning sensor, see viewer/README.md. */
typedef struct packet_sweep {
    uint32_t back;
    double cosine, sine;
    double apex[3]; /* whole numbers */
} packet_sweep;

/* Returns whether sweeps make the columns smaller, and finds the best one. xyz are three arrays of integers; sensor is in
 * the same unit. */
bool packet_choose_sweep(int64_t *const xyz[3], size_t rows, size_t width, const double sensor[3], double unit,
                         packet_sweep *sweep);
/* Replaces the integers by corrections. Rows that are hidden (null: none) become what is predicted. */
void packet_apply_sweep(const packet_sweep *sweep, int64_t *const xyz[3], const uint8_t *hidden, size_t rows);

/* Returns whether the text is one JSON object and nothing else. */
bool packet_is_json_object(const char *text);

#endif
