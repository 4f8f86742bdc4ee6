#include "engine/cli/commands.h"

#include <array>

namespace mantissa {
namespace {

constexpr std::string_view kTraining = "Training";
constexpr std::string_view kModels = "Images, models and adapters";
constexpr std::string_view kKept = "Presets and runs";
constexpr std::string_view kProgram = "This machine and this program";

constexpr std::array kCommands{
    CommandRow{kTraining, add_demo},      CommandRow{kTraining, add_check},
    CommandRow{kTraining, add_train},     CommandRow{kTraining, add_probe},
    CommandRow{kTraining, add_lr_test},   CommandRow{kModels, add_sample},
    CommandRow{kModels, add_caption},     CommandRow{kModels, add_inspect},
    CommandRow{kModels, add_merge},       CommandRow{kModels, add_convert},
    CommandRow{kModels, add_resize},      CommandRow{kModels, add_extract},
    CommandRow{kModels, add_quantise},    CommandRow{kModels, add_base},
    CommandRow{kModels, add_new},         CommandRow{kKept, add_presets},
    CommandRow{kKept, add_runs},          CommandRow{kKept, add_ask},
    CommandRow{kKept, add_verify},        CommandRow{kKept, add_cache},
    CommandRow{kProgram, add_devices},    CommandRow{kProgram, add_cuda},
    CommandRow{kProgram, add_bench},      CommandRow{kProgram, add_help},
    CommandRow{kProgram, add_completion},
};

}  // namespace

std::span<const CommandRow> command_table() {
  return kCommands;
}

}  // namespace mantissa
