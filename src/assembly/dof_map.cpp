#include "assembly/dof_map.hpp"

#include <limits>

#include "partition/halo_channel.hpp"

namespace percussion {

bool DofMap::update(const System& system) {
  if (generation_ == system.generation()) return false;
  generation_ = system.generation();
  const NodeStore& nodes = system.nodes;
  const std::int64_t mine = nodes.nu_owned();
  std::int64_t before = 0, all = 0;
  MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, system.comm());
  if (system.distribution.rank() == 0) before = 0;  // MPI_Exscan leaves it undefined there
  MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, system.comm());
  if (all > std::numeric_limits<PetscInt>::max())
    throw RunError("the assembled view has more velocities than this PETSc can number: build PETSc with 64-bit indices");
  owned_ = static_cast<PetscInt>(mine), size_ = static_cast<PetscInt>(all);

  first_.assign(nodes.size(), 0);
  for (std::int32_t i = 0; i < nodes.owned(); ++i) first_[i] = before + nodes.u_offset()[i];
  if (system.distribution.ranks() > 1) halo_broadcast<std::int64_t>(system.distribution.halo(), first_);
  return true;
}

void DofMap::append(const NodeStore& nodes, std::span<const std::int32_t> local, std::vector<PetscInt>& dofs) const {
  for (const std::int32_t i : local)
    for (int k = 0; k < nu(nodes[i].kind, nodes[i].dofs); ++k) dofs.push_back(first(i) + k);
}

}  // namespace percussion
