#include "engine/tools/tool_table.h"

#include <algorithm>
#include <utility>

#include "engine/preset/names.h"
#include "engine/readers/reader.h"

namespace mantissa {
namespace {

using Options = std::vector<ToolOption>;

ToolOption base_option(Message help) {
  return {ToolField::base, "--base", "PATH", message<"Base model">(), std::move(help), true};
}

ToolOption adapter_base() {
  return base_option(message<"Base model the adapter is for: its modules give the names">());
}

ToolOption model_base() {
  return base_option(
      message<"Base model: .safetensors, .gguf, diffusers folder, demo or demo-z-image">());
}

ToolOption file_option(Message help) {
  return {ToolField::file, "FILE", "FILE", message<"File">(), std::move(help), true};
}

ToolOption dtype_option(Message help) {
  return {ToolField::dtype, "--dtype", "TYPE", message<"Type">(), std::move(help)};
}

ToolOption out_option(Message help) {
  return {ToolField::out, "--out", "PATH", message<"Result">(), std::move(help), true};
}

ToolOption overwrite_option() {
  return {ToolField::overwrite, "--overwrite", "", message<"Overwrite">(), overwrite_help()};
}

ToolOption axis_option() {
  return {ToolField::axis, "--dora-axis", "AXIS", message<"DoRA's side">(), dora_axis_help()};
}

/// What an adapter is written as.
void add_form(Options& options) {
  options.push_back(adapter_base());
  options.push_back({ToolField::format, "--format", "FORMAT", message<"Format">(),
                     message<"Program the file is for, as output.format in a preset">()});
  options.push_back(dtype_option(message<"Type of the tensors in the file">()));
  options.push_back(out_option(message<"File to write; with the format peft a folder">()));
  options.push_back(overwrite_option());
}

void add_rank(Options& options) {
  options.push_back({ToolField::rank, "--rank", "N", message<"Rank">(),
                     message<"Largest rank of a module">(), true});
  options.push_back(
      {ToolField::energy, "--energy", "X", message<"Share of the change">(),
       message<"Take only as much of the rank as holds this share of the energy of each module's "
               "change, the sum of its squares">()});
}

ToolRow merge_row() {
  return {
      Tool::merge,
      "merge",
      message<"Merge">(),
      message<"Put adapters into a base model for good">(),
      {model_base(),
       dtype_option(message<"Type of the weights in the file; without it, the base's">()),
       out_option(message<"What to write: a .safetensors file with LDM names, or a diffusers "
                          "folder">()),
       overwrite_option(),
       {ToolField::adapters, "--lora", "FILE[:WEIGHT]", message<"Adapters">(),
        message<"Adapter file, or a checkpoint's or run's folder, with a weight if not 1">(), true},
       axis_option()}};
}

ToolRow extract_row() {
  ToolRow row{Tool::extract,
              "extract",
              message<"Extract">(),
              message<"The difference between a tuned model and its base, as a LoRA">(),
              {{ToolField::tuned, "--tuned", "PATH", message<"Tuned model">(),
                message<"The model that was trained or merged">(), true}}};
  add_form(row.options);
  add_rank(row.options);
  return row;
}

ToolRow convert_row() {
  ToolRow row{Tool::convert,
              "convert",
              message<"Convert">(),
              message<"Write an adapter in another program's form">(),
              {file_option(message<"Adapter file, a folder that PEFT wrote, or a checkpoint's or "
                                   "run's folder">())}};
  add_form(row.options);
  row.options.push_back(
      {ToolField::reader, "--for", "PROGRAM", message<"Program">(),
       message<"Choose a format that this program reads in full, in place of --format">()});
  row.options.push_back(axis_option());
  return row;
}

ToolRow resize_row() {
  ToolRow row{Tool::resize,
              "resize",
              message<"Resize">(),
              message<"Give an adapter another rank, by singular values">(),
              {file_option(message<"Adapter file (LoRA, DoRA, LoHa, LoKr …), or a checkpoint's or "
                                   "run's folder">())}};
  add_form(row.options);
  add_rank(row.options);
  row.options.push_back(axis_option());
  return row;
}

ToolRow quantise_row() {
  return {
      Tool::quantise,
      "quantise",
      message<"Quantise">(),
      message<"Write a base model with 8-bit or 4-bit weights, for training and for ComfyUI">(),
      {model_base(),
       dtype_option(message<"Type of all other weights; without it, the base model's">()),
       out_option(message<"What to write: a .safetensors file">()),
       overwrite_option(),
       {ToolField::weights, "--weights", "TYPE", message<"Weights">(),
        message<"Type of the denoiser's linear layers; entries, exits, timestep layers, and with "
                "mxfp8 and nvfp4 those whose rows blocks don't fill, stay as they are">(),
        true}}};
}

ToolRow inspect_row() {
  return {Tool::inspect,
          "inspect",
          message<"Inspect">(),
          message<"What a checkpoint, adapter or embedding holds, from its headers">(),
          {file_option(message<"A .safetensors or .gguf file, a diffusers folder, or a "
                               "checkpoint's or run's folder">()),
           {ToolField::readers, "--for", "PROGRAM", message<"Program">(),
            message<"Check how this program would read the adapter">()},
           {ToolField::base, "--base", "PATH", message<"Base model">(),
            message<"With --for: base model that the adapter is for">()},
           axis_option()}};
}

std::vector<std::string> reader_keys() {
  std::vector<std::string> keys;
  for (const Reader* reader : readers()) {
    keys.emplace_back(reader->key);
  }
  return keys;
}

}  // namespace

Message overwrite_help() {
  return message<"Replace files that exist already">();
}

Message dora_axis_help() {
  return message<
      "Which side a DoRA's magnitudes are for, where its file leaves that open: output "
      "(PEFT, LyCORIS) or input (OneTrainer's default)">();
}

std::vector<ToolRow> tool_table() {
  return {merge_row(), extract_row(), convert_row(), resize_row(), quantise_row(), inspect_row()};
}

ToolRow tool_row(Tool tool) {
  std::vector<ToolRow> rows = tool_table();
  return *std::ranges::find(rows, tool, &ToolRow::tool);
}

std::vector<std::string> tool_words(ToolField field) {
  switch (field) {
    case ToolField::format: {
      const auto names = enum_names<OutputFormat>();
      return {names.begin(), names.end()};
    }
    case ToolField::reader:
      return reader_keys();
    case ToolField::readers: {
      std::vector<std::string> keys = reader_keys();
      keys.emplace_back("all");
      return keys;
    }
    case ToolField::dtype:
      return {"fp32", "bf16", "fp16"};
    case ToolField::weights:
      return {"fp8_e4m3", "int8", "int8_convrot", "mxfp8", "nvfp4"};
    case ToolField::axis:
      return {"output", "input"};
    default:
      return {};
  }
}

}  // namespace mantissa
