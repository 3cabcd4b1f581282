"""Results written into arrays made beforehand."""

import numpy as np


def split_heads(packed, n_heads):
    B, T, width = packed.shape
    result = np.empty((B, n_heads, T, width // n_heads))
    for h in range(n_heads):
        result[:, h] = packed[:, :, h * (width // n_heads) : (h + 1) * (width // n_heads)]
    return result


def concat(heads):
    B, n_heads, T, d_head = heads.shape
    result = np.zeros((B, T, n_heads * d_head))
    for h in range(n_heads):
        result[..., h * d_head : (h + 1) * d_head] = heads[:, h]
    return result


def appended(cache, new):
    result = np.empty(cache.shape[:-2] + (cache.shape[-2] + new.shape[-2], cache.shape[-1]))
    result[..., : cache.shape[-2], :] = cache
    result[..., cache.shape[-2] :, :] = new
    return result
