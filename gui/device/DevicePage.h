#pragma once

#include <QThreadPool>
#include <functional>

#include "gui/base/Theme.h"
#include "gui/device/DeviceReport.h"
#include "gui/widgets/Page.h"

class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace mantissa::gui {

class CardPicker;
class LibraryCard;

/// The devices this computer can train on, and why it can't use the rest; which of its cards train.
class DevicePage : public Page {
  Q_OBJECT

 public:
  explicit DevicePage(const Theme* theme, QWidget* parent = nullptr);
  ~DevicePage() override;

  /// For tests: substitutes a machine.
  void set_source(std::function<DeviceReport()> source) { source_ = std::move(source); }
  /// Refreshes, on a thread.
  void refresh();
  /// For tests: substitutes the tests of devices.
  void set_tests(std::function<QString(const std::vector<DeviceInfo>&)> tests) {
    tests_ = std::move(tests);
  }
  /// Tests every device, on a thread.
  void test();
  const DeviceReport& report() const { return report_; }
  QToolButton* test_button() const { return test_; }
  /// The estimated time of the draft's steps on a device; 0: unknown.
  void show_step_time(const QString& device_id, double seconds);
  CardPicker* picker() const { return picker_; }
  LibraryCard* libraries() const { return libraries_; }
  bool is_ready() const { return ready_; }
  bool is_loading() const override { return !ready_; }

 signals:
  void reported();
  void tested();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void show_report(const DeviceReport& report);
  void show_tests(const QString& text);
  void fill_cards();
  QWidget* device_card(const DeviceInfo& device);
  QWidget* tests_card();

  const Theme* theme_;
  QStackedWidget* stack_;
  QToolButton *copy_, *again_, *test_;
  LibraryCard* libraries_;
  CardPicker* picker_;
  QVBoxLayout* cards_;
  std::function<DeviceReport()> source_ = collect_device_report;
  std::function<QString(const std::vector<DeviceInfo>&)> tests_ = device_tests;
  DeviceReport report_;
  QString timed_device_;
  double step_seconds_ = 0;
  bool ready_ = false, looking_ = false, testing_ = false;
  QThreadPool pool_;
};

}  // namespace mantissa::gui
