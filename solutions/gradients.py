"""The way back through one attention head

``upstream`` is the gradient of a loss with respect to the head's output, ``d_...`` the gradient of the same
loss with respect to the value of that name. A gradient has the axes of what it belongs to. ``x`` is reached
by three paths: through the queries, the keys and the values; the value path does not pass through the scores.
"""

from typing import Annotated

import numpy as np
from headwork.model import Array
from headwork.stages import stage

from . import attention

LEADING = "B"

q = stage(attention.project, w="w_q", axes="B T d_head")
k = stage(attention.project, w="w_k", axes="B T d_head")
v = stage(attention.project, w="w_v", axes="B T d_head")
scores = stage(attention.scores, axes="B T T")
scaled = stage(attention.scaled, axes="B T T")
visible = stage(attention.visible)
logits = stage(attention.logits, axes="B T T")
weights = stage(attention.weights, axes="B T T")


def d_v(
    weights: Annotated[Array, "... T_q T_k"], upstream: Annotated[Array, "... T_q d_head"]
) -> Annotated[Array, "... T_k d_head"]:
    """The gradient with respect to the values."""
    # Value s went to every position t in the proportion weights[t, s], and gets its gradient back in the same.
    return np.swapaxes(weights, -1, -2) @ upstream


def d_weights(
    upstream: Annotated[Array, "... T_q d_head"], v: Annotated[Array, "... T_k d_head"]
) -> Annotated[Array, "... T_q T_k"]:
    """The gradient with respect to the weights, each for itself, before the softmax ties a row together."""
    return upstream @ np.swapaxes(v, -1, -2)


def d_logits(
    weights: Annotated[Array, "... T_q T_k"], d_weights: Annotated[Array, "... T_q T_k"]
) -> Annotated[Array, "... T_q T_k"]:
    """The gradient with respect to the logits, back through the softmax of every row."""
    # Raising one logit takes weight from all others of its row, hence the row's weighted mean of d_weights.
    mean = (weights * d_weights).sum(axis=-1, keepdims=True)
    return weights * (d_weights - mean)


def d_scores(d_logits: Annotated[Array, "... T_q T_k"], d_head: int) -> Annotated[Array, "... T_q T_k"]:
    """The gradient with respect to the scores, back through mask and scale."""
    # Hidden cells have weight 0, so their gradient is 0 already.
    return d_logits / np.sqrt(d_head)


def d_q(
    d_scores: Annotated[Array, "... T_q T_k"], k: Annotated[Array, "... T_k d_head"]
) -> Annotated[Array, "... T_q d_head"]:
    """The gradient with respect to the queries."""
    return d_scores @ k


def d_k(
    d_scores: Annotated[Array, "... T_q T_k"], q: Annotated[Array, "... T_q d_head"]
) -> Annotated[Array, "... T_k d_head"]:
    """The gradient with respect to the keys."""
    return np.swapaxes(d_scores, -1, -2) @ q


def d_projection(
    x: Annotated[Array, "B T d_model"], d_projected: Annotated[Array, "B T width"]
) -> Annotated[Array, "d_model width"]:
    """The gradient with respect to the matrix of a projection: summed over all positions of all prompts."""
    # The same matrix is used at every position, so every position adds its share.
    return x.reshape(-1, x.shape[-1]).T @ d_projected.reshape(-1, d_projected.shape[-1])


d_w_q = stage(d_projection, d_projected="d_q", axes="d_model d_head")
d_w_k = stage(d_projection, d_projected="d_k", axes="d_model d_head")
d_w_v = stage(d_projection, d_projected="d_v", axes="d_model d_head")


def back_projected(
    d_projected: Annotated[Array, "... T width"], w: Annotated[Array, "d_model width"]
) -> Annotated[Array, "... T d_model"]:
    """The part of the gradient with respect to x that comes through one projection."""
    return d_projected @ w.T


d_x_through_q = stage(back_projected, d_projected="d_q", w="w_q")
d_x_through_k = stage(back_projected, d_projected="d_k", w="w_k")
d_x_through_v = stage(back_projected, d_projected="d_v", w="w_v")


def d_x(
    d_x_through_q: Annotated[Array, "... T d_model"],
    d_x_through_k: Annotated[Array, "... T d_model"],
    d_x_through_v: Annotated[Array, "... T d_model"],
) -> Annotated[Array, "... T d_model"]:
    """The gradient with respect to x: queries, keys and values were all made of it."""
    return d_x_through_q + d_x_through_k + d_x_through_v


AXES = {
    "x": "B T d_model",
    "w_q": "d_model d_head",
    "w_k": "d_model d_head",
    "w_v": "d_model d_head",
    "upstream": "B T d_head",
}
