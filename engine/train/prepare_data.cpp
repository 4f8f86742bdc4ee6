#include "engine/train/prepare_data.h"

#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {
namespace {

void keep_report(const BucketedImages& images, const RunHome& home, RunLog& log) {
  const DatasetReport& report = images.dataset().report;
  log.keep([&] {
    const std::filesystem::path folder = home.folder().path();
    atomic_write(folder / "dataset.txt", report.text() + images.bucket_report());
    atomic_write(folder / "dataset.json", report.json());
  });
  for (const PlanNotice& notice : dataset_notices(images)) {
    log.line(notice.level, notice.text);
  }
}

/// The prompts, encoded by the data set with its captions.
SampleTexts texts_of(const EncodedDataset& data, const Preset& preset) {
  SampleTexts texts;
  for (std::size_t i = 0; i < preset.samples.prompts.size(); ++i) {
    const SamplePrompt& prompt = preset.samples.prompts[i];
    texts.prompts.push_back(data.prompt_text(i, prompt.prompt));
    texts.negatives.push_back(data.prompt_text(i, prompt.negative));
  }
  return texts;
}

std::unique_ptr<DiffusionModel> encoding_model(const PlannedRun& plan, Kernels& kernels) {
  auto model = DiffusionModel::open(kernels, plan.source, nullptr, plan.precision.rules);
  model->set_text_options(plan.text);
  model->weights().stream(plan.streamed);
  return model;
}

/// "22 images, 1 file skipped, 22 batches per epoch".
Message counts_of(std::int64_t images, std::int64_t skipped, std::int64_t batches) {
  return joined<", ">(
      {images == 1 ? message<"1 image">() : message<"{count} images">(images),
       skipped == 1 ? message<"1 file skipped">() : message<"{count} files skipped">(skipped),
       batches == 1 ? message<"1 batch per epoch">()
                    : message<"{count} batches per epoch">(batches)});
}

}  // namespace

std::vector<PlanNotice> dataset_notices(const BucketedImages& images) {
  const DatasetReport& report = images.dataset().report;
  std::vector<PlanNotice> all;
  all.push_back({LogLevel::info, counts_of(report.images, report.skipped_files(),
                                           images.loader().batches_per_epoch())});
  const std::vector<ResolutionUse> uses = resolution_uses(images.table(), images.dataset().items);
  for (const ResolutionUse& use : uses) {
    if (uses.size() > 1) {
      all.push_back(
          {LogLevel::info,
           message<"resolution {resolution}: {images} images, {sizes} of its sizes in use">(
               use.resolution, use.images, use.sizes.size())});
    }
  }
  if (const int versions = variant_count(images.preset().data); versions > 1) {
    all.push_back({LogLevel::info, message<"each image is encoded in {count} versions">(versions)});
  }
  if (report.prior > 0 || report.held_out > 0) {
    all.push_back(
        {LogLevel::info, message<"{images} images for prior preservation, {held} for validation">(
                             report.prior, report.held_out)});
  }
  if (report.references > 0) {
    all.push_back({LogLevel::info, message<"{images} images have references">(report.references)});
  }
  for (const DataFinding& finding : report.findings) {
    all.push_back({log_level(finding), summary(finding)});
  }
  for (const Message& notice : report.notices) {
    all.push_back({LogLevel::info, notice});
  }
  for (const SkippedFile& file : report.skipped) {
    // A line that is passed over names itself.
    all.push_back({LogLevel::warning, file.kind == SkipKind::metadata
                                          ? file.reason
                                          : message<"{path} skipped: {reason}">(
                                                path_to_utf8(file.path), file.reason)});
  }
  return all;
}

PreparedTexts prepare_data(PlannedRun& plan, Kernels& kernels, const RunHome& home, RunLog& log,
                           const Progress& progress) {
  const Preset& preset = plan.job.preset;
  const auto model = encoding_model(plan, kernels);
  PreparedTexts texts;
  if (plan.replay) {
    log.line(LogLevel::info, message<"replaying {steps} steps of {file}">(
                                 plan.replay->micro_steps(), path_to_utf8(*plan.job.replay)));
    if (!trains_text(preset)) {
      texts.samples = encode_prompts(kernels, *model, preset);
    }
  } else if (trains_own_images(preset)) {
    texts = {encode_prompts(kernels, *model, preset), encode_own_prompts(kernels, *model, preset)};
  } else {
    // Cached items are not encoded again.
    log.keep([&] { plan.data->encode(kernels, *model, progress); });
    if (home.writes()) {
      keep_report(plan.data->images(), home, log);
    }
    if (!trains_text(preset) && !trains_vae(preset)) {
      texts.samples = texts_of(*plan.data, preset);
    }
  }
  kernels.release_constants();  // the encoders are done; their packed weights with them
  return texts;
}

void restore_encodings(const PlannedRun& plan, Kernels& kernels, RunLog& log) {
  if (!kernels.host_memory()) {
    throw EncodingGone(
        message<"cached encodings disappeared from {place} while training, and the card's memory "
                "holds the run. Resume the run: what is missing is encoded again">(
            path_to_utf8(cache_dir())));
  }
  log.line(LogLevel::warning,
           message<"cached encodings disappeared from {place}: they are encoded again">(
               path_to_utf8(cache_dir())));
  const auto model = encoding_model(plan, kernels);
  try {
    log.keep([&] { plan.data->encode_again(kernels, *model); });
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input) {
      throw;
    }
    throw EncodingGone(e.message());  // an image is gone, too
  }
}

}  // namespace mantissa
