#include "gui/precision/PlanLine.h"

#include <QCoreApplication>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "gui/base/Text.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {
namespace {

using Json = nlohmann::ordered_json;

QString text_of(const Json& object, const char* key) {
  const auto at = object.is_object() ? object.find(key) : object.end();
  return at == object.end() ? QStringLiteral("–") : value_text(nlohmann::json(*at), 40);
}

/// Plans from before other families existed call the denoiser "unet".
QString denoiser_of(const Json& object) {
  return text_of(object, object.is_object() && object.contains("unet") ? "unet" : "denoiser");
}

}  // namespace

QString plan_line(const std::string& precision_json, const Preset& preset) {
  const Json json = Json::parse(precision_json, nullptr, false);
  if (!json.is_object() || !json.contains("weights")) {
    return {};
  }
  const QString clip = preset.training.max_grad_norm > 0
                           ? format_exact(preset.training.max_grad_norm)
                           : QCoreApplication::translate("PlanLine", "off");
  return QCoreApplication::translate("PlanLine",
                                     "Weights: %1 · Activations: %2 · Gradients: %3 · Optimizer "
                                     "state: %4 · Gradient clipping: %5 · Loss scaling: %6")
      .arg(denoiser_of(json["weights"]), denoiser_of(json.value("activations", Json::object())),
           text_of(json, "gradients"), text_of(json, "optimizer_state"), clip,
           text_of(json, "loss_scaling"));
}

QVector<QStringList> plan_table(const std::string& precision_json) {
  const Json json = Json::parse(precision_json, nullptr, false);
  QVector<QStringList> rows;
  if (!json.is_object()) {
    return rows;
  }
  for (const Json& m : json.value("modules", Json::array())) {
    const QString part = text_of(m, "part");
    const QStringList types{text_of(m, "storage"), text_of(m, "compute"),
                            text_of(m, "accumulation")};
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const QStringList& row) {
      return row[0] == part && row.mid(2) == types;
    });
    if (same == rows.end()) {
      rows << (QStringList{part, text_of(m, "kind")} + types);
    } else {
      (*same)[1] += QStringLiteral(", ") + text_of(m, "kind");
    }
  }
  for (QStringList& row : rows) {
    const auto of_part = [&](const QStringList& other) { return other[0] == row[0]; };
    if (std::count_if(rows.begin(), rows.end(), of_part) == 1) {
      row[1] = QCoreApplication::translate("PlanLine", "all");
    }
  }
  if (json.contains("adapter")) {
    const QString compute = text_of(json, "compute");
    rows << QStringList{QCoreApplication::translate("PlanLine", "adapter"),
                        QCoreApplication::translate("PlanLine", "all"), text_of(json, "adapter"),
                        compute == QLatin1String("FP8") || compute.startsWith(QLatin1String("INT8"))
                            ? QStringLiteral("BF16")
                            : compute,
                        QStringLiteral("FP32")};
  }
  return rows;
}

}  // namespace mantissa::gui
