#pragma once

#include <memory>

#include "engine/models/diffusion_model.h"

namespace mantissa {

/// A model whose text encoder and tokenizer are its base's, a `Reader` (Qwen3Reader, T5Reader), and
/// whose denoiser is a `Transformer` that is built from a `Config`. Most families are trained at
/// 1024 × 1024 pixels.
template <typename Reader, typename Transformer, typename Config>
class TransformerModel : public Reader {
 public:
  const Config& config() const { return config_; }
  Transformer& transformer() {
    if (!transformer_) {
      transformer_ = make_transformer();
    }
    return *transformer_;
  }
  int native_side() const override { return kNativePixels / this->latent_factor(); }

 protected:
  static constexpr int kNativePixels = 1024;

  /// `text`: arguments of Reader::read_text_config.
  template <typename... Text>
  TransformerModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                   const PrecisionRules& rules, Config (*read_config)(const WeightSource&),
                   Text... text)
      : Reader(kernels, source, adapters, rules), config_(read_config(source)) {
    this->read_text_config(text...);
  }
  virtual std::unique_ptr<Transformer> make_transformer() {
    return std::make_unique<Transformer>(config_, this->scope(kDenoiser));
  }
  void bind_part(Part part) override {
    if (part == kDenoiser) {
      transformer();
    } else {
      this->bind_text();
    }
  }
  void drop_part(Part part) override {
    if (part == kDenoiser) {
      transformer_.reset();
    } else if (part == this->text_part()) {
      this->drop_text();
    }
  }

 private:
  Config config_;
  std::unique_ptr<Transformer> transformer_;
};

}  // namespace mantissa
