"""Reads a time series of a run, HDF5 or CSV."""
import csv
import pathlib
import re

from packages import require

np = require("numpy")


class Series:
    """Columns by name, with unit and meaning; `time` is the name of the first column."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.columns, self.unit, self.meaning = {}, {}, {}
        with open(self.path, "rb") as file:
            is_hdf5 = file.read(8) == b"\x89HDF\r\n\x1a\n"
        self._read_hdf5() if is_hdf5 else self._read_csv()
        if not self.columns:
            raise ValueError("no columns")
        # A run that died during a flush may leave columns of different lengths: whole rows only.
        rows = min(len(values) for values in self.columns.values())
        self.columns = {name: values[:rows] for name, values in self.columns.items()}
        self.time = "time" if "time" in self.columns else next(iter(self.columns))

    def _read_hdf5(self):
        h5py = require("h5py")

        def text(value):
            return value.decode() if isinstance(value, bytes) else str(value)

        with h5py.File(self.path, "r") as file:
            for name, dataset in file.items():
                if not isinstance(dataset, h5py.Dataset) or dataset.ndim != 1:
                    continue
                self.columns[name] = dataset[:]
                self.unit[name] = text(dataset.attrs.get("unit", ""))
                self.meaning[name] = text(dataset.attrs.get("meaning", ""))

    def _read_csv(self):
        with open(self.path, newline="") as file:
            lines = list(csv.reader(file))
        if not lines:
            return
        rows = [line for line in lines[1:] if len(line) == len(lines[0])]
        values = np.array(rows, dtype=float).reshape(len(rows), len(lines[0]))
        for i, title in enumerate(lines[0]):
            name, unit = re.fullmatch(r"(.*?)(?: \[(.*)\])?", title).groups()
            self.columns[name], self.unit[name], self.meaning[name] = values[:, i], unit or "", ""

    def steps(self):
        """Step between two rows at the end of each; of adaptive runs the step size if every step has a row."""
        t = self.columns[self.time]
        return np.concatenate([[np.nan], np.diff(t)]) if len(t) else t


def find(folder):
    """The series of a results folder, or None."""
    for name in ("series.h5", "series.csv"):
        path = pathlib.Path(folder) / name
        if path.is_file():
            return Series(path)
    return None
