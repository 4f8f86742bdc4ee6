#pragma once

namespace mantissa::gui {

/// Keeps the computer from going to sleep by itself while it works; the screen may turn off.
/// Windows only. All calls from one thread, as Windows keeps the wish by thread.
class StayAwake {
 public:
  StayAwake() = default;
  ~StayAwake() { hold(false); }
  StayAwake(const StayAwake&) = delete;
  StayAwake& operator=(const StayAwake&) = delete;

  void hold(bool awake);
  bool is_held() const { return held_; }

 private:
  bool held_ = false;
};

}  // namespace mantissa::gui
