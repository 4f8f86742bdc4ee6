#pragma once
#include <string>
#include <vector>

#include "engine/cli/commands.h"
#include "engine/cli/option_values.h"

namespace mantissa {

/// Options of `train` and `check`.
struct JobOptions {
  std::string preset, base, out, device, split_cards, resume, trace, replay, continue_from, axis;
  bool deterministic = false, overwrite = false;
  SizeOption memory_budget;
  std::vector<std::string> images, prior, validation, references, training_adapters, set,
      accept_changed;
  std::string on_full_disk = "wait";
  bool start_over = false;
  std::int64_t trace_steps = 1, health_every = 50;
};

/// What a command does with a job: its help shows the options that matter for that.
enum class JobUse { train, check, probe };
void add_job_options(CLI::App& command, JobOptions& options, JobUse use);

/// --set key=value, repeatable.
void add_set_option(CLI::App& command, std::vector<std::string>& set);

/// Loads the preset (a file, a built-in one, or the resumed run's), applies --set and gathers the
/// paths. Throws Error naming the missing or invalid input.
JobSpec make_job(const CommandSession& session, const JobOptions& options);

}  // namespace mantissa
