#pragma once
// A base model made from another, as a file or a folder.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/io/model_writer.h"
#include "engine/io/weights.h"
#include "engine/tools/tool_request.h"

namespace mantissa {

/// The base model. Throws Error if the result is that or another of `inputs`, lies inside one, or
/// exists and may not be overwritten.
WeightSource open_base_of(const ToolRequest& request,
                          std::vector<std::filesystem::path> inputs = {});
/// Its content, in the request's type if that is given.
ModelContents contents_of(const WeightSource& source, const ToolRequest& request);
/// Whether a model of this name is written as a file; else it is a folder in diffusers' layout.
/// Throws Error for an extension of another form: ".ckpt", ".gguf".
bool is_model_file(const std::filesystem::path& out);
/// Call it before the work: `out` can be written, and its disk has room for the weights.
void require_model_out(const std::string& out, bool overwrite);
void require_model_space(const std::string& out, const ModelContents& model);
/// Writes it with the base model's metadata, but for what no longer holds, and `added`.
void write_model_out(const ToolRequest& request, const WeightSource& source, ModelContents model,
                     const std::map<std::string, std::string>& added, const ToolWatch& watch);

}  // namespace mantissa
