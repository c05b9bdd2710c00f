"""Deeds that spend, promise or move money: knowledge alone."""

from __future__ import annotations

from fairlead.packs.foreign.deeds.deed import deed

_SHOPS = "shop shops store cart amazon ebay walmart instacart doordash ubereats etsy booking"
_WALLETS = "wallet wallets ethereum eth solana bitcoin evm web3 metamask phantom uniswap safe defi chain token onchain"
_BROKERS = (
    "alpaca ibkr brokers broker robinhood binance coinbase kraken trading trade exchange bybit okx oanda"
)
_BOOKS = (
    "stripe paypal adyen chargebee recurly paddle billing quickbooks xero freshbooks mollie square accounting"
)

MONEY = (
    deed("spend", "refund", unless="list policy status get reason"),
    deed("spend", "update change", "subscription", at="stripe chargebee recurly paddle billing"),
    deed("spend", "pay", unless="payload link preview"),
    deed("spend", "buy purchase", unless="link button quote intent history price guide list"),
    deed("spend", "checkout", at=_SHOPS),
    deed("spend", "book reserve order request", "hotel flight flights trip ride rides train taxi car food meal"),
    deed("spend", "book reserve", at="airbnb booking expedia opentable hotels resy kayak amadeus uber lyft", unless="list check availability"),
    deed("spend", "exchange convert trade", at="revolut wise bank coinbase binance kraken bybit", unless="rate rates quote info"),
    deed("spend", "sendtoaddress sendtransaction sendrawtransaction sendpayment paymentsend"),
    deed("spend", "subscribe", at="marketplace stripe billing"),
    deed("spend", "add update change set create", "beneficiary payee iban"),
    deed("spend", "update change set", "bank payout external", unless="list"),
    deed("spend", "place submit", "order orders"),
    deed("spend", "close liquidate", "position positions"),
    deed("spend", "finalize confirm capture void collect issue", "invoice invoices payment payments charge credit intent refund card cards"),
    deed("spend", "send", "invoice invoices", at=_BOOKS),
    deed("spend", "send wire transfer withdraw", "money funds sol eth btc crypto usdc tokens coins nft cash"),
    deed("spend", "swap bridge stake unstake approve sign broadcast mint burn", at=_WALLETS, unless="message quote"),
    deed("spend", "buy sell short", at=_BROKERS),
    deed("spend", "run submit approve process", "payroll"),
    deed("spend", "update set change adjust increase", "salary compensation wage bonus"),
    deed("spend", "terminate dismiss offboard", "employee employees contract contractor"),
    deed("spend", "approve create send execute schedule", "reimbursement reimbursements wire ach payouts"),
    deed("spend", "approve", "bill bills expense expenses payment payments invoice invoices po", unless="list"),
    deed("spend", "register renew", "domain domains"),
    deed("spend", "upgrade change", "plan subscription tier", at="billing stripe vercel supabase netlify heroku account"),
    deed("spend", "increase raise update set change", "budget budgets bid bids limit spend", at="ads ad adwords campaign brex ramp card billing marketing"),
    deed("spend", "activate launch start enable resume publish", "campaign campaigns ad ads adset", unless="flag"),
    deed("spend", "cancel", "order orders subscription subscriptions booking reservation flight"),
    deed("spend", "donate tip"),
    deed("spend", "sign execute", "document contract envelope agreement", at="docusign hellosign dropbox signature esign pandadoc"),
    deed("spend", "void", "envelope contract agreement"),
    deed("spend", "confirm complete finalize", "order purchase checkout booking reservation trip ride", unless="status email page"),
    deed("spend", "order", at=f"{_SHOPS} uber eats deliveroo lieferando pizza food amazon", unless="draft history status items list track test sort by"),
    deed("spend", "new create place open market limit", "order orders trade", at=_BROKERS, unless="draft test book list"),
    deed("spend", "accept concede", "claim dispute chargeback"),
    deed("spend", "set increase", "approval allowance", at=_WALLETS),
    deed("spend", "accept sign decline", "offer contract terms agreement quote proposal tender lease", unless="list preview draft"),
    deed("spend", "submit file", "return bid claim filing tender invoice invoices expense expenses tax vat", unless="draft list"),
    deed("spend", "bid", unless="list get history cancel modifier"),
    deed("spend", "invest deposit redeem borrow lend repay topup"),
    deed("spend", "write", "off", at=_BOOKS),
    deed("spend", "reorder", "subscription supplies stock"),
    deed("spend", "transfer send", "domain balance points credits miles crypto asset assets"),
    deed("spend", "print mail", "label letter postcard", at="shippo easypost lob sendcloud usps ups fedex dhl"),
    deed("spend", "hire", unless="list date"),
    deed("spend", "create start", "subscription charge", at="stripe paddle chargebee recurly billing"),
    deed("spend", "create issue order activate", "card cards", beside="virtual debit credit corporate physical gift card", at="brex ramp stripe issuing marqeta revolut mercury wise privacy bank"),
    deed("spend", "add", "order", at=_BROKERS, unless="note draft"),
    deed("spend", "update set change edit", "gateway processor", beside="payment payments payout checkout"),
    deed("spend", "sign broadcast", "transaction psbt tx", unless="decode simulate"),
    deed("spend", "approve release", "withdrawal withdrawals transfer transfers payout payouts refund refunds", unless="list get"),
    deed("spend", "schedule create add set", "standing recurring mandate", beside="order transfer payment debit mandate", unless="list event task meeting"),
    deed("spend", "withdraw unstake", unless="list"),
    deed("spend", "post void reverse", "journal ledger"),
    deed("spend", "terminate dismiss fire offboard", at="hr workday bamboohr gusto rippling deel personio"),
)  # fmt: skip
