#pragma once
// What the tools on files of models and adapters are given, and what they tell.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/message.h"
#include "engine/io/coded_tensors.h"
#include "engine/readers/read_as.h"
#include "engine/tools/tool_table.h"

namespace mantissa {

struct WeightedFile {
  std::filesystem::path file;
  double weight = 1;
};

/// What a tool is given; each uses the fields of its row. Texts are UTF-8, paths too.
struct ToolRequest {
  std::string file, base, tuned, out;
  std::vector<WeightedFile> adapters;
  std::string format = "kohya", reader, dtype, weights, axis;
  std::vector<std::string> readers;  ///< keys, or "all"
  int rank = 0;
  double energy = 1;
  bool overwrite = false;
};

/// A weight written as codes, and how far it is above its rounding noise, in dB.
struct CodedWeight {
  std::string name;
  double sqnr = 0;
};

struct ToolResult {
  std::string path;              ///< written; empty: nothing was
  Message summary;               ///< what was done, without the path
  std::vector<Message> notices;  ///< warnings
  /// What a file holds: names and values.
  std::vector<std::pair<Message, Message>> rows;
  std::vector<ReaderVerdict> verdicts;
  std::int64_t modules = 0;
  int rank = 0;
  double error = 0;  ///< largest of a module, relative
  bool renamed = false;
  std::vector<CodedWeight> weights;  ///< the worst first
};

/// What is told while a tool works.
struct ToolWatch {
  /// Weights or layers done, of all; one call at a time, from any thread. May throw to cancel:
  /// nothing is written then.
  std::function<void(std::int64_t done, std::int64_t total)> progress;
  CodesWritten coded;
  /// Sizes in the language of who asks; required by Tool::inspect.
  std::function<std::string(std::uint64_t bytes)> size_text;
};

}  // namespace mantissa
