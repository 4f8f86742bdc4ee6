#pragma once

#include <QFrame>

#include "engine/plan/devices.h"
#include "engine/run/run.h"
#include "gui/base/CardUse.h"
#include "gui/base/Theme.h"
#include "gui/precision/FindingCard.h"
#include "gui/programs/ProgramFolders.h"

class QCheckBox;
class QGridLayout;
class QPushButton;
class QVBoxLayout;

namespace mantissa::gui {

class AppSettings;
class DeviceChoice;
class ModelScan;
class ElideLabel;
class PathEdit;
class PathListEdit;
class SciSpin;

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
  /// Whether the preset trains on images; else they can't be chosen and aren't in the job.
  void set_needs_images(bool needed);
  void set_paths(const QString& base, const QStringList& images);
  void set_resume(const QString& run);
  /// The name of the next run and its files; empty: unknown.
  void show_name(const QString& name);
  void set_out(const QString& folder);
  /// Offers usable devices; selects the one chosen last, or the first card if none ever was.
  void set_devices(const std::vector<DeviceInfo>& devices);
  /// Selects a usable device, "cuda:0", or several cards, "cuda:0,2", and keeps it.
  void choose_device(const QString& device);
  /// What several cards do; with a run on each, one that is started takes the first.
  void set_card_use(CardUse use);
  /// As chosen: all cards.
  QString device() const;
  /// For what one card does: probes and samples.
  std::string first_device() const;
  /// What helps against a finding about one of these fields.
  Remedy remedy(const Finding& finding);
  /// The field of an option of the command line ("--base"), or null.
  QWidget* field(const QString& option) const;
  /// Whether runs go on when the window is closed.
  QCheckBox* apart() const { return apart_; }
  PathEdit* base() const { return base_; }
  /// Opens the dialog that makes a base model of separate files.
  void choose_files();
  QPushButton* files_button() const { return files_; }
  /// Opens the list of base models on this computer.
  void find_models();
  QPushButton* models_button() const { return models_; }
  /// Where that looks; default: this machine.
  void set_program_roots(FindRoots roots) { find_roots_ = std::move(roots); }
  PathListEdit* images() const { return images_; }
  /// Folders of prior-preservation and validation images, and of references; each one folder, or
  /// empty.
  PathEdit* prior() const { return prior_; }
  PathEdit* held_out() const { return held_out_; }
  PathEdit* references() const { return references_; }
  /// One training adapter and its weight; the command line takes several.
  PathEdit* training_adapter() const { return beside_; }
  SciSpin* training_adapter_weight() const { return beside_weight_; }

 signals:
  void changed();
  /// Another device was chosen here.
  void device_chosen(const QString& device);
  /// The images are to be looked at.
  void images_wanted();

 private:
  void add_field(QVBoxLayout* column, const QString& label, QWidget* field);
  PathEdit* folder_field(const QString& name, const QString& placeholder, const QString& title);
  void build_base(QVBoxLayout* column);
  void build_images(QVBoxLayout* column);
  QGridLayout* build_fields();
  QWidget* build_training_adapter();
  /// What stands below the fields: where the run is, and its name.
  void build_end(QVBoxLayout* column);
  void fill_fields();
  /// What is changed here is kept in the settings.
  void keep_changes();
  double beside_weight() const;
  /// Splits the layers over all cards.
  void split_over_cards();

  AppSettings* settings_;
  const Theme* theme_;
  PathEdit *base_, *prior_, *held_out_, *references_, *beside_, *out_, *resume_;
  SciSpin* beside_weight_;
  PathListEdit* images_;
  bool needs_images_ = true;
  QPushButton *files_, *models_;
  ModelScan* scan_;
  FindRoots find_roots_ = ProgramRoots::of_this_machine;
  ElideLabel* name_;
  DeviceChoice* device_;
  QCheckBox* apart_;
};

}  // namespace mantissa::gui
