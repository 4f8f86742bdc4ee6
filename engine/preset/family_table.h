#pragma once
// What presets, importers and lists know of a model family. Each family's row is in its folder
// under engine/models, as Family::row.

#include <compare>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

/// A model family by its name in presets. Made of literals alone, so it may outlive its row.
class ModelFamily {
 public:
  /// Any family: the base model's file tells.
  static const ModelFamily automatic;
  constexpr ModelFamily() = default;
  /// A literal. A name that no family has is accepted here; family_row refuses it.
  consteval explicit ModelFamily(std::string_view name) : name_(name) {}
  /// As presets spell it.
  constexpr std::string_view name() const { return name_; }
  constexpr bool operator==(const ModelFamily&) const = default;
  constexpr auto operator<=>(const ModelFamily&) const = default;

 private:
  std::string_view name_ = "auto";
};
inline constexpr ModelFamily ModelFamily::automatic{};

/// What other trainers call a family, in lower case with spaces between; a name that ends in '*'
/// stands for all that begin with it. Empty where that trainer lacks the family.
struct ForeignNames {
  std::string_view kohya_networks{};   ///< network_module of sd-scripts; "networks.lora" is any
  std::string_view kohya_versions{};   ///< base_model_version in the metadata of an adapter
  std::string_view kohya_keys{};       ///< keys of sd-scripts that no other family's files have
  std::string_view musubi_networks{};  ///< network_module of musubi-tuner
  std::string_view musubi_versions{};  ///< its model_version, and base_model_version
  std::string_view onetrainer{};       ///< model_type
  std::string_view ai_toolkit{};       ///< model.arch; a suffix such as ":turbo" names a variant
  std::string_view simpletuner{};      ///< model_family
  std::string_view diffusion_pipe{};   ///< model.type
};

/// A model that isn't offered, though other trainers give it a family's name.
struct NamesakeModel {
  std::string_view title;             ///< for display
  std::string_view onetrainer{};      ///< a pattern of base_model_name, in lower case
  std::string_view simpletuner{};     ///< model_flavour
  std::string_view diffusion_pipe{};  ///< a pattern of the name of one of its files, in lower case
};

/// The modules of a family's main blocks, as patterns of adapter.targets.
struct MainBlocks {
  std::string_view attention{}, mlp{}, modulation{};
};

/// How other trainers train a family where the rest of its row doesn't tell. Layers are patterns of
/// adapter.targets with spaces between them; empty: of the main blocks, as the program names them.
struct ForeignTraining {
  std::string_view sd_scripts_layers{}, musubi_layers{}, ai_toolkit_layers{};
  std::string_view onetrainer_attention{}, onetrainer_mlp{};  ///< "attn-only" and "attn-mlp"
  std::string_view simpletuner_layers{};                      ///< of a plain LoRA
  bool ai_toolkit_alpha = false;      ///< alpha counts in AI Toolkit, as it does for UNets
  bool ai_toolkit_peft_lokr = false;  ///< AI Toolkit's old_lokr_format does nothing
  bool musubi_fp32 = false;           ///< loaded in FP32 by musubi-tuner unless a type is given
};
/// The layers of SimpleTuner's plain LoRA, where a family's attention has others too.
inline constexpr std::string_view kFourProjections =
    "denoiser.*.to_q denoiser.*.to_k denoiser.*.to_v denoiser.*.to_out.0";

/// A part that diffusion-pipe trains, with the key of its own learning rate; empty: it has none.
struct DiffusionPipePart {
  std::string_view part, rate;
};
inline constexpr DiffusionPipePart kDenoiserAlone[] = {{"denoiser", ""}};

/// How diffusion-pipe trains a family's models.
struct DiffusionPipeModel {
  std::string_view weight_type{};  ///< the key of the type of the denoiser's weights
  std::span<const DiffusionPipePart> parts = kDenoiserAlone;
  std::string_view layers{};   ///< of an adapter, as in ForeignTraining
  bool joins_qkv = false;      ///< q, k and v are one layer, with one adapter
  bool joins_entries = false;  ///< and in single blocks the feed-forward's entry with them
  bool shifts_alike = false;   ///< flux_shift is the base model's own shift here
  bool has_layer_rates = false;
  static constexpr std::string_view kOfDiffusers = "model.transformer_dtype";
  static constexpr std::string_view kOfComfy = "model.diffusion_model_dtype";
};

/// A generation of a family: told by a model's file, and by a preset's tag.
struct FamilyGeneration {
  std::string_view key;      ///< the tag: "sd2"
  std::string_view title;    ///< "SD 2.x"
  std::string_view letters;  ///< of its badge
  /// What other trainers call it; an imported preset then has no family.
  ForeignNames foreign{};
  std::string_view kohya_version{};    ///< ss_base_model_version of its adapters
  std::string_view kohya_v_version{};  ///< and of those of models that predict v
  bool kohya_v2 = false;               ///< ss_v2 of its adapters
  std::string_view architecture{};     ///< modelspec.architecture of its base models
  std::string_view v_architecture{};   ///< and of those that predict v
};

/// A tiny model of the family that ships with the program.
struct DemoBase {
  std::string_view name{};      ///< of its preset, and in place of a path; empty: there is none
  std::string_view resource{};  ///< its file or folder among the resources
};

struct FamilyRow {
  ModelFamily id;
  std::string_view title;  ///< as shown
  /// Its base models where title and generations don't tell them: see family_models.
  std::string_view models{};
  bool has_flow = false;        ///< may be a rectified flow, the only kind with a shift
  bool has_vp = false;          ///< may be variance-preserving, with betas
  bool has_clip = false;        ///< CLIP reads its captions, the text encoder that others train too
  bool has_unet = false;        ///< its denoiser is a UNet, with convolutions
  int text_encoders = 1;        ///< the most it has: te1, te2
  bool adapts_text = false;     ///< other trainers train its text encoders, though not CLIP alone
  bool has_embeddings = false;  ///< its text encoders read vectors of new words: kEmbeddings
  bool reads_guidance = false;  ///< some of its models read a guidance scale
  bool reads_padding = false;   ///< its denoiser reads the padding of captions
  ForeignNames foreign{};
  std::span<const NamesakeModel> namesakes{};
  /// Blocks that other trainers adapt, if the family has further ones, which the named sets of
  /// adapter.targets include.
  MainBlocks main_blocks{};
  ForeignTraining elsewhere{};
  DiffusionPipeModel in_diffusion_pipe{};
  std::span<const FamilyGeneration> generations{};
  std::string_view letters{};  ///< of its badge; empty: the initials of its name
  DemoBase demo{};
  /// Presets that the first steps offer, by their ids.
  std::span<const std::string_view> goals{};

  /// How many of its text encoders are CLIP; 0 of a family that isn't known yet.
  constexpr int clip_encoders() const {
    return has_clip && id != ModelFamily::automatic ? text_encoders : 0;
  }
  /// How many of its text encoders other trainers train; 0 of a family that isn't known yet.
  constexpr int adapted_encoders() const {
    return (has_clip || adapts_text) && id != ModelFamily::automatic ? text_encoders : 0;
  }
};

/// Every family's row, in the order of lists. Defined where families are known, in
/// engine/io/family.cpp.
std::span<const FamilyRow* const> family_rows();
/// The row of a family; what any may have, for `automatic`. Throws Error for a name of no family.
const FamilyRow& family_row(ModelFamily id);
/// The family of this name; null if there is none.
const FamilyRow* find_family_row(std::string_view name);
/// The base models of a family, as documents and the first steps list them: "SD 1.5, SD 2.x".
std::string family_models(const FamilyRow& row);
/// As presets spell them: "auto", then each family's.
std::vector<std::string_view> family_names();
/// As shown, generations after their family: "SDXL", "SD 1.5", "SD 2.x".
std::vector<std::string_view> family_titles();
/// Presets that the first steps offer, by their ids: those of the tiny models, then each family's
/// goals.
std::vector<std::string_view> first_goals();

}  // namespace mantissa
