import { readFile, stat } from 'node:fs/promises'
import { pino } from 'pino'
import { HOUR_MS } from '#core/market/candle.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#core/money/text.ts'
import { ONE } from '#core/money/amount.ts'
import { completeConfig, secretFileOf } from '#server/settings/config.ts'
import type { Context } from '#server/context.ts'
import { bookOn } from '#server/db/book.ts'
import { type Sql, openDatabase } from '#server/db/open.ts'
import { openContext, openFeed } from '#server/open-context.ts'
import { countOperators } from '#server/operators/operator.ts'
import { NO_SEALS, contentOfBook, openSeals, type BookIdentity } from '#server/kernel/seal.ts'
import type { Settings } from '#server/settings/settings.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { compareVenue } from '#server/trading/check-venue.ts'
import { findHalt } from '#server/trading/halt.ts'
import { connect, type Connection } from '../connect.ts'
import { examineRole } from './examine-role.ts'
import { missing, ok, reasonOf, wrong, type Finding } from './finding.ts'
import type { Queries } from '#server/db/statement.ts'
import { unseal } from '#server/kernel/sealed.ts'
import { isSameBook } from '#server/db/check-book.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import { headFileOf, readHead } from '#server/kernel/kept-head.ts'
import { findBrokenSeals } from '#server/ledger/check-seals.ts'

type DatabaseInput = {
  settings: Settings
  now: () => Date
  backupFile: string | undefined
  mayAskExchange: boolean
}

/** The connection, or the finding why there is none. */
export async function connectTo(settings: Settings): Promise<Connection | Finding> {
  try {
    return await connect(settings, { mayCreate: false, asOwner: true })
  } catch (error) {
    return error instanceof StartupError
      ? missing('database', error.message)
      : wrong('database', reasonOf(error))
  }
}

export async function examineDatabase(input: DatabaseInput, sql: Sql): Promise<Finding[]> {
  try {
    return await examineBook(input, sql)
  } catch (error) {
    return [
      error instanceof StartupError
        ? missing('database', error.message)
        : wrong('database', reasonOf(error)),
    ]
  }
}

async function examineBook(input: DatabaseInput, sql: Sql): Promise<Finding[]> {
  const { BOOK } = input.settings
  const [schema] = await sql<
    { isEmpty: boolean }[]
  >`select to_regclass('public.book') is null as is_empty`
  const [book] =
    schema?.isEmpty === false ? await sql<{ kind: string }[]>`select kind from book` : []
  if (book === undefined)
    return [
      ok('database', `reachable and empty: the first start makes it a ${BOOK} book permanently`),
    ]
  if (book.kind !== BOOK)
    return [
      wrong(
        'database',
        `it is a ${book.kind} book and BOOK=${BOOK}: a book never changes its kind, use ` +
          'another database',
      ),
    ]
  const backups = await examineBackups(input, sql)
  const orders = await examineHalt(sql)
  const role = await examineRole(input.settings)
  return [
    ok('database', `reachable, a ${book.kind} book`),
    role,
    ...(await examinePooler(input.settings, sql)),
    await examineOperators(input.settings, sql),
    ...(await examineSecret(input.settings, sql)),
    backups,
    orders,
    ...(await examineVenue(input, sql)),
  ]
}

/** Payouts above the limit need two people, and somebody must be able to add others. */
async function examineOperators({ BOOK }: Settings, sql: Sql): Promise<Finding> {
  const { admins, payers } = await countOperators(sql)
  const found =
    `${admins} ${admins === 1 ? 'manages' : 'manage'} the others, ${payers} may approve ` +
    'payouts'
  if (BOOK === 'paper' || (admins > 0 && payers > 1)) return ok('operators', found)
  if (admins === 0)
    return missing(
      'operators',
      'nobody can operate this book: npm run ops -- operator add NAME --role admin',
    )
  return missing(
    'operators',
    `${found}: payouts above PAYOUT_SECOND_PERSON_ABOVE need two, add them with npm run ops ` +
      '-- operator add NAME --role payouts',
  )
}

/**
 * Opens one bank account and checks the seals with the secret at hand. Before the first start there
 * may be no secret, which is a finding of its own.
 */
async function examineSecret(settings: Settings, sql: Sql): Promise<Finding[]> {
  const { SESSION_SECRET, DATA_DIR } = settings
  const secret =
    SESSION_SECRET ??
    (await readFile(secretFileOf(DATA_DIR), 'utf8').catch(() => undefined))?.trim()
  if (secret === undefined) return []
  const accounts = (await secretFits(sql, secret))
    ? ok('bank accounts', 'the secret decrypts them')
    : wrong(
        'bank accounts',
        'they were encrypted with another secret: set SESSION_SECRET to the one that was in ' +
          'use, or put its file back',
      )
  return [accounts, await examineSeals(sql, { secret, dataDir: DATA_DIR })]
}

/** A day, and two hours of tolerance for a late or slow backup. */
const BACKUP_WITHIN_HOURS = 26

async function examineBackups(
  { settings: { BOOK }, now, backupFile }: DatabaseInput,
  sql: Sql,
): Promise<Finding> {
  const last = backupFile === undefined ? await findLastBackup(sql) : await ageOfFile(backupFile)
  if (last === undefined) {
    const message =
      backupFile === undefined
        ? 'there is none yet: run npm run ops -- backup FILE every day'
        : `${backupFile} does not exist`
    return BOOK === 'live' || backupFile !== undefined
      ? missing('backup', message)
      : ok('backup', message)
  }
  const hours = Math.floor((now().getTime() - last.at.getTime()) / HOUR_MS)
  const message = `the last one is ${hours} h old (${last.file})`
  return BOOK === 'paper' || hours <= BACKUP_WITHIN_HOURS
    ? ok('backup', message)
    : wrong('backup', `${message}: make one every day`)
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

async function examineHalt(sql: Sql): Promise<Finding> {
  const halt = await findHalt(sql)
  if (halt === undefined) return ok('orders', 'not halted')
  return wrong(
    'orders',
    `halted since ${halt.since.toISOString()}: ${halt.reason}. Once the cause is resolved: ` +
      'npm run ops -- resume',
  )
}

/** The doctor decrypts no bank accounts, so it needs no secret. */
const NO_SECRET = ''

async function examineVenue(
  { settings, now, mayAskExchange }: DatabaseInput,
  sql: Sql,
): Promise<Finding[]> {
  if (settings.BOOK === 'paper' || !mayAskExchange) return []
  const config = completeConfig(settings, NO_SECRET)
  const log = pino({ level: 'silent' })
  const context = openContext({
    ...bookOn(sql, NO_SEALS),
    config,
    log,
    now,
    feed: await openFeed({ config, sql, log, now }),
  })
  await context.market.refresh()
  return [await examineHoldings(context), await examineFunds(sql)]
}

async function examineHoldings(context: Context): Promise<Finding> {
  const { VENUE_TOLERANCE } = context.config
  const differences = await compareVenue(context)
  if (differences === undefined)
    return ok('holdings', 'not compared because an order is in progress: try again in a moment')
  const worth = differences.reduce((sum, difference) => sum + difference.worth, 0n)
  const list = differences
    .map(
      ({ asset, held, booked }) =>
        `${asset} ${unitsToDecimal(held, 8)} there, ${unitsToDecimal(booked, 8)} booked`,
    )
    .join('; ')
  if (differences.length === 0) return ok('holdings', 'the exchange holds what the book says')
  if (worth <= BigInt(VENUE_TOLERANCE) * ONE)
    return ok('holdings', `they differ by less than VENUE_TOLERANCE: ${list}`)
  return wrong(
    'holdings',
    `${list}: if you moved funds, book that with npm run ops -- venue funded|withdrew; ` +
      'otherwise find out who did',
  )
}

/** Bots buy with the dollars at the exchange, whether or not card payments have arrived. */
async function examineFunds(sql: Sql): Promise<Finding> {
  const [row] = await sql<{ there: bigint; wanted: bigint }[]>`
    select coalesce(-sum(balance) filter (where code = 'venue'), 0)::bigint as there,
           coalesce(sum(balance) filter (where code in ('bots', 'pool')), 0)::bigint as wanted
      from ledger_control where asset = 'USD'`
  const { there, wanted } = row ?? { there: 0n, wanted: 0n }
  const told =
    `${moneyText({ amount: there })} lie at the exchange, bots hold ` +
    `${moneyText({ amount: wanted })} in cash`
  return there >= wanted
    ? ok('funds', told)
    : wrong(
        'funds',
        `${told}: purchases may be refused; send money and book it with npm run ops -- venue ` +
          'funded',
      )
}

/**
 * Whether `secret` decrypts what is sealed in this book, tried on the newest bank account and
 * authenticator. True if there is none.
 */
async function secretFits(sql: Queries, secret: string): Promise<boolean> {
  const accounts = await sql<Sealed[]>`
    select user_id, account_number_sealed as sealed from bank_accounts
     where account_number_sealed <> '' order by id desc limit 1`
  const authenticators = await sql<Sealed[]>`
    select user_id, secret_sealed as sealed from authenticators order by started_at desc limit 1`
  return (
    accounts.every((account) => opens({ ...account, secret })) &&
    authenticators.every((one) => opens({ ...one, secret, purpose: 'authenticators' }))
  )
}

type Sealed = { userId: string; sealed: string }

function opens(sealed: Parameters<typeof unseal>[0]): boolean {
  try {
    unseal(sealed)
    return true
  } catch {
    // Another secret made the seal: the cipher only says that it does not fit.
    return false
  }
}

/** `sql` is of DATABASE_SESSION_URL. */
async function examinePooler(
  { DATABASE_URL: url, DATABASE_SESSION_URL: sessionUrl }: Settings,
  sql: Sql,
): Promise<Finding[]> {
  if (url === undefined || sessionUrl === undefined) return []
  try {
    const pooled = await openDatabase(url, {
      poolSize: 1,
      applicationName: 'trading-bot doctor',
      sessionUrl,
    })
    const isSame = await isSameBook(pooled, sql)
    await pooled.end({ timeout: 1 })
    return [
      isSame
        ? ok(
            'pooler',
            'requests go through DATABASE_URL, the engine, jobs and notifications through ' +
              'DATABASE_SESSION_URL',
          )
        : wrong('pooler', 'DATABASE_URL and DATABASE_SESSION_URL lead to different books'),
    ]
  } catch (error) {
    return [wrong('pooler', reasonOf(error))]
  }
}

async function examineSeals(
  sql: Sql,
  { secret, dataDir }: { secret: string; dataDir: string },
): Promise<Finding> {
  const [stored] = await sql<
    (BookIdentity & { seal: string | null })[]
  >`select id, kind, seal from book`
  if (!stored || stored.seal === null)
    return ok('seals', 'the next start seals this book with the secret')
  const { seal, ...book } = stored
  const seals = openSeals({ secret, book })
  if (!seals.fits(seal, 'book', contentOfBook(book)))
    return wrong(
      'seals',
      'this book was sealed with another secret, or its kind was changed: it does not start',
    )
  const seen = await readHead(dataDir, book.id)
  const [broken] = await atOneMoment(sql, (tx) =>
    findBrokenSeals(tx, seals, { seen, rows: 'quick' }),
  )
  if (broken)
    return wrong(
      'seals',
      `${broken.check}; ${broken.subject}: ${broken.finding}. Run npm run ops -- reconcile, ` +
        'and see "A broken seal" in docs/going-live.md',
    )
  return ok(
    'seals',
    seen
      ? `whole; the newest is number ${seen.number}, kept in ${headFileOf(dataDir, book.id)}`
      : 'whole; none has been seen by this installation yet',
  )
}
