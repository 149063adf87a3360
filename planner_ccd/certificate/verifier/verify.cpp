#include "planner_ccd/certificate/verifier/verify.hpp"

#include <algorithm>
#include <fstream>

namespace pccd {
namespace {

Digest digest_of(const std::string& path, std::uint64_t& size) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Unreadable(path + " cannot be read");
  Reader reader(in);
  Sha256 hash;
  reader.hash = &hash;
  size = reader.left();
  for (std::vector<char> buffer(1 << 16); reader.left() > 0;)
    reader.bytes(buffer.data(), std::min<std::uint64_t>(buffer.size(), reader.left()));
  return hash.finish();
}

void compare_inputs(const Statement& statement, const std::vector<GivenFile>& given) {
  for (const GivenFile& file : given) {
    std::uint64_t size = 0;
    const Digest digest = digest_of(file.path, size);
    const bool known = std::any_of(statement.inputs.begin(), statement.inputs.end(), [&](const InputFile& input) {
      return (file.role.empty() || input.role == file.role) && input.size == size && input.digest == digest;
    });
    if (!known) {
      throw Refuted(file.path + " is not the file" + (file.role.empty() ? "" : " '" + file.role + "'") +
                    " that the certificate speaks of: its SHA-256 is " + to_hex(digest));
    }
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
      out_.statement = statement.digest;
      out_.units = statement.units();
      out_.shown = show(statement);
      compare_inputs(statement, given);
    } else if (statement.digest != out_.statement) {
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
