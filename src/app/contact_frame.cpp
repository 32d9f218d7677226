#include "app/contact_frame.hpp"

#include "app/frame_columns.hpp"

namespace percussion {

namespace {

void copy(const Vec3& from, double* to) {
  std::copy_n(from.data(), 3, to);
}

constexpr FrameField<ContactRecord> table[] = {
    {"ids", 2, true,
     [](const ContactRecord& r, double* x) {
       x[0] = static_cast<double>(r.id_a), x[1] = static_cast<double>(r.id_b);
     }},
    {"normal", 3, false, [](const ContactRecord& r, double* x) { copy(r.n, x); }},
    {"gap", 1, false, [](const ContactRecord& r, double* x) { *x = r.gap; }},
    {"percussion", 3, false, [](const ContactRecord& r, double* x) { copy(r.P, x); }},
    {"normal_percussion", 1, false, [](const ContactRecord& r, double* x) { *x = r.n.dot(r.P); }},
    {"friction_percussion", 3, false,
     [](const ContactRecord& r, double* x) { copy(r.P - r.n.dot(r.P) * r.n, x); }},
    {"slip", 1, true, [](const ContactRecord& r, double* x) { *x = static_cast<int>(r.friction); }},
};

/// Points of the chains: every node once, walls at their contact points.
class ChainPoints {
 public:
  ChainPoints(const System& system, const std::vector<double>& q)
      : system_(system), q_(q), slot_(system.nodes.size(), -1) {}

  std::int32_t centre(std::int64_t id) {
    const std::int32_t i = system_.distribution.local(id);
    if (slot_[i] < 0) slot_[i] = add(place(i));
    return slot_[i];
  }
  /// The centre of `id` as seen from that of `from`: a point of its own if they meet through a periodic side.
  std::int32_t centre_near(std::int64_t from, std::int64_t id) {
    const std::int32_t i = system_.distribution.local(id);
    const Vec3 x = place(i);
    Vec3 near = x;
    system_.periodic.to_nearest(place(system_.distribution.local(from)).data(), near.data());
    return near == x ? centre(id) : add(near);
  }
  std::int32_t add(const Vec3& r) {
    points_.insert(points_.end(), r.data(), r.data() + 3);
    return static_cast<std::int32_t>(points_.size() / 3 - 1);
  }
  const std::vector<double>& all() const { return points_; }

 private:
  Vec3 place(std::int32_t i) const {
    return system_.periodic.wrapped(placement(system_.nodes[i].kind, q_.data() + system_.nodes.q_offset()[i]).r);
  }

  const System& system_;
  const std::vector<double>& q_;
  std::vector<std::int32_t> slot_;  ///< by local node; -1: no point yet
  std::vector<double> points_;
};

}  // namespace

std::vector<std::string> contact_field_names() {
  return names_of<ContactRecord>(table);
}

std::vector<std::string> default_contact_fields() {
  std::vector<std::string> names = contact_field_names();
  std::erase(names, "percussion");
  return names;
}

void write_contact_frame(const Case& c, std::span<const ContactRecord> records,
                         const std::vector<std::string>& fields, std::int64_t step, VtkSeries& series) {
  FrameColumns<ContactRecord> columns(table, fields);
  columns.reserve(records.size());
  std::vector<double> points;
  points.reserve(3 * records.size());
  for (const ContactRecord& r : records) {
    const Vec3 point = c.system.periodic.wrapped(r.point);
    points.insert(points.end(), point.data(), point.data() + 3);
    columns.add(r);
  }
  series.write(c.system.t, step, {points, columns.fields()});
}

void write_chain_frame(const Case& c, const std::vector<double>& q, std::span<const ContactRecord> records,
                       std::int64_t step, VtkSeries& series) {
  ChainPoints points(c.system, q);
  std::vector<std::int32_t> ends;
  std::vector<double> P_N;
  for (const ContactRecord& r : records) {
    const bool declared = r.id_b < 0 && r.plane < 0;
    if (declared || !(r.n.dot(r.P) > 0)) continue;
    ends.push_back(points.centre(r.id_a));
    ends.push_back(r.plane < 0 ? points.centre_near(r.id_a, r.id_b) : points.add(r.point));
    P_N.push_back(r.n.dot(r.P));
  }
  PointData data{points.all(), {}};
  data.cells = Cells::lines, data.corners = ends;
  data.cell_fields = {{"normal_percussion", 1, P_N}};
  series.write(c.system.t, step, data);
}

}  // namespace percussion
