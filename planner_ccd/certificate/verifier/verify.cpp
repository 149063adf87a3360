#include "planner_ccd/certificate/verifier/verify.hpp"

#include <algorithm>
#include <bit>
#include <fstream>

#include "planner_ccd/certificate/verifier/meaning.hpp"

namespace pccd {
namespace {

/// The bounds of near.hpp hold for IEEE 754 numbers that are rounded to nearest. `volatile`: the program finds out, not its compiler.
void require_arithmetic() {
  volatile double one = 1.0, u = 0x1p-53, zero = 0.0, least = 0x1p-1074, normal = 0x1p-1022, huge = 0x1p+1023;
  const std::pair<double, std::uint64_t> known[] = {
      {one + u, 0x3FF0000000000000},      {one + 1.5 * u, 0x3FF0000000000001}, {one - 0.5 * u, 0x3FF0000000000000},
      {-one - u, 0xBFF0000000000000},     {one / -zero, 0xFFF0000000000000},   {least + least, 2},
      {0.5 * normal, 0x0008000000000000}, {huge + huge, 0x7FF0000000000000}};
  const double none = zero / zero;
  bool right = none != none && !(none <= one) && !(none >= one);
  for (const auto& [x, bits] : known) right = right && std::bit_cast<std::uint64_t>(x) == bits;
  if (!right) throw Unreadable("numbers are not computed as IEEE 754 says, rounded to nearest");
}

Digest digest_of(const std::string& path, std::uint64_t& size) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Unreadable(path + " cannot be read");
  Reader reader(in);
  Sha256 hash;
  reader.hash = &hash;
  size = reader.left();
  std::string bytes(size, ' ');
  reader.bytes(bytes.data(), size);
  return hash.finish();
}

void compare_inputs(const Statement& statement, const std::vector<GivenFile>& given) {
  for (const GivenFile& file : given) {
    std::uint64_t size = 0;
    const Digest digest = digest_of(file.path, size);
    const std::string role = file.role.empty() ? "" : " '" + file.role + "'";
    const bool known = std::any_of(statement.inputs.begin(), statement.inputs.end(), [&](const InputFile& input) {
      return (role.empty() || " " + input.role == role) && input.size == size && input.digest == digest;
    });
    if (known) continue;
    throw Refuted(file.path + " is not the file" + role + " that is meant: its SHA-256 is " + to_hex(digest));
  }
}

/// The files of one proof.
class ProofFiles {
 public:
  /// Reads one more.
  void add(std::istream& in, const std::string& name, const std::vector<GivenFile>& given) {
    Reader reader(in);
    Statement statement = read_statement(reader);
    if (proved_.empty()) {
      const auto at = in.tellg();
      statement.meaning = out_.statement = meaning_of(in, first_ = statement.digest);
      in.seekg(at);
      out_.units = statement.units();
      if (!name.empty()) out_.shown = show(statement);
      compare_inputs(statement, given);
    } else if (statement.digest != first_) {
      throw Refuted(name + " states something else than the first file");
    }
    read_volumes(reader, statement);
    check_proofs(reader, statement, out_.coverage);
    proved_.emplace_back(out_.coverage.first, out_.coverage.last);
  }

  void require_all_units() {
    std::sort(proved_.begin(), proved_.end());
    std::uint64_t next = 0;
    for (const auto& [first, last] : proved_) {
      if (first < next) throw Refuted("unit " + std::to_string(first) + " is proved twice: the parts overlap");
      if (first > next) break;
      next = last;
    }
    if (next < out_.units)
      throw Refuted("unit " + std::to_string(next) + " of " + std::to_string(out_.units) + " is not proved");
  }

  /// What became of `work`, which throws what is wrong.
  template <typename Work>
  Outcome outcome(Work&& work) {
    try {
      require_arithmetic();
      work();
      out_.answer = Answer::Verified;
    } catch (const Refuted& why) {
      out_.answer = Answer::Refuted;
      out_.reason = why.what();
    } catch (const std::exception& why) {  // Unreadable, or more memory than there is
      out_.reason = why.what();
    }
    return out_;
  }

 private:
  Outcome out_;
  Digest first_{};  ///< Of the first one's statement, byte by byte.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> proved_;
};

}  // namespace

Outcome verify(const std::vector<std::string>& files, const std::vector<GivenFile>& given) {
  ProofFiles files_of_proof;
  return files_of_proof.outcome([&] {
    if (files.empty()) throw Unreadable("no file is given");
    for (const std::string& file : files) {
      std::ifstream in(file, std::ios::binary);
      if (!in) throw Unreadable(file + " cannot be read");
      files_of_proof.add(in, file, given);
    }
    files_of_proof.require_all_units();
  });
}

Outcome verify(std::istream& in, bool whole) {
  ProofFiles files_of_proof;
  return files_of_proof.outcome([&] {
    files_of_proof.add(in, "", {});
    if (whole) files_of_proof.require_all_units();
  });
}

}  // namespace pccd
