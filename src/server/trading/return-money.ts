import type { Movement } from '#core/ledger/transfer.ts'
import { investedPart, returnedOf, type Returned } from '#core/bots/take-out.ts'
import { botReturned } from '#core/ledger/movements.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { closingFee } from '#core/trading/fee.ts'
import { sentence } from '#core/sentences.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/book.ts'
import { newRows, rows } from '#server/db/rows.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { publishTrading } from '#server/events/bus.ts'
import { postAll } from '#server/ledger/post.ts'
import { notify } from '#server/notices/notify.ts'
import { writeTransactions } from '#server/transactions/write.ts'
import { isAnyDue } from './store.ts'
import { NAMED } from './lots.ts'
import { asLeader } from '#server/market/clock.ts'

/** Bots per database transaction. */
const BATCH = 1_000

/** Sorts before every bot's id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Returns the money of bots that have left their pools, and of parts that were taken out, less the
 * platform's fee on their profit. Stops at `untilMs`, real time, so that many closing bots never
 * stop the market for the others: the next call continues.
 */
export async function returnMoney(
  context: Context,
  { epoch, untilMs }: { epoch: bigint; untilMs: number },
): Promise<void> {
  let after = FIRST
  for (;;) {
    const bots = await asLeader(context, epoch, (tx) => returnBatch(context, tx, after))
    const last = bots.at(-1)
    if (!last || bots.length < BATCH || context.now().getTime() > untilMs) return
    after = last.id
  }
}

/**
 * `left`: the amount that has left the bot's pools; `restPool`: a pool that some of it came from;
 * `takingBps`: the part taken out, null at closing. `lastChange`: the last change of a pool that
 * the money came from.
 */
type Returning = {
  userId: string
  id: string
  name: string
  invested: Units
  feeBps: number
  takingBps: number | null
  isTakenByPlan: boolean
  left: Units
  restPool: number | null
  lastChange: string | null
}

/**
 * Returns the money of a batch of bots after `after`, in the order of their ids. Changes the bots
 * first, then the users' cash: an owner who changes a bot locks both in this order.
 */
async function returnBatch(context: Context, tx: Transaction, after: string): Promise<Return[]> {
  const bots = (await findReturning(tx.sql, after)).map((bot) => returnOf(context, bot))
  if (bots.length === 0) return []
  await emptyBots(tx.sql, bots)
  const paid = bots.filter(({ out }) => out > 0n)
  if (paid.length > 0) {
    await postAll(
      tx,
      paid.map(({ userId, transferId, movement, dedupKey }) => ({
        id: transferId,
        dedupKey,
        movement,
        userId,
        eventTime: context.market.now(),
      })),
    )
    await writeTransactions(
      tx.sql,
      paid.map(
        ({
          historyId,
          userId,
          id,
          out,
          part,
          fee,
          name,
          takingBps,
          isTakenByPlan,
          transferId,
        }) => ({
          id: historyId,
          userId,
          type: 'transfer',
          amount: out - fee,
          status: 'completed',
          transferId,
          botId: id,
          ...(takingBps === null
            ? { description: sentence('returned', { name }) }
            : {
                description: sentence(isTakenByPlan ? 'takenOutByPlan' : 'takenOut', {
                  name,
                }),
                metadata: { investedPart: String(part) },
              }),
        }),
      ),
    )
  }
  await insertFees(
    tx.sql,
    bots.filter(({ profit }) => profit > 0n),
  )
  await followGuards(tx.sql, bots, context.market.now())
  await notify(
    tx.sql,
    ...bots
      .filter(({ takingBps }) => takingBps === null)
      .map(({ userId, id, name, out, fee }) => ({
        userId,
        kind: 'bot-stopped' as const,
        event: `bot:${id}:stopped`,
        details: { bot: name, amount: unitsToDecimal(out - fee, 2), botId: id },
      })),
  )
  await publishTrading(tx.sql, bots.length > NAMED ? undefined : bots.map(({ userId }) => userId), {
    returns: true,
  })
  return bots
}

type Return = Returning &
  Returned & {
    part: Units
    profit: Units
    fee: Units
    transferId: string
    historyId: string
    feeId: string
    dedupKey: string
    movement: Movement
  }

/**
 * With a part that is taken out, the same part of the investment leaves. No row is written of one
 * that is worth less than a cent.
 */
function returnOf({ newId }: Context, bot: Returning): Return {
  const { userId, id, invested, takingBps, left, feeBps } = bot
  const returned = returnedOf({ left, isClosed: takingBps === null })
  const { out, dust } = returned
  const part = takingBps === null ? invested : investedPart({ invested, takingBps, out })
  const { profit, fee } = closingFee({ invested: part, out, feeBps })
  const transferId = newId()
  const dedupKey = takingBps === null ? `bot:${id}:return` : `bot:${id}:take-out:${transferId}`
  return {
    ...bot,
    ...returned,
    part,
    profit,
    fee,
    transferId,
    historyId: newId(),
    feeId: newId(),
    dedupKey,
    movement: botReturned({ userId, amount: out, dust, fee }),
  }
}

/**
 * Bots that have left all their pools, and bots whose part to be taken out has left. The first
 * condition repeats that of the index, so that rows come in its order and the scan ends with the
 * batch.
 */
async function findReturning(tx: Queries, after: string): Promise<Returning[]> {
  const isDue = part`(engine_status = 'closing' or engine_taking_bps is not null) and id > ${after}`
  if (!(await isAnyDue(tx, isDue))) return []
  return tx<Returning[]>`
    select b.user_id, b.id, b.name, b.invested, b.fee_bps, case when b.engine_status = 'closing'
           then null else b.engine_taking_bps end as taking_bps, b.is_taken_by_plan,
           case when b.engine_status = 'closing' then s.cash + s.taken else s.taken end as
           left, s.rest_pool, last.id as last_change
      from trading_bots b
      join lateral (
        select sum(cash)::bigint as cash, sum(taken)::bigint as taken,
               bool_and(status = 'out') as is_out, bool_or(status = 'leaving') as is_leaving,
               min(pool) filter (where taken > 0) as rest_pool
          from sleeves s where s.user_id = b.user_id and s.bot_id = b.id) s on true
      left join lateral (
        select c.id from sleeve_stays e join pool_changes c on c.pool = e.pool
           and c.number = e.left_with
         where e.user_id = b.user_id and e.bot_id = b.id and c.quantity > 0 and c.side = 'sell'
         order by c.id desc limit 1) last on true
     where (b.engine_status = 'closing' or b.engine_taking_bps is not null) and b.id > ${after}
       and case when b.engine_status = 'closing' then b.is_synced and s.is_out
           else b.engine_status = 'active' and not s.is_leaving end
     order by b.id limit ${BATCH}`
}

async function insertFees(tx: Queries, bots: readonly Return[]): Promise<void> {
  if (bots.length === 0) return
  await tx`
    insert into platform_fees ${newRows(bots, {
      user_id: 'uuid',
      bot_id: ['uuid', ({ id }) => id],
      id: ['uuid', ({ feeId }) => feeId],
      user_profit: ['bigint', ({ profit }) => profit],
      fee_amount: ['bigint', ({ fee }) => fee],
      fee_bps: 'integer',
      trade: ['uuid', ({ lastChange }) => lastChange],
    })}`
}

/**
 * Closes bots, which then own nothing; bots with a part taken out continue with the rest of their
 * investment.
 */
async function emptyBots(tx: Queries, bots: readonly Return[]): Promise<void> {
  const closed = listed(bots.filter(({ takingBps }) => takingBps === null))
  const kept = listed(bots.filter(({ takingBps }) => takingBps !== null))
  const done = part`
    taking_bps = null, is_taken_by_plan = false, engine_taking_bps = null, updated_at = now()`
  if (closed) {
    await tx`update trading_bots b set status = 'closed', engine_status = 'closed',
      closed_at = now(), ${done} from ${closed} where b.user_id = given.user_id and b.id = given.id`
    await tx`update sleeves s set taken = 0, cash = 0 from ${closed} where s.user_id = given.user_id
      and s.bot_id = given.id`
  }
  if (kept) {
    await tx`update trading_bots b set invested = b.invested - given.part, ${done} from ${kept}
      where b.user_id = given.user_id and b.id = given.id`
    await tx`
      update sleeves s
         set taken = 0,
             cash = s.cash + case when s.pool = given.rest_pool then given.rest else 0 end
        from ${kept} where s.user_id = given.user_id and s.bot_id = given.id`
  }
}

/** Bots as a table of a statement; undefined for none. */
function listed(bots: readonly Return[]): Fragment | undefined {
  return bots.length === 0
    ? undefined
    : rows(bots, {
        user_id: 'uuid',
        id: 'uuid',
        part: 'bigint',
        taking_bps: 'integer',
        rest: 'bigint',
        rest_pool: 'smallint',
      })
}

/**
 * A closed bot has no guards; the marks of one with a part taken out fall by that part, because it
 * is neither a gain nor a loss.
 */
async function followGuards(tx: Queries, bots: readonly Return[], at: Date): Promise<void> {
  const closed = listed(bots.filter(({ takingBps }) => takingBps === null))
  const kept = listed(bots.filter(({ takingBps }) => takingBps !== null))
  if (closed) {
    await tx`update bot_stops o set ended_at = greatest(o.at, ${at}) from ${closed}
      where o.user_id = given.user_id and o.bot_id = given.id and o.ended_at is null`
    await tx`delete from bot_guards g using ${closed} where g.user_id = given.user_id
      and g.bot_id = given.id`
  }
  if (kept) {
    const fallen = (column: Fragment) =>
      part`${column} - div(${column}::numeric * given.taking_bps, 10000)::bigint`
    await tx`
      update bot_guards g set start = ${fallen(part`g.start`)}, best = ${fallen(part`g.best`)},
             day_start = ${fallen(part`g.day_start`)}, revision = g.revision + 1
        from ${kept} where g.user_id = given.user_id and g.bot_id = given.id`
  }
}
