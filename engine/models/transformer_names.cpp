#include "engine/models/transformer_names.h"

#include <algorithm>
#include <vector>

#include "engine/io/model_writer.h"
#include "engine/io/name_parts.h"
#include "engine/models/extras.h"

namespace mantissa {

namespace {

/// The prefixes that a part may have in files of all parts; `other` may be empty.
std::vector<std::string_view> prefixes_of(const Family& family, Part part, std::string_view other) {
  std::vector<std::string_view> all{family.part(part)->prefix};
  if (!other.empty()) {
    all.push_back(other);
  }
  return all;
}

/// Takes the first of the prefixes that is there.
bool take_one_of(std::string_view& name, std::span<const std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return take(name, prefix); });
}

bool take_te2(std::string_view& name, const TransformerNaming& naming) {
  return !naming.te2_prefix.empty() && take(name, naming.te2_prefix);
}

class TransformerNames final : public ModelNames {
 public:
  TransformerNames(const Family& family, const TransformerNaming& naming, bool original,
                   bool te2_table, int vae_size, const ModelFiles& files)
      : ModelNames(family),
        naming_(naming),
        original_(original),
        te2_table_(te2_table),
        vae_size_(vae_size),
        te1_prefixes_(prefixes_of(family, kTe1, naming.other_te1_prefix)),
        vae_prefixes_(prefixes_of(family, kVae, naming.other_vae_prefix)) {
    note_encoders(files);
  }

  std::optional<NameMapping> canonical(std::optional<Part> folder,
                                       const TensorInfo& tensor) const override {
    if (auto extra = extra_tensor(tensor.name)) {
      return extra;
    }
    if (!folder) {
      return in_single_file(tensor);
    }
    if (*folder == kVae) {
      return naming_.vae->in_folder(tensor, vae_size_);
    }
    if (*folder == kDenoiser) {
      return in_denoiser(tensor.name);
    }
    if (*folder == naming_.te2_part && naming_.te2 != nullptr) {
      return naming_.te2(tensor.name, te2_table_);
    }
    return naming_.te1 != nullptr ? naming_.te1(kTe1, tensor.name) : std::nullopt;
  }
  std::optional<std::string> original(Part part, std::string_view path) const override {
    return part == kDenoiser ? naming_.original_path(path) : std::nullopt;
  }
  std::optional<std::string> swapped(Part part, std::string_view path) const override {
    return part == kDenoiser ? swapped_module(naming_.to_original(weight_of(path))) : std::nullopt;
  }
  std::optional<FusedModule> fused(Part part, std::string_view path) const override {
    return part == kDenoiser ? fused_module(naming_.to_original(weight_of(path))) : std::nullopt;
  }

 private:
  std::optional<NameMapping> in_denoiser(std::string_view name) const {
    return original_ ? naming_.to_diffusers(inside_transformer(family(), naming_, name))
                     : NameMapping{NameTransform::none, {std::string(name)}, kDenoiser};
  }
  std::optional<NameMapping> in_single_file(const TensorInfo& tensor) const {
    std::string_view rest = tensor.name;
    if (take_one_of(rest, vae_prefixes_)) {
      return naming_.vae->in_single_file(tensor, rest, vae_size_);
    }
    if (take_te2(rest, naming_)) {
      return naming_.te2(rest, te2_table_);
    }
    return naming_.te1 != nullptr && take_one_of(rest, te1_prefixes_) ? naming_.te1(kTe1, rest)
                                                                      : in_denoiser(rest);
  }

  const TransformerNaming& naming_;
  bool original_;   ///< whether the transformer has its authors' names
  bool te2_table_;  ///< whether te2 has TransformerNaming::te2_table
  int vae_size_;
  std::vector<std::string_view> te1_prefixes_, vae_prefixes_;
};

bool has_te2_table(const TransformerNaming& naming, const ModelFiles& files) {
  return files.any([&](std::optional<Part> folder, const TensorInfo& tensor) {
    std::string_view name = tensor.name;
    const bool te2 = folder ? *folder == naming.te2_part : take_te2(name, naming);
    return te2 && !naming.te2_table.empty() && name == naming.te2_table;
  });
}

}  // namespace

std::string_view inside_transformer(const Family& family, const TransformerNaming& naming,
                                    std::string_view name) {
  take(name, naming.outer_prefix);
  take(name, family.part(kDenoiser)->prefix);
  return name;
}

std::string_view transformer_naming(const Family& family, const TransformerNaming& naming,
                                    const ModelFiles& files) {
  const auto holds = [&](auto&& is) {
    return files.any([&](std::optional<Part> folder, const TensorInfo& tensor) {
      return folder.value_or(kDenoiser) == kDenoiser && is(tensor.name);
    });
  };
  if (holds([&](std::string_view name) { return name == naming.mark; })) {
    return "diffusers";
  }
  const bool original = std::all_of(
      naming.original_marks.begin(), naming.original_marks.end(), [&](std::string_view mark) {
        return mark.empty() || holds([&](std::string_view name) {
                 return inside_transformer(family, naming, name) == mark;
               });
      });
  return original ? "ldm" : "";
}

std::shared_ptr<const ModelNames> recognise_transformer(const Family& family,
                                                        const TransformerNaming& naming,
                                                        const ModelFiles& files) {
  const std::string_view found = transformer_naming(family, naming, files);
  return found.empty()
             ? nullptr
             : std::make_shared<TransformerNames>(
                   family, naming, found == "ldm", has_te2_table(naming, files),
                   naming.vae->size_in(files, prefixes_of(family, kVae, naming.other_vae_prefix)),
                   files);
}

OriginalName transformer_original_names(const Family& family, const TransformerNaming& naming,
                                        const ModelContents& model) {
  std::vector<std::string> vae;
  if (const auto found = model.parts.find(kVae); found != model.parts.end()) {
    for (const ModelTensor& tensor : found->second) {
      vae.push_back(tensor.name);
    }
  }
  const std::string_view te1 =
      naming.te1_prefix != nullptr ? naming.te1_prefix(model) : family.part(kTe1)->prefix;
  return [&family, &naming, te1, size = naming.vae->size_from_diffusers(vae)](
             Part part, const std::string& name) -> std::optional<OriginalTensor> {
    auto to = part == kVae        ? naming.vae->to_single_file(name, size)
              : part == kDenoiser ? naming.to_original(name)
                                  : OriginalTensor{name};
    if (to) {
      to->name.insert(0, part == kTe1 ? te1 : family.part(part)->prefix);
    }
    return to;
  };
}

}  // namespace mantissa
