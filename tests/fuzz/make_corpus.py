#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes small nasty files, a folder per format, for the fuzzers to start from and for the tests to replay; and tables
to fit, as the bytes that hostile_numbers.hpp draws from.

    tests/fuzz/make_corpus.py FOLDER
"""
import io
import random
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def npy_of(dictionary, data=b"", version=b"\x01\x00"):
    header = dictionary.encode("latin-1") + b"\n"
    length = struct.pack("<H", len(header)) if version[0] == 1 else struct.pack("<I", len(header))
    return b"\x93NUMPY" + version + length + header + data


def archive(members, compression=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for name, data in members.items():
            file.writestr(zipfile.ZipInfo(name), data, compress_type=compression)
    return buffer.getvalue()


def members(parts, names):
    """The parts of an archive as the fuzzers take them (archive_of.hpp)."""
    return b"M" + b"".join(struct.pack("<BH", names.index(name), len(data)) + data for name, data in parts.items())


def idx(kind, shape, data=b""):
    return struct.pack(">HBB", 0, kind, len(shape)) + struct.pack(f">{len(shape)}I", *shape) + data


CSV = {
    "plain": b"a,b\n1,2\n3,4\n",
    "no header": b"1 2\n3 4\n",
    "words": b"x,kind\n1,red\n2,blue\n",
    "quotes": b'"a ""b""","c\nd"\n"1",2\r\n3,4\r\n',
    "open quote": b'a,b\n1,"2\n3,4\n',
    "quote inside": b'a,b\n1,2"3\n',
    "quote and more": b'a,b\n"1"2,3\n',
    "comments": b"# one \"quote\n#two\na;b\n1;2\n# three\n3;4\n",
    "missing": b"a,b\nNA,1\n2,\n,\n",
    "not finite": b"a,b\nnan,1\n2,-inf\n",
    "too large": b"a\n1e999\n-1e-999\n",
    "decimal comma": b"a;b\n1,5;2,5\n",
    "ragged": b"a,b\n1\n1,2,3\n",
    "mark": b"\xef\xbb\xbfa,b\n1,2\n",
    "wide": b"\xff\xfea\x00,\x00b\x00",
    "nul": b"a,b\n1,\x002\n",
    "carriage": b"a,b\r1,2\r3,4\r",
    "empty": b"",
    "blank": b"\n\n\n",
    "separators": b",,,\n,,,\n",
    "same names": b"a,a\n1,2\n",
    "many columns": b",".join(b"%d" % i for i in range(2000)) + b"\n",
    "long number": b"a\n" + b"1" * 5000 + b"\n0." + b"3" * 5000 + b"\n",
    "tabs": b"a\tb\n1\t2\n",
    "bars": b"a|b\n1|2\n",
    "blanks": b"  1   2\n  3   4  \n",
    "not text": bytes(range(256)),
}

NPY = {
    "doubles": npy(np.arange(6.0).reshape(3, 2)),
    "floats": npy(np.float32([[1], [2]])),
    "halves": npy(np.float16([1, 2, 3])),
    "fortran": npy(np.asfortranarray(np.arange(6.0).reshape(3, 2))),
    "big endian": npy(np.arange(4, dtype=">i2")),
    "flags": npy(np.array([[True, False]])),
    "long long": npy(np.array([2**63 - 1, -(2**63)])),
    "nan": npy(np.array([[1.0, np.nan]])),
    "three dimensions": npy(np.zeros((2, 2, 2))),
    "scalar": npy(np.array(1.0)),
    "no rows": npy(np.zeros((0, 3))),
    "words": npy(np.array(["a", "b"])),
    "complex": npy(np.array([1j])),
    "record": npy(np.zeros(2, dtype=[("a", "<f8"), ("b", "<i4")])),
    "huge shape": npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }"),
    "negative": npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 4), }"),
    "no end": npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (3"),
    "no keys": npy_of("{}"),
    "objects": npy_of("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", b"\x80\x03K\x01."),
    "short": npy(np.arange(6.0))[:-3],
    "long": npy(np.arange(6.0)) + b"more",
    "version 2": npy_of("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", b"\0\0\0\0", b"\x02\x00"),
    "version 9": npy_of("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", b"\0\0\0\0", b"\x09\x00"),
    "magic": b"\x93NUMPY",
}

ROWS = {
    "data.npy": npy(np.array([1.0, 2.0, 3.0])),
    "indices.npy": npy(np.int32([0, 2, 1])),
    "indptr.npy": npy(np.int32([0, 2, 3])),
    "shape.npy": npy(np.int64([2, 3])),
    "format.npy": npy(np.array(b"csr")),
}

NPZ = {
    "one": archive({"x.npy": npy(np.arange(4.0).reshape(2, 2))}),
    "packed": archive({"x.npy": npy(np.zeros((50, 50)))}, zipfile.ZIP_DEFLATED),
    "two": archive({"x.npy": npy(np.arange(4.0)), "y.npy": npy(np.arange(3.0))}),
    "no array": archive({"readme.txt": b"hello"}),
    "nothing": archive({}),
    "sparse": archive(ROWS),
    "sparse columns": archive(ROWS | {"format.npy": npy(np.array(b"csc")), "shape.npy": npy(np.int64([3, 2]))}),
    "sparse blocks": archive(ROWS | {"format.npy": npy(np.array(b"bsr"))}),
    "sparse backwards": archive(ROWS | {"indptr.npy": npy(np.int32([2, 0, 3]))}),
    "sparse outside": archive(ROWS | {"indices.npy": npy(np.int32([0, 9, -1]))}),
    "sparse huge": archive(ROWS | {"shape.npy": npy(np.int64([2**62, 2**62]))}),
    "sparse short": archive(ROWS | {"indices.npy": npy(np.int32([0]))}),
    "workbook": archive({"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"}),
    "cut": archive({"x.npy": npy(np.arange(40.0))})[:-30],
    "damaged": archive({"x.npy": npy(np.zeros((50, 50)))}, zipfile.ZIP_DEFLATED).replace(b"\x05\xc1", b"\x00\x00"),
}

NPZ_NAMES = ["x.npy", "data.npy", "indices.npy", "indptr.npy", "shape.npy", "format.npy", "y.txt"]
NPZ |= {
    "members of one": members({"x.npy": npy(np.arange(4.0).reshape(2, 2))}, NPZ_NAMES),
    "members of sparse": members(ROWS, NPZ_NAMES),
    "members of many rows": members(
        ROWS | {"format.npy": npy(np.array(b"csc")), "shape.npy": npy(np.int64([2**30, 2]))}, NPZ_NAMES),
    "members of columns": members(
        ROWS | {"format.npy": npy(np.array(b"csc")), "shape.npy": npy(np.int64([3, 2]))}, NPZ_NAMES),
}

LIBSVM = {
    "plain": b"1 1:0.5 3:2\n-1 2:1\n",
    "from zero": b"1 0:0.5 3:2\n",
    "comments": b"# head\n1 1:0.5 # tail\n\n0 qid:3 2:1\n",
    "labels alone": b"1\n2 1:1\n",
    "backwards": b"1 3:1 2:1\n",
    "twice": b"1 3:1 3:1\n",
    "several labels": b"1,2 3:1\n",
    "huge index": b"1 4294967297:1\n",
    "many columns": b"1 4194305:1\n",
    "negative index": b"1 -1:1\n",
    "no value": b"1 1:\n",
    "no index": b"1 :1\n",
    "not finite": b"1 1:nan 2:inf\n",
    "too large": b"1 1:1e999\n",
    "words": b"one 1:two\n",
    "carriage": b"1 1:1\r\n2 2:2\r\n",
    "cut": b"1 1:1 2",
}

IDX = {
    "bytes": idx(0x08, (2, 3), bytes(6)),
    "images": idx(0x08, (2, 2, 2), bytes(8)),
    "labels": idx(0x08, (3,), bytes(3)),
    "signed": idx(0x09, (2,), b"\xff\x01"),
    "shorts": idx(0x0B, (2,), b"\xff\xff\x00\x01"),
    "integers": idx(0x0C, (1, 1), b"\x7f\xff\xff\xff"),
    "floats": idx(0x0D, (1,), struct.pack(">f", 1.5)),
    "doubles": idx(0x0E, (1,), struct.pack(">d", float("nan"))),
    "unknown type": idx(0x0A, (1,), b"\0"),
    "no dimensions": idx(0x08, ()),
    "nothing but a head": b"\0\0\x08",
    "unknown type without dimensions": idx(0x01, (), bytes(8)),
    "no rows": idx(0x08, (0, 4)),
    "huge": idx(0x08, (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF)),
    "many dimensions": struct.pack(">HBB", 0, 8, 255),
    "short": idx(0x08, (2, 3), bytes(5)),
    "long": idx(0x08, (2, 3), bytes(7)),
}

DESCRIPTION = (
    '{"format": "coppice-model", "version": 1, "method": "bkm", "family": "gaussian", '
    '"partition": {"name": "dirichlet", "parameter": 2.0}, "k": 1, "objective": 1.0, "total_weight": 2.0, '
    '"columns": [{"name": "a", "kind": "real"}]}'
)
PARTS = {
    "model.json": DESCRIPTION.encode(),
    "origin.npy": npy(np.zeros(1)),
    "stats.npy": npy(np.array([[2.0, 0.5, 1.0]])),
    "prior/m0.npy": npy(np.zeros(1)),
    "prior/xi0.npy": npy(np.array([0.1])),
    "prior/eta0.npy": npy(np.array([1.0])),
    "prior/b0.npy": npy(np.ones((1, 1))),
}

MODEL = {
    "whole": archive(PARTS),
    "no description": archive({name: data for name, data in PARTS.items() if name != "model.json"}),
    "no statistics": archive({name: data for name, data in PARTS.items() if name != "stats.npy"}),
    "not JSON": archive(PARTS | {"model.json": b"{"}),
    "other version": archive(PARTS | {"model.json": DESCRIPTION.replace('"version": 1', '"version": 99').encode()}),
    "other family": archive(PARTS | {"model.json": DESCRIPTION.replace("gaussian", "gaussion").encode()}),
    "other kind": archive(PARTS | {"model.json": DESCRIPTION.replace('"real"', '"complex"').encode()}),
    "wrong types": archive(PARTS | {"model.json": DESCRIPTION.replace('"k": 1', '"k": "one"').encode()}),
    "not finite": archive(PARTS | {"stats.npy": npy(np.array([[np.inf, 0.5, 1.0]]))}),
    "no weight": archive(PARTS | {"stats.npy": npy(np.array([[0.0, 0.5, 1.0]]))}),
    "wrong shape": archive(PARTS | {"stats.npy": npy(np.zeros((1, 7)))}),
    "packed": archive(PARTS, zipfile.ZIP_DEFLATED),
    "bomb": archive(PARTS | {"stats.npy": npy(np.zeros((1, 100000)))}, zipfile.ZIP_DEFLATED),
    "cut": archive(PARTS)[:200],
    "nothing": b"PK\x03\x04",
}


MODEL_NAMES = ["model.json", "origin.npy", "stats.npy", "prior/m0.npy", "prior/xi0.npy", "prior/eta0.npy",
               "prior/b0.npy", "transform/0/mean.npy", "transform/0/deviation.npy"]
TRANSFORMED = DESCRIPTION.replace('"version": 1', '"version": 2').replace(
    '"columns"', '"transforms": {"input_columns": [{"name": "a", "kind": "real"}], '
    '"steps": [{"spec": "standardize", "seed": 0}]}, "columns"')
MODEL |= {
    "members": members(PARTS, MODEL_NAMES),
    "members with a transform": members(
        PARTS | {"model.json": TRANSFORMED.encode(), "transform/0/mean.npy": npy(np.zeros(1)),
                 "transform/0/deviation.npy": npy(np.ones(1))}, MODEL_NAMES),
    "members of an empty model": members({"model.json": DESCRIPTION.encode()}, MODEL_NAMES),
}


N_METHODS = 8  # catalogue.cpp


def story(method, number):
    """Any options, any table; the same for the same numbers."""
    return bytes([method]) + random.Random(1000 * method + number).randbytes(40 + 30 * number)


# Method, columns, rows, kind of table, common scale (its place in the list of sizes), then rows of small numbers.
def table(method, scale, n_rows=12, n_columns=2):
    rows = b"".join(bytes([0, 0] + [(40 * (row % 3) + 7 * row + 60 * column) % 256 for column in range(n_columns)])
                    for row in range(n_rows))
    return bytes([method, n_columns - 1, n_rows - 1, 0, scale] + [0] * n_columns) + rows


FIT = {f"method {method} story {number}": story(method, number) for method in range(N_METHODS) for number in range(6)}
FIT |= {f"method {method} scale {scale}": table(method, scale) for method in range(N_METHODS) for scale in (0, 8, 15, 27, 31)}
FIT |= {"nothing": b"", "one row": bytes([0, 0, 0])}


def main():
    folder = Path(sys.argv[1])
    for name, files in dict(csv=CSV, npy=NPY, npz=NPZ, libsvm=LIBSVM, idx=IDX, model=MODEL, fit=FIT).items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for title, data in files.items():
            (folder / name / title.replace(" ", "-")).write_bytes(data)


if __name__ == "__main__":
    main()
