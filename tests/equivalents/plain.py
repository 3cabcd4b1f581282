"""Everything, written plainly."""

import math

import numpy as np


def project(x, w):
    return x @ w


def project_heads(x, w):
    return np.expand_dims(x, 1) @ w


def scores(q, k):
    return q @ np.swapaxes(k, -1, -2)


def scaled(scores, d_head):
    return scores / math.sqrt(d_head)


def visible(T, causal):
    return np.tril(np.ones((T, T), dtype=bool)) if causal else np.ones((T, T), dtype=bool)


def logits(scaled, visible):
    return np.where(visible, scaled, -np.inf)


def weights(logits):
    e = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def heads(weights, v):
    return weights @ v


def split_heads(packed, n_heads):
    B, T, width = packed.shape
    return packed.reshape(B, T, n_heads, width // n_heads).transpose(0, 2, 1, 3)


def concat(heads):
    B, n_heads, T, d_head = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(B, T, n_heads * d_head)


def out(concat, w_o):
    return concat @ w_o


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, causal):
    q, k, v = (split_heads(project(x, w), n_heads) for w in (w_q, w_k, w_v))
    s = scaled(scores(q, k), w_q.shape[1] // n_heads)
    a = weights(logits(s, visible(x.shape[1], causal)))
    return out(concat(heads(a, v)), w_o)


def stacked_attention(x, w_q, w_k, w_v, w_o, causal):
    q, k, v = (project_heads(x, w) for w in (w_q, w_k, w_v))
    a = weights(logits(scaled(scores(q, k), w_q.shape[2]), visible(x.shape[1], causal)))
    return out(concat(heads(a, v)), w_o)


def cross_attention(x, context, w_q, w_k, w_v):
    q, k, v = project(x, w_q), project(context, w_k), project(context, w_v)
    return heads(weights(scaled(scores(q, k), w_q.shape[1])), v)


def appended(cache, new):
    return np.concatenate([cache, new], axis=-2)


def visible_from_cache(T_past, T_new):
    return np.tril(np.ones((T_past + T_new, T_past + T_new), dtype=bool))[T_past:]


def d_v(weights, upstream):
    return np.swapaxes(weights, -1, -2) @ upstream


def d_weights(upstream, v):
    return upstream @ np.swapaxes(v, -1, -2)


def d_logits(weights, d_weights):
    return weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))


def d_scores(d_logits, d_head):
    return d_logits / math.sqrt(d_head)


def d_q(d_scores, k):
    return d_scores @ k


def d_k(d_scores, q):
    return np.swapaxes(d_scores, -1, -2) @ q


def d_projection(x, d_projected):
    return np.sum(np.swapaxes(x, -1, -2) @ d_projected, axis=0)


def back_projected(d_projected, w):
    return d_projected @ w.T


def d_x(d_x_through_q, d_x_through_k, d_x_through_v):
    return d_x_through_q + d_x_through_k + d_x_through_v


def uniform(visible):
    return visible / visible.sum(axis=-1, keepdims=True)


def averages(uniform, x):
    return uniform @ x


def decode(x, k_cache, v_cache, w_q, w_k, w_v):
    k, v = appended(k_cache, project(x, w_k)), appended(v_cache, project(x, w_v))
    seen = visible_from_cache(np.shape(k_cache)[-2], x.shape[-2])
    return heads(weights(logits(scaled(scores(project(x, w_q), k), w_q.shape[1]), seen)), v)


def prefill_and_decode(x_past, x, w_q, w_k, w_v):
    return decode(x, project(x_past, w_k), project(x_past, w_v), w_q, w_k, w_v)


def attention_backward(x, w_q, w_k, w_v, upstream, causal):
    q, k, v = project(x, w_q), project(x, w_k), project(x, w_v)
    d_head = w_q.shape[1]
    a = weights(logits(scaled(scores(q, k), d_head), visible(x.shape[-2], causal)))
    back = d_scores(d_logits(a, d_weights(upstream, v)), d_head)
    return d_x(
        back_projected(d_q(back, k), w_q), back_projected(d_k(back, q), w_k), back_projected(d_v(a, upstream), w_v)
    )
