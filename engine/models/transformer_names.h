#pragma once
// Names of families whose denoiser is a transformer: what their files have in common.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/io/family.h"
#include "engine/io/model_names.h"
#include "engine/models/vae/vae_naming.h"

namespace mantissa {

/// What a family's files call their tensors: diffusers folders, ComfyUI's files of each part in
/// such folders, its files of all parts, or the transformer alone in either naming.
struct TransformerNaming {
  // -- the transformer; names in an original file are without prefix -----------------------------
  /// Present in every transformer in diffusers' naming, and in no other supported model.
  std::string_view mark;
  /// All are present in every transformer in its authors' naming.
  std::span<const std::string_view> original_marks;
  /// Before its names in a single file, in this order; each may be missing.
  std::span<const std::string_view> prefixes;
  std::optional<NameMapping> (*to_diffusers)(std::string_view name);
  std::optional<OriginalTensor> (*to_original)(std::string_view name);
  /// As ModelNames::original and ModelNames::fused.
  std::optional<std::string> (*original_path)(std::string_view path);
  std::optional<FusedModule> (*fused_path)(std::string_view path) = nullptr;

  // -- the other parts ---------------------------------------------------------------------------
  /// Null if the only text encoder is described as te2.
  std::optional<NameMapping> (*te1)(Part part, std::string_view name) = nullptr;
  /// In its folder, if the family has one; `has_table`: a te2 among the files has te2_table.
  std::optional<NameMapping> (*te2)(std::string_view name, bool has_table) = nullptr;
  Part te2_part = kTe2;  ///< or kTe1, of the only text encoder
  std::string_view te2_table{};
  /// Before the names of te1 in files of all parts.
  std::span<const std::string_view> te1_prefixes{};
  std::span<const std::string_view> te2_prefixes{};  ///< the same of te2
  /// Which of them a model is written with; null: that of its PartFiles.
  std::string_view (*te1_prefix)(const ModelContents& model) = nullptr;
  const VaeNaming* vae;
  std::span<const std::string_view> vae_prefixes;
};

/// `name` without the prefixes of a transformer.
std::string_view inside_transformer(const TransformerNaming& naming, std::string_view name);

/// Family::recognise, Family::naming and Family::original_names by such a description.
std::shared_ptr<const ModelNames> recognise_transformer(const Family& family,
                                                        const TransformerNaming& naming,
                                                        const ModelFiles& files);
std::string_view transformer_naming(const TransformerNaming& naming, const ModelFiles& files);
OriginalName transformer_original_names(const Family& family, const TransformerNaming& naming,
                                        const ModelContents& model);

/// These as functions of one family.
template <const Family& kFamily, const TransformerNaming& kNaming>
std::shared_ptr<const ModelNames> recognise_by(const ModelFiles& files) {
  return recognise_transformer(kFamily, kNaming, files);
}
template <const TransformerNaming& kNaming>
std::string_view naming_by(std::span<const TensorInfo> tensors) {
  return transformer_naming(kNaming, {{{std::nullopt, tensors}}});
}
template <const Family& kFamily, const TransformerNaming& kNaming>
OriginalName original_names_by(const ModelContents& model) {
  return transformer_original_names(kFamily, kNaming, model);
}

}  // namespace mantissa
