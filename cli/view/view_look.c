/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_look.c: how a scene is looked at, from the words of the command line.
 */
#include "view/view.h"

#include "common/assert.h"
#include "viewer/picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const look_views[] = {"home", "top", "side", "sensor", NULL}; /* in the order of view_from */
static const char *const look_colours[] = {"auto",  "label",      "height", "range",     "ground", "core",
                                           "cloud", "difference", "rgb",    "intensity", NULL};
static const view_colour look_modes[] = {VIEW_BY_AUTO, VIEW_BY_LABEL, VIEW_BY_HEIGHT,     VIEW_BY_RANGE, VIEW_BY_GROUND,
                                         VIEW_BY_CORE, VIEW_BY_CLOUD, VIEW_BY_DIFFERENCE, VIEW_BY_RGB};
enum { LOOK_MODES = sizeof look_modes / sizeof look_modes[0] }; /* the words after them are names of fields */

const char *cli_view_choice(int index)
{
    CLUMP_ASSERT(index >= 0 && (size_t)index < sizeof look_views / sizeof *look_views);
    return look_views[index];
}

const char *cli_colour_choice(int index)
{
    CLUMP_ASSERT(index >= 0 && (size_t)index < sizeof look_colours / sizeof *look_colours);
    return look_colours[index];
}

const char *cli_theme_choice(int index) /* in the order of view_theme */
{
    return (const char *const[]){"auto", "light", "dark", NULL}[index];
}

/* Reads two numbers with a comma between them and nothing after them. */
static bool read_two(const char *text, double numbers[2])
{
    char *end;
    numbers[0] = strtod(text, &end);
    if (end == text || *end != ',') return false;
    const char *const second = end + 1;
    numbers[1] = strtod(second, &end);
    return end != second && *end == '\0' && isfinite(numbers[0]) && isfinite(numbers[1]);
}

static int read_view(const cli_command *self, const char *word, view_options *look)
{
    const char *meant = NULL;
    for (int i = 0; look_views[i]; i++) {
        if (strcmp(word, look_views[i]) == 0) return look->from = (view_from)i, CLI_DONE;
        meant = cli_nearest(word, meant, look_views[i]);
    }
    double angles[2];
    if (!read_two(word, angles))
        return cli_usage(self, "--view: '%s' is neither home, top, side, sensor nor two angles AZ,EL%s%s%s", word,
                         meant ? " (did you mean " : "", meant ? meant : "", meant ? "?)" : "");
    if (fabs(angles[1]) > 90 || fabs(angles[0]) > 360)
        return cli_usage(self, "--view %s: AZ must lie between -360 and 360, EL between -90 and 90", word);
    look->from = VIEW_ANGLES;
    look->azimuth = angles[0];
    look->elevation = angles[1];
    return CLI_DONE;
}

/* A word that names no mode is the name of a field; "field:label" is a field in any case. */
static void read_colour(const char *word, view_options *look)
{
    static const char prefix[] = "field:";
    for (int i = 0; i < LOOK_MODES; i++)
        if (strcmp(word, look_colours[i]) == 0) {
            look->colour = look_modes[i];
            return;
        }
    if (strcmp(word, "rgba") == 0) {
        look->colour = VIEW_BY_RGB;
        return;
    }
    look->colour = VIEW_BY_FIELD;
    look->field = strncmp(word, prefix, sizeof prefix - 1) == 0 ? word + sizeof prefix - 1 : word;
}

/* Reads the digits at *text as a number of pixels and moves *text behind them. False: there are none, or too many. */
static bool read_pixels(const char **text, size_t *pixels)
{
    const size_t length = strspn(*text, "0123456789");
    if (length == 0 || length > 9) return false;
    *pixels = strtoul(*text, NULL, 10);
    *text += length;
    return true;
}

static int read_size(const cli_command *self, const char *word, cli_view_writing *out)
{
    enum { LEAST = 16 };
    const char *text = word;
    if (!read_pixels(&text, &out->width) || *text++ != 'x' || !read_pixels(&text, &out->height) || *text)
        return cli_usage(self, "--size: '%s' is no width and height in pixels, such as 1600x900", word);
    if (out->width < LEAST || out->height < LEAST || out->width > VIEW_MOST_PIXELS || out->height > VIEW_MOST_PIXELS)
        return cli_usage(self, "--size %s: width and height must lie between %d and %d", word, LEAST, VIEW_MOST_PIXELS);
    return CLI_DONE;
}

int cli_view_look(const cli_command *self, const cli_view_settings *s, cli_view_writing *out)
{
    view_options *const look = &out->options.look;
    if (s->view) CLI_TRY(read_view(self, s->view, look));
    if (s->colour) read_colour(s->colour, look);
    if (s->size) CLI_TRY(read_size(self, s->size, out));
    for (int i = 0; s->theme && cli_theme_choice(i); i++)
        if (strcmp(s->theme, cli_theme_choice(i)) == 0) look->theme = (view_theme)i;
    if (s->zoom >= 0 && !(s->zoom >= 0.01 && s->zoom <= 1000))
        return cli_usage(self, "--zoom must lie between 0.01 and 1000");
    if (s->point_size >= 0 && !(s->point_size >= 0.1 && s->point_size <= 100))
        return cli_usage(self, "--point-size must lie between 0.1 and 100 pixels");
    if (s->zoom >= 0) look->zoom = s->zoom;
    out->sized = s->point_size >= 0;
    if (out->sized) look->point_size = s->point_size;
    look->has_target = !isnan(s->target[0]);
    if (look->has_target) memcpy(look->target, s->target, sizeof look->target);
    look->boxes = !s->no_boxes;
    look->shading = !s->no_shading;
    look->legend = !s->no_legend;
    return CLI_DONE;
}

int cli_view_check_colour(const view_frame *frame, const view_options *look, const char *word)
{
    view_colour resolved;
    if (view_resolve_colour(frame, look, &resolved)) return CLI_DONE;
    char list[512];
    switch (look->colour) {
    case VIEW_BY_CORE:
        return cli_fail("%s: --colour core: core points are not known; dbscan finds them", frame->name);
    case VIEW_BY_CLOUD:
        return cli_fail("%s: --colour cloud: there is only one cloud", frame->name);
    case VIEW_BY_DIFFERENCE:
        return cli_fail("%s: --colour difference: there is nothing to compare with (--compare)", frame->name);
    case VIEW_BY_RGB:
        return cli_fail("%s: --colour rgb: the cloud has no colours: no field rgb, and no red, green and blue",
                        frame->name);
    case VIEW_BY_FIELD:
        cli_list_fields(frame->clouds[0], false, list, sizeof list);
        return cli_fail("%s: --colour %s: the cloud has no such field, only %s", frame->name, word,
                        list[0] ? list : "x, y and z");
    default:
        return cli_fail("%s: --colour %s: the cloud has no labels (--labels FILE, or a job after --)", frame->name,
                        word);
    }
}
