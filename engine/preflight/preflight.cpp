#include "engine/preflight/preflight.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "engine/core/paths.h"
#include "engine/data/reference_files.h"
#include "engine/io/image.h"
#include "engine/io/overwrite.h"
#include "engine/io/run_lock.h"
#include "engine/plan/backend.h"
#include "engine/plan/base_values.h"
#include "engine/plan/draft_plan.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/plan/run_inputs.h"
#include "engine/plan/run_notices.h"
#include "engine/plan/trainable_parts.h"
#include "engine/plan/training_adapters.h"
#include "engine/precision/run_findings.h"
#include "engine/preflight/device_check.h"
#include "engine/preflight/job_problems.h"
#include "engine/preflight/space_check.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_files.h"
#include "engine/run/run_folder.h"
#include "engine/train/prepare_data.h"
#include "engine/train/resume_check.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

/// Collects what a start would log.
class Notices : public PlanObserver {
 public:
  explicit Notices(Progress progress) : progress_(std::move(progress)) {}
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    if (progress_) {
      progress_(phase, done, total);
    }
  }
  void on_notice(LogLevel level, const Message& line) override { list.push_back({level, line}); }
  std::vector<PlanNotice> list;

 private:
  Progress progress_;
};

class Preflight {
 public:
  /// `reads`: null to read no more than headers.
  Preflight(const JobSpec& job, PreflightDepth depth, const Progress* reads, Progress scans = {})
      : job_(job), depth_(depth), reads_(reads), notices_(std::move(scans)) {}

  PlanReport report() {
    if (depth_ != PreflightDepth::no_images) {
      library_.emplace();
    }
    const bool readable = check_resumed();
    check_base();
    DeviceUse use = check_devices(job_, depth_ != PreflightDepth::draft, problems_);
    processes_ = use.processes;
    job_.device = std::move(use.device);  // what one process needs
    check_folders();
    if (!job_.resume) {
      passes("output", [&] {
        RunFolder::require_free(job_);
        if (job_.trace) {
          refuse_overwrite(*job_.trace, job_.overwrite);
        }
      });
    }
    plan(readable && std::ranges::count(problems_.found, Verdict::refused, &Finding::verdict) == 0);
    check_disk(job_, report_, problems_);
    std::vector<Finding>& all = report_.findings;
    all.insert(all.begin(), problems_.found.begin(), problems_.found.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const Finding& a, const Finding& b) { return a.verdict > b.verdict; });
    return std::move(report_);
  }

 private:
  template <typename Check>
  bool passes(const char* id, Check check) {
    return problems_.passes(id, std::move(check));
  }
  /// As passes; of a refused precision, which a start doesn't get past, the settings' own error
  /// would be the same again in other words.
  template <typename Check>
  bool passes_settings(const PlannedRun& run, Check check) {
    const std::size_t known = problems_.found.size();
    if (passes("settings", check)) {
      return true;
    }
    if (run.precision.refusal() != nullptr) {
      problems_.found.resize(known);
    }
    return false;
  }

  /// The job of the run that is continued, with its own files.
  bool check_resumed() {
    return !job_.resume || passes("resume", [&] {
      const RunFolder folder = RunFolder::open(*job_.resume);
      if (RunLock::is_held(folder.lock())) {
        throw Error(message<"{path}: another program trains this run now. Wait for its end">(
            path_to_utf8(folder.path())));
      }
      const std::optional<fs::path> run = job_.resume;
      require_writable(folder.path());
      const Preset had = folder.frozen_job().preset;
      job_ = resumed_job(folder.frozen_job(), job_);
      tell_changed_settings(had);
      require_result_name(job_.preset);
      job_.resume = run;
      job_.out = folder.path();
      if (!has_checkpoint(folder.path())) {
        problems_.add(
            "resume", Verdict::warning,
            message<"{path}: the run has no checkpoint. It starts again at step 0, in place of "
                    "what is recorded">(path_to_utf8(folder.path())));
      }
    });
  }

  /// The settings that a resumed run goes on with in place of those that it `had`.
  void tell_changed_settings(const Preset& had) {
    std::vector<Message> changes;
    for (const PresetChange& c : diff_presets(had, job_.preset)) {
      changes.push_back(message<"{key}: {before} -> {after}">(c.key, c.a.dump(), c.b.dump()));
    }
    if (!changes.empty()) {
      notices_.on_notice(LogLevel::warning,
                         message<"the run goes on with other settings than it had: {changes}">(
                             joined<"; ">(std::move(changes))));
    }
  }

  void check_base() {
    std::optional<WeightSource> source;
    const bool known = passes("base", [&] {
      source = WeightSource::open(resolve_base(job_.base));
      require_family(*source, job_.preset);
      model_facts(*source);  // its objective, and the types of its weights
    });
    if (known) {
      passes("parts", [&] {
        require_parts(*source, job_);
        require_tokenizers(*source, job_);
      });
      if (auto refused = untrainable_part(*source, job_.preset)) {
        problems_.found.push_back(std::move(*refused));
      }
      passes("training-adapter", [&] { read_training_adapters(job_, *source); });
    }
  }

  void check_folders() {
    if (job_.replay || trains_own_images(job_.preset)) {
      return;
    }
    if (depth_ == PreflightDepth::no_images) {
      problems_.add(
          "images", Verdict::warning,
          message<"no images given (--images): only the preset and the base model are checked, "
                  "with steps at data.resolution, and a training would not start">());
      return;
    }
    const auto check = [&](const char* id, const std::vector<fs::path>& folders) {
      for (const fs::path& folder : folders) {
        passes(id, [&] {
          require_image_folder(folder,
                               job_.resume ? options_of_problem(id).front() : std::string());
          if (depth_ == PreflightDepth::draft) {
            first_images(folder);
          }
        });
      }
    };
    SetFolders folders;
    if (passes("images", [&] { folders = job_folders(job_); })) {
      check("images", folders.images);
      check("prior", folders.prior);
      check("validation", folders.validation);
      for (const fs::path& source : folders.references) {
        passes("references", [&] { require_references(source); });
      }
    }
  }

  /// The plan as far as the problems allow it.
  void plan(bool whole) {
    std::optional<PlannedRun> run;
    if (whole) {
      passes("settings", [&] { run = open_run(job_); });
    }
    if (!run) {
      report_ = DraftPlanner().plan(job_);
      return;
    }
    run->processes = processes_;
    const auto backends = make_backends(job_);
    Kernels& kernels = *backends.front();
    if (!open_and_scan(*run)) {
      report_ = DraftPlanner().plan(job_);
      return;
    }
    if (passes_settings(*run, [&] {
          report_ = planned_report(*run, kernels);
          tell_run(*run);  // a draft makes its buckets here
        })) {
      compare_resumed(*run);
      const bool is_draft = depth_ == PreflightDepth::draft;
      if (job_.split.empty()) {
        check_memory(*run, kernels, report_, /*seeks_options=*/!is_draft, problems_);
        if (!is_draft) {
          tell_split(*run, kernels, report_, problems_);
        }
      } else {
        check_split(*run, backends, report_, problems_);
      }
      read_values(*run);
      report_.notices = std::move(notices_.list);
    } else {
      report_ = DraftPlanner().plan(job_);
    }
  }

  /// Everything a start reads, in its order; a draft opens only headers.
  bool open_and_scan(PlannedRun& run) {
    tell_unknown(run, notices_);
    if (depth_ == PreflightDepth::draft) {
      return true;
    }
    const bool opened = passes("base", [&] { open_networks(run); }) &&
                        passes_settings(run, [&] { open_adapters(run); }) &&
                        passes("continue-from", [&] { open_start(run); });
    if (!opened) {
      return false;
    }
    if (depth_ == PreflightDepth::no_images) {
      tell_cut_prompts(run, notices_);
      return true;
    }
    return passes(job_.replay ? "replay" : "images", [&] {
      scan_images(run, notices_);
      if (reads_ != nullptr && run.data) {
        const auto model = DiffusionModel::open_planning(run.source, nullptr, run.precision.rules);
        run.data->decode(*model, *reads_);
      }
    });
  }

  /// A resumed run's inputs beside those of its checkpoint.
  void compare_resumed(const PlannedRun& run) {
    if (reads_ == nullptr || !job_.resume) {
      return;
    }
    passes("resume", [&] {
      check_resume(
          run, RunFolder::open(*job_.resume),
          [&](LogLevel level, const Message& text) { notices_.on_notice(level, text); }, *reads_);
    });
  }

  /// Findings that need the values of the base model and of the adapter to continue from.
  void read_values(const PlannedRun& run) {
    if (reads_ == nullptr || !passes("base", [&] { require_loadable(run, *reads_); })) {
      return;
    }
    passes("settings", [&] {
      if (const std::int64_t plain = empty_dora_channels(run); plain > 0) {
        notices_.on_notice(LogLevel::warning, finding_text(empty_rows(run.job.preset, plain, {})));
      }
    });
    passes("continue-from", [&] { tell_start(run, notices_); });
    tell_training_adapters(run, notices_);
  }

  /// Notices of a start about its files, and about what differs from the settings.
  void tell_run(const PlannedRun& run) {
    std::vector<Finding> found = run_notices(run);
    const std::vector<Finding> slow = time_findings(run, report_.step_seconds);
    found.insert(found.end(), slow.begin(), slow.end());
    problems_.found.insert(problems_.found.end(), found.begin(), found.end());
    if (run.data) {
      check_sizes(run.data->images());
      for (PlanNotice& notice : dataset_notices(run.data->images())) {
        notices_.list.push_back(std::move(notice));
      }
    }
  }

  /// Sizes left out that are none of the run's, which the fix takes from the list.
  void check_sizes(const BucketedImages& images) {
    const BucketOptions sizes = bucket_options(job_.preset, images.quantum());
    const std::optional<Message> warning = skip_warning(sizes);
    if (!warning) {
      return;
    }
    std::vector<std::string> kept = job_.preset.data.skip_buckets;
    for (const Bucket& size : unknown_skips(sizes)) {
      std::erase(kept, bucket_text(size));
    }
    problems_.found.push_back({"sizes",
                               Verdict::warning,
                               {"data.skip_buckets"},
                               *warning,
                               nlohmann::json{{"data.skip_buckets", kept}}.dump()});
  }

  JobSpec job_;
  PreflightDepth depth_;
  const Progress* reads_;
  int processes_ = 1;  ///< that train the run, each on a card
  PlanReport report_;
  JobProblems problems_;
  Notices notices_;
  std::optional<ImageLibrary> library_;  ///< while images are read
};

}  // namespace

PlanReport preflight(const JobSpec& job, PreflightDepth depth, const Progress& scans) {
  return Preflight(job, depth, nullptr, scans).report();
}

PlanReport dry_run(const JobSpec& job, PreflightDepth depth, const Progress& progress) {
  return Preflight(job, depth, &progress).report();
}

}  // namespace mantissa
