"""A small job that the zygote does for itself before it serves.

What is done when something is used for the first time, or has been used a few times (the interpreter adapts
its code), is then done once and not in every child.
"""

from __future__ import annotations

import os
import sys

import load
import numpy as np
from work import Job, Sender, work

_SOURCE = """
import numpy as np

def project(X, W):
    return X @ W

def softmax(logits):
    exponentials = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)

def attend(X, W, causal=True):
    q = project(X, W)
    scores = q @ np.swapaxes(q, -1, -2) / np.sqrt(q.shape[-1])
    if causal:
        scores = np.where(np.tril(np.ones(scores.shape, dtype=bool)), scores, -np.inf)
    mixed = softmax(scores) @ q
    return np.concatenate([mixed, mixed.reshape(mixed.shape).transpose(0, 1)], axis=0)
"""
_ROUNDS, _CALLS = 5, 4


def rehearse() -> None:
    """Load the source and call its functions; the answers go nowhere."""
    numbers = np.arange(16.0).reshape(4, 4)
    source = _SOURCE.encode()
    array, cap = ("array", 0), 1 << 16
    calls = [
        ("project", (array, array), cap, None),
        ("softmax", (array,), cap, None),
        ("attend", (array, array, ("value", True)), cap, None),
    ]
    header = {
        "cells": [len(source)],
        "calls": _CALLS * calls,
        "arrays": [(numbers.dtype.str, numbers.shape)],
        "reused": [],
        "skip": [],
        "definitions": [],
    }
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for _ in range(_ROUNDS):
        work(Job(header, source + numbers.tobytes()), Sender(nowhere))
    os.close(nowhere)
    del sys.modules[load.NAME]
