#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check.py [SCAN.bin]: starts a container, loads the components of clump_ros and checks them from outside, as a user sees them: by the
command ros2 and by messages. SCAN.bin is a scan of KITTI; without it, a made one. One line per check; status 1 where one fails."""

import array
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import numpy as np
import rclpy
from autoware_perception_msgs.msg import DetectedObjects
from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import PointCloud2
from sensor_msgs.msg import PointField
from tf2_msgs.msg import TFMessage
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

try:
    from tier4_perception_msgs.msg import DetectedObjectsWithFeature
except ImportError:
    DetectedObjectsWithFeature = None

NUMPY = {1: 'i1', 2: 'u1', 3: 'i2', 4: 'u2', 5: 'i4', 6: 'u4', 7: 'f4', 8: 'f8'}
failures = 0


def check(good, what):
    global failures
    failures += not good
    print(('ok      ' if good else 'FAILED  ') + what, flush=True)


def ros2(*words, seconds=30):
    """What a command prints, both streams."""
    done = subprocess.run(['ros2', *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds, check=False)
    return done.stdout


def make_scan(path):
    if path:
        return np.fromfile(path, dtype='<f4').reshape(-1, 4)
    rng = np.random.default_rng(1)
    x, y = rng.uniform(-30, 30, (2, 60000))
    boxes = [np.stack([x, y, np.full_like(x, -1.7)], 1)]  # flat ground, a wall at either end, and the four walls of eight boxes
    boxes += [np.stack([np.full(8000, end), *rng.uniform([[-30], [-1.7]], [[30], [4]], (2, 8000))], 1) for end in (-28, 28)]
    for number, (left, front) in enumerate((left, front) for left in (-20, -10, 8, 18) for front in (-9, 7)):
        walls = rng.uniform(0, [2, 2, 1.5], (300 + 200 * number, 3))
        walls[np.arange(len(walls)), rng.integers(0, 2, len(walls))] = 2 * rng.integers(0, 2, len(walls))
        boxes.append(walls + [left, front, -1.2])
    points = np.concatenate(boxes)
    return np.concatenate([points, np.zeros((len(points), 1))], 1).astype('<f4')


def message_of(scan, order='xyzi', kind='<f4', pad=0, rows=1, row_pad=0):
    """The scan in a layout: order of the fields, type of x y z, bytes after a point, rows, bytes after a row."""
    types = {'x': kind, 'y': kind, 'z': kind, 'i': kind[0] + 'f4'}
    names = [(letter, types[letter]) for letter in order]
    record = np.zeros(len(scan), np.dtype(names + [('pad', 'V%d' % pad)] if pad else names))
    for letter in order:
        record[letter] = scan[:, 'xyzi'.index(letter)]
    message = PointCloud2(height=rows, width=len(scan) // rows, is_bigendian=kind[0] == '>', point_step=record.dtype.itemsize)
    for letter in order:
        data_type, offset = record.dtype.fields[letter][:2]
        message.fields.append(PointField(name={'i': 'intensity'}.get(letter, letter), offset=offset, count=1,
                                         datatype=PointField.FLOAT64 if data_type.itemsize == 8 else PointField.FLOAT32))
    lines = np.frombuffer(record[:message.width * rows].tobytes(), 'u1').reshape(rows, -1)
    message.row_step = lines.shape[1] + row_pad
    message.data = array.array('B', np.pad(lines, ((0, 0), (0, row_pad))).tobytes())
    message.header.frame_id = 'lidar'
    return message


def columns_of(message, *names):
    """Fields of a cloud as arrays."""
    order = '>' if message.is_bigendian else '<'
    fields = {field.name: (order + NUMPY[field.datatype], field.offset) for field in message.fields}
    record = np.dtype({'names': names, 'formats': [fields[name][0] for name in names], 'offsets': [fields[name][1] for name in names],
                       'itemsize': message.point_step})
    points = np.frombuffer(message.data, record)
    return [points[name] for name in names]


class Listener:
    """Publishes one scan and waits for the answers to it."""

    def __init__(self):
        rclpy.init()
        self.node = rclpy.create_node('check')
        self.last = {}
        self.points = self.node.create_publisher(PointCloud2, '/points', qos_profile_sensor_data)
        topics = {'/clusters': PointCloud2, '/markers': MarkerArray, '/detections': Detection3DArray, '/objects': DetectedObjects,
                  '/diagnostics': DiagnosticArray, '/odometry': Odometry, '/tf': TFMessage, '/debug/clusters': PointCloud2}
        if DetectedObjectsWithFeature:
            topics.update({'/objects_with_feature': DetectedObjectsWithFeature, '/output': DetectedObjectsWithFeature})
        self.listeners = [self.node.create_subscription(kind, topic, lambda message, topic=topic: self.last.update({topic: message}),
                                                        qos_profile_sensor_data if topic in ('/clusters', '/debug/clusters') else 10)
                          for topic, kind in topics.items()]
        self.thread = threading.Thread(target=self.spin, daemon=True)
        self.thread.start()

    def spin(self):
        try:
            rclpy.spin(self.node)
        except ExternalShutdownException:
            pass

    def ask(self, message, *topics, seconds=5):
        """The answers by topic; None for one that does not come. A scan can be lost: it is sent again, every second."""
        self.last.clear()
        end, again = time.monotonic() + seconds, 0
        while time.monotonic() < end and not all(topic in self.last for topic in topics):
            if time.monotonic() >= again:
                message.header.stamp = self.node.get_clock().now().to_msg()
                self.points.publish(message)
                again = time.monotonic() + 1
            time.sleep(0.005)
        return [self.last.get(topic) for topic in topics]


def check_messages(listen, scan):
    clusters, detections, markers, objects = listen.ask(message_of(scan), '/clusters', '/detections', '/markers', '/objects')
    check(None not in (clusters, detections, markers, objects), 'a scan gives labelled points, detections, markers and objects')
    x, y, label = columns_of(clusters, 'x', 'y', 'label')
    count = label.max() + 1
    check(len(label) == len(scan) and np.array_equal(x, scan[:, 0], equal_nan=True), 'the labelled points are those of the input')
    check(len(detections.detections) == count > 3 and len(objects.objects) == count, f'{count} clusters, {count} detections and objects')
    boxes = sum(marker.ns == 'boxes' for marker in markers.markers)
    check(boxes == count and markers.markers[0].action == 3, 'markers begin anew with each scan')
    inside = True
    for number, detection in enumerate(detections.detections):
        box, turn = detection.bbox, detection.bbox.center.orientation
        yaw = 2 * np.arctan2(turn.z, turn.w)
        dx, dy = x[label == number] - box.center.position.x, y[label == number] - box.center.position.y
        inside &= np.all(np.abs(np.cos(yaw) * dx + np.sin(yaw) * dy) <= box.size.x / 2 + 1e-3)
        inside &= np.all(np.abs(np.cos(yaw) * dy - np.sin(yaw) * dx) <= box.size.y / 2 + 1e-3)
    check(bool(inside), 'every box encloses the points of its cluster')
    if DetectedObjectsWithFeature:
        features, = listen.ask(message_of(scan), '/objects_with_feature')
        sizes = [one.feature.cluster.width for one in features.feature_objects]
        check(sizes == [int(np.sum(label == number)) for number in range(count)], 'clusters as clouds have the points of their labels')
    return label


def check_layouts(listen, scan, label):
    usual = label[:len(scan) // 2 * 2]
    for what, layout in {'float64': {'kind': '<f8'}, 'big-endian': {'kind': '>f4'}, 'fields in another order': {'order': 'izxy'},
                         'points of an odd number of bytes': {'pad': 3}, 'rows with padding': {'rows': 2, 'row_pad': 24}}.items():
        answer, = listen.ask(message_of(scan, **layout), '/clusters')
        same = answer is not None and np.array_equal(columns_of(answer, 'label')[0][:len(usual)], usual)
        check(same, f'{what}: the same labels')


def check_bad_input(listen, scan):
    short = message_of(scan)
    short.width += 1000000
    flat = message_of(scan)
    flat.fields = flat.fields[:2]
    outside = message_of(scan)
    outside.fields[2].offset = 4000
    time.sleep(0.5)
    for what, message, sentence in (('a message that announces more points than it has', short, 'announces'), ('no z', flat, 'no field z'),
                                    ('a field outside its point', outside, 'outside')):
        answer, = listen.ask(message, '/detections', seconds=0.3)
        end, said = time.monotonic() + 3, ''
        while time.monotonic() < end and sentence not in said:
            status = listen.last.get('/diagnostics')
            said = status.status[0].message if status else ''
            time.sleep(0.05)
        check(answer is None and sentence in said, f'{what}: refused, "{said}"')
    empty, = listen.ask(message_of(scan[:0]), '/detections')
    check(empty is not None and not empty.detections, 'an empty scan gives an empty message')


def check_parameters(listen, scan, label):
    check('Set parameter successful' in ros2('param', 'set', '/clump', 'min_size', '500'), 'ros2 param set min_size 500')
    fewer, = listen.ask(message_of(scan), '/clusters')
    check(columns_of(fewer, 'label')[0].max() < label.max(), 'fewer clusters in the next scan')
    said = ros2('param', 'set', '/clump', 'max_size', '5')
    check('max_size' in said and 'successful' not in said, 'the library refuses max_size 5: ' + said.strip().splitlines()[-1])
    said = ros2('param', 'set', '/clump', 'ground.slope', '99.0')
    check('successful' not in said, 'outside the range of the option: ' + said.strip().splitlines()[-1])
    said = ros2('param', 'set', '/clump', 'job', 'sort')
    check("no job 'sort'" in said, 'no such job: ' + said.strip().splitlines()[-1])
    said = ros2('param', 'describe', '/clump', 'ground.slope')
    check('steepest ground' in said and 'Max value: 10' in said, 'ros2 param describe has the help and the range of the option')
    ros2('param', 'set', '/clump', 'min_size', '10')
    for job in ('objects', 'ec', 'dbscan', 'erccl', 'detect'):
        ros2('param', 'set', '/clump', 'job', job)
        answer, = listen.ask(message_of(scan), '/detections')
        check(bool(answer and answer.detections), f'job {job}: {len(answer.detections) if answer else 0} clusters')


def check_odometry(listen, scan):
    ros2('param', 'set', '/clump', 'odometry.enable', 'true')
    ros2('param', 'set', '/clump', 'track', 'true')
    for step in range(5):
        moved = scan.copy()
        moved[:, 0] -= 0.5 * step
        odometry, transform, _ = listen.ask(message_of(moved), '/odometry', '/tf', '/detections')
        time.sleep(0.05)
    check(odometry is not None and transform is not None and odometry.child_frame_id == 'lidar', 'odometry and a transform to its frame')
    check(abs(odometry.pose.pose.position.x - 2) < 0.1, f'2 m along x are {odometry.pose.pose.position.x:.3f} m')
    ros2('param', 'set', '/clump', 'odometry.enable', 'false')
    ros2('param', 'set', '/clump', 'track', 'false')


def check_diagnostics(listen, scan):
    for _ in range(12):
        listen.ask(message_of(scan), '/detections')
    time.sleep(1.1)
    status = listen.last['/diagnostics'].status[0]
    values = {pair.key: pair.value for pair in status.values}
    check(float(values['latency p99, ms']) >= float(values['latency p50, ms']) > 0 and {'scans lost', 'deadlines missed'} <= set(values),
          f"diagnostics: latency p50 {values['latency p50, ms']} ms, p99 {values['latency p99, ms']} ms")


def check_dropin(listen, scan):
    said = ros2('component', 'load', '/ComponentManager', 'clump_ros', 'clump::EuclideanCluster', '-r', 'input:=/points',
                '-p', 'tolerance:=0.7', '-p', 'min_cluster_size:=20', '-p', 'max_cluster_size:=100000', '-p', 'voxel_leaf_size:=0.3')
    check('Loaded component' in said, 'clump::EuclideanCluster takes the old names of its parameters')
    time.sleep(1)
    output, debug = listen.ask(message_of(scan[scan[:, 2] > -1.4]), '/output', '/debug/clusters')
    sizes = [one.feature.cluster.width for one in output.feature_objects] if output else []
    check(sizes and sizes == sorted(sizes, reverse=True) and min(sizes) >= 20, f'{len(sizes)} clusters, largest first')
    check(debug is not None and debug.width == sum(sizes), 'debug/clusters has their points')


def check_echo(listen, scan, folder):
    with open(os.path.join(folder, 'echo'), 'w+', encoding='utf-8') as text:
        echo = subprocess.Popen(['ros2', 'topic', 'echo', '--once', '/detections'], stdout=text)
        end = time.monotonic() + 30
        while echo.poll() is None and time.monotonic() < end:
            listen.ask(message_of(scan), '/detections')
            time.sleep(0.2)
        echo.kill()
        text.seek(0)
        check('bbox' in text.read(), 'ros2 topic echo /detections')


def check_bag(listen, scan, folder):
    if 'record' not in ros2('bag', '--help'):
        print('skipped ros2 bag is not installed')
        return
    path = os.path.join(folder, 'bag')
    command = ['ros2', 'bag', 'record', '-s', 'sqlite3', '-o', path, '/detections', '/clusters', '/markers']
    recorder = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(4)
    for _ in range(10):
        listen.ask(message_of(scan), '/detections')
        time.sleep(0.1)
    recorder.send_signal(signal.SIGINT)
    recorder.wait(20)
    said = ros2('bag', 'info', path)
    counts = [int(number) for number in re.findall(r'Count: (\d+)', said)]
    check(len(counts) == 3 and min(counts) >= 8, f'a bag of the output has {counts} messages')


def check_lifecycle(listen, scan):
    check('Transitioning successful' in ros2('lifecycle', 'set', '/clump', 'deactivate'), 'ros2 lifecycle set deactivate')
    answer, = listen.ask(message_of(scan), '/detections', seconds=0.5)
    check(answer is None, 'an inactive node publishes nothing')
    check('Transitioning successful' in ros2('lifecycle', 'set', '/clump', 'cleanup'), 'ros2 lifecycle set cleanup')
    for step in ('configure', 'activate'):
        ros2('lifecycle', 'set', '/clump', step)
    time.sleep(0.5)
    answer, = listen.ask(message_of(scan), '/detections')
    check(answer is not None, 'configured and activated again, it publishes')


def run_checks(folder):
    scan = make_scan(sys.argv[1] if len(sys.argv) > 1 else None)
    listen = Listener()
    said = ros2('component', 'load', '/ComponentManager', 'clump_ros', 'clump::Detector', '-r', 'input:=/points')
    check('Loaded component' in said and '/clump' in ros2('component', 'list'), 'ros2 component load clump::Detector')
    check('unconfigured' in ros2('lifecycle', 'get', '/clump'), 'ros2 lifecycle get: unconfigured')
    for step in ('configure', 'activate'):
        check('Transitioning successful' in ros2('lifecycle', 'set', '/clump', step), 'ros2 lifecycle set ' + step)
    time.sleep(1)
    label = check_messages(listen, scan)
    check_layouts(listen, scan, label)
    check_bad_input(listen, scan)
    check_parameters(listen, scan, label)
    check_odometry(listen, scan)
    check_diagnostics(listen, scan)
    check_echo(listen, scan, folder)
    check_bag(listen, scan, folder)
    check_dropin(listen, scan)
    check_lifecycle(listen, scan)
    said = ros2('component', 'unload', '/ComponentManager', '1')
    check('Unloaded component' in said, 'ros2 component unload')


def main():
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, 'container.log'), 'w', encoding='utf-8') as log:
        command = ['ros2', 'run', 'rclcpp_components', 'component_container']
        container = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        try:
            run_checks(folder)
            check(container.poll() is None, 'the container still runs')
        except Exception:
            check(False, traceback.format_exc())
        finally:
            os.killpg(container.pid, signal.SIGINT)
            container.wait(20)
    with open(log.name, encoding='utf-8') as text:
        if failures:
            print(text.read()[-4000:])
    shutil.rmtree(folder)
    print('check-ros: ' + (f'{failures} checks failed' if failures else 'all checks passed'))
    return bool(failures)


if __name__ == '__main__':
    sys.exit(main())
