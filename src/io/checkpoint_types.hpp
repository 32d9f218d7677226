// The format of checkpoint files, and the HDF5 types of what is in them.
//
// A file is a set of named one-dimensional datasets, contiguous on disk, each with the attribute `checksum`
// (io/checksum.hpp). `slices` says how many rows of each distributed dataset every rank wrote, in the order
// of its attribute `of`. The root has the attributes `format` and `version`. Names and meaning:
// docs/restart.md.
#pragma once
#include "assembly/step_memory.hpp"
#include "contact/candidate_list.hpp"
#include "io/hdf5_handle.hpp"
#include "model/node_store.hpp"

namespace percussion {

inline constexpr const char* checkpoint_format = "percussion checkpoint";
/// Raised whenever a program that knows only the old version could misread a file.
inline constexpr std::int64_t checkpoint_version = 1;

/// Records are stored byte by byte, whatever they hold; members that are named here can be read by other
/// programs too.
template <class T>
Hdf5Handle hdf5_type();
template <>
Hdf5Handle hdf5_type<double>();
template <>
Hdf5Handle hdf5_type<std::int64_t>();
template <>
Hdf5Handle hdf5_type<char>();
template <>
Hdf5Handle hdf5_type<NodeData>();
template <>
Hdf5Handle hdf5_type<RememberedPercussion>();
template <>
Hdf5Handle hdf5_type<MemoryKey>();

}  // namespace percussion
