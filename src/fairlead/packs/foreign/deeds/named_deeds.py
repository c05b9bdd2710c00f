"""Deeds that the words of a tool's name tell: knowledge alone. What is not here may still be told by its arguments."""

from __future__ import annotations

from fairlead.model.value import Value
from fairlead.packs.foreign.deeds.told import Told
from fairlead.shell.word_sets import names


class Deed(Value):
    """A tool whose name has one of `verbs` and one of `things`, at a server of which, or of whose tool, one of `at`
    is said; nothing said of things or servers fits all of them, and a word of `unless` none."""

    effect: str
    verbs: frozenset[str]
    things: frozenset[str]
    at: frozenset[str]
    unless: frozenset[str]

    def fits(self, told: Told) -> bool:
        tool = told.tool
        return (
            not self.verbs.isdisjoint(tool)
            and (not self.things or not self.things.isdisjoint(tool))
            and (not self.at or not self.at.isdisjoint(told.known))
            and self.unless.isdisjoint(tool)
        )


def _deed(effect: str, verbs: str, things: str = "", *, at: str = "", unless: str = "") -> Deed:
    return Deed(effect, names(verbs), names(things), names(at), names(unless))


_OFF = "disable remove delete deactivate suspend bypass stop lower pause turn uninstall"
_SHOPS = "shop shops store cart amazon ebay walmart instacart doordash ubereats etsy booking"
_WALLETS = "wallet wallets ethereum eth solana bitcoin evm web3 metamask phantom uniswap safe defi chain token onchain"
_BROKERS = (
    "alpaca ibkr brokers broker robinhood binance coinbase kraken trading trade exchange bybit okx oanda"
)
_SOCIAL = "twitter x linkedin facebook instagram threads bluesky mastodon reddit tiktok pinterest tumblr social bsky"
_CONTENT = "entry entries post posts page pages article articles site theme version app video newsletter story listing"
_BOOKS = (
    "stripe paypal adyen chargebee recurly paddle billing quickbooks xero freshbooks mollie square accounting"
)
_STAFF = "employee employees contractor contractors vendor vendors freelancer supplier bill bills"

_ACCESS = (
    _deed("change-access", "unprotect unrestrict impersonate"),
    _deed(
        "change-access",
        _OFF,
        """
        protection protections restriction restrictions ruleset rulesets scanning rls mfa 2fa sso factor factors
        encryption versioning waf firewall authentication captcha acl acls approval approvals
        """,
        unless="status",
    ),
    _deed(
        "change-access",
        _OFF,
        "policy policies",
        at="okta auth0 entra branch password security access mfa sso",
    ),
    _deed(
        "change-access", "make set promote assign grant add give", "admin administrator owner superuser root"
    ),
    _deed("change-access", "reset change set force", "password passwords passwd"),
    _deed(
        "change-access",
        "forward delegate forwarding",
        "mailbox mail email address auto forwarding",
        unless="list",
    ),
    _deed("change-access", "create", "token", at="kubernetes k8s vault iam"),
    _deed("change-access", "create add", "grant grants", unless="list"),
    _deed("change-access", "unlock", "account accounts user", unless="level"),
    _deed("change-access", "create", "invite", at="discord", unless="list"),
    _deed("change-access", "share", "public publicly", unless="list"),
    _deed(
        "change-access",
        "share",
        "file folder spreadsheet document doc item drive sheet calendar vault database album inbox",
        unless="list link screen",
    ),
    _deed("change-access", "change transfer set", "owner ownership"),
    _deed("change-access", "put set update", "secret secrets", unless="list"),
    _deed(
        "change-access",
        "create generate issue",
        "token tokens pat",
        at="okta auth0 github gitlab npm cloudflare admin entra",
    ),
    _deed("change-access", "create", "key keys", at="account iam sa gcp okta"),
    _deed("change-access", "add install upload", "key keys", at="ssh sshd", unless="list"),
    _deed("change-access", "set update deploy", "rules", at="firebase firestore storage realtime"),
    _deed("change-access", "set update", "permission permissions", at="storage container bucket blob"),
    _deed("change-access", "public", "bucket blob container iam", unless="block list"),
    _deed("change-access", "disable", "privacy protection"),
    _deed(
        "change-access", "create add update", "binding bindings rolebinding", at="kubernetes k8s cluster iam"
    ),
)
_WATCHERS = (
    _deed(
        "disturb",
        "uninstall stop disable",
        "sensor agent agents edr antivirus",
        at="crowdstrike wazuh sentinelone defender sophos osquery falcon edr antivirus",
    ),
    _deed(
        "disturb",
        "add create set",
        "exclusion exclusions exception exceptions",
        at="crowdstrike wazuh sentinelone defender sophos antivirus edr falcon",
    ),
    _deed("disturb", "resolve close dismiss ignore suppress acknowledge archive", "all", unless="tab tabs"),
    _deed(
        "disturb",
        "disable pause suspend",
        "service services schedule integration",
        at="pagerduty opsgenie victorops betterstack uptime statuspage",
    ),
    _deed(
        "disturb",
        "disable delete pause",
        "job jobs schedule policy",
        at="veeam restic borg backup backups velero duplicati",
    ),
    _deed(
        "disturb",
        "disable mute delete pause",
        "condition conditions alert alerts alarm alarms collector detector",
        unless="list",
    ),
    _deed("disturb", "override", "schedule rotation oncall"),
    _deed("disturb", "rotate", "key keys secret secrets signing credentials", unless="image schedule"),
    _deed("disturb", "seal", at="vault"),
    _deed(
        "disturb",
        "rebuild reinstall format reimage",
        "server servers instance vm volume disk drive machine host node droplet",
    ),
    _deed("disturb", "unenroll retire wipe erase", "device devices all phone computer"),
    _deed(
        "disturb",
        "reset restore",
        "configuration factory defaults",
        at="mikrotik cisco router switch firewall device unifi ubiquiti juniper fortigate",
    ),
    _deed("disturb", "write", "erase register registers coil coils", at="cisco plc modbus scada opcua s7"),
    _deed("disturb", "stop export", "array pool raid"),
    _deed("disturb", "arm takeoff launch", at="drone mavlink px4 ardupilot"),
    _deed(
        "disturb",
        "trash reject cancel revoke unenroll deactivate logout approve expire",
        "all everything everyone",
    ),
    _deed("disturb", "reset delete", "offsets"),
    _deed("disturb", "kick", unless="off"),
    _deed("disturb", "update set change", "option options", at="wordpress"),
    _deed("disturb", "disable unmount delete", "engine mount auth", at="vault"),
    _deed("disturb", "disable stop", "defender antivirus gatekeeper sip blocking firewall adblock"),
    _deed("disturb", "block ban", "user client device member person", unless="list"),
    _deed("disturb", "leave", "organization organizations org", unless="list"),
    _deed("disturb", "clear revoke terminate", "sessions", at="okta auth0 entra keycloak admin clerk"),
    _deed(
        "disturb", "pause stop disable follow unfollow", "all", unless="container containers playback tests"
    ),
    _deed(
        "disturb",
        "archive",
        "database base channel channels workspace project projects organization team",
        unless="list",
    ),
    _deed("disturb", "ban kick remove", "all everyone members"),
    _deed("disturb", "close", "board boards workspace account accounts"),
    _deed("disturb", "merge", "users user accounts account contacts customers customer organizations"),
    _deed("disturb", "bulk mass", "update", at="salesforce hubspot crm zendesk shopify dynamics"),
    _deed("change-access", "write put create update", "policy", at="vault"),
    _deed("change-access", "invite share connect", "shared external guest guests", unless="list"),
    _deed("disturb", "bulk", "transition close archive reassign"),
)
_MONEY = (
    _deed("spend", "refund", unless="list policy status get reason"),
    _deed("spend", "update change", "subscription", at="stripe chargebee recurly paddle billing"),
    _deed("spend", "pay", unless="payload link preview"),
    _deed("spend", "buy purchase", unless="link button quote intent history price guide list"),
    _deed("spend", "checkout", at=_SHOPS),
    _deed("spend", "book reserve order request", "hotel flight flights trip ride rides train taxi car food meal"),
    _deed("spend", "book reserve", at="airbnb booking expedia opentable hotels resy kayak amadeus uber lyft", unless="list check availability"),
    _deed("spend", "exchange convert trade", at="revolut wise bank coinbase binance kraken bybit", unless="rate rates quote info"),
    _deed("spend", "sendtoaddress sendtransaction sendrawtransaction sendpayment paymentsend"),
    _deed("spend", "subscribe", at="marketplace stripe billing"),
    _deed("spend", "add update change set create", "beneficiary payee iban"),
    _deed("spend", "update change set", "bank payout external", unless="list"),
    _deed("spend", "place submit", "order orders"),
    _deed("spend", "close liquidate", "position positions"),
    _deed("spend", "finalize confirm capture void collect issue", "invoice invoices payment payments charge credit intent refund card cards"),
    _deed("spend", "send", "invoice invoices", at=_BOOKS),
    _deed("spend", "send wire transfer withdraw", "money funds sol eth btc crypto usdc tokens coins nft cash"),
    _deed("spend", "swap bridge stake unstake approve sign broadcast mint burn", at=_WALLETS, unless="message quote"),
    _deed("spend", "buy sell short", at=_BROKERS),
    _deed("spend", "run submit approve process", "payroll"),
    _deed("spend", "update set change adjust increase", "salary compensation wage bonus"),
    _deed("spend", "terminate dismiss offboard", "employee employees contract contractor"),
    _deed("spend", "approve create send execute schedule", "reimbursement reimbursements wire ach payouts"),
    _deed("spend", "approve", "bill bills expense expenses payment payments invoice invoices po", unless="list"),
    _deed("spend", "register renew", "domain domains"),
    _deed("spend", "upgrade change", "plan subscription tier", at="billing stripe vercel supabase netlify heroku account"),
    _deed("spend", "increase raise update set change", "budget budgets bid bids limit spend", at="ads ad adwords campaign brex ramp card billing marketing"),
    _deed("spend", "activate launch start enable resume publish", "campaign campaigns ad ads adset", unless="flag"),
    _deed("spend", "cancel", "order orders subscription subscriptions booking reservation flight"),
    _deed("spend", "donate tip"),
    _deed("spend", "sign execute", "document contract envelope agreement", at="docusign hellosign dropbox signature esign pandadoc"),
    _deed("spend", "void", "envelope contract agreement"),
)  # fmt: skip
_SPEAKING = (
    _deed("go-live", "send launch start schedule trigger publish", "campaign campaigns broadcast broadcasts newsletter blast"),
    _deed("go-live", "create", "broadcast blast"),
    _deed("go-live", "make place start", "call calls", at="twilio vonage phone plivo telnyx vapi"),
    _deed("go-live", "send", "requests invitations connections", at=_SOCIAL),
    _deed("go-live", "merge", "branch", at="supabase neon planetscale xata"),
    _deed("go-live", "deploy", "function functions worker", at="cloudflare firebase deno"),
    _deed("go-live", "send", "bulk mass marketing everyone all"),
    _deed("go-live", "broadcast", at="slack discord telegram whatsapp email mail sms push notification line chat messenger"),
    _deed("go-live", "tweet retweet toot", unless="draft likes"),
    _deed("go-live", "share schedule publish", at="buffer hootsuite sprout later socialpilot", unless="draft list"),
    _deed("go-live", "send", "list", at="mailgun mailchimp klaviyo sendgrid", unless="test"),
    _deed("go-live", "create", "incident", at="statuspage"),
    _deed("go-live", "activate", "workflow zap automation scenario", unless="deactivate"),
    _deed("go-live", "post publish share upload submit", at=_SOCIAL, unless="comment draft get schedule media"),
    _deed("go-live", "publish", "media", at=_SOCIAL),
    _deed("go-live", "publish unpublish", at="medium substack devto hashnode ghost", unless="draft preview"),
    _deed("go-live", "publish unpublish", _CONTENT, unless="draft preview unlisted"),
)  # fmt: skip
_LIVE = (
    _deed("go-live", "promote", at="heroku vercel netlify play console appstore track release canary deployment pipeline build"),
    _deed("go-live", "submit release", "review release", at="appstore app store play itunes testflight"),
    _deed("go-live", "approve", "deployment deployments release rollout"),
    _deed("go-live", "set enable toggle", "maintenance", at="heroku cloudflare vercel site app"),
    _deed("by-name", "yank unpublish", "release version package gem crate"),
    _deed("change-access", "add set change", "owner maintainer", at="npm pypi gem crates package registry"),
)  # fmt: skip
_LOST = (
    _deed(
        "by-name",
        "delete destroy erase expunge purge wipe trash terminate",
        """
        board boards person persons people profile profiles flag flags gate gates segment segments
        audience campaign campaigns lists folder folders form forms survey surveys invoice invoices playlist album
        albums photo photos video videos asset assets media experiment model models endpoint endpoints function
        functions job jobs schedule schedules policy policies group groups role roles member members sprint epic
        milestone wiki document documents doc docs sheet spreadsheet presentation slide contract envelope certificate
        portfolio notebook notebooks company companies opportunity dag dags source sources destination connection
        connections trigger triggers number conversation conversations thread threads entry entries checkpoint
        artifact artifacts release version versions alert alerts rule rules incident incidents runbook meeting
        course experience listing review reviews menu theme plugin plugins route routes tunnel gateway balancer
        catalog registry policyset budget payment chat server guild vault realm client clients federation report
        reports dataset calendar calendars tests suite
        """,
        unless="layer selection symbol breakpoint line lines comment",
    ),
    _deed("by-name", "delete destroy", "base bases"),
    _deed("by-name", "release", "number phone"),
    _deed("by-name", "push", "force", at="git github gitlab"),
    _deed("by-name", "delete", "item", at="bitwarden onepassword 1password lastpass keepass dashlane"),
    _deed("by-name", "delete", "list", at="clickup trello todoist mailchimp klaviyo sendgrid contacts crm"),
    _deed("by-name", "delete remove purge", "records record", at="salesforce hubspot crm zoho pipedrive dynamics"),
    _deed("by-name", "clear reset wipe empty", "index indices folder memories database store collection workspace graph"),
    _deed("by-name", "clear reset wipe", at="memory mem0 graph knowledge", unless="cache session history filter"),
)  # fmt: skip
_DEEDS = (*_ACCESS, *_WATCHERS, *_MONEY, *_SPEAKING, *_LIVE, *_LOST)


_ERASING = names("delete deletes destroy erase expunge purge wipe")
_LITTLE = names(
    """
    comment comments message messages memory memories task tasks subtask subtasks todo todos note notes tab tabs cookie
    cookies label labels tag tags breakpoint breakpoints key keys item items document row rows column columns record
    line lines cell cells cache caches session sessions draft drafts node nodes entity entities observation
    observations relation relations container containers image images network networks subscription subscriptions
    webhook event events reminder reminders card cards reaction reactions bookmark bookmarks highlight layer layers
    object objects gameobject shape shapes component components symbol symbols selection text range ranges slide
    slides paragraph block blocks element elements file files folder directory dir path tree filter filters view
    views variable variables watch favorite favorites draft mock mocks log logs chunk chunks vector vectors
    edge edges attribute property properties field fields step steps snippet alias link links pin pins marker
    asset material mesh actor prefab scene sprite style styles page option word words character char frame frames
    sim sims simulator simulators emulator test annotation annotations worktree stash branch tag
    """
)
"""What is made and deleted again all day, one at a time, or what others judge by its path."""
_EDITORS = names(
    "excel word powerpoint blender unity figma unreal godot serena ide jetbrains vscode taskmaster"
)
"""What they delete stands in a file or a drawing of the session."""
_JUDGED_ELSEWHERE = names(
    """
    mongodb mongo redis valkey postgres postgresql pg mysql mariadb mssql sqlite duckdb elasticsearch opensearch
    dynamodb cassandra kubernetes k8s kubectl docker podman git filesystem fs airtable blender unity figma unreal
    excel word powerpoint godot serena ide jetbrains vscode obsidian memory taskmaster http rest api
    """
)


def _by_verb() -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, deed in enumerate(_DEEDS):
        for verb in deed.verbs:
            places.setdefault(verb, []).append(place)
    return places


_BY_VERB = _by_verb()
"""Where in the list the deeds of a verb stand: most tools have none of them in their names."""


def named_deed(told: Told) -> str:
    """Of the first that fits."""
    places = [place for verb in told.tool for place in _BY_VERB.get(verb, ()) if _DEEDS[place].fits(told)]
    found = _DEEDS[min(places)].effect if places else ""
    if found == "by-name" and not told.known.isdisjoint(_EDITORS):
        return ""
    return found or ("by-name" if _erases(told) else "")


def _erases(told: Told) -> bool:
    """Something that a table would have to know to call it little."""
    things = told.tool - _ERASING - _FILLING
    return bool(
        told.tool & _ERASING
        and things
        and things.isdisjoint(_LITTLE)
        and told.known.isdisjoint(_JUDGED_ELSEWHERE)
    )


_FILLING = names("by id ids a an the my one mcp tool name and or from in of with soft request api run call")
