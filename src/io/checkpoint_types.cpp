#include "io/checkpoint_types.hpp"

#include <cstddef>

namespace percussion {

namespace {

const char* const where = "HDF5 type";

Hdf5Handle copy_of(hid_t type) {
  return {where, H5Tcopy(type), H5Tclose};
}
Hdf5Handle compound(std::size_t size) {
  return {where, H5Tcreate(H5T_COMPOUND, size), H5Tclose};
}

void member(const Hdf5Handle& record, const char* name, std::size_t offset, hid_t type) {
  hdf5_check(where, H5Tinsert(record.get(), name, offset, type));
}
void triple(const Hdf5Handle& record, const char* name, std::size_t offset, hid_t entry = H5T_NATIVE_DOUBLE) {
  const hsize_t three = 3;
  const Hdf5Handle type(where, H5Tarray_create2(entry, 1, &three), H5Tclose);
  member(record, name, offset, type.get());
}

}  // namespace

template <>
Hdf5Handle hdf5_type<double>() {
  return copy_of(H5T_NATIVE_DOUBLE);
}
template <>
Hdf5Handle hdf5_type<std::int64_t>() {
  return copy_of(H5T_NATIVE_INT64);
}
template <>
Hdf5Handle hdf5_type<char>() {
  return copy_of(H5T_NATIVE_CHAR);
}

template <>
Hdf5Handle hdf5_type<NodeData>() {
  Hdf5Handle type = compound(sizeof(NodeData));
  member(type, "id", offsetof(NodeData, id), H5T_NATIVE_INT64);
  member(type, "kind", offsetof(NodeData, kind), H5T_NATIVE_UINT8);
  member(type, "dofs", offsetof(NodeData, dofs), H5T_NATIVE_INT8);
  member(type, "shape", offsetof(NodeData, shape), H5T_NATIVE_INT32);
  member(type, "mass", offsetof(NodeData, mass), H5T_NATIVE_DOUBLE);
  triple(type, "inertia", offsetof(NodeData, inertia));
  member(type, "radius", offsetof(NodeData, radius), H5T_NATIVE_DOUBLE);
  triple(type, "image", offsetof(NodeData, image), H5T_NATIVE_INT32);
  return type;
}

template <>
Hdf5Handle hdf5_type<RememberedPercussion>() {
  Hdf5Handle type = compound(sizeof(RememberedPercussion));
  member(type, "id_a", offsetof(RememberedPercussion, id_a), H5T_NATIVE_INT64);
  member(type, "id_b", offsetof(RememberedPercussion, id_b), H5T_NATIVE_INT64);
  triple(type, "P", offsetof(RememberedPercussion, P));
  member(type, "feature", offsetof(RememberedPercussion, feature), H5T_NATIVE_INT64);
  return type;
}

template <>
Hdf5Handle hdf5_type<MemoryKey>() {
  Hdf5Handle type = compound(sizeof(MemoryKey));
  member(type, "node", offsetof(MemoryKey, node), H5T_NATIVE_INT64);
  member(type, "kind", offsetof(MemoryKey, kind), H5T_NATIVE_INT32);
  member(type, "count", offsetof(MemoryKey, count), H5T_NATIVE_INT32);
  member(type, "a", offsetof(MemoryKey, a), H5T_NATIVE_INT64);
  member(type, "b", offsetof(MemoryKey, b), H5T_NATIVE_INT64);
  return type;
}

}  // namespace percussion
