#include <fmt/format.h>
#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/overwrite.h"
#include "engine/models/new_model.h"
#include "engine/plan/job_paths.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"
#include "engine/tools/model_out.h"

namespace mantissa {
namespace {

struct NewOptions {
  std::string like, vae, out, dtype = "fp32";
  std::uint64_t seed = 0;
  bool overwrite = false;
};

int make_new(CommandSession& session, const NewOptions& o) {
  require_model_out(o.out, o.overwrite);
  NewModel wanted;
  wanted.like = resolve_base(path_from_utf8(o.like));
  wanted.seed = o.seed;
  wanted.dtype = dtype_of(*enum_from_name<MasterType>(o.dtype));
  if (!o.vae.empty()) {
    wanted.vae = resolve_base(path_from_utf8(o.vae));
  }
  refuse_input(path_from_utf8(o.out),
               std::vector{wanted.like, wanted.vae.value_or(std::filesystem::path())});
  const ModelContents model = new_model(wanted);
  require_model_space(o.out, model);
  write_model(path_from_utf8(o.out), model);
  std::int64_t count = 0;
  for (const auto& [part, tensors] : model.parts) {
    for (const ModelTensor& tensor : tensors) {
      count += tensor.shape.count();
    }
  }
  if (session.json) {
    write_event(session.out(), {{"event", "done"}, {"path", o.out}, {"parameters", count}});
  } else if (session.level() <= LogLevel::info) {
    session.out() << fmt::format("New model, {} random values: {}", count, printable(o.out))
                  << std::endl;
    if (o.vae.empty()) {
      session.out()
          << "Its VAE is random too: train it first, with training.parts [\"vae\"], or give "
             "--vae a model to take one from"
          << std::endl;
    }
  }
  return 0;
}

}  // namespace

void add_new(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "new", "Make a base model with random weights, to be trained with training.method full");
  const auto o = std::make_shared<NewOptions>();
  command
      ->add_option("--like", o->like,
                   "What it looks like: a diffusers folder, of which only the config.json files "
                   "are read, or a base model, or demo")
      ->type_name("PATH")
      ->required();
  command->add_option("--vae", o->vae, "Base model whose trained VAE it gets")->type_name("PATH");
  command->add_option("--seed", o->seed, "Seed of the weights")
      ->type_name("N")
      ->check(whole_number(0, 9007199254740991))
      ->capture_default_str();
  command->add_option("--dtype", o->dtype, "Type of the weights in the file")
      ->type_name("TYPE")
      ->check(one_of(std::vector<std::string>{"fp32", "bf16", "fp16"}))
      ->capture_default_str();
  command->add_option("--out", o->out, "A .safetensors file, or a folder in diffusers' layout")
      ->type_name("PATH")
      ->required();
  add_overwrite(*command, o->overwrite);
  on_call(*command, session, action, o, make_new);
}

}  // namespace mantissa
