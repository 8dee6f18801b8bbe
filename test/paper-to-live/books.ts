import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { HOUR_MS } from '#core/market/candle.ts'
import { readConfig, type Config } from '#server/settings/config.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { OpenBook } from '#server/db/book.ts'
import { checkBook } from '#server/db/check-book.ts'
import type { Sql } from '#server/db/open.ts'
import { openBook } from '#server/ledger/guard-seals.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import { openContext } from '#server/open-context.ts'
import { bankFileCommand } from '#server/ops/bank-file-command.ts'
import { paperVenue } from '#server/trading/venue-paper.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { createTestDatabase, SECRET, type TestDatabase } from '../world/database.ts'
import { startStripe, STRIPE_KEYS, type StripeEmulator } from '../emulators/stripe.ts'
import { LIVE_BOOK } from '../world/live-book.ts'
import { actingAs } from '../world/operators.ts'
import { sealAll } from '../world/seal-all.ts'
import { pastRules } from '../world/past-rules.ts'
import { openWorld, type TestUser, type World } from '../world/world.ts'

/**
 * The settings of a live book whose card provider is the emulator. Its market is replaced, because
 * nothing is traded here.
 */
export function liveSettings(stripeUrl: string, dataDir: string): Record<string, string> {
  return {
    ...LIVE_BOOK,
    SESSION_SECRET: SECRET,
    DATA_DIR: dataDir,
    STRIPE_SECRET_KEY: STRIPE_KEYS.live.secret,
    STRIPE_PUBLISHABLE_KEY: STRIPE_KEYS.live.publishable,
    STRIPE_WEBHOOK_SECRET: STRIPE_KEYS.webhook,
    STRIPE_API_URL: stripeUrl,
    PROVIDER_ADDRESSES: 'unofficial',
    PAYOUTS: 'bank-file',
    WITHDRAWAL_HOLD_HOURS: '0',
  }
}

export const paperSettings = (dataDir: string): Record<string, string> => ({
  SESSION_SECRET: SECRET,
  DATA_DIR: dataDir,
  WITHDRAWAL_HOLD_HOURS: '0',
})

/**
 * A book with one honest user: $1,000 deposited by card 73 hours ago, and a withdrawal of $100 that
 * was approved.
 */
export type Prepared = {
  kind: 'paper' | 'live'
  database: TestDatabase
  dataDir: string
  stripe: StripeEmulator
  ada: string
  withdrawal: string
  intent: string
}

/** A copy of a prepared book, in which everything may be tried. */
export type Copy = {
  sql: Sql
  url: string
  config: Config
  context: Context
  stripe: StripeEmulator
  ada: string
  withdrawal: string
  intent: string
  dataDir: string
  /**
   * Runs a text of statements as a superuser who respects the triggers, or with all of them off.
   */
  asSuperuser: (text: string) => Promise<void>
  pastTriggers: (text: string) => Promise<void>
  /** A server over this book, for attempts that need a user. */
  world: () => Promise<World>
  /** Opens the book as a start does. */
  start: (settings?: Record<string, string>) => Promise<string>
  /**
   * Exports all payouts, as an operator does; returns the lines, and the lines of the CSV files.
   */
  payOut: (...words: string[]) => Promise<string>
  payOutWith: (context: Context, ...words: string[]) => Promise<string>
  reconcile: () => Promise<string>
}

const silent = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
const later = () => new Date(Date.now() + 73 * HOUR_MS)

/** The product without a network: nothing is traded here. */
export function openOffline(book: OpenBook, config: Config, now: () => Date = later): Context {
  const costs = { feeBps: 10, halfSpreadBps: 1, slippageBps: 5 }
  return openContext({
    ...book,
    config,
    log: silent,
    now,
    feed: simulatedFeed({ seed: 7 }),
    costs,
    venue: paperVenue(costs),
  })
}

export async function prepare(kind: Prepared['kind']): Promise<Prepared> {
  const [database, stripe, dataDir] = [
    await createTestDatabase(),
    await startStripe(),
    await mkdtemp(join(tmpdir(), 'paper-to-live-')),
  ]
  const config = readConfig(
    kind === 'live' ? liveSettings(stripe.url, dataDir) : paperSettings(dataDir),
  )
  const context = openOffline(await checkBook(database.sql, config), config)
  const world = await openWorld(context, () => Promise.resolve())
  const ada = await world.user('ada')
  const intent = kind === 'live' ? await depositBy(ada, stripe) : await depositOnPaper(ada, context)
  await pastRules(
    database.sql,
    (tx) => tx`update payment_intents set credited_at = credited_at - interval '73 hours'`,
  )
  await ada.addBankAccount()
  const { id } = await ada.call('requestWithdrawal', { body: { amount: '100' } })
  await approveWithdrawal(context, { id, operator: actingAs(context, 'Grace').operator })
  await sealAll(context)
  await world.app.close()
  await database.sql.end({ timeout: 1 })
  return { kind, database, dataDir, stripe, ada: ada.id, withdrawal: id, intent }
}

/** Pays $1,000 at the card provider, as its form in the browser would. */
async function depositBy(user: TestUser, stripe: StripeEmulator): Promise<string> {
  const { paymentIntentId } = await user.call('createPaymentIntent', { body: { amount: '1000' } })
  const intent = stripe.live.intents.get(paymentIntentId)
  if (intent === undefined) throw new Error('the emulator received no payment intent')
  stripe.live.confirm(intent, { paymentMethod: 'pm_card_visa', returnUrl: null, ask: '' })
  await user.call('confirmDeposit', { body: { paymentIntentId } })
  return paymentIntentId
}

async function depositOnPaper(user: TestUser, { sql }: Context): Promise<string> {
  await user.deposit('1000')
  const [row] = await sql<{ id: string }[]>`select id from payment_intents`
  return row?.id ?? ''
}

export async function drop({ database, dataDir, stripe }: Prepared): Promise<void> {
  await database.drop()
  await stripe.close()
  await rm(dataDir, { recursive: true, force: true })
}

/** Runs `attempt` on a copy of its own. */
export async function onCopy<Result>(
  prepared: Prepared,
  attempt: (copy: Copy) => Promise<Result>,
): Promise<Result> {
  const name = new URL(prepared.database.url).pathname.slice(1)
  const [database, dataDir] = [
    await createTestDatabase({ template: name }),
    await mkdtemp(join(tmpdir(), 'paper-to-live-')),
  ]
  await cp(prepared.dataDir, dataDir, { recursive: true })
  const { sql, url } = database
  const settings =
    prepared.kind === 'live' ? liveSettings(prepared.stripe.url, dataDir) : paperSettings(dataDir)
  const config = readConfig(settings)
  const context = openOffline(await checkBook(sql, config), config)
  await context.market.refresh()
  const opened: { world?: World } = {}
  try {
    return await attempt({
      ...prepared,
      sql,
      url,
      config,
      context,
      dataDir,
      asSuperuser: (text) => atomically(sql, async (tx) => void (await tx.unsafe(text))),
      pastTriggers: (text) =>
        atomically(
          sql,
          async (tx) =>
            void (await tx.unsafe(`set local session_replication_role = replica; ${text}`)),
        ),
      world: async () => (opened.world ??= await openWorld(context, () => Promise.resolve())),
      start: async (changed = {}) => {
        await openBook(sql, { ...readConfig({ ...settings, ...changed }) })
        return 'starts'
      },
      payOut: (...words) => payOutOf(context, words),
      payOutWith: (other, ...words) => payOutOf(other, words),
      reconcile: async () =>
        (await reconcile(context))
          .map(({ check, subject, finding }) => `${check}; ${subject}: ${finding}`)
          .join('\n'),
    })
  } finally {
    await opened.world?.app.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function payOutOf(context: Context, words: string[]): Promise<string> {
  const folder = join(context.config.DATA_DIR, 'payouts')
  const { lines } = await bankFileCommand(actingAs(context, 'Grace'), ['export', folder, ...words])
  return [...lines, ...(await readdir(folder))].join('\n')
}
