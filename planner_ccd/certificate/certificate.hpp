#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/validation/assumptions.hpp"
#include "planner_ccd/validation/input_file.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct CertificateOptions {
  std::string title;               ///< What the motion is, for people; empty: the robot's name.
  std::vector<std::string> notes;  ///< What the claim relies on, one line each; empty: `assumptions` of the checker.
  std::vector<InputFile> inputs;   ///< Nothing is read: they are copied.
  /// Steps (splits and leaves) to spend on one pair in one segment before giving it up.
  std::int64_t max_steps = 4'000'000;
  /// Prove these segments alone: the parts that several programs write of one trajectory are one proof together. -1: to the end.
  int first_segment = 0, last_segment = -1;
};

/// An assumption as one of the notes: files by their names alone, for where they lie is nobody's business.
std::string certificate_note(Assumption assumption);

struct [[nodiscard]] CertificateResult {
  bool proved = false;   ///< The bytes are a certificate, and the verifier that is built in has said so.
  std::string obstacle;  ///< Why not: pair, segment and time.
  std::string bytes;
  std::string sha256;  ///< Of the bytes, in hex.
  std::string
      statement_sha256;   ///< Of what is proved (FORMAT.md, "What is stated"): what model.py makes of the same files.
  std::int64_t size = 0;  ///< Of the bytes, also where these have been written to a file and are gone.
  std::int64_t leaves = 0, splits = 0;
};

/// Writes down a proof (FORMAT.md) that a motion is free: an independent program, planner_ccd_verify, can check it. It does not ask
/// what the search found; a motion with a contact comes back with an obstacle, and so does a free one that comes too close to
/// its margin to be proved in this form. Memory grows with the proof. Throws InputError for a motion that does not fit the
/// robot, for joint origins that are no rotations to 1e-12, and for more than 200,000 points or cells of an object.
CertificateResult make_certificate(const PathChecker& checker, const Trajectory& trajectory,
                                   const CertificateOptions& options = {});

/// make_certificate into a file, which is written only when proved; the result is without its bytes. Throws InputError when it
/// cannot be written.
CertificateResult certify(const PathChecker& checker, const Trajectory& trajectory, const std::string& file,
                          const CertificateOptions& options = {});

/// The SHA-256 of what a certificate of the motion would state, proved or not. Throws as make_certificate.
std::string statement_sha256(const PathChecker& checker, const Trajectory& trajectory);

struct [[nodiscard]] Verification {
  bool verified = false;         ///< All that is stated is proved.
  bool readable = false;         ///< Otherwise this is no certificate, or a damaged one.
  std::string reason;            ///< Why it is not verified.
  std::string statement;         ///< What is stated, in plain words; empty if that cannot be read.
  std::string statement_sha256;  ///< Of what is proved, as model.py makes it of the files; empty unless verified.
  std::int64_t leaves = 0;
};

/// What planner_ccd_verify says of a certificate, or of several parts of one. `inputs`: files that must be among those that it
/// speaks of, in any role.
Verification verify_certificate(const std::vector<std::string>& files, const std::vector<std::string>& inputs = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
