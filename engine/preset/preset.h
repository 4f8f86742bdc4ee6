#pragma once
// Every member has a row in the schema table (schema.h).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/preset/family_table.h"
#include "engine/preset/optimizer_table.h"
#include "engine/preset/part.h"

namespace mantissa {

enum class AdapterType { lora, dora, loha, lokr };
enum class AdapterScaling { standard, rslora };
enum class AdapterInit { standard, pissa };
enum class DoraAxis { output, input };
enum class StorageType {
  fp32,
  bf16,
  fp16,
  fp8_e4m3,
  fp8_e5m2,
  int8,
  nf4,
  int8_convrot,
  mxfp8,
  nvfp4,
  gguf
};
enum class ComputeType { fp32, tf32, bf16, fp16, fp8, int8, int8_fp16 };
enum class MasterType { fp32, bf16, fp16 };
enum class StateType { fp32, bf16, eight_bit };
enum class Fp8Scaling { current, delayed };
enum class CacheMode { none, latents, all };
/// The source of loss masks: none, a file beside the image, or the image's alpha channel.
enum class MaskMode { off, files, alpha };
/// The bucket sizes and their assignment to images (buckets.h).
enum class BucketRule { equal_area, kohya, onetrainer };
enum class Prediction { automatic, epsilon, v, flow };
/// The distribution of training noise levels (diffusion/timesteps.h).
enum class TimestepDistribution { uniform, logit_normal, sigmoid, mode, shifted };
/// The error between prediction and target (diffusion/objective.h).
enum class LossType { mse, huber, smooth_l1 };
enum class CheckpointingScope { activations, feed_forward, blocks };  ///< the finest first
/// How the width of huber and smooth_l1 depends on the noise level.
enum class HuberSchedule { constant, exponential, snr };
enum class ScheduleType {
  constant,
  linear,
  cosine,
  cosine_restarts,
  rex,
  polynomial,
  cosine_waves,
  inverse_sqrt
};
/// How large Muon's orthogonal updates are: as AdamW's, or as in Jordan's optimizer.
enum class MuonScaling { match_rms_adamw, original };
enum class OutputFormat { kohya, diffusers, plain_lora, peft, onetrainer, comfyui, a1111 };
/// What is trained: an adapter, or the weights themselves.
enum class TrainingMethod { adapter, full };
/// What it learns: the images, the difference between two prompts or between the images of pairs,
/// or the base model's own images.
enum class TrainingPurpose { images, slider, pair_slider, adapter };
/// The caption on which the base model's prediction is preserved: the image's own with the class
/// word for the trigger word, or an empty one.
enum class Preservation { off, class_word, empty };

/// Loss scaling: automatic, off, dynamic, or a fixed factor.
struct LossScaling {
  enum class Mode { automatic, off, dynamic, fixed } mode = Mode::automatic;
  double value = 0;  ///< only for fixed
  bool operator==(const LossScaling&) const = default;
};

/// A separate optimizer for one part; unset members fall back to `optimizer`.
struct OptimizerGroup {
  Part part;
  std::optional<OptimizerType> type;
  std::optional<double> learning_rate;
  std::optional<double> weight_decay;
  bool operator==(const OptimizerGroup&) const = default;
};

/// A fixed prompt rendered while training.
struct SamplePrompt {
  std::string prompt, negative;
  std::int64_t seed = 42;
  int width = 0, height = 0;  ///< pixels; 0 means data.resolution
  int steps = 20;
  double guidance = 6.0;
  std::string references;  ///< names in the job's folders of references, separated by commas
  bool operator==(const SamplePrompt&) const = default;
};

/// How the images in folders of one name are used, beside the settings of all.
struct FolderRule {
  std::string folder;  ///< a name, not a path
  int repeats = 0;     ///< per epoch, times data.repeats; 0: by the folder's name, or once
  double weight = 1;   ///< of their loss
  std::string prefix;  ///< put before each caption, with a space
  int resolution = 0;  ///< pixels, in place of those of all images; 0: those
  bool operator==(const FolderRule&) const = default;
};

/// The adapters' rank on some layers, in place of the adapter's own.
struct LayerRank {
  std::string layers;  ///< module-path pattern
  int rank = 0;        ///< 0: no adapter there
  double alpha = 0;    ///< 0: adapter.alpha
  bool operator==(const LayerRank&) const = default;
};

/// A word of captions with trained vectors of its own.
struct EmbeddingToken {
  std::string token;
  int vectors = 1;
  std::string init;         ///< text whose vectors these start from; empty: random ones
  double deviation = 0.02;  ///< of random ones
  bool operator==(const EmbeddingToken&) const = default;
};

/// A training preset. Contains no paths, commands, module names or URLs: presets are shared.
struct Preset {
  std::string name, description, author;
  std::vector<std::string> tags;
  struct Model {
    ModelFamily family = ModelFamily::automatic;
    bool operator==(const Model&) const = default;
  } model;
  struct Adapter {
    AdapterType type = AdapterType::lora;
    int rank = 16;
    double alpha = 16;
    double dropout = 0;
    std::vector<std::string> targets{"attention"};  ///< a named set or path patterns
    int conv_rank = 0;                              ///< 0: same as rank if targets include
                                                    ///  convolutions
    std::vector<LayerRank> ranks;  ///< of single layers: the first entry that names one counts
    AdapterScaling scaling = AdapterScaling::standard;
    AdapterInit init = AdapterInit::standard;
    double lora_plus_ratio = 1;  ///< learning rate of up matrices over that of down matrices
    DoraAxis dora_axis = DoraAxis::output;
    int factor = -1;         ///< LoKr: the size of w1's sides; -1: as square as possible
    bool decompose = false;  ///< LoHa and LoKr: with DoRA's magnitudes
    bool operator==(const Adapter&) const = default;
  } adapter;
  struct Precision {
    struct Weights {
      StorageType denoiser = StorageType::fp32, text_encoders = StorageType::fp32,
                  vae = StorageType::fp32;
      bool operator==(const Weights&) const = default;
    } weights;
    ComputeType compute = ComputeType::fp32;
    MasterType adapter = MasterType::fp32;
    MasterType gradients = MasterType::fp32;
    StateType optimizer_state = StateType::fp32;
    bool stochastic_rounding = true;
    bool kahan = false;  ///< bf16 masters with a compensation term instead
    Fp8Scaling fp8_scaling = Fp8Scaling::current;
    LossScaling loss_scaling;
    std::map<std::string, StorageType> pins;  ///< path pattern -> dtype
    bool operator==(const Precision&) const = default;
  } precision;
  struct Data {
    int resolution = 1024;                 ///< pixels: side of the square whose area buckets match
    std::vector<int> further_resolutions;  ///< at which every image is trained too
    bool buckets = true;
    BucketRule bucket_rule = BucketRule::equal_area;
    int bucket_min = 256, bucket_max = 2048;  ///< pixels per side; kohya's rule only
    std::vector<std::string> skip_buckets;    ///< sizes without images: "768x1344"
    int batch_size = 1;
    int repeats = 1;
    bool folder_repeats = false;  ///< names of folders give repeats too: "10_zorb"
    std::vector<FolderRule> folders;
    double caption_dropout = 0;
    bool shuffle_captions = false;  ///< comma-separated tags in a new order every epoch
    int keep_tokens = 0;            ///< leading tags that keep their place
    bool flip = false;
    int variants = 1;        ///< versions of each image, each changed by the amounts below
    double crop_jitter = 0;  ///< share by which an image is enlarged at most; the crop moves
    double rotation = 0;     ///< degrees at most, to either side
    double brightness = 0, contrast = 0, saturation = 0;  ///< factors from 1 - x to 1 + x
    double hue = 0;                                       ///< of a turn at most, to either side
    MaskMode masks = MaskMode::off;
    double unmasked_weight = 0;   ///< minimum weight, where the mask is black
    double validation_share = 0;  ///< share of images used for validation
    CacheMode cache = CacheMode::all;
    int caption_chunks = 1;          ///< chunks of 75 tokens per caption
    bool weighted_captions = false;  ///< "(word:1.2)" is read as a weight
    bool operator==(const Data&) const = default;
  } data;
  struct Training {
    TrainingPurpose purpose = TrainingPurpose::images;
    TrainingMethod method = TrainingMethod::adapter;
    std::vector<std::string> weights{"*"};  ///< full: module-path patterns of trained weights
    std::vector<Part> parts{kDenoiser};
    std::int64_t steps = 1000;
    std::int64_t epochs = 0;  ///< in place of steps; 0: by steps
    int gradient_accumulation = 1;
    bool gradient_checkpointing = false;
    CheckpointingScope checkpointing_scope = CheckpointingScope::blocks;
    double max_grad_norm = 1.0;  ///< 0: no clipping
    std::int64_t seed = 42;
    LossType loss = LossType::mse;
    HuberSchedule huber_schedule = HuberSchedule::snr;
    double huber_c = 0.1;      ///< width, of huber and smooth_l1
    double min_snr_gamma = 0;  ///< 0: off
    double noise_offset = 0;
    double prior_weight = 1;  ///< weight of the loss on prior-preservation images
    Preservation preservation = Preservation::off;
    double preservation_weight = 1;  ///< of the loss against the base's prediction
    std::string trigger_word, class_word;
    std::int64_t validate_every = 100;  ///< steps between validation losses
    double image_loss_share = 0.05;     ///< of the computing, for losses of single images; 0: none
    Prediction prediction = Prediction::automatic;
    bool zero_terminal_snr = false;
    TimestepDistribution timesteps = TimestepDistribution::uniform;
    std::optional<double> flow_shift;  ///< unset: the base model's
    double ema = 0;                    ///< decay; 0: off
    int clip_skip = 0;                 ///< layer counted from the end, from 1; 0: the family's
                                       ///  default
    double vae_kl_weight = 1e-6;  ///< weight of the mean over latent values, relative to the mean
                                  ///  over pixels
    bool operator==(const Training&) const = default;
  } training;
  struct Slider {
    std::string target;              ///< what changes along the slider
    std::string positive, negative;  ///< its two ends
    double guidance = 3;             ///< how far a weight of 1 goes
    std::string anchor;              ///< what must not change; empty: nothing
    double anchor_weight = 1;
    int samples = 32;  ///< images of the target that the base makes, where there are none
    bool operator==(const Slider&) const = default;
  } slider;
  /// Settings of a training adapter, which learns to do without the base model's distillation.
  struct Distilled {
    std::string prompts;  ///< a line each, of which the base makes its images in turn
    int images = 64;
    bool operator==(const Distilled&) const = default;
  } distilled;
  struct Embedding {
    std::vector<EmbeddingToken> tokens;
    bool operator==(const Embedding&) const = default;
  } embedding;
  struct Optimizer {
    OptimizerType type = OptimizerType::adamw;
    double learning_rate = 1e-4;
    std::array<double, 2> betas{0.9, 0.999};
    double eps = 1e-8;
    double weight_decay = 0.01;
    MuonScaling muon_scaling = MuonScaling::match_rms_adamw;
    bool fused_back_pass = false;
    std::vector<OptimizerGroup> groups;
    bool operator==(const Optimizer&) const = default;
  } optimizer;
  struct Schedule {
    ScheduleType type = ScheduleType::constant;
    std::int64_t warmup_steps = 0;
    double min_factor = 0;
    double cycles = 4;                ///< of cosine_restarts and cosine_waves
    double power = 1;                 ///< of polynomial
    double rex_beta = 0.5;            ///< of rex: how late it falls
    std::int64_t decay_steps = 0;     ///< the rate falls over the last ones; 0: from warm-up on
    std::int64_t timescale = 10'000;  ///< of inverse_sqrt, in steps
    bool operator==(const Schedule&) const = default;
  } schedule;
  struct Output {
    std::string name = "lora";
    OutputFormat format = OutputFormat::kohya;
    MasterType dtype = MasterType::fp32;
    std::int64_t save_every = 0;     ///< steps; 0: not by steps
    std::int64_t save_epochs = 0;    ///< 0: not by epochs
    double save_minutes = 10;        ///< of training; 0: not by time
    int keep = 2;                    ///< verified checkpoints kept, at least 2
    bool tensorboard = false;        ///< event files beside the run's log
    bool bundle_embeddings = false;  ///< in the adapter's file, not beside it
    bool operator==(const Output&) const = default;
  } output;
  struct Samples {
    std::int64_t every = 0;         ///< steps; 0: not by steps
    std::int64_t every_epochs = 0;  ///< 0: not by epochs
    double every_minutes = 0;       ///< of training; 0: not by time
    bool wanted() const { return every > 0 || every_epochs > 0 || every_minutes > 0; }
    std::vector<SamplePrompt> prompts;
    bool operator==(const Samples&) const = default;
  } samples;
  bool operator==(const Preset&) const = default;
};

/// Whether a run trains this part.
inline bool trains(const Preset& preset, Part part) {
  const std::vector<Part>& parts = preset.training.parts;
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}
/// Whether the vectors of new words are trained.
inline bool trains_embeddings(const Preset& preset) {
  return trains(preset, kEmbeddings);
}
/// Whether a text encoder itself is trained.
inline bool trains_encoder(const Preset& preset) {
  const std::vector<Part>& parts = preset.training.parts;
  return std::any_of(parts.begin(), parts.end(), is_text);
}
/// Whether text encoders belong to the steps: they, or what they read, are trained.
inline bool trains_text(const Preset& preset) {
  return trains_encoder(preset) || trains_embeddings(preset);
}
/// The resolutions of images in folders without one of their own, each once, the preset's first.
inline std::vector<int> resolutions_of(const Preset::Data& d) {
  std::vector<int> list{d.resolution};
  for (const int further : d.further_resolutions) {
    if (std::find(list.begin(), list.end(), further) == list.end()) {
      list.push_back(further);
    }
  }
  return list;
}
/// Resolutions in use: those above, then the folders' own, each once.
inline std::vector<int> resolutions_in_use(const Preset::Data& d) {
  std::vector<int> list = resolutions_of(d);
  for (const FolderRule& rule : d.folders) {
    if (rule.resolution > 0 && std::find(list.begin(), list.end(), rule.resolution) == list.end()) {
      list.push_back(rule.resolution);
    }
  }
  return list;
}
/// Whether versions of an image differ: one of the amounts from crop_jitter to hue isn't 0.
inline bool augments(const Preset::Data& d) {
  return d.crop_jitter > 0 || d.rotation > 0 || d.brightness > 0 || d.contrast > 0 ||
         d.saturation > 0 || d.hue > 0;
}
/// The adapter learns the difference between two prompts.
inline bool trains_slider(const Preset& preset) {
  return preset.training.purpose == TrainingPurpose::slider;
}
/// The adapter learns the difference between the images of pairs.
inline bool trains_pair_slider(const Preset& preset) {
  return preset.training.purpose == TrainingPurpose::pair_slider;
}
/// The adapter learns the base model's own images, to be a training adapter of later runs.
inline bool trains_training_adapter(const Preset& preset) {
  return preset.training.purpose == TrainingPurpose::adapter;
}
/// The base model makes the images of the run's steps.
inline bool trains_own_images(const Preset& preset) {
  return trains_slider(preset) || trains_training_adapter(preset);
}
/// The base model's predictions for other captions are a second target.
inline bool preserves(const Preset& preset) {
  return preset.training.purpose == TrainingPurpose::images &&
         preset.training.preservation != Preservation::off;
}
/// The VAE is trained alone: every other part is trained on its latents.
inline bool trains_vae(const Preset& preset) {
  return trains(preset, kVae);
}
}  // namespace mantissa
