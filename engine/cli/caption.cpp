#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

#include "engine/caption/caption_endpoint.h"
#include "engine/caption/caption_images.h"
#include "engine/caption/caption_journal.h"
#include "engine/caption/image_describer.h"
#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/progress_bar.h"
#include "engine/cli/recode.h"
#include "engine/cli/signal.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/data/image_scan.h"
#include "engine/http/http_address.h"
#include "engine/plan/backend.h"

namespace mantissa {
namespace {

struct CaptionCommand {
  std::vector<std::string> folders, excluded;
  std::string tagger, captioner, existing = "keep", device, precision = "bf16";  // device: or CPU
  CaptionOptions options;
  EndpointOptions endpoint;  ///< what is asked of a captioner, too
  TokenChoice choice;
  std::int64_t seconds = 300;  ///< for one image by the endpoint
  std::string recode;          ///< an encoding, "list", or empty: captions are made
  bool undo = false;
};

/// "5 captions restored, 1 new caption removed", without counts that are 0.
std::string undone_text(const UndoneCaptions& undone) {
  std::vector<std::string> parts;
  if (undone.restored > 0) {
    parts.push_back(counted(undone.restored, "caption") + " restored");
  }
  if (undone.removed > 0) {
    parts.push_back(counted(undone.removed, "new caption") + " removed");
  }
  if (undone.changed > 0) {
    parts.push_back(counted(undone.changed, "caption") + " edited since and left as " +
                    (undone.changed == 1 ? "it is" : "they are"));
  }
  return parts.empty() ? "No caption had to be put back"
                       : fmt::format("{}", fmt::join(parts, ", "));
}

int undo(CommandSession& session) {
  const std::optional<UndoneCaptions> undone = undo_captions();
  if (!undone) {
    throw Error(message<"there are no captions to put back: none was written by `mantissa "
                        "caption`, or all are put back already">());
  }
  if (session.json) {
    write_event(session.out(), {{"event", "undone"},
                                {"restored", undone->restored},
                                {"removed", undone->removed},
                                {"changed", undone->changed}});
    return 0;
  }
  session.out() << undone_text(*undone) << std::endl;
  return 0;
}

ExistingCaption existing_of(const std::string& word) {
  return word == "replace"   ? ExistingCaption::replace
         : word == "append"  ? ExistingCaption::append
         : word == "prepend" ? ExistingCaption::prepend
                             : ExistingCaption::keep;
}

/// Shows each image as it is done: a line, or an event, and on a terminal the time left.
class Shown {
 public:
  Shown(CommandSession& session, std::int64_t total) : session_(session), total_(total) {}

  void tell(const CaptionedImage& image) {
    ++done_;
    const std::chrono::duration<double> now = std::chrono::steady_clock::now() - start_;
    eta_.update(done_, now.count());
    if (session_.json) {
      write_event(session_.out(), {{"event", "caption"},
                                   {"image", path_to_utf8(image.image)},
                                   {"file", path_to_utf8(image.file)},
                                   {"caption", image.caption},
                                   {"kept", image.kept},
                                   {"problem", image.problem.text()}});
    } else if (!image.problem.empty()) {
      session_.people() << fmt::format("{} {}\n", printable_path(image.image),
                                       image.problem.text());
    } else if (!image.kept && session_.level() <= LogLevel::info) {
      session_.people() << fmt::format("{}/{}{} {}: {}\n", done_, total_, left(),
                                       printable_path(image.image.filename()),
                                       printable(image.caption));
    }
    session_.people() << std::flush;
  }

 private:
  std::string left() const {
    const double seconds = eta_.remaining(done_, total_);
    return seconds > 0 ? fmt::format(" ({} left)", duration_text(seconds)) : std::string();
  }

  CommandSession& session_;
  std::int64_t total_ = 0, done_ = 0;
  EtaEstimate eta_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void tell_end(CommandSession& session, const CaptionCounts& counts, bool stopped,
              const CaptionCommand& o) {
  if (session.json) {
    write_event(session.out(), {{"event", stopped ? "stopped" : "done"},
                                {"images", counts.images},
                                {"written", counts.written},
                                {"kept", counts.kept},
                                {"failed", counts.failed}});
    return;
  }
  session.out() << fmt::format("{}{}: {} written, {} kept, {}", stopped ? "Stopped after " : "",
                               counted(counts.images, "image"), counted(counts.written, "caption"),
                               counts.kept,
                               o.tagger.empty() ? fmt::format("{} without one", counts.failed)
                                                : counted(counts.failed, "image") + " unreadable")
                << (o.options.dry_run     ? "; nothing was written (--dry-run)"
                    : counts.written == 0 ? ""
                                          : "; `mantissa caption --undo` puts the old ones back")
                << std::endl;
}

/// Captions by a program that serves a model. Images leave this machine only where that is told.
CaptionCounts by_endpoint(CommandSession& session, CaptionCommand& o, const Dataset& dataset,
                          const std::atomic<bool>& stop,
                          const std::function<bool(const CaptionedImage&)>& tell) {
  o.endpoint.patience = std::chrono::seconds(o.seconds);
  o.endpoint.key = endpoint_key();
  const Describe describe = describe_by_endpoint(o.endpoint, [&stop] { return stop.load(); });
  if (!is_this_machine(o.endpoint.address)) {
    session.people() << "warning: the images are sent to "
                     << printable(address_host(o.endpoint.address)) << ", another machine"
                     << std::endl;
  }
  return caption_images(dataset, describe, o.options, tell);
}

std::unique_ptr<Kernels> backend_of(const CommandSession& session, const CaptionCommand& o) {
  if (o.device.empty()) {
    tell_unused_card(session);
  }
  return make_backend(o.device.empty() ? "cpu" : o.device);
}

CaptionCounts by_tagger(const CommandSession& session, const CaptionCommand& o,
                        const Dataset& dataset,
                        const std::function<bool(const CaptionedImage&)>& tell) {
  const std::unique_ptr<Kernels> kernels = backend_of(session, o);
  Tagger tagger(*kernels, path_from_utf8(o.tagger));
  return caption_images(dataset, tagger, o.options, tell);
}

CaptionCounts by_captioner(const CommandSession& session, const CaptionCommand& o,
                           const Dataset& dataset, const std::atomic<bool>& stop,
                           const std::function<bool(const CaptionedImage&)>& tell) {
  const std::unique_ptr<Kernels> kernels = backend_of(session, o);
  const ComputeType type = o.precision == "fp32" ? ComputeType::fp32 : ComputeType::bf16;
  ImageDescriber describer(*kernels, path_from_utf8(o.captioner), type);
  describer.set_stop([&stop] { return stop.load(); });
  const QuestionOptions question{.prompt = o.endpoint.prompt,
                                 .largest_side = o.endpoint.largest_side,
                                 .most_tokens = o.endpoint.most_tokens,
                                 .choice = o.choice};
  return caption_images(dataset, describe_by_model(describer, question), o.options, tell);
}

int caption(CommandSession& session, CaptionCommand o) {
  if (o.undo) {
    return undo(session);
  }
  std::vector<std::filesystem::path> folders;
  for (const std::string& folder : o.folders) {
    folders.push_back(path_from_utf8(folder));
  }
  if (!folders.empty() && !o.recode.empty()) {
    return recode_captions(session, folders, o.recode, o.options.dry_run);
  }
  if (o.folders.empty() ||
      (o.tagger.empty() && o.captioner.empty() && o.endpoint.address.empty())) {
    throw Error(message<"give a folder of images and --tagger, the folder of a tagger, "
                        "--captioner, that of a Qwen3-VL, or --endpoint, the address of a program "
                        "that serves a model; --recode for captions that aren't UTF-8; or "
                        "--undo">());
  }
  o.options.existing = existing_of(o.existing);
  o.options.tags.excluded = {o.excluded.begin(), o.excluded.end()};
  const ImageLibrary images;
  ScanOptions look;
  look.decode = false;
  const Dataset dataset = scan_images(folders, look);
  std::atomic<bool> stop = false;
  const InterruptGuard guard([&stop] { stop = true; });
  Shown shown(session, std::ssize(dataset.items));
  const auto tell = [&](const CaptionedImage& image) {
    shown.tell(image);
    return !stop;
  };
  const CaptionCounts counts = !o.tagger.empty() ? by_tagger(session, o, dataset, tell)
                               : !o.captioner.empty()
                                   ? by_captioner(session, o, dataset, stop, tell)
                                   : by_endpoint(session, o, dataset, stop, tell);
  tell_end(session, counts, stop, o);
  if (!stop && counts.failed > 0 && counts.written == 0 && counts.kept == 0) {
    throw Error(message<"no image got a caption; the reason is told for each of them">());
  }
  constexpr int kInterrupted = 130;
  return stop ? kInterrupted : 0;
}

void add_captioner(CLI::App& command, CaptionCommand& o) {
  command
      .add_option("--captioner", o.captioner,
                  "A Qwen3-VL that writes sentences, in place of a tagger: its folder, or its "
                  "weights in one .safetensors file")
      ->type_name("PATH")
      ->excludes("--tagger");
  command
      .add_option("--precision", o.precision,
                  "Compute type of a captioner: bf16, or fp32, which takes twice the memory")
      ->type_name("TYPE")
      ->check(one_of(std::vector<std::string>{"bf16", "fp32"}))
      ->capture_default_str();
  command
      .add_option("--temperature", o.choice.temperature,
                  "Sampling temperature of a captioner; 0: greedy")
      ->type_name("T")
      ->check(finite_range(0, 10))
      ->capture_default_str();
  command
      .add_option("--top-p", o.choice.top_p,
                  "Nucleus sampling of a captioner with a temperature: the likeliest tokens that "
                  "together reach this probability")
      ->type_name("P")
      ->check(finite_range(0.01, 1))
      ->capture_default_str();
  command.add_option("--seed", o.choice.seed, "Seed for a temperature above 0")
      ->type_name("N")
      ->capture_default_str();
}

void add_recode(CLI::App& command, CaptionCommand& o) {
  command
      .add_option("--recode", o.recode,
                  "Make no captions, but rewrite those that aren't UTF-8 as UTF-8, from this "
                  "encoding; list: show how each of them would read, and write nothing")
      ->type_name("ENCODING")
      ->check(one_of(recode_words()))
      ->excludes("--tagger")
      ->excludes("--captioner")
      ->excludes("--endpoint");
}

void add_endpoint(CLI::App& command, CaptionCommand& o) {
  command
      .add_option("--endpoint", o.endpoint.address,
                  "In place of a tagger, a model that a program serves by chat completions: "
                  "llama.cpp, Ollama or LM Studio, such as http://127.0.0.1:8080/v1. A key, if it "
                  "wants one, is in MANTISSA_ENDPOINT_KEY")
      ->type_name("ADDRESS")
      ->excludes("--tagger")
      ->excludes("--captioner");
  command
      .add_option("--model", o.endpoint.model, "Name of the endpoint's model; default its only one")
      ->type_name("NAME");
  command.add_option("--prompt", o.endpoint.prompt, "Question asked about each image")
      ->type_name("TEXT");
  command
      .add_option("--largest-side", o.endpoint.largest_side,
                  "Longest side in pixels of an image sent to --endpoint; a captioner gets at most "
                  "the pixels of a square of this side")
      ->type_name("PIXELS")
      ->check(whole_number(64, 8192))
      ->capture_default_str();
  command
      .add_option("--max-tokens", o.endpoint.most_tokens,
                  "Maximum tokens of an answer; an image whose answer is cut gets no caption")
      ->type_name("N")
      ->check(whole_number(1, 100000))
      ->capture_default_str();
  command.add_option("--timeout", o.seconds, "Maximum seconds for an image")
      ->type_name("SECONDS")
      ->check(whole_number(1, 86400))
      ->capture_default_str();
}

}  // namespace

void add_caption(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command =
      app.add_subcommand("caption", "Give images captions by a tagger or another model");
  const auto o = std::make_shared<CaptionCommand>();
  command->add_option("IMAGES", o->folders, "Folders of images")->type_name("FOLDER");
  command
      ->add_option("--tagger", o->tagger,
                   "Folder of a tagger: model.safetensors, config.json and selected_tags.csv of a "
                   "ViT or EVA-02 model, such as wd-vit-tagger-v3 or wd-eva02-large-tagger-v3")
      ->type_name("FOLDER");
  add_captioner(*command, *o);
  add_endpoint(*command, *o);
  add_recode(*command, *o);
  command
      ->add_option("--threshold", o->options.tags.threshold,
                   "Minimum confidence of a tag; default 0.35")
      ->type_name("P")
      ->check(finite_range(0, 1));
  command
      ->add_option("--character-threshold", o->options.tags.character_threshold,
                   "Minimum confidence of a character's name; default 0.75")
      ->type_name("P")
      ->check(finite_range(0, 1));
  command
      ->add_option("--exclude", o->excluded,
                   "A tag that no caption gets, with spaces or underscores; may be repeated")
      ->type_name("TAG")
      ->allow_extra_args(false);
  command->add_flag("--ratings", o->options.tags.ratings, "Put the likeliest rating first");
  command->add_flag("--underscores", o->options.tags.underscores,
                    "Write tags as the tagger lists them, with underscores");
  command->add_option("--trigger", o->options.trigger, "A word that stands first in every caption")
      ->type_name("WORD");
  command->add_option("--existing", o->existing, "What to do with existing captions; default keep")
      ->type_name("HOW")
      ->check(one_of(std::vector<std::string>{"keep", "replace", "append", "prepend"}));
  command->add_option("--device", o->device, "cpu (the default), or cuda:0")->type_name("DEVICE");
  command->add_flag("--dry-run", o->options.dry_run, "Show the captions and write none");
  command->add_flag("--undo", o->undo,
                    "Put back what the latest `mantissa caption` changed, but for captions edited "
                    "since");
  command->callback(
      [&session, &action, o] { action = [&session, o] { return caption(session, *o); }; });
}

}  // namespace mantissa
