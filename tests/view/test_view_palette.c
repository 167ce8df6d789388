/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_palette.c: the colours are told apart, also by readers with dichromacy. The palette was found with OKLab and the
 * matrices of Machado, Oliveira and Fernandes (2009). This test measures with CIEDE2000 (CIE 142-2001) and, for protanopia
 * and deuteranopia, with the planes of Vienot, Brettel and Mollon (1999). They have no plane for tritanopia.
 */
#include "support/check.h"
#include "viewer/scene/palette.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { NORMAL, PROTANOPIA, DEUTERANOPIA, TRITANOPIA, SIGHTS };

static const char *const sight_names[SIGHTS] = {"normal vision", "protanopia", "deuteranopia", "tritanopia"};

/* Linear RGB to linear RGB. */
static const double sight_matrices[SIGHTS][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}},
    {{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
};

typedef struct lab {
    double l, a, b;
} lab;

static double linear(uint8_t byte)
{
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(view_rgb c)
{
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

/* The ratio of WCAG 2: 1 to 21. */
static double contrast(view_rgb a, view_rgb b)
{
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

static double lab_root(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static lab see(view_rgb colour, int sight)
{
    const double in[3] = {linear(colour.r), linear(colour.g), linear(colour.b)};
    double c[3];
    for (int i = 0; i < 3; i++) {
        const double *m = sight_matrices[sight][i];
        c[i] = fmin(1, fmax(0, m[0] * in[0] + m[1] * in[1] + m[2] * in[2]));
    }
    const double x = lab_root((0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047);
    const double y = lab_root(0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2]);
    const double z = lab_root((0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883);
    return (lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double hue_of(double a, double b)
{
    const double degrees = atan2(b, a) * 180 / PI;
    return degrees < 0 ? degrees + 360 : degrees;
}

static double cosine(double degrees)
{
    return cos(degrees * PI / 180);
}

static double ciede2000(lab p, lab q)
{
    const double mean_chroma7 = pow((hypot(p.a, p.b) + hypot(q.a, q.b)) / 2, 7), pow25 = 6103515625.0;
    const double g = 0.5 * (1 - sqrt(mean_chroma7 / (mean_chroma7 + pow25)));
    const double a1 = (1 + g) * p.a, a2 = (1 + g) * q.a, c1 = hypot(a1, p.b), c2 = hypot(a2, q.b);
    const double h1 = hue_of(a1, p.b), h2 = hue_of(a2, q.b);
    double dh = c1 * c2 == 0 ? 0 : h2 - h1, h = (h1 + h2) / 2;
    if (fabs(h1 - h2) > 180) {
        dh += h2 > h1 ? -360 : 360;
        h += h < 180 ? 180 : -180;
    }
    if (c1 * c2 == 0) h = h1 + h2;
    const double dl = q.l - p.l, dc = c2 - c1, big_h = 2 * sqrt(c1 * c2) * sin(dh * PI / 360);
    const double l = (p.l + q.l) / 2, c = (c1 + c2) / 2, l50 = (l - 50) * (l - 50), c7 = pow(c, 7);
    const double t =
        1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) - 0.20 * cosine(4 * h - 63);
    const double sl = 1 + 0.015 * l50 / sqrt(20 + l50), sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
    const double turn = 30 * exp(-pow((h - 275) / 25, 2));
    const double rt = -2 * sqrt(c7 / (c7 + pow25)) * sin(2 * turn * PI / 180);
    return sqrt(pow(dl / sl, 2) + pow(dc / sc, 2) + pow(big_h / sh, 2) + rt * dc / sc * big_h / sh);
}

static double apart(view_rgb a, view_rgb b, int sight)
{
    return ciede2000(see(a, sight), see(b, sight));
}

/* Pairs of the paper of Sharma, Wu and Dalal (2005), which test implementations of the formula. */
static void the_formula_is_right(void)
{
    static const struct {
        lab p, q;
        double expected;
    } rows[] = {{{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
                {{50, -1, 2}, {50, 0, 0}, 2.3669},
                {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
                {{50, 2.5, 0}, {58, 24, 15}, 19.4535},
                {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (fabs(ciede2000(rows[i].p, rows[i].q) - rows[i].expected) > 1e-4)
            CHECK_FAIL("row %zu: %.4f, expected %.4f", i, ciede2000(rows[i].p, rows[i].q), rows[i].expected);
}

static void check_apart(const char *what, view_rgb a, view_rgb b, double least)
{
    for (int sight = 0; sight < SIGHTS; sight++)
        if (!(apart(a, b, sight) >= least))
            CHECK_FAIL("%s: #%02x%02x%02x and #%02x%02x%02x are %.1f apart for %s, less than %.1f", what, a.r, a.g, a.b,
                       b.r, b.g, b.b, apart(a, b, sight), sight_names[sight], least);
}

/* A difference of 1 is just seen side by side; 5 is seen at a glance. */
static void colours_of_the_palette_differ(void)
{
    for (int i = 0; i < VIEW_PALETTE; i++)
        for (int j = 0; j < i; j++) {
            check_apart("palette", view_palette[i], view_palette[j], 5);
            if (apart(view_palette[i], view_palette[j], NORMAL) < 10) CHECK_FAIL("colours %d and %d", i, j);
            CHECK(view_apart[i][j] == view_apart[j][i] && view_apart[i][j] >= 60);
        }
    for (int i = 0; i < VIEW_PALETTE; i++) CHECK_INT(view_apart[i][i], 0);
}

static void colours_are_seen_on_both_backgrounds(void)
{
    for (int dark = 0; dark < 2; dark++) {
        const view_special *s = view_special_colours(dark);
        for (int i = 0; i < VIEW_PALETTE; i++) {
            if (contrast(view_palette[i], s->background) < (dark ? 2.4 : 1.5))
                CHECK_FAIL("colour %d on %s: %.2f", i, dark ? "dark" : "light",
                           contrast(view_palette[i], s->background));
            check_apart("noise", view_palette[i], s->noise, 5);
            check_apart("ground", view_palette[i], s->ground, 5);
            check_apart("differs", view_palette[i], s->differs, 2.5);
        }
        CHECK(contrast(s->text, s->background) >= 7);
        CHECK(contrast(s->highlight, s->background) >= 15);
        check_apart("noise and ground", s->noise, s->ground, 8);
        check_apart("ground and background", s->ground, s->background, 6);
        check_apart("differs and noise", s->differs, s->noise, 20);
        check_apart("differs and ground", s->differs, s->ground, 20);
        check_apart("core and border", s->core, s->border, 15);
        check_apart("core and noise", s->core, s->noise, 10);
        check_apart("border and noise", s->border, s->noise, 10);
        check_apart("clouds", s->clouds[0], s->clouds[1], 15);
    }
}

static void the_ramp_grows_lighter(void)
{
    for (int sight = 0; sight < SIGHTS; sight++) {
        for (int i = 1; i < VIEW_RAMP; i++)
            if (!(see(view_ramp[i], sight).l >= see(view_ramp[i - 1], sight).l - 0.25))
                CHECK_FAIL("%d, %s", i, sight_names[sight]);
        for (int i = 8; i < VIEW_RAMP; i++)
            if (!(see(view_ramp[i], sight).l > see(view_ramp[i - 8], sight).l + 0.5))
                CHECK_FAIL("%d, %s", i, sight_names[sight]);
        CHECK(see(view_ramp[VIEW_RAMP - 1], sight).l - see(view_ramp[0], sight).l > 50);
    }
}

CHECK_PROGRAM(test_view_palette)
{
    RUN(the_formula_is_right);
    RUN(colours_of_the_palette_differ);
    RUN(colours_are_seen_on_both_backgrounds);
    RUN(the_ramp_grows_lighter);
}
