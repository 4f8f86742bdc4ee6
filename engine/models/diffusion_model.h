#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/core/host_tensor.h"
#include "engine/graph/executor.h"
#include "engine/io/image.h"
#include "engine/io/new_words.h"
#include "engine/models/latent_size.h"
#include "engine/models/vae/vae.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// A denoiser's conditioning on one caption, by name, without a batch dimension: "context" and
/// "pooled" (SDXL), "context" and "mask" (PixArt).
using TextEncoding = std::map<std::string, HostTensor>;
/// Texts as recorded values, with a leading batch dimension.
using TextValues = std::map<std::string, Value>;

/// A caption as input of the text encoders.
struct TokenIds {
  /// By input name: "te1_ids" [tokens], or [chunks·77]; "te2_pool" [1], position of the pooled
  /// vector, in the first chunk.
  std::map<std::string, std::vector<std::int32_t>> ids;
  /// The weight of each state, "te1_weights" [text_tokens()]; empty without weighted captions.
  std::map<std::string, std::vector<float>> weights;

  /// Throws Error naming the input if there are none: they may come from a file.
  const std::vector<std::int32_t>& of(const std::string& input) const;
};
/// The ids of a batch for one input, one after another.
std::vector<std::int32_t> joined_ids(std::span<const TokenIds> batch, const std::string& input);
/// Which tokens of a batch are of its texts, by "<part>_length": [texts, tokens] of 1 and 0.
std::vector<std::uint8_t> real_tokens(std::span<const TokenIds> batch, const std::string& part,
                                      std::int64_t tokens);

/// A word that text encoders read as vectors of its own, which follow those of the words before it.
struct TextWord {
  std::string text;
  int vectors = 1;
};

/// How captions become text encoders' inputs.
struct TextOptions {
  // Of CLIP alone.
  int chunks = 1;         ///< chunks of 75 tokens
  bool weighted = false;  ///< emphasis in captions is parsed
  int clip_skip = 0;      ///< layer counted from the end, from 1; 0: the family's default
  /// Tokens that the longest text needs, of a model that reads texts of any length (see
  /// DiffusionModel::tokens_needed); 0: the most that it reads.
  std::int64_t tokens = 0;
  std::vector<TextWord> words{};  ///< of a model that reads embeddings
  /// Reference images beside a text, at most; networks for them are bound only where there are
  /// some.
  std::size_t references = 0;

  static TextOptions of(const Preset& preset);
  /// The options of CLIP, as text.
  std::string signature() const;
};

/// How much of a text one of a model's tokenizers has room for.
struct TextReach {
  Part part;                ///< the text encoder that reads its tokens
  std::int64_t tokens = 0;  ///< of the text alone, without what is put around it
  std::int64_t most = 0;    ///< that are read; the others are cut
  bool cuts() const { return tokens > most; }
};

/// A base model for training and sampling: configs are read at once, networks bound (and their
/// weights loaded) on first use. Hides a family's denoiser and text encoders.
class DiffusionModel {
 public:
  /// The model in `source`, of its family. `adapters` may be null; it must outlive the model.
  /// Throws Error if the parts don't fit together.
  static std::unique_ptr<DiffusionModel> open(Kernels& kernels, const WeightSource& source,
                                              AdapterSet* adapters = nullptr,
                                              const PrecisionRules& rules = {});
  /// Loads no weights: for `check`, which records and plans but doesn't run.
  static std::unique_ptr<DiffusionModel> open_planning(const WeightSource& source,
                                                       AdapterSet* adapters = nullptr,
                                                       const PrecisionRules& rules = {});
  virtual ~DiffusionModel() = default;

  // -- the latents ------------------------------------------------------------------------------
  const LatentSpace& latents() const { return latents_; }
  int latent_channels() const { return latents_.channels; }
  /// Pixels per latent side.
  int latent_factor() const { return latents_.factor; }
  /// Both latent sides must be multiples of this.
  virtual int latent_multiple() const = 0;
  /// Side of a denoiser token in latents; 1 if it has no patches.
  virtual int patch_size() const { return 1; }
  /// The model's native latent side.
  virtual int native_side() const = 0;
  /// Config of an AutoencoderKL; defaults if the family has another autoencoder.
  const VaeConfig& vae_config() const { return vae_config_; }
  Autoencoder& vae();

  // -- text -------------------------------------------------------------------------------------
  /// Set them before anything is tokenized, recorded or planned.
  void set_text_options(const TextOptions& options) { text_options_ = options; }
  const TextOptions& text_options() const { return text_options_; }
  /// Chunks needed for a whole caption; 1 if the family has no chunks.
  virtual int chunks_needed(const std::string&) { return 1; }
  /// Parts that hold text encoders.
  std::vector<Part> text_parts() const { return family().text_parts(); }
  /// Layers of the shortest text encoder that TextOptions::clip_skip counts in; 0: of none.
  virtual int clip_layers() const { return 0; }
  /// Tokens of a caption.
  virtual std::int64_t text_tokens() const = 0;
  /// Tokens that a whole caption takes, if padding behind them changes nothing; 0 if every caption
  /// has the same number, or there is no tokenizer.
  virtual std::int64_t tokens_needed(const std::string&) { return 0; }
  /// Reach of each tokenizer that the model has, with its text options.
  virtual std::vector<TextReach> text_reach(const std::string& caption) = 0;
  /// The ids of a text alone in each encoder that reads embeddings, without those of
  /// TextOptions::words; empty if none does.
  virtual std::map<Part, std::vector<std::int32_t>> word_ids(const std::string&) { return {}; }
  /// Throws Error if the model has no suitable tokenizer.
  virtual TokenIds tokenize(const std::string& caption) = 0;
  /// What texts depend on beside the files of the text encoders and TextOptions; empty: nothing.
  virtual std::string text_layout() const { return {}; }
  /// Shape of each tensor of a TextEncoding.
  virtual std::map<std::string, Shape> text_shapes(std::int64_t tokens) const = 0;
  /// Records the text encoders with inputs that `feed_tokens` fills.
  virtual TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) = 0;
  virtual void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const = 0;

  // -- reference images -------------------------------------------------------------------------
  /// How many an image has at most; 0: any number.
  virtual std::size_t most_references() const { return family().most_references; }
  /// Both of their sides are multiples of so many pixels.
  virtual int reference_multiple() const { return latent_factor() * latent_multiple(); }
  /// The area to which a reference is scaled for the text encoder, in pixels; 0: it sees what the
  /// denoiser gets.
  virtual std::int64_t seen_pixels() const { return 0; }
  /// Whether a text is encoded together with the reference images beside it. Then these three do it
  /// in place of the three above, for one text, where there are some.
  virtual bool text_sees_references() const { return false; }
  virtual TokenIds tokenize_beside(const std::string& caption, std::size_t references);
  /// `references`: the sizes of what it sees, as if it were latents.
  virtual TextValues encode_text_beside(Graph& graph, std::int64_t tokens,
                                        std::span<const LatentSize> references);
  /// `references`: as it sees them.
  virtual void feed_tokens_beside(Executor& executor, const TokenIds& text,
                                  std::span<const Image> references);
  /// Declares fp32 inputs named as in `text_shapes`, for texts already encoded; with `head` before
  /// the inputs' names, if a graph has several texts.
  TextValues text_inputs(Graph& graph, std::int64_t batch, std::int64_t tokens,
                         const std::string& head = {}) const;

  // -- the denoiser -----------------------------------------------------------------------------
  /// Records the prediction [b, h, w, latent channels] for noised latents of that shape (fp32) at
  /// timesteps [b] (fp32), with further inputs that `feed_sizes` fills.
  virtual Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) = 0;
  /// As `predict`, with reference images (reference_inputs), whose latents [b, h, w, latent
  /// channels] the prediction isn't of. Throws Error if there are some and the family reads none
  /// (Family::reference_pixels).
  virtual Value predict_edit(Graph& graph, Value noised, Value timesteps, const TextValues& text,
                             std::span<const Value> references);
  /// `time_ids` [b, 6] in pixels: original height and width, crop top and left, target height and
  /// width; `height` and `width` of the latents.
  virtual void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                          std::int64_t width) const = 0;
  /// Whether the denoiser takes a guidance scale as an input, which replaces a second pass without
  /// the prompt. `feed_sizes` gives it 1, with which such models are trained.
  virtual bool takes_guidance() const { return false; }
  /// Whether guidance leaves each token of a prediction as long as the one with the prompt is.
  virtual bool guidance_keeps_norms() const { return false; }
  /// The scale of samples; call it after `feed_sizes`. Nothing if the model takes none.
  void feed_guidance(Executor& executor, double scale) const;

  // -- parts ------------------------------------------------------------------------------------
  /// Binds the parts in the family's order, so that adapters have the same order and the
  /// same initial values every time; call TrainedSet::finalize afterwards. Throws Error for a part
  /// that the family doesn't have.
  void bind(std::span<const Part> parts);
  /// The denoiser, and the text encoders if trained.
  std::vector<Part> training_parts(bool train_text) const;
  /// The parts bound by a run of `preset`: these, or the VAE alone.
  std::vector<Part> training_parts(const Preset& preset) const;
  /// Frees a network and its weights. Graphs recorded from it must be gone.
  void release(Part part);

  const Family& family() const { return source_.family(); }
  const WeightSource& source() const { return source_; }
  bool has(Part part) const { return source_.has_part(part); }
  WeightStore& weights() { return weights_; }
  AdapterSet* adapters() const { return adapters_; }
  const PrecisionRules& rules() const { return rules_; }
  /// State of delayed FP8 scaling; no layers if unused.
  Fp8Scales& fp8_scales() { return *fp8_scales_; }

 protected:
  /// Loads no weights without `kernels`: for planning.
  DiffusionModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                 const PrecisionRules& rules);

  /// TextOptions::words with ids from `vocabulary` on, an encoder's rows of tokens.
  NewWords new_words(std::int32_t vocabulary) const;
  /// Builds the network of a part that the source holds, except the VAE.
  virtual void bind_part(Part part) = 0;
  virtual void drop_part(Part part) = 0;
  /// On construction of a model whose autoencoder isn't an AutoencoderKL. Throws Error unless it
  /// has the transformer's number of channels.
  void use_vae(ModelVae vae, int channels);
  /// On construction of one whose latents are an AutoencoderKL's, with the family's scale and shift
  /// where there is none. Throws as above.
  void use_kl_vae(int channels);
  /// TextOptions::tokens in whole steps of 32, at most `most`; `most` if it says nothing.
  std::int64_t tokens_of_run(std::int64_t most) const;
  Scope scope(Part part);
  /// Throws Error naming the folder that is missing.
  void require(Part part) const;
  /// Throws Error: the text encoder and the transformer belong to different models.
  [[noreturn]] void refuse_text_width(int given, int wanted) const;
  /// Throws Error unless the VAE, if there is one, has the transformer's number of channels.
  void require_latent_channels(int wanted) const;

 private:
  WeightSource source_;
  WeightStore weights_;
  AdapterSet* adapters_;
  PrecisionRules rules_;
  TextOptions text_options_;
  std::unique_ptr<Fp8Scales> fp8_scales_;
  VaeConfig vae_config_;
  LatentSpace latents_;
  std::function<std::unique_ptr<Autoencoder>(const Scope&)> make_vae_;
  std::unique_ptr<Autoencoder> vae_;
};

/// Family::make of a family whose model is `Model`, which is constructed from the same arguments.
template <typename Model>
std::unique_ptr<DiffusionModel> make_model(Kernels* kernels, const WeightSource& source,
                                           AdapterSet* adapters, const PrecisionRules& rules) {
  return std::make_unique<Model>(kernels, source, adapters, rules);
}

/// The size numbers of an image (`time_ids` above), in pixels.
std::array<float, 6> micro_conditioning(int original_height, int original_width, int crop_top,
                                        int crop_left, int target_height, int target_width);

/// Throws Error naming `setting`, which is `clip_skip`, if the model's text encoder has fewer
/// layers.
void require_clip_layers(const DiffusionModel& model, int clip_skip, std::string_view setting);

}  // namespace mantissa
