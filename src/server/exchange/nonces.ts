import type { Exchange } from 'ccxt'
import { assert } from '#core/assert.ts'
import type { Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { waitForLock } from '#server/db/session.ts'

/**
 * Numbers signed requests. Kraken refuses a nonce that is not greater than all before from the same
 * key, and concurrent requests may arrive in any order. So the next nonce is given out only after
 * `send` has finished.
 */
export type Nonces = <Result>(send: (nonce: number) => Promise<Result>) => Promise<Result>

/** Arbitrary, but the same in all processes on one database. */
const NONCE_LOCK = 2_718_281_828n

/** Longer than any request takes. */
const TURN_PATIENCE_MS = 20_000

type Source = { sql: Sql; now: () => Date }

/**
 * Nonces for all processes on one database: the time in milliseconds, or one more than the last.
 * Each request costs a connection and a write. An exchange allows about one request a second.
 * Reserving a range of nonces per process would not work: once a higher range is used, the exchange
 * refuses the lower one.
 */
export function storedNonces({ sql, now }: Source): Nonces {
  return inTurn(async (send) => {
    const lock = await waitForLock(sql, { key: NONCE_LOCK, patienceMs: TURN_PATIENCE_MS })
    try {
      return await send(await nextNonce(sql, now()))
    } finally {
      await lock.release()
    }
  })
}

/** Nonces that rise within this process only. */
export function clockNonces(now: () => Date): Nonces {
  let last = 0
  return inTurn((send) => {
    last = Math.max(last + 1, now().getTime())
    return send(last)
  })
}

/** Whether the table of nonces exists; not yet in an empty database. */
export async function keepsNonces(sql: Queries): Promise<boolean> {
  const [row] = await sql<
    { keeps: boolean }[]
  >`select to_regclass('public.exchange_nonce') is not null as keeps`
  return row?.keeps === true
}

async function nextNonce(sql: Queries, now: Date): Promise<number> {
  const [row] = await sql<{ last: bigint }[]>`
    insert into exchange_nonce (last) values (${BigInt(now.getTime())})
    on conflict on constraint exchange_nonce_pkey do update
   set last = greatest(exchange_nonce.last + 1, excluded.last)
    returning last`
  assert(row, 'a nonce was stored')
  return Number(row.last)
}

function inTurn(nonces: Nonces): Nonces {
  let last: Promise<unknown> = Promise.resolve()
  return (send) => {
    const mine = last.then(() => nonces(send))
    last = mine.catch(() => undefined)
    return mine
  }
}

/** Replaces the client's own nonces, the current millisecond. */
export function signUnder(exchange: Exchange, nonces: Nonces): void {
  const request = exchange.request.bind(exchange)
  exchange.request = async (path, access, ...rest) => {
    if (access !== 'private') return request(path, access, ...rest)
    // Before the lock, so that other processes do not wait too.
    await exchange.throttle(0)
    return nonces((nonce) => {
      exchange.nonce = () => nonce
      return request(path, access, ...rest)
    })
  }
}
