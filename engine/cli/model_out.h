#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

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

/// The base model. Throws Error if --out is that or another of `inputs`, lies inside one, or exists
/// without --overwrite.
WeightSource open_base_of(const ModelOutOptions& options,
                          std::vector<std::filesystem::path> inputs = {});
/// Its content, in --dtype if that is given.
ModelContents contents_of(const WeightSource& source, const ModelOutOptions& options);
/// Whether a model of this name is written as a file; else it is a folder in diffusers' layout.
/// Throws Error for an extension of another form: ".ckpt", ".gguf".
bool is_model_file(const std::filesystem::path& out);
/// Call it before the work: --out can be written, and its disk has room for the weights.
void require_model_out(const std::string& out, bool overwrite);
void require_model_space(const std::string& out, const ModelContents& model);
/// Writes it with the base model's metadata, but for what no longer holds, and `added`.
void write_model_out(const ModelOutOptions& options, const WeightSource& source,
                     const ModelContents& model, const std::map<std::string, std::string>& added);

}  // namespace mantissa
