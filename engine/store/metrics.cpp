#include "engine/store/metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace mantissa {

std::string metrics_csv(const std::vector<StepRow>& steps) {
  std::string out =
      "step,loss,grad_norm,clip_norm,clipped,loss_scale,skipped,lost_update,update_ratio,"
      "seconds,lr_unet,lr_te1,lr_te2,norm_unet,norm_te1,norm_te2\n";
  for (const StepRow& s : steps) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                   s.step, s.loss, s.grad_norm, s.clip_norm, s.clipped ? 1 : 0, s.loss_scale,
                   s.skipped ? 1 : 0, s.lost_update, s.update_ratio, s.seconds, s.lr[0], s.lr[1],
                   s.lr[2], s.group_norm[0], s.group_norm[1], s.group_norm[2]);
  }
  return out;
}

StepFigures step_figures(const std::vector<StepRow>& steps) {
  StepFigures figures{std::nan(""), std::nan("")};
  const std::size_t tail = std::max<std::size_t>(steps.size() / 10, 1);
  double loss = 0, seconds = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    figures.clipped += steps[i].clipped ? 1 : 0;
    figures.skipped += steps[i].skipped ? 1 : 0;
    seconds += steps[i].seconds;
    loss += i + tail >= steps.size() ? steps[i].loss : 0;
  }
  if (!steps.empty()) {
    figures.last_tenth = loss / static_cast<double>(tail);
    figures.seconds = seconds / static_cast<double>(steps.size());
  }
  return figures;
}

}  // namespace mantissa
