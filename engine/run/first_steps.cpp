#include "engine/run/first_steps.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/io/config_fields.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"

namespace mantissa {

using nlohmann::json;

namespace {

constexpr int kTraceVersion = 1;
constexpr std::string_view kWholeSet = "all of them";

std::string trace_checksum(json object) {
  object.erase("checksum");
  return sha256_hex(object.dump());
}

bool is_of_images(const Ingredient& i) {
  return i.part == "images" || i.part == "prior" || i.part == "validation";
}

/// `identity` with one ingredient for each set of images.
RunIdentity with_whole_sets(const RunIdentity& identity) {
  RunIdentity files;
  std::map<std::string, Ingredient> sets;
  std::map<std::string, Sha256> hashes;
  for (const Ingredient& i : identity) {
    if (!is_of_images(i)) {
      files.push_back(i);
      continue;
    }
    sets[i.part].bytes += i.bytes;
    hashes[i.part].update(fmt::format("{}\n{}\n", i.name, i.sha256));
  }
  for (auto& [part, set] : sets) {
    files.push_back({part, std::string(kWholeSet), {}, hashes[part].hex(), set.bytes});
  }
  return files;
}

bool has_whole_sets(const RunIdentity& identity) {
  return std::any_of(identity.begin(), identity.end(),
                     [](const Ingredient& i) { return is_of_images(i) && i.name == kWholeSet; });
}

json step_json(const TracedStep& step) {
  return {{"loss", step.loss},       {"grad_norm", step.grad_norm}, {"loss_scale", step.loss_scale},
          {"skipped", step.skipped}, {"seconds", step.seconds},     {"hashes", step.hashes},
          {"norms", step.norms}};  // NaN becomes null
}

std::string text_of(const FirstSteps& trace, const RunIdentity& identity) {
  json object;
  object["mantissa_first_steps"] = kTraceVersion;
  object["version"] = trace.version;
  object["device"] = trace.device;
  object["repeatable"] = trace.repeatable;
  object["compute"] = trace.compute;
  object["peak_bytes"] = trace.peak_bytes;
  object["identity"] = to_json(identity);
  object["tensors"] = trace.tensors;
  object["steps"] = json::array();
  for (const TracedStep& step : trace.steps) {
    object["steps"].push_back(step_json(step));
  }
  object["checksum"] = trace_checksum(object);
  return printable_json(object.dump()) + "\n";
}

const json& required(const ConfigFields& fields, const char* key) {
  const json* value = fields.find(key);
  if (value == nullptr) {
    fields.fail(key, message<"is missing">());
  }
  return *value;
}

double number_of(const ConfigFields& fields, const json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end()) {
    fields.fail(key, message<"is missing">());
  }
  if (!at->is_number() && !at->is_null()) {
    fields.fail(key, message<"must be a number, it is {found}">(fields.start_of(*at)));
  }
  return at->is_null() ? std::numeric_limits<double>::quiet_NaN() : at->get<double>();
}

TracedStep step_of(const json& object, std::size_t tensors, const std::string& label) {
  const ConfigFields fields(object, label);
  TracedStep step;
  step.loss = number_of(fields, object, "loss");
  step.grad_norm = number_of(fields, object, "grad_norm");
  step.loss_scale = number_of(fields, object, "loss_scale");
  step.seconds = number_of(fields, object, "seconds");
  step.skipped = fields.boolean("skipped", false);
  step.hashes = fields.texts("hashes", {});
  const json& norms = required(fields, "norms");
  if (step.hashes.size() != tensors || !norms.is_array() || norms.size() != tensors) {
    fields.fail("hashes", message<"must have one entry for each of {count} tensors">(tensors));
  }
  for (const json& norm : norms) {
    if (!norm.is_number() && !norm.is_null()) {
      fields.fail("norms", message<"must be a number, it is {found}">(fields.start_of(norm)));
    }
    step.norms.push_back(norm.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                        : norm.get<double>());
  }
  return step;
}

void require_whole_trace(const json& object, const ConfigFields& fields, const std::string& label) {
  if (fields.integer("mantissa_first_steps", std::nullopt) > kTraceVersion) {
    throw Error(
        message<"{file} was written by a newer version; verify the run with that one">(label));
  }
  if (fields.text("checksum", "") != trace_checksum(object)) {
    throw Error(message<"{file} is damaged: it has another content than its checksum says. The run "
                        "can't be verified; the run itself is not affected">(label));
  }
}

}  // namespace

std::filesystem::path trace_file(const std::filesystem::path& run) {
  return run / "first-steps.json";
}

std::string to_text(const FirstSteps& trace) {
  std::string text = text_of(trace, trace.identity);
  if (text.size() > kLargestTrace) {
    text = text_of(trace, with_whole_sets(trace.identity));
  }
  if (text.size() > kLargestTrace) {
    throw Error(message<"the trace of the first steps would have {bytes} bytes, more than the "
                        "{most} that it may have: the run keeps none and can't be verified">(
        text.size(), kLargestTrace));
  }
  return text;
}

FirstSteps parse_first_steps(const std::string& text, const std::string& label) {
  const json object = parse_json(text, label);
  const ConfigFields fields(object, label);
  require_whole_trace(object, fields, label);
  FirstSteps trace;
  trace.version = fields.text("version", "");
  trace.device = fields.text("device", "");
  trace.repeatable = fields.boolean("repeatable", true);
  trace.compute = fields.text("compute", "");
  const json& peak = required(fields, "peak_bytes");
  if (!peak.is_number_unsigned()) {
    fields.fail("peak_bytes", message<"must be a number of bytes, it is {found}">(peak.dump()));
  }
  trace.peak_bytes = peak.get<std::uint64_t>();
  trace.identity = identity_from_json(required(fields, "identity"), label);
  trace.tensors = fields.texts("tensors", {});
  const json& steps = required(fields, "steps");
  if (!steps.is_array() || steps.empty()) {
    fields.fail("steps", message<"must be a list of steps">());
  }
  for (const json& step : steps) {
    trace.steps.push_back(step_of(step, trace.tensors.size(), label));
  }
  return trace;
}

void require_traced_inputs(const RunIdentity& traced, const RunIdentity& now) {
  constexpr std::size_t kNamed = 6;
  const std::vector<IdentityChange> changes =
      changes_between(traced, has_whole_sets(traced) ? with_whole_sets(now) : now);
  if (changes.empty()) {
    return;
  }
  std::vector<Message> texts;
  for (std::size_t i = 0; i < std::min(changes.size(), kNamed); ++i) {
    texts.push_back(changes[i].text);
  }
  if (changes.size() > kNamed) {
    texts.push_back(message<"and {count} more">(changes.size() - kNamed));
  }
  throw Error(
      message<"the run was started with other files: {changes}. Restore them: only with the "
              "same inputs can two versions be compared">(joined<"; ">(std::move(texts))));
}

}  // namespace mantissa
