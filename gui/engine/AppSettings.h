#pragma once

#include <QByteArray>
#include <QFileInfo>
#include <QSettings>
#include <QStringList>
#include <string>

#include "gui/base/CardUse.h"
#include "gui/base/Theme.h"

namespace mantissa::gui {

/// State of the studio kept between starts: this machine's paths, appearance, and the work in
/// progress. Every change is on disk as soon as the window's events are processed.
class AppSettings {
 public:
  /// Empty: studio.ini under MANTISSA_HOME if set, else in the platform's settings folder.
  explicit AppSettings(const QString& file = {});
  /// Its absolute path.
  QString file() const { return QFileInfo(settings_.fileName()).absoluteFilePath(); }

  ThemeMode theme() const;
  void set_theme(ThemeMode mode);

  /// "en", "zh_CN", "ja"; empty: the system's.
  QString language() const { return text("look/language"); }
  void set_language(const QString& v) { settings_.setValue("look/language", v); }

  QString base() const { return text("job/base"); }
  void set_base(const QString& v) { settings_.setValue("job/base", v); }
  QStringList images() const { return settings_.value("job/images").toStringList(); }
  void set_images(const QStringList& v) { settings_.setValue("job/images", v); }
  QString prior() const { return text("job/prior"); }
  void set_prior(const QString& v) { settings_.setValue("job/prior", v); }
  QString held_out() const { return text("job/held_out"); }
  void set_held_out(const QString& v) { settings_.setValue("job/held_out", v); }
  QString references() const { return text("job/references"); }
  void set_references(const QString& v) { settings_.setValue("job/references", v); }
  QString training_adapter() const { return text("job/training_adapter"); }
  void set_training_adapter(const QString& v) { settings_.setValue("job/training_adapter", v); }
  double training_adapter_weight() const {
    return settings_.value("job/training_adapter_weight", 1.0).toDouble();
  }
  void set_training_adapter_weight(double v) {
    settings_.setValue("job/training_adapter_weight", v);
  }
  QString out() const { return text("job/out"); }
  void set_out(const QString& v) { settings_.setValue("job/out", v); }
  QString device() const { return text("job/device", "cpu"); }
  /// Whether the user ever chose a device.
  bool chose_device() const { return settings_.contains("job/device"); }
  void set_device(const QString& v) { settings_.setValue("job/device", v); }

  CardUse card_use() const;
  void set_card_use(CardUse use);

  /// The queue of runs, as RunQueue writes it.
  QByteArray queue() const { return settings_.value("queue/runs").toByteArray(); }
  void set_queue(const QByteArray& v) { settings_.setValue("queue/runs", v); }

  /// The work in progress, as DraftKeeper writes it.
  QByteArray draft() const { return settings_.value("draft/work").toByteArray(); }
  void set_draft(const QByteArray& v) { settings_.setValue("draft/work", v); }
  /// Sets an unreadable one aside.
  void set_unreadable_draft(const QByteArray& v) { settings_.setValue("draft/unreadable", v); }
  /// Folders of the runs that were stopped by quitting: what the next start offers to resume.
  QStringList left_runs() const;
  void add_left_run(const QString& folder);
  void forget_left_runs() { settings_.remove("run/left"); }
  /// Writes now. False if the settings can't be written.
  bool flush() {
    settings_.sync();
    return settings_.status() == QSettings::NoError && settings_.isWritable();
  }

  /// Whether runs are processes of their own, which go on when the window is closed.
  bool keeps_training() const { return settings_.value("run/apart", false).toBool(); }
  void set_keeps_training(bool on) { settings_.setValue("run/apart", on); }
  /// Whether it was told that such a run goes on.
  bool told_apart() const { return settings_.value("run/told_apart", false).toBool(); }
  void set_told_apart() { settings_.setValue("run/told_apart", true); }

  /// Where adapters are copied to for another program, by its key; empty: not chosen yet.
  QString adapter_folder(const QString& program) const {
    return settings_.value(QStringLiteral("programs/adapters_") + program).toString();
  }
  void set_adapter_folder(const QString& program, const QString& v) {
    settings_.setValue(QStringLiteral("programs/adapters_") + program, v);
  }
  /// Folders that the user added to those looked through for base models.
  QStringList model_folders() const {
    return settings_.value("programs/model_folders").toStringList();
  }
  void set_model_folders(const QStringList& v) { settings_.setValue("programs/model_folders", v); }

  /// The folder of the tagger used last, and how its captions are made, as the dialog writes it.
  QString tagger() const { return text("captions/tagger"); }
  void set_tagger(const QString& v) { settings_.setValue("captions/tagger", v); }
  QVariantMap tagger_options() const { return settings_.value("captions/options").toMap(); }
  void set_tagger_options(const QVariantMap& v) { settings_.setValue("captions/options", v); }

  /// Which source of captions the dialog shows, "endpoint", "captioner" or else the tagger, and how
  /// these two are asked.
  QString caption_source() const { return text("captions/source"); }
  void set_caption_source(const QString& v) { settings_.setValue("captions/source", v); }
  QVariantMap endpoint_options() const { return settings_.value("captions/endpoint").toMap(); }
  void set_endpoint_options(const QVariantMap& v) { settings_.setValue("captions/endpoint", v); }
  QVariantMap captioner_options() const { return settings_.value("captions/captioner").toMap(); }
  void set_captioner_options(const QVariantMap& v) { settings_.setValue("captions/captioner", v); }

  /// Whether a run's end is shown by the desktop while the window is behind others.
  bool desktop_notices() const { return settings_.value("notices/desktop", true).toBool(); }
  void set_desktop_notices(bool on) { settings_.setValue("notices/desktop", on); }
  /// Where a run's end is posted, as parse_notice_address reads it; empty: nowhere.
  QString notice_address() const { return text("notices/address"); }
  void set_notice_address(const QString& v) { settings_.setValue("notices/address", v); }

  QString last_folder() const { return text("files/last_folder"); }
  void set_last_folder(const QString& v) { settings_.setValue("files/last_folder", v); }
  /// The newest first.
  QStringList recent_files() const { return settings_.value("files/recent").toStringList(); }
  /// `family`: the key of its model family (family_badge.h), kept so that no file is read to list
  /// them.
  void add_recent_file(const QString& file, const std::string& family);
  /// Empty if it is not known.
  std::string recent_family(const QString& file) const;
  /// Ids of warnings that the user hid for a preset.
  QStringList ignored_warnings(const QString& preset) const;
  void set_ignored_warnings(const QString& preset, const QStringList& ids);
  QByteArray geometry() const { return settings_.value("window/geometry").toByteArray(); }
  void set_geometry(const QByteArray& v) { settings_.setValue("window/geometry", v); }
  /// Whether the first-start wizard was shown.
  bool welcomed() const { return settings_.value("wizard/shown").toBool(); }
  void set_welcomed() { settings_.setValue("wizard/shown", true); }
  /// The version of the program that was started last; empty: none that wrote it.
  QString version() const { return text("program/version"); }
  void set_version(const QString& v) { settings_.setValue("program/version", v); }
  double smoothing() const { return settings_.value("plots/smoothing", 0.9).toDouble(); }
  void set_smoothing(double v) { settings_.setValue("plots/smoothing", v); }
  bool plots_by_time() const { return settings_.value("plots/by_time", false).toBool(); }
  void set_plots_by_time(bool on) { settings_.setValue("plots/by_time", on); }

  /// Hidden plots, by name: by default the rarely informative one.
  QStringList hidden_plots() const {
    return settings_.value("plots/hidden", QStringList{QStringLiteral("update_ratio")})
        .toStringList();
  }
  void set_hidden_plots(const QStringList& v) { settings_.setValue("plots/hidden", v); }

 private:
  QString text(const char* key, const char* otherwise = "") const {
    return settings_.value(key, QString::fromLatin1(otherwise)).toString();
  }

  QSettings settings_;
};

}  // namespace mantissa::gui
