#include "gui/base/WindowWords.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace mantissa::gui {
namespace {

/// Templates whose advice is a command, and what the window says in their place.
const std::map<std::string_view, std::string_view>& window_templates() {
  static const std::map<std::string_view, std::string_view> templates{
      {message_template<"{message}. Saved at step {step}, in {file}; continue with --resume {folder}">.text, message_template<"{message}. Saved at step {step}; Resume continues it">.text},
      {message_template<"{message}. No checkpoint was saved; start it again with --resume {folder}">.text, message_template<"{message}. No checkpoint was saved; Resume starts it again">.text},
      {message_template<"{path} exists already; pass --overwrite to replace it, or choose another path">.text, message_template<"{path} exists already; turn on --overwrite to replace it, or choose another path">.text},
      {message_template<"{path} is a folder that is not empty; pass --overwrite to replace files in it, or choose another path">.text, message_template<"{path} is a folder that is not empty; turn on --overwrite to replace files in it, or choose another path">.text},
      {message_template<"--out {file} is what this command reads; write the result elsewhere">.text, message_template<"{file} is what this tool reads; write the result elsewhere">.text},
      {message_template<"--out {file} and {input}, which this command reads, lie inside each other; write the result elsewhere">.text, message_template<"{file} and {input}, which this tool reads, lie inside each other; write the result elsewhere">.text},
      {message_template<"--for {program}: none of the formats of this adapter is read by {title} in full; `mantissa inspect --for {program}` says why. Merge it into the base model instead">.text, message_template<"{title} reads none of the formats of this adapter in full; Inspect says why. Merge it into the base model instead">.text},
      {message_template<"device {device} can't be used: {reason}. Or use --device cpu">.text, message_template<"{device} can't be used: {reason}. Choose another device, such as the CPU">.text},
      {message_template<"process {number} (id {id}) ended without giving a reason, so the run can't continue. Resume it with --resume">.text, message_template<"process {number} (id {id}) ended without giving a reason, so the run can't continue. Resume starts it again from its last checkpoint">.text},
      {message_template<"{process} can't be heard any more: it was stopped or ended, its machine is down, or the network between is. The run can't continue. Resume it with --resume">.text, message_template<"{process} can't be heard any more: it was stopped or ended, its machine is down, or the network between is. Resume starts the run again from its last checkpoint">.text},
      {message_template<"NCCL can't reach the other cards: {reason}. The run can't continue. Resume it with --resume">.text, message_template<"NCCL can't reach the other cards: {reason}. Resume starts the run again from its last checkpoint">.text},
      {message_template<"no process trains the run in {folder}; continue it with mantissa train --resume {folder}">.text, message_template<"no process trains the run in {folder}; Resume continues it">.text},
      {message_template<"{alone}. Split over cards, the layers would fit: {parts}. Train so with --split-cards {cards}; {streaming}">.text, message_template<"{alone}. Split over the cards {cards}, the layers would fit: {parts}. Choose these under “Device”; {streaming}">.text},
      {message_template<"a probe runs on one device: give --device in place of --split-cards">.text, message_template<"a probe runs on one device: choose one">.text},
      {message_template<"none of the {count} prior-preservation images is left: all are trained on or in the validation set, so there is no prior preservation; give other images with --prior">.text, message_template<"none of the {count} prior-preservation images is left: all are trained on or in the validation set, so there is no prior preservation; choose other prior images">.text},
      {message_template<"every image is also in a validation folder, so there is none to train on; give other images with --validation">.text, message_template<"every image is also in a validation folder, so there is none to train on; choose other validation images">.text},
      {message_template<"no choice of types is within these limits: the smallest takes {bytes}, the fastest {time} a step; raise --fit or --step-time, or lower data.batch_size or data.resolution">.text, message_template<"no choice of types is within these limits: the smallest takes {bytes}, the fastest {time} a step; raise the limits, or lower data.batch_size or data.resolution">.text},
      {message_template<"{path}: the run's training adapter is missing. Restore it, or give its new place with --training-adapter">.text, message_template<"{path}: the run's training adapter is missing. Restore it, or choose it in its new place">.text},
      {message_template<"{file}: {module} is a DoRA, but adapter.type is lora. Set adapter.type to dora, or write it as plain LoRA first (`mantissa convert --format plain_lora`)">.text, message_template<"{file}: {module} is a DoRA, but adapter.type is lora. Set adapter.type to dora, or write it as plain LoRA first, with Convert on the Tools page">.text},
      {message_template<"{file}: {module} has magnitudes, and adapter.decompose is off. Turn it on, or write the file as plain LoRA first (`mantissa convert --format plain_lora`)">.text, message_template<"{file}: {module} has magnitudes, and adapter.decompose is off. Turn it on, or write the file as plain LoRA first, with Convert on the Tools page">.text},
      {message_template<"{path} is a folder of PEFT's, which PeftModel.from_pretrained loads; other programs read single files. Write one with `mantissa convert`">.text, message_template<"{path} is a folder of PEFT's, which PeftModel.from_pretrained loads; other programs read single files. Convert on the Tools page writes one">.text},
      {message_template<"it is an adapter (LoRA); give the base model that it is for. The adapter itself goes to --continue-from of train and check, or to --lora of sample and merge">.text, message_template<"it is an adapter (LoRA); choose the base model that it is for">.text},
      {message_template<"The plan ({plan}) {how}: its gradients are {gap} off, worst cosine {cosine}; its loss is {loss} off.">.text, message_template<"The plan {how}: its gradients are {gap} off, worst cosine {cosine}; its loss is {loss} off.">.text},
      {message_template<"its caption {file} isn't valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with `mantissa caption --recode`">.text, message_template<"its caption {file} isn't valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with “Read as…”">.text},
      {message_template<"{place} isn't valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with `mantissa caption --recode`">.text, message_template<"{place} isn't valid UTF-8 at byte {byte}; save it as UTF-8, or convert it with “Read as…”">.text},
      {message_template<"No gap: the plan ({plan}) trains as FP32 does.">.text, message_template<"No gap: the plan trains as FP32 does.">.text},
      {message_template<"The plan ({plan}) breaks: its gradients are not finite.">.text, message_template<"The plan breaks: its gradients are not finite.">.text},
      {message_template<"The plan ({plan}) breaks at step {step}: {found}">.text, message_template<"The plan breaks at step {step}: {found}">.text},
  };
  return templates;
}

}  // namespace

Message in_window_words(const Message& message) {
  if (message.kind() == Message::Kind::verbatim) {
    return message;
  }
  std::vector<Message> values;
  for (const Message& value : message.values()) {
    values.push_back(in_window_words(value));
  }
  if (message.kind() == Message::Kind::list) {
    return Message::list(message.source(), std::move(values));
  }
  const auto row = window_templates().find(message.source());
  if (row == window_templates().end()) {
    return Message(message.source(), std::move(values));
  }
  // The window's template may leave values out, and name them in another order.
  const std::vector<std::string_view> names = place_names(message.source());
  std::vector<Message> kept;
  for (const std::string_view name : place_names(row->second)) {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    kept.push_back(values[static_cast<std::size_t>(at)]);
  }
  return Message(std::string(row->second), std::move(kept));
}

}  // namespace mantissa::gui
