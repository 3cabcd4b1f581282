"""Typed and pasted matrices: the ways in which people write them, and their shapes."""

from __future__ import annotations

import pytest
from headwork.answers.matrices import Matrix, read_matrix, shown
from headwork.answers.reader import Invalid
from headwork.answers.tokens import Grammar

GRAMMAR = Grammar(infinity=True, words=True)
COMMA = Grammar(infinity=True, decimal_comma=True)

SQUARE = [["1", "-2"], ["0.5", "3/4"]]
WAYS = {
    "nested lists": "[[1, -2], [0.5, 3/4]]",
    "nested lists without spaces": "[[1,-2],[0.5,3/4]]",
    "lists over lines": "[[1, -2],\n [0.5, 3/4]]",
    "lists with a last comma": "[[1, -2,], [0.5, 3/4,],]",
    "rows by line": "1 -2\n0.5 3/4",
    "rows by line, aligned": "  1    -2 \n  0.5  3/4\n",
    "rows by line, with commas": "1, -2\n0.5, 3/4",
    "windows line ends": "1 -2\r\n0.5 3/4\r\n",
    "rows by semicolon": "1 -2; 0.5 3/4",
    "rows by semicolon, with commas": "1, -2; 0.5, 3/4;",
    "spreadsheet": "1\t-2\n0.5\t3/4",
    "csv": "1,-2\n0.5,3/4\n",
    "quoted csv": '"1","-2"\n"0.5","3/4"',
    "semicolon csv": "1;-2\n0.5;3/4",
    "matlab": "[1 -2; 0.5 3/4]",
    "matlab with commas": "[1, -2; 0.5, 3/4]",
    "matlab over lines": "[1 -2\n 0.5 3/4]",
    "numpy print": "[[1 -2]\n [0.5 3/4]]",
    "numpy repr": "array([[1, -2],\n       [0.5, 3/4]])",
    "numpy repr with a type": "np.array([[1, -2], [0.5, 3/4]], dtype=float32)",
    "numpy scalars": "[[np.float64(1), np.float64(-2)], [np.float64(0.5), 3/4]]",
    "torch": "tensor([[1, -2],\n        [0.5, 3/4]], dtype=torch.float64)",
    "torch with a gradient": "tensor([[1, -2], [0.5, 3/4]], grad_fn=<MmBackward0>)",
    "latex": r"\begin{pmatrix} 1 & -2 \\ 0.5 & 3/4 \end{pmatrix}",
    "latex with brackets": r"\begin{bmatrix}1&-2\\0.5&\frac{3}{4}\end{bmatrix}",
    "latex in dollars": r"$$\begin{bmatrix} 1 & -2 \\ 0.5 & \frac{3}{4} \\ \end{bmatrix}$$",
    "latex array": r"\left(\begin{array}{cc} 1 & -2 \\ 0.5 & 3/4 \end{array}\right)",
    "markdown": "| 1 | -2 |\n|---|---|\n| 0.5 | 3/4 |",
    "bars": "1 | -2\n0.5 | 3/4",
    "mathematica": "{{1, -2}, {0.5, 3/4}}",
    "lines with commas at their ends": "1, -2,\n0.5, 3/4,",
    "rows in brackets": "[1, -2]\n[0.5, 3/4]",
    "tuples": "((1, -2), (0.5, 3/4))",
    "tuples by line": "(1, -2)\n(0.5, 3/4)",
    "with a name": "scores = [[1, -2], [0.5, 3/4]]",
    "latex rows alone": r"1 & -2 \\ 0.5 & \frac{3}{4}",
    "sympy": "Matrix([[1, -2], [0.5, 3/4]])",
    "typographic minus": "1 −2\n0.5 3/4",
    "full width": "１，－２\n０．５，３／４",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_matrix_is_read_however_it_is_written(way: str) -> None:
    matrix = read_matrix(WAYS[way], GRAMMAR)
    assert isinstance(matrix, Matrix), matrix.pointed()
    assert shown(matrix) == SQUARE
    assert matrix.shape == (2, 2)


CELLS = {
    "1/2 -3": [["1/2", "-3"]],
    "1 - 2 3": [["1 - 2", "3"]],
    "2*sqrt(2) 1": [["2*sqrt(2)", "1"]],
    "ln 2  1": [["ln(2)", "1"]],
    "2 * 3  1": [["2*3", "1"]],
    "(1 + 2) 1": [["1 + 2", "1"]],
    "1/(1+e^(-2/5)), 1/(1+e^(2/5))": [["1/(1 + e^(-2/5))", "1/(1 + e^(2/5))"]],
    "-inf -∞ 2": [["-inf", "-inf", "2"]],
    "softmax(1, 2)": [["e^1/(e^1 + e^2)", "e^2/(e^1 + e^2)"]],
    "softmax([1, 2]); 0 1": [["e^1/(e^1 + e^2)", "e^2/(e^1 + e^2)"], ["0", "1"]],
    "True False": [["1", "0"]],
    "50% 25%": [["50%", "25%"]],
    "1.e-05 1.e+00": [["1*10^(-5)", "1"]],
}


@pytest.mark.parametrize("typed", CELLS)
def test_cells_are_told_apart(typed: str) -> None:
    matrix = read_matrix(typed, GRAMMAR)
    assert isinstance(matrix, Matrix), matrix.pointed()
    assert shown(matrix) == CELLS[typed]


@pytest.mark.parametrize(
    "typed",
    [
        "1 _\n? 4",
        "1\t\n\t4",
        "1,\n,4",
        "| 1 | |\n| | 4 |",
        "[[1, _], [?, 4]]",
        "1 | \n | 4",
        "1 nan\nnan 4",
        r"\begin{pmatrix}1&\\&4\end{pmatrix}",
    ],
)
def test_a_blank_is_a_cell(typed: str) -> None:
    matrix = read_matrix(typed, GRAMMAR)
    assert isinstance(matrix, Matrix), matrix.pointed()
    assert shown(matrix) == [["1", ""], ["", "4"]]


@pytest.mark.parametrize(
    ("typed", "cells"),
    [
        ("0,5 0,25\n1 2", [["0.5", "0.25"], ["1", "2"]]),
        ("0,5; 0,25\n1; 2", [["0.5", "0.25"], ["1", "2"]]),
        ("0,5\t0,25\n1\t2", [["0.5", "0.25"], ["1", "2"]]),
        ("[[0,5, 0,25], [1, 2]]", [["0.5", "0.25"], ["1", "2"]]),
        ("[[0,5; 0,25]; [1; 2]]", [["0.5", "0.25"], ["1", "2"]]),
        ("[[0.5, 0.25], [1, 2]]", [["0.5", "0.25"], ["1", "2"]]),
        ("[[0.5,0.25],[1.0,2.0]]", [["0.5", "0.25"], ["1.0", "2.0"]]),
    ],
)
def test_decimal_commas_are_read_where_they_are_declared(typed: str, cells: list[list[str]]) -> None:
    matrix = read_matrix(typed, COMMA)
    assert isinstance(matrix, Matrix), matrix.pointed()
    assert shown(matrix) == cells


def test_decimal_commas_elsewhere_are_asked_about() -> None:
    found = read_matrix("0,5 0,25\n1 2", GRAMMAR)
    assert isinstance(found, Invalid)
    assert found.message == "commas within numbers, or between them? Write the decimal point"


@pytest.mark.parametrize(
    ("typed", "shape"),
    [
        ("1", (1, 1)),
        ("1 2 3", (1, 3)),
        ("1\n2\n3", (3, 1)),
        ("[1, 2, 3]", (3,)),
        ("[[1, 2, 3]]", (1, 3)),
        ("[[1], [2]]", (2, 1)),
        ("[[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 9], [9, 9]]]", (3, 2, 2)),
        ("1 2\n3 4\n\n5 6\n7 8", (2, 2, 2)),
        ("[[1, 2], [3]]", None),
        ("1 2\n3", None),
        ("[[[1, 2]], [[3]]]", None),
        ("[]", (0,)),
    ],
)
def test_the_shape_is_the_one_written(typed: str, shape: tuple[int, ...] | None) -> None:
    matrix = read_matrix(typed)
    assert isinstance(matrix, Matrix)
    assert matrix.shape == shape


@pytest.mark.parametrize(
    ("typed", "shape", "fits"),
    [
        ("[1, 2, 3]", (3,), True),
        ("1 2 3", (3,), True),
        ("1; 2; 3", (3,), True),
        ("1 2 3", (1, 3), True),
        ("[1, 2, 3]", (1, 3), True),
        ("[[1], [2], [3]]", (3,), False),
        ("[[1, 2, 3]]", (3,), False),
        ("1 2\n3 4", (1, 2, 2), True),
        ("1 2\n3 4", (2, 1, 2), False),
        ("1 2 3 4", (2, 2), False),
        ("1 2\n3", (2, 2), False),
    ],
)
def test_only_leading_axes_of_length_1_may_be_left_out(typed: str, shape: tuple[int, ...], fits: bool) -> None:
    matrix = read_matrix(typed)
    assert isinstance(matrix, Matrix)
    assert matrix.fits(shape) is fits


@pytest.mark.parametrize("typed", ["[[1, 2], [3, 4]", "[[1, 2], 3]", "[1, 2]]", "1 2\n3 what", "[[1, 2], [3, (4]]", ""])
def test_an_unreadable_matrix_is_invalid(typed: str) -> None:
    assert isinstance(read_matrix(typed), Invalid)


def test_ragged_rows_are_named() -> None:
    matrix = read_matrix("1 2\n3")
    assert isinstance(matrix, Matrix)
    assert matrix.shape_text() == "rows of 2, 1 numbers"
