"""Multiplied by d_head to the power of minus one half."""

import numpy as np


def scaled(scores, d_head):
    return scores * d_head**-0.5


def d_scores(d_logits, d_head):
    return d_logits * float(d_head) ** -0.5
