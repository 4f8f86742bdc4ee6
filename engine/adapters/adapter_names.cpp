#include "engine/adapters/adapter_names.h"

#include <algorithm>
#include <string>

#include "engine/io/bundled_name.h"
#include "engine/io/family.h"

namespace mantissa {
namespace {

struct Ending {
  std::string_view text;
  BesideRole role;
  TensorNames names;
};
constexpr Ending kBeside[] = {
    {".diff_b", BesideRole::bias_change, TensorNames::kohya},
    {".b_norm", BesideRole::bias_change, TensorNames::kohya},  // LyCORIS's, of norms
    {".lora_B.bias", BesideRole::up_bias, TensorNames::peft},
    {".lora_up.bias", BesideRole::up_bias, TensorNames::kohya},
    {".scalar", BesideRole::scalar, TensorNames::kohya},
};

/// x-labs' names of FLUX.1's layers, whose endings are like those of diffusers before PEFT.
constexpr std::string_view kXLabsMark = ".processor.qkv_lora",
                           kXLabsOutMark = ".processor.proj_lora";

/// A part of a tensor's name that only one form of adapter has.
struct FormMark {
  std::string_view mark, form;
};
// PEFT's prefixes of the tuners' parameters, and LyCORIS's names of its algorithms' tensors.
constexpr FormMark kUnreadForms[] = {
    {".oft_blocks", "OFT"},
    {".oft_diag", "OFT"},
    {".oft_r", "OFT"},
    {".oft_R", "OFT"},
    {".oft_s", "OFT"},
    {".boft_", "BOFT"},
    {".rescale", "OFT"},
    {".a1.weight", "GLoRA"},
    {".a2.weight", "GLoRA"},
    {".b1.weight", "GLoRA"},
    {".b2.weight", "GLoRA"},
    {".bm.weight", "GLoRA"},
    {".glora_", "GLoRA"},
    {".on_input", "IA³"},
    {".ia3_", "IA³"},
    {"vera_", "VeRA"},
    {".vblora_", "VB-LoRA"},
    {".fourierft_", "FourierFT"},
    {".waveft_", "WaveFT"},
    {".hra_", "HRA"},
    {".bone_", "Bone"},
    {".miss_", "MiSS"},
    {"randlora_", "RandLoRA"},
    {".shira_", "SHiRA"},
    {".c3a_", "C3A"},
    {".road_", "RoAd"},
    {".osf_", "OSF"},
    {".delora_", "DeLoRA"},
    {".gralora_", "GraLoRA"},
    {".hira_", "HiRA"},
    {".tinylora_", "TinyLoRA"},
    {".psoft_", "PSOFT"},
    {".ln_tuning_", "LN tuning"},
    {".lora_E", "AdaLoRA"},
    {".ranknum", "AdaLoRA"},
    {".lora_diag", "KaSA"},
    {".lambda_layer", "T-LoRA"},
    {".q_layer.weight", "T-LoRA"},
    {".p_layer.weight", "T-LoRA"},
    {kXLabsMark, "x-labs"},
    {kXLabsOutMark, "x-labs"},
    {".lokr_t1", "LoKr with a core in its first factor"},
    {".lora_embedding_", "LoRA of an embedding table"},
    {".token_adapter.", "trainable tokens"},
    {"trainable_tokens_", "trainable tokens"},
    {"prompt_embeddings", "prompt tuning"},
};

std::optional<AdapterName> known_name(std::string_view name) {
  for (const Ending& ending : kBeside) {
    if (name.ends_with(ending.text)) {
      return AdapterName{name.substr(0, name.size() - ending.text.size()),
                         AdapterRole::alpha,
                         ending.role,
                         ending.names,
                         {}};
    }
  }
  const auto split = split_suffix(name);
  return split ? std::optional(AdapterName{split->module, split->role, {}, split->names, {}})
               : std::nullopt;
}

}  // namespace

std::optional<AdapterName> adapter_name(std::string_view name) {
  if (name.find(kXLabsMark) != name.npos || name.find(kXLabsOutMark) != name.npos) {
    return std::nullopt;
  }
  if (const auto known = known_name(name)) {
    return known;
  }
  // Without the adapter's name, which is before .weight or .bias, or last.
  std::string_view ending;
  for (const std::string_view one : {".weight", ".bias"}) {
    ending = name.ends_with(one) ? one : ending;
  }
  const std::string_view body = name.substr(0, name.size() - ending.size());
  const std::size_t dot = body.rfind('.');
  if (dot == std::string_view::npos || dot + 1 == body.size()) {
    return std::nullopt;
  }
  const std::string without = std::string(body.substr(0, dot)).append(ending);
  auto found = known_name(without);
  const bool peft =
      found && (found->names == TensorNames::peft || found->role != AdapterRole::alpha);
  if (!peft || found->names == TensorNames::processor || found->names == TensorNames::old) {
    return std::nullopt;
  }
  found->module = name.substr(0, found->module.size());
  found->adapter = body.substr(dot + 1);
  return found;
}

std::string_view unread_form(std::string_view name) {
  for (const FormMark& m : kUnreadForms) {
    const std::size_t at = name.find(m.mark);
    // A mark without a dot begins a part of the name.
    if (at != std::string_view::npos && (m.mark.front() == '.' || at == 0 || name[at - 1] == '.')) {
      return m.form;
    }
  }
  return {};
}

bool is_embedding(std::string_view name) {
  if (name.starts_with(kBundledEmbedding) || name.starts_with("string_to_param")) {
    return true;
  }
  if (name.ends_with("_out")) {  // OneTrainer's, of an encoder's output
    name.remove_suffix(4);
  }
  const auto names_vectors = [&](const PartFiles& part) {
    return !part.embedding.empty() && (name == part.embedding || name == part.embedding_too);
  };
  return name == "t5xxl" || name == "qwen" ||
         std::ranges::any_of(families(), [&](const Family* family) {
           return std::ranges::any_of(family->parts, names_vectors);
         });
}

}  // namespace mantissa
