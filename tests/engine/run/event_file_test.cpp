// Event files are those of TensorBoard's own writer (tests/golden/make_event_file.py), bit for bit.
#include "engine/run/event_file.h"

#include <gtest/gtest.h>

#include "engine/io/file.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

constexpr unsigned char kPng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x03, 0x08, 0x02, 0x00, 0x00, 0x00, 0x36,
    0x88, 0x49, 0xd6, 0x00, 0x00, 0x00, 0x10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60,
    0x60, 0x60, 0x60, 0x60, 0x60, 0x60, 0x00, 0x00, 0x00, 0x05, 0x00, 0x01, 0x08, 0xa4, 0xbb,
    0x0d, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

TEST(EventFileTest, IsThatOfTensorBoardsOwnWriter) {
  const test::TempFolder folder;
  test::write_file(folder / "x.png", {reinterpret_cast<const char*>(kPng), sizeof kPng});
  const EventScalar scalars[] = {{"train/loss", 0.125}, {"learning_rate/unet", 1e-4}};
  const std::string made = event_file_start(1764300000.25, 7) +
                           event_record(1764300001.5, 7, scalars) +
                           event_record(1764300002, 300, "samples/1", folder / "x.png");
  EXPECT_EQ(made, read_text(fs::path(MANTISSA_SOURCE_DIR) / "tests/golden/event_file.bin"));
}

TEST(EventFileTest, OtherImagesAreRefusedByName) {
  const test::TempFolder folder;
  test::write_file(folder / "x.png", "\xff\xd8\xff a JPEG");
  test::expect_error_with([&] { event_record(0, 1, "samples/1", folder / "x.png"); },
                          {"x.png", "expected a PNG"});
}

TEST(EventFileTest, HasAStepsFigures) {
  StepRow row{.step = 3, .loss = 0.5, .grad_norm = 2};
  row.parts[kDenoiser] = {kDenoiser, 1e-4, 1.5};
  std::string tags;
  for (const EventScalar& scalar : event_scalars(row)) {
    tags += scalar.tag + " ";
  }
  EXPECT_EQ(tags,
            "train/loss train/grad_norm train/loss_scale train/update_ratio train/lost_update "
            "train/skipped train/seconds learning_rate/denoiser grad_norm/denoiser ");
  EXPECT_EQ(event_scalars(row)[0].value, 0.5);
  EXPECT_EQ(event_scalars(row)[7].value, 1e-4);
}

}  // namespace
}  // namespace mantissa
