// The VTK frames of a run: bodies.pvd and contacts.pvd, written by all ranks.
#pragma once
#include <filesystem>
#include <optional>

#include "app/case.hpp"
#include "io/vtk_series.hpp"

namespace percussion {

/// A run that goes on: when the simulated time began, and where it is. Frames up to `time` stay.
struct Continuation {
  double start, time;
};

class Frames {
 public:
  /// Collective. `output`: the section of the input.
  Frames(MPI_Comm comm, const std::filesystem::path& folder, const Parameters& output, std::optional<Continuation> from = std::nullopt);

  /// Collective. Whether a frame is due at time t (the first call always is).
  bool is_due(double t) const { return interval_ && t >= next_ - 1e-9 * *interval_; }
  /// Collective.
  void write(const Case& c, std::int64_t step);

  std::vector<std::filesystem::path> files() const;

 private:
  void write_bodies(const Case& c, std::int64_t step);
  void write_contacts(const Case& c, std::int64_t step);

  std::optional<double> interval_;
  double next_;
  std::optional<VtkSeries> bodies_, contacts_;
};

}  // namespace percussion
