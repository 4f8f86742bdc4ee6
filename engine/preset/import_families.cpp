#include "engine/preset/import_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/error.h"
#include "engine/core/glob.h"

namespace mantissa {
namespace {

constexpr OtherFamily kKohyaNetworks[] = {
    {"networks.oft_flux", "FLUX.1 OFT"},
    {"flux1 oft", "FLUX.1 OFT"},
    {"networks.lora_sd3", "Stable Diffusion 3"},
    {"networks.lora_lumina", "Lumina Image 2.0"},
    {"lumina", "Lumina Image 2.0"},
    {"networks.lora_hunyuan_image", "HunyuanImage 2.1"},
    {"hunyuanimage-2.1", "HunyuanImage 2.1"},
};

// Those of sd-scripts, and of other programs that write the same key.
constexpr OtherFamily kKohyaVersions[] = {
    {"flux2*", "FLUX.2 dev"},
    {"sd3*", "Stable Diffusion 3"},
    {"lumina*", "Lumina Image 2.0"},
    {"hunyuan_image*", "HunyuanImage 2.1"},
};

constexpr OtherFamily kMusubiNetworks[] = {
    {"networks.lora", "HunyuanVideo"},
    {"networks.lora_framepack", "FramePack"},
    {"networks.lora_hidream_o1", "HiDream-O1"},
    {"networks.lora_hv_1_5", "HunyuanVideo 1.5"},
    {"networks.lora_ideogram4", "Ideogram 4"},
    {"networks.lora_kandinsky", "Kandinsky 5"},
    {"networks.lora_wan", "Wan"},
};

// model_version of its scripts, and base_model_version in its metadata.
constexpr OtherFamily kMusubiVersions[] = {
    {"flux_2_dev", "FLUX.2 dev"},       {"dev", "FLUX.2 dev"},
    {"layered", "Qwen-Image-Layered"},  {"hunyuan_video_1_5*", "HunyuanVideo 1.5"},
    {"hunyuan_video*", "HunyuanVideo"}, {"wan*", "Wan"},
    {"framepack*", "FramePack"},        {"qwen_image_layered*", "Qwen-Image-Layered"},
    {"kandinsky5*", "Kandinsky 5"},     {"hidream_o1*", "HiDream-O1"},
    {"ideogram4*", "Ideogram 4"},       {"flux_2*", "FLUX.2 dev"},
};

constexpr OtherFamily kOneTrainerModels[] = {
    {"stable_diffusion_15_inpainting", "Stable Diffusion 1.5 Inpainting"},
    {"stable_diffusion_xl_10_base_inpainting", "SDXL Inpainting"},
    {"stable_diffusion_35", "Stable Diffusion 3.5"},
    {"stable_diffusion_3", "Stable Diffusion 3"},
    {"wuerstchen_2", "Würstchen v2"},
    {"stable_cascade_1", "Stable Cascade"},
    {"flux_fill_dev_1", "FLUX.1 Fill"},
    {"sana", "Sana"},
    {"hunyuan_video", "HunyuanVideo"},
    {"hi_dream_full", "HiDream"},
    {"ideogram_4", "Ideogram 4"},
    {"stable_diffusion_20_inpainting", "Stable Diffusion 2 Inpainting"},
    {"stable_diffusion_20_depth", "Stable Diffusion 2 Depth"},
    {"wan*", "Wan"},
};

constexpr OtherFamily kAiToolkitArchitectures[] = {
    {"flux2", "FLUX.2 dev"},
    {"flux2:*", "FLUX.2 dev"},
    {"zimage_l2p*", "Z-Image L2P"},
    {"sd3", "Stable Diffusion 3"},
    {"ssd", "SSD-1B"},
    {"vega", "Segmind-Vega"},
    {"auraflow", "AuraFlow"},
    {"flex1*", "Flex.1"},
    {"flex2*", "Flex.2"},
    {"f-lite*", "F-Lite"},
    {"lumina2*", "Lumina Image 2.0"},
    {"chroma_radiance*", "Chroma Radiance"},
    {"zeta_chroma*", "Zeta Chroma"},
    {"wan21*", "Wan 2.1"},
    {"wan22*", "Wan 2.2"},
    {"qwen_image_layered*", "Qwen-Image-Layered"},
    {"hidream_e1*", "HiDream E1"},
    {"hidream_o1*", "HiDream-O1"},
    {"hidream*", "HiDream"},
    {"omnigen2*", "OmniGen2"},
    {"cogview4*", "CogView4"},
    {"ideogram4*", "Ideogram 4"},
    {"nucleus_image*", "Nucleus-Image"},
    {"prx_pixel*", "PRXPixel"},
    {"mageflow*", "Mage-Flow"},
    {"boogu_image*", "Boogu Image"},
    {"minimax_h3*", "MiniMax-H3"},
    {"ltx2.3*", "LTX-2.3"},
    {"ltx2.5*", "LTX-2.5"},
    {"ltx2*", "LTX-2"},
    {"ace_step*", "ACE-Step"},
};

constexpr OtherFamily kSimpleTunerFamilies[] = {
    {"z_image_omni", "Z-Image Omni"},
    {"sd3", "Stable Diffusion 3"},
    {"stable_cascade", "Stable Cascade"},
    {"deepfloyd", "DeepFloyd IF"},
    {"kolors", "Kolors"},
    {"auraflow", "AuraFlow"},
    {"cosmos3*", "Cosmos 3"},
    {"cosmos*", "Cosmos 2"},
    {"bria", "Bria"},
    {"hidream", "HiDream"},
    {"hunyuanvideo", "HunyuanVideo"},
    {"ideogram", "Ideogram 4"},
    {"infinitetalk", "InfiniteTalk"},
    {"kandinsky5_image", "Kandinsky 5 Image"},
    {"kandinsky5_video", "Kandinsky 5 Video"},
    {"longcat_image", "LongCat-Image"},
    {"longcat_video", "LongCat-Video"},
    {"ltxvideo2", "LTX-2"},
    {"ltxvideo", "LTX-Video"},
    {"lumina2", "Lumina Image 2.0"},
    {"mageflow", "Mage-Flow"},
    {"boogu_image", "Boogu Image"},
    {"minimaxh3", "MiniMax-H3"},
    {"minimaxmusic", "MiniMax Music 3"},
    {"omnigen", "OmniGen"},
    {"sanavideo", "Sana Video"},
    {"sana", "Sana"},
    {"wan", "Wan"},
    {"wan_s2v", "Wan S2V"},
    {"zlab_i1", "zlab i1"},
    {"ace_step", "ACE-Step"},
    {"heartmula", "HeartMuLa"},
};

constexpr OtherFamily kDiffusionPipeModels[] = {
    {"wan", "Wan"},
    {"hunyuan-video", "HunyuanVideo"},
    {"hunyuan_video_15", "HunyuanVideo 1.5"},
    {"hunyuan_image", "HunyuanImage 2.1"},
    {"ltx-video", "LTX-Video"},
    {"ltx2", "LTX-2.3"},
    {"cosmos", "Cosmos"},
    {"cosmos_predict2", "Cosmos-Predict2"},
    {"lumina_2", "Lumina Image 2.0"},
    {"hidream", "HiDream"},
    {"sd3", "Stable Diffusion 3"},
    {"omnigen2", "OmniGen2"},
    {"auraflow", "AuraFlow"},
    {"ideogram4", "Ideogram 4"},
    {"minimax_h3", "MiniMax-H3"},
};

/// A model that isn't offered, though other trainers give it a family's name, by its file or
/// repository: a pattern in lower case.
struct OtherModel {
  ModelFamily family;
  std::string_view name, title;
};
constexpr OtherModel kOtherModels[] = {
    {ModelFamily("flux1"), "*flux*fill*", "FLUX.1 Fill"},
    {ModelFamily("flux1"), "*flux*canny*", "FLUX.1 Canny"},
    {ModelFamily("flux1"), "*flux*depth*", "FLUX.1 Depth"},
    {ModelFamily("flux1"), "*flux*redux*", "FLUX.1 Redux"},
    {ModelFamily("flux1"), "flex.1*", "Flex.1"},
    {ModelFamily("flux1"), "flex.2*", "Flex.2"},
    {ModelFamily("qwen_image"), "*qwen*layered*", "Qwen-Image-Layered"},
    {ModelFamily("qwen_image"), "*qwen*2.1*", "Qwen-Image-2.1"},
};

struct Naming {
  FamilyNaming names;
  std::span<const OtherFamily> others;
};
constexpr Naming kNamings[] = {
    {&ForeignNames::kohya_networks, kKohyaNetworks},
    {&ForeignNames::kohya_versions, kKohyaVersions},
    {&ForeignNames::musubi_networks, kMusubiNetworks},
    {&ForeignNames::musubi_versions, kMusubiVersions},
    {&ForeignNames::onetrainer, kOneTrainerModels},
    {&ForeignNames::ai_toolkit, kAiToolkitArchitectures},
    {&ForeignNames::simpletuner, kSimpleTunerFamilies},
    {&ForeignNames::diffusion_pipe, kDiffusionPipeModels},
};

/// Letters of `pattern` that `name` is matched by: all of it, or those before its '*'.
std::optional<std::size_t> match(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) {
    return pattern == name ? std::optional(pattern.size()) : std::nullopt;
  }
  pattern.remove_suffix(1);
  return name.starts_with(pattern) ? std::optional(pattern.size()) : std::nullopt;
}

/// Whether a name that is known by its beginning alone continues with that of a variant with other
/// inputs or another purpose.
bool is_other_variant(std::string_view name) {
  static constexpr std::string_view kVariants[] = {"inpaint", "depth", "refiner",
                                                   "pix2pix", "edit",  "controlnet"};
  return std::any_of(std::begin(kVariants), std::end(kVariants), [&](std::string_view variant) {
    return name.find(variant) != std::string_view::npos;
  });
}

std::string place_of(const ImportContext& context, const ImportRow& row) {
  return row.line == 0 ? context.source_name()
                       : fmt::format("{}:{}", context.source_name(), row.line);
}

}  // namespace

std::span<const OtherFamily> other_families(FamilyNaming naming) {
  return std::find_if(std::begin(kNamings), std::end(kNamings),
                      [&](const Naming& n) { return n.names == naming; })
      ->others;
}

std::vector<std::string_view> foreign_names(std::string_view names) {
  std::vector<std::string_view> list;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(' ', at), names.size());
    list.push_back(names.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

std::optional<NamedFamily> find_family(FamilyNaming naming, std::string_view given) {
  const std::string name = lower_ascii(given);
  std::optional<NamedFamily> found;
  std::size_t longest = 0;
  const auto consider = [&](std::string_view pattern, const NamedFamily& family) {
    const auto length = match(pattern, name);
    if (length && (!found || *length > longest)) {
      found = family;
      longest = *length;
    }
  };
  for (const FamilyRow* row : family_rows()) {
    for (const std::string_view pattern : foreign_names(row->foreign.*naming)) {
      consider(pattern, {row->id});
    }
    for (const FamilyGeneration& generation : row->generations) {
      for (const std::string_view pattern : foreign_names(generation.foreign.*naming)) {
        consider(pattern, {ModelFamily::automatic, {}, generation.title});
      }
    }
  }
  const bool offered = found.has_value();
  const std::size_t of_offered = longest;
  for (const OtherFamily& other : other_families(naming)) {
    consider(other.name, {ModelFamily::automatic, std::string(other.title)});
  }
  if (offered && longest == of_offered && longest < name.size() && is_other_variant(name)) {
    found = {ModelFamily::automatic, std::string(given)};
  }
  return found;
}

void take_family(ImportContext& context, ImportRow& row, FamilyNaming naming,
                 std::string_view name) {
  const std::optional<NamedFamily> found = find_family(naming, name);
  if (!found || !found->title.empty()) {
    refuse_family(context, row, found ? std::string_view(found->title) : name);
  }
  if (found->family == ModelFamily::automatic) {
    context.ignore(
        row, message<"{generation} is recognised by the base model's file.">(found->generation));
  } else {
    context.take(row, "model.family", std::string(found->family.name()));
  }
}

void refuse_family(const ImportContext& context, const ImportRow& row, std::string_view title) {
  std::vector<std::string_view> offered = family_names();
  offered.erase(offered.begin());  // auto
  throw UnsupportedFamily(
      message<"{place}: {family} ({key}) is not supported here; supported model families: "
              "{families}">(place_of(context, row), title, row.source,
                            fmt::format("{}", fmt::join(offered, ", "))));
}

void refuse_namesake(const ImportContext& context, const ImportRow& row,
                     std::string_view NamesakeModel::*naming, std::string_view given) {
  const std::string name = lower_ascii(given);
  for (const NamesakeModel& other : family_row(context.chosen().model.family).namesakes) {
    if (!(other.*naming).empty() && glob_match(other.*naming, name)) {
      refuse_family(context, row, other.title);
    }
  }
}

void refuse_other_model(const ImportContext& context, const ImportRow& row, std::string_view path) {
  const ModelFamily family = context.chosen().model.family;
  std::string_view stem = family.name();  // "flux" of "flux1"
  stem = stem.substr(0, stem.find_last_not_of("0123456789") + 1);
  const std::string names = lower_ascii(path);
  for (std::size_t end = names.size(); end != std::string::npos && end > 0;) {
    const std::size_t slash = names.find_last_of("/\\", end - 1);
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    const std::string_view name = std::string_view(names).substr(begin, end - begin);
    for (const OtherModel& other : kOtherModels) {
      if (other.family == family && glob_match(other.name, name)) {
        refuse_family(context, row, other.title);
      }
    }
    if (name.find(stem) != std::string_view::npos) {
      return;
    }
    end = slash;
  }
}

void refuse_job(const ImportContext& context, const ImportRow& row, const Message& job) {
  throw UnsupportedFamily(
      message<"{place}: {job} ({key}) is not offered here; import a configuration that trains an "
              "adapter or the model's own weights">(place_of(context, row), job, row.source));
}

void refuse_program(std::string_view source, int line, std::string_view key,
                    std::string_view program) {
  throw UnsupportedFamily(
      message<"{place}: this is a configuration of {program} ({key}), whose files are not read; "
              "create a preset and set its values by hand">(fmt::format("{}:{}", source, line),
                                                            program, key));
}

nlohmann::json block_targets(ModelFamily family, BlockLayers layers) {
  const MainBlocks& blocks = family_row(family).main_blocks;
  nlohmann::json patterns = nlohmann::json::array();
  if (blocks.attention.empty()) {  // the named sets have those of the main blocks alone
    patterns.push_back(layers == BlockLayers::attention ? "attention" : "attention+mlp");
  } else {
    patterns.push_back(std::string(blocks.attention));
    if (layers != BlockLayers::attention && !blocks.mlp.empty()) {
      patterns.push_back(std::string(blocks.mlp));
    }
  }
  if (layers == BlockLayers::with_modulation && !blocks.modulation.empty()) {
    patterns.push_back(std::string(blocks.modulation));
  }
  return patterns.size() == 1 && blocks.attention.empty() ? patterns[0] : patterns;
}

nlohmann::json foreign_targets(ModelFamily family, std::string_view ForeignTraining::*layers,
                               BlockLayers otherwise) {
  return foreign_targets(family, family_row(family).elsewhere.*layers, otherwise);
}

nlohmann::json foreign_targets(ModelFamily family, std::string_view given, BlockLayers otherwise) {
  if (given.empty()) {
    return block_targets(family, otherwise);
  }
  const std::vector<std::string_view> patterns = foreign_names(given);
  return patterns.size() == 1 && patterns[0].find('*') == std::string_view::npos
             ? nlohmann::json(patterns[0])
             : nlohmann::json(patterns);
}

}  // namespace mantissa
