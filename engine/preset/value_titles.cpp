#include "engine/preset/value_titles.h"

#include "engine/preset/family_table.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

constexpr ValueTitle kTitles[] = {
    {"model.family", "auto", "From the base model"},
    {"adapter.scaling", "standard", "Standard (alpha / rank)"},
    {"adapter.init", "standard", "Standard (starts at zero)"},
    {"adapter.dora_axis", "output", "Per output"},
    {"adapter.dora_axis", "input", "Per input"},
    {"data.bucket_rule", "ours", "Equal area"},
    {"data.bucket_rule", "kohya", "kohya"},
    {"data.cache", "none", "Nothing"},
    {"data.cache", "latents", "Latents"},
    {"data.cache", "all", "Latents and text"},
    {"data.masks", "files", "Mask files"},
    {"data.masks", "alpha", "Alpha channel"},
    {"training.purpose", "images", "Images"},
    {"training.purpose", "slider", "Slider"},
    {"training.purpose", "pair_slider", "Slider of image pairs"},
    {"training.purpose", "adapter", "Training adapter"},
    {"training.preservation", "class", "Class captions"},
    {"training.preservation", "empty", "Empty caption"},
    {"training.method", "adapter", "Adapter"},
    {"training.method", "full", "Full model"},
    {"training.checkpointing_scope", "activations", "Activations"},
    {"training.checkpointing_scope", "feed_forward", "Feed-forward layers"},
    {"training.checkpointing_scope", "blocks", "Blocks"},
    {"training.huber_schedule", "exponential", "Exponential"},
    {"training.huber_schedule", "snr", "By SNR"},
    {"training.prediction", "auto", "From the base model"},
    {"training.prediction", "epsilon", "Noise (epsilon)"},
    {"training.prediction", "v", "v-prediction"},
    {"training.prediction", "flow", "Flow"},
    {"training.flow_shift", "auto", "From the base model"},
    {"training.timesteps", "uniform", "Uniform"},
    {"training.timesteps", "logit_normal", "Logit-normal"},
    {"training.timesteps", "sigmoid", "Sigmoid"},
    {"training.timesteps", "mode", "Mode"},
    {"training.timesteps", "shifted", "Shifted"},
    {"optimizer.muon_scaling", "match_rms_adamw", "As large as AdamW's"},
    {"optimizer.muon_scaling", "original", "As published"},
    {"precision.fp8_scaling", "current", "Current"},
    {"precision.fp8_scaling", "delayed", "Delayed"},
    {"output.format", "kohya", "kohya"},

    {"", "lora", adapter_title(AdapterType::lora)},
    {"", "dora", adapter_title(AdapterType::dora)},
    {"", "loha", adapter_title(AdapterType::loha)},
    {"", "lokr", adapter_title(AdapterType::lokr)},
    {"", "rslora", "rsLoRA"},
    {"", "pissa", "PiSSA"},
    {"", "attention", "Attention"},
    {"", "attention+mlp", "Attention and MLP"},
    {"", "linear+conv", "Linear and convolution layers"},
    {"", "denoiser", "Denoiser"},
    {"", "te1", "Text encoder 1"},
    {"", "te2", "Text encoder 2"},
    {"", "vae", "VAE"},
    {"", "embeddings", "Embeddings"},
    {"", "fp32", "FP32"},
    {"", "tf32", "TF32"},
    {"", "bf16", "BF16"},
    {"", "fp16", "FP16"},
    {"", "fp8", "FP8"},
    {"", "fp8_e4m3", "FP8 E4M3"},
    {"", "fp8_e5m2", "FP8 E5M2"},
    {"", "int8", "INT8"},
    {"", "int8_fp16", "INT8 with FP16"},
    {"", "int8_convrot", "INT8 ConvRot"},
    {"", "mxfp8", "MXFP8"},
    {"", "nf4", "NF4"},
    {"", "nvfp4", "NVFP4"},
    {"", "gguf", "GGUF"},
    {"", "8bit", "8-bit"},
    {"", "auto", "Automatic"},
    {"", "off", "Off"},
    {"", "dynamic", "Dynamic"},
    {"", "mse", "MSE"},
    {"", "huber", "Huber"},
    {"", "smooth_l1", "Smooth L1"},
    {"", "adamw", "AdamW"},
    {"", "adamw8bit", "AdamW 8-bit"},
    {"", "lion", "Lion"},
    {"", "adafactor", "Adafactor"},
    {"", "prodigy", "Prodigy"},
    {"", "came", "CAME"},
    {"", "adamwschedulefree", "AdamW, schedule-free"},
    {"", "prodigyschedulefree", "Prodigy, schedule-free"},
    {"", "muon", "Muon"},
    {"", "automagic", "Automagic (a rate for each value)"},
    {"", "sgd", "SGD"},
    {"", "constant", "Constant"},
    {"", "linear", "Linear"},
    {"", "cosine", "Cosine"},
    {"", "cosine_restarts", "Cosine with restarts"},
    {"", "rex", "REX"},
    {"", "polynomial", "Polynomial"},
    {"", "cosine_waves", "Cosine waves"},
    {"", "inverse_sqrt", "Inverse square root"},
    {"", "diffusers", "diffusers"},
    {"", "plain_lora", "Plain LoRA"},
    {"", "peft", "PEFT"},
    {"", "onetrainer", "OneTrainer"},
    {"", "comfyui", "ComfyUI"},
    {"", "a1111", "A1111"},
};

}  // namespace

std::span<const ValueTitle> value_titles() {
  return kTitles;
}

std::string_view value_title(std::string_view key, std::string_view value) {
  for (const ValueTitle& row : kTitles) {
    if (row.value == value && (row.key.empty() || row.key == key)) {
      return row.title;
    }
  }
  if (key == "model.family") {
    if (const FamilyRow* row = find_family_row(value)) {
      return row->title;
    }
  }
  return value;
}

}  // namespace mantissa
