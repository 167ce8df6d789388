/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.c: see objects.h.
 */
#include "cluster/objects.h"

#include "common/assert.h"

#include <clump/info.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

void cli_radius_text(char text[CLI_RADIUS_SIZE], float radius, float per_metre)
{
    char growth[CLI_NUMBER_SIZE];
    cli_float_text(text, radius);
    cli_float_text(growth, per_metre);
    const size_t used = strlen(text);
    if (per_metre > 0) snprintf(text + used, CLI_RADIUS_SIZE - used, " or %s per metre", growth);
}

cli_cluster_job cli_radius_job(const char *summary, const cli_cluster *s)
{
    return (cli_cluster_job){.summary = summary,
                             .scale = s->radius,
                             .reach = s->radius,
                             .thins = true,
                             .has_frames = true,
                             .has_classes = true,
                             .by_class = true};
}

cli_objects cli_objects_defaults(void)
{
    return (cli_objects){.options = clump_objects_defaults()};
}

const char *cli_sort_choice(int index)
{
    static const char *const keys[] = {"distance", "score"};
    return (size_t)index < sizeof keys / sizeof *keys ? keys[index] : NULL;
}

bool cli_sorts_by_score(const cli_cluster *settings)
{
    return settings->sort && strcmp(settings->sort, "score") == 0;
}

static int check(const cli_command *self, const cli_cluster *s, const cli_objects *tree)
{
    for (size_t k = 1; k < tree->levels.count; k++) {
        const float before = tree->levels.values[k - 1], factor = tree->levels.values[k];
        if (!(factor > before))
            return cli_usage(self, "--levels: the factors must ascend, and %g follows %g", (double)factor,
                             (double)before);
    }
    for (size_t k = 0; k < tree->boxes.count; k++) {
        const float *const size = tree->boxes.values[k];
        if (size[1] > size[0])
            return cli_usage(self, "--box %g,%g,%g: the width is greater than the length", (double)size[0],
                             (double)size[1], (double)size[2]);
    }
    if (s->classes && tree->options.neighbours == CLUMP_NEIGHBOURS_SCAN)
        return cli_usage(self,
                         "--classes and --neighbours scan cannot be used together: with classes neighbours are exact");
    const double score = (double)tree->options.min_score;
    if (score > 1) return cli_usage(self, "--min-score: %g is above 1, the highest score", score);
    return CLI_DONE;
}

int cli_objects_take(const cli_command *self, const cli_cluster *s, cli_objects *tree)
{
    CLI_TRY(check(self, s, tree));
    clump_objects_options *const o = &tree->options;
    if (s->radius > 0) o->d = s->radius;
    if (tree->levels.count > 0) {
        o->levels = (int)tree->levels.count;
        memcpy(o->factors, tree->levels.values, sizeof o->factors);
    }
    if (tree->boxes.count > 0) o->boxes = (int)tree->boxes.count;
    for (size_t k = 0; k < tree->boxes.count; k++) {
        const float *const size = tree->boxes.values[k];
        o->box[k] = (clump_object_box){size[0], size[1], -INFINITY, size[2], INFINITY, CLUMP_FIT_OTHER};
    }
    return CLI_DONE;
}

void cli_objects_summary(char text[CLI_OBJECTS_SUMMARY], const clump_objects_options *o, float per_metre)
{
    char number[CLI_NUMBER_SIZE], radius[CLI_RADIUS_SIZE];
    cli_radius_text(radius, o->d, per_metre);
    int used = snprintf(text, CLI_OBJECTS_SUMMARY, "distance %s", radius);
    for (int k = 0; k < o->levels; k++) {
        cli_float_text(number, o->factors[k]);
        used += snprintf(text + used, CLI_OBJECTS_SUMMARY - (size_t)used, "%s%s", k ? "," : ", levels ", number);
    }
}

void cli_objects_ground(const cli_command *self, cli_cluster *s)
{
    clump_ground_options *const ground = &s->ground.options;
    if (!cli_was_given(self, &s->given, s, &ground->sigma)) ground->step = true;
}

static void put_nulls(cli_json *j, size_t count, const char *const *keys)
{
    for (size_t k = 0; k < count; k++) cli_json_null(j, keys[k]);
}

static void put_box(cli_json *j, const clump_object_box *b)
{
    cli_json_open(j, NULL, '{');
    cli_json_float(j, "length", b->length);
    cli_json_float(j, "width", b->width);
    cli_json_float(j, "least_top", b->least_top);
    cli_json_float(j, "most_top", b->most_top);
    cli_json_float(j, "most_bottom", b->most_bottom);
    cli_json_text(j, "fits", clump_fit_name(b->fits));
    cli_json_close(j, '}');
}

void cli_put_objects(cli_json *j, const clump_objects_options *o)
{
    if (!o) {
        put_nulls(j, 6, (const char *const[]){"levels", "boxes", "people", "neighbours", "min_score", "groups"});
        return;
    }
    cli_json_open(j, "levels", '[');
    for (int k = 0; k < o->levels; k++) cli_json_float(j, NULL, o->factors[k]);
    cli_json_close(j, ']');
    cli_json_open(j, "boxes", '[');
    for (int k = 0; k < o->boxes; k++) put_box(j, &o->box[k]);
    cli_json_close(j, ']');
    cli_json_bool(j, "people", !o->no_people);
    cli_json_text(j, "neighbours", clump_neighbour_kind_name(o->neighbours));
    cli_json_float(j, "min_score", o->min_score);
    cli_json_bool(j, "groups", !o->no_groups);
}

/* --- what was found ------------------------------------------------------------------------------- */

cli_object_counts cli_count_objects(const clump_object *found, int32_t count)
{
    CLUMP_ASSERT(count >= 0);
    cli_object_counts counts = {0};
    for (int32_t i = 0; i < count; i++) {
        if (found[i].object)
            counts.objects++, counts.fits[found[i].fits]++;
        else
            counts.background++, counts.below += found[i].level >= 0;
    }
    return counts;
}

void cli_add_objects(cli_object_counts *sum, const cli_object_counts *counts)
{
    sum->objects += counts->objects;
    sum->background += counts->background;
    sum->below += counts->below;
    for (int k = 0; k < CLI_FITS; k++) sum->fits[k] += counts->fits[k];
}

void cli_objects_text(char text[CLI_OBJECTS_TEXT], const cli_object_counts *c)
{
    snprintf(text, CLI_OBJECTS_TEXT, "%" PRId64 " object%s and %" PRId64 " background cluster%s", c->objects,
             c->objects == 1 ? "" : "s", c->background, c->background == 1 ? "" : "s");
}

void cli_fit_text(char text[CLI_NUMBER_SIZE], clump_fit fit)
{
    snprintf(text, CLI_NUMBER_SIZE, "%s%s", fit == CLUMP_FIT_OTHER ? "" : "a ", clump_fit_name(fit));
}

/* The order in which sizes are named: as people ask for them. */
static const clump_fit fits_in_order[CLI_FITS] = {CLUMP_FIT_CAR, CLUMP_FIT_TRUCK, CLUMP_FIT_PERSON, CLUMP_FIT_OTHER};

static const char *source_text(clump_ring_source source)
{
    switch (source) {
    case CLUMP_RINGS_ROWS:
        return "the rows of the organised cloud";
    case CLUMP_RINGS_ORDER:
        return "from the order of the points";
    case CLUMP_RINGS_ANGLE:
        return "from the vertical angles of the points";
    case CLUMP_RINGS_GIVEN:
    case CLUMP_RINGS_NONE:
        break;
    }
    return "";
}

static const char *doubt_text(clump_ring_doubt doubt)
{
    return doubt == CLUMP_RING_DOUBT_SCATTERED ? "points of one ring have many vertical angles"
                                               : "vertical angles do not rise or fall with the ring";
}

/* Returns whether rings of the file were used. */
static bool rings_used(const clump_stats *stats)
{
    return stats->ring_source == CLUMP_RINGS_GIVEN || stats->ring_source == CLUMP_RINGS_ROWS;
}

/* Says why rings of the file are not plausible, and whether they were used. field null: the rows. */
static void print_doubt(FILE *to, const clump_stats *stats, const char *field)
{
    if (field)
        fprintf(to, "rings    those of the field '%s' are ", field);
    else
        fputs("rings    the rows of the organised cloud are ", to);
    fprintf(to, "%s: %s\n", rings_used(stats) ? "used, but not plausible" : "not plausible and not used",
            doubt_text(stats->ring_doubt));
}

void cli_ring_doubts_add(cli_ring_doubts *sum, const clump_stats *stats)
{
    if (stats->ring_doubt == CLUMP_RING_DOUBT_NONE) return;
    if (sum->count++ > 0) return;
    sum->used = rings_used(stats);
    sum->first = stats->ring_doubt;
}

void cli_print_ring_doubts(FILE *to, const char *heading, const cli_ring_doubts *sum, uint64_t clouds, const char *noun)
{
    if (sum->count == 0) return;
    fprintf(to, "%snot plausible in %" PRIu64 " of %" PRIu64 " %s%s, %s; the first: %s\n", heading, sum->count, clouds,
            noun, clouds == 1 ? "" : "s", sum->used ? "but used" : "and not used", doubt_text(sum->first));
}

void cli_print_objects(FILE *to, const cli_object_counts *counts, const clump_stats *stats, const char *field)
{
    fputs("sizes    ", to);
    for (int k = 0; k < CLI_FITS; k++) {
        char fit[CLI_NUMBER_SIZE];
        cli_fit_text(fit, fits_in_order[k]);
        fprintf(to, "%s%" PRId64 " %s%s", k ? ", " : "", counts->fits[fits_in_order[k]],
                fits_in_order[k] == CLUMP_FIT_OTHER ? "" : "of ", fit);
    }
    if (counts->below > 0)
        fprintf(to, "\nscore    %" PRId64 " object%s below the least score, now background", counts->below,
                counts->below == 1 ? "" : "s");
    fprintf(to, "\ntree     %s neighbours", clump_neighbour_kind_name(stats->neighbours));
    if (stats->neighbours == CLUMP_NEIGHBOURS_SCAN)
        fprintf(to, ": %d ring%s, %s", stats->rings, stats->rings == 1 ? "" : "s", source_text(stats->ring_source));
    if (stats->ring_source == CLUMP_RINGS_GIVEN) fprintf(to, "from the field '%s'", field ? field : "ring");
    fputc('\n', to);
    if (stats->ring_doubt != CLUMP_RING_DOUBT_NONE) print_doubt(to, stats, field);
}

void cli_put_object_counts(cli_json *j, const cli_object_counts *counts)
{
    if (!counts) {
        put_nulls(j, 4, (const char *const[]){"objects", "background", "below_min_score", "fits"});
        return;
    }
    cli_json_int(j, "objects", counts->objects);
    cli_json_int(j, "background", counts->background);
    cli_json_int(j, "below_min_score", counts->below);
    cli_json_open(j, "fits", '{');
    for (int k = 0; k < CLI_FITS; k++)
        cli_json_int(j, clump_fit_name(fits_in_order[k]), counts->fits[fits_in_order[k]]);
    cli_json_close(j, '}');
}

void cli_put_rings(cli_json *j, const clump_stats *stats)
{
    if (!stats) {
        put_nulls(j, 4, (const char *const[]){"neighbours", "ring_source", "rings", "ring_doubt"});
        return;
    }
    const bool scan = stats->neighbours == CLUMP_NEIGHBOURS_SCAN;
    cli_json_text(j, "neighbours", clump_neighbour_kind_name(stats->neighbours));
    cli_json_text(j, "ring_source", scan ? clump_ring_source_name(stats->ring_source) : NULL);
    cli_json_int(j, "rings", stats->rings);
    cli_json_text(j, "ring_doubt",
                  stats->ring_doubt != CLUMP_RING_DOUBT_NONE ? clump_ring_doubt_name(stats->ring_doubt) : NULL);
}
