"""Running several functions concurrently, each as a request of its own would."""

from collections.abc import Callable
from threading import Barrier, Thread

from django.db import connections


def at_once(*acts: Callable[[], object]) -> None:
    """Run all of them concurrently; an exception in any of them is raised."""
    barrier, faults = Barrier(len(acts)), []

    def carry_out(act: Callable[[], object]) -> None:
        barrier.wait()
        try:
            act()
        except Exception as fault:
            faults.append(fault)
        finally:
            connections.close_all()

    threads = [Thread(target=carry_out, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
