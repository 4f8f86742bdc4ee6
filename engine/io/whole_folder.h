#pragma once

#include <filesystem>

namespace mantissa {

/// A folder that appears under its name with all of its files or not at all: filled under a
/// temporary name, then renamed. In a folder that exists, its files take their places one by one,
/// after the last of them was written. Destroying it removes what `commit` hasn't moved, unless the
/// system refused to move it: then the error names where it lies.
class WholeFolder {
 public:
  explicit WholeFolder(const std::filesystem::path& target);
  ~WholeFolder();
  WholeFolder(const WholeFolder&) = delete;
  WholeFolder& operator=(const WholeFolder&) = delete;

  /// Where its files are written until then.
  const std::filesystem::path& path() const { return making_; }
  void commit();

 private:
  void take_places();
  /// Moves a file to its place. One that is in use there, which Windows doesn't replace, may be
  /// moved aside.
  void take_place(const std::filesystem::path& file);

  std::filesystem::path target_, making_;
  bool is_new_ = false;  ///< the target doesn't exist yet
  bool kept_ = false;    ///< what wasn't moved, for the user
};

}  // namespace mantissa
