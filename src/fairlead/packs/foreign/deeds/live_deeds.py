"""Deeds that speak to many, or bring something to those who use it: knowledge alone."""

from __future__ import annotations

from fairlead.packs.foreign.deeds.deed import deed

_SOCIAL = "twitter x linkedin facebook instagram threads bluesky mastodon reddit tiktok pinterest tumblr social bsky"
_CONTENT = "entry entries post posts page pages article articles site theme version app video newsletter story listing"

SPEAKING = (
    deed("go-live", "send launch start schedule trigger publish", "campaign campaigns broadcast broadcasts newsletter blast"),
    deed("go-live", "create", "broadcast blast"),
    deed("go-live", "make place start", "call calls", at="twilio vonage phone plivo telnyx vapi"),
    deed("go-live", "send", "requests invitations connections", at=_SOCIAL),
    deed("go-live", "merge", "branch", at="supabase neon planetscale xata"),
    deed("go-live", "deploy", "function functions worker", at="cloudflare firebase deno"),
    deed("go-live", "send", "bulk mass marketing everyone all"),
    deed("go-live", "broadcast", at="slack discord telegram whatsapp email mail sms push notification line chat messenger"),
    deed("go-live", "tweet retweet toot", unless="draft likes"),
    deed("go-live", "share schedule publish", at="buffer hootsuite sprout later socialpilot", unless="draft list"),
    deed("go-live", "send", "list", at="mailgun mailchimp klaviyo sendgrid", unless="test"),
    deed("go-live", "create", "incident", at="statuspage"),
    deed("go-live", "activate", "workflow zap automation scenario", unless="deactivate"),
    deed("go-live", "post publish share upload submit", at=_SOCIAL, unless="comment draft get schedule media"),
    deed("go-live", "publish", "media", at=_SOCIAL),
    deed("go-live", "publish unpublish", at="medium substack devto hashnode ghost", unless="draft preview"),
    deed("go-live", "publish unpublish", _CONTENT, unless="draft preview unlisted"),
    deed("go-live", "send", "envelope envelopes", unless="draft list"),
    deed("go-live", "create new upload post submit", "paste", at="pastebin paste ghostbin hastebin dpaste rentry", unless="list"),
    deed("go-live", "call dial make place", "call phone number", at="phone telephony dialer callkit skype", unless="list log history"),
    deed("go-live", "reply post publish answer", "review reviews", at="google play appstore trustpilot yelp business tripadvisor"),
    deed("go-live", "submit", "application vote petition complaint", unless="draft list"),
    deed("go-live", "import subscribe", "list audience subscribers contacts", at="mailchimp klaviyo sendgrid mailgun brevo", unless="get"),
    deed("go-live", "publish unpublish", unless="draft preview unlisted message messages event topic diagnostics", elsewhere="mqtt ntfy kafka nats rabbitmq pubsub redis sns bus amqp"),
    deed("go-live", "originate", "call", unless="list"),
    deed(
        "go-live",
        "dm email message text notify sms push send mail",
        "followers leads customers subscribers employees everyone all everybody",
        unless="draft list test get preview",
    ),
    deed("go-live", "change set update", "handle username", at=_SOCIAL),
    deed("go-live", "schedule", "post tweet", at="social buffer hootsuite linkedin twitter facebook instagram", unless="list draft"),
    deed("go-live", "cast", "vote ballot"),
    deed("go-live", "cast", at="voting poll election"),
)  # fmt: skip
LIVE = (
    deed("go-live", "promote", at="heroku vercel netlify play console appstore track release canary deployment pipeline build"),
    deed("go-live", "submit release", "review release", at="appstore app store play itunes testflight"),
    deed("go-live", "approve", "deployment deployments release rollout"),
    deed("go-live", "set enable toggle", "maintenance", at="heroku cloudflare vercel site app"),
    deed("by-name", "yank unpublish", "release version package gem crate"),
    deed("change-access", "add set change", "owner maintainer", at="npm pypi gem crates package registry"),
    deed("go-live", "push publish upload", "image tag chart package artifact", at="dockerhub docker ecr gcr ghcr harbor quay registry npm pypi crates nuget rubygems maven artifactory nexus", unless="list"),
    deed("go-live", "set enable toggle start on", "maintenance"),
    deed("go-live", "swap", "slot slots environment cname", unless="list"),
    deed("go-live", "cutover switchover", unless="plan"),
)  # fmt: skip
