#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/export.h"
#include "engine/readers/read_as.h"
#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"

namespace mantissa {

/// Writes a run's result: its adapter or, with training.method full, its model. With training.ema,
/// or a schedule-free optimizer, averages replace the parameters.
class ResultWriter {
 public:
  ResultWriter(const RunParts& parts, TrainingState& state) : parts_(parts), state_(state) {}

  /// Writes a file or folder `name` (without extension) in `folder`; returns it. A checkpoint
  /// contains only files: there the result is always one file, or none and an empty path if the
  /// model's family has no such file.
  std::filesystem::path write(const std::filesystem::path& folder, const std::string& name,
                              bool checkpoint);
  /// What programs make of the last file written, by their rules; empty of PEFT's folders and of
  /// whole models.
  const std::vector<ReaderVerdict>& read_back() const { return read_back_; }

 private:
  std::filesystem::path write_adapter(const std::filesystem::path& folder, const std::string& name,
                                      bool checkpoint);
  /// The files of the trained words; the first one's path.
  std::filesystem::path write_words(const std::filesystem::path& folder);
  std::filesystem::path write_model_weights(const std::filesystem::path& folder,
                                            const std::string& name, bool one_file);

  void read_back(const std::filesystem::path& file, std::span<const AdapterModule> trained,
                 const AdapterExport& options, const WrittenAdapter& written);
  /// A line of the log, once.
  void tell(LogLevel level, const std::filesystem::path& file, const Message& notice);

  RunParts parts_;
  TrainingState& state_;
  std::vector<ReaderVerdict> read_back_;
  std::set<std::string> told_;  ///< notices about adapter files already given
};

}  // namespace mantissa
