import { stat } from 'node:fs/promises'
import { pino } from 'pino'
import { HOUR_MS } from '#core/market/candle.ts'
import { unitsOfDollars } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { bookOn } from '#server/db/book.ts'
import { findBook } from '#server/db/check-book.ts'
import type { Sql } from '#server/db/open.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { NO_SEALS } from '#server/kernel/seal.ts'
import { countRefusals } from '#server/notices/mailbox.ts'
import { openContext, openFeed } from '#server/open-context.ts'
import { countOperators } from '#server/operators/operator.ts'
import { completeConfig } from '#server/settings/config.ts'
import type { Settings } from '#server/settings/settings.ts'
import { compareVenue } from '#server/trading/check-venue.ts'
import { findHalt } from '#server/trading/halt.ts'
import { findWaitingSales } from '#server/trading/waits.ts'
import { listOpenWithdrawals } from '#server/withdrawals/list-withdrawals.ts'
import { connect, type Connection } from '../connect.ts'
import { examinePooler, examineRole } from './examine-access.ts'
import { examineEncryption, examineSeals } from './examine-secret.ts'
import {
  missing,
  named,
  ok,
  reasonOf,
  runChecks,
  wrong,
  type Checks,
  type Finding,
  type Verdict,
} from './finding.ts'

type DatabaseInput = {
  settings: Settings
  now: () => Date
  backupFile: string | undefined
  mayAskExchange: boolean
  sql: Sql
}

export const connectTo = (settings: Settings): Promise<Connection | Verdict> =>
  connect(settings, { mayCreate: false, asOwner: true }).catch(faultOf)

const faultOf = (error: unknown): Verdict =>
  error instanceof StartupError ? missing(error.message) : wrong(reasonOf(error))

export async function examineDatabase(input: DatabaseInput): Promise<Finding[]> {
  const { sql, settings } = input
  try {
    const [schema] = await sql<
      { isEmpty: boolean }[]
    >`select to_regclass('public.book') is null as is_empty`
    const book = schema?.isEmpty === false ? await findBook(sql) : undefined
    const database = kindVerdict(settings, book?.kind)
    const isOurs = book?.kind === settings.BOOK
    return [...named({ database }), ...(isOurs ? await runChecks(CHECKS, input) : [])]
  } catch (error) {
    return named({ database: faultOf(error) })
  }
}

function kindVerdict(
  { BOOK: wanted, DATABASE_URL, DATA_DIR }: Settings,
  kind: string | undefined,
): Verdict {
  if (kind === undefined)
    return ok(`reachable and empty: the first start makes it a ${wanted} book permanently`)
  if (kind === wanted)
    return ok(
      `reachable, a ${kind} book in ${DATABASE_URL === undefined ? DATA_DIR : 'DATABASE_URL'}`,
    )
  return wrong(
    `it is a ${kind} book and BOOK=${wanted}: a book never changes its kind, use another database`,
  )
}

const CHECKS: Checks<DatabaseInput> = {
  'database role': examineRole,
  pooler: examinePooler,
  operators: async ({ settings, sql }) => {
    const { admins, payers } = await countOperators(sql)
    const found =
      `${admins} ${admins === 1 ? 'manages' : 'manage'} the others, ${payers} may approve ` +
      'payouts'
    if (settings.BOOK === 'paper' || (admins > 0 && payers > 1)) return ok(found)
    return missing(
      admins === 0
        ? 'nobody can operate this book: npm run ops -- operator add NAME --role admin'
        : `${found}: payouts above PAYOUT_SECOND_PERSON_ABOVE need two, add them with npm run ` +
            'ops -- operator add NAME --role payouts',
    )
  },
  'bank accounts': examineEncryption,
  seals: examineSeals,
  'push messages': async ({ sql }) =>
    (await countRefusals(sql)).map(({ answer, count }) =>
      wrong(
        `${count} refused with ${answer}: the service rejects our signature or request. Check ` +
          "the contact and this machine's clock; after a change of SESSION_SECRET users switch " +
          'push on again',
      ),
    ),
  backup: examineBackups,
  orders: async ({ sql }) => {
    const halt = await findHalt(sql)
    if (halt === undefined) return examineOrders(sql)
    return wrong(
      `halted since ${halt.since.toISOString()}: ${halt.reason}. Once the cause is resolved: npm ` +
        'run ops -- resume',
    )
  },
  'waiting payouts': async ({ sql }) => {
    const reasons = (await listOpenWithdrawals(sql)).flatMap(({ state, waitsFor }) =>
      state === 'submitted' && waitsFor !== null ? waitsFor : [],
    )
    if (reasons.length === 0) return undefined
    return wrong(`${reasons.length} submitted: ${[...new Set(reasons)].join('; ')}`)
  },
  'waiting pairs': async ({ sql }) => {
    const waits = await findWaitingSales(sql)
    if (waits.length === 0) return undefined
    const list = waits.map(
      ({ pair, reason, since, bots }) =>
        `${pair} (${reason}) since ${since.toISOString()}, ${bots} bots`,
    )
    return wrong(
      `coins cannot be sold: ${list.join('; ')}; see "When something fails" in docs/going-live.md`,
    )
  },
  holdings: async (input) => (asksExchange(input) ? examineHoldings(input) : undefined),
  // The dollars at the exchange must suffice for all bots, whether or not card payments have
  // arrived.
  funds: async (input) => {
    if (!asksExchange(input)) return undefined
    const [row] = await input.sql<{ there: bigint; wanted: bigint }[]>`
      select coalesce(-sum(balance) filter (where code = 'venue'), 0)::bigint as there,
             coalesce(sum(balance) filter (where code in ('bots', 'pool')), 0)::bigint as wanted
        from ledger_control where asset = 'USD'`
    const { there, wanted } = row ?? { there: 0n, wanted: 0n }
    const told =
      `${englishMoneyText({ amount: there })} lie at the exchange, bots hold ` +
      `${englishMoneyText({ amount: wanted })} in cash`
    if (there >= wanted) return ok(told)
    return wrong(
      `${told}: purchases may be refused; send money and book it with npm run ops -- venue funded`,
    )
  },
}

async function examineOrders(sql: Sql): Promise<Verdict> {
  const unknown = await sql<{ id: string; pair: string; plannedAt: Date }[]>`
    select id, pair, planned_at from engine_blocks
     where state <> 'settled' and planned_at < clock_timestamp() - interval '1 minute' order by id`
  if (unknown.length === 0) return ok('not halted')
  const list = unknown.map(
    ({ id, pair, plannedAt }) => `${id} of ${pair} since ${plannedAt.toISOString()}`,
  )
  return wrong(`the outcome is unknown: ${list.join('; ')}; look for the id at the exchange`)
}

const asksExchange = ({ settings, mayAskExchange }: DatabaseInput): boolean =>
  settings.BOOK === 'live' && mayAskExchange

/** A day, and two hours of tolerance for a late or slow backup. */
const BACKUP_WITHIN_HOURS = 26

async function examineBackups(input: DatabaseInput): Promise<Verdict> {
  const { settings, now, backupFile: named, sql } = input
  const isLive = settings.BOOK === 'live'
  const last = named === undefined ? await findLastBackup(sql) : await ageOfFile(named)
  if (last === undefined)
    return named === undefined
      ? (isLive ? missing : ok)('there is none yet: run npm run ops -- backup FILE every day')
      : missing(`${named} does not exist`)
  const hours = Math.floor((now().getTime() - last.at.getTime()) / HOUR_MS)
  const message = `the last one is ${hours} h old (${last.file})`
  return !isLive || hours <= BACKUP_WITHIN_HOURS
    ? ok(message)
    : wrong(`${message}: make one every day`)
}

type Backup = { file: string; at: Date }

async function findLastBackup(sql: Sql): Promise<Backup | undefined> {
  const [last] = await sql<
    Backup[]
  >`select subject as file, created_at as at from audit_events where action = 'backup'
    order by created_at desc limit 1`
  return last
}

async function ageOfFile(file: string): Promise<Backup | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() ? { file, at: found.mtime } : undefined
}

const NO_SECRET = ''

async function examineHoldings({ settings, now, sql }: DatabaseInput): Promise<Verdict> {
  const config = completeConfig(settings, NO_SECRET)
  const log = pino({ level: 'silent' })
  const feed = await openFeed({ config, sql, log, now })
  const context = openContext({ ...bookOn(sql, NO_SEALS), config, log, now, feed })
  await context.market.refresh()
  const differences = await compareVenue(context)
  if (differences === undefined)
    return ok('not compared because an order is in progress: try again in a moment')
  if (differences.length === 0) return ok('the exchange holds what the book says')
  const worth = differences.reduce((sum, difference) => sum + difference.worth, 0n)
  const list = differences
    .map(
      ({ asset, held, booked }) =>
        `${asset} ${unitsToDecimal(held, 8)} there, ${unitsToDecimal(booked, 8)} booked`,
    )
    .join('; ')
  return worth <= unitsOfDollars(config.VENUE_TOLERANCE)
    ? ok(`they differ by less than VENUE_TOLERANCE: ${list}`)
    : wrong(
        `${list}: if you moved funds, book that with npm run ops -- venue funded|withdrew; ` +
          'otherwise find out who did',
      )
}
