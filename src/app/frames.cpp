#include "app/frames.hpp"

#include <cmath>
#include <limits>

#include "base/timer.hpp"

namespace percussion {

Frames::Frames(MPI_Comm comm, const std::filesystem::path& folder, const Parameters& output, std::optional<Continuation> from)
    : next_(-std::numeric_limits<double>::infinity()) {
  if (!output.has("interval")) return;
  interval_ = output.real("interval");
  std::optional<double> keep_before;
  if (from) {
    keep_before = std::nextafter(from->time, std::numeric_limits<double>::infinity());
    next_ = from->start + *interval_ * (1 + std::floor((from->time - from->start) / *interval_ + 1e-9));
  }
  if (output.boolean("bodies")) bodies_.emplace(comm, folder, "bodies", keep_before);
  if (output.boolean("contacts")) contacts_.emplace(comm, folder, "contacts", keep_before);
}

void Frames::write(const Case& c, std::int64_t step) {
  const PhaseScope phase(Phase::output);
  if (bodies_) write_bodies(c, step);
  if (contacts_) write_contacts(c, step);
  // The grid of output times does not drift with the steps.
  const double start = std::isfinite(next_) ? next_ : c.system.t;
  next_ = start + *interval_ * (1 + std::floor((c.system.t - start) / *interval_ + 1e-9));
}

void Frames::write_bodies(const Case& c, std::int64_t step) {
  const NodeStore& nodes = c.system.nodes;
  std::vector<double> q;
  c.integrator().positions(c.system, q);
  std::vector<double> points, radius, mass, velocity, omega, orientation;
  std::vector<std::int64_t> id, rank;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    const NodeData& node = nodes[i];
    if (node.kind == NodeKind::generalized) continue;
    const double* q_i = q.data() + nodes.q_offset()[i];
    const Placement<double> p = placement(node.kind, q_i);
    const Motion<double> m = motion(node.kind, q_i, nodes.u(i).data());
    points.insert(points.end(), p.r.data(), p.r.data() + 3);
    velocity.insert(velocity.end(), m.v.data(), m.v.data() + 3);
    omega.insert(omega.end(), m.omega.data(), m.omega.data() + 3);
    Quat P(1, 0, 0, 0);
    if (node.kind == NodeKind::rigid_body) P = Eigen::Map<const Quat>(q_i + 3);
    if (node.kind == NodeKind::planar_body) P = Quat(std::cos(0.5 * q_i[2]), 0, 0, std::sin(0.5 * q_i[2]));
    orientation.insert(orientation.end(), P.data(), P.data() + 4);
    radius.push_back(node.radius), mass.push_back(node.mass);
    id.push_back(node.id), rank.push_back(c.system.distribution.rank());
  }
  PointData data;
  data.points = points;
  data.fields = {{"id", 1, id}, {"rank", 1, rank}, {"radius", 1, radius}, {"mass", 1, mass},
                 {"velocity", 3, velocity}, {"angular_velocity", 3, omega}, {"orientation", 4, orientation}};
  bodies_->write(c.system.t, step, data);
}

void Frames::write_contacts(const Case& c, std::int64_t step) {
  std::vector<ContactRecord> records;
  if (step > 0) c.integrator().contacts(c.system, records);
  std::vector<double> points, n, P, P_N, gap;
  std::vector<std::int64_t> ids;
  for (const ContactRecord& r : records) {
    points.insert(points.end(), r.point.data(), r.point.data() + 3);
    n.insert(n.end(), r.n.data(), r.n.data() + 3);
    P.insert(P.end(), r.P.data(), r.P.data() + 3);
    P_N.push_back(r.n.dot(r.P)), gap.push_back(r.gap);
    ids.insert(ids.end(), {r.id_a, r.id_b});
  }
  PointData data;
  data.points = points;
  data.fields = {{"ids", 2, ids}, {"normal", 3, n}, {"percussion", 3, P}, {"normal_percussion", 1, P_N}, {"gap", 1, gap}};
  contacts_->write(c.system.t, step, data);
}

std::vector<std::filesystem::path> Frames::files() const {
  std::vector<std::filesystem::path> result;
  if (bodies_) result.push_back(bodies_->pvd_path());
  if (contacts_) result.push_back(contacts_->pvd_path());
  return result;
}

}  // namespace percussion
