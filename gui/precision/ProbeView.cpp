#include "gui/precision/ProbeView.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/precision/pins.h"
#include "engine/preset/preset_io.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/precision/FrontView.h"
#include "gui/precision/ProbeTable.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

ProbeView::ProbeView(PresetDocument* document, const Theme* theme, QWidget* parent)
    : DraftTestView(document,
                    {tr("Probe the precision of this preset"), tr("Cancel the probe"),
                     tr("Progress of the probe")},
                    parent),
      theme_(theme) {
  build_tools();
  add_verdict();
  pin_all_ = new QPushButton(this);
  column()->addWidget(pin_all_, 0, Qt::AlignLeft);
  stack_ = new QStackedWidget(this);
  build_intro();
  build_table();
  stack_->addWidget(table_);
  front_ = new FrontView(theme, stack_);
  stack_->addWidget(front_);
  column()->addWidget(stack_, 1);

  connect(run_button(), &QPushButton::clicked, this,
          [this] { emit run_requested(chosen_steps()); });
  connect(solve_, &QPushButton::clicked, this, [this] { emit solve_requested(chosen_steps()); });
  connect(front_, &FrontView::chosen, this, &ProbeView::use_types);
  connect(pin_all_, &QPushButton::clicked, this, &ProbeView::pin_suggested);
  update_state();
}

void ProbeView::build_intro() {
  auto* intro = new EmptyState(
      Icon::search,
      tr("Which layers need a wider number type?\n\nThe probe trains the first steps twice, in "
         "this "
         "preset's precision and in FP32. You get the layers by how far their gradients are off, "
         "and one click pins those that need it.\n\nFind types measures about fifteen choices of "
         "types for all layers instead. You get those with the best balance of memory, time and "
         "error.\n\nBoth write nothing."),
      theme_, stack_);
  add_intro(intro, tr("Probe"));
  find_ = intro->add_button(solve_->text(), solve_->accessibleName());
  find_->setToolTip(solve_->toolTip());
  connect(find_, &QPushButton::clicked, solve_, &QPushButton::click);
  stack_->addWidget(intro);
}

void ProbeView::build_tools() {
  solve_ = new QPushButton(tr("Find types"), this);
  solve_->setAccessibleName(tr("Find types for the layers"));
  solve_->setToolTip(
      tr("Measures about fifteen choices of types: takes as many times as long as a probe"));
  add_tool(solve_);
  add_tool(make_label(tr("Steps"), "muted", this));
  steps_ = new NoWheelSpin(1, 1000, this);
  steps_->set_value(ProbeOptions{}.steps);
  steps_->setAccessibleName(tr("Steps of the probe"));
  steps_->setToolTip(tr("Steps in each precision: more find rarer losses, and take longer"));
  steps_->setFixedWidth(72);
  add_tool(steps_);
}

void ProbeView::build_table() {
  model_ = new ProbeTable(this);
  table_ = new QTableView(this);
  table_->setModel(model_);
  table_->setAccessibleName(tr("Layers, the most damaged first"));
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setAccessibleName(tr("Rows"));
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  QHeaderView* header = table_->horizontalHeader();
  header->setAccessibleName(tr("Columns"));
  header->setHighlightSections(false);
  header->setMinimumSectionSize(40);
  for (int column = 0; column < ProbeTable::columns; ++column) {
    const QString title = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const int text = std::max(header->fontMetrics().horizontalAdvance(title),
                              fontMetrics().horizontalAdvance(QStringLiteral("0.00000 ")));
    table_->setColumnWidth(column, text + 2 * Space::medium);
  }
  table_->setColumnWidth(ProbeTable::pin, fontMetrics().horizontalAdvance(QLatin1String("bf16")) +
                                              style()->pixelMetric(QStyle::PM_IndicatorWidth) +
                                              3 * Space::medium);
  // Enter, or a double click, anywhere in the row.
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    if (index.column() != ProbeTable::pin) {
      model_->toggle(index.row());
    }
  });
  connect(model_, &ProbeTable::pin_requested, this, [this](const QString& path, StorageType type) {
    change_pins({{path.toStdString(), type}}, tr("pin of %1").arg(path));
  });
  connect(model_, &ProbeTable::unpin_requested, this, [this](const QString& path) {
    change_pins({{path.toStdString(), std::nullopt}}, tr("removal of the pin of %1").arg(path));
  });
}

void ProbeView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // The names take what is left, and never less than tells one from its neighbours.
  const int em = fontMetrics().averageCharWidth();
  int others = 0;
  for (int column = 0; column < ProbeTable::columns; ++column) {
    others += column == ProbeTable::layer ? 0 : table_->columnWidth(column);
  }
  table_->setColumnWidth(ProbeTable::layer,
                         std::clamp(width() - others - 2 * Space::medium, 32 * em, 72 * em));
}

void ProbeView::change_pins(
    const std::vector<std::pair<std::string, std::optional<StorageType>>>& pins,
    const QString& name) {
  Preset preset = document_->preset();
  for (const auto& [path, type] : pins) {
    set_pin(preset.precision.pins, path, type);
  }
  document_->replace(preset, name);
}

void ProbeView::pin_suggested() {
  std::vector<std::pair<std::string, std::optional<StorageType>>> pins;
  for (const ProbePin& pin : report_->pins) {
    pins.emplace_back(pin.path, pin.type);
  }
  change_pins(pins, tr("pins of the probe"));
}

void ProbeView::use_types(const QString& patch) {
  Preset preset = document_->preset();
  apply_patch(preset, nlohmann::json::parse(patch.toStdString()));
  document_->replace(preset, tr("types found by the probe"));
}

std::int64_t ProbeView::chosen_steps() const {
  return std::max<std::int64_t>(steps_->value().value_or(4), 1);
}

void ProbeView::show_report(const ProbeReport& report, const Preset& preset) {
  report_ = report;
  found_.reset();
  probed_ = preset;
  model_->set_modules(ranked_by_damage(*report_));
  tell(plain_text(report.verdict), report.non_finite ? QStringLiteral("error") : QString());
  update_state();
  if (model_->rowCount() > 0) {
    table_->setCurrentIndex(model_->index(0, ProbeTable::pin));
  }
}

void ProbeView::show_front(const PrecisionFront& front, const Preset& preset) {
  report_.reset();
  found_ = front;
  probed_ = preset;
  front_->show_front(front);
  QStringList text{tr("Of %1 choices measured, %2 are beaten by no other one.")
                       .arg(front.tried)
                       .arg(front.points.size())};
  for (const RefusedChoice& choice : front.refused) {
    text << tr("%1 weights computed in %2 are refused: %3")
                .arg(choice_text(QString(), to_qstring(enum_name(choice.weights))),
                     choice_text(QStringLiteral("precision.compute"),
                                 to_qstring(enum_name(choice.compute))),
                     message_text(choice.reason));
  }
  tell(text.join(QLatin1Char(' ')), {});
  update_state();
}

void ProbeView::show_problem(const QString& message) {
  tell(message, QStringLiteral("error"));
  report_.reset();
  found_.reset();
  model_->set_modules({});
  update_state();
}

void ProbeView::update_state() {
  const auto pins = canonical_pins(document_->preset().precision.pins);
  model_->set_pins(pins);
  solve_->setVisible(!running_);
  solve_->setEnabled(refusal_.isEmpty());
  find_->setEnabled(refusal_.isEmpty() && !running_);
  steps_->setEnabled(!running_);
  stack_->setCurrentIndex(report_ ? 1 : found_ ? 2 : 0);
  const auto missing = !report_ ? 0
                                : std::count_if(report_->pins.begin(), report_->pins.end(),
                                                [&](const ProbePin& pin) {
                                                  const auto it = pins.find(pin.path);
                                                  return it == pins.end() || it->second != pin.type;
                                                });
  pin_all_->setVisible(missing > 0);
  pin_all_->setText(tr("Pin %n suggested layer(s)", nullptr, static_cast<int>(missing)));
  pin_all_->setAccessibleName(pin_all_->text());
  const bool outdated = (report_ || found_) && !(probed_ == document_->preset());
  show_common(report_ ? tr("Probe again") : tr("Probe"), refusal_,
              outdated ? tr("The preset has changed since this probe.") : QString());
}

}  // namespace mantissa::gui
