"""Wrong ways back through the scale."""

import numpy as np
from headwork.model import Array


def scale_left_out(d_logits: Array) -> Array:
    """Left out the scale on the way back.

    What was divided by the square root of d_head on the way forward is divided by it on the way back as well.

    Divide by the square root of d_head.

    By how much does a scaled score change when the score changes by 1?
    """
    return d_logits


def scale_applied_twice(d_logits: Array, d_head: int) -> Array:
    """Divided by d_head, which applies the scale twice.

    One division by the square root of d_head lies between scores and logits, and one comes back.

    Divide once.

    By how much does a scaled score change when the score changes by 1?
    """
    return d_logits / d_head


def scale_multiplied(d_logits: Array, d_head: int) -> Array:
    """Multiplied by the square root of d_head on the way back.

    The derivative of a quotient by a constant is divided by the same constant; nothing is undone.

    Divide.

    By how much does a scaled score change when the score changes by 1?
    """
    return d_logits * np.sqrt(d_head)


def scaled_by_the_model_width(d_logits: Array, d_model: int) -> Array:
    """Divided the gradient by the square root of d_model.

    The way forward divides by the square root of d_head, the width of one head.

    Use the same scale in both directions.

    What were the scores divided by?
    """
    return d_logits / np.sqrt(d_model)
