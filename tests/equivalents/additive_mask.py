"""Minus infinity added to the hidden scores."""

import numpy as np


def logits(scaled, visible):
    return scaled + np.where(visible, 0.0, -np.inf)
