#include <fmt/format.h>
#include <memory>
#include <optional>
#include <sstream>

#include "engine/cli/adapter_options.h"
#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/terminal_observer.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/data/captions.h"
#include "engine/diffusion/samplers.h"
#include "engine/io/file.h"
#include "engine/io/overwrite.h"
#include "engine/models/sampling_values.h"
#include "engine/plan/job_paths.h"

namespace mantissa {
namespace {

struct SampleOptions {
  SampleRequest request;
  std::string base, out, axis, prompts;
  const CLI::Option* device = nullptr;
  const CLI::Option* prompt = nullptr;  ///< an empty one is a prompt too
  bool overwrite = false;
  std::vector<std::string> loras, checkpoints, embeddings, references;
  std::vector<double> strengths;
  std::optional<int> steps;
  std::optional<double> guidance;
};

/// Those of a model without values of its own.
constexpr SamplingValues kUsualValues{25, 6};

/// Shows the progress; the image itself is reported at the end, differently from a run's.
class SampleProgress : public RunObserver {
 public:
  explicit SampleProgress(TerminalObserver& people) : people_(people) {}
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    people_.on_progress(phase, done, total);
  }
  void on_log(LogLevel level, const Message& line) override { people_.on_log(level, line); }

 private:
  TerminalObserver& people_;
};

/// One image per line of the file, numbered from 0001, with seeds counting up from --seed; in a
/// table all have that seed.
std::vector<SampleRequest::Sample> samples_of(const std::filesystem::path& file,
                                              const SampleRequest& r) {
  std::vector<SampleRequest::Sample> samples;
  std::istringstream lines(decode_text(read_text(file)).text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) {
      const auto number = static_cast<std::int64_t>(samples.size());
      samples.push_back({line, r.columns.empty() ? r.seed + number : r.seed,
                         r.out / fmt::format("{:04}.png", number + 1)});
    }
  }
  if (samples.empty()) {
    throw Error(message<"{file} holds no prompt; write one a line">(path_to_utf8(file)));
  }
  return samples;
}

std::vector<SampleRequest::Lora> at_strength(std::vector<SampleRequest::Lora> loras,
                                             double strength) {
  for (SampleRequest::Lora& lora : loras) {
    lora.weight *= strength;
  }
  return loras;
}

/// One for each strength of each checkpoint. Every adapter has the strength.
std::vector<SampleRequest::Column> columns_of(const SampleOptions& o) {
  std::vector<SampleRequest::Column> checkpoints;
  for (const std::string& text : o.checkpoints) {
    checkpoints.push_back(parse_checkpoint(text));
  }
  if (checkpoints.empty()) {
    checkpoints.push_back({});
  }
  const std::vector<double> strengths = o.strengths.empty() ? std::vector<double>{1} : o.strengths;
  std::vector<SampleRequest::Column> columns;
  for (const SampleRequest::Column& checkpoint : checkpoints) {
    std::vector<SampleRequest::Lora> all = o.request.loras;
    all.insert(all.end(), checkpoint.loras.begin(), checkpoint.loras.end());
    for (const double strength : strengths) {
      std::string label = checkpoint.label;
      if (strengths.size() > 1) {
        label += fmt::format("{}{}%", label.empty() ? "" : " · ", number_text(100 * strength));
      }
      columns.push_back({label, at_strength(all, strength)});
    }
  }
  return columns;
}

/// The adapters of the request: one set, or columns of a table.
void add_columns(SampleOptions& o) {
  SampleRequest& r = o.request;
  if (!o.strengths.empty() && r.loras.empty() && o.checkpoints.empty()) {
    throw Error(
        message<"--strength is that of an adapter; give one with --lora or --checkpoint">());
  }
  std::vector<SampleRequest::Column> columns = columns_of(o);
  r.loras.clear();
  if (columns.size() == 1) {
    r.loras = std::move(columns.front().loras);
  } else {
    r.columns = std::move(columns);
  }
}

/// Steps and guidance that aren't given are the model's own.
void add_sampling_values(SampleOptions& o) {
  SamplingValues values = kUsualValues;
  if (!o.steps || !o.guidance) {
    values = sampling_values(WeightSource::open(resolve_base(o.request.base)), kUsualValues);
  }
  o.request.steps = o.steps.value_or(values.steps);
  o.request.guidance = o.guidance.value_or(values.guidance);
}

/// Everything that the images are made from.
std::vector<std::filesystem::path> inputs_of(const SampleOptions& o) {
  const SampleRequest& r = o.request;
  std::vector<std::filesystem::path> inputs{is_built_in(r.base) ? resolve_base(r.base) : r.base};
  const auto add = [&](const std::vector<SampleRequest::Lora>& loras) {
    for (const SampleRequest::Lora& lora : loras) {
      inputs.push_back(lora.file);
    }
  };
  add(r.loras);
  for (const SampleRequest::Embedding& embedding : r.embeddings) {
    inputs.push_back(embedding.file);
  }
  inputs.insert(inputs.end(), r.references.begin(), r.references.end());
  for (const SampleRequest::Column& column : r.columns) {
    add(column.loras);
  }
  if (!o.prompts.empty()) {
    inputs.push_back(path_from_utf8(o.prompts));
  }
  return inputs;
}

/// What the image is written to: a file, or with several prompts of one column a folder.
void check_output(SampleOptions& o) {
  SampleRequest& r = o.request;
  const bool folder = !o.prompts.empty() && r.columns.empty();
  if (!o.prompts.empty()) {
    r.samples = samples_of(path_from_utf8(o.prompts), r);
  } else if (o.prompt->count() == 0) {
    throw Error(message<"--prompt or --prompts is required (see `mantissa sample --help`)">());
  }
  if (!folder && r.out.extension() != ".png") {
    throw Error(message<"--out {file}: the image is written as PNG; end the name in .png">(o.out));
  }
  const std::vector<std::filesystem::path> inputs = inputs_of(o);
  if (!folder) {
    refuse_input(r.out, inputs);
    require_output(r.out, OutputKind::file, o.overwrite);
    return;
  }
  for (const SampleRequest::Sample& s : r.samples) {
    refuse_input(s.out, inputs);
    refuse_overwrite(s.out, o.overwrite);
  }
  require_place(r.out, OutputKind::folder);
  std::filesystem::create_directories(r.out);
}

int sample(CommandSession& session, SampleOptions& o) {
  SampleRequest& r = o.request;
  r.base = path_from_utf8(o.base);
  r.out = path_from_utf8(o.out);
  for (const std::string& lora : o.loras) {
    r.loras.push_back(parse_lora(lora));
  }
  for (const std::string& embedding : o.embeddings) {
    r.embeddings.push_back(parse_embedding(embedding));
  }
  for (const std::string& reference : o.references) {
    r.references.push_back(path_from_utf8(reference));
  }
  r.dora_axis = dora_axis_of(o.axis);
  for (const auto& [name, side] : {std::pair{"--width", r.width}, {"--height", r.height}}) {
    if (side % 8 != 0) {
      throw Error(message<"{option} is {value}; it must be a multiple of 8">(name, side));
    }
  }
  add_columns(o);
  check_output(o);
  add_sampling_values(o);
  if (o.device->count() == 0) {
    tell_unused_card(session);
  }
  TerminalObserver people(session);
  SampleProgress progress(people);
  session.context.sample(r, progress);
  people.finish();
  if (session.json) {
    const auto event = [&](std::size_t index, const std::string& prompt, const auto& path) {
      write_event(session.out(), {{"event", "sample"},
                                  {"step", 0},
                                  {"index", index},
                                  {"prompt", prompt},
                                  {"path", path_to_utf8(path)}});
    };
    if (r.samples.empty() || !r.columns.empty()) {
      event(0, r.samples.empty() ? r.prompt : r.samples.front().prompt, r.out);
    } else {
      for (std::size_t i = 0; i < r.samples.size(); ++i) {
        event(i, r.samples[i].prompt, r.samples[i].out);
      }
    }
    write_event(session.out(), {{"event", "done"}, {"path", path_to_utf8(r.out)}});
  } else if (session.level() <= LogLevel::info) {
    if (r.samples.empty() || !r.columns.empty()) {
      session.out() << "Image: " << printable_path(r.out) << std::endl;
    } else {
      session.out() << fmt::format("{} in {}", counted(std::ssize(r.samples), "image"),
                                   printable_path(r.out))
                    << std::endl;
    }
  }
  return 0;
}

/// Adapters and embeddings that the image is rendered with.
void add_file_options(CLI::App& command, SampleOptions& o) {
  command
      .add_option("--lora", o.loras,
                  "Adapter file, or a checkpoint's or run's folder, with a weight if not 1; may be "
                  "repeated")
      ->type_name("FILE[:WEIGHT]")
      ->allow_extra_args(false);
  command
      .add_option("--checkpoint", o.checkpoints,
                  "Adapter file, or a checkpoint's or run's folder; several are compared in one "
                  "image, a column each")
      ->type_name("PATH[:WEIGHT]")
      ->allow_extra_args(false);
  command
      .add_option("--strength", o.strengths,
                  "Factor on every adapter's weight; several, as in 0,0.5,1, are compared in one "
                  "image, a column each")
      ->type_name("X,…")
      ->delimiter(',')
      ->check(finite_range(-100, 100));
  command
      .add_option("--embedding", o.embeddings,
                  "Embedding file (textual inversion) of a word in the prompts, with the word if "
                  "the file isn't named after it; may be repeated")
      ->type_name("FILE[:WORD]")
      ->allow_extra_args(false);
  add_dora_axis(command, o.axis);
}

void add_prompt_options(CLI::App& command, SampleOptions& o) {
  SampleRequest& r = o.request;
  CLI::Option* one = command.add_option("--prompt", r.prompt, "What to render")->type_name("TEXT");
  o.prompt = one;
  command
      .add_option("--prompts", o.prompts,
                  "Text file with a prompt a line; --out is then a folder, and the seed "
                  "counts up from line to line. With columns: rows of the image")
      ->type_name("FILE")
      ->excludes(one);
  command
      .add_option("--reference", o.references,
                  "Image to edit, of a base model that reads some; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command.add_option("--negative", r.negative, "What to steer away from")->type_name("TEXT");
  command.add_flag("--weighted", r.weighted, "Read (word:1.2), (word) and [word] as emphasis");
}

/// How the prompt becomes an image: the sampler, and the noise that it starts from.
void add_sampling_options(CLI::App& command, SampleOptions& o) {
  SampleRequest& r = o.request;
  const auto names = sampler_names();
  command.add_option("--clip-skip", r.clip_skip, "Text encoder layer from the end, as in presets")
      ->type_name("N")
      ->check(whole_number(0, 12))
      ->capture_default_str();
  command.add_option("--sampler", r.sampler, "Sampler")
      ->type_name("NAME")
      ->check(one_of(std::vector<std::string>(names.begin(), names.end())))
      ->capture_default_str();
  command
      .add_option("--steps", o.steps,
                  "Sampler steps; default 25, or as few as a model is made for, 4 of FLUX.1 "
                  "schnell")
      ->type_name("N")
      ->check(whole_number(1, 1000));
  command
      .add_option("--guidance", o.guidance,
                  "How strongly the prompt steers; 1 turns it off; default 6, or a model's own: "
                  "3.5 of FLUX.1 dev, 1 of distilled models")
      ->type_name("X")
      ->check(finite_range(0, 100));
  command.add_option("--seed", r.seed, "Seed of the starting noise")
      ->type_name("N")
      ->check(whole_number(0, 9007199254740991))
      ->capture_default_str();
  command.add_option("--width", r.width, "Width in px; without it, the model's own")
      ->type_name("PX")
      ->check(whole_number(16, 8192));
  command.add_option("--height", r.height, "Height in px; without it, the model's own")
      ->type_name("PX")
      ->check(whole_number(16, 8192));
}

}  // namespace

void add_sample(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand("sample", "Render an image, with or without adapters");
  const auto o = std::make_shared<SampleOptions>();
  command
      ->add_option("--base", o->base,
                   "Base model: .safetensors, .gguf, diffusers folder, demo or demo-z-image")
      ->type_name("PATH")
      ->required();
  add_file_options(*command, *o);
  add_prompt_options(*command, *o);
  add_sampling_options(*command, *o);
  o->device = command->add_option("--device", o->request.device, "cpu (the default), or cuda:0")
                  ->type_name("DEVICE");
  command->add_option("--out", o->out, "PNG to write, or the folder of --prompts")
      ->type_name("PATH")
      ->required();
  add_overwrite(*command, o->overwrite);
  command->callback(
      [&session, &action, o] { action = [&session, o] { return sample(session, *o); }; });
}

}  // namespace mantissa
