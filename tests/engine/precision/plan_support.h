#pragma once
// A preset on a model and a device.

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/precision/catalogue.h"
#include "engine/precision/plan.h"

namespace mantissa {

struct Situation {
  Preset preset;
  ModelFacts model;
  DeviceFacts device;

  PrecisionPlan plan() const { return make_precision_plan(preset, model, device); }
  std::vector<PrecisionFinding> findings() const { return plan().findings; }
};

inline std::optional<PrecisionFinding> find(const std::vector<PrecisionFinding>& findings,
                                            std::string_view id) {
  const auto at = std::find_if(findings.begin(), findings.end(),
                               [id](const PrecisionFinding& f) { return f.id == id; });
  return at == findings.end() ? std::nullopt : std::optional(*at);
}

inline std::set<std::string> explained_ids(const Situation& s) {
  std::set<std::string> ids;
  for (const PrecisionFinding& f : explained_findings(s.plan())) {
    ids.insert(f.id);
  }
  return ids;
}

}  // namespace mantissa
