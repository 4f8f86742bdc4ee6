#include "engine/preset/import_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/error.h"

namespace mantissa {
namespace {

using enum ModelFamily;

constexpr ForeignFamily kKohyaNetworks[] = {
    {"networks.lora_flux", {}, "FLUX.1"},
    {"networks.oft_flux", {}, "FLUX.1"},
    {"flux1*", {}, "FLUX.1"},  // LoRA_type of kohya_ss
    {"networks.lora_sd3", {}, "Stable Diffusion 3"},
    {"networks.lora_lumina", {}, "Lumina Image 2.0"},
    {"networks.lora_hunyuan_image", {}, "HunyuanImage 2.1"},
    {"networks.lora_anima", {}, "Anima"},
};

// Those of sd-scripts, and of other programs that write the same key. SD 2.x has no name of its own
// in presets: its file tells.
constexpr ForeignFamily kKohyaVersions[] = {
    {"sdxl*", sdxl},
    {"sd_v1*", sd15},
    {"sd_1*", sd15},
    {"sd_v2*"},
    {"sd_2*"},
    {"zimage*", z_image},
    {"flux2_klein*", flux2},
    {"flux2*", {}, "FLUX.2 dev"},
    {"flux1*", {}, "FLUX.1"},
    {"chroma*", {}, "Chroma"},
    {"sd3*", {}, "Stable Diffusion 3"},
    {"lumina*", {}, "Lumina Image 2.0"},
    {"hunyuan_image*", {}, "HunyuanImage 2.1"},
    {"anima*", {}, "Anima"},
};

constexpr ForeignFamily kMusubiNetworks[] = {
    {"networks.lora_zimage", z_image},
    {"networks.lora_flux_2", flux2},
    {"networks.lora", {}, "HunyuanVideo"},
    {"networks.lora_flux", {}, "FLUX.1 Kontext"},
    {"networks.lora_framepack", {}, "FramePack"},
    {"networks.lora_hidream_o1", {}, "HiDream-O1"},
    {"networks.lora_hv_1_5", {}, "HunyuanVideo 1.5"},
    {"networks.lora_ideogram4", {}, "Ideogram 4"},
    {"networks.lora_kandinsky", {}, "Kandinsky 5"},
    {"networks.lora_krea2", {}, "Krea 2"},
    {"networks.lora_qwen_image", {}, "Qwen-Image"},
    {"networks.lora_wan", {}, "Wan"},
};

// model_version of its scripts, and base_model_version in its metadata.
constexpr ForeignFamily kMusubiVersions[] = {
    {"z_image*", z_image},
    {"flux_2_klein*", flux2},
    {"klein*", flux2},
    {"flux_2_dev", {}, "FLUX.2 dev"},
    {"dev", {}, "FLUX.2 dev"},
    {"original", {}, "Qwen-Image"},
    {"edit*", {}, "Qwen-Image-Edit"},
    {"layered", {}, "Qwen-Image-Layered"},
    {"hunyuan_video_1_5*", {}, "HunyuanVideo 1.5"},
    {"hunyuan_video*", {}, "HunyuanVideo"},
    {"wan*", {}, "Wan"},
    {"framepack*", {}, "FramePack"},
    {"flux_kontext*", {}, "FLUX.1 Kontext"},
    {"qwen_image*", {}, "Qwen-Image"},
    {"kandinsky5*", {}, "Kandinsky 5"},
    {"hidream_o1*", {}, "HiDream-O1"},
    {"ideogram4*", {}, "Ideogram 4"},
    {"krea2*", {}, "Krea 2"},
};

constexpr ForeignFamily kOneTrainerModels[] = {
    {"stable_diffusion_15", sd15},
    {"stable_diffusion_15_inpainting", {}, "Stable Diffusion 1.5 Inpainting"},
    {"stable_diffusion_2*"},
    {"stable_diffusion_xl_10_base", sdxl},
    {"stable_diffusion_xl_10_base_inpainting", {}, "SDXL Inpainting"},
    {"stable_diffusion_35", {}, "Stable Diffusion 3.5"},
    {"stable_diffusion_3", {}, "Stable Diffusion 3"},
    {"wuerstchen_2", {}, "Würstchen v2"},
    {"stable_cascade_1", {}, "Stable Cascade"},
    {"pixart_alpha", pixart},
    {"pixart_sigma", pixart},
    {"flux_dev_1", {}, "FLUX.1"},
    {"flux_fill_dev_1", {}, "FLUX.1 Fill"},
    {"flux_2", flux2},
    {"sana", {}, "Sana"},
    {"hunyuan_video", {}, "HunyuanVideo"},
    {"hi_dream_full", {}, "HiDream"},
    {"chroma_1", {}, "Chroma"},
    {"qwen", {}, "Qwen-Image"},
    {"anima", {}, "Anima"},
    {"krea_2", {}, "Krea 2"},
    {"z_image", z_image},
    {"ernie", {}, "ERNIE-Image"},
    {"ideogram_4", {}, "Ideogram 4"},
};

// A suffix such as ":turbo" names a variant of the same family.
constexpr ForeignFamily kAiToolkitArchitectures[] = {
    {"sdxl", sdxl},
    {"sd1", sd15},
    {"sd15", sd15},
    {"sd2"},
    {"pixart", pixart},
    {"pixart_sigma", pixart},
    {"zimage", z_image},
    {"zimage:*", z_image},
    {"flux2_klein_4b", flux2},
    {"flux2_klein_9b", flux2},
    {"flux2", {}, "FLUX.2 dev"},
    {"flux2:*", {}, "FLUX.2 dev"},
    {"zimage_l2p*", {}, "Z-Image L2P"},
    {"sd3", {}, "Stable Diffusion 3"},
    {"ssd", {}, "SSD-1B"},
    {"vega", {}, "Segmind-Vega"},
    {"auraflow", {}, "AuraFlow"},
    {"flux", {}, "FLUX.1"},
    {"flux_kontext*", {}, "FLUX.1 Kontext"},
    {"flex1*", {}, "Flex.1"},
    {"flex2*", {}, "Flex.2"},
    {"f-lite*", {}, "F-Lite"},
    {"lumina2*", {}, "Lumina Image 2.0"},
    {"anima*", {}, "Anima"},
    {"chroma_radiance*", {}, "Chroma Radiance"},
    {"chroma*", {}, "Chroma"},
    {"zeta_chroma*", {}, "Zeta Chroma"},
    {"wan21*", {}, "Wan 2.1"},
    {"wan22*", {}, "Wan 2.2"},
    {"qwen_image_edit*", {}, "Qwen-Image-Edit"},
    {"qwen_image*", {}, "Qwen-Image"},
    {"hidream_e1*", {}, "HiDream E1"},
    {"hidream_o1*", {}, "HiDream-O1"},
    {"hidream*", {}, "HiDream"},
    {"omnigen2*", {}, "OmniGen2"},
    {"cogview4*", {}, "CogView4"},
    {"ernie_image*", {}, "ERNIE-Image"},
    {"krea2*", {}, "Krea 2"},
    {"ideogram4*", {}, "Ideogram 4"},
    {"nucleus_image*", {}, "Nucleus-Image"},
    {"prx_pixel*", {}, "PRXPixel"},
    {"mageflow*", {}, "Mage-Flow"},
    {"boogu_image*", {}, "Boogu Image"},
    {"minimax_h3*", {}, "MiniMax-H3"},
    {"ltx2.3*", {}, "LTX-2.3"},
    {"ltx2.5*", {}, "LTX-2.5"},
    {"ltx2*", {}, "LTX-2"},
    {"ace_step*", {}, "ACE-Step"},
};

constexpr ForeignFamily kSimpleTunerFamilies[] = {
    {"sdxl", sdxl},
    {"sd1x", sd15},
    {"sd2x"},
    {"pixart*", pixart},
    {"z_image", z_image},
    {"flux2", flux2},
    {"z_image_omni", {}, "Z-Image Omni"},
    {"flux", {}, "FLUX.1"},
    {"sd3", {}, "Stable Diffusion 3"},
    {"stable_cascade", {}, "Stable Cascade"},
    {"deepfloyd", {}, "DeepFloyd IF"},
    {"kolors", {}, "Kolors"},
    {"auraflow", {}, "AuraFlow"},
    {"anima", {}, "Anima"},
    {"chroma", {}, "Chroma"},
    {"cosmos3*", {}, "Cosmos 3"},
    {"cosmos*", {}, "Cosmos 2"},
    {"bria", {}, "Bria"},
    {"ernie", {}, "ERNIE-Image"},
    {"hidream", {}, "HiDream"},
    {"hunyuanvideo", {}, "HunyuanVideo"},
    {"ideogram", {}, "Ideogram 4"},
    {"infinitetalk", {}, "InfiniteTalk"},
    {"kandinsky5_image", {}, "Kandinsky 5 Image"},
    {"kandinsky5_video", {}, "Kandinsky 5 Video"},
    {"krea2", {}, "Krea 2"},
    {"longcat_image", {}, "LongCat-Image"},
    {"longcat_video", {}, "LongCat-Video"},
    {"ltxvideo2", {}, "LTX-2"},
    {"ltxvideo", {}, "LTX-Video"},
    {"lumina2", {}, "Lumina Image 2.0"},
    {"mageflow", {}, "Mage-Flow"},
    {"boogu_image", {}, "Boogu Image"},
    {"minimaxh3", {}, "MiniMax-H3"},
    {"minimaxmusic", {}, "MiniMax Music 3"},
    {"omnigen", {}, "OmniGen"},
    {"qwen_image", {}, "Qwen-Image"},
    {"sanavideo", {}, "Sana Video"},
    {"sana", {}, "Sana"},
    {"wan", {}, "Wan"},
    {"wan_s2v", {}, "Wan S2V"},
    {"zlab_i1", {}, "zlab i1"},
    {"ace_step", {}, "ACE-Step"},
    {"heartmula", {}, "HeartMuLa"},
};

}  // namespace

std::span<const ForeignFamily> kohya_networks() {
  return kKohyaNetworks;
}
std::span<const ForeignFamily> kohya_versions() {
  return kKohyaVersions;
}
std::span<const ForeignFamily> musubi_networks() {
  return kMusubiNetworks;
}
std::span<const ForeignFamily> musubi_versions() {
  return kMusubiVersions;
}
std::span<const ForeignFamily> onetrainer_models() {
  return kOneTrainerModels;
}
std::span<const ForeignFamily> ai_toolkit_architectures() {
  return kAiToolkitArchitectures;
}
std::span<const ForeignFamily> simpletuner_families() {
  return kSimpleTunerFamilies;
}

const ForeignFamily* find_family(std::span<const ForeignFamily> names, std::string_view name) {
  const std::string wanted = lower_ascii(name);
  const auto found = std::find_if(names.begin(), names.end(), [&](const ForeignFamily& row) {
    return row.name.back() == '*' ? wanted.starts_with(row.name.substr(0, row.name.size() - 1))
                                  : wanted == row.name;
  });
  return found == names.end() ? nullptr : &*found;
}

void take_family(ImportContext& context, ImportRow& row, std::span<const ForeignFamily> names,
                 std::string_view name) {
  const ForeignFamily* found = find_family(names, name);
  if (found == nullptr || !found->title.empty()) {
    refuse_family(context, row, found == nullptr ? name : found->title);
  }
  if (found->family == automatic) {
    context.ignore(row, message<"Stable Diffusion 2 is recognised by the base model's file.">());
  } else {
    context.take(row, "model.family", std::string(family_row(found->family).name));
  }
}

void refuse_family(const ImportContext& context, const ImportRow& row, std::string_view title) {
  const std::string place =
      row.line == 0 ? context.source_name() : fmt::format("{}:{}", context.source_name(), row.line);
  const auto offered = std::span(kFamilyNames).subspan(1);  // all but auto
  throw UnsupportedFamily(
      message<"{place}: {family} ({key}) is not supported here; supported model families: "
              "{families}">(place, title, row.source, fmt::format("{}", fmt::join(offered, ", "))));
}

nlohmann::json block_targets(ModelFamily family, BlockLayers layers) {
  if (family != z_image) {
    return layers == BlockLayers::attention ? "attention" : "attention+mlp";
  }
  // Its refiners would belong to the named sets.
  nlohmann::json patterns = nlohmann::json::array({"denoiser.layers.*.attention.*"});
  if (layers != BlockLayers::attention) {
    patterns.push_back("denoiser.layers.*.feed_forward.*");
  }
  if (layers == BlockLayers::with_modulation) {
    patterns.push_back("denoiser.layers.*.adaLN_modulation.0");
  }
  return patterns;
}

}  // namespace mantissa
