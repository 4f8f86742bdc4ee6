#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "engine/train/run_parts.h"
#include "engine/train/training_state.h"

namespace mantissa {

/// Writes what a run makes: its adapter or, with training.method full, its model. Averages stand in
/// for the parameters where training.ema asks for any.
class ResultWriter {
 public:
  ResultWriter(const RunParts& parts, TrainingState& state) : parts_(parts), state_(state) {}

  /// A file or folder `name` in `folder`, its ending apart; returns it. A checkpoint holds files
  /// only: there the result is always one file, and an empty path, without a file, where the
  /// model's family has no such file.
  std::filesystem::path write(const std::filesystem::path& folder, const std::string& name,
                              bool checkpoint);

 private:
  std::filesystem::path write_adapter(const std::filesystem::path& folder, const std::string& name,
                                      bool checkpoint);
  std::filesystem::path write_model_weights(const std::filesystem::path& folder,
                                            const std::string& name, bool one_file);

  RunParts parts_;
  TrainingState& state_;
  std::set<std::string> told_;  ///< what was said of adapter files already
};

}  // namespace mantissa
