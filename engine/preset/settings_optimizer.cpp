#include "engine/preset/settings_rows.h"

namespace mantissa {
namespace {

using value_io::bind;
using P = Preset;
using O = Preset::Optimizer;
using S = Preset::Schedule;

constexpr std::array<ItemField, 4> kGroupFields{{
    {.key = "part",
     .label = "Part",
     .kind = Kind::choice,
     .choices = kPartNames,
     .required = true,
     .help = "The part of the model that this entry is for."},
    {.key = "type",
     .label = "Optimizer",
     .kind = Kind::choice,
     .choices = kEnumNames<OptimizerType>,
     .help = "Its optimizer; without it, optimizer.type."},
    {.key = "learning_rate",
     .label = "Learning rate",
     .kind = Kind::number,
     .min = 0,
     .max = 10,
     .help = "Its learning rate; without it, optimizer.learning_rate."},
    {.key = "weight_decay",
     .label = "Weight decay",
     .kind = Kind::number,
     .min = 0,
     .max = 10,
     .help = "Its weight decay; without it, optimizer.weight_decay."},
}};

constexpr Setting kOptimizer[] = {
    {.key = "optimizer.type",
     .label = "Optimizer",
     .kind = Kind::choice,
     .group = Group::optimizer,
     .tier = Tier::essential,
     .choices = kEnumNames<OptimizerType>,
     .bind = bind<&P::optimizer, &O::type>(),
     .help = "adamw is the safe choice. adamw8bit is the same with smaller state. lion wants a "
             "learning rate 3 to 10 times lower. prodigy finds the rate by itself: set the "
             "learning rate to 1. The two schedulefree ones average the weights and save the "
             "average, so that no schedule has to lower the rate. muon makes the update of each "
             "matrix orthogonal. automagic finds a rate for each value: set the learning rate to "
             "1e-6, where each begins."},
    {.key = "optimizer.learning_rate",
     .label = "Learning rate",
     .kind = Kind::number,
     .group = Group::optimizer,
     .tier = Tier::essential,
     .min = 0,
     .max = 10,
     .change = Change::live,
     .alias = "optimizer.lr",
     .bind = bind<&P::optimizer, &O::learning_rate>(),
     .help = "How far each update goes. 1e-4 is usual for a LoRA with adamw. Too high shows as "
             "broken or oversaturated samples, too low as no visible change."},
    {.key = "optimizer.betas",
     .label = "Betas",
     .kind = Kind::number_pair,
     .group = Group::optimizer,
     .min = 0,
     .max = 0.999999,
     .applies_if = {"optimizer.type", kOptimizersWith<&OptimizerRow::uses_betas>},
     .bind = bind<&P::optimizer, &O::betas>(),
     .help = "Decay rates of the optimizer's averages of gradients and of their squares. The "
             "defaults suit nearly everything; [0.9, 0.99] reacts faster on short runs. muon has "
             "the first as its momentum, for which 0.95 is usual."},
    {.key = "optimizer.eps",
     .label = "Epsilon",
     .kind = Kind::number,
     .group = Group::optimizer,
     .min = 1e-30,  // Prodigy multiplies it by d, which must leave a normal FP32 number
     .max = 1,
     .applies_if = {"optimizer.type", kOptimizersWith<&OptimizerRow::uses_eps>},
     .bind = bind<&P::optimizer, &O::eps>(),
     .help =
         "Keeps the update finite where gradients are tiny. 1e-8 suits every state type, because "
         "the optimizer computes in fp32."},
    {.key = "optimizer.weight_decay",
     .label = "Weight decay",
     .kind = Kind::number,
     .group = Group::optimizer,
     .min = 0,
     .max = 10,
     .bind = bind<&P::optimizer, &O::weight_decay>(),
     .help = "Pulls the adapter's weights towards zero at every step, which holds it closer to "
             "the base model. 0.01 is mild; 0 turns it off."},
    {.key = "optimizer.muon_scaling",
     .label = "Size of Muon updates",
     .kind = Kind::choice,
     .group = Group::optimizer,
     .choices = kEnumNames<MuonScaling>,
     .applies_if = {"optimizer.type", kOptimizersWith<&OptimizerRow::scales_matrices>},
     .since = 2,
     .bind = bind<&P::optimizer, &O::muon_scaling>(),
     .help = "match_rms_adamw makes them as large as those of adamw, whose learning rates then "
             "apply. original is that of Muon's first version, with rates around 0.02."},
    {.key = "optimizer.fused_back_pass",
     .label = "Fused backward pass",
     .kind = Kind::boolean,
     .group = Group::optimizer,
     .bind = bind<&P::optimizer, &O::fused_back_pass>(),
     .help = "Updates each layer as soon as its gradient is known, so gradients need no memory. "
             "Rules out clipping by global norm and gradient accumulation."},
    {.key = "optimizer.groups",
     .label = "Per-part optimizers",
     .kind = Kind::objects,
     .group = Group::optimizer,
     .fields = kGroupFields,
     .bind = bind<&P::optimizer, &O::groups>(),
     .help = "An optimizer or learning rate of its own for a part, such as a lower rate for text "
             "encoders. Parts without an entry use the settings above."},
};

constexpr auto kFallingSchedules =
    one_of<"linear", "cosine", "cosine_restarts", "rex", "polynomial", "cosine_waves">;

constexpr Setting kSchedule[] = {
    {.key = "schedule.type",
     .label = "Learning-rate schedule",
     .kind = Kind::choice,
     .group = Group::schedule,
     .tier = Tier::essential,
     .choices = kEnumNames<ScheduleType>,
     .bind = bind<&P::schedule, &S::type>(),
     .help =
         "How the learning rate changes over the run. constant is easiest to continue from. "
         "cosine and linear end softly, which often removes the last noise; rex stays high "
         "longer. polynomial is linear to a power; cosine_restarts jumps back to the full rate, "
         "cosine_waves returns to it gradually; inverse_sqrt falls ever more slowly."},
    {.key = "schedule.warmup_steps",
     .label = "Warm-up",
     .kind = Kind::integer,
     .group = Group::schedule,
     .min = 0,
     .max = kMaxSteps,
     .unit = "steps",
     .bind = bind<&P::schedule, &S::warmup_steps>(),
     .help = "Steps over which the learning rate rises evenly: of w warm-up steps, the first is "
             "taken at 1/w of it, the last at all of it. 5% of the run tames the first updates at "
             "high rates."},
    {.key = "schedule.min_factor",
     .label = "Lowest rate",
     .kind = Kind::number,
     .group = Group::schedule,
     .min = 0,
     .max = 1,
     .applies_if = {"schedule.type", kFallingSchedules},
     .bind = bind<&P::schedule, &S::min_factor>(),
     .help = "The schedule never goes below this share of the learning rate."},
    {.key = "schedule.cycles",
     .label = "Cycles",
     .kind = Kind::number,
     .group = Group::schedule,
     .min = 0.25,
     .max = 1000,
     .applies_if = {"schedule.type", one_of<"cosine_restarts", "cosine_waves">},
     .since = 2,
     .bind = bind<&P::schedule, &S::cycles>(),
     .help = "How often the rate falls from its highest to its lowest value. In cosine_restarts it "
             "then jumps back, so 1 is plain cosine; in cosine_waves it rises again as slowly as "
             "it fell within each cycle, so 0.5 is plain cosine."},
    {.key = "schedule.power",
     .label = "Power",
     .kind = Kind::number,
     .group = Group::schedule,
     .min = 0.01,
     .max = 100,
     .applies_if = {"schedule.type", one_of<"polynomial">},
     .since = 2,
     .bind = bind<&P::schedule, &S::power>(),
     .help = "Exponent of the polynomial schedule. 1 is linear; higher values fall sooner, lower "
             "ones later."},
    {.key = "schedule.rex_beta",
     .label = "REX β",
     .kind = Kind::number,
     .group = Group::schedule,
     .min = 0,
     .max = 0.999,
     .applies_if = {"schedule.type", one_of<"rex">},
     .since = 2,
     .bind = bind<&P::schedule, &S::rex_beta>(),
     .help = "How late the REX schedule falls. 0 is linear, 0.5 is the value of its paper, 0.9 is "
             "that of other trainers."},
    {.key = "schedule.decay_steps",
     .label = "Decay steps",
     .kind = Kind::integer,
     .group = Group::schedule,
     .min = 0,
     .max = kMaxSteps,
     .unit = "steps",
     .applies_if = {"schedule.type", kFallingSchedules},
     .since = 2,
     .bind = bind<&P::schedule, &S::decay_steps>(),
     .help = "Last steps of the run, over which the rate falls; before them it stays at its full "
             "value (warm-up, stable, decay). 0 lets it fall from the end of the warm-up on."},
    {.key = "schedule.timescale",
     .label = "Timescale",
     .kind = Kind::integer,
     .group = Group::schedule,
     .min = 1,
     .max = kMaxSteps,
     .unit = "steps",
     .applies_if = {"schedule.type", one_of<"inverse_sqrt">},
     .since = 2,
     .bind = bind<&P::schedule, &S::timescale>(),
     .help = "Steps after the warm-up at which inverse_sqrt has 0.71 of the full rate; it has half "
             "of it after three times as many."},
};

}  // namespace

std::span<const Setting> optimizer_rows() {
  return kOptimizer;
}

std::span<const Setting> schedule_rows() {
  return kSchedule;
}

}  // namespace mantissa
