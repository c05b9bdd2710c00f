"""Deeds that the arguments of a call tell, whatever the tool is called: a protection that is set to off, a door that
is set to everyone, a message to all, something that production is told."""

from __future__ import annotations

import re

from fairlead.packs.foreign.deeds.told import Told
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_CHANGING = names(
    """
    update set edit modify change put patch create add insert configure toggle upsert make enable disable apply
    publish share save import grant assign open replace write attach allow promote invite register post merge modify
    """
)


def shaped_deed(told: Told) -> str:
    """The name of the effect, or nothing."""
    changes = not _CHANGING.isdisjoint(told.tool)
    if changes and (_lowers_protection(told) or _opens(told) or _raises_someone(told)):
        return "change-access"
    if changes and _points_name_elsewhere(told):
        return "disturb"
    if changes and _loosens_limits(told):
        return "change-access"
    if changes and _starts_with_windows(told):
        return "disturb"
    if _hushes_everything(told) or _forces_everything(told):
        return "disturb"
    if _loses_everything(told):
        return "by-name"
    if _tells_many(told) or _is_told_production(told):
        return "go-live"
    return "spend" if _gives_away(told) or _advertises(told) else ""


_PROTECTING = lazy(
    r"(?:deletion|branch|sso|password|termination|push|delete)protection|mfa\w*|2fa|twofactor\w*|sso|\w*encrypt(?:ion|ed)"
    r"|versioning|audit(?:log\w*)?|logging|waf|firewall|safemigrations|require[sd]?\w*(?:review|approval|signature|mfa|login|auth|verification)\w*"
    r"|waitingroom|enforceadmins|(?:block|restrict|ignore)public\w*|publicaccessblock|ratelimit\w*|rls|rowlevelsecurity"
    r"|\w*authentication(?:required|enabled)?|requireauth\w*|verifyjwt|passcode|securitylevel|enforcement|[\w.]*security[\w.]*enabled"
)
_OFF = frozenset(
    (False, None, 0, "off", "disabled", "false", "none", "", "suspended", "essentially_off", "open")
)
_LETTING = lazy(
    r"allow(?:force)?(?:pushe?s?|deletions?|anonymous\w*|\w*public\w*|all)|bypass|disable\w*(?:monitoring|protection|scanning|logging|firewall)|(?:is|make)?public(?:ly)?(?:accessible|access|read|write)?"
    r"|anonymous(?:access|read)?|insecure\w*|skip(?:auth|verification)\w*|superuser|sitewideadmin|isadmin|admin"
)
_ROWS = names("document documents row rows record records entity entities item items insert")
_ONES_OWN = names("playlist gist draft repository repo event test page")
"""Made public from the beginning, nothing that was hidden is shown; what is there already is another matter."""


_GUARDING = names(
    "access security policy detector guardduty trail waf firewall antivirus monitor alarm alert backup"
)


def _lowers_protection(told: Told) -> bool:
    named = not told.known.isdisjoint(_GUARDING)
    for key, value in told.states:
        set_to = value.lower() if isinstance(value, str) else value
        if isinstance(set_to, (str, int, type(None))) and set_to in _OFF and _PROTECTING.fullmatch(key):
            return True
        if (
            named
            and key in ("state", "enabled", "enable", "status", "value", "mode")
            and set_to in ("disabled", "off", False)
        ):
            return True
    return bool("waf" in told.tool and told.said & {"off", "disabled", "bypass"})


def _opens(told: Told) -> bool:
    made = "create" in told.tool and not told.tool.isdisjoint(_ONES_OWN)
    made = made or not told.tool.isdisjoint(_ROWS)
    if any(value is True and _LETTING.fullmatch(key) for key, value in told.states) and not made:
        return True
    shares = not told.known.isdisjoint(_SHARING)
    for each in told.texts:
        text = each.text.lower()
        if _SEEN.fullmatch(each.key) and text in _ANYONE and (shares or "create" not in told.tool):
            return True
    if told.tool.isdisjoint(_GATES) or not {"deny", "block", "drop", "reject"}.isdisjoint(told.said):
        return False
    return any(each.text.lower() in _EVERYONE and _WHO.search(each.key) for each in told.texts)


_SHARING = names("share sharing shared permission permissions acl access link visibility")
_SEEN = lazy(
    r"(?:link)?access|scope|visibility|sharing|audience|type|privacy(?:status|level)?|who|grantee|role|entity"
)
_ANYONE = names(
    "anyone public anonymous everyone open world public_edit public_view anyone_with_link anyonewithlink allusers public-read public-read-write"
)
_GATES = names(
    "firewall rule rules ingress security network acl acls allowlist whitelist accesslist ip policy policies binding bindings iam access trust role"
)
_EVERYONE = frozenset(
    ("0.0.0.0/0", "::/0", "*", "*:*", "any", "all", "allusers", "allauthenticatedusers", "public", "system:anonymous", "system:unauthenticated", "system:authenticated", "everyone", "internet", "default")
)  # fmt: skip
_WHO = lazy(
    r"source|^src|cidr|remote|from|^ip|range|addr|principal|member|^users?$|subject|grantee|group|^(?:scope)?type$|^who"
)

_LIMITS = lazy(
    r"allowed_?directories|allowed_?paths|blocked_?commands|denied_?\w+|(?:require_?)?confirmation\w*|sandbox\w*|auto_?approve\w*|read_?only",
    re.I,
)
_REGISTRY = lazy(
    r"currentversion\\+run|winlogon|image file execution|\\+lsa\b|windows defender|\\+policies\\+", re.I
)


def _loosens_limits(told: Told) -> bool:
    """The settings of a tool that say what it may do."""
    return bool("config" in told.tool or "settings" in told.tool) and any(
        each.key in ("key", "name", "setting", "option") and _LIMITS.fullmatch(each.text)
        for each in told.texts
    )


def _starts_with_windows(told: Told) -> bool:
    return "registry" in told.known and any(_REGISTRY.search(each.text) for each in told.texts)


_ROLES = lazy(
    r"(?:new|org|project|team|user|access|member)?(?:roles?|permissions?|accesslevel|privileges?|type|usertype|admin|rights|scopes?|groups?|teams?|policies)|accessrights"
)
_GREAT = lazy(
    r"(?:roles/)?(?:\w+[ _.-])?(?:owner|admin|administrator|super_?user|super_?admin|root|global administrator|owners|admins|maintainer|administrators|full_?access)|cluster-admin|4\d|50|\*|sudo|wheel",
    re.I,
)
_PERSONS = names(
    """
    user users member members membership collaborator collaborators role roles permission permissions invite invitation
    acl access admin grant assign owner team group org organization account identity principal
    """
)


def _raises_someone(told: Told) -> bool:
    """A person or a group who may do everything from now on."""
    if told.tool.isdisjoint(_PERSONS):
        return False
    said = ((each.key, each.text) for each in told.texts)
    counted = ((key, str(value)) for key, value in told.states if type(value) is int)
    return any(_ROLES.fullmatch(key) and _GREAT.fullmatch(text) for key, text in (*said, *counted))


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


_ALL = lazy(r"\*|\.\*|all|/\*\*|%|everything|all[ _-]\w+|\*:\*", re.I)
_CHOOSING = lazy(
    r"\w*(?:ids?|names?|query|q|where|filter|scope|matchers?|value|selector|keys?|target|email|pattern|paths?|all|udid|entit(?:y|ies)|items?|images?|containers?|sendupdates|notify)"
)
_HUSHING = names(
    "resolve close dismiss ignore suppress silence mute downtime snooze acknowledge pause disable"
)
_WATCHED = names(
    "incident incidents alert alerts issue issues downtime monitor monitors alarm alarms notifications check checks"
)
_LOSING = names(
    "del delete deletes remove destroy drop purge wipe erase trash clear unpublish revoke terminate expunge"
)
_PASSING = names(
    "tab tabs cookie cookies breakpoint breakpoints cache caches session sessions label labels filter index highlight selection mock mocks console"
)


def _chooses_all(told: Told) -> bool:
    if any(
        value is True and key in ("all", "deleteall", "removeall", "clearall") for key, value in told.states
    ):
        return True
    return any(_CHOOSING.fullmatch(each.key) and _ALL.fullmatch(each.text) for each in told.texts)


def _hushes_everything(told: Told) -> bool:
    return not told.tool.isdisjoint(_HUSHING) and not told.tool.isdisjoint(_WATCHED) and _chooses_all(told)


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
    return not told.tool.isdisjoint(_LOSING) and told.tool.isdisjoint(_PASSING) and _chooses_all(told)


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
_RUN = names("run build execute create submit")
_RUNNABLE = names(
    "workflow workflows job jobs pipeline pipelines deployment dag playbook operation rollout dispatch macro"
)
_DROPPING = names("drop truncate wipe destroy nuke")


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
    if runs | ("trigger" in told.tool) and told.said & _DROPPING:
        return True
    return (
        live
        or any(value is True and key in ("production", "prod") for key, value in told.states)
        or ("scale" in told.tool and any(value == 0 and type(value) is int for _, value in told.states))
    )


def _advertises(told: Told) -> bool:
    return not told.tool.isdisjoint(("campaign", "ad", "adset")) and any(
        each.key == "status" and each.text.lower() in ("active", "enabled", "live") for each in told.texts
    )


_PRICES = names("price prices discount discounts coupon coupons promo")


def _gives_away(told: Told) -> bool:
    """Everything for nothing."""
    if told.tool.isdisjoint(_PRICES) or told.tool.isdisjoint(_CHANGING):
        return False
    free = any(
        key in ("percentage", "percentoff", "percent", "amount", "value") and str(value) in ("100", "100.0")
        for key, value in told.states
    )
    return free or _chooses_all(told)
