#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "engine/io/model_writer.h"
#include "engine/io/weights.h"

namespace mantissa {

/// Options of a command that writes a base model made from another.
struct ModelOutOptions {
  std::string base, dtype, out;
  bool overwrite = false;
};
/// Adds --base, --dtype, --out and --overwrite; `dtype_help` and `out_help` describe two of them.
void add_model_out(CLI::App& command, ModelOutOptions& options, const std::string& dtype_help,
                   const std::string& out_help);

/// The base model. Throws Error if --out is the same file or folder, or exists without --overwrite.
WeightSource open_base_of(const ModelOutOptions& options);
/// Its content, in --dtype if that is given.
ModelContents contents_of(const WeightSource& source, const ModelOutOptions& options);
/// Writes it with the base model's metadata, but for what no longer holds, and `added`.
void write_model_out(const ModelOutOptions& options, const WeightSource& source,
                     const ModelContents& model, const std::map<std::string, std::string>& added);

}  // namespace mantissa
