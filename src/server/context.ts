import type { FastifyBaseLogger } from 'fastify'
import type { SampleBot } from '#contract/evidence.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Config } from './settings/config.ts'
import type { OpenBook } from './db/book.ts'
import type { Sql } from './db/open.ts'
import type { Assistant } from './ports/assistant.ts'
import type { Candles, MarketView } from './ports/market-view.ts'
import type { Chain } from './ports/chain.ts'
import type { Compute, CandleFile } from './ports/compute.ts'
import type { Events } from './ports/events.ts'
import type { EvidenceKeeper } from './ports/evidence.ts'
import type { Feed } from './ports/feed.ts'
import type { HelpLibrary } from './ports/help-library.ts'
import type { Mail } from './ports/mail.ts'
import type { Payments } from './ports/payments.ts'
import type { Payouts } from './ports/payouts.ts'
import type { Push } from './ports/push.ts'
import type { RecordKeeper } from './ports/record.ts'
import type { Webhook } from './ports/webhook.ts'
import type { Venue } from './ports/venue.ts'

/** The open book and all other effects of the server. Tests can override each. */
export type Context = OpenBook & {
  config: Config
  /** Read-only connections, reserved for requests that only read. */
  reads: Sql
  events: Events
  log: FastifyBaseLogger
  now: () => Date
  newId: () => string
  costs: TradingCosts
  /** Market seconds per real second. */
  speed: number
  feed: Feed
  candles: Candles
  market: MarketView
  payments: Payments
  payouts: Payouts
  venue: Venue
  compute: Compute
  /** Recorded candles on this machine, for evidence if the market has no history of its own. */
  recorded: () => readonly CandleFile[]
  evidence: EvidenceKeeper
  record: RecordKeeper
  sampleBot: () => Promise<SampleBot>
  help: () => HelpLibrary
  assistant: Assistant
  chain: Chain
  mail: Mail
  push: Push
  webhook: Webhook
}
