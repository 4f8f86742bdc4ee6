#include "engine/preflight/space_check.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "engine/plan/backend.h"
#include "engine/plan/card_split.h"
#include "engine/plan/disk_plan.h"
#include "engine/plan/fit_options.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/split_run.h"

namespace mantissa {

void check_memory(const PlannedRun& run, Kernels& kernels, const PlanReport& report,
                  bool seeks_options, JobProblems& problems) {
  if (report.fits()) {
    return;
  }
  Finding memory{"memory", Verdict::refused, {}, memory_refusal(report), "{}"};
  if (seeks_options) {
    const std::vector<FitOption> options =
        fit_options(run.job.preset, report.free_bytes,
                    [&](const Preset& preset) { return needs_with(run, kernels, preset); });
    memory.message = memory_refusal(report, options);
    memory.fix_json = options.empty() ? "{}" : options.front().patch_json;
  }
  problems.found.push_back(std::move(memory));
}

void check_split(PlannedRun& run, const std::vector<std::unique_ptr<Kernels>>& backends,
                 PlanReport& report, JobProblems& problems) {
  std::vector<Kernels*> devices;
  for (const auto& backend : backends) {
    devices.push_back(backend.get());
  }
  if (!problems.passes("memory", [&] { plan_split(run, devices); })) {
    return;
  }
  report.peak_bytes = run.report.peak_bytes;
  report.arena_bytes = run.report.arena_bytes;
  report.weight_bytes = run.report.weight_bytes;
  report.adapter_bytes = run.report.adapter_bytes;
  report.free_bytes = run.report.free_bytes;
  report.step_seconds = run.report.step_seconds;
  problems.add("split", Verdict::adjusted, run.split);
}

void tell_split(const PlannedRun& run, Kernels& kernels, const PlanReport& report,
                JobProblems& problems) {
  if (kernels.host_memory() || (report.fits() && report.streamed_bytes == 0)) {
    return;
  }
  const std::vector<SplitCard> cards =
      cards_to_split_over(devices_of(run.job).front(), report.free_bytes);
  if (cards.size() > 1) {
    const CardSplit split = split_over_cards(run, kernels, cards);
    std::vector<std::string> options;
    if (!split.stages.empty()) {
      options.emplace_back("--split-cards");
    }
    problems.found.push_back(
        {"split", Verdict::adjusted, std::move(options), split_text(split), "{}"});
  }
}

void check_disk(const JobSpec& job, const PlanReport& report, JobProblems& problems) {
  const PlannedDisk& disk = report.disk;
  if (!disk.fits()) {
    const nlohmann::json fewer = {{"output.keep", 2}};
    const int keep = job.preset.output.keep;
    problems.found.push_back({"disk",
                              Verdict::warning,
                              {"output.keep", "--out"},
                              disk_warning(disk, keep),
                              keep > 2 ? fewer.dump() : "{}"});
  }
  if (!report.cache.fits()) {
    problems.found.push_back(
        {"cache", Verdict::warning, {"data.cache"}, cache_warning(report.cache), "{}"});
  }
}

}  // namespace mantissa
