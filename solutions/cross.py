"""Cross attention

Queries come from x, keys and values from another sequence, ``context``, of another length; every
query may read all of it.
"""

from headwork.stages import stage

from . import attention

LEADING = "B"
AXES = {
    "x": "B T_q d_model",
    "context": "B T_k d_model",
    **dict.fromkeys(("w_q", "w_k", "w_v"), "d_model d_head"),
}

q = stage(attention.project, w="w_q", axes="B T_q d_head")
k = stage(attention.project, x="context", w="w_k", axes="B T_k d_head")
v = stage(attention.project, x="context", w="w_v", axes="B T_k d_head")
scores = stage(attention.scores)
scaled = stage(attention.scaled)
weights = stage(attention.weights, logits="scaled")
heads = stage(attention.heads)
