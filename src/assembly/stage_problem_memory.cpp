// What a stage problem keeps from step to step, for checkpoints. Matrices are not stored: the point where
// they were made is, and the same arithmetic gives the same matrices there.
#include <map>

#include "assembly/stage_problem.hpp"

namespace percussion {

namespace {

using Arrays = std::vector<std::vector<double>>;

constexpr std::int64_t roles = 8;  // a record has role and slot in one number: role + roles * slot

void append(const Arrays& arrays, std::int32_t first, std::int32_t last, std::vector<double>& record) {
  for (const auto& stage : arrays) record.insert(record.end(), stage.begin() + first, stage.begin() + last);
}

const double* take(Arrays& arrays, std::int32_t first, std::int32_t last, const double* values) {
  for (auto& stage : arrays) std::copy_n(values, last - first, stage.begin() + first), values += last - first;
  return values;
}

VecX vector_of(std::span<const double> values) {
  return Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

void StageProblem::keep_point(const System& system) {
  kept_ = {t_, h_, Q_, U_, dU_, {}};
  for (const StageBlock& block : rows_.blocks()) {
    LinearisedRow row{block.source, system.nodes[block.nodes[0]].id, 0, 0, block.mu, block.dPi_first,
                      block.axis};
    if (block.contribution < 0) {
      const std::int32_t k = rows_.geometry(block).candidate;
      const Candidate& c = system.candidates.candidates()[k];
      row.slot = system.candidates.slot(k);
      row.a = system.nodes[c.a].id, row.b = c.is_wall() ? c.b : system.nodes[c.b].id;
      row.node = c.is_wall() ? row.a : designated_node(row.a, row.b);
    }
    kept_.rows.push_back(std::move(row));
  }
}

void StageProblem::save(const System& system, StepMemory& memory) const {
  rows_.save(system, memory);
  // Increments and matrices of other local indices are not used again.
  const bool current = dofs_.is_current(system) && !dU_.empty(), kept = current && has_G_;
  memory.numbers.insert(memory.numbers.end(), {current ? 1. : 0., kept ? 1. : 0., kept_.t, kept_.h});
  if (!current) return;
  const NodeStore& nodes = system.nodes;
  std::vector<double> record;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    const std::int32_t q_first = nodes.q_offset()[i], q_last = nodes.q_offset()[i + 1],
                       first = nodes.u_offset()[i], last = nodes.u_offset()[i + 1];
    record.clear();
    append(dU_, first, last, record);
    memory.add(MemoryKind::stage_increment, nodes[i].id, nodes[i].id, 0, record);
    if (!kept) continue;
    record.clear();
    append(kept_.Q, q_first, q_last, record), append(kept_.U, first, last, record),
        append(kept_.dU, first, last, record);
    memory.add(MemoryKind::linearised_state, nodes[i].id, nodes[i].id, 0, record);
  }
  if (!kept) return;
  for (const LinearisedRow& row : kept_.rows) {
    record.assign(row.mu.begin(), row.mu.end());
    record.insert(record.end(), row.dPi_first.begin(), row.dPi_first.end());
    record.insert(record.end(), row.axis.begin(), row.axis.end());
    record.push_back(static_cast<double>(static_cast<std::int64_t>(row.source.role) + roles * row.slot));
    record.push_back(static_cast<double>(row.mu.size()));
    const bool detected = row.source.role == RowRole::detected;
    memory.add(MemoryKind::linearised_row, row.node, detected ? row.a : row.source.id, detected ? row.b : 0,
               record);
  }
}

void StageProblem::load(System& system, const StageScheme& scheme, StepMemory& memory) {
  rows_.load(memory);
  const bool current = memory.take_number() > 0, kept = memory.take_number() > 0;
  kept_.t = memory.take_number(), kept_.h = memory.take_number();
  if (!current) return;
  scheme_ = scheme;
  reshape(system);
  const NodeStore& nodes = system.nodes;
  memory.for_each(MemoryKind::stage_increment, [&](const MemoryKey& key, std::span<const double> record) {
    const std::int32_t i = system.distribution.local(key.a);
    if (record.size() == dU_.size() * nodes.u(i).size())
      take(dU_, nodes.u_offset()[i], nodes.u_offset()[i + 1], record.data());
  });
  if (channel_)
    for (auto& stage : dU_) channel_->broadcast(stage);
  if (kept && memory.complete) load_point(system, memory);
}

void StageProblem::load_point(System& system, const StepMemory& memory) {
  const NodeStore& nodes = system.nodes;
  kept_.Q.assign(scheme_.s, nodes.q()), kept_.U.assign(scheme_.s, nodes.u()),
      kept_.dU.assign(scheme_.s, nodes.u());
  memory.for_each(MemoryKind::linearised_state, [&](const MemoryKey& key, std::span<const double> record) {
    const std::int32_t i = system.distribution.local(key.a), first = nodes.u_offset()[i],
                       last = nodes.u_offset()[i + 1];
    const double* rest = take(kept_.Q, nodes.q_offset()[i], nodes.q_offset()[i + 1], record.data());
    take(kept_.dU, first, last, take(kept_.U, first, last, rest));
  });
  if (channel_) {
    HaloChannel<double> q_channel(system.distribution.halo(), nodes.q_offset());
    for (auto& stage : kept_.Q) q_channel.broadcast(stage);
    for (auto* arrays : {&kept_.U, &kept_.dU})
      for (auto& stage : *arrays) channel_->broadcast(stage);
  }
  kept_.rows.clear();
  memory.for_each(MemoryKind::linearised_row, [&](const MemoryKey& key, std::span<const double> record) {
    const auto role_and_slot = static_cast<std::int64_t>(record[record.size() - 2]);
    const auto role = static_cast<RowRole>(role_and_slot % roles);
    const auto n = static_cast<std::size_t>(record.back()), rows = record.size() - 5 - n;
    const bool detected = role == RowRole::detected;
    kept_.rows.push_back({{role, detected ? 0 : key.a},
                          key.node,
                          key.a,
                          key.b,
                          vector_of(record.first(n)),
                          vector_of(record.subspan(n, rows)),
                          Vec3(vector_of(record.subspan(n + rows, 3))),
                          role_and_slot / roles});
  });
  rows_.expect(system, kept_.rows);
  has_G_ = restore_G_ = true, h_of_G_ = kept_.h;
}

void StageProblem::restore_operator(System& system) {
  std::vector<StageBlock>& blocks = rows_.blocks();
  PERCUSSION_CHECK(blocks.size() == kept_.rows.size(), "the rows of a kept matrix are those of the step");
  const auto exchange = [&](Linearisation& other) {
    std::swap(t_, other.t), std::swap(h_, other.h), std::swap(dU_, other.dU);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      LinearisedRow& row = other.rows[k];
      blocks[k].mu.swap(row.mu), blocks[k].dPi_first.swap(row.dPi_first), blocks[k].axis.swap(row.axis);
    }
  };
  Linearisation present = kept_;
  Q_ = kept_.Q, U_ = kept_.U;
  exchange(present);
  evaluate(system);
  build_operator(system);
  exchange(present);
}

}  // namespace percussion
