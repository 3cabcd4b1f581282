"""A masked array, filled with minus infinity."""

import numpy as np


def logits(scaled, visible):
    return np.ma.masked_array(scaled, mask=np.broadcast_to(~visible, scaled.shape)).filled(-np.inf)
