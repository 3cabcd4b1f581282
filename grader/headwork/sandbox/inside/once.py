"""One job in a process of its own: the way without a zygote. Job on 0, answers on 1, prints on 2."""

from __future__ import annotations

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import room
import warm


def main() -> None:
    """``argv[1]`` is the order: limits, the folder of NumPy, modules, and a user for the superuser to become."""
    try:
        order = json.loads(sys.argv[1])
        warm.warm(order["numpy"])
        warm.bring(order["modules"])
        import work

        sys.argv[:] = ["submission"]
        room.arrange(job=0, answers=1, printed=2)
        if order["uid"] is not None:
            room.drop_root(order["uid"])
        room.settle(order["limits"])
    except BaseException as error:
        room.give_up(error)
    work.main()


if __name__ == "__main__":
    main()
