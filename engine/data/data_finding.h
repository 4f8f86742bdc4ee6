#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/core/log_level.h"
#include "engine/core/message.h"

namespace mantissa {

enum class DataFindingKind {
  no_caption,      ///< images trained with their folder's name
  empty_caption,   ///< images whose caption is empty
  no_trigger,      ///< images whose caption lacks the trigger word
  cut_caption,     ///< captions and prompts beyond what a text encoder reads
  cut_image,       ///< images of which the bucket cuts away much
  same_name,       ///< names that differ in Unicode's form alone
  unused_caption,  ///< caption files of an image that has another
  own_output,      ///< folders that the program itself wrote, passed over
  overlap,         ///< folders of prior or validation images that share images with others
  reference_shape  ///< references of another shape than their image
};

/// One of the files or folders that a finding names.
struct FoundFile {
  std::filesystem::path path;
  Message detail;  ///< "96% of it is cut away"; may be empty
};

/// What is used, or passed over, perhaps not as it is meant: counted, and each file named.
struct DataFinding {
  DataFindingKind kind{};
  std::vector<FoundFile> files;
  Message advice;  ///< what to do; may be empty
};

/// "images without a caption, trained with their folder's name".
Message kind_text(DataFindingKind kind);
/// "no_caption".
std::string_view kind_name(DataFindingKind kind);
/// "images without a caption, trained with their folder's name (3)".
Message headline(const DataFinding& finding);
/// The headline with the first files and the advice, in one line.
Message summary(const DataFinding& finding);
LogLevel log_level(const DataFinding& finding);

/// The finding of that kind in `findings`, added if there is none.
DataFinding& finding_of(std::vector<DataFinding>& findings, DataFindingKind kind);
/// Adds the files of others to those of their kinds.
void add_findings(std::vector<DataFinding>& findings, const std::vector<DataFinding>& others);
/// Forgets all of a kind.
void drop_kind(std::vector<DataFinding>& findings, DataFindingKind kind);
/// Forgets a file that isn't used any more.
void drop_file(std::vector<DataFinding>& findings, const std::filesystem::path& file);

}  // namespace mantissa
