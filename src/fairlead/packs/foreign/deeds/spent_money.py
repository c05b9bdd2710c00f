"""Money that the arguments of a call move: a card that pays, an account that gets the payments, a price of nothing."""

from __future__ import annotations

from fairlead.packs.foreign.deeds.chosen_things import chooses_all
from fairlead.packs.foreign.deeds.told import Told
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names


def moves_money(told: Told) -> bool:
    return _pays(told) or _leads_money_elsewhere(told) or _gives_away(told) or _advertises(told)


_BUYING = names(
    """
    checkout purchase buy order book reserve pay subscribe donate tip rent upgrade renew complete confirm place submit
    execute finish topup
    """
)
_NOTHING_YET = names(
    "draft preview quote estimate view session intent link test validate remove method methods trello"
)
_PAID_BY = lazy(
    r"(?:credit|debit|saved|gift)?card(?:id|token|number)?|payment(?:method|source|token|option|instrument|profile)?(?:id)?|paywith|payby"
    r"|payfrom|chargeto|fundingsource|cvv|cvc|(?:shopping)?cart(?:id)?|basket(?:id)?|usesaved\w*|billto\w*|walletid"
)


def _pays(told: Told) -> bool:
    if told.tool.isdisjoint(_BUYING) or not told.known.isdisjoint(_NOTHING_YET):
        return False
    return any(_PAID_BY.fullmatch(key) for key in _keys(told))


def _keys(told: Told) -> set[str]:
    return {key for key, _ in told.states} | {each.key for each in told.texts}


_SETTING = names("update set change edit modify put patch replace")
_EARNING = lazy(
    r"externalaccount|iban|routingnumber|bankaccount(?:number|id)?|accountnumber|payoutaccount|payout(?:destination|method)|(?:base|new|annual)?salary"
    r"|compensation|wage|payrate|hourlyrate|bonus|creditlimit|spend(?:ing)?limit"
)


def _leads_money_elsewhere(told: Told) -> bool:
    """Where payments go from now on, or how much somebody gets."""
    return not told.tool.isdisjoint(_SETTING) and any(
        value and _EARNING.fullmatch(key) for key, value in told.states
    )


def _advertises(told: Told) -> bool:
    return not told.tool.isdisjoint(("campaign", "ad", "adset")) and any(
        each.key == "status" and each.text.lower() in ("active", "enabled", "live") for each in told.texts
    )


_PRICING = names("update set edit change create add apply put patch modify bulk")
_PRICES = names("price prices discount discounts coupon coupons promo")


def _gives_away(told: Told) -> bool:
    """Everything for nothing."""
    if told.tool.isdisjoint(_PRICES) or told.tool.isdisjoint(_PRICING):
        return False
    free = any(
        key in ("percentage", "percentoff", "percent", "amount", "value") and str(value) in ("100", "100.0")
        for key, value in told.states
    )
    return free or chooses_all(told)
