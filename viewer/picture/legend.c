/* SPDX-License-Identifier: BSD-3-Clause
 *
 * legend.c: see paint.h. Text is drawn with a small font of this file. A pixel of the font is a square of `unit` pixels of
 * the picture, whose edges stay sharp.
 */
#include "viewer/picture/paint.h"

#include "common/assert.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    LEGEND_FIRST = ' ',
    LEGEND_LAST = '~',
    LEGEND_COLUMNS = 5, /* of a glyph, at most; columns that are empty at the right are left out */
    LEGEND_ROWS = 8,    /* of a glyph, the last one below the line */
    LEGEND_SPACE = 3,   /* columns of ' ' */
    LEGEND_LINE = 12,   /* from line to line, in pixels of the font, and so the next ones */
    LEGEND_EDGE = 5,    /* around the text */
    LEGEND_SWATCH = 8,
    LEGEND_GAP = 4, /* between swatches and text */
    LEGEND_RAMP = 120,
    LEGEND_UNIT_HEIGHT = 450, /* pixels of the picture per pixel of the unit */
    LEGEND_TEXT = 64,
    LEGEND_ENTRIES = 8,
    LEGEND_COLOURS = 4 /* of an entry */
};

/* The glyphs of ASCII from ' ' to '~': per column one bit per row, the lowest bit at the top. */
static const uint8_t glyphs[LEGEND_LAST - LEGEND_FIRST + 1][LEGEND_COLUMNS] = {
    {0x00, 0x00, 0x00},
    {0x5f},
    {0x03, 0x00, 0x03},
    {0x14, 0x7f, 0x14, 0x7f, 0x14},
    {0x24, 0x2a, 0x7f, 0x2a, 0x12},
    {0x63, 0x13, 0x08, 0x64, 0x63},
    {0x36, 0x49, 0x55, 0x22, 0x50},
    {0x03},
    {0x1c, 0x22, 0x41},
    {0x41, 0x22, 0x1c},
    {0x14, 0x08, 0x3e, 0x08, 0x14},
    {0x08, 0x08, 0x3e, 0x08, 0x08},
    {0x80, 0x60},
    {0x08, 0x08, 0x08, 0x08, 0x08},
    {0x40},
    {0x60, 0x10, 0x08, 0x04, 0x03},
    {0x3e, 0x51, 0x49, 0x45, 0x3e},
    {0x00, 0x42, 0x7f, 0x40, 0x00},
    {0x42, 0x61, 0x51, 0x49, 0x46},
    {0x22, 0x41, 0x49, 0x49, 0x36},
    {0x18, 0x14, 0x12, 0x7f, 0x10},
    {0x27, 0x45, 0x45, 0x45, 0x39},
    {0x3c, 0x4a, 0x49, 0x49, 0x30},
    {0x01, 0x61, 0x19, 0x05, 0x03},
    {0x36, 0x49, 0x49, 0x49, 0x36},
    {0x06, 0x49, 0x49, 0x29, 0x1e},
    {0x24},
    {0x80, 0x64},
    {0x08, 0x14, 0x22, 0x41},
    {0x14, 0x14, 0x14, 0x14, 0x14},
    {0x41, 0x22, 0x14, 0x08},
    {0x02, 0x01, 0x51, 0x09, 0x06},
    {0x3e, 0x41, 0x5d, 0x55, 0x1e},
    {0x7e, 0x09, 0x09, 0x09, 0x7e},
    {0x7f, 0x49, 0x49, 0x49, 0x36},
    {0x3e, 0x41, 0x41, 0x41, 0x22},
    {0x7f, 0x41, 0x41, 0x41, 0x3e},
    {0x7f, 0x49, 0x49, 0x49, 0x41},
    {0x7f, 0x09, 0x09, 0x09, 0x01},
    {0x3e, 0x41, 0x49, 0x49, 0x7a},
    {0x7f, 0x08, 0x08, 0x08, 0x7f},
    {0x41, 0x7f, 0x41},
    {0x20, 0x40, 0x40, 0x40, 0x3f},
    {0x7f, 0x08, 0x14, 0x22, 0x41},
    {0x7f, 0x40, 0x40, 0x40, 0x40},
    {0x7f, 0x02, 0x0c, 0x02, 0x7f},
    {0x7f, 0x02, 0x04, 0x08, 0x7f},
    {0x3e, 0x41, 0x41, 0x41, 0x3e},
    {0x7f, 0x09, 0x09, 0x09, 0x06},
    {0x3e, 0x41, 0x51, 0x21, 0x5e},
    {0x7f, 0x09, 0x19, 0x29, 0x46},
    {0x46, 0x49, 0x49, 0x49, 0x31},
    {0x01, 0x01, 0x7f, 0x01, 0x01},
    {0x3f, 0x40, 0x40, 0x40, 0x3f},
    {0x0f, 0x30, 0x40, 0x30, 0x0f},
    {0x7f, 0x20, 0x18, 0x20, 0x7f},
    {0x63, 0x14, 0x08, 0x14, 0x63},
    {0x03, 0x04, 0x78, 0x04, 0x03},
    {0x61, 0x51, 0x49, 0x45, 0x43},
    {0x7f, 0x41, 0x41},
    {0x03, 0x04, 0x08, 0x10, 0x60},
    {0x41, 0x41, 0x7f},
    {0x04, 0x02, 0x01, 0x02, 0x04},
    {0x40, 0x40, 0x40, 0x40, 0x40},
    {0x01, 0x02},
    {0x20, 0x54, 0x54, 0x54, 0x78},
    {0x7f, 0x44, 0x44, 0x44, 0x38},
    {0x38, 0x44, 0x44, 0x44, 0x44},
    {0x38, 0x44, 0x44, 0x44, 0x7f},
    {0x38, 0x54, 0x54, 0x54, 0x18},
    {0x04, 0x7e, 0x05, 0x01},
    {0x38, 0xc4, 0xc4, 0xc4, 0x7c},
    {0x7f, 0x04, 0x04, 0x04, 0x78},
    {0x7d},
    {0x80, 0x80, 0x7d},
    {0x7f, 0x10, 0x28, 0x44},
    {0x7f, 0x40},
    {0x7c, 0x04, 0x7c, 0x04, 0x78},
    {0x7c, 0x04, 0x04, 0x04, 0x78},
    {0x38, 0x44, 0x44, 0x44, 0x38},
    {0xfc, 0x44, 0x44, 0x44, 0x38},
    {0x38, 0x44, 0x44, 0x44, 0xfc},
    {0x7c, 0x08, 0x04, 0x04},
    {0x48, 0x54, 0x54, 0x54, 0x24},
    {0x04, 0x3f, 0x44, 0x40},
    {0x3c, 0x40, 0x40, 0x40, 0x7c},
    {0x1c, 0x20, 0x40, 0x20, 0x1c},
    {0x3c, 0x40, 0x3c, 0x40, 0x3c},
    {0x44, 0x28, 0x10, 0x28, 0x44},
    {0x3c, 0xc0, 0xc0, 0xc0, 0x7c},
    {0x44, 0x64, 0x54, 0x4c, 0x44},
    {0x08, 0x36, 0x41},
    {0x7f},
    {0x41, 0x36, 0x08},
    {0x18, 0x04, 0x08, 0x10, 0x0c},
};

/* --- drawing on pixels ------------------------------------------------------------------------- */

static size_t unit_of(const view_image *image)
{
    return image->height < 2 * LEGEND_UNIT_HEIGHT ? 1 : image->height / LEGEND_UNIT_HEIGHT;
}

/* Moves the pixels of a rectangle towards a colour, by a share of 4. What is outside of the picture is left out. */
static void fill(view_image *image, size_t left, size_t top, size_t width, size_t height, view_rgb colour, int share)
{
    CLUMP_ASSERT(share >= 0 && share <= 4);
    const uint8_t channels[3] = {colour.r, colour.g, colour.b};
    for (size_t y = top; y < top + height && y < image->height; y++)
        for (size_t x = left; x < left + width && x < image->width; x++)
            for (size_t k = 0; k < 3; k++) {
                uint8_t *const c = image->rgb + 3 * (y * image->width + x) + k;
                *c = (uint8_t)((*c * (4 - share) + channels[k] * share + 2) / 4);
            }
}

/* The next glyph of a text in UTF-8: a character that is not ASCII becomes '?'. Null: the text has ended. */
static const uint8_t *next_glyph(const char **text)
{
    const unsigned char c = (unsigned char)**text;
    if (!c) return NULL;
    (*text)++;
    while (c >= 0x80 && ((unsigned char)**text & 0xc0) == 0x80) (*text)++;
    return glyphs[(c < LEGEND_FIRST || c > LEGEND_LAST ? '?' : c) - LEGEND_FIRST];
}

static size_t columns_of(const uint8_t *glyph)
{
    size_t columns = LEGEND_COLUMNS;
    while (columns > 0 && !glyph[columns - 1]) columns--;
    return columns ? columns : LEGEND_SPACE;
}

/* The columns of a text, with the gaps between its glyphs. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    const uint8_t *glyph;
    while ((glyph = next_glyph(&text))) width += columns_of(glyph) + 1;
    return width ? width - 1 : 0;
}

static void draw_text(view_image *image, size_t left, size_t top, const char *text, view_rgb colour)
{
    const size_t unit = unit_of(image);
    const uint8_t *glyph;
    while ((glyph = next_glyph(&text))) {
        const size_t columns = columns_of(glyph);
        for (size_t x = 0; x < columns && x < LEGEND_COLUMNS; x++)
            for (size_t y = 0; y < LEGEND_ROWS; y++)
                if (glyph[x] >> y & 1) fill(image, left + x * unit, top + y * unit, unit, unit, colour, 4);
        left += (columns + 1) * unit;
    }
}

/* --- what the legend says ---------------------------------------------------------------------- */

typedef struct legend_entry {
    char text[LEGEND_TEXT];
    view_rgb colours[LEGEND_COLOURS];
    size_t colour_count;
} legend_entry;

typedef struct legend {
    legend_entry entries[LEGEND_ENTRIES];
    size_t count;
    bool ramp; /* and the ramp below the entries, with these limits */
    char low[LEGEND_TEXT], high[LEGEND_TEXT];
} legend;

/* Adds a line of text. Returns it, for its colours. */
static legend_entry *add_text(legend *to, const char *format, ...) VIEW_PRINTF(2, 3);
static legend_entry *add_text(legend *to, const char *format, ...)
{
    CLUMP_ASSERT(to->count < sizeof to->entries / sizeof *to->entries);
    legend_entry *const entry = &to->entries[to->count++];
    va_list args;
    va_start(args, format);
    vsnprintf(entry->text, sizeof entry->text, format, args);
    va_end(args);
    entry->colour_count = 0;
    return entry;
}

static void add_colour(legend *to, const char *text, view_rgb colour)
{
    legend_entry *const entry = add_text(to, "%s", text);
    CLUMP_ASSERT(entry->colour_count < LEGEND_COLOURS);
    entry->colours[entry->colour_count++] = colour;
}

/* Adds the clusters with a few of their colours. */
static void add_clusters(legend *to, const view_labels *labels, const view_paint *paint)
{
    legend_entry *const entry = add_text(to, labels->count == 1 ? "%d cluster" : "%d clusters", (int)labels->count);
    uint32_t shown = 0; /* one bit per colour of the palette */
    for (int32_t c = 0; c < labels->count && entry->colour_count < LEGEND_COLOURS; c++) {
        CLUMP_ASSERT(paint->clusters[c] < 32);
        const uint32_t bit = 1u << paint->clusters[c];
        if (!(shown & bit)) entry->colours[entry->colour_count++] = view_palette[paint->clusters[c]];
        shown |= bit;
    }
}

static void add_labels(legend *to, const view_frame *frame, size_t which, view_colour colour, const view_paint *paint,
                       const view_special *special)
{
    const view_labels *const labels = &frame->labelings[which];
    const size_t points = clump_cloud_points(frame->clouds[0]).count;
    bool ground = false, rest = false;
    for (size_t i = 0; i < points; i++) {
        ground |= labels->labels[i] == CLUMP_GROUND;
        rest |= labels->labels[i] == CLUMP_NOISE;
    }
    if (colour == VIEW_BY_CORE && labels->core) {
        add_colour(to, "core points", special->core);
        add_colour(to, "border points", special->border);
    } else if (colour == VIEW_BY_GROUND && labels->count > 0) {
        add_colour(to, "clusters", view_palette[0]);
    } else if (labels->count > 0) {
        add_clusters(to, labels, paint);
    }
    if (ground) add_colour(to, "ground", special->ground);
    if (rest) add_colour(to, ground && labels->count == 0 ? "not ground" : "noise", paint->rest);
    if (frame->labeling_count > 1) add_colour(to, "labels differ", special->differs);
}

static void add_clouds(legend *to, const view_frame *frame, size_t first, const view_special *special)
{
    for (size_t c = first; c < frame->cloud_count; c++)
        add_colour(to,
                   frame->cloud_names[c] ? frame->cloud_names[c]
                   : c                   ? "second cloud"
                                         : "first cloud",
                   special->clouds[c]);
}

static void collect(legend *to, const view_frame *frame, const view_options *options, size_t which,
                    const view_paint *paint, const view_special *special)
{
    view_colour colour;
    if (!view_resolve_colour(frame, options, &colour)) return;
    if (colour == VIEW_BY_HEIGHT || colour == VIEW_BY_RANGE || colour == VIEW_BY_FIELD) {
        add_text(to, "%s",
                 colour == VIEW_BY_HEIGHT  ? "height, m"
                 : colour == VIEW_BY_RANGE ? "range, m"
                                           : options->field);
        snprintf(to->low, sizeof to->low, "%.4g", paint->low);
        snprintf(to->high, sizeof to->high, "%.4g", paint->high);
        to->ramp = true;
    } else if (colour == VIEW_BY_RGB) {
        add_text(to, "colours of the file");
    } else if (colour == VIEW_BY_CLOUD) {
        add_clouds(to, frame, 0, special);
    } else if (colour == VIEW_BY_DIFFERENCE) {
        add_colour(to, "labels differ", special->differs);
        add_colour(to, "labels agree", special->noise);
    } else {
        add_labels(to, frame, which, colour, paint, special);
        add_clouds(to, frame, 1, special);
    }
}

/* --- the legend ---------------------------------------------------------------------------------- */

static size_t swatches_width(const legend_entry *entry)
{
    return entry->colour_count * LEGEND_SWATCH + (entry->colour_count ? LEGEND_GAP : 0);
}

/* Shortens a text that is wider than `most` columns; its end shows that something is missing. */
static void shorten(char *text, size_t most)
{
    size_t length = strlen(text);
    while (length > 3 && width_of(text) > most) {
        length--;
        while (length > 3 && ((unsigned char)text[length] & 0xc0) == 0x80) length--; /* whole characters */
        memcpy(text + length - 3, "...", 4);
    }
}

static void draw_entry(view_image *image, size_t left, size_t top, const legend_entry *entry, view_rgb text)
{
    const size_t unit = unit_of(image);
    for (size_t k = 0; k < entry->colour_count; k++)
        fill(image, left + k * LEGEND_SWATCH * unit, top, (LEGEND_SWATCH - 1) * unit, (LEGEND_SWATCH - 1) * unit,
             entry->colours[k], 4);
    draw_text(image, left + swatches_width(entry) * unit, top, entry->text, text);
}

static void draw_ramp(view_image *image, size_t left, size_t top, const legend *said, view_rgb text)
{
    const size_t unit = unit_of(image), width = LEGEND_RAMP * unit;
    for (size_t x = 0; x < width; x++)
        fill(image, left + x, top, 1, (LEGEND_SWATCH - 1) * unit, view_ramp[x * (VIEW_RAMP - 1) / (width - 1)], 4);
    draw_text(image, left, top + LEGEND_LINE * unit, said->low, text);
    const size_t end = width_of(said->high);
    if (end < LEGEND_RAMP)
        draw_text(image, left + (LEGEND_RAMP - end) * unit, top + LEGEND_LINE * unit, said->high, text);
}

static bool has_room(const view_options *options, const view_image *image)
{
    return options->legend && image->width >= VIEW_LEGEND_WIDTH && image->height >= VIEW_LEGEND_HEIGHT;
}

void view_draw_legend(const view_frame *frame, const view_options *options, size_t which, const view_paint *paint,
                      bool named, view_image *image)
{
    CLUMP_ASSERT(which == 0 || which < frame->labeling_count);
    const view_special *const special = view_special_colours(options->theme != VIEW_THEME_LIGHT);
    const size_t unit = unit_of(image);
    legend said = {0};
    if (!has_room(options, image)) return;
    if (named && frame->labelings[which].name) add_text(&said, "%s", frame->labelings[which].name);
    collect(&said, frame, options, which, paint, special);
    if (!said.count) return;
    size_t width = said.ramp ? LEGEND_RAMP : 0;
    for (size_t k = 0; k < said.count; k++) {
        legend_entry *const entry = &said.entries[k];
        shorten(entry->text, image->width / unit / 2 - swatches_width(entry));
        const size_t needed = swatches_width(entry) + width_of(entry->text);
        if (needed > width) width = needed;
    }
    const size_t lines = said.count + (said.ramp ? 2 : 0);
    const size_t height = (lines * LEGEND_LINE - (LEGEND_LINE - LEGEND_ROWS) + 2 * LEGEND_EDGE) * unit;
    const size_t left = LEGEND_EDGE * unit, top = image->height - left - height;
    fill(image, left, top, (width + 2 * LEGEND_EDGE) * unit, height, special->background, 3);
    for (size_t k = 0; k < said.count; k++)
        draw_entry(image, 2 * left, top + left + k * LEGEND_LINE * unit, &said.entries[k], special->text);
    if (said.ramp) draw_ramp(image, 2 * left, top + left + said.count * LEGEND_LINE * unit, &said, special->text);
}

/* --- the scale bar ------------------------------------------------------------------------------- */

/* The largest of 1, 2, 5, 10, 20, 50 ... that is not above `most`, times a power of 10. */
static double round_length(double most)
{
    const double power = pow(10, floor(log10(most)));
    const double factor = most / power;
    return power * (factor >= 5 ? 5 : factor >= 2 ? 2 : 1);
}

void view_draw_scale(const view_frame *frame, const view_options *options, const view_lens *lens, view_image *image)
{
    const view_special *const special = view_special_colours(options->theme != VIEW_THEME_LIGHT);
    const int up = frame->up == CLUMP_UP_Y ? 1 : 2;
    const double pixels = lens->scale / RASTER_FINE / lens->target; /* per unit of the coordinates */
    if (!has_room(options, image) || !(fabs(lens->sight[up]) > 0.9999) || !isfinite(pixels)) return;
    const double length = round_length((double)image->width / 5 / pixels);
    char text[LEGEND_TEXT];
    snprintf(text, sizeof text, "%g m", length);
    const size_t unit = unit_of(image), bar = (size_t)floor(length * pixels + 0.5), words = width_of(text) * unit;
    const size_t width = bar > words ? bar : words, edge = LEGEND_EDGE * unit;
    if (width + 4 * edge > image->width || !bar) return;
    const size_t right = image->width - 2 * edge, bottom = image->height - 2 * edge, thick = 2 * unit;
    fill(image, right - width - edge, bottom - (LEGEND_LINE + LEGEND_ROWS) * unit - edge, width + 2 * edge,
         (LEGEND_LINE + LEGEND_ROWS) * unit + 2 * edge, special->background, 3);
    fill(image, right - bar, bottom - thick, bar, thick, special->text, 4);
    fill(image, right - bar, bottom - 3 * thick, thick, 3 * thick, special->text, 4);
    fill(image, right - thick, bottom - 3 * thick, thick, 3 * thick, special->text, 4);
    draw_text(image, right - bar / 2 - words / 2, bottom - (LEGEND_LINE + LEGEND_ROWS) * unit, text, special->text);
}
