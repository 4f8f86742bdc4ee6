#include "engine/cli/job_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <string_view>

#include "engine/cli/adapter_options.h"
#include "engine/cli/option_values.h"
#include "engine/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/plan/card_split.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"
#include "engine/preset/schema.h"
#include "engine/train/run_folder.h"
#include "engine/train/run_identity.h"

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

}  // namespace

void add_set_option(CLI::App& command, std::vector<std::string>& set) {
  command.add_option("--set", set, "Change one setting of the preset; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_job_options(CLI::App& command, JobOptions& o) {
  command.add_option("PRESET", o.preset, "A preset file, or the name of a built-in preset");
  command
      .add_option("--base", o.base,
                  "Base model: .safetensors, diffusers folder, demo or demo-z-image")
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
  command.add_option("--out", o.out, "Folder of the run; without it, one in the data directory")
      ->type_name("DIR");
  command
      .add_option("--device", o.device,
                  "cpu, or cuda:0; with several processes cuda or cuda:0,2, a card for each")
      ->type_name("DEVICE");
  command
      .add_option("--split-cards", o.split_cards,
                  "cuda:0,1: these cards share the model's layers in one process, for a model that "
                  "is too large for one")
      ->type_name("DEVICES")
      ->excludes("--device");
  command.add_flag("--deterministic", o.deterministic,
                   "On a GPU: bit-exact from run to run, slower");
  command
      .add_option(
          "--memory-budget", o.memory_budget,
          "What the run may take of the card, as 8GB, 7500MB or 8GiB; frozen weights that don't "
          "fit stay in host memory")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(true))
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 50));
  add_set_option(command, o.set);
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
                  "Adapter file that the new one starts from, of any form that sample reads")
      ->type_name("FILE");
  add_dora_axis(command, o.axis);
  command.add_option("--trace", o.trace, "Write the first steps' inputs, gradients and results")
      ->type_name("FILE");
  command.add_option("--trace-steps", o.trace_steps, "Steps that --trace writes")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100000}));
  command.add_option("--replay", o.replay, "Train on the inputs of a trace in place of images")
      ->type_name("FILE");
  command
      .add_option("--health-every", o.health_every,
                  "Steps between looks at every layer's numbers; 0: none")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1000000}));
  command
      .add_option(
          "--on-full-disk", o.on_full_disk,
          "Where a disk is full: wait for space and continue (the default), or stop with exit "
          "status 6")
      ->type_name("wait|stop")
      ->transform(CLI::CheckedTransformer(std::map<std::string, OnFullDisk>{
          {"wait", OnFullDisk::wait}, {"stop", OnFullDisk::stop}}));
  add_overwrite(command, o.overwrite);
  command.footer(settings_help);
}

JobSpec make_job(const CommandSession& session, const JobOptions& o) {
  JobSpec job;
  if (!o.resume.empty()) {
    if (!o.out.empty()) {
      throw Error(message<"--resume continues in the run's own folder; leave --out away">());
    }
    job = resumed(session, o);
  } else if (!o.accept_changed.empty() || o.start_over) {
    throw Error(message<"{option} is for a run that is continued; give it with --resume">(
        o.start_over ? "--start-over" : "--accept-changed"));
  } else if (o.preset.empty()) {
    throw Error(
        message<"PRESET is missing: give a preset file or the name of a built-in preset, which "
                "`mantissa presets list` shows">());
  } else {
    job.preset = PresetLibrary(session.context.presets_folder()).load(o.preset);
  }
  for (const std::string& assignment : o.set) {
    apply_set(job.preset, assignment);
  }
  if (!o.base.empty()) {
    job.base = path_from_utf8(o.base);
  }
  for (const auto& [given, folders] :
       {std::pair{&o.images, &job.images}, std::pair{&o.prior, &job.prior},
        std::pair{&o.validation, &job.validation}}) {
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
  if (!o.device.empty()) {
    job.device = o.device;
    job.split.clear();
  }
  if (!o.split_cards.empty()) {
    split_over(job, o.split_cards);
  }
  if (!o.continue_from.empty()) {
    if (!o.resume.empty()) {
      throw Error(
          message<"--resume continues a run with its own adapter; leave --continue-from away">());
    }
    job.continue_from = path_from_utf8(o.continue_from);
    job.dora_axis = dora_axis_of(o.axis);
  }
  for (const std::string& part : o.accept_changed) {
    job.accept_changed.push_back(ingredient_part(part));
  }
  job.start_over = o.start_over;
  if (!o.trace.empty()) {
    job.trace = path_from_utf8(o.trace);
    job.trace_steps = o.trace_steps;
  }
  job.memory_budget = o.memory_budget > 0 ? o.memory_budget : job.memory_budget;
  job.deterministic = job.deterministic || o.deterministic;
  job.health_every = o.health_every;
  job.on_full_disk = o.on_full_disk;
  job.overwrite = o.overwrite;
  if (!o.replay.empty()) {
    job.replay = path_from_utf8(o.replay);
  }
  if (job.base.empty()) {
    throw Error(
        message<"--base is missing: give the base model's .safetensors or diffusers folder, or "
                "--base demo for the built-in mini model">());
  }
  return job;
}

std::string settings_help() {
  std::string text = "\nSettings, for presets and --set:\n";
  const Group* group = nullptr;
  for (const Setting& s : settings()) {
    if (group == nullptr || *group != s.group) {
      text += fmt::format("\n{}\n", group_title(s.group));
      group = &s.group;
    }
    text += fmt::format("  {}\n", s.key);
    const std::string unit = s.unit.empty() ? "" : fmt::format(" ({})", s.unit);
    text += wrapped(fmt::format("{}{}; default {}", allowed_values(s).text(), unit,
                                default_value(s.key).dump()),
                    6, 98);
    text += wrapped(s.help, 6, 98);
  }
  return text;
}

}  // namespace mantissa
