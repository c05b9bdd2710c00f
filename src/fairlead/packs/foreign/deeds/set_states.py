"""States that the arguments of a call set, whatever the tool is called: gone for good, out of work, kept for a day."""

from __future__ import annotations

from fairlead.packs.foreign.deeds.told import Told
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names


def state_deed(told: Told) -> str:
    """The name of the effect, or nothing."""
    if _goes_for_good(told) or _is_kept_shorter(told):
        return "by-name"
    if _stops_working(told):
        return "disturb"
    return "go-live" if _takes_from_sight(told) or _goes_to_production(told) else ""


_TRASHED = lazy(
    r"(?:in)?trash(?:ed)?|droptarget|drop(?:existing|tables?)|delete(?:originals?|contents?|source|events|data|all|subtasks|existing|backups?)"
    r"|skiptrash|(?:hard|force)delete|wipe\w*|erase\w*|destroy\w*|remove(?:data|volumes)"
)
_FINAL = lazy(r"overwrite(?:existing)?|permanent(?:ly)?|purge|skiptrash|irreversible|force")
_LOSING = names("restore delete deletes remove trash purge move empty clear rename archive")
_PASSING = names(
    "cache caches tab tabs session label worktree container image cookies pin reminder branch sims sim simulator"
)


def _goes_for_good(told: Told) -> bool:
    on = {key for key, value in told.states if value is True}
    if any(_TRASHED.fullmatch(key) for key in on):
        return True
    losing = not told.tool.isdisjoint(_LOSING) and told.tool.isdisjoint(_PASSING)
    if losing and any(_FINAL.fullmatch(key) and key != "force" for key in on):
        return True
    return any(key == "status" and "permanently" in str(value).lower() for key, value in told.states)


_KEEPING = lazy(r"\w*(?:retention|retain)[\w.]*")
_KEPT_DAYS, _KEPT_MILLISECONDS, _LIFECYCLE_DAYS = 1, 3_600_000, 7


def _is_kept_shorter(told: Told) -> bool:
    """What was kept for long goes tonight."""
    lifecycle = "lifecycle" in told.tool and not told.tool.isdisjoint(_CHANGING)
    for key, value in told.states:
        number = _number(value)
        if number is None:
            continue
        longest = _KEPT_MILLISECONDS if key.endswith("ms") else _KEPT_DAYS
        if _KEEPING.fullmatch(key) and not key.endswith("count") and 0 <= number <= longest:
            return True
        if lifecycle and key in ("days", "age") and number <= _LIFECYCLE_DAYS:
            return True
    return False


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or len(str(value)) > _LONGEST:
        return None
    try:
        return float(value)
    except ValueError:
        return None


_LONGEST = 40
_STOPPED = lazy(
    r"unschedulable|suspended|cordoned|killswitch|maintenance(?:mode)?|drained|lockdown|quarantined?"
)
_CHANGING = names("update set edit modify change put patch toggle enable apply configure maintenance")


def _stops_working(told: Told) -> bool:
    if told.tool.isdisjoint(_CHANGING):
        return False
    if any(each.key == "namespace" and each.text in _OF_THE_CLUSTER for each in told.texts):
        return True
    return any(
        (value is True and _STOPPED.fullmatch(key))
        or (key == "on" and value is True and "maintenance" in told.tool)
        for key, value in told.states
    )


_OF_THE_CLUSTER = ("kube-system", "kube-public", "istio-system", "cert-manager")


_SHOWN = lazy(r"(?:is)?(?:published|listed)")


def _takes_from_sight(told: Told) -> bool:
    return not told.tool.isdisjoint(_CHANGING) and any(
        value is False and _SHOWN.fullmatch(key) for key, value in told.states
    )


_PLACES = lazy(
    r"env(?:ironment)?(?:name|id)?|environments|applyto|target(?:env\w*)?|stage|deploymentenvironment|tier"
)
_LIVE = names("production prod live prd")
_LIVE_NAME = lazy(r"(?<![a-z])(?:production|prod|live|prd)(?![a-z])")
_NOT_LIVE = lazy(r"(?:non|not|pre|un)[-_ ]?prod|staging|sandbox")
_WORKING = names(
    "update set edit modify change put patch toggle enable disable apply replace write configure scale rollout kill ship"
)
_ABOUT = names(
    """
    issue issues ticket comment note task page dashboard view query test tests search log logs incident draft panel
    annotation release label tag
    """
)
_SCALED = names(
    "desiredcapacity desiredcount replicas minsize maxsize instancecount numinstances mincapacity dynos"
)


def _goes_to_production(told: Told) -> bool:
    """What is changed where people work, as an argument says."""
    if told.tool.isdisjoint(_WORKING) or not told.tool.isdisjoint(_ABOUT):
        return False
    for key, value in told.states:
        if key in _LIVE and value is True:
            return True
        if key in _SCALED and value == 0 and type(value) is int:
            return True
    return any(_PLACES.fullmatch(each.key) and _is_live(each.text.lower()) for each in told.texts)


def _is_live(place: str) -> bool:
    return len(place) <= _LONGEST and bool(_LIVE_NAME.search(place)) and not _NOT_LIVE.search(place)
