// Writes the MCAP files of this folder, and the messages of states.db3 for make_logs.py, with the packages of Foxglove:
//   npm install @mcap/core@2.2.2 @foxglove/rosmsg@5 @foxglove/rosmsg2-serialization@3.1.0 @foxglove/rosmsg-serialization@2.0.4 @foxglove/cdr@3 @foxglove/wasm-zstd@1
//   node make_logs.mjs FOLDER && /usr/bin/python3 make_logs.py FOLDER
// tests/io/log_files_test.cpp repeats the contents of the messages as formulas.
import { McapWriter } from "@mcap/core";
import * as rosmsg from "@foxglove/rosmsg";
import { MessageWriter as Ros2Writer } from "@foxglove/rosmsg2-serialization";
import { MessageWriter as Ros1Writer } from "@foxglove/rosmsg-serialization";
import { CdrWriter, EncapsulationKind } from "@foxglove/cdr";
import zstd from "@foxglove/wasm-zstd";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? ".";
await zstd.isLoaded;
const bar = "\n" + "=".repeat(80) + "\n";
const header = (ros1) => bar + "MSG: std_msgs/Header\n" + (ros1 ? "uint32 seq\ntime stamp\n" : "builtin_interfaces/Time stamp\n") + "string frame_id" +
  (ros1 ? "" : bar + "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec" + bar + "MSG: builtin_interfaces/Duration\nint32 sec\nuint32 nanosec");
const duration = (ros1) => (ros1 ? "duration" : "builtin_interfaces/Duration");
const jointState = "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort";
const jointTrajectory = "std_msgs/Header header\nstring[] joint_names\ntrajectory_msgs/JointTrajectoryPoint[] points";
const point = (ros1) => bar + `MSG: trajectory_msgs/JointTrajectoryPoint\nfloat64[] positions\nfloat64[] velocities\nfloat64[] accelerations\nfloat64[] effort\n${duration(ros1)} time_from_start`;
const trajectory = bar + "MSG: trajectory_msgs/JointTrajectory\n" + jointTrajectory;
const geometry = bar + "MSG: geometry_msgs/Transform\ngeometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation" +
  bar + "MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z" + bar + "MSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w" +
  bar + "MSG: geometry_msgs/Twist\ngeometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular" + bar + "MSG: geometry_msgs/Wrench\ngeometry_msgs/Vector3 force\ngeometry_msgs/Vector3 torque";
const multiDof = (ros1) => bar + "MSG: trajectory_msgs/MultiDOFJointTrajectory\nstd_msgs/Header header\nstring[] joint_names\ntrajectory_msgs/MultiDOFJointTrajectoryPoint[] points" +
  bar + `MSG: trajectory_msgs/MultiDOFJointTrajectoryPoint\ngeometry_msgs/Transform[] transforms\ngeometry_msgs/Twist[] velocities\ngeometry_msgs/Twist[] accelerations\n${duration(ros1)} time_from_start` + geometry;
const robotTrajectory = "trajectory_msgs/JointTrajectory joint_trajectory\ntrajectory_msgs/MultiDOFJointTrajectory multi_dof_joint_trajectory";
const rest = (ros1) => trajectory + point(ros1) + multiDof(ros1) + header(ros1);
// Of the attached objects only the beginning: only their count is read.
const definitions = (ros1) => ({
  "sensor_msgs/JointState": jointState + header(ros1),
  "trajectory_msgs/JointTrajectory": jointTrajectory + point(ros1) + header(ros1),
  "moveit_msgs/RobotTrajectory": robotTrajectory + rest(ros1),
  "moveit_msgs/DisplayTrajectory": "string model_id\nmoveit_msgs/RobotTrajectory[] trajectory\nmoveit_msgs/RobotState trajectory_start" + bar + "MSG: moveit_msgs/RobotTrajectory\n" + robotTrajectory +
    bar + "MSG: moveit_msgs/RobotState\nsensor_msgs/JointState joint_state\nsensor_msgs/MultiDOFJointState multi_dof_joint_state\nmoveit_msgs/AttachedCollisionObject[] attached_collision_objects\nbool is_diff" +
    bar + "MSG: sensor_msgs/JointState\n" + jointState + bar + "MSG: sensor_msgs/MultiDOFJointState\nstd_msgs/Header header\nstring[] joint_names\ngeometry_msgs/Transform[] transforms\ngeometry_msgs/Twist[] twist\ngeometry_msgs/Wrench[] wrench" +
    bar + "MSG: moveit_msgs/AttachedCollisionObject\nstring link_name" + rest(ros1),
  "control_msgs/FollowJointTrajectory_SendGoal_Request": "uint8[16] goal_id\ncontrol_msgs/FollowJointTrajectory_Goal goal" + bar + "MSG: control_msgs/FollowJointTrajectory_Goal\ntrajectory_msgs/JointTrajectory trajectory\n" + duration(ros1) + " goal_time_tolerance" + trajectory + point(ros1) + header(ros1),
  "control_msgs/FollowJointTrajectoryActionGoal": "std_msgs/Header header\nactionlib_msgs/GoalID goal_id\ncontrol_msgs/FollowJointTrajectoryGoal goal" + bar + "MSG: actionlib_msgs/GoalID\ntime stamp\nstring id" +
    bar + "MSG: control_msgs/FollowJointTrajectoryGoal\ntrajectory_msgs/JointTrajectory trajectory\n" + duration(ros1) + " goal_time_tolerance" + trajectory + point(ros1) + header(ros1),
  "std_msgs/String": "string data",
});

const kStart = 1_763_500_000;  // [s]
const time = (ms, ros1) => ({ sec: kStart + Math.floor(ms / 1000), [ros1 ? "nsec" : "nanosec"]: (ms % 1000) * 1e6 });
const none = (ros1) => ({ seq: 0, stamp: { sec: 0, nsec: 0, nanosec: 0 }, frame_id: "" });
const span = (ms, ros1) => ({ sec: Math.floor(ms / 1000), [ros1 ? "nsec" : "nanosec"]: (ms % 1000) * 1e6 });
const state = (i, ros1) => ({ header: { seq: i, stamp: time(10 * i, ros1), frame_id: "base" }, name: ["b", "x", "a"], position: [0.5 - 0.005 * i, 7, 0.01 * i], velocity: [-0.5, 0, 1], effort: [] });
const plan = (k, ros1) => ({ header: none(ros1), joint_names: ["b", "a"], points: [
  { positions: [0, k], velocities: [0, 0], accelerations: [], effort: [], time_from_start: span(0, ros1) },
  { positions: [1, k + 0.5], velocities: [0, 0], accelerations: [], effort: [], time_from_start: span(1500, ros1) }] });
const transform = (x) => ({ translation: { x, y: 0, z: 0 }, rotation: { x: 0, y: 0, z: Math.sin(x / 2), w: Math.cos(x / 2) } });
const whole = (ros1) => ({ joint_trajectory: plan(0, ros1), multi_dof_joint_trajectory: { header: none(ros1), joint_names: ["p"], points: [0, 1].map((k) => ({ transforms: [transform(k)], velocities: [], accelerations: [], time_from_start: span(1500 * k, ros1) })) } });
const noMulti = (ros1) => ({ header: none(ros1), joint_names: [], points: [] });
const display = (ros1) => ({ model_id: "r", trajectory: [0, 1].map((k) => ({ joint_trajectory: plan(k, ros1), multi_dof_joint_trajectory: noMulti(ros1) })),
  trajectory_start: { joint_state: { header: none(ros1), name: ["p/x", "p/y", "p/theta", "other"], position: [0.25, 0, 0, 9], velocity: [], effort: [] },
    multi_dof_joint_state: { header: none(ros1), joint_names: ["q"], transforms: [transform(1)], twist: [], wrench: [] }, attached_collision_objects: [{ link_name: "la" }], is_diff: false } });

class Memory {
  parts = [];
  size = 0n;
  async write(bytes) { this.parts.push(Buffer.from(bytes)); this.size += BigInt(bytes.byteLength); }
  position() { return this.size; }
}

const lz4 = (bytes) => execFileSync("/usr/bin/python3", ["-c", "import lz4.frame, sys; sys.stdout.buffer.write(lz4.frame.compress(sys.stdin.buffer.read()))"], { input: bytes });
const compressors = { none: undefined, lz4: (b) => ({ compression: "lz4", compressedData: lz4(b) }), zstd: (b) => ({ compression: "zstd", compressedData: new Uint8Array(zstd.compress(b, 3)) }) };

const serialise = (type, message, ros1) => {
  const parsed = rosmsg.parse(definitions(ros1)[type], { ros2: !ros1 });
  return new (ros1 ? Ros1Writer : Ros2Writer)(parsed).writeMessage(message);
};
const ros2Name = (type) => type.replace("/", type.includes("FollowJoint") ? "/action/" : "/msg/");

async function write(name, messages, { compression = "none", ros1 = false, chunks = true } = {}) {
  const memory = new Memory();
  const writer = new McapWriter({ writable: memory, useChunks: chunks, chunkSize: 2048, compressChunk: compressors[compression] });
  await writer.start({ profile: ros1 ? "ros1" : "ros2", library: "make_logs" });
  const channels = {};
  for (const [topic, type, ms, message] of messages) {
    if (!(topic in channels)) {
      const schemaId = await writer.registerSchema({ name: ros1 ? type : ros2Name(type), encoding: ros1 ? "ros1msg" : "ros2msg", data: new TextEncoder().encode(definitions(ros1)[type]) });
      channels[topic] = await writer.registerChannel({ schemaId, topic, messageEncoding: ros1 ? "ros1" : "cdr", metadata: new Map() });
    }
    const logTime = (BigInt(kStart) * 1000n + BigInt(ms)) * 1_000_000n;
    const data = message instanceof Uint8Array ? message : serialise(type, message, ros1);
    await writer.addMessage({ channelId: channels[topic], sequence: 0, logTime, publishTime: logTime, data });
  }
  await writer.end();
  writeFileSync(join(folder, name), Buffer.concat(memory.parts));
}

const states = (ros1) => Array.from({ length: 60 }, (_, i) => ["/joint_states", "sensor_msgs/JointState", 10 * i + 2, state(i, ros1)]);
const text = ["/text", "std_msgs/String", 5, { data: "hello" }];
for (const compression of ["none", "lz4", "zstd"]) await write(`states_${compression}.mcap`, [text, ...states(false)], { compression });
await write("states_ros1.mcap", [text, ...states(true)], { ros1: true, chunks: false });

const bigEndian = (i) => {
  const s = state(i, false), cdr = new CdrWriter({ kind: EncapsulationKind.CDR_BE });
  cdr.int32(s.header.stamp.sec).uint32(s.header.stamp.nanosec).string(s.header.frame_id).sequenceLength(3);
  for (const name of s.name) cdr.string(name);
  for (const values of [s.position, s.velocity, s.effort]) cdr.float64Array(values, true);
  return cdr.data;
};
await write("states_big_endian.mcap", states(false).map(([topic, type, ms], i) => [topic, type, ms, bigEndian(i)]));

const plans = (ros1) => [["/plan", "trajectory_msgs/JointTrajectory", 0, plan(0, ros1)], ["/plan", "trajectory_msgs/JointTrajectory", 2000, plan(1, ros1)],
  ["/robot_trajectory", "moveit_msgs/RobotTrajectory", 2500, whole(ros1)], ["/display", "moveit_msgs/DisplayTrajectory", 3000, display(ros1)],
  ros1 ? ["/arm/goal", "control_msgs/FollowJointTrajectoryActionGoal", 4000, { header: none(true), goal_id: { stamp: { sec: 1, nsec: 2 }, id: "goal 1" }, goal: { trajectory: plan(0, true), goal_time_tolerance: span(100, true) } }]
       : ["/arm/goal", "control_msgs/FollowJointTrajectory_SendGoal_Request", 4000, { goal_id: new Uint8Array(16), goal: { trajectory: plan(0, false), goal_time_tolerance: span(100, false) } }]];
await write("plans_ros2.mcap", plans(false));
await write("plans_ros1.mcap", plans(true), { ros1: true });
writeFileSync(join(folder, "states_db3.json"), JSON.stringify(states(false).map(([topic, type, ms, message]) => [topic, ms, Buffer.from(serialise(type, message, false)).toString("base64")])));
