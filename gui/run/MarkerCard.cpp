#include "gui/run/MarkerCard.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

#include "engine/precision/run_findings.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/plot/Axis.h"
#include "gui/precision/FindingCard.h"
#include "gui/run/RunData.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

using Kind = PlotMarker::Kind;
/// From this many consecutive skips on, it isn't just the scaler adjusting.
constexpr std::int64_t kManySkips = 3;

Finding shown(const PrecisionFinding& f) {
  return {f.id,       f.verdict == Verdict::refused ? Verdict::refused : Verdict::warning,
          f.fields,   f.message,
          f.fix_json, f.changes};
}

bool same(const PlotMarker& a, const PlotMarker& b) {
  return a.step == b.step && a.kind == b.kind && a.text == b.text;
}

}  // namespace

MarkerCard::MarkerCard(const RunData* data, const SampleModel* samples, const Theme* theme,
                       QWidget* parent)
    : QFrame(parent), data_(data), samples_(samples), theme_(theme) {
  setProperty("card", QStringLiteral("true"));
  setAccessibleName(tr("What happened at a marker"));
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(Space::medium, Space::small, Space::small, Space::medium);
  column_->setSpacing(Space::small);
  auto* top = new QHBoxLayout;
  top->setSpacing(Space::small);
  icon_ = new QLabel(this);
  icon_->setFixedSize(18, 18);
  top->addWidget(icon_);
  title_ = make_heading(QString(), this);
  top->addWidget(title_);
  top->addStretch();
  const auto tool = [&](const QString& text, const QString& name) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(name);
    button->setAccessibleName(name);
    top->addWidget(button);
    return button;
  };
  previous_ = tool(QStringLiteral("◀"), tr("Previous marker"));
  next_ = tool(QStringLiteral("▶"), tr("Next marker"));
  QToolButton* close = tool(QStringLiteral("✕"), tr("Close this card"));
  column_->addLayout(top);
  connect(previous_, &QToolButton::clicked, this, [this] { step(-1); });
  connect(next_, &QToolButton::clicked, this, [this] { step(1); });
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  hide();
}

std::vector<PlotMarker> MarkerCard::ordered() const {
  std::vector<PlotMarker> all = data_->markers();
  std::stable_sort(all.begin(), all.end(), [](const PlotMarker& a, const PlotMarker& b) {
    return std::tuple(a.step, a.kind) < std::tuple(b.step, b.kind);
  });
  return all;
}

void MarkerCard::show_marker(const PlotMarker& marker) {
  marker_ = marker;
  fill();
  show();
}

void MarkerCard::step(int direction) {
  const std::vector<PlotMarker> all = ordered();
  const auto here =
      std::find_if(all.begin(), all.end(), [&](const PlotMarker& m) { return same(m, marker_); });
  const auto at = here - all.begin() + direction;
  if (here != all.end() && at >= 0 && at < static_cast<std::ptrdiff_t>(all.size())) {
    show_marker(all[static_cast<std::size_t>(at)]);
  }
}

void MarkerCard::refresh() {
  if (isVisible()) {
    fill();
  }
}

QString MarkerCard::title() const {
  return title_->text();
}

QString MarkerCard::text() const {
  QStringList out{title_->text()};
  for (const QLabel* label : body_->findChildren<QLabel*>()) {
    if (!label->text().isEmpty()) {
      out << label->text();
    }
  }
  return out.join(QLatin1Char('\n'));
}

void MarkerCard::add_text(const QString& text, const char* role) {
  QLabel* label = make_label(text, role, body_);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  lines_->addWidget(label);
}

QWidget* MarkerCard::add_button(const QString& text) {
  auto* button = new QPushButton(text, body_);
  button->setAccessibleName(text);
  lines_->addWidget(button, 0, Qt::AlignLeft);
  return button;
}

void MarkerCard::add_report(const NonFiniteReport& r) {
  auto* box = new QWidget(body_);
  box->setAccessibleName(tr("First tensor with NaN/Inf"));
  auto* grid = new QGridLayout(box);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(Space::large);
  grid->setVerticalSpacing(Space::tiny);
  grid->addWidget(make_heading(tr("First tensor with NaN/Inf"), box), 0, 0, 1, 4);
  int cell = 0;
  const auto fact = [&](const QString& name, const QString& value) {
    const int row = 1 + cell / 2, column = 2 * (cell % 2);
    grid->addWidget(make_label(name, "muted", box), row, column, Qt::AlignTop);
    QLabel* label = make_label(value, "", box);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAccessibleDescription(name);
    grid->addWidget(label, row, column + 1);
    ++cell;
  };
  const QString format = to_qstring(dtype_name(r.format));
  fact(tr("Layer"), to_qstring(r.layer));
  fact(tr("Operation"), tr("%1, %2").arg(to_qstring(r.op), to_qstring(r.phase)));
  fact(tr("Tensor"), tr("%1 in %2").arg(message_text(r.tensor), format));
  fact(tr("NaN/Inf"), tr("%1 of %2 values").arg(step_text(r.non_finite), step_text(r.count)));
  fact(tr("Largest value before it"),
       r.last_amax > 0 ? format_number(r.last_amax) : tr("None entered"));
  fact(tr("Largest that %1 holds").arg(format), format_number(r.format_max, 5));
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(3, 1);
  lines_->addWidget(box);
}

void MarkerCard::add_finding(const Finding& finding) {
  lines_->addSpacing(Space::tiny);
  lines_->addWidget(make_heading(tr("What to change"), body_));
  auto* card = new FindingCard(finding, data_->preset, theme_, body_);
  connect(card, &FindingCard::field_requested, this, &MarkerCard::field_requested);
  connect(card, &FindingCard::fix_requested, this, &MarkerCard::fix_requested);
  lines_->addWidget(card);
}

void MarkerCard::fill() {
  delete body_;
  body_ = new QWidget(this);
  lines_ = new QVBoxLayout(body_);
  lines_->setContentsMargins(0, 0, Space::tiny, 0);
  lines_->setSpacing(Space::small);
  switch (marker_.kind) {
    case Kind::nan:
      fill_nan();
      break;
    case Kind::overflow:
    case Kind::skipped:
      fill_skipped();
      break;
    case Kind::saved:
      fill_saved();
      break;
    case Kind::sample:
      fill_sample();
      break;
    case Kind::paused:
      show_head(Icon::pause, theme_->colors().accent,
                tr("Step %1 · %2").arg(step_text(marker_.step), marker_.text));
      add_text(tr("A pause changes nothing: training continues with the next step."));
      break;
    case Kind::clipped:
      break;
  }
  column_->addWidget(body_);
  const std::vector<PlotMarker> all = ordered();
  previous_->setEnabled(!all.empty() && !same(all.front(), marker_));
  next_->setEnabled(!all.empty() && !same(all.back(), marker_));
}

void MarkerCard::show_head(Icon icon, const QColor& color, const QString& text) {
  icon_->setPixmap(make_icon(icon, color).pixmap(QSize(18, 18), devicePixelRatioF()));
  title_->setText(text);
}

void MarkerCard::fill_nan() {
  const NonFiniteReport* report = data_->report(marker_.step);
  show_head(Icon::error, theme_->colors().error,
            tr("Step %1 · loss is NaN/Inf").arg(step_text(marker_.step)));
  add_text(tr("The optimizer took no step with it: the weights are those of step %1.")
               .arg(step_text(marker_.step - 1)));
  if (report != nullptr) {
    add_report(*report);
  }
  const std::vector<std::string> files{tr("(see the log)").toStdString()};
  add_finding(shown(non_finite_loss(data_->preset, marker_.step, files)));
}

void MarkerCard::fill_skipped() {
  const NonFiniteReport* report = data_->report(marker_.step);
  const ThemeColors& c = theme_->colors();
  const std::int64_t skips = data_->skips_in_row(marker_.step);
  const bool overflow = marker_.kind == Kind::overflow;
  const bool normal = overflow && skips < kManySkips;
  show_head(normal ? Icon::info : Icon::warning, normal ? c.accent : c.warning,
            overflow
                ? tr("Step %1 · gradients overflowed, step skipped").arg(step_text(marker_.step))
                : tr("Step %1 · NaN/Inf gradients, step skipped").arg(step_text(marker_.step)));
  if (overflow) {
    const double scale = data_->loss_scale.values()[data_->loss_scale.nearest(marker_.step)];
    add_text(tr("At the loss scale %1 a gradient left the range of its format. The step was "
                "skipped and the scale halved; the weights were not touched.")
                 .arg(format_number(scale, 8)));
  } else {
    add_text(tr("The step was skipped; the weights were not touched."));
  }
  if (normal) {
    add_text(
        tr("Nothing to change: a few skips at the start, and one after each doubling of "
           "the scale, are how it is found."));
  }
  if (report != nullptr) {
    add_report(*report);
  }
  if (!normal) {
    add_finding(shown(
        endless_overflow(data_->preset, skips, report != nullptr ? report->layer : std::string())));
  }
}

void MarkerCard::fill_saved() {
  show_head(Icon::save, theme_->colors().ok, tr("Step %1 · saved").arg(step_text(marker_.step)));
  add_text(marker_.text);
  const QString path = marker_.path;
  if (!path.isEmpty()) {
    const bool folder = QFileInfo(path).suffix() != QLatin1String("safetensors");
    auto* open = qobject_cast<QPushButton*>(add_button(tr("Open the folder")));
    connect(open, &QPushButton::clicked, this, [path, folder] {
      QDesktopServices::openUrl(
          QUrl::fromLocalFile(folder ? path : QFileInfo(path).absolutePath()));
    });
  }
}

void MarkerCard::fill_sample() {
  show_head(Icon::sample, theme_->colors().accent,
            tr("Step %1 · samples rendered").arg(step_text(marker_.step)));
  for (int row = 0; row < samples_->rowCount(); ++row) {
    if (const SampleRecord* sample = samples_->find(marker_.step, row)) {
      add_text(to_qstring(sample->prompt), "muted");
    }
  }
  auto* go = qobject_cast<QPushButton*>(add_button(tr("Show them")));
  connect(go, &QPushButton::clicked, this,
          [this, at = marker_.step] { emit samples_requested(at); });
}

}  // namespace mantissa::gui
