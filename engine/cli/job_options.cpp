#include "engine/cli/job_options.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>
#include <string_view>

#include "engine/cli/adapter_options.h"
#include "engine/cli/command_tree.h"
#include "engine/cli/option_values.h"
#include "engine/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/plan/card_split.h"
#include "engine/plan/split_run.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"
#include "engine/preset/schema.h"
#include "engine/run/run_adapters.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_identity.h"

namespace mantissa {
namespace {

/// The run to resume, with the command line's overrides.
JobSpec resumed(const CommandSession& session, const JobOptions& options) {
  const std::filesystem::path run = path_from_utf8(options.resume);
  JobSpec job = RunFolder::open(run).frozen_job();
  job.resume = run;
  if (!options.preset.empty()) {
    job.preset = PresetLibrary(session.context.presets_folder()).load(options.preset);
  }
  return job;
}

/// Options that a run has from its start, and would be silently something else in a resumed one.
void refuse_beside_resume(const JobOptions& o) {
  if (!o.out.empty()) {
    throw Error(message<"--resume continues in the run's own folder; leave --out away">());
  }
  if (!o.continue_from.empty()) {
    throw Error(
        message<"--resume continues a run with its own adapter; leave --continue-from away">());
  }
  for (const auto& [option, given] :
       {std::pair{"--dora-axis", &o.axis}, std::pair{"--replay", &o.replay}}) {
    if (!given->empty()) {
      throw Error(message<"{option} is for a new run; leave it away with --resume">(option));
    }
  }
}

/// What a command can't use is accepted, so that a call of `train` can be checked word for word,
/// but not shown.
void hide_options(CLI::App& command, JobUse use) {
  constexpr std::array<const char*, 4> kOfARun{"--on-full-disk", "--health-every", "--trace",
                                               "--trace-steps"};
  constexpr std::array<const char*, 4> kOfAProbe{"--out", "--deterministic", "--start-over",
                                                 "--overwrite"};
  const auto hide = [&command](std::span<const char* const> names) {
    for (const char* name : names) {
      command.get_option(name)->group(kHiddenGroup);
    }
  };
  if (use != JobUse::train) {
    hide(kOfARun);
  }
  if (use == JobUse::probe) {
    hide(kOfAProbe);
  }
}

/// What a run trains, and on which images.
void add_input_options(CLI::App& command, JobOptions& o) {
  command.add_option("PRESET", o.preset, "A preset file, or the name of a built-in preset")
      ->type_name("PRESET");
  command
      .add_option("--base", o.base,
                  "Base model: .safetensors, .gguf, diffusers folder, demo or demo-z-image")
      ->type_name("PATH");
  command.add_option("--images", o.images, "Folder of images, or demo; may be repeated")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      .add_option("--prior", o.prior,
                  "Folder of prior-preservation images; may be repeated. See training.prior_weight")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      .add_option("--validation", o.validation,
                  "Folder of images that are never trained on; may be repeated. See "
                  "training.validate_every")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      .add_option("--references", o.references,
                  "For a model that edits: folder of reference images, each named like the image "
                  "made from it; a second folder holds the second references. Or a "
                  "list of pairs, a .jsonl with file_name, references and text in each line. With "
                  "training.purpose pair_slider: the negative images, each of the name and size "
                  "of its partner")
      ->type_name("PATH")
      ->allow_extra_args(false);
}

void add_device_options(CLI::App& command, JobOptions& o) {
  command
      .add_option(
          "--device", o.device,
          "cpu (the default), or cuda:0; cuda:0,2 for a run on several cards, which share its "
          "micro-steps")
      ->type_name("DEVICE");
  command
      .add_option("--split-cards", o.split_cards,
                  "cuda:0,1: these cards share the model's layers in one process, for a model that "
                  "is too large for one")
      ->type_name("DEVICES")
      ->excludes("--device");
  command.add_flag("--deterministic", o.deterministic,
                   "On a GPU: bit-exact from run to run, slower");
  add_size(command, "--memory-budget", o.memory_budget,
           "Maximum memory of the card that the run may use, as 8GB, 7500MB or 8GiB; frozen "
           "weights that don't fit stay in host memory");
}

/// Runs and adapters that a run goes on from.
void add_resume_options(CLI::App& command, JobOptions& o) {
  command.add_option("--resume", o.resume, "Continue a run, by its folder or its id")
      ->type_name("RUN");
  command
      .add_option("--accept-changed", o.accept_changed,
                  fmt::format("With --resume: continue although these differ from what the run was "
                              "started with; several with commas. Of {}",
                              fmt::join(ingredient_parts(), ", ")))
      ->type_name("PART")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--start-over", o.start_over,
                   "With --resume, where every checkpoint is damaged: keep them aside and begin "
                   "at step 0");
  command
      .add_option("--continue-from", o.continue_from,
                  "Adapter file that the new one starts from, of any form that sample reads, or a "
                  "checkpoint's or run's folder")
      ->type_name("FILE");
  command
      .add_option("--training-adapter", o.training_adapters,
                  "Adapter file that is active while training, at this weight (1), and absent from "
                  "samples and the result: for a distilled base model, one made for it; may be "
                  "repeated")
      ->type_name("FILE[:WEIGHT]")
      ->allow_extra_args(false);
  add_dora_axis(command, o.axis);
}

/// What a run records, and what it does where there is no room for it.
void add_record_options(CLI::App& command, JobOptions& o) {
  command.add_option("--trace", o.trace, "Write the first steps' inputs, gradients and results")
      ->type_name("FILE");
  command.add_option("--trace-steps", o.trace_steps, "Steps that --trace writes")
      ->type_name("N")
      ->check(whole_number(1, 100000))
      ->capture_default_str();
  command.add_option("--replay", o.replay, "Train on the inputs of a trace in place of images")
      ->type_name("FILE");
  command.add_option("--health-every", o.health_every, "Steps between layer statistics; 0: none")
      ->type_name("N")
      ->check(whole_number(0, 1000000))
      ->capture_default_str();
  command
      .add_option("--on-full-disk", o.on_full_disk,
                  "Where a disk is full: wait for space and continue, or stop with exit status 6")
      ->type_name("WAY")
      ->check(one_of(std::vector<std::string>{"wait", "stop"}))
      ->capture_default_str();
}

/// The job that the options change: of a preset, or of the run that is continued.
JobSpec job_to_change(const CommandSession& session, const JobOptions& o) {
  if (!o.resume.empty()) {
    refuse_beside_resume(o);
    return resumed(session, o);
  }
  if (!o.accept_changed.empty() || o.start_over) {
    throw Error(message<"{option} is for a run that is continued; give it with --resume">(
        o.start_over ? "--start-over" : "--accept-changed"));
  }
  if (o.preset.empty()) {
    throw Error(
        message<"PRESET is missing: give a preset file or the name of a built-in preset, which "
                "`mantissa presets list` shows">());
  }
  JobSpec job;
  job.preset = PresetLibrary(session.context.presets_folder()).load(o.preset);
  return job;
}

void take_paths(JobSpec& job, const JobOptions& o) {
  if (!o.base.empty()) {
    job.base = path_from_utf8(o.base);
  }
  for (const auto& [given, folders] :
       {std::pair{&o.images, &job.images}, std::pair{&o.prior, &job.prior},
        std::pair{&o.validation, &job.validation}, std::pair{&o.references, &job.references}}) {
    if (!given->empty()) {
      folders->clear();
    }
    for (const std::string& folder : *given) {
      folders->push_back(path_from_utf8(folder));
    }
  }
  if (!o.out.empty()) {
    job.out = path_from_utf8(o.out);
  }
}

void take_devices(JobSpec& job, const JobOptions& o) {
  if (!o.device.empty()) {
    job.device = o.device;
    job.split.clear();
  }
  if (!o.split_cards.empty()) {
    split_over(job, o.split_cards);
  }
}

void take_adapters(JobSpec& job, const JobOptions& o) {
  if (!o.continue_from.empty()) {
    job.continue_from = adapter_at(path_from_utf8(o.continue_from));
  }
  if (!o.training_adapters.empty()) {
    job.training_adapters.clear();
  }
  for (const std::string& text : o.training_adapters) {
    const SampleRequest::Lora given = parse_lora(text);
    job.training_adapters.push_back({given.file, given.weight});
  }
  if (o.resume.empty()) {
    job.dora_axis = dora_axis_of(o.axis);  // a resumed run has its own
  }
}

}  // namespace

void add_set_option(CLI::App& command, std::vector<std::string>& set) {
  command.add_option("--set", set, "Change one setting of the preset; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_job_options(CLI::App& command, JobOptions& o, JobUse use) {
  add_input_options(command, o);
  command.add_option("--out", o.out, "Folder of the run; without it, one in the data folder")
      ->type_name("DIR");
  add_device_options(command, o);
  add_set_option(command, o.set);
  add_resume_options(command, o);
  add_record_options(command, o);
  add_overwrite(command, o.overwrite);
  hide_options(command, use);
}

JobSpec make_job(const CommandSession& session, const JobOptions& o) {
  JobSpec job = job_to_change(session, o);
  for (const std::string& assignment : o.set) {
    apply_set(job.preset, assignment);
  }
  take_paths(job, o);
  take_devices(job, o);
  take_adapters(job, o);
  for (const std::string& part : o.accept_changed) {
    job.accept_changed.push_back(ingredient_part(part));
  }
  job.start_over = o.start_over;
  if (!o.trace.empty()) {
    job.trace = path_from_utf8(o.trace);
    job.trace_steps = o.trace_steps;
  }
  if (o.device.empty() && o.split_cards.empty() && o.resume.empty()) {
    tell_unused_card(session);
  }
  tell_size(session, o.memory_budget);
  job.memory_budget = o.memory_budget.bytes > 0 ? o.memory_budget.bytes : job.memory_budget;
  job.deterministic = job.deterministic || o.deterministic;
  job.health_every = o.health_every;
  job.on_full_disk = o.on_full_disk == "stop" ? OnFullDisk::stop : OnFullDisk::wait;
  job.overwrite = o.overwrite;
  if (!o.replay.empty()) {
    job.replay = path_from_utf8(o.replay);
  }
  if (job.base.empty()) {
    throw Error(
        message<
            "--base is missing: give the base model's .safetensors, .gguf or diffusers folder, or "
            "--base demo for the built-in mini model">());
  }
  return job;
}

}  // namespace mantissa
