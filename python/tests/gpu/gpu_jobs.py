# SPDX-License-Identifier: BSD-3-Clause
"""Every job on arrays of a GPU: the results of the CPU, in the caller's library."""

import numpy as np

import clump
from libraries import Cupy, ForeignDlpack, Jax, Skip, Torch, Wrapped, on_cpu, scan

SIZES = (0, 1, 2, 100, 5000, 120000)


def same(library, array, expected):
    assert library.is_own(array), (type(array), getattr(array, "device", None))
    host = library.host(array)
    assert host.dtype == expected.dtype and host.shape == expected.shape, (host.dtype, expected.dtype, host.shape)
    np.testing.assert_array_equal(host, expected)


def test_ec(library):
    with on_cpu() as cpu:
        for n in SIZES:
            points = scan(n)
            device = library.gpu(points)
            for options in ({}, {"two_d": True}, {"order": "size"}, {"min_size": 5, "max_size": 3000},
                            {"eps_per_metre": 0.01, "sensor": (1, 2, 0)}):
                same(library, clump.ec(device, 0.5, **options), clump.ec(points, 0.5, context=cpu, **options))
    labels = clump.ec(library.gpu(scan(1000)), 0.5)
    assert clump.labels_hash(labels) == clump.labels_hash(clump.ec(scan(1000), 0.5))


def test_ec_methods(library):
    points = scan(3000)
    device = library.gpu(points)
    expected = clump.ec(points, 0.5)
    for method in ("fast", "vertex-es", "vertex-rs", "edge-es", "edge-rs", "matrix-es", "matrix-rs"):
        same(library, clump.ec(device, 0.5, method=method), expected)
    try:
        clump.ec(device, 0.5, method="bfs")
        raise AssertionError("bfs does not run on a GPU")
    except clump.DeviceError as error:
        assert "bfs" in str(error)


def test_mask(library):
    points = scan(20000)
    mask = np.random.default_rng(2).random(len(points)) < 0.7
    with on_cpu() as cpu:
        expected = clump.ec(points, 0.5, mask=mask, context=cpu)
    same(library, clump.ec(library.gpu(points), 0.5, mask=library.gpu(mask)), expected)
    same(library, clump.ec(library.gpu(points), 0.5, mask=library.gpu(mask.astype(np.uint8))), expected)


def test_dbscan(library):
    with on_cpu() as cpu:
        for n in SIZES:
            points = scan(n)
            labels, core = clump.dbscan(points, 0.5, 8, return_core=True, context=cpu)
            on_gpu, core_on_gpu = clump.dbscan(library.gpu(points), 0.5, 8, return_core=True)
            same(library, on_gpu, labels)
            same(library, core_on_gpu, core)
        points = scan(4000)
        same(library, clump.dbscan(library.gpu(points), 0.5, 8, method="dclust"), clump.dbscan(points, 0.5, 8, context=cpu))


def test_ground(library):
    with on_cpu() as cpu:
        for n in SIZES[1:]:
            points = scan(n)
            for method in ("grid", "peak"):
                ground, heights = clump.ground(points, method=method, return_heights=True, context=cpu)
                on_gpu, heights_on_gpu = clump.ground(library.gpu(points), method=method, return_heights=True)
                same(library, on_gpu, ground)
                same(library, heights_on_gpu, heights)
            same(library, clump.ground(library.gpu(points)), clump.ground(points, context=cpu))


def test_erccl(library):
    with on_cpu() as cpu:
        for n in SIZES[1:]:
            points = scan(n)
            labels, maps = clump.erccl(points, cell=0.2, return_maps=True, context=cpu)
            on_gpu, maps_on_gpu = clump.erccl(library.gpu(points), cell=0.2, return_maps=True)
            same(library, on_gpu, labels)
            assert maps.keys() == maps_on_gpu.keys()
            for name in maps:
                same(library, maps_on_gpu[name], maps[name])
            same(library, clump.erccl(library.gpu(points), method="racing"),
                 clump.erccl(points, method="racing", context=cpu))


def test_detect(library):
    with on_cpu() as cpu:
        for n in SIZES:
            points = scan(n)
            values = np.random.default_rng(3).random(n).astype(np.float32)
            for options in ({}, {"method": "dbscan"}, {"method": "erccl", "cell": 0.2}, {"crop": (-20, 20, -20, 20, -9, 9)},
                            {"thin": 0.3}, {"axes": True}, {"min_size": 1}):
                expected = clump.detect(points, values=values, context=cpu, **options)
                found = clump.detect(library.gpu(points), values=library.gpu(values), **options)
                same(library, found.labels, expected.labels)
                assert found.clusters.dtype == expected.clusters.dtype
                for name in expected.clusters.dtype.names:
                    np.testing.assert_array_equal(found.clusters[name], expected.clusters[name], err_msg=name)


def test_objects(library):
    with on_cpu() as cpu:
        for n in SIZES:
            points = scan(n)
            rings = (np.arange(n) * 64 // max(n, 1)).astype(np.int16)
            mask = np.random.default_rng(4).random(n) < 0.9
            # scan: auto would find on the host that these rings are not plausible, and does not look on a device
            for options in ({"neighbours": "exact"}, {"neighbours": "scan", "rings": rings},
                            {"neighbours": "scan", "columns": n // 32 + 1},
                            {"levels": (0.4, 1.5), "boxes": [(5, 2, 2)], "people": False, "order": "size", "mask": mask}):
                on_gpu = {name: library.gpu(value) if isinstance(value, np.ndarray) else value for name, value in options.items()}
                labels, objects = clump.objects(points, return_objects=True, context=cpu, **options)
                same(library, clump.objects(library.gpu(points), **on_gpu), labels)
                found, objects_found = clump.objects(library.gpu(points), return_objects=True, **on_gpu)
                same(library, found, labels)
                np.testing.assert_array_equal(objects_found, objects)
                detected = clump.detect(library.gpu(points), method="objects", **on_gpu)
                same(library, detected.labels, labels)
                for name in objects.dtype.names:
                    np.testing.assert_array_equal(detected.clusters[name], objects[name], err_msg=name)


def test_describe_and_group(library):
    with on_cpu() as cpu:
        for n in SIZES:
            points = scan(n)
            labels = clump.ec(points, 0.5, context=cpu)
            heights = clump.ground(points, return_heights=True, context=cpu)[1]
            device, labels_on_gpu = library.gpu(points), library.gpu(labels)
            expected, hulls = clump.describe(points, labels, heights=heights, axes=True, return_hulls=True, context=cpu)
            found, hulls_found = clump.describe(device, labels_on_gpu, heights=library.gpu(heights), axes=True,
                                                return_hulls=True)
            for name in expected.dtype.names:
                np.testing.assert_array_equal(found[name], expected[name], err_msg=name)
            assert len(hulls) == len(hulls_found)
            for a, b in zip(hulls, hulls_found):
                np.testing.assert_array_equal(a, b)
            np.testing.assert_array_equal(clump.describe(device, labels_on_gpu, count=len(expected))["count"],
                                          expected["count"])
            assert clump.labels_hash(labels_on_gpu) == clump.labels_hash(labels)
    points = scan(3000)
    labels = clump.ec(points, 0.5)
    groups, expected = clump.group(library.gpu(labels)), clump.group(labels)
    assert len(groups) == len(expected) > 10
    for a, b in zip(groups, expected):
        same(library, a, b)
    assert clump.group(library.gpu(np.full(5, -1, np.int32))) == []


def test_labels_of_one_job_go_into_the_next(library):
    points = scan(5000)
    device = library.gpu(points)
    labels = clump.ec(device, 0.5, min_size=10)
    expected = clump.ec(points, 0.5, min_size=10)
    clusters = clump.describe(device, labels)
    np.testing.assert_array_equal(clusters["count"], clump.describe(points, expected)["count"])
    same(library, clump.group(labels)[0], clump.group(expected)[0])
    ground = clump.ground(device)
    try:
        mask = ~ground
    except TypeError:
        return "a DeviceView has no arithmetic"
    same(library, clump.ec(device, 0.5, mask=mask), clump.ec(points, 0.5, mask=~clump.ground(points)))


def test_index(library):
    for n, m in ((1, 1), (5, 3), (20000, 7000)):
        points, queries = scan(n), scan(m, seed=9)
        with on_cpu() as cpu:
            host = clump.Index(points, context=cpu)
            device = clump.Index(library.gpu(points))
            assert len(device) == n and device.nbytes > 0
            for call in (lambda i, q: i.nearest(q, squared=True), lambda i, q: i.nearest(q, 0.5, squared=True),
                         lambda i, q: i.knn(q, 5, squared=True), lambda i, q: i.radius(q, 1.0, squared=True)):
                expected, found = call(host, queries), call(device, library.gpu(queries))
                for a, b in zip(found, expected, strict=True):
                    if library.name == "jax" and b.dtype == np.int64:
                        b = b.astype(np.int32)  # JAX has no int64 unless it is asked for
                    same(library, a, b)
            for call in (lambda i, q: i.nearest(q), lambda i, q: i.knn(q, 3)):
                expected, found = call(host, queries), call(device, library.gpu(queries))
                assert library.is_own(found[0])
                np.testing.assert_allclose(library.host(found[0]), expected[0], rtol=3e-7)
            np.testing.assert_allclose(library.host(device.radius(library.gpu(queries), 1.0)[2]),
                                       host.radius(queries, 1.0)[2], rtol=3e-7)
            same_index = device.nearest(queries, squared=True)  # queries of the host, points on the GPU
            np.testing.assert_array_equal(same_index[1], host.nearest(queries)[1])
            device.rebuild(library.gpu(queries))
            same(library, device.nearest(library.gpu(points), squared=True)[1],
                 clump.Index(queries, context=cpu).nearest(points)[1])


def test_layouts(library):
    points = scan(4000)
    expected = clump.ec(points, 0.5)
    wide = np.zeros((len(points), 7), np.float32)
    wide[:, :3] = points
    same(library, clump.ec(library.gpu(wide), 0.5), expected)
    if not library.slices:
        raise Skip("arrays here have no slices without a copy")
    device = library.gpu(wide)
    same(library, clump.ec(device[:, :3], 0.5), expected)
    same(library, clump.ec(device[:, 0:4], 0.5), expected)
    same(library, clump.ec(device[::3, :3], 0.5), clump.ec(points[::3], 0.5))
    same(library, clump.ec(library.gpu(np.ascontiguousarray(points.T)).T, 0.5), expected)
    same(library, clump.ec(library.gpu(np.repeat(points, 2, 1))[:, ::2], 0.5), expected)
    same(library, clump.ec(library.gpu(np.repeat(points[:1], 2, 1))[:, ::2], 0.5), expected[:1])
    mask = np.arange(8000) % 3 > 0
    same(library, clump.ec(library.gpu(points), 0.5, mask=library.gpu(mask)[::2]), clump.ec(points, 0.5, mask=mask[::2]))
    shifted = library.gpu(np.concatenate([np.zeros(1, np.float32), points.ravel()]))[1:].reshape(-1, 3)
    same(library, clump.ec(shifted, 0.5), expected)  # an address that is a multiple of 4 only


def refused(kind, call, word=""):
    try:
        call()
    except kind as error:
        assert word in str(error), error
        return
    raise AssertionError(f"no {kind}: {word}")


def test_bad_input(library):
    points = scan(100)
    device = library.gpu(points)
    if library.name != "jax":
        refused(clump.ArgumentError, lambda: clump.ec(library.gpu(points.astype(np.float64)), 1), "float32")
    refused(clump.ArgumentError, lambda: clump.ec(library.gpu(points.astype(np.float16)), 1), "float32")
    refused(clump.ArgumentError, lambda: clump.ec(library.gpu(points.astype(np.int32)), 1), "int32")
    refused(clump.ArgumentError, lambda: clump.ec(library.gpu(points[:, :2]), 1), "2 columns")
    refused(clump.ArgumentError, lambda: clump.ec(library.gpu(points[:, 0]), 1), "dimension")
    refused(clump.ArgumentError, lambda: clump.ec(library.gpu(points.reshape(10, 10, 3)), 1), "dimension")
    refused(clump.ArgumentError, lambda: clump.ec(device, -1))
    refused(clump.ArgumentError, lambda: clump.ec(device, 1, mask=np.ones(100, bool)), "mask")
    refused(clump.ArgumentError, lambda: clump.ec(device, 1, mask=library.gpu(np.ones(99, bool))), "mask")
    refused(TypeError, lambda: clump.ec(device, 1, mask=library.gpu(np.ones(100, np.float32))), "mask")
    refused((clump.ArgumentError, TypeError), lambda: clump.ec(points, 1, mask=library.gpu(np.ones(100, bool))), "mask")
    refused(TypeError, lambda: clump.describe(device, library.gpu(np.zeros(100, np.float32))), "labels")
    with on_cpu() as cpu:
        refused(clump.ArgumentError, lambda: clump.ec(device, 1, context=cpu), "CPU")
    closed = clump.Context("cuda")
    closed.close()
    refused(ValueError, lambda: clump.ec(device, 1, context=closed), "closed")
    refused(clump.ArgumentError, lambda: clump.Index(points, context=on_cpu()).nearest(device))
    same(library, clump.ec(device, 1), clump.ec(points, 1))  # and all still works


def test_own_context(library):
    points = scan(2000)
    with clump.Context("cuda") as context:
        same(library, clump.ec(library.gpu(points), 0.5, context=context), clump.ec(points, 0.5))
        assert context.stats["backend"] == "cuda"
        np.testing.assert_array_equal(clump.ec(points, 0.5, context=context), clump.ec(points, 0.5))
    with clump.Context() as context:
        labels = clump.ec(library.gpu(points), 0.5, context=context)
    same(library, labels, clump.ec(points, 0.5))  # results outlive their context


def test_tensors_in_host_memory():
    """CPU tensors and pinned tensors are host memory; results are tensors there."""
    points = scan(3000)
    expected = clump.ec(points, 0.5)
    done = []
    try:
        torch = Torch().torch
        for tensor in (torch.from_numpy(points), torch.from_numpy(points).pin_memory()):
            labels = clump.ec(tensor, 0.5)
            assert isinstance(labels, torch.Tensor) and labels.device.type == "cpu"
            np.testing.assert_array_equal(labels.numpy(), expected)
        done.append("torch")
    except Skip:
        pass
    try:
        jax = Jax().jax
        array = jax.device_put(points, jax.devices("cpu")[0])
        labels, core = clump.dbscan(array, 0.5, 5, return_core=True)
        assert isinstance(labels, jax.Array) and isinstance(core, jax.Array)
        np.testing.assert_array_equal(np.asarray(labels), clump.dbscan(points, 0.5, 5))
        np.testing.assert_array_equal(np.asarray(clump.ec(array, 0.5)), expected)
        done.append("jax")
    except Skip:
        pass
    return " and ".join(done)


def test_managed_memory():
    """Memory that GPU and host share counts as memory of the GPU."""
    cupy = Cupy().cupy
    points = scan(3000)
    with cupy.cuda.using_allocator(cupy.cuda.malloc_managed):
        array = cupy.asarray(points)
    kind = int(array.__dlpack_device__()[0])
    assert kind == 13, kind
    foreign = ForeignDlpack()
    same(foreign, clump.ec(Wrapped(array, True), 0.5), clump.ec(points, 0.5))
    same(Cupy(), clump.ec(array, 0.5), clump.ec(points, 0.5))


def test_a_tensor_with_a_gradient():
    torch = Torch().torch
    points = torch.from_numpy(scan(500)).cuda().requires_grad_()
    labels = clump.ec(points, 0.5)
    assert not labels.requires_grad
    np.testing.assert_array_equal(labels.cpu().numpy(), clump.ec(scan(500), 0.5))
