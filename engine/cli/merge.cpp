#include "engine/adapters/merge.h"

#include <fmt/format.h>
#include <memory>

#include "engine/adapters/export.h"
#include "engine/adapters/read_adapter.h"
#include "engine/cli/adapter_options.h"
#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/model_out.h"
#include "engine/cli/option_values.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"

namespace mantissa {
namespace {

struct MergeOptions {
  ModelOutOptions model;
  std::string axis;
  std::vector<std::string> loras;
};

int merge(CommandSession& session, const MergeOptions& o) {
  std::vector<SampleRequest::Lora> loras;
  std::vector<std::filesystem::path> inputs;
  for (const std::string& text : o.loras) {
    loras.push_back(parse_lora(text));
    inputs.push_back(loras.back().file);
  }
  const WeightSource source = open_base_of(o.model, inputs);
  std::vector<AdapterContents> files;
  std::vector<double> weights;
  std::string names;
  for (const SampleRequest::Lora& lora : loras) {
    files.push_back(read_adapter(lora.file, source, dora_axis_of(o.axis)));
    weights.push_back(lora.weight);
    for (const Message& notice : files.back().notices) {
      session.people() << "warning: " << printable(notice.text()) << std::endl;
    }
    names += fmt::format("{}{}:{:g}", names.empty() ? "" : ", ", path_to_utf8(lora.file.filename()),
                         lora.weight);
  }
  std::vector<WeightedAdapter> adapters;
  std::vector<WeightedChanges> changes;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    adapters.push_back({&files[i].modules, weights[i]});
    changes.push_back({&files[i].changes, weights[i]});
    changed += files[i].modules.size() + files[i].changes.size();
  }
  ModelContents model = contents_of(source, o.model);
  merge_adapters(model, source, adapters);
  merge_changes(model, source, changes);
  write_model_out(o.model, source, model, {{"mantissa.merged", names}});
  if (session.json) {
    write_event(session.out(), {{"event", "done"}, {"path", o.model.out}, {"modules", changed}});
  } else if (session.level() <= LogLevel::info) {
    session.out() << fmt::format("Merged {} ({} modules): {}", printable(names), changed,
                                 printable(o.model.out))
                  << std::endl;
  }
  return 0;
}

}  // namespace

void add_merge(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand("merge", "Put adapters into a base model for good");
  const auto o = std::make_shared<MergeOptions>();
  add_model_out(*command, o->model, "Type of the weights in the file; without it, the base's",
                "What to write: a .safetensors file with LDM names, or a diffusers folder");
  command
      ->add_option("--lora", o->loras,
                   "Adapter file, or a checkpoint's or run's folder, with a weight if not 1; may "
                   "be repeated")
      ->type_name("FILE[:WEIGHT]")
      ->allow_extra_args(false)
      ->required();
  add_dora_axis(*command, o->axis);
  command->callback(
      [&session, &action, o] { action = [&session, o] { return merge(session, *o); }; });
}

}  // namespace mantissa
