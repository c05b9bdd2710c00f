"""Doors that the arguments of a call open: a protection that is set to off, a thing that is shown to everyone, a role that
somebody gets."""

from __future__ import annotations

import re

from fairlead.packs.foreign.deeds.told import Told
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names


def opens_door(told: Told) -> bool:
    """Of a call that changes something."""
    return _lowers_protection(told) or _opens(told) or _raises_someone(told) or _loosens_limits(told)


_PROTECTING = lazy(
    r"\w*protect(?:ion|ions|ed)|mfa\w*|2fa|twofactor\w*|sso|\w*encrypt(?:ion|ed)|ssl\w*|tls|minimumtlsversion|https\w*|hsts"
    r"|dnssec|versioning|audit(?:log\w*)?|logging|waf|firewall|safemigrations|waitingroom|enforce\w*"
    r"|requires?\w*(?:review|approval|signature|sign|mfa|login|auth|verification|factor|owner|check|password|confirm|token"
    r"|https|ssl|tls)\w*|approvals(?:before|required)\w*|onlyallowmerge\w*|(?:required)?(?:status)?checks|\w*reviewers"
    r"|\w*restrict(?:ion|ions|ed)|(?:block|restrict|ignore)public\w*|publicaccessblock|ratelimit\w*|rls|rowlevelsecurity"
    r"|\w*authentication(?:required|enabled)?|verif(?:y|ication)\w*|passcode|securitylevel|[\w.]*security[\w.]*enabled"
    r"|\w*scrub\w*|\w*(?:scanning|detection|monitoring)|ismultiregion\w*|includeglobal\w*|\w*(?:transfer|deletion)lock|publicaccess\w*"
    r"|requirepass|masking\w*|pii\w*|dmarc|captcha\w*|signin\w*policy|antivirus|realtime\w*|\w*quarantine\w*|moderation"
)
_OFF = frozenset(
    (False, None, 0, "off", "disabled", "false", "none", "", "suspended", "essentially_off", "open", "0", "flexible", "inherited")
)  # fmt: skip
_LETTING = lazy(
    r"allow(?:force)?(?:pushe?s?|deletions?|edit\w*|anonymous\w*|\w*public\w*|all|any\w*|everyone|external\w*|guests?|insecure\w*|root\w*)"
    r"|bypass\w*|disable\w*(?:monitoring|protection|scanning|logging|firewall|auth\w*|security|encryption)"
    r"|(?:is|make)?public(?:ly)?(?:accessible|access|read|write|visible)?|grant(?:to)?(?:everyone|all|public)|(?:with|for|to)everyone"
    r"|anonymous(?:access|read|write)?|insecure\w*|skip(?:auth|verification|checks?|review|approval)\w*|superuser|sitewideadmin|isadmin|admin"
    r"|privileged|\w*registration|userscanregister|signupsenabled|(?:is)?superadmin|isowner|makeadmin|fullaccess|unrestricted"
)
_HIDING = lazy(r"(?:is)?private")
_ROWS = names("document documents row rows record records entity entities item items insert object objects")
_ONES_OWN = names("playlist gist draft repository repo event test page")
"""Made public from the beginning, nothing that was hidden is shown; what is there already is another matter."""


_GUARDING = names(
    """
    access security policy detector guardduty trail waf firewall antivirus monitor alarm alert backup versioning
    protection encryption retention detection logging mfa audit authentication factor captcha
    """
)
_STATES = names("state enabled enable status value mode active on")
_STILLED = names("paused ispaused muted silenced disabled suspended")
_STOPPED = ("disabled", "off", "suspended", "inactive", "paused", "none", False)


def _lowers_protection(told: Told) -> bool:
    named = not told.known.isdisjoint(_GUARDING)
    for key, value in told.states:
        set_to = value.lower() if isinstance(value, str) else value
        if not isinstance(set_to, (str, int, float, type(None))):
            continue
        if set_to in _OFF and _PROTECTING.fullmatch(key):
            return True
        if named and key in _STATES and set_to in _STOPPED and set_to is not None:
            return True
        if named and set_to is True and key in _STILLED:
            return True
        if set_to is False and _HIDING.fullmatch(key) and told.tool.isdisjoint(("create", "args")):
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
    if _lets_every_address_in(told):
        return True
    if told.tool.isdisjoint(_GATES) or not {"deny", "block", "drop", "reject"}.isdisjoint(told.said):
        return False
    lets = "allow" in told.said
    return any(
        (text in _EVERYONE and _WHO.search(each.key))
        or (lets and text in ("*", "*:*") and each.key in _WHAT)
        or (text == "allow" and _BY_DEFAULT.fullmatch(each.key))
        for each in told.texts
        for text in [each.text.lower()]
    )


_OUTWARDS = lazy(r"dest\w*|egress\w*|to|outbound\w*|route\w*|dst\w*")


def _lets_every_address_in(told: Told) -> bool:
    """Whatever the gate is called; where something goes to may be anywhere."""
    if not told.tool.isdisjoint(("egress", "route", "routes", "outbound", "deny", "block")):
        return False
    if any(each.text == "255.255.255.255" and each.key.startswith("end") for each in told.texts):
        return True
    return any(
        each.text in ("0.0.0.0/0", "::/0") and not _OUTWARDS.fullmatch(each.key) for each in told.texts
    )


_WHAT = names(
    "action actions resource resources permission permissions operation operations ports port dst destination"
)
_BY_DEFAULT = lazy(r"default(?:action|policy|rule|inbound|ingress\w*)?")
_SHARING = names("share sharing shared permission permissions acl access link visibility")
_SEEN = lazy(
    r"(?:link)?access(?:level)?|scope|\w*visibility|sharing|audience|type|privacy(?:status|level)?|who|grantee|role|entity"
    r"|\w*acl|policy|sharedwith|(?:canned|predefined|default)\w*acl"
)
_ANYONE = names(
    "anyone public anonymous everyone open world public_edit public_view anyone_with_link anyonewithlink allusers allauthenticatedusers authenticated-read public-read public-read-write publicread internet web download"
)
_GATES = names(
    "firewall rule rules ingress security network acl acls allowlist whitelist accesslist ip policy policies binding bindings iam access trust role port ports forward vpn share"
)
_EVERYONE = frozenset(
    ("0.0.0.0/0", "::/0", "*", "*:*", "any", "all", "allusers", "allauthenticatedusers", "public", "system:anonymous", "system:unauthenticated", "system:authenticated", "everyone", "internet", "default")
)  # fmt: skip
_WHO = lazy(
    r"source|^src|cidr|remote|from|^ip|range|addr|principal|member|^users?$|subject|grantee|group|^(?:scope)?type$|^who"
)

_UNASKED = ("bypassPermissions", "dontAsk", "danger-full-access", "yolo")
"""How agents call it when they ask nobody."""
_LIMITS = lazy(
    r"allowed_?directories|allowed_?paths|blocked_?commands|denied_?\w+|(?:require_?)?confirmation\w*|sandbox\w*|auto_?approve\w*|read_?only",
    re.I,
)


def _loosens_limits(told: Told) -> bool:
    """The settings of a tool that say what it may do."""
    return bool("config" in told.tool or "settings" in told.tool) and any(
        each.text in _UNASKED
        or (each.key in ("key", "name", "setting", "option") and _LIMITS.fullmatch(each.text))
        for each in told.texts
    )


_ROLES = lazy(
    r"(?:new|org|project|team|user|access|member|share|group|secret|key|certificate|default)?(?:access|roles?|profiles?|permissions?|accesslevel|privileges?|type|usertype|admin|rights|scopes?"
    r"|groups?|teams?|policies)(?:ids?|names?|arns?|sets?|levels?|keys?)?|accessrights|policyarns?|accesslevel|level"
)
_GREAT = lazy(
    r"(?:.*[/ _.:-])?(?:co-?)?(?:owner|admin|administrator|super_?user|super_?admin|root|owners|admins|maintainer|administrators|"
    r"full_?(?:access|control)|administratoraccess|poweruser\w*|contributor|can_?manage|manager)|cluster-admin|4\d|50|\*|sudo|wheel"
    r"|all|organizer|.*(?:readwrite|full_?control|write)\.all",
    re.I,
)
_PERSONS = names(
    """
    user users member members membership collaborator collaborators role roles permission permissions invite invitation
    acl access admin grant assign owner team group org account identity principal collaboration consent share sharing set settings
    """
)
_ADDRESS = lazy(r"(?:user:|group:|serviceaccount:)?[\w.+-]+@[\w-]+(?:\.[\w-]+)+|domain:\S+", re.I)
_RIGHTS = names("permission permissions collaboration collaborator acl binding grant assignment delegate")


def _raises_someone(told: Told) -> bool:
    """A person or a group who may do everything from now on, or somebody named by an address who may do more."""
    if told.tool.isdisjoint(_PERSONS):
        return False
    roles = any(_ROLES.fullmatch(each.key) for each in told.texts)
    named = any(_ADDRESS.fullmatch(each.text) for each in told.texts)
    if roles and named and not told.tool.isdisjoint(_RIGHTS):
        return True
    said = ((each.key, each.text) for each in told.texts)
    counted = ((key, str(value)) for key, value in told.states if type(value) is int)
    return any(_ROLES.fullmatch(key) and _GREAT.fullmatch(text) for key, text in (*said, *counted))
