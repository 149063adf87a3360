"""Writes the bags and the database of this folder with Debian's python3-rosbag and Python's sqlite3, after make_logs.mjs."""

import base64
import json
import os
import sqlite3
import sys

import rosbag
import rospy
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

folder = sys.argv[1]
START = 1763500000


def state(i):
    message = JointState(name=["b", "x", "a"], position=[0.5 - 0.005 * i, 7, 0.01 * i], velocity=[-0.5, 0, 1], effort=[])
    message.header.stamp = rospy.Time(START, 10_000_000 * i)
    message.header.frame_id = "base"
    return message


def plan(k):
    points = [JointTrajectoryPoint(positions=[0, k], velocities=[0, 0], time_from_start=rospy.Duration(0)),
              JointTrajectoryPoint(positions=[1, k + 0.5], velocities=[0, 0], time_from_start=rospy.Duration(1, 500_000_000))]
    return JointTrajectory(joint_names=["b", "a"], points=points)


for compression in ("none", "bz2", "lz4"):
    with rosbag.Bag(os.path.join(folder, f"states_{compression}.bag"), "w", compression=compression, chunk_threshold=2048) as bag:
        bag.write("/text", String("hello"), rospy.Time(START, 5_000_000))
        for i in range(60):
            bag.write("/joint_states", state(i), rospy.Time(START, 10_000_000 * i + 2_000_000))
        bag.write("/plan", plan(0), rospy.Time(START, 0))
        bag.write("/plan", plan(1), rospy.Time(START + 2, 0))

messages = json.load(open(os.path.join(folder, "states_db3.json"), encoding="utf-8"))
os.remove(os.path.join(folder, "states_db3.json"))
path = os.path.join(folder, "states.db3")
if os.path.exists(path):
    os.remove(path)
with sqlite3.connect(path) as database:  # the schema of rosbag2, version 3
    database.executescript("""
        CREATE TABLE schema(schema_version INTEGER PRIMARY KEY,ros_distro TEXT NOT NULL);
        CREATE TABLE metadata(id INTEGER PRIMARY KEY,metadata_version INTEGER NOT NULL,metadata TEXT NOT NULL);
        CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,serialization_format TEXT NOT NULL,offered_qos_profiles TEXT NOT NULL);
        CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL, data BLOB NOT NULL);
        CREATE INDEX timestamp_idx ON messages (timestamp ASC);
        INSERT INTO schema VALUES (3, 'humble');
        INSERT INTO topics VALUES (1, '/joint_states', 'sensor_msgs/msg/JointState', 'cdr', ''), (2, '/text', 'std_msgs/msg/String', 'cdr', '');""")
    for topic, ms, data in messages:
        database.execute("INSERT INTO messages (topic_id, timestamp, data) VALUES (1, ?, ?)",
                         ((START * 1000 + ms) * 1_000_000, base64.b64decode(data)))
