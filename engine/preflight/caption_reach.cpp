#include "engine/preflight/caption_reach.h"

#include "engine/io/weights.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/job_paths.h"

namespace mantissa {
namespace {

/// The start of a character of UTF-8 at or before `at`.
std::size_t character_at(const std::string& text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) {
    --at;
  }
  return at;
}

/// The longest beginning of a text whose tokens one tokenizer has room for.
std::size_t bytes_read(DiffusionModel& model, const std::string& text, std::size_t tokenizer) {
  std::size_t fits = 0, too_long = text.size();
  while (too_long - fits > 1) {
    const std::size_t middle = character_at(text, fits + (too_long - fits) / 2);
    if (middle <= fits) {
      break;  // within one character
    }
    (model.text_reach(text.substr(0, middle))[tokenizer].cuts() ? too_long : fits) = middle;
  }
  return fits;
}

}  // namespace

CaptionReader::CaptionReader(const std::filesystem::path& base, const Preset& preset)
    : model_(DiffusionModel::open_planning(WeightSource::open(resolve_base(base)))) {
  model_->set_text_options(TextOptions::of(preset));
}

CaptionReader::~CaptionReader() = default;

std::vector<CaptionReach> CaptionReader::reach(const std::string& caption) {
  std::vector<CaptionReach> all;
  const std::vector<TextReach> found = model_->text_reach(caption);
  for (std::size_t i = 0; i < found.size(); ++i) {
    all.push_back({std::string(found[i].part.name()), found[i].tokens, found[i].most,
                   found[i].cuts() ? bytes_read(*model_, caption, i) : caption.size()});
  }
  return all;
}

}  // namespace mantissa
