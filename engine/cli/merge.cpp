#include "engine/adapters/merge.h"

#include <fmt/format.h>
#include <memory>

#include "engine/adapters/export.h"
#include "engine/cli/adapter_options.h"
#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/overwrite.h"
#include "engine/plan/job_paths.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

struct MergeOptions {
  std::string base, out, dtype, axis;
  std::vector<std::string> loras;
  bool overwrite = false;
};

int merge(CommandSession& session, const MergeOptions& o) {
  const std::filesystem::path path = resolve_base(path_from_utf8(o.base));
  const std::filesystem::path out = path_from_utf8(o.out);
  if (std::filesystem::exists(out) && std::filesystem::equivalent(path, out)) {
    throw Error(
        message<"--out {file} is the base model itself; write the result elsewhere">(o.out));
  }
  refuse_overwrite(out, o.overwrite);
  const WeightSource source = WeightSource::open(path);
  const std::vector<std::string> modules = adaptable_modules(source);
  std::vector<LoraFile> files;
  std::vector<double> weights;
  std::string names;
  for (const std::string& text : o.loras) {
    const SampleRequest::Lora lora = parse_lora(text);
    files.push_back(read_lora(lora.file, modules, *source.model_names(), dora_axis_of(o.axis)));
    weights.push_back(lora.weight);
    names += fmt::format("{}{}:{:g}", names.empty() ? "" : ", ", path_to_utf8(lora.file.filename()),
                         lora.weight);
  }
  std::vector<WeightedLora> adapters;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    adapters.push_back({&files[i].modules, weights[i]});
    changed += files[i].modules.size();
  }
  std::optional<DType> dtype;
  if (!o.dtype.empty()) {
    dtype = dtype_of(*enum_from_name<MasterType>(o.dtype));
  }
  ModelContents model = model_contents(source, dtype);
  merge_adapters(model, source, adapters);
  std::map<std::string, std::string> metadata = source.metadata();
  for (const char* stale : {"modelspec.hash_sha256", "_quantization_metadata"}) {
    metadata.erase(stale);
  }
  metadata["mantissa.merged"] = names;
  write_model(out, model, metadata);
  if (session.json) {
    write_event(session.out(), {{"event", "done"}, {"path", o.out}, {"modules", changed}});
  } else if (session.level() <= 1) {
    session.out() << fmt::format("Merged {} ({} modules): {}", printable(names), changed,
                                 printable(o.out))
                  << std::endl;
  }
  return 0;
}

}  // namespace

void add_merge(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand("merge", "Put adapters into a base model for good");
  const auto o = std::make_shared<MergeOptions>();
  command
      ->add_option("--base", o->base,
                   "Base model: .safetensors, diffusers folder, demo or demo-z-image")
      ->type_name("PATH")
      ->required();
  command->add_option("--lora", o->loras, "Adapter file, with a weight if not 1; may be repeated")
      ->type_name("FILE[:WEIGHT]")
      ->allow_extra_args(false)
      ->required();
  command
      ->add_option("--dtype", o->dtype, "Type of the weights in the file; without it, the base's")
      ->type_name("TYPE")
      ->check(CLI::IsMember({"fp32", "bf16", "fp16"}));
  add_dora_axis(*command, o->axis);
  command
      ->add_option("--out", o->out,
                   "What to write: a .safetensors file with LDM names, or a diffusers folder")
      ->type_name("PATH")
      ->required();
  add_overwrite(*command, o->overwrite);
  command->callback(
      [&session, &action, o] { action = [&session, o] { return merge(session, *o); }; });
}

}  // namespace mantissa
