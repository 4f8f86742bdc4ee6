#include "engine/preflight/preflight.h"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "engine/core/paths.h"
#include "engine/data/reference_files.h"
#include "engine/io/image.h"
#include "engine/io/overwrite.h"
#include "engine/io/run_lock.h"
#include "engine/plan/backend.h"
#include "engine/plan/base_values.h"
#include "engine/plan/card_split.h"
#include "engine/plan/disk_plan.h"
#include "engine/plan/draft_plan.h"
#include "engine/plan/fit_options.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/plan/run_inputs.h"
#include "engine/plan/run_notices.h"
#include "engine/plan/split_run.h"
#include "engine/plan/trainable_parts.h"
#include "engine/plan/training_adapters.h"
#include "engine/precision/run_findings.h"
#include "engine/run/run_files.h"
#include "engine/run/run_folder.h"
#include "engine/toolkit/installed.h"
#include "engine/train/prepare_data.h"
#include "engine/train/resume_check.h"
#include "kernels/card_link.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

/// Of the job's problems: first those that a start meets before it refuses a precision.
constexpr std::array<std::string_view, 15> kJobIds{
    "resume",     "base",       "parts",    "training-adapter", "device",
    "split",      "cards",      "settings", "images",           "prior",
    "validation", "references", "output",   "replay",           "continue-from"};
constexpr std::size_t kEarlyIds = 8;

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

/// "--base" for "base".
std::vector<std::string> option_of(std::string_view id) {
  return id == "output"                       ? std::vector<std::string>{"--out"}
         : id == "parts"                      ? std::vector<std::string>{"--base"}
         : id == "settings" || id == "memory" ? std::vector<std::string>()
         : id == "nccl"                       ? std::vector<std::string>{"--device"}
         : id == "split"                      ? std::vector<std::string>{"--split-cards"}
         : id == "cards" ? std::vector<std::string>{"training.gradient_accumulation"}
                         : std::vector<std::string>{"--" + std::string(id)};
}

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
    check_device();
    check_folders();
    if (!job_.resume) {
      passes("output", [&] {
        RunFolder::require_free(job_);
        if (job_.trace) {
          refuse_overwrite(*job_.trace, job_.overwrite);
        }
      });
    }
    plan(readable && std::ranges::count(problems_, Verdict::refused, &Finding::verdict) == 0);
    check_disk();
    std::vector<Finding>& all = report_.findings;
    all.insert(all.begin(), problems_.begin(), problems_.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const Finding& a, const Finding& b) { return a.verdict > b.verdict; });
    return std::move(report_);
  }

 private:
  /// Runs `check`, and adds its error as a refusal. True if there was none.
  template <typename Check>
  bool passes(const char* id, Check check) {
    try {
      check();
      return true;
    } catch (const std::exception& e) {
      add(id, Verdict::refused, message_of(e));
      return false;
    }
  }
  /// As passes; of a refused precision, which a start doesn't get past, the settings' own error
  /// would be the same again in other words.
  template <typename Check>
  bool passes_settings(const PlannedRun& run, Check check) {
    const std::size_t known = problems_.size();
    if (passes("settings", check)) {
      return true;
    }
    if (run.precision.refusal() != nullptr) {
      problems_.resize(known);
    }
    return false;
  }
  void add(const char* id, Verdict verdict, Message message, std::string fix = "{}") {
    problems_.push_back({id, verdict, option_of(id), std::move(message), std::move(fix)});
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
      job_ = resumed_job(folder.frozen_job(), job_);
      require_result_name(job_.preset);
      job_.resume = run;
      job_.out = folder.path();
      if (!has_checkpoint(folder.path())) {
        add("resume", Verdict::warning,
            message<"{path}: the run has no checkpoint. It starts again at step 0, in place of "
                    "what is recorded">(path_to_utf8(folder.path())));
      }
    });
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
        problems_.push_back(std::move(*refused));
      }
      passes("training-adapter", [&] { read_training_adapters(job_, *source); });
    }
  }

  /// Checks each of several cards, and what training on all of them takes.
  void check_device() {
    if (!job_.split.empty()) {
      passes("split", [&] { require_splittable(job_); });
      passes("device", [&] {
        for (const SplitDevice& device : job_.split) {
          device_facts(device.name);
        }
      });
      return;
    }
    std::vector<std::string> devices;
    DeviceFacts first;
    const bool usable = passes("device", [&] {
      devices = devices_of(job_.device);
      first = device_facts(devices.front());
      for (const std::string& device : devices) {
        if (const std::string name = device_facts(device).name; name != first.name) {
          throw Error(
              message<"{first} is {name} and {second} is {other}: the cards of one run must "
                      "be of one model. Choose cards of one model, or give each card a run "
                      "of its own from the queue">(devices.front(), first.name, device, name));
        }
      }
    });
    if (usable && devices.size() > 1) {
      processes_ = static_cast<int>(devices.size());
      check_sharing();
    }
    if (!devices.empty()) {
      job_.device = devices.front();  // what one process needs
    }
  }

  void check_sharing() {
    const int count = job_.preset.training.gradient_accumulation;
    const int rounds = (count + processes_ - 1) / processes_;
    const std::string fix =
        nlohmann::json{{"training.gradient_accumulation", rounds * processes_}}.dump();
    if (count < processes_) {
      add("cards", Verdict::refused,
          message<"{cards} cards share the micro-steps of each step, but "
                  "training.gradient_accumulation is {count}. Set it to a multiple of {cards}; the "
                  "step then has as many more images">(processes_, count),
          fix);
    } else if (count % processes_ != 0) {
      add("cards", Verdict::warning,
          message<"training.gradient_accumulation is {count}, no multiple of the {cards} cards: "
                  "some of them wait at the end of each step">(count, processes_),
          fix);
    }
    const bool whole = depth_ != PreflightDepth::draft;
    if (const NcclLibrary nccl = whole ? open_nccl(cuda_library_folder()) : NcclLibrary();
        !nccl.error.empty()) {
      add("nccl", Verdict::warning,
          message<"NCCL can't be used: {reason}. The cards then exchange gradients through "
                  "page-locked host memory, which is slower; the result is the same">(
              Message::verbatim(nccl.error)));
    }
  }

  void check_folders() {
    if (job_.replay || trains_own_images(job_.preset)) {
      return;
    }
    if (depth_ == PreflightDepth::no_images) {
      add("images", Verdict::warning,
          message<"no images given (--images): only the preset and the base model are checked, "
                  "with steps at data.resolution, and a training would not start">());
      return;
    }
    const auto check = [&](const char* id, const std::vector<fs::path>& folders) {
      for (const fs::path& folder : folders) {
        passes(id, [&] {
          require_image_folder(folder, job_.resume ? option_of(id).front() : std::string());
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
      if (job_.split.empty()) {
        check_memory(*run, kernels);
        tell_split(*run, kernels);
      } else {
        check_split(*run, backends);
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
    problems_.insert(problems_.end(), found.begin(), found.end());
    if (run.data) {
      check_sizes(run.data->images());
      for (PlanNotice& notice : dataset_notices(run.data->images())) {
        notices_.list.push_back(std::move(notice));
      }
    }
  }

  void check_memory(const PlannedRun& run, Kernels& kernels) {
    if (report_.fits()) {
      return;
    }
    std::vector<FitOption> options;
    if (depth_ != PreflightDepth::draft) {
      options = fit_options(run.job.preset, report_.free_bytes,
                            [&](const Preset& preset) { return needs_with(run, kernels, preset); });
    }
    try {
      require_memory(report_, [&] { return options; });
    } catch (const Error& e) {
      problems_.push_back({"memory",
                           Verdict::refused,
                           {},
                           message_of(e),
                           options.empty() ? "{}" : options.front().patch_json});
    }
  }

  /// Plans the split over the cards that share the layers.
  void check_split(PlannedRun& run, const std::vector<std::unique_ptr<Kernels>>& backends) {
    std::vector<Kernels*> devices;
    for (const auto& backend : backends) {
      devices.push_back(backend.get());
    }
    if (!passes("memory", [&] { plan_split(run, devices); })) {
      return;
    }
    report_.peak_bytes = run.report.peak_bytes;
    report_.arena_bytes = run.report.arena_bytes;
    report_.weight_bytes = run.report.weight_bytes;
    report_.adapter_bytes = run.report.adapter_bytes;
    report_.free_bytes = run.report.free_bytes;
    report_.step_seconds = run.report.step_seconds;
    add("split", Verdict::adjusted, run.split);
  }

  /// Where one card has too little memory and the machine has several: how they would share the
  /// layers.
  void tell_split(const PlannedRun& run, Kernels& kernels) {
    if (kernels.host_memory() || depth_ == PreflightDepth::draft ||
        (report_.fits() && report_.streamed_bytes == 0)) {
      return;
    }
    const std::vector<SplitCard> cards =
        cards_to_split_over(devices_of(job_).front(), report_.free_bytes);
    if (cards.size() > 1) {
      const CardSplit split = split_over_cards(run, kernels, cards);
      std::vector<std::string> options;
      if (!split.stages.empty()) {
        options.emplace_back("--split-cards");
      }
      problems_.push_back(
          {"split", Verdict::adjusted, std::move(options), split_text(split), "{}"});
    }
  }

  void check_disk() {
    const PlannedDisk& disk = report_.disk;
    if (!disk.fits()) {
      const nlohmann::json fewer = {{"output.keep", 2}};
      problems_.push_back({"disk",
                           Verdict::warning,
                           {"output.keep", "--out"},
                           disk_warning(disk),
                           job_.preset.output.keep > 2 ? fewer.dump() : "{}"});
    }
    if (!report_.cache.fits()) {
      problems_.push_back(
          {"cache", Verdict::warning, {"data.cache"}, cache_warning(report_.cache), "{}"});
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
    problems_.push_back({"sizes",
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
  std::vector<Finding> problems_;
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

const Finding* first_refusal(const PlanReport& report) {
  const auto place = [](const Finding& refusal) {
    const auto early = std::span(kJobIds).first(kEarlyIds);
    return std::ranges::find(early, refusal.id) != early.end() ? 0
           : refusal_kind(refusal) == ErrorKind::precision     ? 1
                                                               : 2;
  };
  const Finding* first = nullptr;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::refused &&
        (first == nullptr || place(finding) < place(*first))) {
      first = &finding;
    }
  }
  return first;
}

ErrorKind refusal_kind(const Finding& refusal) {
  return refusal.id == "memory" ? ErrorKind::out_of_memory
         : std::find(kJobIds.begin(), kJobIds.end(), refusal.id) != kJobIds.end()
             ? ErrorKind::input
             : ErrorKind::precision;
}

}  // namespace mantissa
