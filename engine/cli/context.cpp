#include "engine/cli/context.h"

#include <chrono>
#include <iostream>
#include <memory>

#include "engine/cli/input_lines.h"
#include "engine/cli/terminal.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/plan/job_paths.h"
#include "engine/preflight/preflight.h"
#include "engine/run/run_folder.h"
#include "engine/train/run_training.h"

namespace mantissa {
namespace {

/// Installed beside the resources; in a source tree, beside its resources folder.
std::filesystem::path find_presets() {
  for (const char* name : {"presets", "../presets"}) {
    if (const auto folder = find_resource(name)) {
      return folder->lexically_normal();
    }
  }
  throw Error(message<"the built-in presets are missing from this installation; reinstall, or set "
                      "MANTISSA_RESOURCES to the folder that holds \"presets\"">());
}

PreflightDepth depth_of(const JobSpec& job) {
  return is_preset_alone(job) ? PreflightDepth::no_images : PreflightDepth::whole;
}

}  // namespace

CliContext process_context() {
  CliContext context;
  context.out = &std::cout;
  context.err = &std::cerr;
  context.out_is_terminal = is_terminal(StandardStream::out);
  context.err_is_terminal = is_terminal(StandardStream::error);
  context.one_stream = context.out_is_terminal && context.err_is_terminal && streams_are_one();
  context.unicode = terminal_shows_unicode();
  context.handle_signals = true;
  context.columns = terminal_columns;
  context.seconds = [] {
    using Seconds = std::chrono::duration<double>;
    return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  context.read_request = [lines = std::make_shared<InputLines>()](std::chrono::milliseconds most) {
    return lines->next(most);
  };
  if (is_terminal(StandardStream::error) && input_is_terminal()) {
    context.confirm = [](const std::string& question) {
      std::cerr << question << " [y/N] " << std::flush;
      std::string answer;
      std::getline(std::cin, answer);
      return answer == "y" || answer == "Y" || answer == "yes";
    };
  }
  context.presets_folder = find_presets;
  context.runs_database = runs_database;
  context.train = run_training;
  context.plan = [](const JobSpec& job) { return preflight(job, depth_of(job)); };
  context.dry_run = [](const JobSpec& job, const Progress& progress) {
    return dry_run(job, depth_of(job), progress);
  };
  context.probe = run_probe;
  context.verify = verify_run;
  context.sample = run_sample;
  context.cards = driver_cards;
  return context;
}

}  // namespace mantissa
