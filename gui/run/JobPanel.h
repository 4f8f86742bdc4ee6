#pragma once

#include <QFrame>

#include "engine/plan/devices.h"
#include "engine/train/run.h"
#include "gui/base/Theme.h"

namespace mantissa::gui {

class AppSettings;
class NoWheelCombo;
class PathEdit;
class PathListEdit;

/// Settings that aren't part of a preset: this machine's base model, image folders, output and
/// device.
class JobPanel : public QFrame {
  Q_OBJECT

 public:
  JobPanel(AppSettings* settings, const Theme* theme, QWidget* parent = nullptr);

  /// The job except the preset.
  JobSpec job() const;
  /// What is missing before a run can start, or empty.
  QString missing() const;
  void use_demo();
  void set_paths(const QString& base, const QStringList& images);
  void set_resume(const QString& run);
  /// Offers usable devices; selects the last used one if present.
  void set_devices(const std::vector<DeviceInfo>& devices);
  PathEdit* base() const { return base_; }
  PathListEdit* images() const { return images_; }
  /// Folders of prior-preservation and validation images; each one folder, or empty.
  PathEdit* prior() const { return prior_; }
  PathEdit* held_out() const { return held_out_; }

 signals:
  void changed();

 private:
  AppSettings* settings_;
  PathEdit *base_, *prior_, *held_out_, *out_, *resume_;
  PathListEdit* images_;
  NoWheelCombo* device_;
};

}  // namespace mantissa::gui
