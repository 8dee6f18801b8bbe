import { investedPart, paymentOf, returnedOf, type Payment } from '#core/bots/take-out.ts'
import { botReturned } from '#core/ledger/movements.ts'
import type { Units } from '#core/money/amount.ts'
import { CENT, ceilToCents, floorToCents } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { sentence } from '#core/sentences.ts'
import type { Wait } from '#core/trading/wait.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import { newRows, rows } from '#server/db/rows.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { publishTrading } from '#server/events/bus.ts'
import { postAll } from '#server/ledger/post.ts'
import { asLeader } from '#server/market/clock.ts'
import { isLateFor, isSelling, waitsOfSleeves } from '#server/holdings/worth.ts'
import { notify } from '#server/notices/notify.ts'
import { writeTransactions } from '#server/transactions/write.ts'
import { NAMED } from './movers.ts'
import { findBusyPools, isAnyDue, isIn } from './store.ts'

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
async function returnBatch(context: Context, tx: BookWrite, after: string): Promise<Return[]> {
  const found = await findReturning(tx.sql, { after, at: context.market.now() })
  const bots = found.map((bot) => returnOf(context, bot))
  if (bots.length === 0) return []
  const of = (isLast: boolean, isClosed: boolean) =>
    bots.filter((bot) => bot.isLast === isLast && (bot.takingBps === null) === isClosed)
  const closed = of(true, true)
  await closeBots(tx.sql, closed, context.market.now())
  await shrinkBots(tx.sql, of(true, false))
  await payParts(
    tx.sql,
    bots.filter(({ isLast }) => !isLast),
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
 * `left`: money and coins out of the bot's pools; `waiting`: the pairs that keep it from selling
 * the rest; `restPool`: one of its pools; `takingBps`: the share taken out, null at closing;
 * `takingInvested`: the investment behind what is left of that share, null before the first
 * payment; `lastChange`: the last change of a pool that the money came from.
 */
type Returning = {
  userId: string
  id: string
  name: string
  invested: Units
  feeBps: number
  takingBps: number | null
  takingInvested: Units | null
  isTakenByPlan: boolean
  left: Units
  isLast: boolean
  waiting: Wait[] | null
  restPool: number
  lastChange: string | null
}

const IS_DUE = part`(engine_status = 'closing' or engine_taking_bps is not null)`

/**
 * Bots with money to return: bots that have left all their pools, bots whose part to be taken out
 * has left, and bots whose other coins could not be sold for long. `IS_DUE` matches the index, so
 * that the scan ends with the batch. Cash that an order of unknown outcome may have spent is left
 * out.
 */
async function findReturning(
  tx: Queries,
  { after, at }: { after: string; at: Date },
): Promise<Returning[]> {
  if (!(await isAnyDue(tx, part`${IS_DUE} and id > ${after}`))) return []
  return tx<Returning[]>`
    select b.user_id, b.id, b.name, b.invested, b.fee_bps, b.is_taken_by_plan, b.taking_invested,
           case when b.engine_status <> 'closing' then b.engine_taking_bps end as taking_bps,
           s.left, not s.is_leaving as is_last, s.waiting, s.rest_pool, last.id as last_change
      from trading_bots b
     cross join lateral (${sumsOfSleeves(at, isIn((await findBusyPools(tx)).pools))}) s
      left join lateral (
           select c.id
             from sleeve_stays e
             join pool_changes c on c.pool = e.pool and c.number = e.left_with
            where e.user_id = b.user_id and e.bot_id = b.id and c.quantity > 0 and c.side = 'sell'
            order by c.id desc
            limit 1) last on true
     where ${IS_DUE} and b.id > ${after}
       and case when b.engine_status = 'closing' then b.is_synced and (s.is_out or s.is_leaving)
                else b.engine_status = 'active' and (s.is_leaving or not s.is_busy) end
       and (not s.is_leaving or (s.is_late and s.left >= ${CENT}))
     order by b.id
     limit ${BATCH}`
}

/** A fraction of a cent goes to a sleeve that no order of unknown outcome holds. */
const sumsOfSleeves = (at: Date, isBusy: Fragment) => part`
  select sum(s.taken + case when b.engine_status = 'closing' and s.behind_bps is null
                            then s.cash else 0 end)::bigint as left,
         bool_and(s.status = 'out') as is_out, bool_or(${isSelling}) as is_leaving,
         ${isLateFor(at)} as is_late, ${waitsOfSleeves} as waiting,
         (array_agg(s.pool order by ${isBusy}, s.taken = 0, s.pool))[1] as rest_pool,
         bool_and(${isBusy}) as is_busy
    from sleeves s
    join pools p on p.id = s.pool
    left join market_tickers t on t.pair = p.pair
   where s.user_id = b.user_id and s.bot_id = b.id`

type Return = Returning & Payment & { transferId: string }

function returnOf({ newId }: Context, bot: Returning): Return {
  const isClosed = bot.takingBps === null
  return {
    ...bot,
    ...paymentOf({ ...bot, invested: investedBehind(bot), isClosed }),
    transferId: newId(),
  }
}

/** The part of the investment in the money still to be paid. */
function investedBehind({ invested, takingBps, takingInvested, left }: Returning): Units {
  if (takingBps === null) return invested
  const { out } = returnedOf({ left, isClosed: false })
  return takingInvested ?? investedPart({ invested, takingBps, out })
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

/** Reduces the marks of guards by the part taken out, because that is neither a gain nor a loss. */
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
  taking_bps = null, is_taken_by_plan = false, engine_taking_bps = null, taking_invested = null,
  updated_at = now()`

/**
 * Pays what is ready to bots that cannot sell everything yet. Less than a cent waits with the rest.
 */
async function payParts(tx: Queries, bots: readonly Return[]): Promise<void> {
  if (bots.length === 0) return
  const given = rows(bots, {
    user_id: 'uuid',
    id: 'uuid',
    principal: 'bigint',
    behind: [
      'bigint',
      (bot) => (bot.takingBps === null ? null : investedBehind(bot) - bot.principal),
    ],
    rest: 'bigint',
    rest_pool: 'smallint',
    is_closing: ['boolean', ({ takingBps }) => takingBps === null],
  })
  await tx`
    update trading_bots b set invested = b.invested - given.principal,
           taking_invested = given.behind, updated_at = now()
      from ${given}
     where b.user_id = given.user_id and b.id = given.id`
  await tx`
    update sleeves s
       set taken = case when s.pool = given.rest_pool then given.rest else 0 end,
           cash = case when given.is_closing and s.behind_bps is null then 0 else s.cash end
      from ${given}
     where s.user_id = given.user_id and s.bot_id = given.id`
}

async function payOut(
  { newId, market }: Context,
  tx: BookWrite,
  bots: readonly Return[],
): Promise<void> {
  if (bots.length === 0) return
  await postAll(
    tx,
    bots.map(({ userId, id, transferId, out, dust, fee, ...bot }) => ({
      id: transferId,
      dedupKey: isEnd(bot) ? `bot:${id}:return` : `bot:${id}:take-out:${transferId}`,
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

/** Whether the bot ends with this payment. */
const isEnd = ({ takingBps, isLast }: Pick<Return, 'takingBps' | 'isLast'>): boolean =>
  takingBps === null && isLast

function wordsOf({ name, isTakenByPlan, principal, waiting, ...bot }: Return) {
  if (isEnd(bot)) return { description: sentence('returned', { name }) }
  const metadata = { investedPart: String(principal), ...(!bot.isLast && waiting && { waiting }) }
  if (bot.takingBps === null) return { description: sentence('returnedInPart', { name }), metadata }
  const whole = isTakenByPlan ? 'takenOutByPlan' : 'takenOut'
  return { description: sentence(bot.isLast ? whole : 'takenOutInPart', { name }), metadata }
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

const stopNotice = (bot: Return) => ({
  userId: bot.userId,
  kind: 'bot-stopped' as const,
  event: `bot:${bot.id}:stopped`,
  details: {
    bot: bot.name,
    amount: unitsToDecimal(bot.out - bot.fee, 2),
    botId: bot.id,
    ...lastResult(bot),
  },
})

/**
 * The result that the bot's page showed at last. Unknown if earlier payments returned the whole
 * investment, and with it a part of the profit.
 */
function lastResult({ invested, out, fee }: Return) {
  if (invested === 0n) return undefined
  return { result: unitsToDecimal(floorToCents(out - fee) - ceilToCents(invested), 2) }
}
