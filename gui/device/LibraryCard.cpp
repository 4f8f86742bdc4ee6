#include "gui/device/LibraryCard.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "engine/core/error.h"
#include "engine/toolkit/installed.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kBarSteps = 1000;
constexpr auto kRedraw = std::chrono::milliseconds(100);

}  // namespace

LibrarySource library_source() {
  LibrarySource source;
  LibraryTable table = library_table();
  source.download_bytes = table.download_bytes();
  for (const std::string& title : table.licences()) {
    source.licences << to_qstring(title);
  }
  source.install = [table = std::move(table)](
                       const std::stop_token& stop,
                       const std::function<void(const InstallProgress&)>& progress) {
    install_libraries({table, libraries_root()}, stop, progress);
  };
  return source;
}

LibraryCard::LibraryCard(QWidget* parent) : QFrame(parent) {
  setProperty("card", QStringLiteral("true"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::medium, Space::large, Space::medium);
  column->setSpacing(Space::small);
  column->addWidget(make_heading(tr("CUDA libraries"), this));
  text_ = make_label(QString(), "", this);
  text_->setWordWrap(true);
  column->addWidget(text_);
  auto* row = new QHBoxLayout;
  row->setSpacing(Space::small);
  const auto button = [&](const QString& text) {
    auto* b = new QToolButton(this);
    b->setText(text);
    b->setAccessibleName(text);
    row->addWidget(b);
    return b;
  };
  install_ = button(tr("Install CUDA libraries"));
  bar_ = new QProgressBar(this);
  bar_->setRange(0, kBarSteps);
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Installation progress"));
  row->addWidget(bar_, 1);
  cancel_ = button(tr("Cancel"));
  row->addStretch();
  column->addLayout(row);
  status_ = make_label(QString(), "muted", this);
  status_->setWordWrap(true);
  status_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(status_);
  pool_.setMaxThreadCount(1);
  connect(install_, &QToolButton::clicked, this, &LibraryCard::start);
  connect(cancel_, &QToolButton::clicked, this, [this] {
    stop_.request_stop();
    cancel_->setEnabled(false);
  });
  setAccessibleName(tr("CUDA libraries"));
  show_running(false);
  hide();
}

LibraryCard::~LibraryCard() {
  stop_.request_stop();
  pool_.waitForDone();
}

QString LibraryCard::status() const {
  return status_->text();
}

void LibraryCard::set_devices(const std::vector<DeviceInfo>& devices) {
  needed_ = std::ranges::any_of(devices, &DeviceInfo::lacks_libraries);
  setVisible(needed_ || running_);
  if (!needed_ || running_) {
    return;
  }
  try {
    const LibrarySource source = source_();
    text_->setText(
        tr("To train on an NVIDIA card, cuBLASLt, cuDNN and NVRTC are needed besides the "
           "driver. They are downloaded from the Python package index. By installing them "
           "you accept their terms: %1.")
            .arg(source.licences.join(QStringLiteral(", "))));
    install_->setText(tr("Install CUDA libraries (%1)").arg(format_bytes(source.download_bytes)));
    install_->setAccessibleName(install_->text());
  } catch (const std::exception& e) {
    finish(error_text(message_of(e)), false);
  }
}

void LibraryCard::show_running(bool running) {
  running_ = running;
  install_->setVisible(!running);
  bar_->setVisible(running);
  cancel_->setVisible(running);
  cancel_->setEnabled(running);
}

void LibraryCard::start() {
  stop_ = std::stop_source();
  bar_->setValue(0);
  set_property(status_, "role", QStringLiteral("muted"));
  status_->setText(tr("Connecting…"));
  show_running(true);
  pool_.start([this, source = source_, stop = stop_.get_token()] {
    QString problem;
    bool cancelled = false;
    auto last = std::chrono::steady_clock::time_point();
    try {
      source().install(stop, [&](const InstallProgress& now) {
        const auto time = std::chrono::steady_clock::now();
        if (time - last >= kRedraw) {
          last = time;
          QMetaObject::invokeMethod(
              this, [this, now] { show_progress(now); }, Qt::QueuedConnection);
        }
      });
    } catch (const std::exception& e) {
      problem = error_text(message_of(e));
      const auto* error = dynamic_cast<const Error*>(&e);
      cancelled = error != nullptr && error->kind() == ErrorKind::interrupted;
    }
    QMetaObject::invokeMethod(
        this, [this, problem, cancelled] { finish(problem, cancelled); }, Qt::QueuedConnection);
  });
}

void LibraryCard::show_progress(const InstallProgress& progress) {
  bar_->setValue(static_cast<int>(kBarSteps * std::clamp(progress.share, 0.0, 1.0)));
  const QString package = to_qstring(progress.package);
  const QString done = format_bytes(progress.done), total = format_bytes(progress.total);
  switch (progress.stage) {
    case InstallProgress::Stage::downloading:
      status_->setText(tr("Downloading %1: %2 of %3").arg(package, done, total));
      break;
    case InstallProgress::Stage::checking:
      status_->setText(tr("Checking %1").arg(package));
      break;
    case InstallProgress::Stage::unpacking:
      status_->setText(tr("Unpacking %1: %2 of %3").arg(package, done, total));
      break;
  }
}

void LibraryCard::finish(const QString& problem, bool cancelled) {
  show_running(false);
  set_property(status_, "role",
               problem.isEmpty() || cancelled ? QStringLiteral("muted") : QStringLiteral("error"));
  status_->setText(problem);
  if (problem.isEmpty()) {
    emit installed();
  }
}

}  // namespace mantissa::gui
