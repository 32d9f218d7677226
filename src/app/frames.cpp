#include "app/frames.hpp"

#include <cmath>

#include "app/body_frame.hpp"
#include "app/contact_frame.hpp"
#include "app/wall_frame.hpp"
#include "base/timer.hpp"

namespace percussion {

namespace {

std::optional<double> interval_of(const Parameters& output, const char* key) {
  return output.has(key) ? std::optional(output.real(key)) : std::nullopt;
}

/// Without an interval of their own contacts come with the bodies.
std::optional<double> contact_interval(const Parameters& output) {
  return output.has("contact_interval") ? interval_of(output, "contact_interval")
                                        : interval_of(output, "interval");
}

}  // namespace

void OutputClock::pass(double t) {
  if (interval_) next_ = start_ + *interval_ * (1 + std::floor((t - start_) / *interval_ + 1e-9));
}

Frames::Frames(MPI_Comm comm, const std::filesystem::path& folder, const Parameters& input,
               std::optional<Continuation> from)
    : bodies_clock_(input.section("time").real("start"), interval_of(input.section("output"), "interval")),
      contacts_clock_(input.section("time").real("start"), contact_interval(input.section("output"))) {
  const Parameters& output = input.section("output");
  body_fields_ = output.texts("body_fields"), contact_fields_ = output.texts("contact_fields");
  const Precision precision = output.text("precision") == "single" ? Precision::single : Precision::full;
  const std::optional<double> keep_before =
      from ? std::optional(std::nextafter(from->time, INFINITY)) : std::nullopt;
  const auto open = [&](std::optional<VtkSeries>& series, const char* name, MPI_Comm ranks) {
    series.emplace(ranks, folder, name, keep_before, precision);
  };
  if (output.has("interval")) {
    if (output.boolean("bodies")) open(bodies_, "bodies", comm);
    any_walls_ = output.boolean("walls") && !input.sections("walls").empty();
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    all_or_none(comm, [&] {
      if (any_walls_ && rank == 0) open(walls_, "walls", MPI_COMM_SELF);
    });
  }
  if (contact_interval(output)) {
    if (output.boolean("contacts")) open(contacts_, "contacts", comm);
    if (output.boolean("chains")) open(chains_, "chains", comm);
  }
  if (from) bodies_clock_.pass(from->time), contacts_clock_.pass(from->time);
}

void Frames::write(const Case& c, std::int64_t step) {
  const PhaseScope phase(Phase::output);
  const double t = c.system.t;
  const bool bodies = bodies_clock_.is_due(t), contacts = contacts_clock_.is_due(t);
  std::vector<double> q;
  c.integrator().positions(c.system, q);
  std::vector<ContactRecord> records;
  if (step > 0 && (any_walls_ || contacts_ || chains_)) c.integrator().contacts(c.system, records);

  if (bodies) {
    if (bodies_) write_body_frame(c, q, body_fields_, step, *bodies_);
    if (any_walls_) {
      include_bodies(c.system, q, extent_);
      const std::vector<Vec3> percussions = wall_percussions(c.system, records);
      all_or_none(c.system.comm(), [&] {
        if (walls_) write_wall_frame(c, extent_, percussions, step, *walls_);
      });
    }
    bodies_clock_.pass(t);
  }
  if (contacts) {
    if (contacts_) write_contact_frame(c, records, contact_fields_, step, *contacts_);
    if (chains_) write_chain_frame(c, q, records, step, *chains_);
    contacts_clock_.pass(t);
  }
}

std::vector<std::filesystem::path> Frames::files() const {
  std::vector<std::filesystem::path> result;
  for (const auto* series : {&bodies_, &contacts_, &chains_, &walls_})
    if (*series) result.push_back((*series)->pvd_path());
  return result;
}

}  // namespace percussion
