#pragma once

#include <QThreadPool>
#include <QWidget>
#include <vector>

#include "gui/result/EndedRun.h"

class QComboBox;
class QLabel;

namespace mantissa::gui {

class ImagePane;

/// A prompt's first sample beside its last one; images are read on a thread of their own.
class SamplePairView : public QWidget {
  Q_OBJECT

 public:
  explicit SamplePairView(QWidget* parent = nullptr);
  ~SamplePairView() override;

  void show_pairs(std::vector<SamplePair> pairs);
  bool is_loading() const { return reading_ > 0; }
  QComboBox* prompts() const { return prompts_; }
  const ImagePane* pane(bool last) const { return panes_[last ? 1 : 0]; }
  QString heading(bool last) const;

 private:
  void show_current();
  void read(int side, const QString& file);

  static constexpr int kLongest = 1024;  ///< pixels of a side that is kept

  std::vector<SamplePair> pairs_;
  QComboBox* prompts_;
  QWidget* of_first_ = nullptr;
  QLabel* headings_[2] = {};
  ImagePane* panes_[2] = {};
  quint64 asked_ = 0;
  int reading_ = 0;
  QThreadPool pool_;  ///< last: its tasks end before what they use
};

}  // namespace mantissa::gui
