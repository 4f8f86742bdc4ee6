#pragma once

#include <QAbstractListModel>
#include <QHash>
#include <QStringList>
#include <QVector>

#include "engine/preflight/dataset_check.h"
#include "gui/dataset/CaptionBook.h"
#include "gui/dataset/ImageLoader.h"
#include "gui/dataset/RunImages.h"

namespace mantissa::gui {

/// The images that training would use, in its order, with their captions and buckets.
class DatasetModel : public QAbstractListModel {
  Q_OBJECT

 public:
  static constexpr int kThumb = 128;  ///< logical pixels, at first
  static constexpr int kPathRole = Qt::UserRole, kCaptionRole = Qt::UserRole + 1,
                       kReadRole = Qt::UserRole + 2,  ///< false: the image can't be read
      /// In a group of alike images: its number, what it is, its size.
      kGroupRole = Qt::UserRole + 3,
                       /// Why it stood out in a run, in few words; empty: it didn't.
      kRunRole = Qt::UserRole + 4,
                       kMaskRole = Qt::UserRole + 5;  ///< whether it has a mask

  DatasetModel(CaptionBook* book, ImageLoader* loader, QObject* parent = nullptr);

  /// `names`: of the images, as they are shown.
  void set_check(DatasetCheck check, QStringList names);
  /// Sorts the same images into the buckets of another preset.
  void sort_again(const Preset& preset, int quantum);
  const DatasetCheck& check() const { return check_; }
  /// Side of thumbnails in logical pixels.
  int thumb() const { return thumb_; }
  void set_thumb(int side);
  const ImageItem* at(int item) const;
  /// -1: none.
  int item_of(const std::filesystem::path& image) const;
  /// Gives an image, and those beside it of its name, another mask file, or none. The former one.
  std::filesystem::path set_mask(const std::filesystem::path& image,
                                 const std::filesystem::path& mask);
  const QString& name(int item) const { return names_[item]; }
  QString caption(int item) const { return book_->caption(item); }

  /// Groups of alike images; forgotten with the next check.
  void set_groups(std::vector<DuplicateGroup> groups);
  const std::vector<DuplicateGroup>& groups() const { return groups_; }
  /// Where an image stands: its group, and the place there, the original's being 0.
  struct GroupPlace {
    int group = -1;  ///< -1: in none
    int place = 0;
    auto operator<=>(const GroupPlace&) const = default;
  };
  GroupPlace group_place(int item) const;
  /// A sentence on what an image is a copy of, and how its size differs; empty if it is in no
  /// group.
  QString group_text(int item) const;
  /// The images that stood out in a run; forgotten with the next check.
  void set_run_images(const RunImages& found);
  bool stands_out(int item) const { return run_images_.contains(item); }
  int outstanding() const { return static_cast<int>(run_images_.size()); }
  /// A sentence on it; empty: it doesn't.
  QString run_text(int item) const;
  /// How an image is scaled and cropped.
  Placement placement(int item) const;
  /// The references of a version of an image, as they are encoded beside it.
  std::vector<ImageVersion> references(int item, const ImageVersion& version) const;
  /// Version `variant`, from 0, as training encodes it.
  ImageVersion version(int item, const Preset& preset, int variant) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 signals:
  void sorted();

 private:
  QString group_note(int item) const;
  QString run_note(int item) const;

  DatasetCheck check_;
  QStringList names_;
  std::vector<DuplicateGroup> groups_;
  mutable QHash<QString, int> asked_;      ///< rows by the paths of thumbnails asked for
  std::vector<GroupPlace> places_;         ///< by item; empty without groups
  QHash<int, ImageInfluence> run_images_;  ///< by item
  int thumb_ = kThumb;
  QString run_;  ///< in which they stood out
  CaptionBook* book_;
  ImageLoader* loader_;
};

}  // namespace mantissa::gui
