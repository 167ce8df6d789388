/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cloud_reuse.c: clouds whose memory is used again: fields, growing, and what the caller does to a cloud in between.
 */
#include "support/check.h"

#include "format.h"

static const clump_io_where nowhere = {NULL, NULL};
static const clump_io_shape plain[] = {{"intensity", 0, CLUMP_TYPE_F32, 1}, {"ring", 4, CLUMP_TYPE_U16, 1}};
static const clump_io_shape other[] = {{"intensity", 0, CLUMP_TYPE_F32, 1}, {"normal", 6, CLUMP_TYPE_F64, 3}};

/* Fills all points up to the count: sanitizers see memory that is too small. */
static void fill(clump_cloud *cloud, size_t count)
{
    clump_io_cloud_set_count(cloud, count);
    for (size_t i = 0; i < 3 * count; i++) cloud->xyz[i] = (float)i;
    for (size_t k = 0; k < cloud->field_count; k++)
        memset(clump_io_field_data(cloud, k), (int)k + 1,
               count * cloud->fields[k].count * clump_type_size(cloud->fields[k].type));
}

static void memory_is_used_again(void)
{
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_io_cloud_prepare(&nowhere, &cloud, plain, 2, 1000), CLUMP_OK);
    CHECK(cloud && cloud->capacity >= 1000 && cloud->count == 0 && cloud->field_count == 2);
    CHECK_TEXT(cloud->fields[1].name, "ring");
    fill(cloud, 1000);
    const float *const xyz = cloud->xyz;
    const void *const ring = cloud->fields[1].data;
    for (size_t count = 0; count <= 1000; count += 250) {
        CHECK_INT(clump_io_cloud_prepare(&nowhere, &cloud, plain, 2, count ? count : 1), CLUMP_OK);
        CHECK(cloud->xyz == xyz && cloud->fields[1].data == ring);
        CHECK_INT(clump_cloud_points(cloud).count, 0);
        fill(cloud, count);
        CHECK_INT(clump_cloud_describe(cloud).width, count);
    }
    clump_cloud_destroy(cloud);
}

static void fields_can_change(void)
{
    clump_cloud *cloud = NULL;
    for (int i = 0; i < 6; i++) {
        const size_t capacity = (size_t)(i * 37 % 5 + 1) * 100;
        CHECK_INT(clump_io_cloud_prepare(&nowhere, &cloud, i % 2 ? plain : other, 2, capacity), CLUMP_OK);
        CHECK(cloud->capacity >= capacity);
        CHECK_INT(cloud->fields[1].count, i % 2 ? 1 : 3);
        fill(cloud, cloud->capacity);
        CHECK_INT(clump_io_cloud_prepare(&nowhere, &cloud, plain, (size_t)i % 3, capacity), CLUMP_OK);
        CHECK_INT(cloud->field_count, i % 3);
        fill(cloud, capacity);
    }
    clump_cloud_destroy(cloud);
}

static void growing_keeps_the_points(void)
{
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_io_cloud_prepare(&nowhere, &cloud, plain, 2, 10), CLUMP_OK);
    fill(cloud, 10);
    for (size_t capacity = 11; capacity < 5000; capacity *= 2) {
        CHECK_INT(clump_io_cloud_grow(&nowhere, cloud, capacity), CLUMP_OK);
        CHECK(cloud->capacity >= capacity);
        for (size_t i = 0; i < 30; i++) CHECK(cloud->xyz[i] == (float)i);
        CHECK_INT(((const uint16_t *)cloud->fields[1].data)[9], 0x0202);
    }
    fill(cloud, cloud->capacity);
    CHECK_INT(clump_io_cloud_grow(&nowhere, cloud, SIZE_MAX / 8), CLUMP_ERR_OUT_OF_MEMORY);
    CHECK(cloud->xyz[29] == 29);
    clump_cloud_destroy(cloud);
}

/* A frame belongs to the caller, who may do anything to its cloud. The next frame is right all the same. */
static void caller_may_change_the_cloud(void)
{
    clump_cloud *cloud = NULL;
    clump_message why;
    for (int turn = 0; turn < 40; turn++) {
        const size_t count = (size_t)turn % 7 * 30 + 20;
        CHECK_INT(clump_io_cloud_prepare(&nowhere, &cloud, plain, 2, count), CLUMP_OK);
        CHECK_INT(cloud->field_count, 2);
        CHECK(cloud->origin[0] == 0 && !cloud->exact && !cloud->grid.on && !cloud->info.note[0]);
        fill(cloud, count);
        int32_t labels[256] = {0};
        uint8_t keep[256] = {1, 0, 1};
        const clump_field label = {"label", CLUMP_TYPE_I32, 1, labels};
        const double origin[3] = {1e6, 2e6, 3};
        switch (turn % 5) {
        case 0:
            CHECK_INT(clump_cloud_set_field(cloud, &label, &why), CLUMP_OK);
            break;
        case 1:
            CHECK_INT(clump_cloud_select(cloud, keep), 2);
            break;
        case 2:
            clump_cloud_set_origin(cloud, origin);
            break;
        case 3:
            clump_cloud_set_shape(cloud, count / 10, 10, NULL);
            break;
        default:
            clump_io_cloud_take_xyz64(cloud, calloc(3 * cloud->capacity, sizeof(double)));
            break;
        }
    }
    clump_cloud_destroy(cloud);
}

/* The field of the caller is not in the next frame, and its memory comes back. */
static void field_of_the_caller_is_parked(void)
{
    clump_cloud *cloud = NULL;
    clump_message why;
    int32_t labels[100];
    const void *memory = NULL;
    const clump_field label = {"label", CLUMP_TYPE_I32, 1, labels}, second = {"second", CLUMP_TYPE_I32, 1, labels};
    for (int turn = 0; turn < 5; turn++) {
        const size_t count = turn % 2 ? 50 : 100;
        for (int i = 0; i < 100; i++) labels[i] = turn * 1000 + i;
        CHECK_INT(clump_io_cloud_prepare(&nowhere, &cloud, plain, 2, count), CLUMP_OK);
        CHECK_INT(cloud->field_count, 2);
        fill(cloud, count);
        CHECK_INT(clump_cloud_set_field(cloud, &label, &why), CLUMP_OK);
        CHECK_INT(clump_cloud_set_field(cloud, &second, &why), CLUMP_OK);
        CHECK_INT(cloud->field_count, 4);
        CHECK_TEXT(cloud->fields[2].name, "label");
        CHECK(turn == 0 || cloud->fields[2].data == memory);
        memory = cloud->fields[2].data;
        CHECK_INT(((const int32_t *)memory)[count - 1], labels[count - 1]);
    }
    const clump_field wide = {"label", CLUMP_TYPE_F32, 1, labels}; /* of another type: replaces it */
    CHECK_INT(clump_cloud_set_field(cloud, &wide, &why), CLUMP_OK);
    CHECK_INT(cloud->field_count, 4);
    CHECK_INT(clump_io_cloud_prepare(&nowhere, &cloud, plain, 2, 5000), CLUMP_OK);
    fill(cloud, 5000);
    CHECK(cloud->parked.name == NULL);
    clump_cloud_destroy(cloud);
}

CHECK_PROGRAM(test_cloud_reuse)
{
    RUN(memory_is_used_again);
    RUN(fields_can_change);
    RUN(growing_keeps_the_points);
    RUN(caller_may_change_the_cloud);
    RUN(field_of_the_caller_is_parked);
}
