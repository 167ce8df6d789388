# SPDX-License-Identifier: BSD-3-Clause
"""Recordings: frames, topics, losses, closing, threads, Ctrl-C."""

import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import clump
from support.data import peak_of, scan


@pytest.fixture
def folder(tmp_path):
    for i in range(5):
        clump.write(tmp_path / f"{i:06}.pcd", np.full((i + 1, 3), i, np.float32))
    return tmp_path


def test_folder(folder):
    with clump.frames(folder) as drive:
        assert drive.format == "clouds" and drive.topic is None
        found = list(drive)
        assert drive.topic == "clouds" and drive.topics[0].frames == 5
    assert [(f.index, f.stamp, len(f.cloud)) for f in found] == [(i, i * 10**8, i + 1) for i in range(5)]
    assert [f.cloud.xyz[0, 0] for f in found] == [0, 1, 2, 3, 4]  # frames stay when the recording is closed
    assert found[2].path == str(folder / "000002.pcd") and found[2].frame_id == "" and found[2].lost == 0
    index, stamp, cloud = found[3]
    assert (index, stamp, len(cloud)) == (3, 3 * 10**8, 4)
    assert repr(found[0]) == "Frame(index=0, stamp=0, cloud=<clump.Cloud: 1 points, x y z, from pcd>)"


def test_list_of_files_in_its_order(folder):
    files = [folder / "000003.pcd", str(folder / "000001.pcd")]
    assert [len(frame.cloud) for frame in clump.frames(files)] == [4, 2]
    with pytest.raises(clump.Error):
        clump.frames([])


def test_seek_and_closed(folder):
    drive = clump.frames(folder)
    drive.seek(3 * 10**8)
    assert len(next(drive).cloud) == 4
    assert not drive.closed
    drive.close()
    drive.close()
    assert drive.closed and "closed" in repr(drive)
    assert drive.lost == (0, 0, 0, 0, 0, 0, False, "")
    for use in (lambda: next(drive), lambda: drive.topics, lambda: drive.seek(0)):
        with pytest.raises(clump.ArgumentError, match="the recording is closed") as caught:
            use()
        assert isinstance(caught.value, ValueError)


def test_huge_numbers(folder):
    with clump.frames(folder) as drive:
        drive.seek(10**400)
        assert next(drive, None) is None
        drive.seek(-10**400)
        assert len(next(drive).cloud) == 1
    for count in (-1, 10**400):
        with pytest.raises(clump.ArgumentError, match="read_ahead is"):
            clump.frames(folder, read_ahead=count)


def test_missing_and_wrong(folder):
    with pytest.raises(FileNotFoundError) as caught:
        clump.frames(folder / "none.bag")
    assert isinstance(caught.value, clump.FileError)
    with pytest.raises(clump.Error, match="topic"):
        clump.frames(folder, topic="/none")
    with pytest.raises(ValueError, match="read_ahead"):
        clump.frames(folder, read_ahead=-1)
    with pytest.raises(TypeError):
        clump.frames([7])


def test_a_broken_file_is_left_out_and_counted(folder):
    (folder / "000001.pcd").write_bytes(b"# .PCD v0.7\nnonsense\n")
    with clump.frames(folder) as drive:
        assert [len(frame.cloud) for frame in drive] == [1, 3, 4, 5]
    assert drive.lost.damaged_messages == 1 and "000001.pcd" in drive.lost.first


def test_two_threads_get_a_sentence_or_a_frame(folder):
    drive = clump.frames(folder)
    found, refused = [], []

    def read():
        while True:
            try:
                found.append(next(drive).index)
            except StopIteration:
                return
            except ValueError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [0, 1, 2, 3, 4]
    assert set(refused) <= {"another thread reads this recording"}


@pytest.mark.parametrize("name, points", [
    ("rosbag/embag_luminar_lz4.bag", 35707),
    ("rosbag/nebula_vlp16_0.db3", None),
    ("rosbag/nebula_pandar64_0.db3", None),
    ("pcap/mrpt_sample_velodyne_vlp16_gps.pcap", None),
    ("pcap/ouster_OS-1-128_v2.3.0_1024x10_lb_n3.pcap", None),
])
def test_recordings_of_sensors(name, points):
    path = scan(name)
    options = {}
    if "OS-1-128" in name:
        options["metadata"] = scan("pcap/ouster_OS-1-128_v2.3.0_1024x10.json")
    plain = [frame.cloud.xyz for frame in clump.frames(path, **options)]
    with clump.frames(path, read_ahead=4, **options) as drive:
        ahead = [frame.cloud.xyz for frame in drive]
        topic = next(topic for topic in drive.topics if topic.name == drive.topic)
    assert plain and len(plain) == len(ahead) == topic.frames
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(plain, ahead))
    assert max(len(xyz) for xyz in plain) > 1000
    if points:
        assert len(plain[0]) == points


def test_damage_is_counted(tmp_path):
    whole = scan("rosbag/embag_luminar_lz4.bag").read_bytes()
    path = tmp_path / "cut.bag"
    path.write_bytes(whole[:len(whole) * 2 // 3])
    with clump.frames(path) as drive:
        found = list(drive)
    assert drive.lost.truncated and drive.lost.first
    assert len(found) <= len(list(clump.frames(scan("rosbag/embag_luminar_lz4.bag"))))


def test_organised():
    options = {"metadata": scan("pcap/ouster_OS-1-128_v2.3.0_1024x10.json")}
    path = scan("pcap/ouster_OS-1-128_v2.3.0_1024x10_lb_n3.pcap")
    first = next(clump.frames(path, organised=True, **options)).cloud
    assert (first.info.height, first.info.width) == (128, 1024)
    assert len(first) == 128 * 1024 and np.isnan(first.xyz).any()
    assert clump.ec(first, 0.5).max() > 1


LOOP = """
import sys, clump
try:
    while True:
        for frame in clump.frames(sys.argv[1]):
            print("frame", flush=True)
except KeyboardInterrupt:
    print("\\ninterrupted", frame.index >= 0)  # the signal can come between "frame" and its newline
"""


def test_ctrl_c_between_frames(folder):
    child = subprocess.Popen([sys.executable, "-c", LOOP, str(folder)], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "frame\n"
    child.send_signal(signal.SIGINT)
    lines = child.communicate(timeout=60)[0].splitlines()
    assert lines[-1] == "interrupted True" and child.returncode == 0


def test_no_leak(folder):
    for i in range(5):
        clump.write(folder / f"{i:06}.pcd", np.zeros((40000, 3), np.float32))

    def repeat(times):
        for _ in range(times):
            with clump.frames(folder) as drive:
                for _, _, cloud in drive:
                    cloud.xyz

    repeat(10)
    assert peak_of(lambda: repeat(60)) < 30000  # 140 MB, if clouds stayed


INTERRUPTED = """
import signal, sys, threading, time, os
import numpy as np
import clump
def later():
    time.sleep({wait})
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
sent = []
points = np.random.default_rng(0).normal(size=(400000, 3)).astype("f4")
{before}
threading.Thread(target=later).start()
try:
    {call}
    print("ended")
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - sent[0])
print(len(clump.ec(points[:1000], 0.5)))  # the next call works
"""


def interrupted(call, before="", wait=0.5):
    text = INTERRUPTED.format(call=call, before=before, wait=wait)
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("call, before", [
    ("next(drive)", "drive = clump.frames('udp://127.0.0.1:0')"),
    ("clump.hdbscan(points, min_samples=100)", ""),
    ("clump.tree(points, min_samples=100)", ""),
    ("index.knn(points, 128)", "index = clump.Index(points)"),
])
def test_ctrl_c_ends_a_call(call, before):
    done = interrupted(call, before)
    word, *seconds = done.stdout.split("\n")[0].split()
    assert word == "interrupted", done.stdout + done.stderr
    assert float(seconds[0]) < 5  # 0.1 s on a machine that does nothing else; the calls take longer than that
    assert done.stdout.split("\n")[1] == "1000", done.stderr


def test_a_handler_of_the_program_does_not_end_a_call():
    before = "signal.signal(signal.SIGINT, lambda *_: print('handled'))"
    done = interrupted("clump.ec(np.tile(points, (8, 1)), 0.02)", before, wait=0.05)
    assert "ended" in done.stdout and "handled" in done.stdout and "interrupted" not in done.stdout, done.stderr


def test_sentences_of_a_sensor_are_logged():
    done = interrupted("next(drive)", "drive = clump.frames('udp://127.0.0.1:0')")
    assert "listens on 127.0.0.1, port" in done.stderr
