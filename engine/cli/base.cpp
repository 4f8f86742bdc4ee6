#include <fmt/format.h>
#include <memory>
#include <utility>

#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/base_files.h"
#include "engine/io/overwrite.h"
#include "engine/io/weights.h"
#include "engine/models/companions.h"

namespace mantissa {
namespace {

struct BaseOptions {
  std::string transformer, out, denoiser, vae;
  std::vector<std::string> encoders, tokenizers;
  bool overwrite = false;
};

/// The files as the options list them.
BaseFiles listed_files(const BaseOptions& o) {
  BaseFiles files;
  files.parts[kDenoiser] = path_from_utf8(o.transformer.empty() ? o.denoiser : o.transformer);
  const auto list = [](const std::vector<std::string>& paths, auto& into) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
      into[Part("te" + std::to_string(i + 1))] = path_from_utf8(paths[i]);
    }
  };
  list(o.encoders, files.parts);
  list(o.tokenizers, files.tokenizers);
  if (!o.vae.empty()) {
    files.parts[kVae] = path_from_utf8(o.vae);
  }
  return files;
}

/// Names the text encoders that were listed in another order than the model's.
void tell_moves(const CommandSession& session, const BaseFiles& listed, const BaseFiles& sorted) {
  if (session.level() > LogLevel::info) {
    return;
  }
  for (const auto& [part, path] : sorted.parts) {
    const auto before = listed.parts.find(part);
    if (before == listed.parts.end() || before->second != path) {
      session.err() << fmt::format("mantissa: {} is taken as {}, by what it holds",
                                   printable(path_to_utf8(path)), part.name())
                    << std::endl;
    }
  }
}

int join_base(CommandSession& session, const BaseOptions& o) {
  if (o.transformer.empty() == o.denoiser.empty()) {
    throw Error(message<"give the transformer's file, or --denoiser with the files that belong to "
                        "it">());
  }
  BaseFiles files = listed_files(o);
  const std::filesystem::path out =
      o.out.empty() ? base_files_beside(files.parts.at(kDenoiser)) : path_from_utf8(o.out);
  require_output(out, OutputKind::file, o.overwrite);
  if (!is_base_files(out)) {
    throw Error(message<"--out: {path} must end in .json">(o.out));
  }
  const BaseFiles listed = std::exchange(files, in_order(files));
  tell_moves(session, listed, files);
  if (!o.transformer.empty()) {
    files = in_order(with_companions(files));
  }
  std::vector<std::filesystem::path> inputs;
  for (const auto* list : {&files.parts, &files.tokenizers}) {
    for (const auto& [part, path] : *list) {
      inputs.push_back(path);
    }
  }
  refuse_input(out, inputs);
  const WeightSource source = WeightSource::open(files);
  write_base_files(out, files);
  if (session.json) {
    write_event(session.out(), {{"event", "done"}, {"path", path_to_utf8(out)}});
    return 0;
  }
  std::string lacking;
  for (const PartFiles& part : source.family().parts) {
    if (!source.has_part(part.part)) {
      lacking += fmt::format("{}{}", lacking.empty() ? "" : ", ", part.part.name());
    }
  }
  if (session.level() <= LogLevel::info) {
    session.out() << fmt::format("{} base model: {}{}", source.family().title(),
                                 printable(path_to_utf8(out)),
                                 lacking.empty() ? "" : "; it lacks " + lacking)
                  << std::endl;
  }
  return 0;
}

}  // namespace

void add_base(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "base", "Make one base model of files that hold its parts, as ComfyUI keeps them");
  const auto o = std::make_shared<BaseOptions>();
  command
      ->add_option("TRANSFORMER", o->transformer,
                   "The transformer or UNet. What it lacks is looked for where ComfyUI keeps it: "
                   "beside it, in ../text_encoders, ../clip and ../vae")
      ->type_name("FILE");
  command
      ->add_option("--denoiser", o->denoiser,
                   "The same, with nothing looked for; may hold more parts")
      ->type_name("FILE");
  command
      ->add_option("--text-encoder", o->encoders,
                   "A text encoder; repeated, the next one. The files tell which is which")
      ->type_name("FILE");
  command->add_option("--vae", o->vae, "The VAE")->type_name("FILE");
  command
      ->add_option("--tokenizer", o->tokenizers,
                   "Folder of a text encoder's tokenizer; repeated, the next one's. Without it, "
                   "Qwen3's ships with the program")
      ->type_name("DIR");
  command
      ->add_option("--out", o->out,
                   "A .json with their paths, to be given as --base; the files stay where they "
                   "are. Without it, NAME.base.json beside the transformer")
      ->type_name("FILE");
  add_overwrite(*command, o->overwrite);
  on_call(*command, session, action, o, join_base);
}

}  // namespace mantissa
