#include "planner_ccd/certificate/verifier/verify.hpp"

#include <algorithm>
#include <fstream>
#include <new>
#include <optional>

namespace pccd {
namespace {

Digest digest_of(const std::string& path, std::uint64_t& size) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Unreadable(path + " cannot be read");
  Sha256 hash;
  std::vector<char> buffer(1 << 16);
  size = 0;
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), in.gcount() > 0) {
    hash.add(buffer.data(), static_cast<std::size_t>(in.gcount()));
    size += static_cast<std::uint64_t>(in.gcount());
  }
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

/// Runs `work` and turns what it throws into an answer.
template <typename Work>
Outcome answer_of(Work&& work) {
  Outcome out;
  try {
    work(out);
    out.answer = Answer::Verified;
  } catch (const Refuted& why) {
    out.answer = Answer::Refuted;
    out.reason = why.what();
  } catch (const Unreadable& why) {
    out.reason = why.what();
  } catch (const std::bad_alloc&) {
    out.reason = "the file needs more memory than there is";
  } catch (const std::length_error&) {
    out.reason = "the file needs more memory than there is";
  }
  return out;
}

void add(Outcome& out, const Coverage& c) {
  out.leaves += c.leaves;
  out.splits += c.splits;
  out.rays += c.rays;
}

void require_all_units(std::vector<std::pair<std::uint64_t, std::uint64_t>> proved, std::uint64_t units) {
  std::sort(proved.begin(), proved.end());
  std::uint64_t next = 0;
  for (const auto& [first, last] : proved) {
    if (first < next) throw Refuted("unit " + std::to_string(first) + " is proved twice: the parts overlap");
    if (first > next) break;
    next = last;
  }
  if (next < units) throw Refuted("unit " + std::to_string(next) + " of " + std::to_string(units) + " is not proved");
}

}  // namespace

Outcome verify(const std::vector<std::string>& files, const std::vector<GivenFile>& given) {
  return answer_of([&](Outcome& out) {
    if (files.empty()) throw Unreadable("no file is given");
    std::vector<std::pair<std::uint64_t, std::uint64_t>> proved;
    for (const std::string& file : files) {
      std::ifstream in(file, std::ios::binary);
      if (!in) throw Unreadable(file + " cannot be read");
      Reader reader(in);
      Statement statement = read_statement(reader);
      if (proved.empty()) {
        out.statement = statement.digest;
        out.units = statement.units();
        out.shown = show(statement);
        compare_inputs(statement, given);
      } else if (statement.digest != out.statement) {
        throw Refuted(file + " states something else than " + files.front());
      }
      read_volumes(reader, statement);
      const Coverage c = check_proofs(reader, statement);
      proved.emplace_back(c.first, c.last);
      add(out, c);
    }
    require_all_units(proved, out.units);
  });
}

Outcome verify(std::istream& in, bool whole) {
  return answer_of([&](Outcome& out) {
    Reader reader(in);
    Statement statement = read_statement(reader);
    out.statement = statement.digest;
    out.units = statement.units();
    read_volumes(reader, statement);
    const Coverage c = check_proofs(reader, statement);
    add(out, c);
    if (whole) require_all_units({{c.first, c.last}}, out.units);
  });
}

}  // namespace pccd
