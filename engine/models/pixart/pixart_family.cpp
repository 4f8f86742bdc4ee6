// PixArt's family definition, apart from its networks.
#include "engine/models/pixart/pixart_family.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/model_writer.h"
#include "engine/models/extras.h"
#include "engine/models/pixart/pixart_keys.h"
#include "engine/models/pixart/pixart_model.h"
#include "engine/models/t5/t5_keys.h"
#include "engine/models/vae/vae_config.h"
#include "engine/models/vae/vae_keys.h"

namespace mantissa {

namespace {

constexpr std::array<std::string_view, 1> kPixartGoals{"pixart-lora"};
constexpr FamilyRow kPixartRow{.id = ModelFamily("pixart"),
                               .title = "PixArt",
                               .models = "PixArt-α, PixArt-Σ",
                               .has_vp = true,
                               .has_embeddings = true,
                               .foreign = {.onetrainer = "pixart_alpha pixart_sigma",
                                           .ai_toolkit = "pixart pixart_sigma",
                                           .simpletuner = "pixart*"},
                               .elsewhere = {.ai_toolkit_alpha = true},
                               .letters = "Px",
                               .goals = kPixartGoals};

constexpr std::array kPixartParts{
    PartFiles{.part = kDenoiser,
              .folder = "transformer",
              .model = {"diffusers", "PixArtTransformer2DModel"},
              .targets = kPixartTargets,
              .wide = kPixartWide},
    PartFiles{.part = kTe1,
              .folder = "text_encoder",
              .model = {"transformers", "T5EncoderModel"},
              .tokenizer = "tokenizer",
              .tokenizer_model = {"transformers", "T5Tokenizer"},
              .embedding = "t5",
              .targets = kT5Targets,
              .wide = kT5Wide},
    PartFiles{.part = kVae, .folder = "vae", .model = {"diffusers", "AutoencoderKL"}},
};

/// Whole folders, with the transformer in its authors' naming or that of diffusers; or the
/// transformer alone.
class PixartNames final : public ModelNames {
 public:
  PixartNames(bool original, bool has_table)
      : ModelNames(kPixart), original_(original), has_table_(has_table) {}

  std::optional<NameMapping> canonical(std::optional<Part> folder,
                                       const TensorInfo& tensor) const override {
    if (folder) {
      if (auto extra = extra_tensor(tensor.name)) {
        return extra;
      }
    }
    const Part part = folder.value_or(kDenoiser);
    if (part == kVae) {
      return vae_in_folder(tensor);
    }
    if (is_text(part)) {
      return part == kTe1 ? t5_weight(part, tensor.name, has_table_) : std::nullopt;
    }
    return original_ ? pixart_to_diffusers(tensor.name)
                     : NameMapping{NameTransform::none, {tensor.name}, kDenoiser};
  }

 private:
  bool original_;   ///< whether the transformer has its authors' names
  bool has_table_;  ///< whether the T5 has its table under that name
};

std::shared_ptr<const ModelNames> recognise_pixart(const ModelFiles& files) {
  const auto in_denoiser = [&](auto&& is) {
    return files.any([&](std::optional<Part> folder, const TensorInfo& tensor) {
      return folder.value_or(kDenoiser) == kDenoiser && is(tensor.name);
    });
  };
  const bool original = in_denoiser(is_original_pixart);
  if (!original && !in_denoiser([](const std::string& name) { return name == kPixartMark; })) {
    return nullptr;
  }
  const bool has_table = files.any([](std::optional<Part> folder, const TensorInfo& tensor) {
    return folder == kTe1 && tensor.name == kT5Table;
  });
  return std::make_shared<PixartNames>(original, has_table);
}

std::string_view pixart_naming(std::span<const TensorInfo> tensors) {
  const auto any = [&](auto&& is) {
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](const TensorInfo& t) { return is(t.name); });
  };
  return any(is_original_pixart)                                            ? "ldm"
         : any([](const std::string& name) { return name == kPixartMark; }) ? "diffusers"
                                                                            : "";
}

constexpr std::array<std::string_view, 1> kPixartPipelines{"PixArtAlphaPipeline"};

void complete_pixart(ModelContents& model, const WeightSource& source) {
  complete_config(model, source, kVae, vae_config);
}

}  // namespace

constinit const Family kPixart{.row = kPixartRow,
                               .parts = kPixartParts,
                               .pipeline = "PixArtSigmaPipeline",
                               .other_pipelines = kPixartPipelines,
                               .recognise = recognise_pixart,
                               .naming = pixart_naming,
                               .complete = complete_pixart,
                               .kohya_version = "pixart",
                               .architecture = "pixart",
                               .implementation = "diffusers",
                               .scheduler = R"({"_class_name": "DPMSolverMultistepScheduler",
  "beta_start": 0.0001, "beta_end": 0.02, "beta_schedule": "linear",
  "num_train_timesteps": 1000, "prediction_type": "epsilon"})",
                               .t5 = true,
                               .make = make_model<PixartModel>};

}  // namespace mantissa
