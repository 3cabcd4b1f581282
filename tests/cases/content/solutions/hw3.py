"""One head on one prompt, as an older course asks for it"""

from typing import Annotated

import numpy as np
from headwork.model import Array
from headwork.stages import stage

LEADING = ""
AXES = {name: "d_model d_head" for name in ("w_q", "w_k", "w_v")}


def projected(X: Annotated[Array, "T d_model"], W: Annotated[Array, "d_model width"]) -> Annotated[Array, "T width"]:
    """X times one projection."""
    return X @ W


q = stage(projected, X="x", W="w_q", axes="T d_head")
k = stage(projected, X="x", W="w_k", axes="T d_head")
v = stage(projected, X="x", W="w_v", axes="T d_head")


def attention_scores(
    Q: Annotated[Array, "T d_head"], K: Annotated[Array, "T d_head"]
) -> Annotated[Array, "T T"]:
    """Dot products over the square root of the width of Q."""
    return Q @ K.T / np.sqrt(Q.shape[-1])


scaled_scores = stage(attention_scores, Q="q", K="k")


def causal_mask(T: int) -> Annotated[Array, "T T"]:
    """True where position t may look."""
    return np.tri(T, dtype=bool)


mask = stage(causal_mask)


def masked(scaled_scores: Annotated[Array, "T T"], mask: Annotated[Array, "T T"], causal: bool) -> Annotated[Array, "T T"]:
    """Minus infinity where a position may not look, if causal."""
    return np.where(mask, scaled_scores, -np.inf) if causal else scaled_scores


def softmax(scores: Annotated[Array, "T T"]) -> Annotated[Array, "T T"]:
    """Each row sums to 1."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


shares = stage(softmax, scores="masked")


def head(shares: Annotated[Array, "T T"], v: Annotated[Array, "T d_head"]) -> Annotated[Array, "T d_head"]:
    """The mixture of values."""
    return shares @ v
