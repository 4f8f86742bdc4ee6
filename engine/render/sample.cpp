#include "engine/render/sample.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <set>

#include "engine/adapters/embedding_file.h"
#include "engine/adapters/export.h"
#include "engine/adapters/fixed_adapters.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/read_adapter.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/cut_captions.h"
#include "engine/data/data_finding.h"
#include "engine/data/encoded_dataset.h"
#include "engine/data/image_cut.h"
#include "engine/data/reference_files.h"
#include "engine/data/reference_placement.h"
#include "engine/diffusion/model_objective.h"
#include "engine/io/model_titles.h"
#include "engine/io/overwrite.h"
#include "engine/io/resample.h"
#include "engine/models/missing_parts.h"
#include "engine/models/sampling_values.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/word_embeddings.h"
#include "engine/programs/renderer.h"
#include "engine/programs/text_encoding.h"
#include "engine/render/sample_table.h"

namespace mantissa {
namespace {

/// The request's embeddings, each word's once, and those bundled in these adapters, in whose place
/// a word of the request counts.
std::vector<WordEmbeddings> read_words(const WeightSource& source, const SampleRequest& request,
                                       const std::vector<SampleRequest::Lora>& loras) {
  std::vector<WordEmbeddings> words;
  for (const SampleRequest::Embedding& embedding : request.embeddings) {
    words.push_back(read_embedding(embedding.file, source.family(), embedding.word));
    const std::string& word = words.back().word;
    if (std::ranges::count(words, word, &WordEmbeddings::word) > 1) {
      throw Error(message<"--embedding: two files are for the word {word}. Give one of them "
                          "another, as in FILE:WORD">(word));
    }
  }
  const std::size_t given = words.size();
  for (const SampleRequest::Lora& lora : loras) {
    for (WordEmbeddings& word : read_bundled(lora.file, source.family())) {
      const auto known = std::ranges::find(words, word.word, &WordEmbeddings::word);
      if (known == words.end()) {
        words.push_back(std::move(word));
      } else if (known - words.begin() >= static_cast<std::ptrdiff_t>(given)) {
        throw Error(
            message<"two adapters bundle an embedding of the word {word}. Leave one of "
                    "them out, or give the embedding that counts (--embedding)">(word.word));
      }
    }
  }
  return words;
}

/// Sets the number of tokens with which a prompt and the negative one are encoded: that of the
/// longer.
void set_text_options(DiffusionModel& model, const SampleRequest& request,
                      const std::vector<WordEmbeddings>& words, const std::string& prompt) {
  TextOptions text{1, request.weighted, request.clip_skip};
  for (const WordEmbeddings& word : words) {
    text.words.push_back({word.word, word.vectors()});
  }
  text.references = model.text_options().references;
  model.set_text_options(text);
  text.chunks = std::max(model.chunks_needed(prompt), model.chunks_needed(request.negative));
  text.tokens = std::max(model.tokens_needed(prompt), model.tokens_needed(request.negative));
  model.set_text_options(text);
}

/// Refuses images for which the disk has no room: a PNG of a photograph is seldom smaller than a
/// byte a pixel.
void require_image_space(const DiffusionModel& model, const SampleRequest& request,
                         const std::vector<SampleRequest::Sample>& samples) {
  const int native = model.native_side() * model.latent_factor();
  const auto width = static_cast<std::uint64_t>(request.width > 0 ? request.width : native);
  const auto height = static_cast<std::uint64_t>(request.height > 0 ? request.height : native);
  const std::uint64_t count = samples.size() * std::max<std::size_t>(request.columns.size(), 1);
  require_space(request.columns.empty() ? samples.front().out : request.out,
                count * width * height);
}

/// Checks before a weight is loaded: refuses a model that lacks a part, names the prompts that the
/// text encoders have no room for and a negative one that nothing reads.
void check_samples(const WeightSource& source, const SampleRequest& request,
                   const std::vector<WordEmbeddings>& words,
                   const std::vector<SampleRequest::Sample>& samples, RunObserver& observer) {
  if (const std::vector<Part> missing = missing_parts(source); !missing.empty()) {
    throw Error(without_parts(source, missing));
  }
  if (!request.references.empty()) {
    if (const Message unread = unread_references(source, "--reference"); !unread.empty()) {
      throw Error(unread);
    }
  }
  const auto model = DiffusionModel::open_planning(source);
  model->set_text_options({.references = request.references.size()});
  require_clip_layers(*model, request.clip_skip, "--clip-skip");
  require_image_space(*model, request, samples);
  CutTexts cut(*model);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    set_text_options(*model, request, words, samples[i].prompt);
    require_free_words(*model);
    cut.add(samples.size() == 1 ? "prompt" : fmt::format("prompt {}", i + 1), samples[i].prompt);
  }
  cut.add("negative prompt", request.negative);
  if (!cut.found.files.empty()) {
    observer.on_log(log_level(cut.found), summary(cut.found));
  }
  if (const Message why = unread_negative(*model, request.negative, request.guidance);
      !why.empty()) {
    observer.on_log(LogLevel::warning, why);
  }
  if (!source.family().row.has_clip && request.weighted) {
    observer.on_log(LogLevel::warning,
                    message<"emphasis has no effect: {model} reads brackets and weights as text">(
                        full_title(source)));
  }
  if (!source.family().row.has_clip && request.clip_skip > 0) {
    observer.on_log(LogLevel::warning,
                    message<"clip skip has no effect: {model} takes its text encoders as they are">(
                        full_title(source)));
  }
}

std::pair<TextEncoding, TextEncoding> encode_pair(Kernels& kernels, DiffusionModel& model,
                                                  const SampleRequest& request,
                                                  const std::vector<WordEmbeddings>& words,
                                                  const std::string& prompt,
                                                  std::span<const Image> seen) {
  set_text_options(model, request, words, prompt);
  TextEncoder encoder(kernels, model);
  return {encoder.encode(prompt, seen), encoder.encode(request.negative, seen)};
}

/// A request's references, as the pipelines give them to the denoiser.
struct SampleReferences {
  std::vector<ReferenceLatents> latents;
  std::vector<Image> seen;  ///< by the text encoder; none if it sees none
  ShownPart shown;          ///< of the first
};

SampleReferences encode_references(Kernels& kernels, DiffusionModel& model,
                                   const SampleRequest& request) {
  SampleReferences references;
  LatentEncoder encoder(kernels, model);
  const LatentFormat format = LatentFormat::of(model);
  const bool sized = request.width > 0 && request.height > 0;
  const ReferenceRule rule =
      sized ? rule_beside(reference_rule(model), std::int64_t{request.width} * request.height)
            : reference_rule(model);
  for (const std::filesystem::path& file : request.references) {
    const Placement placement =
        place_reference(rule, read_reference(file), request.references.size());
    if (references.latents.empty()) {
      references.shown = shown_part(placement);
    }
    Image image = cut_image(file, {placement});
    const LatentMoments latents = encoder.encode(image);
    references.latents.push_back({format.size_of(placement.bucket), format.scaled(latents.mean)});
    if (model.text_sees_references()) {
      references.seen.push_back(rule.seen_pixels > 0
                                    ? cut_image(file, seen_version(rule, {placement}))
                                    : std::move(image));
    }
  }
  return references;
}

/// TextOptions::references: those that are given, or one where an adapter changes the network for
/// them.
std::size_t references_beside(const WeightSource& source, const SampleRequest& request,
                              const std::vector<AdapterContents>& files) {
  const std::string_view mark = source.family().reference_mark;
  const auto changes = [&](const AdapterContents& file) {
    return std::ranges::any_of(file.modules, [&](const AdapterModule& module) {
      return module.path.find(mark) != std::string::npos;
    });
  };
  const bool marked = !mark.empty() && std::ranges::any_of(files, changes);
  return std::max<std::size_t>(request.references.size(), marked ? 1 : 0);
}

Image shown_of(const Image& image, const ShownPart& part) {
  return resize_crop(image, image.width, image.height, part.left, part.top, part.width,
                     part.height);
}

std::string lora_text(const std::vector<SampleRequest::Lora>& loras) {
  std::string text;
  for (const SampleRequest::Lora& lora : loras) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", path_to_utf8(lora.file.filename()),
                        lora.weight);
  }
  return text;
}

/// A model with adapters, ready to render.
class LoadedModel {
 public:
  LoadedModel(Kernels& kernels, const WeightSource& source, const SampleRequest& request,
              const std::vector<SampleRequest::Lora>& loras)
      : words_(read_words(source, request, loras)),
        files_(read_files(source, request, loras)),
        adapters_(kernels, weighted(files_, loras)),
        model_(DiffusionModel::open(kernels, source, &adapters_)),
        arena_(kernels) {
    model_->set_text_options({.references = references_beside(source, request, files_)});
    adapters_.add_words(words_);
    model_->bind(model_->training_parts(true));
    adapters_.finalize([this](const Tensor& weight, std::span<const float> values) {
      model_->weights().replace(weight, values);
    });
    replace_weights(changed_values(source, changes(files_, loras)));
    renderer_ = std::make_unique<Renderer>(kernels, arena_, *model_, model_objective(source, {}));
    references_ = encode_references(kernels, *model_, request);
  }

  /// Renders with these adapters from now on; false if the model must be loaded with them.
  bool exchange(const WeightSource& source, const SampleRequest& request,
                const std::vector<SampleRequest::Lora>& loras) {
    std::vector<AdapterContents> files = read_files(source, request, loras);
    const auto changes_weights = [](const AdapterContents& file) { return !file.changes.empty(); };
    if (std::ranges::any_of(files_, changes_weights) ||
        std::ranges::any_of(files, changes_weights) ||
        read_words(source, request, loras) != words_ ||
        !adapters_.exchange(weighted(files, loras))) {
      return false;
    }
    files_ = std::move(files);
    return true;
  }

  /// What its adapters' files don't say, each once.
  void tell_assumptions(std::set<std::string>& told, RunObserver& observer) const {
    for (const AdapterContents& file : files_) {
      for (const Message& notice : file.notices) {
        if (told.insert(notice.text()).second) {
          observer.on_log(LogLevel::warning, notice);
        }
      }
    }
  }

  Image render(Kernels& kernels, const SampleRequest& request, const SampleRequest::Sample& sample,
               const Progress& progress) {
    const std::int64_t side = model_->native_side();
    const std::vector<ReferenceLatents>& latents = references_.latents;
    const LatentSize usual = latents.empty() ? LatentSize{side, side} : latents[0].size;
    const auto pixels = [&](std::int64_t latents) {
      return static_cast<int>(latents) * model_->latent_factor();
    };
    RenderOptions options;
    options.references = latents;
    options.sampler = sampler_from_name(request.sampler);
    options.width = request.width > 0 ? request.width : pixels(usual.width);
    options.height = request.height > 0 ? request.height : pixels(usual.height);
    options.steps = request.steps;
    options.guidance = request.guidance;
    options.seed = sample.seed;
    const auto [prompt, negative] =
        encode_pair(kernels, *model_, request, words_, sample.prompt, references_.seen);
    Image image = renderer_->render(prompt, negative, options, progress);
    // A size of its own is made as it is; that of a reference without what surrounds it.
    const bool like_reference = request.width == 0 && request.height == 0 && !latents.empty();
    return like_reference ? shown_of(image, references_.shown) : image;
  }

 private:
  using Values = std::map<std::pair<Part, std::string>, std::vector<float>>;

  /// Weights that the files change and no adapter multiplies: norms and biases.
  void replace_weights(const Values& values) {
    std::vector<std::pair<const Tensor*, const std::vector<float>*>> found;
    model_->weights().each([&](Part part, std::string_view name, const Tensor& tensor, bool) {
      if (const auto at = values.find({part, std::string(name)}); at != values.end()) {
        found.emplace_back(&tensor, &at->second);
      }
    });
    for (const auto& [tensor, list] : found) {
      model_->weights().replace(*tensor, *list);
    }
  }

  static std::vector<AdapterContents> read_files(const WeightSource& source,
                                                 const SampleRequest& request,
                                                 const std::vector<SampleRequest::Lora>& loras) {
    std::vector<AdapterContents> files;
    if (!loras.empty()) {
      for (const SampleRequest::Lora& lora : loras) {
        files.push_back(
            read_adapter(lora.file, source, request.dora_axis, EmbeddingsBeside::read_apart));
      }
    }
    return files;
  }
  static std::vector<WeightedAdapter> weighted(const std::vector<AdapterContents>& files,
                                               const std::vector<SampleRequest::Lora>& loras) {
    std::vector<WeightedAdapter> all;
    for (std::size_t i = 0; i < files.size(); ++i) {
      all.push_back({&files[i].modules, loras[i].weight});
    }
    return all;
  }

  static std::vector<WeightedChanges> changes(const std::vector<AdapterContents>& files,
                                              const std::vector<SampleRequest::Lora>& loras) {
    std::vector<WeightedChanges> all;
    for (std::size_t i = 0; i < files.size(); ++i) {
      all.push_back({&files[i].changes, loras[i].weight});
    }
    return all;
  }

  std::vector<WordEmbeddings> words_;
  std::vector<AdapterContents> files_;
  FixedAdapters adapters_;
  std::unique_ptr<DiffusionModel> model_;
  Arena arena_;
  std::unique_ptr<Renderer> renderer_;
  SampleReferences references_;
};

std::map<std::string, std::string> png_text(const SampleRequest& request, const std::string& prompt,
                                            std::int64_t seed, const std::string& loras) {
  return {{"prompt", prompt},
          {"negative", request.negative},
          {"seed", std::to_string(seed)},
          {"steps", std::to_string(request.steps)},
          {"guidance", fmt::format("{}", request.guidance)},
          {"sampler", request.sampler},
          {"lora", loras}};
}

std::vector<SampleRequest::Sample> wanted_samples(const SampleRequest& request) {
  return request.samples.empty()
             ? std::vector<SampleRequest::Sample>{{request.prompt, request.seed, request.out}}
             : request.samples;
}

}  // namespace

void run_sample(const SampleRequest& request, RunObserver& observer) {
  sampler_from_name(request.sampler);
  observer.on_progress(RunPhase::loading, 0, 1);
  const ImageLibrary images;
  const auto kernels = make_backend(request.device);
  const WeightSource source = WeightSource::open(resolve_base(request.base));
  const Progress progress = [&](RunPhase phase, std::int64_t done, std::int64_t total) {
    observer.on_progress(phase, done, total);
  };
  const std::vector<SampleRequest::Sample> samples = wanted_samples(request);
  const auto with_column = [&](const SampleRequest::Column& column) {
    std::vector<SampleRequest::Lora> all = request.loras;
    all.insert(all.end(), column.loras.begin(), column.loras.end());
    return all;
  };
  check_samples(
      source, request,
      read_words(source, request,
                 request.columns.empty() ? request.loras : with_column(request.columns.front())),
      samples, observer);
  std::set<std::string> told;
  if (request.columns.empty()) {
    LoadedModel model(*kernels, source, request, request.loras);
    progress(RunPhase::loading, 1, 1);
    model.tell_assumptions(told, observer);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const SampleRequest::Sample& sample = samples[i];
      const Image image = model.render(*kernels, request, sample, progress);
      write_png(sample.out, image.pixels, image.width, image.height,
                png_text(request, sample.prompt, sample.seed, lora_text(request.loras)));
      observer.on_sample({0, static_cast<int>(i), sample.prompt, sample.out});
    }
    return;
  }
  SampleTable table;
  for (const SampleRequest::Sample& sample : samples) {
    table.rows.push_back(sample.prompt);
  }
  std::string loras;
  std::unique_ptr<LoadedModel> model;
  for (const SampleRequest::Column& column : request.columns) {
    const std::vector<SampleRequest::Lora> all = with_column(column);
    if (model == nullptr || !model->exchange(source, request, all)) {
      model.reset();  // never two of them in memory
      model = std::make_unique<LoadedModel>(*kernels, source, request, all);
      progress(RunPhase::loading, 1, 1);
    }
    model->tell_assumptions(told, observer);
    table.columns.push_back(column.label);
    for (const SampleRequest::Sample& sample : samples) {
      table.images.push_back(model->render(*kernels, request, sample, progress));
    }
    loras += (loras.empty() ? "" : " | ") + lora_text(all);
  }
  write_sample_table(request.out, table,
                     png_text(request, fmt::format("{}", fmt::join(table.rows, " | ")),
                              samples.front().seed, loras));
  observer.on_sample({0, 0, samples.front().prompt, request.out});
}

}  // namespace mantissa
