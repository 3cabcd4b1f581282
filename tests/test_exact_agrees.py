"""The exact stages, NumPy and PyTorch agree on random small problems, over all chains."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from headwork.answers.exact_chain import evaluate_exact, exact_operations, lifted
from headwork.model import Chain
from headwork.rooms import load_content
from headwork.stages import evaluate

CONTENT = load_content()
SIZES = ((2, 3, 2, 4, 2), (1, 3, 3, 2, 2), (2, 4, 2, 3, 3), (1, 2, 2, 5, 1))


def inputs_of(chain: Chain, seed: int) -> dict[str, Any]:
    """Random values for the inputs of a chain, of sizes that differ."""
    rng = np.random.default_rng([seed, len(chain.slug)])  # noqa: TID251
    B, T, d_head, d_model, n_heads = SIZES[seed % len(SIZES)]
    size = {
        "B": B, "T": T, "T_q": T, "T_k": T + 1, "d_head": d_head, "d_model": d_model, "n_heads": n_heads,
        "T_past": T, "T_new": 2, "T_past+T_new": T + 2, "n_heads*d_head": n_heads * d_head,
        "causal": seed % 3 != 0,
    }  # fmt: skip
    values: dict[str, Any] = {}
    for name in chain.sources:
        if name in size:
            values[name] = size[name]
        else:
            axes = [d_head if axis == "width" and chain.slug != "multi_head" else size.get(axis, n_heads * d_head)
                    for axis in chain.axes[name].split()]  # fmt: skip
            values[name] = rng.integers(-20, 21, axes) / 10
    return values


def agrees(exact: Any, floats: Any) -> bool:
    worked = np.array(exact, dtype=object)
    if worked.shape != np.shape(floats):
        return False
    numbers = worked.astype(np.float64)
    return bool(np.allclose(numbers, np.asarray(floats, dtype=np.float64), rtol=1e-9, atol=1e-12))


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("slug", CONTENT.chains)
def test_sixty_digits_agree_with_numpy_at_every_stage(slug: str, seed: int) -> None:
    chain = CONTENT.chains[slug]
    values = inputs_of(chain, seed)
    floats = evaluate(chain, values)
    exact = evaluate_exact(CONTENT, chain, {name: lifted(value) for name, value in values.items()})
    assert [stage for stage in chain.stages if not agrees(exact[stage], floats[stage])] == []


@pytest.mark.parametrize("seed", [1, 3])
@pytest.mark.parametrize("slug", ["attention", "multi_head", "stacked_heads", "cross"])
def test_sympy_agrees_with_numpy_at_every_stage(slug: str, seed: int) -> None:
    chain = CONTENT.chains[slug]
    values = inputs_of(chain, seed)
    floats = evaluate(chain, values)
    exact = evaluate_exact(CONTENT, chain, {name: rational(value) for name, value in values.items()})
    wrong = [stage for stage in chain.stages if not agrees(evaluated(exact[stage]), floats[stage])]
    assert wrong == []


def rational(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return rational(value.tolist())
    if isinstance(value, list):
        return [rational(part) for part in value]
    return value if isinstance(value, bool | int) else sympy.Rational(round(value * 10), 10)


def evaluated(value: Any) -> Any:
    if isinstance(value, list):
        return [evaluated(part) for part in value]
    return value if isinstance(value, bool) else float(value)


@pytest.mark.parametrize("slug", CONTENT.chains)
def test_every_operation_has_an_exact_counterpart(slug: str) -> None:
    chain = CONTENT.chains[slug]
    named = {stage.operation.name for stage in chain.stages.values()}
    assert named <= exact_operations(CONTENT, chain).keys()


# --- PyTorch ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("slug", ["attention", "multi_head", "stacked_heads"])
def test_the_heads_are_those_of_scaled_dot_product_attention(slug: str, seed: int) -> None:
    torch = pytest.importorskip("torch")
    chain = CONTENT.chains[slug]
    values = evaluate(chain, inputs_of(chain, seed))
    suffix = "_heads" if slug == "multi_head" else ""
    q, k, v = (torch.tensor(values[f"{name}{suffix}"]) for name in "qkv")
    heads = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=torch.tensor(values["visible"]))
    assert agrees(heads.numpy(), values["heads"])


@pytest.mark.parametrize("seed", range(6))
def test_cross_attention_is_that_of_torch(seed: int) -> None:
    torch = pytest.importorskip("torch")
    values = evaluate(CONTENT.chains["cross"], inputs_of(CONTENT.chains["cross"], seed))
    q, k, v = (torch.tensor(values[name]) for name in "qkv")
    assert agrees(torch.nn.functional.scaled_dot_product_attention(q, k, v).numpy(), values["heads"])


@pytest.mark.parametrize("seed", range(6))
def test_multi_head_attention_is_that_of_torch(seed: int) -> None:
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(seed)  # noqa: TID251
    B, T, d_head, n_heads = 2, 3 + seed % 2, 2, 2 + seed % 2
    width = n_heads * d_head  # torch's module has d_model = n_heads * d_head
    values: dict[str, Any] = {"x": rng.standard_normal((B, T, width)), "T": T, "d_head": d_head, "n_heads": n_heads}
    values |= {name: rng.standard_normal((width, width)) for name in ("w_q", "w_k", "w_v", "w_o")}
    values |= {"causal": True}
    module = torch.nn.MultiheadAttention(width, n_heads, bias=False, batch_first=True, dtype=torch.float64)
    packed = np.concatenate([values[name].T for name in ("w_q", "w_k", "w_v")])
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.tensor(packed))
        module.out_proj.weight.copy_(torch.tensor(values["w_o"].T))
        x = torch.tensor(values["x"])
        hidden = ~torch.tensor(np.tril(np.ones((T, T), dtype=bool)))
        out, _ = module(x, x, x, attn_mask=hidden, need_weights=False)
    chain = CONTENT.chains["multi_head"]
    assert agrees(out.numpy(), evaluate(chain, values)["out"])
    exact = evaluate_exact(CONTENT, chain, {name: lifted(value) for name, value in values.items()})
    assert agrees(exact["out"], out.numpy())
