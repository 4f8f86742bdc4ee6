#pragma once

#include <QPointer>
#include <QTimer>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "engine/data/duplicates.h"
#include "engine/run/run.h"
#include "gui/base/Theme.h"
#include "gui/dataset/CaptionBook.h"
#include "gui/dataset/ImageLoader.h"
#include "gui/dataset/KeptPlace.h"
#include "gui/dataset/RunImages.h"
#include "gui/widgets/Page.h"

class QLabel;
class QLineEdit;
class QMenu;
class QListView;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QToolButton;
class QUndoStack;

namespace mantissa {
struct DatasetCheck;
}  // namespace mantissa

namespace mantissa::gui {

class AppSettings;
class BucketView;
class CaptionEditor;
class CaptionTokens;
class CropView;
class ReferenceViews;
class DuplicateFinder;
class DatasetFilter;
class DatasetModel;
class DatasetScan;
class ElideLabel;
class EmptyState;
class FolderTable;
class ImageTrash;
class JobPanel;
class MaskEditor;
class NoticesView;
class PresetDocument;
class RecodeDialog;
struct ScannedImages;
class SkippedView;
class TaggerDialog;
class VersionPicker;

/// The training images: their captions, buckets, and skipped files. Scanned by the engine's own
/// rules, on a separate thread.
class DataPage : public Page {
  Q_OBJECT

 public:
  DataPage(PresetDocument* document, JobPanel* job, AppSettings* settings, const Theme* theme,
           QWidget* parent = nullptr);
  ~DataPage() override;

  /// Rescans the job's folders; cancels a scan in progress.
  void scan();
  bool is_scanning() const;
  /// Scanning, or reading visible images.
  bool is_loading() const override;
  std::vector<Look> looks() override;
  /// Writes captions and the mask that is painted. False if some can't be written; why is told.
  bool save();
  /// The captions', or the mask's while one is painted.
  QUndoStack* undo_stack() override;

  enum View { images, buckets, folder_rules, left_out, notices, views };
  void show_view(View view);

  DatasetModel* model() const { return model_; }
  CaptionBook* book() { return &book_; }
  CaptionEditor* editor() const { return editor_; }
  CropView* crop() const { return crop_; }
  ReferenceViews* references() const { return references_; }
  VersionPicker* versions() const { return versions_; }
  BucketView* bucket_view() const { return bucket_view_; }
  FolderTable* folder_table() const { return folder_table_; }
  SkippedView* skipped() const { return skipped_; }
  NoticesView* notices_view() const { return notices_view_; }
  QListView* list() const { return list_; }
  QLineEdit* search() const { return search_; }
  /// What of the images is shown, and how large.
  QMenu* filter_menu() const { return filter_menu_; }
  CaptionTokens* tokens() const { return tokens_; }
  MaskEditor* mask_editor() const { return mask_editor_; }
  /// Paints the mask of the current image.
  void edit_mask();
  QString summary() const;
  /// Compares the images and shows those that are alike.
  void find_duplicates();
  DuplicateFinder* finder() const { return finder_; }
  ImageTrash* trash() const { return trash_; }
  /// Asks, then moves the selected images to the trash, with captions and masks.
  void ask_to_trash();
  /// Brings back what was moved to the trash last.
  void restore_trashed();
  /// Asks for a tagger and captions what is shown or selected.
  void open_tagger();
  /// Null while it is closed.
  TaggerDialog* tagger() const;
  /// Asks for the encoding of captions that aren't UTF-8, and converts them.
  void open_recoder();
  /// Null while it is closed.
  RecodeDialog* recoder() const;
  /// Puts back what was converted last, but for files edited since.
  void put_back_converted();
  /// Where the images that stood out in a run are found.
  void set_run_images(FindRunImages find) { find_run_images_ = std::move(find); }
  /// Only those of them.
  void show_outstanding();
  /// Batches of the draft's images; 0 before they are scanned. Where the run's length depends on
  /// it, they are scanned without the page being shown.
  std::int64_t batches_per_epoch() const;

 signals:
  void scanned();
  /// Images were moved to the trash and can be brought back.
  void trashed(const QString& text);
  /// Captions were converted to UTF-8 and can be put back.
  void captions_converted(const QString& text);
  void undo_stack_changed();
  /// A scan of the same folders failed, or found other images than the one before.
  void folders_changed();
  /// A mask was written or removed.
  void masks_changed();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build_nothing();
  void build_waiting();
  void build_views();
  void connect_views();
  void add_keys();
  /// Scans again when the folders, or what is made of their images, have changed.
  void watch_folders();
  QWidget* build_tools();
  QWidget* build_images();
  QWidget* build_comparison();
  QWidget* build_image_actions(QWidget* parent);
  QWidget* build_image_head(QWidget* parent);
  QToolButton* build_filter(QWidget* parent);
  QToolButton* build_tagger(QWidget* parent);
  void take_captions(int written);
  void put_back_captions();
  /// What one journal of captions holds; of an empty one, the latest.
  void put_back(const std::filesystem::path& journal);
  bool mask_open() const;
  void build_tokens();
  void open_tokens();
  void count_tokens();
  void show_tokens();
  void fill_filter_menu();
  void add_sizes();
  void set_thumb(int side);
  void build_mask_editor();
  int current_item() const;
  void show_mask_tools();
  QString mask_text(int item) const;
  void hint_at_masks();
  void take_mask(const std::filesystem::path& image, const std::filesystem::path& mask);
  void remove_mask(const std::filesystem::path& image);
  void show_groups(const std::vector<DuplicateGroup>& groups);
  void show_all();
  /// Shows the images that the filter leaves, and a button that says which they are.
  void show_only(const QString& what);
  QVector<int> selected_items() const;
  void show_in_folder();
  void move_to_trash(const QStringList& paths);
  void find_run_images();
  void take(ScannedImages&& images);
  void fail(const Message& message);
  void set_stale();
  bool counts_epochs() const;
  void sort_again();
  void show_current();
  void show_crop(int current);
  /// Whether a caption was written meanwhile that a finding asks for.
  bool is_settled(const DataFinding& finding, const FoundFile& file) const;
  /// With `rows`, in the view's table; else only counted.
  void show_notices(bool rows = false);
  void update_counts();
  /// Around a change of what the filter shows: selection, current image and place stay.
  void keep_place();
  void restore_place();
  QStringList folders() const;

  PresetDocument* document_;
  JobPanel* job_;
  AppSettings* settings_;
  const Theme* theme_;
  CaptionBook book_;
  std::optional<int> found_;  ///< images of the latest scan; -1: it failed
  ImageLoader loader_;
  DatasetModel* model_;
  DatasetFilter* filter_;
  DuplicateFinder* finder_;
  DatasetScan* scan_;
  ImageTrash* trash_;
  QStackedWidget *stack_, *views_;
  EmptyState *nothing_, *failed_;
  QLabel* progress_text_;
  QProgressBar* progress_;
  std::vector<QToolButton*> chips_;
  QLineEdit* search_ = nullptr;
  QToolButton *only_ = nullptr, *find_ = nullptr, *outstanding_ = nullptr;
  QWidget *comparison_ = nullptr, *image_actions_ = nullptr;
  QLabel* comparison_text_ = nullptr;
  QProgressBar* comparison_bar_ = nullptr;
  ElideLabel* counts_ = nullptr;
  QListView* list_ = nullptr;
  CropView* crop_ = nullptr;
  ReferenceViews* references_ = nullptr;
  VersionPicker* versions_ = nullptr;
  ElideLabel* name_ = nullptr;
  QLabel* fit_ = nullptr;
  CaptionEditor* editor_ = nullptr;
  BucketView* bucket_view_ = nullptr;
  FolderTable* folder_table_ = nullptr;
  SkippedView* skipped_ = nullptr;
  NoticesView* notices_view_ = nullptr;
  MaskEditor* mask_editor_ = nullptr;
  QMenu* filter_menu_ = nullptr;
  CaptionTokens* tokens_ = nullptr;
  QToolButton *edit_mask_ = nullptr, *remove_mask_ = nullptr;
  QPointer<TaggerDialog> tagger_;
  QPointer<RecodeDialog> recoder_;
  std::filesystem::path recoded_;  ///< journal of the captions that were converted last
  FindRunImages find_run_images_;
  QTimer later_;
  std::map<std::filesystem::path, int> noticed_;  ///< items that findings name
  JobSpec scanned_;                               ///< whose folders, base and settings were scanned
  KeptPlace place_;
  bool stale_ = true;
  int exact_copies_ = 0;
  int quantum_ = 64;
};

}  // namespace mantissa::gui
