import { investedPart, returnedOf, type Returned } from '#core/bots/take-out.ts'
import { botReturned } from '#core/ledger/movements.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { sentence } from '#core/sentences.ts'
import { closingFee, type ClosingFee } from '#core/trading/fee.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/book.ts'
import { newRows, rows } from '#server/db/rows.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { publishTrading } from '#server/events/bus.ts'
import { postAll } from '#server/ledger/post.ts'
import { asLeader } from '#server/market/clock.ts'
import { notify } from '#server/notices/notify.ts'
import { writeTransactions } from '#server/transactions/write.ts'
import { NAMED } from './lots.ts'
import { isAnyDue } from './store.ts'

/** Bots per database transaction. */
const BATCH = 1_000

/** Sorts before every bot's id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Returns the money of closing bots and of parts taken out, less the fee on their profit. Stops at
 * `untilMs`, real time, so that many closing bots never stop the market; the next call continues.
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

/** Locks the bots before the users' cash, as an owner's change does. */
async function returnBatch(context: Context, tx: Transaction, after: string): Promise<Return[]> {
  const bots = (await findReturning(tx.sql, after)).map((bot) => returnOf(context, bot))
  if (bots.length === 0) return []
  const closed = bots.filter(({ takingBps }) => takingBps === null)
  await closeBots(tx.sql, closed, context.market.now())
  await shrinkBots(
    tx.sql,
    bots.filter(({ takingBps }) => takingBps !== null),
  )
  await payOut(
    context,
    tx,
    bots.filter(({ out }) => out > 0n),
  )
  await insertFees(
    context,
    tx.sql,
    bots.filter(({ profit }) => profit > 0n),
  )
  await notify(tx.sql, ...closed.map(stopNotice))
  const userIds = bots.length > NAMED ? undefined : bots.map(({ userId }) => userId)
  await publishTrading(tx.sql, userIds, { returns: true })
  return bots
}

/**
 * `left`: money and coins out of the bot's pools; `restPool`: one of these pools; `takingBps`: the
 * share taken out, null at closing; `lastChange`: the last change of a pool that the money came
 * from.
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

const IS_DUE = part`(engine_status = 'closing' or engine_taking_bps is not null)`

/**
 * Bots that left all their pools, or whose part to be taken out has left. The first condition is
 * the index's, so that the scan ends with the batch.
 */
async function findReturning(tx: Queries, after: string): Promise<Returning[]> {
  if (!(await isAnyDue(tx, part`${IS_DUE} and id > ${after}`))) return []
  return tx<Returning[]>`
    select b.user_id, b.id, b.name, b.invested, b.fee_bps, b.is_taken_by_plan,
           case when b.engine_status <> 'closing' then b.engine_taking_bps end as taking_bps,
           case when b.engine_status = 'closing' then s.cash + s.taken else s.taken end as left,
           s.rest_pool, last.id as last_change
      from trading_bots b
     cross join lateral (
           select sum(cash)::bigint as cash, sum(taken)::bigint as taken,
                  bool_and(status = 'out') as is_out, bool_or(status = 'leaving') as is_leaving,
                  min(pool) filter (where taken > 0) as rest_pool
             from sleeves
            where user_id = b.user_id and bot_id = b.id) s
      left join lateral (
           select c.id
             from sleeve_stays e
             join pool_changes c on c.pool = e.pool and c.number = e.left_with
            where e.user_id = b.user_id and e.bot_id = b.id and c.quantity > 0 and c.side = 'sell'
            order by c.id desc
            limit 1) last on true
     where ${IS_DUE} and b.id > ${after}
       and case when b.engine_status = 'closing' then b.is_synced and s.is_out
                else b.engine_status = 'active' and not s.is_leaving end
     order by b.id
     limit ${BATCH}`
}

/** `principal`: the part of the investment that leaves. */
type Return = Returning & Returned & ClosingFee & { principal: Units; transferId: string }

function returnOf({ newId }: Context, bot: Returning): Return {
  const { invested, takingBps, left, feeBps } = bot
  const returned = returnedOf({ left, isClosed: takingBps === null })
  const { out } = returned
  const principal = takingBps === null ? invested : investedPart({ invested, takingBps, out })
  const fee = closingFee({ invested: principal, out, feeBps })
  return { ...bot, ...returned, ...fee, principal, transferId: newId() }
}

async function closeBots(tx: Queries, bots: readonly Return[], at: Date): Promise<void> {
  if (bots.length === 0) return
  const given = rows(bots, { user_id: 'uuid', id: 'uuid' })
  await tx`
    update trading_bots b
       set status = 'closed', engine_status = 'closed', closed_at = now(), ${TAKEN}
      from ${given}
     where b.user_id = given.user_id and b.id = given.id`
  await tx`
    update sleeves s set taken = 0, cash = 0
      from ${given}
     where s.user_id = given.user_id and s.bot_id = given.id`
  await tx`
    update bot_stops o set ended_at = greatest(o.at, ${at})
      from ${given}
     where o.user_id = given.user_id and o.bot_id = given.id and o.ended_at is null`
  await tx`
    delete from bot_guards g
     using ${given}
     where g.user_id = given.user_id and g.bot_id = given.id`
}

/** The marks of guards fall by the part taken out: it is neither a gain nor a loss. */
async function shrinkBots(tx: Queries, bots: readonly Return[]): Promise<void> {
  if (bots.length === 0) return
  const given = rows(bots, {
    user_id: 'uuid',
    id: 'uuid',
    principal: 'bigint',
    taking_bps: 'integer',
    rest: 'bigint',
    rest_pool: 'smallint',
  })
  const less = (mark: Fragment) =>
    part`${mark} - div(${mark}::numeric * given.taking_bps, 10000)::bigint`
  await tx`
    update trading_bots b set invested = b.invested - given.principal, ${TAKEN}
      from ${given}
     where b.user_id = given.user_id and b.id = given.id`
  await tx`
    update sleeves s
       set taken = 0,
           cash = s.cash + case when s.pool = given.rest_pool then given.rest else 0 end
      from ${given}
     where s.user_id = given.user_id and s.bot_id = given.id`
  await tx`
    update bot_guards g
       set start = ${less(part`g.start`)}, best = ${less(part`g.best`)},
           day_start = ${less(part`g.day_start`)}, revision = g.revision + 1
      from ${given}
     where g.user_id = given.user_id and g.bot_id = given.id`
}

const TAKEN = part`
  taking_bps = null, is_taken_by_plan = false, engine_taking_bps = null, updated_at = now()`

async function payOut(
  { newId, market }: Context,
  tx: Transaction,
  bots: readonly Return[],
): Promise<void> {
  if (bots.length === 0) return
  await postAll(
    tx,
    bots.map(({ userId, id, takingBps, transferId, out, dust, fee }) => ({
      id: transferId,
      dedupKey: takingBps === null ? `bot:${id}:return` : `bot:${id}:take-out:${transferId}`,
      movement: botReturned({ userId, amount: out, dust, fee }),
      userId,
      eventTime: market.now(),
    })),
  )
  await writeTransactions(
    tx.sql,
    bots.map((bot) => ({
      id: newId(),
      userId: bot.userId,
      type: 'transfer',
      amount: bot.out - bot.fee,
      status: 'completed',
      transferId: bot.transferId,
      botId: bot.id,
      ...wordsOf(bot),
    })),
  )
}

function wordsOf({ name, takingBps, isTakenByPlan, principal }: Return) {
  if (takingBps === null) return { description: sentence('returned', { name }) }
  return {
    description: sentence(isTakenByPlan ? 'takenOutByPlan' : 'takenOut', { name }),
    metadata: { investedPart: String(principal) },
  }
}

async function insertFees({ newId }: Context, tx: Queries, bots: readonly Return[]): Promise<void> {
  if (bots.length === 0) return
  await tx`
    insert into platform_fees ${newRows(bots, {
      user_id: 'uuid',
      bot_id: ['uuid', ({ id }) => id],
      id: ['uuid', () => newId()],
      user_profit: ['bigint', ({ profit }) => profit],
      fee_amount: ['bigint', ({ fee }) => fee],
      fee_bps: 'integer',
      trade: ['uuid', ({ lastChange }) => lastChange],
    })}`
}

const stopNotice = ({ userId, id, name, out, fee }: Return) => ({
  userId,
  kind: 'bot-stopped' as const,
  event: `bot:${id}:stopped`,
  details: { bot: name, amount: unitsToDecimal(out - fee, 2), botId: id },
})
