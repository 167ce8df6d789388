// SPDX-License-Identifier: BSD-3-Clause
//
// foxglove.mjs PROGRAM FOLDER: Foxglove's own client (@foxglove/ws-protocol, as Lichtblick has it) connects to a running
// `clump play --serve`, by both subprotocols, subscribes to all topics and decodes what comes. No page is open. npm fetches the
// packages into FOLDER once.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const packages = {
    "@foxglove/ws-protocol": "0.8.0",
    "@foxglove/rosmsg": "5.0.5",
    "@foxglove/rosmsg2-serialization": "3.1.0",
    ws: "8.23.0",
};
const [program, folder] = process.argv.slice(2);
const limit = 60000; // milliseconds
let failures = 0;

if ((process.env.CLUMP_TEST_TIER || "1") === "1") {
    console.log("skipped: view_foxglove: it is a test of tier 2: run CLUMP_TEST_TIER=2 make test");
    process.exit(77);
}

function fetchPackages() {
    mkdirSync(folder, { recursive: true });
    if (Object.keys(packages).every((name) => existsSync(path.join(folder, "node_modules", name)))) return;
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0", "--fetch-timeout=10000"];
    const npm = spawnSync("npm", ["install", "--silent", ...options], { cwd: folder, timeout: 60000 });
    if (npm.status === 0) return;
    console.log("skipped: frames shown by Foxglove's client: run scripts/setup.sh --viewer where npm reaches its registry");
    process.exit(77);
}

fetchPackages();
const require = createRequire(path.resolve(folder, "package.json"));
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { WebSocket } = require("ws");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");

function check(right, what) {
    if (right) return;
    failures++;
    console.error(`wrong: ${what}`);
}

// Three clouds of two clusters, the second of which moves.
function makeClouds() {
    const clouds = path.join(folder, "clouds");
    mkdirSync(clouds, { recursive: true });
    for (let frame = 0; frame < 3; frame++) {
        const rows = ["x,y,z"];
        for (let i = 0; i < 500; i++) rows.push(`${(i % 10) / 10},${(i % 7) / 10},${i / 1000}`);
        for (let i = 0; i < 300; i++) rows.push(`${20 + frame / 10 + (i % 10) / 10},${(i % 7) / 10},${i / 1000}`);
        writeFileSync(path.join(clouds, `${frame}.csv`), rows.join("\n") + "\n");
    }
    return clouds;
}

// Starts the play and resolves with its port.
function startPlay(clouds) {
    const play = spawn(program, ["play", clouds, "--rate", "1", "--loop", "1000000", "--track", "--poses", "odometry", "--serve", "0", "--json",
        "--", "ec", "-d", "1"]);
    process.on("exit", () => play.kill("SIGKILL"));
    play.output = "";
    play.stdout.on("data", (data) => (play.output += data));
    return new Promise((resolve, reject) => {
        play.stderr.on("data", (data) => {
            const port = /^http:\/\/127\.0\.0\.1:(\d+)\/$/m.exec(data);
            if (port) resolve([play, Number(port[1])]);
        });
        play.on("exit", (code) => reject(new Error(`the play ended with ${code}`)));
    });
}

const judges = {
    "sensor_msgs/msg/PointCloud2": (m) => {
        check(m.width * m.height === 800 && m.fields.map((f) => f.name).join(" ") === "x y z track moving label", "points");
        const labels = new Set();
        const label = m.fields.find((f) => f.name === "label").offset, view = new DataView(m.data.buffer, m.data.byteOffset);
        for (let i = 0; i < 800; i++) labels.add(view.getInt32(i * m.point_step + label, true));
        check([...labels].sort().join() === "0,1", `labels ${[...labels]}`);
    },
    "visualization_msgs/msg/MarkerArray": (m) => check(m.markers.filter((k) => k.type === 1).length === 2, "boxes"),
    "tf2_msgs/msg/TFMessage": (m) => check(m.transforms[0].header.frame_id === "odom", "transforms"),
    "vision_msgs/msg/Detection3DArray": (m) => check(m.detections.length === 2, "detections"),
};

// Connects, subscribes to every channel, and resolves after `frames` messages of each type.
function watch(port, protocols, frames) {
    return new Promise((resolve, reject) => {
        const ws = new WebSocket(`ws://127.0.0.1:${port}`, protocols);
        const client = new FoxgloveClient({ ws });
        const channels = new Map(), counts = {};
        let times = 0;
        client.on("error", reject);
        client.on("serverInfo", (info) => check(info.name === "clump", "the name of the server"));
        client.on("time", () => times++);
        client.on("advertise", (list) => {
            for (const c of list) {
                check(c.encoding === "cdr" && c.schemaEncoding === "ros2msg", c.topic);
                channels.set(client.subscribe(c.id), { ...c, reader: new MessageReader(parse(c.schema, { ros2: true })) });
            }
        });
        client.on("message", ({ subscriptionId, timestamp, data }) => {
            const channel = channels.get(subscriptionId);
            if ((counts[channel.schemaName] ?? 0) >= frames) return;
            judges[channel.schemaName](channel.reader.readMessage(data));
            check(typeof timestamp === "bigint", "the time of a message");
            counts[channel.schemaName] = (counts[channel.schemaName] ?? 0) + 1;
            if (!Object.keys(judges).every((name) => counts[name] >= frames)) return;
            check(times >= frames, "the time of frames");
            client.close();
            resolve(ws.protocol);
        });
    });
}

setTimeout(() => {
    console.error("wrong: it took too long");
    process.exit(1);
}, limit).unref();
const [play, port] = await startPlay(makeClouds());
try {
    check((await watch(port, ["foxglove.websocket.v1"], 5)) === "foxglove.websocket.v1", "the first protocol");
    check((await watch(port, ["foxglove.sdk.v1"], 5)) === "foxglove.sdk.v1", "the second protocol");
    const both = [["foxglove.sdk.v1", "foxglove.websocket.v1"], ["foxglove.websocket.v1", "foxglove.sdk.v1"]];
    await Promise.all(both.map((list) => watch(port, list, 5)));
} catch (error) {
    check(false, error.message);
}
play.removeAllListeners("exit");
const ended = new Promise((resolve) => play.on("close", resolve));
play.kill("SIGINT");
await ended;
const summary = JSON.parse(play.output);
check(summary.shown >= 10 && summary.skipped === 0, `shown ${summary.shown}, skipped ${summary.skipped}`);
console.log(`${summary.shown} frames shown by Foxglove's client, ${failures} wrong`);
process.exit(failures ? 1 : 0);
