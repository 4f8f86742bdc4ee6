#include "gui/device/DevicePage.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "gui/base/EngineText.h"
#include "gui/base/StudioFont.h"
#include "gui/base/Text.h"
#include "gui/device/CardPicker.h"
#include "gui/device/LibraryCard.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kNameWidth = 150;

void add_row(QGridLayout* grid, const QString& name, const QString& value) {
  if (value.isEmpty()) {
    return;
  }
  const int row = grid->rowCount();
  QWidget* parent = grid->parentWidget();
  grid->addWidget(make_label(name, "muted", parent), row, 0, Qt::AlignTop);
  QLabel* text = make_label(value, "", parent);
  text->setWordWrap(true);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  grid->addWidget(text, row, 1);
}

QGridLayout* make_grid(QWidget* parent) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(Space::large);
  grid->setVerticalSpacing(Space::tiny);
  grid->setColumnMinimumWidth(0, kNameWidth);
  grid->setColumnStretch(1, 1);
  Q_UNUSED(parent)
  return grid;
}

/// A usage bar with its label.
QWidget* usage(std::uint64_t free, std::uint64_t total, const QString& name, QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::medium);
  auto* bar = new QProgressBar(box);
  const double used = total > 0 ? 1 - static_cast<double>(free) / static_cast<double>(total) : 0;
  bar->setRange(0, 1000);
  bar->setValue(static_cast<int>(1000 * used));
  bar->setTextVisible(false);
  bar->setFixedWidth(160);
  bar->setAccessibleName(name);
  set_property(bar, "level",
               used > 0.95   ? QStringLiteral("error")
               : used > 0.85 ? QStringLiteral("warning")
                             : QString());
  row->addWidget(bar);
  row->addWidget(make_label(
      DevicePage::tr("%1 free of %2").arg(format_bytes(free), format_bytes(total)), "", box));
  row->addStretch();
  return box;
}

}  // namespace

DevicePage::DevicePage(const Theme* theme, QWidget* parent) : Page(parent), theme_(theme) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::medium);
  auto* top = new QHBoxLayout;
  top->setSpacing(Space::small);
  top->addWidget(make_heading(tr("This computer"), this));
  top->addStretch();
  const auto button = [&](const QString& text, Icon icon, const QString& tip) {
    auto* b = new QToolButton(this);
    b->setText(text);
    b->setToolTip(tip);
    b->setAccessibleName(text);
    b->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bind_icon(b, icon, theme_);
    top->addWidget(b);
    return b;
  };
  again_ = button(tr("Refresh"), Icon::reset, tr("Refresh devices (Ctrl+R)"));
  test_ = button(tr("Test"), Icon::check,
                 tr("Calculate on every device beside the CPU, and measure copies; takes seconds"));
  copy_ =
      button(tr("Copy as text"), Icon::copy, tr("Everything on this page, for a report (Ctrl+C)"));
  const auto key = [this](QToolButton* b, const QKeySequence& keys) {
    auto* action = new QAction(b->text(), this);
    action->setShortcut(keys);
    if (keys == QKeySequence(QKeySequence::Copy)) {  // a selected text is copied elsewhere
      action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    }
    connect(action, &QAction::triggered, b, [b] { b->click(); });
    addAction(action);
  };
  key(again_, QKeySequence(Qt::CTRL | Qt::Key_R));
  key(copy_, QKeySequence::Copy);
  column->addLayout(top);

  stack_ = new QStackedWidget(this);
  stack_->addWidget(new EmptyState(Icon::device, tr("Detecting devices…"), theme, stack_));
  auto* area = new QScrollArea(stack_);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setAccessibleName(tr("Devices"));
  auto* content = new QWidget(area->viewport());
  content->setProperty("flat", QStringLiteral("true"));
  auto* rows = new QVBoxLayout(content);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(Space::medium);
  libraries_ = new LibraryCard(content);
  rows->addWidget(libraries_);
  picker_ = new CardPicker(content);
  rows->addWidget(picker_);
  cards_ = new QVBoxLayout;
  cards_->setSpacing(Space::medium);
  rows->addLayout(cards_, 1);
  area->setWidget(content);
  stack_->addWidget(area);
  column->addWidget(stack_, 1);

  pool_.setMaxThreadCount(1);
  connect(again_, &QToolButton::clicked, this, &DevicePage::refresh);
  connect(libraries_, &LibraryCard::installed, this, &DevicePage::refresh);
  connect(copy_, &QToolButton::clicked, this, [this] {
    QApplication::clipboard()->setText(device_report_text(report_));
    emit news(tr("The device report is on the clipboard."));
  });
  connect(test_, &QToolButton::clicked, this, &DevicePage::test);
  copy_->setEnabled(false);
  test_->setEnabled(false);
  setFocusPolicy(Qt::ClickFocus);
  setAccessibleName(tr("Devices of this computer"));
}

DevicePage::~DevicePage() {
  pool_.waitForDone();
}

void DevicePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!ready_) {
    refresh();
  }
}

void DevicePage::refresh() {
  if (looking_) {
    return;
  }
  looking_ = true;
  pool_.start([this, source = source_] {
    DeviceReport report;
    try {
      report = source();
    } catch (const std::exception& e) {
      report.disks.push_back({tr("Devices"), error_text(message_of(e)), 0, 0});
    }
    QMetaObject::invokeMethod(
        this, [this, report = std::move(report)] { show_report(report); }, Qt::QueuedConnection);
  });
}

void DevicePage::test() {
  if (testing_ || !ready_) {
    return;
  }
  testing_ = true;
  test_->setEnabled(false);
  test_->setText(tr("Testing…"));
  pool_.start([this, tests = tests_, devices = report_.devices] {
    QString text;
    try {
      text = tests(devices);
    } catch (const std::exception& e) {
      text = error_text(message_of(e));
    }
    QMetaObject::invokeMethod(
        this, [this, text] { show_tests(text); }, Qt::QueuedConnection);
  });
}

void DevicePage::show_tests(const QString& text) {
  testing_ = false;
  test_->setEnabled(true);
  test_->setText(tr("Test"));
  report_.tests = text;
  fill_cards();
  emit tested();
}

QWidget* DevicePage::device_card(const DeviceInfo& d) {
  QFrame* card = make_card(this);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(Space::large, Space::medium, Space::large, Space::medium);
  column->setSpacing(Space::small);
  auto* head = new QHBoxLayout;
  head->setSpacing(Space::small);
  auto* icon = new QLabel(card);
  bind_icon(icon, d.usable ? Icon::check : Icon::info, theme_,
            [usable = d.usable](const ThemeColors& c) { return usable ? c.ok : c.muted; });
  head->addWidget(icon);
  const bool cpu = d.id == "cpu";
  const QString name = !d.name.empty() ? to_qstring(d.name)
                       : cpu           ? tr("Unknown processor")
                                       : tr("NVIDIA GPU");
  head->addWidget(make_heading(name, card));
  head->addWidget(make_label(to_qstring(d.id), "muted", card));
  head->addStretch();
  head->addWidget(
      make_label(d.usable ? tr("Ready") : tr("Can't be used"), d.usable ? "" : "warning", card));
  column->addLayout(head);
  if (!d.reason.empty()) {
    QLabel* why = make_label(error_text(d.reason), "", card);
    why->setWordWrap(true);
    why->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(why);
  }
  QGridLayout* grid = make_grid(card);
  column->addLayout(grid);
  const QString memory = d.id == "cpu" ? tr("RAM") : tr("VRAM");
  if (d.memory_bytes > 0 && d.free_bytes == 0) {
    add_row(grid, memory, format_bytes(d.memory_bytes));
  } else if (d.memory_bytes > 0) {
    const QString use =
        (d.id == "cpu" ? tr("RAM in use of %1") : tr("VRAM in use of %1")).arg(name);
    grid->addWidget(make_label(memory, "muted", card), grid->rowCount(), 0);
    grid->addWidget(usage(d.free_bytes, d.memory_bytes, use, card), grid->rowCount() - 1, 1);
  }
  add_row(grid, tr("Threads"), d.threads > 0 ? QString::number(d.threads) : QString());
  add_row(grid, tr("Compute capability"), to_qstring(d.compute_capability));
  add_row(grid, tr("Driver"), to_qstring(d.driver));
  add_row(grid, tr("Display"), d.display ? tr("Draws the screen") : QString());
  add_row(grid, tr("Code"),
          d.compiles ? tr("Compiled by the driver at the first start, which takes minutes")
                     : QString());
  if (step_seconds_ > 0 && timed_device_ == to_qstring(d.id)) {
    add_row(grid, tr("Draft preset"),
            tr("About %1 a step (estimated)").arg(format_step_time(step_seconds_)));
  }
  QStringList features;
  for (const std::string& f : d.features) {
    features << to_qstring(f);
  }
  add_row(grid, tr("Instruction sets"), features.join(QStringLiteral("  ")));
  return card;
}

QWidget* DevicePage::tests_card() {
  QFrame* card = make_card(this);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(Space::large, Space::medium, Space::large, Space::medium);
  column->setSpacing(Space::small);
  column->addWidget(make_heading(tr("Test results"), card));
  QLabel* text = make_label(report_.tests, "", card);
  text->setTextFormat(Qt::PlainText);
  text->setFont(fixed_font());
  text->setWordWrap(true);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(text);
  return card;
}

void DevicePage::show_step_time(const QString& device_id, double seconds) {
  if (device_id == timed_device_ && seconds == step_seconds_) {
    return;
  }
  timed_device_ = device_id;
  step_seconds_ = seconds;
  if (ready_) {
    fill_cards();
  }
}

void DevicePage::show_report(const DeviceReport& report) {
  looking_ = false;
  ready_ = true;
  const QString tests = std::exchange(report_, report).tests;
  report_.tests = report.tests.isEmpty() ? tests : report.tests;
  test_->setEnabled(!testing_);
  libraries_->set_devices(report_.devices);
  picker_->set_devices(report_.devices);
  fill_cards();
  copy_->setEnabled(true);
  stack_->setCurrentIndex(1);
  emit reported();
}

void DevicePage::fill_cards() {
  while (QLayoutItem* item = cards_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (const DeviceInfo& d : report_.devices) {
    cards_->addWidget(device_card(d));
  }
  if (!report_.tests.isEmpty()) {
    cards_->addWidget(tests_card());
  }
  QFrame* disks = make_card(this);
  auto* column = new QVBoxLayout(disks);
  column->setContentsMargins(Space::large, Space::medium, Space::large, Space::medium);
  column->setSpacing(Space::small);
  column->addWidget(make_heading(tr("Disk"), disks));
  QGridLayout* grid = make_grid(disks);
  column->addLayout(grid);
  for (const DiskInfo& disk : report_.disks) {
    const int row = grid->rowCount();
    grid->addWidget(make_label(disk.what, "muted", disks), row, 0);
    if (disk.total_bytes > 0) {
      grid->addWidget(
          usage(disk.free_bytes, disk.total_bytes, tr("Disk in use: %1").arg(disk.what), disks),
          row, 1);
    }
    QLabel* folder = make_label(disk.folder, disk.total_bytes > 0 ? "muted" : "error", disks);
    folder->setWordWrap(true);
    folder->setTextInteractionFlags(Qt::TextSelectableByMouse);
    grid->addWidget(folder, row + 1, 1);
  }
  cards_->addWidget(disks);
  QFrame* versions = make_card(this);
  auto* rows = new QVBoxLayout(versions);
  rows->setContentsMargins(Space::large, Space::medium, Space::large, Space::medium);
  rows->setSpacing(Space::small);
  rows->addWidget(make_heading(tr("Versions"), versions));
  QGridLayout* table = make_grid(versions);
  rows->addLayout(table);
  for (const auto& [what, version] : report_.versions) {
    add_row(table, what, version);
  }
  cards_->addWidget(versions);
  cards_->addStretch();
}

}  // namespace mantissa::gui
