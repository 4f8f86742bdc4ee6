#include "gui/tools/ToolAdapters.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/run/run_adapters.h"
#include "gui/base/Text.h"
#include "gui/widgets/PathEdit.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {
namespace {

constexpr double kMostWeight = 100;
constexpr int kWeightWidth = 72;

}  // namespace

ToolAdapters::ToolAdapters(const Theme* theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(Space::tiny);
  add_row();
}

void ToolAdapters::add_row() {
  const int number = static_cast<int>(rows_.size()) + 1;
  auto* line = new QWidget(this);
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
  auto* path = new PathEdit(
      {tr("Adapter %1").arg(number), number == 1 ? tr("Adapter") : tr("Another adapter"),
       file_chooser(tr("Adapter"), tr("Adapters (*.safetensors);;All files (*)"))},
      theme_, line);
  row->addWidget(path, 1);
  auto* weight = new SciSpin(-kMostWeight, kMostWeight, line);
  weight->setAccessibleName(tr("Weight of adapter %1").arg(number));
  weight->setToolTip(tr("Weight"));
  weight->setFixedWidth(kWeightWidth);
  weight->set_value(1);
  row->addWidget(weight);
  column_->addWidget(line);
  rows_.push_back({path, weight});
  connect(path, &PathEdit::changed, this, [this] {
    keep_one_more();
    emit changed();
  });
  connect(weight, &SciSpin::edited, this, &ToolAdapters::changed);
}

void ToolAdapters::keep_one_more() {
  if (!rows_.back().path->path().isEmpty()) {
    add_row();
  }
}

void ToolAdapters::add(const QString& path) {
  const auto free =
      std::ranges::find_if(rows_, [](const Row& row) { return row.path->path().isEmpty(); });
  free->path->set_path(path);
}

bool ToolAdapters::is_empty() const {
  return std::ranges::all_of(rows_, [](const Row& row) { return row.path->path().isEmpty(); });
}

bool ToolAdapters::has_weights() const {
  return std::ranges::all_of(rows_, [](const Row& row) {
    const std::optional<double> weight = row.weight->value();
    return weight && std::abs(*weight) <= kMostWeight;
  });
}

std::vector<WeightedFile> ToolAdapters::adapters() const {
  std::vector<WeightedFile> files;
  for (const Row& row : rows_) {
    if (!row.path->path().isEmpty()) {
      files.push_back({adapter_at(to_path(row.path->path())), row.weight->value().value_or(1)});
    }
  }
  return files;
}

}  // namespace mantissa::gui
