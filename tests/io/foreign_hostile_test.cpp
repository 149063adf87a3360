// Files and readers that misbehave: nothing but an InputError of one line may come of them.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <iostream>
#include <random>
#include <thread>

#include "io/foreign_files.hpp"
#include "planner_ccd/io/detail/foreign_mesh.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "support/scale.hpp"

namespace planner_ccd::test {
namespace {

const ForeignMeshOptions kSmall{.program = {}, .memory = std::size_t{1} << 29, .seconds = 5};

/// A program that is put in the reader's place.
std::string script(const TempFolder& folder, const std::string& name, const std::string& text) {
  const std::string path = folder.write(name, "#!/bin/sh\n" + text + "\n");
  chmod(path.c_str(), 0755);
  return path;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool has_children() { return !(waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD); }

TEST(ForeignReader, WhateverBecomesOfItIsOneLine) {
  const TempFolder folder;
  const std::string file = folder.write("a.fbx", "bytes");
  const auto fails = [&](const std::string& program, const std::vector<std::string>& parts) {
    const std::string message =
        expect_input_error([&] { read_foreign_mesh(file, {.program = program, .seconds = 5}); }, parts);
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_EQ(message.rfind(file + ": ", 0), 0u) << message;
  };
  fails(script(folder, "crash", "kill -SEGV $$"), {"crashed", "signal 11", "convert it"});
  fails(script(folder, "killed", "kill -KILL $$"), {"crashed", "signal 9"});
  fails(script(folder, "cpu", "kill -XCPU $$"), {"5 s that are allowed"});
  fails(script(folder, "code", "exit 3"), {"failed (exit code 3)"});
  fails(script(folder, "nothing", "exit 0"), {"is not one"});
  fails(script(folder, "junk", "head -c 100000 /dev/urandom"), {"is not one"});
  fails(script(folder, "refuses", "printf 'planner_ccd refusal 1\\nbad\\n\\007thing'"), {"bad  thing"});
  fails(script(folder, "flood", "exec cat /dev/zero"), {"more than 10000000 triangles"});
  fails(folder.path("not_there"), {"cannot be started"});
  EXPECT_FALSE(has_children());
}

TEST(ForeignReader, IsKilledWhenItHangsBeforeOrAfterItsAnswer) {
  const TempFolder folder;
  const std::string file = folder.write("a.fbx", "bytes");
  for (const char* text : {"exec sleep 100", "printf x; exec sleep 100", "exec sleep 100 >&-"}) {
    const auto start = std::chrono::steady_clock::now();
    expect_input_error([&] { read_foreign_mesh(file, {.program = script(folder, "hang", text), .seconds = 1}); },
                       {"takes more than the 1 s"});
    EXPECT_LT(seconds_since(start), 10.0) << text;
    EXPECT_GT(seconds_since(start), 1.9) << text;
  }
  EXPECT_FALSE(has_children());
}

TEST(ForeignReader, KeepsToItsLimitOfMemory) {
  const TempFolder folder;
  std::string points;
  for (int i = 0; i < 1'000'000; ++i) points += "0 0 " + std::to_string(i) + " ";
  const std::string file =
      folder.write("a.x3d", "<X3D><Scene><Shape><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate point='" + points +
                                "'/></IndexedFaceSet></Shape></Scene></X3D>");
  EXPECT_EQ(read_foreign_mesh(file).mesh.triangles.size(), 1u);
  rlimit before{}, after{};
  getrlimit(RLIMIT_AS, &before);
  expect_input_error([&] { read_foreign_mesh(file, {.memory = std::size_t{160} << 20}); }, {"a.x3d", "memory"});
  getrlimit(RLIMIT_AS, &after);
  EXPECT_EQ(before.rlim_cur, after.rlim_cur) << "the limit is the child's alone";
}

TEST(ForeignReader, WorksAmongThreadsThatAllocateAndWhereChildrenAreNotWaitedFor) {
  const TempFolder folder;
  const auto scene = scene_of(mesh_of(cube()), node_of("root", Eigen::Affine3d::Identity(), {}, true));
  const std::string file = export_as(*scene, kGltf, folder);
  for (const bool ignored : {false, true}) {
    const auto old = std::signal(SIGCHLD, ignored ? SIG_IGN : SIG_DFL);
    std::atomic<bool> stop = false;
    std::atomic<int> read = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        while (!stop) std::vector<std::string>(100, std::string(200, 'x'));
      });
    }
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i) {
      readers.emplace_back([&] {
        for (int k = 0; k < 5; ++k) read += read_foreign_mesh(file).mesh.triangles.size() == 12;
      });
    }
    for (std::thread& t : readers) t.join();
    stop = true;
    for (std::thread& t : threads) t.join();
    std::signal(SIGCHLD, old);
    EXPECT_EQ(read, 15) << ignored;
  }
}

TEST(ForeignAnswer, OnlyWholeOnesAreTaken) {
  const ForeignMesh sent{cube(), 0.01, true, false, {"a.bin", "textures/b c.bin"}};
  const std::string answer = foreign_answer(sent);
  const ForeignMesh read = read_foreign_answer(answer, "a");
  EXPECT_EQ(read.mesh.vertices, sent.mesh.vertices);
  EXPECT_EQ(read.mesh.triangles, sent.mesh.triangles);
  EXPECT_EQ(read.unit, 0.01);
  EXPECT_EQ(read.others, sent.others);
  EXPECT_TRUE(read.has_unit && !read.own_axes);
  for (std::size_t size = 0; size < answer.size(); ++size) {
    expect_input_error([&] { read_foreign_answer(std::string_view(answer).substr(0, size), "a"); },
                       {"a: ", "is not one"});
  }
  expect_input_error([&] { read_foreign_answer(answer + "x", "a"); }, {"is not one"});
  std::mt19937_64 random(7);
  int refused = 0;
  for (int draw = 0; draw < 2000; ++draw) {
    std::string damaged = answer;
    damaged[random() % 59] ^= static_cast<char>(1 << random() % 8);  // in the header
    try {
      const ForeignMesh other = read_foreign_answer(damaged, "a");
      EXPECT_EQ(other.mesh.triangles, sent.mesh.triangles);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 2000);  // another unit, another flag
}

// Counts that promise far more than the file holds.
TEST(HostileFiles, HugeCountsAllocateNothingHere) {
  const TempFolder folder;
  const auto scene = scene_of(mesh_of(cube()), node_of("root", Eigen::Affine3d::Identity(), {}, true));
  std::string gltf = bytes_of(export_as(*scene, kGltf, folder));
  for (const std::string key : {"\"count\":", "\"byteLength\":", "\"byteOffset\":"}) {
    std::string huge;
    for (std::size_t at = 0; at < gltf.size();) {
      const std::size_t next = std::min(gltf.find(key, at), gltf.size());
      huge += gltf.substr(at, next - at);
      at = next;
      if (next == gltf.size()) break;
      huge += key + "4294967295";
      at = gltf.find_first_of(",}\n", next);
    }
    ASSERT_NE(huge, gltf) << key;
    expect_input_error([&] { read_foreign_mesh(folder.write("huge.gltf", huge), kSmall); }, {"huge.gltf: "});
  }
  std::string deep = "<X3D><Scene>";
  for (int i = 0; i < 200'000; ++i) deep += "<Group>";
  expect_input_error([&] { read_foreign_mesh(folder.write("deep.x3d", deep), kSmall); }, {"deep.x3d: "});
}

TEST(HostileFiles, EndInAMeshOrOneLine) {
  const TempFolder folder;
  const auto scene = scene_with_a_child(cube());
  const unsigned seed = 20261120;
  std::mt19937_64 random(seed);
  int read = 0, refused = 0, crashed = 0;
  const int draws = testing::scaled(20, 5);
  for (const Format& format : kForeign) {
    const bool binary = format.id == kText.id;  // the form that most have
    const std::string whole = binary ? BinaryFbx::write(cube(), 1.0) : bytes_of(export_as(*scene, format, folder));
    for (int draw = 0; draw < draws; ++draw) {
      std::string bytes = whole;
      if (draw % 2 == 0) bytes.resize(random() % whole.size());
      const int flips = draw % 2 == 0 ? 0 : 1 + static_cast<int>(random() % 8);
      for (int i = 0; i < flips; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
      const std::string file = folder.write("hostile_" + std::string(format.file), bytes);
      try {
        validate(read_foreign_mesh(file, kSmall).mesh, file);
        ++read;
      } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        EXPECT_EQ(message.rfind(file, 0), 0u) << message;
        ++refused;
        crashed += message.find("crashed") != std::string::npos;
      }
    }
  }
  std::cout << "seed " << seed << ": " << read << " read, " << refused << " refused, " << crashed
            << " of them crashes of Assimp\n";
  EXPECT_GT(refused, read / 4);
  EXPECT_GT(read, 0);
  EXPECT_FALSE(has_children());
}

}  // namespace
}  // namespace planner_ccd::test
