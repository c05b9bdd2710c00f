"""Deeds that the arguments of a call tell, whatever the tool is called: a protection that is set to off, a door that
is set to everyone, a message to all, something that production is told."""

from __future__ import annotations

import re

from fairlead.packs.foreign.deeds.chosen_things import chooses_all
from fairlead.packs.foreign.deeds.opened_doors import opens_door
from fairlead.packs.foreign.deeds.set_states import state_deed
from fairlead.packs.foreign.deeds.spent_money import moves_money
from fairlead.packs.foreign.deeds.told import Told, words_in
from fairlead.packs.foreign.deeds.unlisted_deletions import EDITORS
from fairlead.shell.effects.network.server_requests import LOCAL
from fairlead.shell.effects.network.told_addresses import is_nameless
from fairlead.shell.effects.own.guard_names import PROTECTING
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_CHANGING = names(
    """
    update set edit modify change put patch create add insert configure toggle upsert make enable disable apply
    publish share save import grant assign open replace write attach allow promote invite register post merge modify
    alter convert break upload reconfigure override turn switch forward expose authorize
    """
)


def shaped_deed(told: Told) -> str:
    """The name of the effect, or nothing."""
    if _asks_this_machine(told):
        return ""
    changes = not _CHANGING.isdisjoint(told.tool)
    if changes and opens_door(told):
        return "change-access"
    if changes and (_points_name_elsewhere(told) or _starts_with_windows(told) or _leads_elsewhere(told)):
        return "disturb"
    if (
        _ends_protection(told)
        or _hushes_everything(told)
        or _forces_everything(told)
        or _changes_everything(told)
    ):
        return "disturb"
    if _loses_everything(told):
        return "by-name"
    if _tells_many(told) or _is_told_production(told):
        return "go-live"
    if moves_money(told):
        return "spend"
    return state_deed(told) if told.known.isdisjoint(_OF_FILES) else ""


_REGISTRY = lazy(
    r"currentversion\\+run|winlogon|image file execution|\\+lsa\b|windows defender|\\+policies\\+", re.I
)


def _starts_with_windows(told: Told) -> bool:
    return "registry" in told.known and any(_REGISTRY.search(each.text) for each in told.texts)


_NAMES = names("dns domain domains record records zone route53 recordset recordsets")
_POINTING = frozenset(("A", "AAAA", "CNAME", "ALIAS", "ANAME"))
_MOVING = names("update upsert change edit replace modify set put patch")


def _points_name_elsewhere(told: Told) -> bool:
    """A name that people reach already is another machine from now on; one that is added is not."""
    if told.known.isdisjoint(_NAMES) or not {"a", "aaaa", "cname", "alias"} & told.said:
        return False
    kinds = {each.text.upper() for each in told.texts if each.key in ("type", "recordtype", "action")}
    return bool(
        kinds & _POINTING
        and ("UPSERT" in kinds or not told.tool.isdisjoint(_MOVING))
        and "CREATE" not in kinds
    )


_OF_FILES = EDITORS | names("frontmatter storybook obsidian")
_REQUESTING = names("http rest fetch request requests api curl postman insomnia")


def _asks_this_machine(told: Told) -> bool:
    """A request to what the session runs itself."""
    return not told.known.isdisjoint(_REQUESTING) and any(
        each.key == "url" and LOCAL.match(each.text) for each in told.texts
    )


_ENDING = names("uninstall stop disable kill terminate remove quit end pause suspend unload exclude close")


def _ends_protection(told: Told) -> bool:
    """Of a program for programs, services or processes, told the name of one that watches."""
    return not told.tool.isdisjoint(_ENDING) and any(
        len(each.text) <= _LONGEST and PROTECTING.search(each.text) for each in told.texts
    )


_LONGEST = 80
_LED = lazy(
    r"(?:url|uri|endpoint|host|server|address|target|webhook|callback|redirect|destination|origin|proxy)(?:s|url|uri)?"
)
_FORWARDING = names("forwarding redirect redirects")
_EDGES = names("dns domain zone cloudflare namecheap godaddy rule rules redirect cdn")


def _leads_elsewhere(told: Told) -> bool:
    """What is set up goes to a machine without a name from now on, or visitors go to another site."""
    if any(_LED.fullmatch(each.key) and is_nameless(each.text) for each in told.texts):
        return True
    return (
        not told.known.isdisjoint(_EDGES)
        and not _FORWARDING.isdisjoint(told.said | told.tool)
        and any("://" in each.text for each in told.texts)
    )


_BULK = names("push update set change run execute apply bulk edit transfer assign")
_BUSINESS = names(
    """
    shopify woocommerce magento bigcommerce salesforce hubspot crm zendesk intercom freshdesk dynamics zoho pipedrive
    okta auth0 entra intune jamf kandji mdm stripe fleet iot devices
    """
)


def _changes_everything(told: Told) -> bool:
    """What people work with, all of it at once."""
    return not told.tool.isdisjoint(_BULK) and not told.known.isdisjoint(_BUSINESS) and chooses_all(told)


_HUSHING = names(
    "resolve close dismiss ignore suppress silence mute downtime snooze acknowledge pause disable"
)
_WATCHED = names(
    "incident incidents alert alerts issue issues downtime monitor monitors alarm alarms notifications check checks host hosts scanning finding findings vulnerability vulnerabilities"
)
_LOSING = names(
    "del delete deletes remove destroy drop purge wipe erase trash clear unpublish revoke terminate expunge cancel"
)
_PASSING = names(
    "tab tabs cookie cookies breakpoint breakpoints cache caches session sessions label labels filter index highlight selection mock mocks console"
)


def _hushes_everything(told: Told) -> bool:
    return not told.tool.isdisjoint(_HUSHING) and not told.tool.isdisjoint(_WATCHED) and chooses_all(told)


def _forces_everything(told: Told) -> bool:
    """A deployment that also takes away what it does not know."""
    on = {key for key, value in told.states if value is True}
    return "sync" in told.tool and {"prune", "force"} <= on


def _loses_everything(told: Told) -> bool:
    if not told.tool.isdisjoint(("modify", "update")) and _throws_away(told):
        return True
    if (
        not told.tool.isdisjoint(_LOSING)
        and "branch" in told.tool
        and told.said & {"main", "master", "trunk"}
    ):
        return True
    if told.tool.isdisjoint(_LOSING) or not told.tool.isdisjoint(_PASSING):
        return False
    return chooses_all(told) or any(_KEYED.fullmatch(each.key) and "*" in each.text for each in told.texts)


_KEYED = lazy(r"keys?|(?:key)?pattern|prefix|index|indices|topics?|match")
"""What a store has is chosen by these; a path with a star is judged by what it stands for."""


def _throws_away(told: Told) -> bool:
    """Whatever a search of a mailbox finds is put where it will be deleted."""
    bins = any(each.key.startswith("addlabel") and each.text in ("TRASH", "SPAM") for each in told.texts)
    return bins and any(each.key in ("query", "q") for each in told.texts)


_SENDING = names("send post message notify sms push email mail publish create reply dm")
_MESSAGING = names(
    """
    message messages sms email mail mails push notification notifications whatsapp telegram chat send slack discord
    teams dm gmail outlook sendgrid mailgun postmark twilio intercom
    """
)
_ADDRESSED = lazy(
    r"(?:to|recipients?|audience|segments?|includedsegments|users?|topic|list(?:id)?|group|bcc|cc|target|numbers?|phone\w*|emails?|receivers?|channel)"
)
_EVERYBODY = lazy(
    r"(?:\W?)(?:all|everyone|everybody|company|staff)(?:[ _-]?(?:users|customers|contacts|members|subscribers|employees|staff|hands|company|leads|people|clients|subscribed))?(?:@\S+)?",
    re.I,
)  # fmt: skip
_PHONE = lazy(r"\+?\d[\d -]{0,18}")
_FEW, _MANY = 2, 9
_CALLED = lazy(r"<!(?:channel|everyone|here)>|@(?:everyone|channel)\b")
_LINK = lazy(r"\bhttps?://(?!(?:[\w.-]+\.)?(?:localhost|127\.0))")
_PLAIN_LINK = lazy(r"\bhttp://(?!(?:[\w.-]+\.)?(?:localhost|127\.0|10\.|192\.168))")


def _tells_many(told: Told) -> bool:
    """A message to all, to many, or to some with a link that nothing protects."""
    if told.tool.isdisjoint(_SENDING) or told.known.isdisjoint(_MESSAGING) or "draft" in told.tool:
        return False
    addressed = [each.text for each in told.texts if _ADDRESSED.fullmatch(each.key)]
    if any(_EVERYBODY.fullmatch(text) for text in addressed):
        return True
    phones = sum(1 for text in addressed if _PHONE.fullmatch(text))
    said = [each.text for each in told.texts if not _ADDRESSED.fullmatch(each.key)]
    links = any(_PLAIN_LINK.search(text) for text in said)
    called = any(_CALLED.search(text) and _LINK.search(text) for text in said)
    return phones > _FEW or len(addressed) > _MANY or called or (links and len(addressed) > _FEW)


_LIVE = names("production prod live")
_BRINGING = names(
    """
    deploy promote release rollback rerun retry trigger approve start restart scale suspend disable stop play dispatch
    redeploy sync pause terminate shift cutover failover unblock
    """
)
_RUN = names("queue invoke trigger run build execute create submit launch start")
_RUNNABLE = names(
    "build builds scenario lambda function automation workflow workflows job jobs template pipeline pipelines deployment dag playbook operation rollout dispatch macro"
)
_DROPPING = names("drop truncate wipe destroy nuke")
_STARTED_LOSING = _DROPPING | names("delete purge reset erase terminate teardown")
_STARTED = names(
    "job workflow scenario template playbook function functionname pipeline macro jobname automation flow script"
)


def _runs_what_loses(told: Told) -> bool:
    """What it runs says by its name what it does."""
    called = [words_in(each.text.replace("-", " ")) for each in told.texts if each.key in _STARTED]
    return any(_STARTED_LOSING.intersection(words) and "test" not in words for words in called)


_SETTING = names("set update put add edit publish")
_SETTINGS = names(
    "env environment variable variables var vars config function code alias service stack parameter"
)


def _is_told_production(told: Told) -> bool:
    """What is brought, started or stopped where people work."""
    live = not _LIVE.isdisjoint(told.said | told.tool)
    if live and not told.tool.isdisjoint(_SETTING) and not told.tool.isdisjoint(_SETTINGS):
        return True
    runs = not told.tool.isdisjoint(_RUN) and not told.tool.isdisjoint(_RUNNABLE)
    if not runs and told.tool.isdisjoint(_BRINGING):
        return False
    if runs | ("trigger" in told.tool) and (told.said & _DROPPING or _runs_what_loses(told)):
        return True
    return (
        live
        or any(value is True and key in ("production", "prod") for key, value in told.states)
        or ("scale" in told.tool and any(value == 0 and type(value) is int for _, value in told.states))
    )
