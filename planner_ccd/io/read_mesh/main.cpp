// planner_ccd_read_mesh FILE BYTES SECONDS: the mesh that Assimp reads in FILE, on the standard output, for the loaders, which start
// this program (foreign_mesh.hpp). It keeps to so much memory and computing time, writes no files and holds none of its
// parent's, and ends with it.

#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>

#include "planner_ccd/io/read_mesh/scene_mesh.hpp"
#include "planner_ccd/math/error.hpp"

namespace {

template <class Resource>
void limit(Resource what, rlim_t most) {
  rlimit now{};
  getrlimit(what, &now);
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
  now.rlim_cur = now.rlim_max = most;
  if (setrlimit(what, &now) != 0) std::_Exit(3);
}

void set_limits(rlim_t bytes, rlim_t seconds) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
  for (int descriptor = 3; descriptor < 1024; ++descriptor) close(descriptor);
  limit(RLIMIT_AS, bytes);
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
}

bool write_all(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) at += static_cast<std::size_t>(count);
  }
  return true;
}

std::string answer(const std::string& file) {
  try {
    return planner_ccd::foreign_answer(planner_ccd::read_mesh::scene_mesh(file));
  } catch (const planner_ccd::InputError& error) {
    return planner_ccd::foreign_refusal(error.what());
  } catch (const std::bad_alloc&) {
    return planner_ccd::foreign_refusal(
        "takes more memory than is allowed for a file; convert it to STL, OBJ, PLY, OFF, DAE or GLB");
  } catch (const std::exception& error) {
    return planner_ccd::foreign_refusal(
        std::string("Assimp cannot read it; convert it to STL, OBJ, PLY, OFF, DAE or GLB (") + error.what() + ")");
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::cerr << "usage: planner_ccd_read_mesh FILE BYTES SECONDS: for the loaders of planner_ccd, which start this "
                 "themselves\n";
    return 2;
  }
  set_limits(std::strtoull(words[2], nullptr, 10), std::strtoull(words[3], nullptr, 10));
  // Without destructors: what Assimp has built need not be taken apart.
  std::_Exit(write_all(answer(words[1])) ? 0 : 4);
}
