import { HOUSE } from '#core/ledger/account.ts'
import { PAIRS } from '#core/market/pair.ts'
import { CRYPTO_ASSETS } from '#core/money/asset.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { StartupError } from '../startup-error.ts'
import type { Sql } from './open.ts'

/** A database is made paper or live by its first start and never changes; it must also hold every house account and pool. */
export async function checkBook(sql: Sql, kind: 'paper' | 'live'): Promise<void> {
  await sql`insert into book (kind) values (${kind}) on conflict do nothing`
  const [book] = await sql<{ kind: string }[]>`select kind from book`
  if (book?.kind !== kind) {
    throw new StartupError(`This database is a ${book?.kind ?? 'strange'} book and BOOK=${kind}: a book never changes its kind. Use another database.`)
  }
  const missing = await findMissing(sql)
  if (missing.length === 0) return
  throw new StartupError(`The database lacks what this version trades with: ${missing.join('; ')}. Add a migration that creates it.`)
}

/** The house's accounts in every asset; its `bank` is in USD alone. */
const HOUSE_ACCOUNTS = ['bots', 'venue', 'rounding']

/**
 * House accounts and pools that the assets, pairs and risk levels of core need. Only migrations create them: a start that did so too would
 * be a second place to keep in step. Without this check, a new asset would fail at its first trade.
 */
async function findMissing(sql: Sql): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    select 'house account ' || code || ' in ' || asset as what
      from (select code, asset from unnest(${HOUSE_ACCOUNTS}::text[]) as code, unnest(${['USD', ...CRYPTO_ASSETS]}::text[]) as asset
            union all select 'bank', 'USD') as needed
     where not exists (select from ledger_accounts a where a.user_id = ${HOUSE} and a.code = needed.code and a.asset = needed.asset)
    union all
    select 'pool ' || pair || ' ' || strategy
      from unnest(${[...PAIRS]}::text[]) as pair, unnest(${[...RISK_LEVELS]}::text[]) as strategy
     where not exists (select from pools p where p.pair = pair.pair and p.strategy = strategy.strategy)
    union all
    select 'account in ' || asset || ' of pool ' || p.pair || ' ' || p.strategy
      from pools p, unnest(array['USD', split_part(p.pair, '/', 1)]) as asset
     where not exists (select from ledger_accounts a where a.user_id = ${HOUSE} and a.code = 'pool' and a.pool = p.id and a.asset = asset.asset)`
  return rows.map(({ what }) => what)
}
