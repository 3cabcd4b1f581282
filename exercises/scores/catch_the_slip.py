"""Write a test that catches this

A function that scales scores is handed in by a hundred people, and most of the wrong ones look right at first sight:
they divide by the wrong root, by the wrong width, or lose the digits after the point. Your test decides.

It is run on right code in several styles, which it has to accept, and on code with known mistakes, which it should
reject. The points are the share of mistakes that it catches; a test that rejects right code earns none.

**In code:** write one test. It gets the function as its argument and uses `assert`:

```python
def test_scaled(scaled):
    scores = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert scaled(scores, d_head=4) is not None
```

Right code may work in float32, so compare with a tolerance of about 1e-5.
"""

from fractions import Fraction

from headwork.answers.asking import CatchMistakes
from headwork.model import Exercise

exercise = Exercise(
    unit=3,
    hand_chain="attention",
    shows_numbers=False,
    parts=(
        CatchMistakes(
            slug="test",
            points=Fraction(3),
            question="Write a test `test_scaled(scaled)` that accepts every right `scaled(scores, d_head)` and catches "
            "as many wrong ones as you can.",
            function="scaled",
            example="""\
def test_scaled(scaled):
    scores = np.array([[1.0, -2.5, 3.0], [0.5, 4.0, -1.0], [7.0, -0.3, 2.0], [1.0, 1.5, -6.0]])
    for d_head in (2, 3, 5, 9):
        seen = np.asarray(scaled(scores, d_head))
        assert seen.shape == scores.shape
        assert np.allclose(seen, scores / np.sqrt(d_head), rtol=1e-5, atol=1e-6)""",
        ),
    ),
)
