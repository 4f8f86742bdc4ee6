// Tools that write an adapter.
#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <span>

#include "engine/adapters/convert.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/read_adapter.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/diffusion/model_objective.h"
#include "engine/io/generation.h"
#include "engine/io/overwrite.h"
#include "engine/plan/job_paths.h"
#include "engine/preset/names.h"
#include "engine/readers/file_readings.h"
#include "engine/readers/verdict_text.h"
#include "engine/run/run_adapters.h"
#include "engine/tools/tool_commands.h"
#include "engine/tools/tool_work.h"

namespace mantissa {
namespace {

ConvertRequest conversion_of(const ToolRequest& o, const ToolWatch& watch) {
  ConvertRequest request;
  request.file = adapter_at(path_from_utf8(o.file));
  request.out = path_from_utf8(o.out);
  request.format = *enum_from_name<OutputFormat>(o.format);
  request.dtype = enum_from_name<MasterType>(o.dtype);
  request.dora_axis = enum_from_name<DoraAxis>(o.axis);
  request.rank = o.rank;
  request.energy = o.energy;
  request.progress = watch.progress;
  return request;
}

/// A file, or with the format peft a folder.
void require_adapter_out(const ToolRequest& o) {
  const std::filesystem::path out = path_from_utf8(o.out);
  const bool folder = enum_from_name<OutputFormat>(o.format) == OutputFormat::peft;
  if (folder == (out.extension() == ".safetensors")) {
    throw Error(folder ? message<"--out {file}: with the format peft a folder is written; give a "
                                 "name without .safetensors">(o.out)
                       : message<"--out {file}: the adapter is written as a file; end the name in "
                                 ".safetensors">(o.out));
  }
  require_output(out, folder ? OutputKind::folder : OutputKind::file, o.overwrite);
}

/// What is read may not be written, whatever may be overwritten.
void check_out(const ToolRequest& o, const std::filesystem::path& other) {
  refuse_input(path_from_utf8(o.out), std::vector{resolve_base(path_from_utf8(o.base)), other});
  require_adapter_out(o);
}

/// The format that the program of --for reads as meant. Throws Error if none is.
OutputFormat format_of_reader(const ToolRequest& o, const ConvertRequest& request,
                              const WeightSource& base) {
  const Reader& reader = *reader_called(o.reader);
  const std::vector<AdapterModule> modules =
      read_adapter(request.file, base, request.dora_axis, EmbeddingsBeside::read_apart).modules;
  if (const auto format = format_for(reader, modules, base)) {
    return *format;
  }
  throw Error(
      message<"--for {program}: none of the formats of this adapter is read by {title} in full; "
              "`mantissa inspect --for {program}` says why. Merge it into the base model instead">(
          o.reader, reader.title));
}

ToolResult told(const ToolRequest& o, const ConvertResult& done) {
  ToolResult result;
  result.path = o.out;
  result.notices = done.notices;
  result.modules = done.modules;
  result.rank = done.rank;
  result.error = done.error;
  result.renamed = done.renamed;
  // As --energy counts: squares.
  const std::string left_out = fmt::format("{:.2g}", 100 * done.error * done.error);
  result.summary = done.renamed ? message<"{count} modules, every tensor as it was">(done.modules)
                   : done.error > 0
                       ? message<
                             "{count} modules, rank up to {rank}, at most {share}% of a "
                             "change's energy left out">(done.modules, done.rank, left_out)
                       : message<"{count} modules">(done.modules);
  return result;
}

}  // namespace

ToolResult convert_file(const ToolRequest& o, const ToolWatch& watch) {
  ConvertRequest request = conversion_of(o, watch);
  check_out(o, request.file);
  const WeightSource base = WeightSource::open(resolve_base(path_from_utf8(o.base)));
  if (!o.reader.empty()) {
    request.format = format_of_reader(o, request, base);
  }
  request.resize_command = [&](std::int64_t rank) {
    return resize_command(o, path_to_utf8(request.file), request.format, rank);
  };
  ToolResult result = told(o, convert_adapter(request, base));
  if (!o.reader.empty()) {
    const Reader* reader = reader_called(o.reader);
    result.verdicts = read_file_as(request.out, base, {&reader, 1}).verdicts;
  }
  return result;
}

ToolResult extract_file(const ToolRequest& o, const ToolWatch& watch) {
  const std::filesystem::path changed = resolve_base(path_from_utf8(o.tuned));
  check_out(o, changed);
  const WeightSource base = WeightSource::open(resolve_base(path_from_utf8(o.base)));
  const WeightSource tuned = WeightSource::open(changed);
  AdapterExport options;
  options.format = *enum_from_name<OutputFormat>(o.format);
  options.dtype = enum_from_name<MasterType>(o.dtype).value_or(MasterType::fp32);
  std::mutex one_at_a_time;
  const auto tell = [&](std::int64_t done, std::int64_t total) {
    if (watch.progress) {
      const std::lock_guard lock(one_at_a_time);
      watch.progress(done, total);
    }
  };
  const ExtractResult found = extract_adapter(
      base, tuned, o.rank, o.energy,
      [&](std::span<const AdapterModule> changed) {
        require_space(path_from_utf8(o.out),
                      least_factor_bytes(changed, o.rank, o.energy, options.dtype));
      },
      tell);
  options.base = base.model_names();
  options.generation = generation_of(base);
  if (options.generation != nullptr) {
    options.prediction = enum_name(source_objective(tuned).prediction);
  }
  options.title = path_to_utf8(path_from_utf8(o.out).stem());
  ConvertResult result;
  result.notices = write_adapter_file(path_from_utf8(o.out), found.modules, options).notices;
  if (!found.left_out.empty()) {
    result.notices.push_back(
        message<"{count} weights changed that no LoRA can hold (norms, biases, embeddings), the "
                "first of them {weight}">(found.left_out.size(), found.left_out.front()));
  }
  result.modules = std::ssize(found.modules);
  result.error = found.error;
  for (const AdapterModule& m : found.modules) {
    result.rank = std::max(result.rank, m.rank);
  }
  return told(o, result);
}

}  // namespace mantissa
