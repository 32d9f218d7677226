#include "app/frames.hpp"

#include <cmath>

#include "app/body_frame.hpp"
#include "app/contact_frame.hpp"
#include "base/timer.hpp"

namespace percussion {

namespace {

std::optional<double> interval_of(const Parameters& output, const char* key) {
  return output.has(key) ? std::optional(output.real(key)) : std::nullopt;
}

/// Without an interval of their own surfaces and contacts come with the bodies.
std::optional<double> interval_or_that_of_bodies(const Parameters& output, const char* key) {
  return interval_of(output, output.has(key) ? key : "interval");
}

}  // namespace

void OutputClock::pass(double t) {
  if (interval_) next_ = start_ + *interval_ * (1 + std::floor((t - start_) / *interval_ + 1e-9));
}

Frames::Frames(const Case& c, const std::filesystem::path& folder, const Parameters& input,
               std::optional<Continuation> from)
    : bodies_clock_(input.section("time").real("start"), interval_of(input.section("output"), "interval")),
      surfaces_clock_(input.section("time").real("start"), interval_or_that_of_bodies(input.section("output"), "surface_interval")),
      contacts_clock_(input.section("time").real("start"), interval_or_that_of_bodies(input.section("output"), "contact_interval")) {
  const Parameters& output = input.section("output");
  MPI_Comm comm = c.system.comm();
  body_fields_ = output.texts("body_fields"), contact_fields_ = output.texts("contact_fields");
  const Precision precision = output.text("precision") == "single" ? Precision::single : Precision::full;
  const std::optional<double> keep_before =
      from ? std::optional(std::nextafter(from->time, INFINITY)) : std::nullopt;
  const auto open = [&](std::optional<VtkSeries>& series, const char* name, MPI_Comm ranks) {
    series.emplace(ranks, folder, name, keep_before, precision);
  };
  if (output.has("interval")) {
    if (output.boolean("bodies")) open(bodies_, "bodies", comm);
    if (output.boolean("walls") && !input.sections("walls").empty()) wall_frame_.emplace(c.system.walls);
    all_or_none(comm, [&] {
      if (wall_frame_ && c.system.distribution.rank() == 0) open(walls_, "walls", MPI_COMM_SELF);
    });
  }
  if (surfaces_clock_.is_on() && output.boolean("surfaces") && c.system.shapes.size() > 1) {
    open(surfaces_, "surfaces", comm);
    surface_frame_.emplace(c.system.shapes, static_cast<int>(output.integer("surface_segments")));
  }
  if (contacts_clock_.is_on()) {
    if (output.boolean("contacts")) open(contacts_, "contacts", comm);
    if (output.boolean("chains")) open(chains_, "chains", comm);
  }
  if (from)
    for (OutputClock* clock : {&bodies_clock_, &surfaces_clock_, &contacts_clock_}) clock->pass(from->time);
}

void Frames::write(const Case& c, std::int64_t step) {
  const PhaseScope phase(Phase::output);
  const double t = c.system.t;
  const bool bodies = bodies_clock_.is_due(t), surfaces = surfaces_clock_.is_due(t), contacts = contacts_clock_.is_due(t);
  std::vector<double> q;
  c.integrator().positions(c.system, q);
  std::vector<ContactRecord> records;
  if (step > 0 && (wall_frame_ || contacts_ || chains_)) c.integrator().contacts(c.system, records);

  if (bodies) {
    if (bodies_) write_body_frame(c, q, body_fields_, step, *bodies_);
    if (wall_frame_) {
      include_bodies(c.system, q, extent_);
      wall_frame_->write(c, extent_, records, step, walls_ ? &*walls_ : nullptr);
    }
    bodies_clock_.pass(t);
  }
  if (surfaces) {
    if (surfaces_) surface_frame_->write(c, q, body_fields_, step, *surfaces_);
    surfaces_clock_.pass(t);
  }
  if (contacts) {
    if (contacts_) write_contact_frame(c, records, contact_fields_, step, *contacts_);
    if (chains_) write_chain_frame(c, q, records, step, *chains_);
    contacts_clock_.pass(t);
  }
}

std::vector<std::filesystem::path> Frames::files() const {
  std::vector<std::filesystem::path> result;
  for (const auto* series : {&bodies_, &surfaces_, &contacts_, &chains_, &walls_})
    if (*series) result.push_back((*series)->pvd_path());
  return result;
}

}  // namespace percussion
