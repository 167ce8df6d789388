/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scene.h: what is shown: frames of points with labels, boxes, maps and pairs, and how they are looked at. The page
 * (page.h), the live packets (packet.h) and the picture (picture.h) are made from the same scene. All pointers are
 * borrowed.
 *
 *     scene.c        defaults: options, size of points, what is coloured
 *     rgb.c          colours that points have in the file
 *     palette.c      colours with a meaning of their own; palette_tables.c: the palette and the ramp
 *     colouring.c    which cluster gets which colour of the palette
 *     difference.c   compares two labellings
 *     trails.c       what is remembered of earlier frames of a drive
 *     rank.c         percentiles
 *
 * Words of the viewer: a `scene` is all that a page or picture is made from. A `frame` is what is shown at once:
 * clouds, labellings, maps and pairs. A `labelling` is spelled labeling in names of code and of packets. A `look` is
 * how a scene is looked at: camera, colour, theme, size of points (view_options). A `pair` is a point of the second
 * cloud and its nearest point in the first, drawn as a line; in difference.c, the two labels of a point. `facts` are
 * what --json prints, shown in the page. The `palette` has the colours of clusters, the `ramp` those of numbers, least
 * to greatest. A `trail` is where an object that moves was in the last seconds; the `path` is where the sensor was. Points and entries of the legend that are not drawn are `hidden`; the page's `stage` is its canvas
 * without the panels.
 */
#ifndef CLUMP_VIEWER_SCENE_H
#define CLUMP_VIEWER_SCENE_H

#include <clump/clump.h>
#include <clump/io.h>
#include <clump/track.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One labelling of the points of clouds[0]. */
typedef struct view_labels {
    const char *name;              /* "ec, distance 0.5", or the name of a file */
    const int32_t *labels;         /* one per point; CLUMP_NOISE, CLUMP_GROUND or an index into clusters */
    const clump_cluster *clusters; /* count entries; box_size[0] is the length, yaw in [0, 180). `label` is the number
                                    * that is shown; labels of files have gaps, so it need not be the index */
    int32_t count;
    const uint8_t *core;         /* dbscan: 1 for core points; null: not known */
    const clump_track *tracks;   /* count entries; null: not tracked */
    const clump_object *objects; /* count entries; null: not of clump_objects */
    const uint8_t *colours;      /* count entries, of the palette; null: those of colouring.c */
} view_labels;

typedef enum view_map_kind { VIEW_MAP_F32, VIEW_MAP_U8, VIEW_MAP_I32 } view_map_kind;

/* A map over the ground plane. The cell in row i and column j is at data[i * columns + j]; rows grow along x, columns along
 * y, or along z where y is up. NaN cells, and labels below 0, are empty. */
typedef struct view_map {
    const char *name; /* "highest", "lowest", "ground", "flag", "label" */
    view_map_kind kind;
    const void *data;
    size_t rows, columns;
    float corner[2]; /* relative to the origin of clouds[0] */
    float cell;
} view_map;

/* A place of a trail. */
typedef struct view_trail_place {
    uint64_t track; /* 0: the path of the sensor */
    double time;    /* seconds after the frame: negative */
    double at[3];   /* file coordinates of the frame */
    bool joined;    /* to the place before it in the list, by a line */
} view_trail_place;

enum { VIEW_CLOUDS = 2, VIEW_LABELINGS = 2, VIEW_MAPS = 5 };

typedef struct view_frame {
    const char *name;
    uint64_t number;
    int64_t stamp; /* nanoseconds since 1970; INT64_MIN: not known */
    const clump_cloud *clouds[VIEW_CLOUDS];
    const char *cloud_names[VIEW_CLOUDS];
    size_t cloud_count;
    view_labels labelings[VIEW_LABELINGS];
    size_t labeling_count;
    view_map maps[VIEW_MAPS];
    size_t map_count;
    const int32_t *nearest; /* per point of clouds[1]: a point of clouds[0], or -1; null: no pairs */
    const char *facts;      /* a JSON object with parameters, device and times, as --json prints; null: none */
    clump_up up;
    bool flip;        /* the sensor hangs upside down: heights are negated */
    double sensor[3]; /* in file coordinates */
    const double
        *pose; /* null, or the 3 x 4 matrix that takes file coordinates to the ground: tracks are over ground */
    const view_trail_place *trails; /* with a pose: see trails.c; null: none */
    size_t trail_count;
} view_frame;

typedef enum view_colour {
    VIEW_BY_AUTO, /* label where there is a labelling; cloud where there are two clouds; rgb where the points have colours
                   * and not all the same; else height */
    VIEW_BY_LABEL,
    VIEW_BY_HEIGHT,
    VIEW_BY_RANGE,
    VIEW_BY_GROUND, /* ground, noise, clusters: three colours */
    VIEW_BY_CORE,   /* core, border, noise */
    VIEW_BY_CLOUD,
    VIEW_BY_DIFFERENCE, /* points that two labellings treat differently */
    VIEW_BY_RGB,        /* colours of the file (palette.h) */
    VIEW_BY_FIELD       /* view_options.field; intensity is a field */
} view_colour;

typedef enum view_from { VIEW_HOME, VIEW_TOP, VIEW_SIDE, VIEW_SENSOR, VIEW_ANGLES } view_from;
typedef enum view_theme { VIEW_THEME_AUTO, VIEW_THEME_LIGHT, VIEW_THEME_DARK } view_theme;

/* How the scene is looked at: of the picture, and of the page when it opens. */
typedef struct view_options {
    view_from from;
    double azimuth, elevation; /* VIEW_ANGLES: degrees; where the camera is, seen from the target */
    double zoom;               /* 1: the scene fills the picture; 2: half of it */
    double target[3];          /* file coordinates; with has_target */
    bool has_target;
    view_colour colour;
    const char *field; /* VIEW_BY_FIELD */
    bool boxes, shading;
    bool legend;       /* of the picture: what the colours mean, and a scale bar (paint.h) */
    double point_size; /* pixels at a height of 900, in the distance of the target */
    view_theme theme;  /* AUTO: the browser's; dark in pictures */
} view_options;

/* Returns the number of points of all clouds. */
size_t view_points(const view_frame *frame);

/* Returns the floats from one point to the next. */
static inline size_t view_step(clump_points points)
{
    return points.stride ? points.stride / sizeof(float) : 3;
}

view_options view_defaults(void); /* home, zoom 1, auto, boxes, shading, legend, 3 pixels */

/* Returns a size of points for the frame: that of the defaults, and up to twice as large where there are few points, which
 * would hardly be seen. */
double view_point_size(const view_frame *frame);

/* Returns whether the frame has the values that the colour needs, and resolves VIEW_BY_AUTO. False: it has not. */
bool view_resolve_colour(const view_frame *frame, const view_options *options, view_colour *colour);

/* --- difference.c: compares two labellings of the same points whose clusters have different numbers.
 *
 * Cluster a of the first and cluster b of the second labelling correspond when each shares more points with the other than
 * with any other cluster, noise and ground not counted; ties go to the smaller number. Noise corresponds to noise, ground to
 * ground. A point differs when its two labels do not correspond. */

/* Sets differs[i] to 1 or 0 and returns the number of ones in *total. Labels may be any int32. False: no memory. */
bool view_find_differences(const int32_t *first, const int32_t *second, size_t count, uint8_t *differs, size_t *total);

/* Sets partners[b] to the cluster of the first labelling that cluster b of the second corresponds to, or to -1. Only
 * clusters 0 ... clusters - 1 of the second are looked for. False: no memory. */
bool view_find_partners(const int32_t *first, const int32_t *second, size_t count, int32_t *partners, size_t clusters);

/* --- trails.c: what is remembered of earlier frames of a drive: the colours of tracks, where objects that move were, and the
 * path of the sensor --------------------------------------------------------------------------------------- */

#define VIEW_TRAIL_SECONDS 5.0

typedef struct view_trail_list {
    view_trail_place *places;
    size_t count, room;
} view_trail_list;

/* The colour of a track. */
typedef struct view_track_colour {
    uint64_t track;
    double time; /* when it was last seen */
    uint8_t colour;
} view_track_colour;

typedef struct view_trails {
    view_trail_list path, objects; /* over ground, with times of frames; of the sensor and of tracked objects */
    view_trail_list shown;         /* of the last frame: its path, then one trail after the other */
    view_track_colour *known;      /* by track */
    size_t known_count, known_room;
    uint8_t *colours; /* of the last frame */
    size_t colour_room;
    double last; /* time of the last frame; with `any` */
    bool any;
} view_trails;

/* Takes the next frame. Where its first labelling has tracks, sets its colours: a track keeps its colour. Where it has a pose,
 * sets its trails. Both are borrowed until the next call. Begin with a zeroed struct. False: no memory. */
bool view_trails_add(view_trails *trails, view_frame *frame);
void view_trails_release(view_trails *trails); /* a zeroed one is fine */

/* --- rank.c: percentiles without sorting and without memory of their own; the order of numbers for those who sort */

/* `count` records of `width` numbers (1 ... 3), the starts of two records `step` floats apart. */
typedef struct view_numbers {
    const float *first;
    size_t width, step, count;
} view_numbers;

/* Sets the 2nd and the 98th percentile of each number, over the records in which all numbers are finite. False: there is no
 * such record. */
bool view_robust_limits(const view_numbers *numbers, float *low, float *high);

/* Compares two doubles, for qsort(): ascending. They must not be NaN. */
int view_compare_numbers(const void *a, const void *b);

#endif
