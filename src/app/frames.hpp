// The VTK frames of a run, written by all ranks: bodies.pvd, surfaces.pvd (bodies that are no spheres), contacts.pvd,
// chains.pvd (force chains) and walls.pvd.
#pragma once
#include <filesystem>
#include <optional>

#include "app/case.hpp"
#include "app/surface_frame.hpp"
#include "app/wall_frame.hpp"
#include "io/vtk_series.hpp"

namespace percussion {

/// Output times on a grid from `start` that does not drift with the steps; `start` itself is due.
class OutputClock {
 public:
  OutputClock(double start, std::optional<double> interval) : start_(start), next_(start), interval_(interval) {}

  bool is_on() const { return interval_.has_value(); }
  bool is_due(double t) const { return interval_ && t >= next_ - 1e-9 * *interval_; }
  /// The next output comes after t: a frame was written at t, or a run goes on from t.
  void pass(double t);

 private:
  double start_, next_;
  std::optional<double> interval_;
};

/// A run that goes on: when the simulated time began, and where it is. Frames up to `time` stay.
struct Continuation {
  double start, time;
};

class Frames {
 public:
  /// Collective. `c`: with its walls and shapes; its state does not matter. `input`: the whole of it.
  Frames(const Case& c, const std::filesystem::path& folder, const Parameters& input, std::optional<Continuation> from = std::nullopt);

  /// Whether a frame is due at time t, the same on all ranks.
  bool is_due(double t) const { return bodies_clock_.is_due(t) || surfaces_clock_.is_due(t) || contacts_clock_.is_due(t); }
  /// Collective. What is due.
  void write(const Case& c, std::int64_t step);

  std::vector<std::filesystem::path> files() const;

 private:
  OutputClock bodies_clock_, surfaces_clock_, contacts_clock_;
  std::vector<std::string> body_fields_, contact_fields_;
  std::optional<VtkSeries> bodies_, surfaces_, contacts_, chains_, walls_;  ///< walls: rank 0 only, they are the same everywhere
  std::optional<SurfaceFrame> surface_frame_;
  std::optional<WallFrame> wall_frame_;
  SceneBox extent_;  ///< of all frames so far: walls do not jump from frame to frame
};

}  // namespace percussion
