#pragma once
// The tools on files of models and adapters as data: the command line and the studio have the same
// options in the same words.

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"

namespace mantissa {

enum class Tool { merge, extract, convert, resize, quantise, inspect };

/// What an option sets: a member of ToolRequest.
enum class ToolField {
  file,
  adapters,
  base,
  tuned,
  format,
  reader,
  readers,
  dtype,
  weights,
  rank,
  energy,
  axis,
  out,
  overwrite
};

struct ToolOption {
  ToolField field = ToolField::file;
  std::string_view name;   ///< on the command line: "--base", or "FILE" of an argument
  std::string_view value;  ///< "PATH"; empty for a flag
  Message label;           ///< in the window
  Message help;
  bool required = false;
};

struct ToolRow {
  Tool tool = Tool::merge;
  std::string_view name;  ///< of the command
  Message title;          ///< in the window
  Message summary;
  std::vector<ToolOption> options;
};

/// In the order of the window's list.
std::vector<ToolRow> tool_table();
ToolRow tool_row(Tool tool);

/// The words that an option takes; empty if it takes others.
std::vector<std::string> tool_words(ToolField field);
constexpr int kLeastToolRank = 1, kMostToolRank = 4096;

/// Texts of options that further commands have.
Message overwrite_help();
Message dora_axis_help();

}  // namespace mantissa
