import { readConfig } from '#server/settings/config.ts'
import { checkBook } from '#server/db/check-book.ts'
import { forced, written, type Attempt } from './attempt.ts'
import { liveSettings, type Copy } from './books.ts'
import { pattern } from '../world/pattern.ts'

const start = (deed: string, changes: Record<string, string>, refused: RegExp): Attempt => ({
  deed,
  refused,
  carryOut: async ({ stripe, dataDir }) => (
    readConfig({ ...liveSettings(stripe.url, dataDir), PROVIDER_ADDRESSES: '', ...changes }),
    'starts'
  ),
})

/** Settings of a live book that put an emulator in a provider's place. */
export const SETTING_ATTEMPTS: readonly Attempt[] = [
  start(
    '19: the card provider and the exchange are emulators',
    { EXCHANGE_REST_URL: 'http://127.0.0.1:1' },
    pattern(
      /STRIPE_API_URL=http:\/\/127\.0\.0\.1:\d+ and /,
      /EXCHANGE_REST_URL=http:\/\/127\.0\.0\.1:1 /,
      /may answer with money that is not real/,
    ),
  ),
  start(
    'the card provider is an emulator',
    {},
    /^StartupError: A live book asks the providers themselves: STRIPE_API_URL=/,
  ),
  start(
    'the card provider is a name that looks like it',
    { STRIPE_API_URL: 'https://api.stripe.com.example' },
    pattern(
      /^StartupError: A live book asks the providers themselves: /,
      /STRIPE_API_URL=https:\/\/api\.stripe\.com\.example/,
    ),
  ),
  start(
    'the stream of the exchange is an emulator',
    { STRIPE_API_URL: '', EXCHANGE_WS_URL: 'ws://127.0.0.1:1' },
    /^StartupError: A live book asks the providers themselves: EXCHANGE_WS_URL=/,
  ),
  start(
    'an acknowledgment in other words',
    { PROVIDER_ADDRESSES: 'yes' },
    /^StartupError: The setting PROVIDER_ADDRESSES is not valid/,
  ),
]

const MADE_AS_PAPER = pattern(
  /^StartupError: This database was made as a paper book /,
  /and was changed into a live one: a book never changes its kind/,
)

const asLive = ({ start: starts, stripe, dataDir }: Copy): Promise<string> =>
  starts(liveSettings(stripe.url, dataDir))

const SAYS_LIVE = "update book set kind = 'live'; update market_clock set feed = 'live:kraken';"

/** A paper book that somebody declares live. */
export const PAPER_ATTEMPTS: readonly Attempt[] = [
  written({
    deed: '33: a paper book is called live',
    rows: "update book set kind = 'live'",
    follows: asLive,
    refused: /^PostgreSQL refuses: book_fixed$/,
  }),
  written({
    deed: 'the book is removed, to be made again',
    rows: 'delete from book',
    follows: asLive,
    refused: /^PostgreSQL refuses: book_fixed$/,
  }),
  written({
    deed: 'the book is emptied, to be made again',
    rows: 'truncate book',
    follows: asLive,
    refused: /^PostgreSQL refuses: ledger_append_only$/,
  }),
  written({
    deed: 'the market of a paper book is called live',
    rows: "update market_clock set feed = 'live:kraken'",
    follows: asLive,
    refused: /^PostgreSQL refuses: ledger_append_only$/,
  }),
  forced({
    deed: '35: book and market are called live with the triggers off, and it starts',
    rows: SAYS_LIVE,
    follows: asLive,
    refused: MADE_AS_PAPER,
  }),
  forced({
    deed: '36: the same without the seal of the book',
    rows: `${SAYS_LIVE} update book set seal = null`,
    follows: asLive,
    refused: /^StartupError: This live book has no seal/,
  }),
  forced({
    deed: 'the same with another id, as a book of its own',
    rows: `${SAYS_LIVE} update book set id = gen_random_uuid()`,
    follows: asLive,
    refused: /^StartupError: This book was sealed with another secret/,
  }),
  forced({
    deed: 'a new live book in the place of the old one, over the rows of the paper book',
    rows: 'delete from book; delete from market_clock',
    follows: asLive,
    refused: /^StartupError: This live book has no seal/,
  }),
  {
    deed:
      '38: book, market and rows are changed and dated back, and the withdrawal is exported ' +
      'for the bank',
    refused: MADE_AS_PAPER,
    carryOut: async (copy) => {
      await copy.pastTriggers(
        `${SAYS_LIVE} update payment_intents set provider = 'stripe', credited_at = now() - ` +
          `interval '9 days'; update withdrawal_requests set state = 'approved', ` +
          'payout_provider = null',
      )
      await checkBook(copy.sql, readConfig(liveSettings(copy.stripe.url, copy.dataDir)))
      return copy.payOut()
    },
  },
]
