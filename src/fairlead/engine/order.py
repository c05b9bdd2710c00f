"""The order of hooks inside a phase: `before` and `after` names, then priority, then declaration."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from fairlead.errors import PolicyError
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Hook


def ordered(hooks: Sequence[Hook]) -> tuple[Hook, ...]:
    """Stable; names of hooks that are not there are ignored. Raises PolicyError that names a cycle."""
    if not any(hook.before or hook.after for hook in hooks):
        return tuple(sorted(hooks, key=lambda hook: -hook.priority))
    followers, waiting = _edges(hooks)
    ready = [(-hooks[index].priority, index) for index, count in enumerate(waiting) if count == 0]
    heapify(ready)
    result: list[Hook] = []
    while ready:
        _, index = heappop(ready)
        result.append(hooks[index])
        for follower in followers[index]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                heappush(ready, (-hooks[follower].priority, follower))
    if len(result) < len(hooks):
        cycle = find_cycle(hooks)
        raise PolicyError(
            f"hooks wait for each other: {' -> '.join(cycle)}",
            hint="take one of these names out of its 'before' or 'after'",
        )
    return tuple(result)


def find_cycle(hooks: Sequence[Hook]) -> list[str]:
    """The ids along one cycle of `before`/`after` names, the first repeated at the end; empty when none."""
    followers, _ = _edges(hooks)
    done: set[int] = set()
    for start in range(len(hooks)):
        cycle = _cycle_from(start, followers, done)
        if cycle:
            return [hooks[index].id for index in cycle]
    return []


def without_cycles(hooks: Sequence[Hook]) -> list[Hook]:
    """Hooks that wait for each other are broken, with a failure that names the cycle; others are not."""
    result = list(hooks)
    for event in {hook.event for hook in hooks}:
        while cycle := find_cycle([hook for hook in result if hook.event is event and hook.enabled]):
            result = [_cut(hook, event, cycle) for hook in result]
    return result


def _cut(hook: Hook, event: EventName, cycle: list[str]) -> Hook:
    if hook.event is not event or hook.id not in cycle:
        return hook
    message = f"hooks wait for each other: {' -> '.join(cycle)}"
    failure = Failure(Stage.PLANNING, FailureCode.PLANNING_FAILURE, message, {"hook": hook.id})
    return hook.replace(before=(), after=(), broken=hook.broken or failure)


def _edges(hooks: Sequence[Hook]) -> tuple[list[list[int]], list[int]]:
    """For each hook the hooks that come after it, and how many it waits for."""
    positions: dict[str, list[int]] = {}
    for index, hook in enumerate(hooks):
        positions.setdefault(hook.id, []).append(index)
    pairs: set[tuple[int, int]] = set()
    for index, hook in enumerate(hooks):
        pairs.update((index, other) for name in hook.before for other in positions.get(name, ()))
        pairs.update((other, index) for name in hook.after for other in positions.get(name, ()))
    followers: list[list[int]] = [[] for _ in hooks]
    waiting = [0] * len(hooks)
    for first, second in sorted(pairs):
        followers[first].append(second)
        waiting[second] += 1
    return followers, waiting


def _cycle_from(start: int, followers: list[list[int]], done: set[int]) -> list[int]:
    """Depth first without recursion, since a policy may hold a thousand hooks in a row."""
    path: list[int] = []
    on_path: set[int] = set()
    stack: list[tuple[int, int]] = [(start, 0)]
    while stack:
        index, branch = stack.pop()
        if branch == 0:
            if index in done:
                continue
            path.append(index)
            on_path.add(index)
        if branch < len(followers[index]):
            stack.append((index, branch + 1))
            follower = followers[index][branch]
            if follower in on_path:
                return [*path[path.index(follower) :], follower]
            stack.append((follower, 0))
        else:
            path.pop()
            on_path.discard(index)
            done.add(index)
    return []
