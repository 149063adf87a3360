#pragma once

/// The versions of what is stored and later believed, all of them. A file or pickle of another version is refused.
///
/// A version stands for the layout of the bytes and for the proof behind them. Raise it when either changes: when bytes of before would be
/// read as something else, or would not be proved today. tests/lint/stored_versions.py knows which sources each rests on, and fails when one
/// of these changes.
namespace planner_ccd::stored {

inline constexpr int kCells = 3;         ///< Proofs of cells: files KEY.cells, pickled PreparedRobots.
inline constexpr int kVerdicts = 2;      ///< What queries answer: pickled results, shards of campaigns.
inline constexpr int kPickles = 3;       ///< The layout of Python's pickles.
inline constexpr int kShards = 2;        ///< The layout of shards of campaigns, and what their descriptions mean.
inline constexpr int kCertificates = 1;  ///< The verifiers, which share nothing with the library, name it themselves.

}  // namespace planner_ccd::stored
