#include "app/series.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "assembly/energy.hpp"
#include "base/timer.hpp"

namespace percussion {

namespace {

std::vector<Column> global_columns() {
  return {{"time", "s", "simulated time at the end of the step"},
          {"kinetic_energy", "J", "of all bodies"},
          {"potential_energy", "J", "of gravity and of forces with a potential"},
          {"momentum_x", "kg m/s", "sum over all bodies"},
          {"momentum_y", "kg m/s", "sum over all bodies"},
          {"momentum_z", "kg m/s", "sum over all bodies"},
          {"angular_momentum_x", "kg m^2/s", "about the origin"},
          {"angular_momentum_y", "kg m^2/s", "about the origin"},
          {"angular_momentum_z", "kg m^2/s", "about the origin"},
          {"contacts", "", "active contacts"},
          {"penetration", "m", "deepest penetration at the contact test of the step"},
          {"iterations", "", "of the contact solver"},
          {"residual", "", "of the contact solver"}};
}

}  // namespace

Series::Series(const Case& c, const std::filesystem::path& folder, const Parameters& output, std::optional<double> keep_until)
    : every_(output.integer("series_interval")) {
  std::vector<Column> columns = global_columns();
  for (const std::string& name : output.texts("observe")) {
    observed_.push_back(c.node_id(name));
    const NodeState state = c.state(observed_.back());
    for (std::size_t i = 0; i < state.q.size(); ++i) columns.push_back({fmt::format("{}.q{}", name, i), "", "coordinate of the node"});
    for (std::size_t i = 0; i < state.u.size(); ++i) columns.push_back({fmt::format("{}.u{}", name, i), "", "velocity of the node"});
  }
  if (c.population().changes())
    columns.insert(columns.end(), {{"bodies", "", "of all ranks"},
                                   {"entered_bodies", "", "through insertions, since the start"},
                                   {"entered_mass", "kg", "through insertions, since the start"},
                                   {"entered_energy", "J", "kinetic and of gravity, of bodies when they entered"},
                                   {"left_bodies", "", "through outlets, since the start"},
                                   {"left_mass", "kg", "through outlets, since the start"},
                                   {"left_energy", "J", "kinetic and of gravity, of bodies when they left"}});
  if (output.boolean("wall_forces")) walls_.emplace(c.system.walls);
  for (const auto& part : walls_ ? walls_->all() : std::vector<WallParts::Part>()) {
    const Vec3& x = part.reference;
    const std::string about = fmt::format("moment of the bodies on the wall about its rotation_centre ({}, {}, {}), which moves with its displacement; average over the step", x[0], x[1], x[2]);
    for (const char axis : {'x', 'y', 'z'}) columns.push_back({fmt::format("{}.force_{}", part.name, axis), "N", "force of the bodies on the wall, average over the step"});
    for (const char axis : {'x', 'y', 'z'}) columns.push_back({fmt::format("{}.moment_{}", part.name, axis), "N m", about});
  }
  const std::string& format = output.text("series");
  if (format == "none") return;
  const bool hdf5 = format == "hdf5";
  TimeSeries::Options options;
  if (keep_until) options.keep_before = std::nextafter(*keep_until, std::numeric_limits<double>::infinity());
  file_.emplace(c.system.comm(), folder / (hdf5 ? "series.h5" : "series.csv"), hdf5 ? SeriesFormat::hdf5 : SeriesFormat::csv, std::move(columns), options);
}

void Series::append(const Case& c, const StepReport& report) {
  const PhaseScope phase(Phase::output);
  std::vector<double> q;
  c.integrator().positions(c.system, q);
  const Energies e = local_energies(c.system, q);
  std::vector<double> sums = {e.kinetic, e.potential};
  sums.insert(sums.end(), e.momentum.data(), e.momentum.data() + 3);
  sums.insert(sums.end(), e.angular_momentum.data(), e.angular_momentum.data() + 3);
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, c.system.comm());

  std::vector<double> row = {c.system.t};
  row.insert(row.end(), sums.begin(), sums.end());
  row.insert(row.end(), {static_cast<double>(report.contacts), report.penetration, static_cast<double>(report.solve.iterations), report.solve.residual});
  for (const std::int64_t id : observed_) {
    const NodeState state = c.state(id);
    row.insert(row.end(), state.q.begin(), state.q.end());
    row.insert(row.end(), state.u.begin(), state.u.end());
  }
  if (const Population& p = c.population(); p.changes())
    row.insert(row.end(), {static_cast<double>(c.bodies()), static_cast<double>(p.entered().bodies), p.entered().mass, p.entered().energy,
                           static_cast<double>(p.left().bodies), p.left().mass, p.left().energy});
  if (walls_) {
    std::vector<ContactRecord> records;
    if (report.contacts > 0) c.integrator().contacts(c.system, records);
    for (const Reaction& reaction : walls_->reactions(c.system, records))
      for (const Vec3& part : {reaction.P, reaction.M})
        for (const double x : part) row.push_back(x / c.last_step());
  }
  file_->append(row);
}

void Series::flush() {
  if (file_) file_->flush();
}

std::optional<std::filesystem::path> Series::file() const {
  return file_ ? std::optional(file_->path()) : std::nullopt;
}

}  // namespace percussion
