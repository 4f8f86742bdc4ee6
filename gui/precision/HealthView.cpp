#include "gui/precision/HealthView.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/plot/Axis.h"
#include "gui/precision/HealthDetails.h"
#include "gui/precision/HealthTable.h"
#include "gui/precision/HeatMap.h"
#include "gui/widgets/BreakRow.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kLeastFilter = 64;   // pixels: some letters of a layer's name
constexpr int kRamp = 8;           // pixels: the legend's height
constexpr int kMostDetails = 320;  // pixels that a histogram can use

/// Module paths are long and similar; the details show them in full.
QString short_path(QString path) {
  for (const auto& [part, brief] : {std::pair{"down_blocks.", "down."},
                                    {"up_blocks.", "up."},
                                    {"mid_block.", "mid."},
                                    {"attentions.", "attn."},
                                    {"transformer_blocks.", "block."}}) {
    path.replace(QLatin1String(part), QLatin1String(brief));
  }
  return path;
}

/// The colour ramp with labelled values, and the meaning of the other marks.
class HeatLegend : public QWidget {
 public:
  HeatLegend(const HealthView* view, const Theme* theme, QWidget* parent)
      : QWidget(parent), view_(view), theme_(theme) {
    setFixedHeight(kRamp + 4 + fontMetrics().height());
    setAccessibleName(HealthView::tr("Legend of the colours"));
    connect(theme, &Theme::changed, this, qOverload<>(&QWidget::update));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const ThemeColors& c = theme_->colors();
    QPainter p(this);
    const QFontMetrics metrics(font());
    const std::vector<double> stops = measure_stops(view_->measure());
    const QString note = HealthView::tr("✕ NaN/Inf   – not measured");
    const double right = width() - metrics.horizontalAdvance(note) - 24;
    const double bar = std::max(right - 8, 60.0);
    for (int x = 0; x < static_cast<int>(bar); ++x) {
      p.fillRect(x, 2, 1, kRamp, heat_color(x / bar, c.dark));
    }
    p.setPen(c.muted);
    double free_from = -1;
    for (const double stop : stops) {
      const QString text = measure_text(view_->measure(), stop);
      const double wide = metrics.horizontalAdvance(text);
      const double x =
          std::clamp(measure_badness(view_->measure(), stop) * bar - wide / 2, 0.0, bar - wide);
      if (x > free_from) {
        p.drawText(QPointF(x, kRamp + 4 + metrics.ascent()), text);
        free_from = x + wide + 6;
      }
    }
    p.drawText(QPointF(width() - metrics.horizontalAdvance(note) - 4, metrics.ascent()), note);
  }

 private:
  const HealthView* view_;
  const Theme* theme_;
};

}  // namespace

HealthView::HealthView(const HealthData* data, const Theme* theme, QWidget* parent)
    : QWidget(parent), data_(data), theme_(theme) {
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(Space::small);
  outer->addWidget(build_report());
  auto* down = new QSplitter(Qt::Vertical, this);
  down->setHandleWidth(Space::small);
  down->setChildrenCollapsible(false);
  auto* card = make_card(down);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(Space::small, Space::small, Space::small, Space::small);
  column->setSpacing(Space::tiny);  // each row of the map counts in a small window
  column->addWidget(build_tools());
  map_ = new HeatMap(theme, card);
  map_->setAccessibleName(tr("Heat map of layers over steps"));
  map_->set_empty_text(tr("Layer statistics appear here every few steps."));
  table_model_ = new HealthTable(this);
  table_ = new QTableView(card);
  table_->setModel(table_model_);
  table_->setAccessibleName(tr("Numerics of every tensor"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setShowGrid(false);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(24);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  table_->horizontalHeader()->setStretchLastSection(true);    // a layer's name is never cut
  table_->horizontalHeader()->setResizeContentsPrecision(0);  // by the rows in view
  table_->horizontalHeader()->setAccessibleName(tr("Columns"));
  table_->verticalHeader()->setAccessibleName(tr("Rows"));
  body_ = new QStackedWidget(card);
  body_->addWidget(map_);
  body_->addWidget(table_);
  body_->setMinimumHeight(40);  // both scroll
  column->addWidget(body_, 1);
  column->addWidget(new HeatLegend(this, theme, card));
  down->addWidget(card);
  details_ = new HealthDetails(theme, down);
  down->addWidget(details_);
  // The map takes what is left: its rows are what is looked through.
  down->setStretchFactor(0, 1);
  down->setStretchFactor(1, 0);
  split_ = down;
  down->installEventFilter(this);
  outer->addWidget(down, 1);
  connect(down, &QSplitter::splitterMoved, this, [this] { is_split_by_hand_ = true; });

  connect(map_, &HeatMap::current_changed, this, &HealthView::show_cell);
  connect(details_, &HealthDetails::tensor_chosen, this, &HealthView::show_cell);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) {
              details_->show_row(table_model_->row(now.row()));
            }
          });
  show_cell();
}

QWidget* HealthView::build_tools() {
  auto* bar = new BreakRow(this);
  auto* left = new QWidget(bar);
  auto* row = new QHBoxLayout(left);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::tiny);
  measures_ = new QButtonGroup(this);
  const QString tips[] = {
      tr("Share of nonzero values that are stored as zero.\nGood: pale, "
         "below a per cent.\nElse a wider type, or loss scaling."),
      tr("Share of the values beyond the format's largest number.\nGood: "
         "none.\nElse pin the layer to BF16 or FP32."),
      tr("Doublings left before the largest value overflows.\nGood: "
         "several.\nNear 0, pin the layer to BF16 or FP32."),
      tr("Signal to rounding noise: about 6 dB for every bit kept.\nGood: "
         "55 dB in BF16, 31 dB in FP8.\nPin a layer far below its neighbours.")};
  for (const HealthMeasure measure : kHealthMeasures) {
    auto* button = new QToolButton(bar);
    button->setText(measure_name(measure));
    explain(button, tips[static_cast<int>(measure)]);
    button->setCheckable(true);
    button->setChecked(measure == measure_);
    button->setProperty("kind", QStringLiteral("chip"));
    button->setAccessibleName(tr("Measure: %1").arg(measure_name(measure)));
    measures_->addButton(button, static_cast<int>(measure));
    row->addWidget(button);
  }
  connect(measures_, &QButtonGroup::idClicked, this,
          [this](int id) { set_measure(static_cast<HealthMeasure>(id)); });
  row->addStretch();
  auto* right = new QWidget(bar);
  row = new QHBoxLayout(right);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::tiny);
  kinds_ = new NoWheelCombo(bar);
  kinds_->setAccessibleName(tr("Tensor"));
  kinds_->addItem(tr("Worst tensor"), -1);
  kinds_->setMinimumContentsLength(12);
  row->addWidget(kinds_);
  connect(kinds_, &QComboBox::activated, this, [this] {
    const int kind = kinds_->currentData().toInt();
    set_kind(kind < 0 ? std::nullopt : std::optional(static_cast<HealthKind>(kind)));
  });
  sort_ = new NoWheelCombo(bar);
  sort_->setAccessibleName(tr("Order of the layers"));
  sort_->addItems({tr("As they run"), tr("Worst first")});
  sort_->setMinimumContentsLength(11);
  row->addWidget(sort_);
  connect(sort_, &QComboBox::activated, this, [this](int i) { set_worst_first(i == 1); });
  filter_ = new QLineEdit(bar);
  filter_->setPlaceholderText(tr("Layer"));
  filter_->setMinimumWidth(kLeastFilter);
  filter_->setAccessibleName(tr("Show only layers whose name holds this"));
  add_clear_button(filter_, tr("Clear the filter"));
  row->addWidget(filter_, 1);
  connect(filter_, &QLineEdit::textChanged, this, [this] {
    stale_ = true;
    refresh();
  });
  auto* as_table = new QToolButton(bar);
  as_table->setText(tr("Table"));
  as_table->setCheckable(true);
  as_table->setProperty("kind", QStringLiteral("chip"));
  as_table->setAccessibleName(tr("Show a table in place of the map"));
  row->addWidget(as_table);
  connect(as_table, &QToolButton::toggled, this, &HealthView::show_table);
  bar->set_halves(left, right);
  return bar;
}

QWidget* HealthView::build_report() {
  auto* card = make_card(this);
  card->setProperty("card", QStringLiteral("error"));
  auto* row = new QHBoxLayout(card);
  row->setContentsMargins(Space::medium, Space::small, Space::medium, Space::small);
  auto* icon = new QLabel(card);
  bind_icon(icon, Icon::error, theme_, [](const ThemeColors& c) { return c.error; });
  row->addWidget(icon, 0, Qt::AlignTop);
  report_text_ = make_label(QString(), "", card);
  report_text_->setWordWrap(true);
  report_text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row->addWidget(report_text_, 1);
  card->hide();
  report_box_ = card;
  return card;
}

void HealthView::show_report(const std::optional<NonFiniteReport>& report) {
  report_box_->setVisible(report.has_value());
  if (report) {
    report_text_->setText(tr("Step %1, first tensor with NaN/Inf: %2")
                              .arg(step_text(report->step), message_text(report->text())));
  }
}

void HealthView::set_measure(HealthMeasure measure) {
  measure_ = measure;
  measures_->button(static_cast<int>(measure))->setChecked(true);
  stale_ = true;
  refresh();
  update();
}

void HealthView::set_kind(std::optional<HealthKind> kind) {
  kind_ = kind;
  kinds_->setCurrentIndex(std::max(kinds_->findData(kind ? static_cast<int>(*kind) : -1), 0));
  stale_ = true;
  refresh();
}

void HealthView::set_worst_first(bool on) {
  worst_first_ = on;
  sort_->setCurrentIndex(on ? 1 : 0);
  stale_ = true;
  refresh();
}

void HealthView::set_filter(const QString& text) {
  filter_->setText(text);
}

void HealthView::show_table(bool on) {
  body_->setCurrentIndex(on ? 1 : 0);
  stale_ = true;
  refresh();
}

/// The details ask for another height once they have their width.
bool HealthView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == split_ &&
      (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)) {
    share_height();
  }
  return QWidget::eventFilter(watched, event);
}

void HealthView::share_height() {
  if (!is_split_by_hand_) {
    const int details = std::max(details_->least_height(split_->width()),
                                 std::min(split_->height() * 3 / 10, kMostDetails));
    split_->setSizes({std::max(split_->height() - details, 1), details});
  }
}

void HealthView::showEvent(QShowEvent*) {
  refresh();
}

void HealthView::refresh() {
  if (isVisible() && (stale_ || seen_ != data_->version())) {
    rebuild();
  }
}

void HealthView::rebuild() {
  stale_ = false;
  seen_ = data_->version();
  const std::vector<HealthKind> kinds = data_->kinds();
  if (kinds_->count() != static_cast<int>(kinds.size()) + 1) {
    kinds_->clear();
    kinds_->addItem(tr("Worst tensor"), -1);
    for (const HealthKind kind : kinds) {
      kinds_->addItem(capitalised(health_kind_text(kind)), static_cast<int>(kind));
    }
    kinds_->setCurrentIndex(std::max(kinds_->findData(kind_ ? static_cast<int>(*kind_) : -1), 0));
  }
  const QString wanted = filter_->text().trimmed().toLower();
  std::vector<std::vector<HeatCell>> cells;
  std::vector<double> worst;
  order_.clear();
  for (const std::size_t layer : data_->order()) {
    if (!wanted.isEmpty() && !to_qstring(data_->layers()[layer]).toLower().contains(wanted)) {
      continue;
    }
    std::vector<HeatCell> line(data_->size());
    double worst_here = -1;
    for (std::size_t i = 0; i < data_->size(); ++i) {
      if (const HealthRow* row = data_->find(i, layer, kind_, measure_)) {
        line[i] = {measure_badness(measure_, measure_value(measure_, *row)), true,
                   row->statistics.non_finite > 0};
        worst_here = std::max(worst_here, line[i].non_finite ? 2 : line[i].badness);
      }
    }
    if (worst_here >= 0) {
      order_.push_back(layer);
      cells.push_back(std::move(line));
      worst.push_back(worst_here);
    }
  }
  if (worst_first_) {
    std::vector<std::size_t> by_worst(order_.size());
    std::iota(by_worst.begin(), by_worst.end(), std::size_t{0});
    std::stable_sort(by_worst.begin(), by_worst.end(),
                     [&](std::size_t a, std::size_t b) { return worst[a] > worst[b]; });
    std::vector<std::size_t> order;
    std::vector<std::vector<HeatCell>> sorted;
    for (const std::size_t i : by_worst) {
      order.push_back(order_[i]);
      sorted.push_back(std::move(cells[i]));
    }
    order_ = std::move(order);
    cells = std::move(sorted);
  }
  std::vector<QString> rows, columns;
  for (const std::size_t layer : order_) {
    rows.push_back(short_path(to_qstring(data_->layers()[layer])));
  }
  for (std::size_t i = 0; i < data_->size(); ++i) {
    const std::int64_t step = data_->record(i).step;
    columns.push_back(step == 0 ? tr("Weights") : step_text(step));
  }
  map_->set_cells(std::move(rows), std::move(columns), std::move(cells));
  if (body_->currentWidget() == table_) {
    // The table shows one step: the selected one, or the latest.
    const std::size_t at = map_->current_column() >= 0
                               ? static_cast<std::size_t>(map_->current_column())
                               : data_->size() - 1;
    std::vector<HealthRow> lines;
    if (data_->size() > 0) {
      for (const std::size_t layer : order_) {
        for (const HealthRow* row : data_->rows(at, layer)) {
          if (!kind_ || row->kind == *kind_) {
            lines.push_back(*row);
          }
        }
      }
    }
    table_model_->set_rows(std::move(lines));
    table_->resizeColumnsToContents();
  }
  show_cell();
}

void HealthView::show_cell() {
  const int row = map_->current_row(), column = map_->current_column();
  std::vector<const HealthRow*> tensors;
  const HealthRow* shown = nullptr;
  std::int64_t step = 0;
  if (row >= 0) {
    const std::size_t layer = order_[static_cast<std::size_t>(row)];
    tensors = data_->rows(static_cast<std::size_t>(column), layer);
    shown = data_->find(static_cast<std::size_t>(column), layer, kind_, measure_);
    step = data_->record(static_cast<std::size_t>(column)).step;
  }
  // Another cell selects its own tensor; the box selects among those of the cell.
  const int chosen = details_->chosen();
  if (sender() == details_ && chosen >= 0 && chosen < static_cast<int>(tensors.size())) {
    shown = tensors[static_cast<std::size_t>(chosen)];
  }
  details_->show_tensors(tensors, shown, step);
}

ExponentHistogram* HealthView::histogram() const {
  return details_->histogram();
}

QString HealthView::numbers_text() const {
  return details_->numbers_text();
}

}  // namespace mantissa::gui
