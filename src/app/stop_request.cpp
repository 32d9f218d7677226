#include "app/stop_request.hpp"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace percussion {

namespace {

constexpr std::array caught{SIGTERM, SIGINT, SIGUSR1};
constexpr long same_event_ms = 200;

std::atomic<int> noted{0};
std::atomic<long> noted_at{0};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<long>::is_always_lock_free,
              "signal handlers may use lock-free atomics only");

std::array<struct sigaction, caught.size()> before;
void (*size_handler)(int) = SIG_DFL;

long milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

void note(int number) {
  const long now = milliseconds();
  if (noted.load() != 0 && now - noted_at.load() > same_event_ms) {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    sigaction(number, &plain, nullptr);
    raise(number);  // delivered when the handler returns
    return;
  }
  if (noted.load() == 0) noted_at = now;
  noted = number;
}

}  // namespace

std::string to_string(StopReason reason) {
  switch (reason) {
    case StopReason::walltime:
      return "walltime";
    case StopReason::sigusr1:
      return "SIGUSR1";
    case StopReason::sigint:
      return "SIGINT";
    case StopReason::sigterm:
      return "SIGTERM";
    default:
      return "none";
  }
}

SignalNotes::SignalNotes() {
  noted = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (std::size_t k = 0; k < caught.size(); ++k) sigaction(caught[k], &action, &before[k]);
  // A limit on the size of files then shows as an error of the write, with a message, like a full disk.
  size_handler = signal(SIGXFSZ, SIG_IGN);
}

SignalNotes::~SignalNotes() {
  for (std::size_t k = 0; k < caught.size(); ++k) sigaction(caught[k], &before[k], nullptr);
  signal(SIGXFSZ, size_handler);
}

StopReason SignalNotes::reason() const {
  switch (noted.load()) {
    case SIGTERM:
      return StopReason::sigterm;
    case SIGINT:
      return StopReason::sigint;
    case SIGUSR1:
      return StopReason::sigusr1;
    default:
      return StopReason::none;
  }
}

void WallClock::step_ended() {
  const double now = seconds();
  step_ = std::max(step_, now - last_step_);
  last_step_ = now;
}

void WallClock::checkpoint_took(double wall) {
  checkpoint_ = measured_ ? std::max(checkpoint_, wall) : wall;
  measured_ = true;
  last_checkpoint_ = last_step_ = seconds();
}

}  // namespace percussion
