#include "engine/adapters/targets.h"

#include "engine/preset/module_pattern.h"

namespace mantissa {
namespace {

enum class Kind { attention, mlp, residual, other };

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
  for (std::string_view ending : endings) {
    if (text.ends_with(ending)) {
      return true;
    }
  }
  return false;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Kind kind_of(Part part, std::string_view path) {
  if (part != kDenoiser) {
    if (ends_with_any(path, {".self_attn.q_proj", ".self_attn.k_proj", ".self_attn.v_proj",
                             ".self_attn.out_proj", ".SelfAttention.q", ".SelfAttention.k",
                             ".SelfAttention.v", ".SelfAttention.o"})) {
      return Kind::attention;
    }
    return ends_with_any(path, {".mlp.fc1", ".mlp.fc2"}) || contains(path, ".DenseReluDense.")
               ? Kind::mlp
               : Kind::other;
  }
  if (contains(path, ".attentions.") || path.starts_with("unet.transformer_blocks.")) {
    return ends_with_any(path, {".to_q", ".to_k", ".to_v", ".to_out.0"}) ? Kind::attention
                                                                         : Kind::mlp;
  }
  return contains(path, ".resnets.") || contains(path, ".downsamplers.") ||
                 contains(path, ".upsamplers.")
             ? Kind::residual
             : Kind::other;
}

}  // namespace

bool AdapterTargets::matches(Part part, std::string_view path) const {
  const Kind kind = kind_of(part, path);
  for (const std::string& target : targets_) {
    bool wanted = false;
    if (target == "attention") {
      wanted = kind == Kind::attention;
    } else if (target == "attention+mlp") {
      wanted = kind == Kind::attention || kind == Kind::mlp;
    } else if (target == "linear+conv") {
      wanted = kind != Kind::other;
    } else {
      wanted = names_module(target, path);
    }
    if (wanted) {
      return true;
    }
  }
  return false;
}

std::string AdapterTargets::describe() const {
  std::string text;
  for (const std::string& target : targets_) {
    text += (text.empty() ? "" : ", ") + target;
  }
  return text;
}

}  // namespace mantissa
