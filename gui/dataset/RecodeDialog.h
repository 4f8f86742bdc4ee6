#pragma once

#include <QDialog>
#include <filesystem>
#include <optional>
#include <vector>

#include "engine/caption/recode_captions.h"
#include "gui/dataset/FileListView.h"

class QPushButton;
class QTableWidget;

namespace mantissa::gui {

class NoWheelCombo;

/// Files of captions, each as an encoding reads it.
class ReadingsView : public FileListView {
 public:
  ReadingsView(const QString& accessible_name, const QStringList& columns, QWidget* parent)
      : FileListView(accessible_name, columns, parent) {}

  /// `other`: what stands in place of a text that is none in the encoding. How many can be read.
  int show_readings(const std::vector<LegacyCaptions>& files,
                    const std::optional<LegacyEncoding>& encoding, const QString& other);
};

/// Asks for the encoding of captions that aren't UTF-8, shows how they read in it, and converts
/// them. No encoding is chosen at first: only a reader knows which is right.
class RecodeDialog : public QDialog {
  Q_OBJECT

 public:
  RecodeDialog(std::vector<LegacyCaptions> files, QWidget* parent);

  NoWheelCombo* encoding() const { return encoding_; }
  QTableWidget* table() const { return view_->table(); }
  QPushButton* convert_button() const { return convert_; }
  /// Where what was converted last is kept.
  const std::filesystem::path& journal() const { return journal_; }

 signals:
  /// Files were converted; `problems`: of those that could not be.
  void converted(int files, const QStringList& problems);

 private:
  std::optional<LegacyEncoding> chosen() const;
  void fill_encodings();
  void show_readings();
  void convert();

  std::vector<LegacyCaptions> files_;
  std::filesystem::path journal_;
  NoWheelCombo* encoding_;
  ReadingsView* view_;
  QPushButton* convert_;
};

}  // namespace mantissa::gui
