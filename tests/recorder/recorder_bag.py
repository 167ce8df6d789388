# SPDX-License-Identifier: BSD-3-Clause
"""recorder_bag.py SAMPLE FOLDER: rosbag reads the bags that recorder_sample writes. Every field is compared."""
import glob
import json
import math
import os
import struct
import subprocess
import sys

try:
    import genpy.dynamic
    import rosbag
    from sensor_msgs.msg import PointCloud2
    from visualization_msgs.msg import MarkerArray
except ImportError:
    print("skipped: bags read by ROS: run scripts/setup.sh --rivals and build anew")
    sys.exit(77)

ARROW, CUBE, TEXT, DELETEALL = 0, 1, 9, 3
FORMATS = {1: "b", 2: "B", 3: "h", 4: "H", 5: "i", 6: "I", 7: "f", 8: "d"}
SIZES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 8: 8}
failures = 0


def check(what, value, expected):
    global failures
    if isinstance(expected, float) or isinstance(value, float):
        same = math.isnan(value) if expected is None else abs(value - expected) <= 1e-12 * max(1, abs(expected))
    else:
        same = value == expected
    if not same:
        failures += 1
        print("%s is %r, expected %r" % (what, value, expected))


def check_all(what, values, expected):
    check(what + ": count", len(values), len(expected))
    for i, (value, number) in enumerate(zip(values, expected)):
        check("%s[%d]" % (what, i), value, number)


def vector(v):
    return [v.x, v.y, v.z]


def quaternion(q):
    return [q.x, q.y, q.z, q.w]


def check_header(what, header, expected):
    check(what + ": stamp", header.stamp.to_nsec(), int(expected["stamp"]))
    check(what + ": frame_id", header.frame_id, expected["frame_id"])
    check(what + ": seq", header.seq, expected["sequence"])


def check_points(what, message, expected):
    check_header(what, message.header, expected)
    count = expected["width"] * expected["height"]
    check(what + ": width", message.width, expected["width"])
    check(what + ": height", message.height, expected["height"])
    check(what + ": is_dense", message.is_dense, expected["dense"])
    check(what + ": is_bigendian", message.is_bigendian, False)
    check(what + ": row_step", message.row_step, message.point_step * message.width)
    check(what + ": data", len(message.data), message.row_step * message.height)
    check(what + ": fields", [f.name for f in message.fields], [f["name"] for f in expected["fields"]])
    for field, wanted in zip(message.fields, expected["fields"]):
        name = what + ": " + field.name
        check(name + ": datatype", field.datatype, wanted["datatype"])
        check(name + ": count", field.count, wanted["count"])
        check(name + ": aligned", field.offset % SIZES[field.datatype], 0)
        form = "<%d%s" % (field.count, FORMATS[field.datatype])
        values = []
        for i in range(count):
            values += struct.unpack_from(form, message.data, i * message.point_step + field.offset)
        check_all(name, values, wanted["values"])


def check_markers(what, message, expected):
    boxes = expected["boxes"]
    wanted = []
    for box in boxes:
        wanted += [("boxes", CUBE, box), ("texts", TEXT, box)] + [("velocities", ARROW, box)] * bool(box["velocity"])
    check(what + ": markers", len(message.markers), 1 + len(wanted))
    check(what + ": first", (message.markers[0].action, message.markers[0].ns), (DELETEALL, ""))
    for marker in message.markers:
        check_header(what, marker.header, expected)
        check(what + ": unit quaternion", float(sum(q * q for q in quaternion(marker.pose.orientation))), 1.0)
    for marker, (space, kind, box) in zip(message.markers[1:], wanted):
        name = "%s: %s %s" % (what, space, box["id"])
        check(name, (marker.ns, marker.type, marker.action), (space, kind, 0))
        check(name + ": id", marker.id, int(box["id"]) & 0x7FFFFFFF)
        if kind == CUBE:
            check_all(name + ": place", vector(marker.pose.position), box["center"])
            check_all(name + ": turn", quaternion(marker.pose.orientation), box["orientation"])
            check_all(name + ": scale", vector(marker.scale), [max(s, 0.01) for s in box["size"]])
        if kind == TEXT:
            check(name + ": text", marker.text, box["text"])
        if kind == ARROW:
            check_all(name + ": from", vector(marker.points[0]), box["center"])
            check_all(name + ": to", vector(marker.points[1]), [c + v for c, v in zip(box["center"], box["velocity"])])


def check_detections(what, message, expected):
    check_header(what, message.header, expected)
    check(what + ": detections", len(message.detections), len(expected["boxes"]))
    for detection, box in zip(message.detections, expected["boxes"]):
        name = "%s: %s" % (what, box["id"])
        check_header(name, detection.header, expected)
        check(name + ": results", len(detection.results), 1)
        check(name + ": id", detection.results[0].id, int(box["id"]))
        check(name + ": score", detection.results[0].score, 1.0)
        check_all(name + ": pose", vector(detection.results[0].pose.pose.position), box["centroid"])
        check_all(name + ": covariance", list(detection.results[0].pose.covariance), [0.0] * 36)
        check_all(name + ": center", vector(detection.bbox.center.position), box["center"])
        check_all(name + ": turn", quaternion(detection.bbox.center.orientation), box["orientation"])
        check_all(name + ": size", vector(detection.bbox.size), box["size"])
        check(name + ": source_cloud", len(detection.source_cloud.data), 0)


CHECKS = {
    "sensor_msgs/PointCloud2": check_points,
    "visualization_msgs/MarkerArray": check_markers,
    "vision_msgs/Detection3DArray": check_detections,
}
# The last is of vision_msgs of Noetic, which Debian does not have.
SUMS = {
    "sensor_msgs/PointCloud2": PointCloud2._md5sum,
    "visualization_msgs/MarkerArray": MarkerArray._md5sum,
    "vision_msgs/Detection3DArray": "05c51d9aea1fb4cfdc8effb94f197b6f",
}


def check_bag(path, messages):
    name = os.path.basename(path)
    with rosbag.Bag(path) as bag:
        for connection in bag._get_connections():
            kind = connection.datatype
            check(name + ": MD5 of " + kind, connection.md5sum, SUMS[kind])
            made = genpy.dynamic.generate_dynamic(kind, connection.msg_def)[kind]
            check(name + ": MD5 of the definition of " + kind, made._md5sum, SUMS[kind])
        check(name + ": messages", bag.get_message_count(), len(messages))
        # rosbag returns a message whose time goes backwards at its place in the file, or by time: both are accepted.
        wanted = sorted(messages, key=lambda m: int(m["received"]))
        found = sorted(bag.read_messages(), key=lambda f: f.timestamp.to_nsec())
        check(name + ": read", len(found), len(wanted))
        for topic in {m["topic"] for m in messages}:
            pairs = zip([f for f in found if f.topic == topic], [w for w in wanted if w["topic"] == topic])
            for (_, message, time), expected in pairs:
                what = "%s: %s at %s" % (name, topic, expected["received"])
                check(what + ": type", message._type, expected["type"])
                check(what + ": time", time.to_nsec(), int(expected["received"]))
                CHECKS[expected["type"]](what, message, expected)


def main():
    sample, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for old in glob.glob(folder + "/*.*"):
        os.remove(old)
    subprocess.run([sample, folder], check=True)
    with open(folder + "/expected.json") as file:
        messages = json.load(file)["messages"]
    bags = sorted(glob.glob(folder + "/*.bag"))
    for path in bags:
        check_bag(path, [] if path.endswith("empty.bag") else messages)
    check("bags", len(bags) >= 3, True)
    print("%d bags, %d messages each, %d failures" % (len(bags), len(messages), failures))
    return 1 if failures else 0


sys.exit(main())
