"""What a foreign tool does in the world: doors that it opens, names that it points elsewhere, money, buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fairlead.model.tool_call import ToolCall
from fairlead.packs.foreign.deeds.named_deeds import named_deed
from fairlead.packs.foreign.deeds.shaped_deeds import shaped_deed
from fairlead.packs.foreign.deeds.told import told_by
from fairlead.packs.foreign.foreign_names import given_of, only_tries, words_of
from fairlead.packs.foreign.given_texts import given_texts, key_of
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.words.lexicon.losing_verbs import LOSING_BY_TOOLS
from fairlead.shell.effects.words.lexicon.showing_verbs import READING_BY_TOOLS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_LONGEST = 80


def done_in_the_world(call: ToolCall, cwd: str) -> Iterator[Effect]:
    server, tool = words_of(call)
    given = given_of(call)
    if not tool or only_tries(given) or (tool[0] in READING_BY_TOOLS and not _mutates(given)):
        return
    if _SENSES & {*server, *tool} and _TAKING & {*tool}:
        yield Effect(Action.READ_SECRET, "watch", Command((), cwd), what=call.name)
    found = _deed(call, {*server}, {*tool}, given)
    reads = tool[-1] in READING_BY_TOOLS and tool[0] not in _TELLING_FIRST and not _mutates(given)
    if not found and not reads:
        told = told_by(call)
        found = named_deed(told) or shaped_deed(told)
    if found:
        yield Effect(Action.CHANGE_CLOUD, found, Command((), cwd), what=call.name, detail=call.name)


def _deed(call: ToolCall, server: set[str], tool: set[str], given: Mapping[str, object]) -> str:
    said = _said(given)
    if _opens_to_all(call, server | tool):
        return "change-access"
    if tool & _QUIETING and tool & _WATCHERS:
        return "disturb"
    if _opens_door(tool, said, given):
        return "change-access"
    if _leads_names_elsewhere(call, server, tool, given):
        return "disturb"
    if _spends(tool, given, call) or _pays_on_page(call):
        return "spend"
    if _turns_for_everyone(tool, given):
        return "go-live"
    if _CLEARING & tool and _CLEARED & tool:
        return "by-name"
    if _CLICKING & tool and _confirms_payment(call):
        return "spend"
    if _CLICKING & tool and _confirms_change(call):
        return "change-access"
    if _needs_power(tool, said):
        return "disturb"
    return "by-name" if (_CLICKING & tool and _confirms_loss(call)) or _deletes_on_page(call) else ""


def _mutates(given: Mapping[str, object]) -> bool:
    """`query` is also what GraphQL calls a text that changes something."""
    text = given.get("query", given.get("document"))
    return isinstance(text, str) and text.lstrip().startswith("mutation")


_TELLING_FIRST = LOSING_BY_TOOLS | names(
    "update set add create put edit change modify replace insert patch share lift"
)
"""Before a word that reads, they make a thing of it: `update_access_list`."""
_SENSES, _TAKING = names("microphone mic webcam camera"), names("record capture take listen photo snapshot")
_QUIETING = names("mute silence disable pause snooze")
_WATCHERS = names(
    """
    monitors alerts alarms camera cameras logging audit auditing backup backups detector guardduty trail cloudtrail
    protection mfa antivirus edr
    """
)
_GATES = names("firewall rule rules ingress security network acl allowlist whitelist")
_EVERYONE = frozenset(("0.0.0.0/0", "::/0", "*"))
_SOURCES = lazy(r"source|cidr|remote|from|ip|range|addr")


def _opens_to_all(call: ToolCall, words: set[str]) -> bool:
    """A gate of a network through which the whole world may come."""
    if not words & _GATES or not words & _CHANGING | words & {"authorize", "allow", "open"}:
        return False
    return any(each.text in _EVERYONE and _SOURCES.search(each.key) for each in given_texts(call))


_CLEARING, _CLEARED = names("clear empty"), names("calendar trash inbox mailbox contacts")
_SPEAKING = names(
    "domain service device deviceid entityid entity action command state type name target operation"
)


def _said(given: Mapping[str, object]) -> set[str]:
    """The words of what the call names in a few of them."""
    texts = (text for key, text in given.items() if key_of(key) in _SPEAKING and isinstance(text, str))
    return {word for text in texts for word in re.findall(r"[a-z]+", text[:_LONGEST].lower())}


_DOORS = names("valve valves sluice breaker door doors garage gate alarm alarms vehicle car safe deadbolt")
_OPENED = names("unlock unlocked disarm disarmed")
_TURNED = names("open off disable trigger")
_DEVICES = names("device deviceid entityid domain")


def _opens_door(tool: set[str], said: set[str], given: Mapping[str, object]) -> bool:
    """Of a house: who is let in, and what no longer guards it."""
    words = tool | said | (_DOORS & {key_of(key) for key in given})
    if not words & (_DOORS | {"lock"}):
        return False
    at_device = any(key_of(key) in _DEVICES for key in given)
    return bool(words & _OPENED) or bool(at_device and words & _DOORS and words & _TURNED)


_NAMES = names("dns domain domains nameserver nameservers zone route53 registrar")
_CHANGING = names("update set replace change upsert edit put modify create add transfer unlock")
_WHOLE = frozenset(("NS", "MX", "SOA", "DS"))
"""Records on which all the others, or all mail, depend."""


def _leads_names_elsewhere(
    call: ToolCall, server: set[str], tool: set[str], given: Mapping[str, object]
) -> bool:
    if not (server | tool) & _NAMES or not tool & _CHANGING:
        return False
    if tool & {"nameserver", "nameservers"} or {"domain", "transfer"} <= tool or {"domain", "unlock"} <= tool:
        return True
    if ({"domain", "lock"} <= tool and False in given.values()) or {"replace", "records"} <= tool:
        return True
    texts = [each for each in given_texts(call) if each.key in ("type", "recordtype", "action")]
    return any(each.text.upper() in _WHOLE or each.text.upper() == "DELETE" for each in texts)


_BUYING = names("buy purchase checkout")
_ORDERING = names("place submit make create send sign execute initiate")
_MONEY = names("payment transfer payout transaction purchase trade withdrawal wire")
_NO_MONEY_YET = names("link intent method draft request invoice test estimate session")
_AMOUNTS = names(
    "amount value quantity price total iban qty sum cents size quotesize basesize notional stake shares volume"
)


def _spends(tool: set[str], given: Mapping[str, object], call: ToolCall) -> bool:
    keys = {key for key, _ in told_by(call).states} | {each.key for each in given_texts(call)}
    if tool & _NO_MONEY_YET or not keys & _AMOUNTS:
        return False
    ordered = tool & _ORDERING and (tool & _MONEY or (tool & {"place", "submit"} and "order" in tool))
    return bool(tool & _BUYING or ordered)


_SCRIPTS = names("script code expression function js javascript pagefunction")
_FILLED = lazy(r"\b(?:amount|iban|card-?number|cvv|cvc|beneficiary|recipient-?account|quantity)\b", re.I)
_SENT = lazy(
    r"(?:transfer|pay|payment|buy|order|checkout|purchase|withdraw)[\w-]*[^;\n]{0,60}\.(?:click|submit)\(",
    re.I,
)


def _pays_on_page(call: ToolCall) -> bool:
    """Code in a page that fills in what is to be paid, and sends it."""
    return any(
        each.key in _SCRIPTS and _FILLED.search(each.text) and _SENT.search(each.text)
        for each in given_texts(call)
    )


_SWITCHES = names(
    "flag flags toggle toggles featureflag killswitch feature features gate gates experiment rollout"
)
_EVERYONES = names("production prod live")


def _turns_for_everyone(tool: set[str], given: Mapping[str, object]) -> bool:
    """A switch of what others use, as a deployment is."""
    stated = {str(value).lower() for value in given.values() if isinstance(value, str)}
    return bool(tool & _SWITCHES and tool & _TURNING and stated & _EVERYONES)


_TURNING = names("update set toggle turn enable disable patch archive change switch put")
_CLICKING = names("click tap press push button doubleclick")
_THINGS = (
    r"(?:accounts?|organi[sz]ations?|workspaces?|repositor(?:y|ies)|projects?|databases?|clusters?|teams?|buckets?"
    r"|domains?|tenants?|subscriptions?|everything|all\b)"
)
_LOSING = r"(?:delet\w*|eras\w+|destroy\w*|wip\w+|close|terminat\w+|remov\w+)"
_SURE = r"(?:permanently|forever|irreversibl\w+|cannot be undone|i understand|yes,|i am sure|confirm)"
_CONFIRMED = lazy(
    rf"(?=.*\b{_SURE})(?=.*\b{_LOSING}\b.{{0,40}}\b{_THINGS}).*|.*\bpermanently {_LOSING}|^(?:erase|wipe|factory reset)\b.*|.*\bempty (?:the )?(?:trash|bin)\b",
    re.I | re.S,
)
_TURNED_BACK = lazy(r"\b(?:cancel|keep|don't|do not|no,|undo)\b", re.I)


_PAYING = lazy(
    r"(?:confirm|complete|authori[sz]e|approve|submit|send|place)\b.{0,30}\b(?:transfer|payment|purchase|order|transaction|payout|withdrawal|money)\b"
    r"|\b(?:pay|buy|order|subscribe|checkout|donate) (?:now|with|and pay|\W?\d)|\bpay \W{0,2}\d|\b(?:transfer|send) \W{0,2}[\d.,]+",
    re.I,
)


_LETTING = lazy(
    r"\btransfer (?:of )?ownership\b|\bmake\b.{0,40}\b(?:public|owner|admin)\b|\b(?:disable|turn off|remove)\b.{0,30}"
    r"\b(?:two-factor|2fa|mfa|protection|authentication|firewall|encryption)\b"
    r"|\b(?:deploy|promote|release|roll ?out)\b.{0,20}\bproduction\b|\bsend to (?:all|everyone|[\d,.]+)\b",
    re.I,
)


def _confirms_change(call: ToolCall) -> bool:
    """The button after which others may do more, or see more."""
    return any(
        len(each.text) <= _LONGEST and _LETTING.search(each.text) and not _TURNED_BACK.search(each.text)
        for each in given_texts(call)
    )


_DELETED = lazy(
    r"\b(?:delete|destroy|close|remove)[-_ ]?(?:account|repo\w*|org\w*|project|workspace|all|team|database)\b[^;\n]{0,60}\.(?:click|submit)\(",
    re.I,
)


def _deletes_on_page(call: ToolCall) -> bool:
    return any(each.key in _SCRIPTS and _DELETED.search(each.text) for each in given_texts(call))


_BURNING = names("oven stove cooktop heater fireplace grill sauna iron kiln")
_NEEDED = names("freezer fridge refrigerator boiler pump router server nas medical oxygen aquarium sump")


def _needs_power(tool: set[str], said: set[str]) -> bool:
    """Of a house: what must not be without power."""
    return bool(
        {"off", "stop"} & (tool | said)
        and said & _NEEDED
        and tool & {"turn", "switch", "call", "set", "toggle"}
    ) or bool(
        "on" in (tool | said) and said & _BURNING and tool & {"turn", "switch", "call", "set", "toggle"}
    )


def _confirms_payment(call: ToolCall) -> bool:
    """The button that moves money; what leads to a page about it is another one."""
    return any(
        len(each.text) <= _LONGEST and _PAYING.search(each.text) and not _TURNED_BACK.search(each.text)
        for each in given_texts(call)
    )


def _confirms_loss(call: ToolCall) -> bool:
    """The last question before it, answered for the person; a mere "Delete account" asks that question."""
    return any(
        len(each.text) <= 2 * _LONGEST and _CONFIRMED.match(each.text) and not _TURNED_BACK.search(each.text)
        for each in given_texts(call)
    )
