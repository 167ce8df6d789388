/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page_scene.c: the scene of a page: what all frames share. viewer/README.md defines it.
 */
#include "page.h"

#include "viewer/scene/palette.h"

static void put_colour(view_bytes *to, view_rgb colour)
{
    view_put_format(to, "\"#%02x%02x%02x\"", colour.r, colour.g, colour.b);
}

static void put_colours(view_bytes *to, const char *name, const view_rgb *colours, size_t count)
{
    view_put_format(to, ",\"%s\":", name);
    for (size_t k = 0; k < count; k++) {
        view_put_text(to, k ? "," : "[");
        put_colour(to, colours[k]);
    }
    view_put_text(to, "]");
}

static void put_special(view_bytes *to, bool dark)
{
    const view_special *const special = view_special_colours(dark);
    const struct {
        const char *name;
        view_rgb colour;
    } colours[] = {{"background", special->background}, {"ground", special->ground}, {"noise", special->noise},
                   {"differs", special->differs},       {"core", special->core},     {"border", special->border},
                   {"highlight", special->highlight},   {"text", special->text}};
    view_put_format(to, "\"%s\":", dark ? "dark" : "light");
    for (size_t k = 0; k < sizeof colours / sizeof *colours; k++) {
        view_put_format(to, "%s\"%s\":", k ? "," : "{", colours[k].name);
        put_colour(to, colours[k].colour);
    }
    put_colours(to, "clouds", special->clouds, VIEW_CLOUDS);
    view_put_text(to, "}");
}

static void put_look(view_bytes *to, const view_page *page)
{
    static const char *const views[] = {[VIEW_HOME] = "home",
                                        [VIEW_TOP] = "top",
                                        [VIEW_SIDE] = "side",
                                        [VIEW_SENSOR] = "sensor",
                                        [VIEW_ANGLES] = "home"}; /* packet.c: home is the camera of the angles */
    static const char *const colours[] = {
        [VIEW_BY_AUTO] = NULL,     [VIEW_BY_LABEL] = "label",           [VIEW_BY_HEIGHT] = "height",
        [VIEW_BY_RANGE] = "range", [VIEW_BY_GROUND] = "ground",         [VIEW_BY_CORE] = "core",
        [VIEW_BY_CLOUD] = "cloud", [VIEW_BY_DIFFERENCE] = "difference", [VIEW_BY_FIELD] = "field",
        [VIEW_BY_RGB] = "rgb"};
    static const char *const themes[] = {
        [VIEW_THEME_AUTO] = "auto", [VIEW_THEME_LIGHT] = "light", [VIEW_THEME_DARK] = "dark"};
    const view_options *const look = &page->options->look;
    view_put_format(to, ",\"look\":{\"view\":\"%s\",\"colour\":", views[look->from]);
    view_put_json_text(to, colours[page->colour]);
    view_put_text(to, ",\"field\":");
    view_put_json_text(to, look->field);
    view_put_format(to, ",\"boxes\":%s,\"shading\":%s,\"pointSize\":", look->boxes ? "true" : "false",
                    look->shading ? "true" : "false");
    view_put_json_number(to, look->point_size);
    view_put_format(to, ",\"theme\":\"%s\",\"plays\":%s}", themes[look->theme],
                    page->options->plays ? "true" : "false");
}

void view_put_scene(view_bytes *to, const view_page *page)
{
    view_put_format(to, "{\"version\":\"%d.%d.%d\",\"title\":", CLUMP_VERSION_MAJOR, CLUMP_VERSION_MINOR,
                    CLUMP_VERSION_PATCH);
    view_put_json_text(to, page->options->title ? page->options->title : "");
    view_put_text(to, ",\"command\":");
    view_put_json_text(to, page->options->command);
    view_put_format(to, ",\"live\":%s", page->options->live ? "{\"events\":\"/events\",\"frame\":\"/frame\"}" : "null");
    put_colours(to, "palette", view_palette, VIEW_PALETTE);
    put_colours(to, "ramp", view_ramp, VIEW_RAMP);
    view_put_text(to, ",\"special\":{");
    put_special(to, true);
    view_put_text(to, ",");
    put_special(to, false);
    view_put_text(to, "}");
    put_look(to, page);
    view_put_text(to, ",\"frames\":[");
    view_put(to, page->list.data, page->list.size);
    view_put_text(to, "]}");
}
