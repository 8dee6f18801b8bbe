import { HOUSE } from '#core/ledger/account.ts'
import { PAIRS } from '#core/market/pair.ts'
import { CRYPTO_ASSETS } from '#core/money/asset.ts'
import { STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { contentOfBook, openSeals, type BookIdentity, type Seals } from '../kernel/seal.ts'
import { StartupError } from '../kernel/errors.ts'
import { bookOn, type OpenBook } from './book.ts'
import type { Sql } from './open.ts'
import type { Queries } from './statement.ts'

export type BookOptions = { BOOK: 'paper' | 'live'; SESSION_SECRET: string }

/**
 * The first start makes a database paper or live for good, and seals it with the secret. Refuses
 * another kind or secret, and a database that lacks a house account or pool.
 */
export async function checkBook(
  sql: Sql,
  { BOOK: kind, SESSION_SECRET: secret }: BookOptions,
): Promise<OpenBook> {
  await sql`insert into book (kind) values (${kind}) on conflict do nothing`
  const book = await findBook(sql)
  if (book?.kind !== kind) {
    throw new StartupError(
      `This database is a ${book?.kind ?? 'strange'} book and BOOK=${kind}: a book never ` +
        'changes its kind. Use another database.',
    )
  }
  const seals = openSeals({ secret, book })
  await checkSealOfBook(sql, { seals, seal: book.seal, secret })
  const missing = await findMissing(sql)
  if (missing.length === 0) return bookOn(sql, seals)
  throw new StartupError(
    `The database lacks what this version trades with: ${missing.join('; ')}. Add a migration ` +
      'that creates it.',
  )
}

type StoredBook = BookIdentity & { seal: string | null }

export async function findBook(sql: Sql): Promise<StoredBook | undefined> {
  const [book] = await sql<StoredBook[]>`select id, kind, seal from book`
  return book
}

export async function isSameBook(one: Sql, other: Sql): Promise<boolean> {
  const [here, there] = await Promise.all(
    [one, other].map((sql) => findBook(sql).catch(() => undefined)),
  )
  return here !== undefined && here.id === there?.id
}

type Sealed = { seals: Seals; seal: string | null; secret: string }

/**
 * Threat: somebody turns a paper book into a live one, or brings rows of another book. Then the
 * seal is not valid.
 */
async function checkSealOfBook(sql: Sql, { seals, seal, secret }: Sealed): Promise<void> {
  const { book } = seals
  if (seal === null) {
    if (book.kind === 'live' && (await isUsed(sql))) {
      throw new StartupError('This live book has no seal: somebody removed it. It cannot be used.')
    }
    await sql`update book set seal = ${sealOf(seals)} where seal is null`
    const now = await findBook(sql)
    if (now?.seal === sealOf(seals)) return
  }
  if (seals.fits(seal, 'book', contentOfBook(book))) return
  const other = openSeals({
    secret,
    book: { id: book.id, kind: book.kind === 'live' ? 'paper' : 'live' },
  })
  if (other.fits(seal, 'book', contentOfBook(other.book))) {
    throw new StartupError(
      `This database was made as a ${other.book.kind} book and was changed into a ` +
        `${book.kind} one: a book never changes its kind. Use another database.`,
    )
  }
  throw new StartupError(
    'This book was sealed with another secret: set SESSION_SECRET to the one that was in use, ' +
      'or put its file back into DATA_DIR.',
  )
}

const sealOf = (seals: Seals) => seals.sealOf('book', contentOfBook(seals.book))

export async function isUsed(sql: Queries): Promise<boolean> {
  const rows = await sql`select from users union all select from ledger_transfers limit 1`
  return rows.length > 0
}

/** House accounts in every asset. `interest`, in USD only, is not among them. */
const HOUSE_ACCOUNTS = ['bots', 'venue', 'rounding', 'bank']

/**
 * House accounts and pools that the assets, pairs and strategies of core need; only migrations
 * create them. Without this check, a new asset would fail at its first trade.
 */
async function findMissing(sql: Sql): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    with account as materialized (select code, asset, pool from ledger_accounts
         where user_id = ${HOUSE})
    select 'house account ' || code || ' in ' || asset as what
      from (select code, asset from unnest(${HOUSE_ACCOUNTS}::text[]) as code,
           unnest(${['USD', ...CRYPTO_ASSETS]}::text[]) as asset
            union all select 'interest', 'USD') as needed
     where not exists (select 1 from account a where a.code = needed.code
           and a.asset = needed.asset)
    union all
    select 'pool ' || pair || ' ' || strategy
      from unnest(${[...PAIRS]}::text[]) as pair, unnest(${[...STRATEGY_KEYS]}::text[]) as strategy
     where not exists (select 1 from pools p where p.pair = pair.pair
           and p.strategy = strategy.strategy)
    union all
    select 'account in ' || asset || ' of pool ' || p.pair || ' ' || p.strategy
      from pools p, unnest(array['USD', split_part(p.pair, '/', 1)]) as asset
     where not exists (select 1 from account a where a.code = 'pool' and a.pool = p.id
           and a.asset = asset.asset)`
  return rows.map(({ what }) => what)
}
