#pragma once
// Names of families whose denoiser is a transformer: what their files have in common.

#include <array>
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
  /// Present in every transformer in its authors' naming; the second may be empty.
  std::array<std::string_view, 2> original_marks;
  /// Before PartFiles::prefix in a single file; each of the two may be missing.
  std::string_view outer_prefix{};
  std::optional<NameMapping> (*to_diffusers)(std::string_view name);
  std::optional<OriginalTensor> (*to_original)(std::string_view name);
  /// As ModelNames::original.
  std::optional<std::string> (*original_path)(std::string_view path);

  // -- the other parts, in files of all parts behind their PartFiles::prefix ---------------------
  /// Null if the only text encoder is described as te2.
  std::optional<NameMapping> (*te1)(Part part, std::string_view name) = nullptr;
  /// In its folder, if the family has one; `has_table`: a te2 among the files has te2_table.
  std::optional<NameMapping> (*te2)(std::string_view name, bool has_table) = nullptr;
  Part te2_part = kTe2;  ///< or kTe1, of the only text encoder
  std::string_view te2_table{};
  std::string_view te2_prefix{};        ///< empty if te2 is told within the transformer
  std::string_view other_te1_prefix{};  ///< in other files
  /// Which of the two a model is written with; null: that of its PartFiles.
  std::string_view (*te1_prefix)(const ModelContents& model) = nullptr;
  const VaeNaming* vae;
  std::string_view other_vae_prefix{};  ///< in other files
};

/// `name` without the prefixes of a transformer.
std::string_view inside_transformer(const Family& family, const TransformerNaming& naming,
                                    std::string_view name);

/// Family::recognise, Family::naming and Family::original_names by such a description.
std::shared_ptr<const ModelNames> recognise_transformer(const Family& family,
                                                        const TransformerNaming& naming,
                                                        const ModelFiles& files);
std::string_view transformer_naming(const Family& family, const TransformerNaming& naming,
                                    const ModelFiles& files);
OriginalName transformer_original_names(const Family& family, const TransformerNaming& naming,
                                        const ModelContents& model);

/// These as functions of one family.
template <const Family& kFamily, const TransformerNaming& kNaming>
std::shared_ptr<const ModelNames> recognise_by(const ModelFiles& files) {
  return recognise_transformer(kFamily, kNaming, files);
}
template <const Family& kFamily, const TransformerNaming& kNaming>
std::string_view naming_by(std::span<const TensorInfo> tensors) {
  return transformer_naming(kFamily, kNaming, {{{std::nullopt, tensors}}});
}
template <const Family& kFamily, const TransformerNaming& kNaming>
OriginalName original_names_by(const ModelContents& model) {
  return transformer_original_names(kFamily, kNaming, model);
}

/// The autoencoder of a family whose single files are ComfyUI's, by diffusers' class of it.
constexpr PartFiles comfy_vae(std::string_view reader) {
  return {.part = kVae, .folder = "vae", .model = {"diffusers", reader}, .prefix = "vae."};
}

}  // namespace mantissa
