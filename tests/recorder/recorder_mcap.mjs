// SPDX-License-Identifier: BSD-3-Clause
//
// recorder_mcap.mjs SAMPLE FOLDER: @mcap/core and Foxglove's decoder of ROS 2 messages read what recorder_sample
// writes, with the index and from beginning to end. Every field is compared. npm fetches the packages into FOLDER once.
import { spawnSync, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const packages = {
    "@mcap/core": "2.2.2",
    "@foxglove/rosmsg": "5.0.5",
    "@foxglove/rosmsg2-serialization": "3.1.0",
    "@foxglove/rosmsg-msgs-common": "3.2.3",
    "@foxglove/wasm-lz4": "1.0.2",
    "@foxglove/wasm-zstd": "1.0.1",
};
const [sample, folder] = process.argv.slice(2);
const ARROW = 0, CUBE = 1, TEXT = 9, DELETEALL = 3;
let failures = 0;

if ((process.env.CLUMP_TEST_TIER || "1") === "1") {
    console.log("skipped: recorder_mcap: it is a test of tier 2: run CLUMP_TEST_TIER=2 make test");
    process.exit(77);
}

function fetchPackages() {
    mkdirSync(folder, { recursive: true });
    const missing = Object.keys(packages).some((name) => !existsSync(path.join(folder, "node_modules", name)));
    if (!missing) return;
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0", "--fetch-timeout=10000"];
    const npm = spawnSync("npm", ["install", "--silent", ...options], { cwd: folder, timeout: 60000 });
    if (npm.status === 0) return;
    console.log("skipped: recordings read by @mcap/core: run scripts/setup.sh --viewer where npm reaches its registry");
    process.exit(77);
}

fetchPackages();
const require = createRequire(path.resolve(folder, "package.json"));
const { McapIndexedReader, McapStreamReader } = require("@mcap/core");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");
const common = require("@foxglove/rosmsg-msgs-common");
const lz4 = require("@foxglove/wasm-lz4");
const zstd = require("@foxglove/wasm-zstd");

function same(value, expected) {
    if (expected === null) return Number.isNaN(value);
    if (typeof value === "number" && typeof expected === "number")
        return Math.abs(value - expected) <= 1e-12 * Math.max(1, Math.abs(expected));
    return value === expected;
}

function check(what, value, expected) {
    if (same(value, expected)) return;
    failures++;
    console.log(`${what} is ${value}, expected ${expected}`);
}

function checkAll(what, values, expected) {
    check(`${what}: count`, values.length, expected.length);
    expected.forEach((number, i) => check(`${what}[${i}]`, values[i], number));
}

const vector = (v) => [v.x, v.y, v.z];
const quaternion = (q) => [q.x, q.y, q.z, q.w];
const nanoseconds = (time) => (BigInt(time.sec) * 1000000000n + BigInt(time.nsec ?? time.nanosec)).toString();

function checkHeader(what, header, expected) {
    check(`${what}: stamp`, nanoseconds(header.stamp), expected.stamp);
    check(`${what}: frame_id`, header.frame_id, expected.frame_id);
}

const readers = {
    1: (d, at) => d.getInt8(at),
    2: (d, at) => d.getUint8(at),
    3: (d, at) => d.getInt16(at, true),
    4: (d, at) => d.getUint16(at, true),
    5: (d, at) => d.getInt32(at, true),
    6: (d, at) => d.getUint32(at, true),
    7: (d, at) => d.getFloat32(at, true),
    8: (d, at) => d.getFloat64(at, true),
};
const sizes = { 1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 8: 8 };

function checkPoints(what, message, expected) {
    checkHeader(what, message.header, expected);
    check(`${what}: width`, message.width, expected.width);
    check(`${what}: height`, message.height, expected.height);
    check(`${what}: is_dense`, message.is_dense, expected.dense);
    check(`${what}: is_bigendian`, message.is_bigendian, false);
    check(`${what}: row_step`, message.row_step, message.point_step * message.width);
    check(`${what}: data`, message.data.length, message.row_step * message.height);
    checkAll(`${what}: fields`, message.fields.map((f) => f.name), expected.fields.map((f) => f.name));
    const data = new DataView(message.data.buffer, message.data.byteOffset, message.data.byteLength);
    message.fields.forEach((field, f) => {
        const wanted = expected.fields[f], name = `${what}: ${field.name}`, size = sizes[field.datatype];
        check(`${name}: datatype`, field.datatype, wanted.datatype);
        check(`${name}: count`, field.count, wanted.count);
        check(`${name}: aligned`, field.offset % size, 0);
        const values = wanted.values.map((_, i) => {
            const point = Math.floor(i / field.count), element = i % field.count;
            return readers[field.datatype](data, point * message.point_step + field.offset + element * size);
        });
        checkAll(name, values, wanted.values);
    });
}

function checkMarkers(what, message, expected) {
    const wanted = expected.boxes.flatMap((box) => [
        { space: "boxes", type: CUBE, box },
        { space: "texts", type: TEXT, box },
        ...(box.velocity.length ? [{ space: "velocities", type: ARROW, box }] : []),
    ]);
    check(`${what}: markers`, message.markers.length, 1 + wanted.length);
    check(`${what}: first`, message.markers[0].action, DELETEALL);
    check(`${what}: first: ns`, message.markers[0].ns, "");
    message.markers.forEach((marker) => {
        checkHeader(what, marker.header, expected);
        check(`${what}: unit quaternion`, quaternion(marker.pose.orientation).reduce((sum, q) => sum + q * q, 0), 1);
        check(`${what}: texture`, marker.texture_resource + marker.texture.format + marker.mesh_file.filename, "");
    });
    wanted.forEach(({ space, type, box }, i) => {
        const marker = message.markers[i + 1], name = `${what}: ${space} ${box.id}`;
        check(`${name}: ns`, marker.ns, space);
        check(`${name}: type`, marker.type, type);
        check(`${name}: action`, marker.action, 0);
        check(`${name}: id`, marker.id, Number(BigInt(box.id) & 0x7fffffffn));
        if (type === CUBE) {
            checkAll(`${name}: place`, vector(marker.pose.position), box.center);
            checkAll(`${name}: turn`, quaternion(marker.pose.orientation), box.orientation);
            checkAll(`${name}: scale`, vector(marker.scale), box.size.map((s) => Math.max(s, 0.01)));
        }
        if (type === TEXT) check(`${name}: text`, marker.text, box.text);
        if (type === ARROW) {
            checkAll(`${name}: from`, vector(marker.points[0]), box.center);
            checkAll(`${name}: to`, vector(marker.points[1]), box.center.map((c, a) => c + box.velocity[a]));
        }
    });
}

function checkDetections(what, message, expected) {
    checkHeader(what, message.header, expected);
    check(`${what}: detections`, message.detections.length, expected.boxes.length);
    expected.boxes.forEach((box, i) => {
        const detection = message.detections[i], name = `${what}: ${box.id}`;
        checkHeader(name, detection.header, expected);
        check(`${name}: id`, detection.id, box.id);
        check(`${name}: results`, detection.results.length, 1);
        check(`${name}: class`, detection.results[0].hypothesis.class_id, "object");
        check(`${name}: score`, detection.results[0].hypothesis.score, 1);
        checkAll(`${name}: pose`, vector(detection.results[0].pose.pose.position), box.centroid);
        checkAll(`${name}: covariance`, [...detection.results[0].pose.covariance], new Array(36).fill(0));
        checkAll(`${name}: center`, vector(detection.bbox.center.position), box.center);
        checkAll(`${name}: turn`, quaternion(detection.bbox.center.orientation), box.orientation);
        checkAll(`${name}: size`, vector(detection.bbox.size), box.size);
    });
}

const checks = {
    "sensor_msgs/PointCloud2": checkPoints,
    "visualization_msgs/MarkerArray": checkMarkers,
    "vision_msgs/Detection3DArray": checkDetections,
};

// The fields of a type in the file against those of a release of ROS 2.
function checkDefinition(what, definitions, release) {
    for (const definition of definitions) {
        const short = definition.name?.replace("/msg/", "/");
        const known = release[short ?? what];
        if (!known) continue; // vision_msgs is not in the package
        const describe = (f) => `${f.type.replace("/msg/", "/")} ${f.name} ${f.isArray ?? false}`;
        const fields = (d) => d.definitions.filter((f) => !f.isConstant).map(describe);
        checkAll(`${what}: fields of ${short}`, fields(definition), fields(known));
    }
}

function decoderOf(schema) {
    const text = new TextDecoder().decode(schema.data);
    check(`${schema.name}: encoding`, schema.encoding, "ros2msg");
    const definitions = parse(text, { ros2: true });
    const type = schema.name.replace("/msg/", "/");
    definitions[0].name ??= type;
    for (const release of ["ros2humble", "ros2iron", "ros2jazzy"]) checkDefinition(type, definitions, common[release]);
    return new MessageReader(definitions);
}

function checkMessage(what, message, schema, channel, decoders, expected) {
    if (!decoders.has(schema.name)) decoders.set(schema.name, decoderOf(schema));
    check(`${what}: topic`, channel.topic, expected.topic);
    check(`${what}: type`, schema.name.replace("/msg/", "/"), expected.type);
    check(`${what}: encoding`, channel.messageEncoding, "cdr");
    check(`${what}: log time`, message.logTime.toString(), expected.received);
    check(`${what}: publish time`, message.publishTime.toString(), expected.stamp);
    check(`${what}: sequence`, message.sequence, expected.sequence);
    checks[expected.type](what, decoders.get(schema.name).readMessage(message.data), expected);
}

async function readIndexed(name, bytes, decompressHandlers, messages) {
    const readable = {
        size: async () => BigInt(bytes.length),
        read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
    };
    const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
    check(`${name}: profile`, reader.header.profile, "ros2");
    check(`${name}: library`, reader.header.library, "clump");
    check(`${name}: statistics: messages`, Number(reader.statistics.messageCount), messages.length);
    check(`${name}: statistics: channels`, reader.statistics.channelCount, messages.length ? 4 : 0);
    check(`${name}: statistics: schemas`, reader.statistics.schemaCount, messages.length ? 3 : 0);
    check(`${name}: statistics: chunks`, reader.statistics.chunkCount, reader.chunkIndexes.length);
    const wanted = [...messages].sort((a, b) => Number(BigInt(a.received) - BigInt(b.received)));
    const decoders = new Map();
    let i = 0;
    for await (const message of reader.readMessages({ validateCrcs: true })) {
        const channel = reader.channelsById.get(message.channelId);
        const what = `${name}: indexed: message ${i}`;
        checkMessage(what, message, reader.schemasById.get(channel.schemaId), channel, decoders, wanted[i++]);
    }
    check(`${name}: indexed messages`, i, messages.length);
}

function readStreamed(name, bytes, decompressHandlers, messages) {
    const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
    const schemas = new Map(), channels = new Map(), decoders = new Map(), counts = {};
    let i = 0;
    reader.append(bytes);
    for (let record; (record = reader.nextRecord());) {
        counts[record.type] = (counts[record.type] ?? 0) + 1;
        if (record.type === "Schema") schemas.set(record.id, record);
        if (record.type === "Channel") channels.set(record.id, record);
        if (record.type !== "Message") continue;
        const channel = channels.get(record.channelId), what = `${name}: streamed: message ${i}`;
        checkMessage(what, record, schemas.get(channel.schemaId), channel, decoders, messages[i++]);
    }
    check(`${name}: done`, reader.done(), true);
    check(`${name}: streamed messages`, i, messages.length);
    check(`${name}: DataEnd`, counts.DataEnd, 1);
    check(`${name}: Footer`, counts.Footer, 1);
    check(`${name}: SummaryOffset`, counts.SummaryOffset, messages.length ? 4 : 1);
}

await lz4.isLoaded;
await zstd.isLoaded;
const handlers = {
    lz4: (buffer, size) => new Uint8Array(lz4(buffer, Number(size))),
    zstd: (buffer, size) => new Uint8Array(zstd.decompress(buffer, Number(size))),
};
execFileSync(sample, [folder], { stdio: "inherit" });
const { messages } = JSON.parse(readFileSync(path.join(folder, "expected.json"), "utf8"));
const files = ["none", "small", "lz4", "zstd", "empty"].filter((name) => existsSync(path.join(folder, `${name}.mcap`)));
for (const file of files) {
    const bytes = new Uint8Array(readFileSync(path.join(folder, `${file}.mcap`)));
    const wanted = file === "empty" ? [] : messages;
    await readIndexed(`${file}.mcap`, bytes, handlers, wanted);
    readStreamed(`${file}.mcap`, bytes, handlers, wanted);
}
console.log(`${files.length} files, ${messages.length} messages each, ${failures} failures`);
process.exit(failures ? 1 : 0);
