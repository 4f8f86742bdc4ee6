#include "engine/cli/check_capabilities.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/core/platform.h"
#include "engine/plan/capabilities.h"
#include "engine/preset/family_table.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

Json choice_json(const PrecisionChoice& choice) {
  return {{"compute", enum_name(choice.compute)}, {"weights", enum_name(choice.weights)}};
}

/// One choice on every device.
void add_choices(Json& list, const Family& family, const TrainingKind& kind,
                 const PrecisionChoice& choice) {
  for (const DeviceKind& device : device_kinds()) {
    const Capability result = capability(family, kind, choice, device.facts);
    Json row{{"family", family.id().name()},
             {"method", kind.name()},
             {"compute", enum_name(choice.compute)},
             {"weights", enum_name(choice.weights)},
             {"device", device.id()},
             {"trains", result.trains}};
    if (result.trains && result.used != choice) {
      row["used"] = choice_json(result.used);
    }
    if (!result.reasons.empty()) {
      row["findings"] = result.reasons;
    }
    list.push_back(std::move(row));
  }
}

Json families_json() {
  Json list = Json::array();
  for (const Family* family : listed_families()) {
    Json parts = Json::array();
    for (const PartFiles& part : family->parts) {
      parts.push_back(part.part.name());
    }
    const FamilyRow& row = family->row;
    list.push_back({{"family", row.id.name()},
                    {"models", family_models(row)},
                    {"parts", std::move(parts)},
                    {"edits", family->reference_pixels > 0}});
  }
  return list;
}

Json devices_json() {
  Json list = Json::array();
  for (const DeviceKind& device : device_kinds()) {
    Json platforms = Json::array();
    for (const PlatformRow& platform : kPlatforms) {
      if (platform.cards || device.cards.empty()) {
        platforms.push_back(platform.name);
      }
    }
    list.push_back(
        {{"device", device.id()}, {"cards", device.cards}, {"platforms", std::move(platforms)}});
  }
  return list;
}

Json platforms_json() {
  Json list = Json::array();
  for (const PlatformRow& platform : kPlatforms) {
    list.push_back({{"platform", platform.name},
                    {"several_processes", platform.several_processes},
                    {"tested", platform.tested},
                    {"cards_tried", platform.cards_tried}});
  }
  return list;
}

Json capabilities_event() {
  Json choices = Json::array();
  for (const Family* family : listed_families()) {
    for (const TrainingKind& kind : training_kinds()) {
      for (std::size_t c = 0; c < enum_names<ComputeType>().size(); ++c) {
        for (std::size_t w = 0; w < enum_names<StorageType>().size(); ++w) {
          add_choices(choices, *family, kind,
                      {static_cast<ComputeType>(c), static_cast<StorageType>(w)});
        }
      }
    }
  }
  return {{"event", "capabilities"},
          {"families", families_json()},
          {"devices", devices_json()},
          {"platforms", platforms_json()},
          {"choices", std::move(choices)}};
}

}  // namespace

int print_capabilities(CommandSession& session) {
  if (session.json) {
    write_event(session.out(), capabilities_event());
  } else {
    session.out() << capabilities_markdown() << std::flush;
  }
  return 0;
}

}  // namespace mantissa
