import { required } from '#core/assert.ts'
import { checkCount } from '#core/count-limits.ts'
import { checkBotName, checkInvestment, checkPairs, checkStrategy } from '#core/bots/bot.ts'
import { checkPlan } from '#core/bots/savings-plan.ts'
import type { Guards } from '#core/guards/guard.ts'
import { checkGuards } from '#core/guards/guard-settings.ts'
import { botFunded } from '#core/ledger/movements.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { strategyKey, feeBpsOf, type StrategyChoice } from '#core/strategy/strategy-key.ts'
import { splitInvestment } from '#core/trading/position.ts'
import { sentence } from '#core/sentences.ts'
import type { Handler } from '#server/action.ts'
import { chargeKey } from '#server/auth/use-program-key.ts'
import type { Context } from '#server/context.ts'
import { idempotent } from '#server/db/idempotent.ts'
import type { BookWrite } from '#server/db/book.ts'
import { publishMoney, wakeEngine } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { lockCash } from '#server/ledger/read.ts'
import { writeTransaction } from '#server/transactions/write.ts'
import { insertBot } from './change-bots.ts'
import { setGuards } from './guards.ts'
import { showBot } from './show-bot.ts'
import { startPlan } from './set-plan.ts'
import { countBots, readBot } from './store.ts'

export const createBot: Handler<'createBot'> = async (
  context,
  { userId, body, idempotencyKey, key },
) => {
  const name = checkBotName(body.name)
  const choice = checkStrategy(body)
  const pairs = checkPairs(body.tradingPairs, context.feed.pairs)
  const invested = decimalToUnits(body.investmentAmount)
  const guards = checkGuards(body.guards)
  const plan = body.plan && {
    every: body.plan.every,
    amount: decimalToUnits(body.plan.amount),
    line: body.plan.takeAbove === undefined ? null : decimalToUnits(body.plan.takeAbove),
  }
  if (plan) checkPlan({ status: 'active', ...plan })
  return context.atomically((tx) =>
    idempotent(tx.sql, { userId, key: idempotencyKey, action: 'create-bot', body }, async () => {
      checkInvestment({ amount: invested, available: await lockCash(tx.sql, userId) })
      checkCount('too-many-bots', await countBots(tx.sql, userId))
      const id = await fund(context, tx, { userId, name, choice, pairs, invested, guards })
      if (key) await chargeKey(tx.sql, key, { botId: id, amount: invested })
      if (plan) await startPlan(context, tx.sql, { userId, botId: id, ...plan, starts: 'next' })
      return showBot(await readBot(tx.sql, { userId, id }))
    }),
  )
}

type Investment = {
  userId: string
  name: string
  choice: StrategyChoice
  pairs: Pair[]
  invested: Units
  guards: Guards | undefined
}

/** Moves the investment out of the user's cash and creates the bot. Returns its id. */
async function fund(
  context: Context,
  tx: BookWrite,
  { userId, name, choice, pairs, invested, guards }: Investment,
): Promise<string> {
  const id = context.newId()
  const transferId = context.newId()
  const marketStart = context.market.now()
  const movement = botFunded({ userId, amount: invested })
  await post(tx, {
    id: transferId,
    dedupKey: `bot:${id}:fund`,
    movement,
    userId,
    eventTime: marketStart,
  })
  const feeBps = feeBpsOf(choice.strategy, { holdFeeBps: context.config.HOLD_FEE_BPS })
  const cash = splitInvestment({ invested, count: pairs.length })
  const sleeves = pairs.map((pair, index) => ({
    pair,
    cash: required(cash[index], 'a sleeve for each pair'),
  }))
  await insertBot(tx.sql, {
    id,
    userId,
    name,
    riskLevel: choice.riskLevel,
    strategy: strategyKey(choice),
    feeBps,
    tradingPairs: pairs,
    invested,
    marketStart,
    sleeves,
  })
  if (guards)
    await setGuards(tx.sql, {
      userId,
      id,
      guards,
      status: 'new',
      worth: invested,
      at: marketStart,
      invested,
    })
  await writeTransaction(tx.sql, {
    id: context.newId(),
    userId,
    type: 'transfer',
    status: 'completed',
    transferId,
    botId: id,
    amount: -invested,
    description: sentence('invested', { name }),
  })
  await publishMoney(tx.sql, userId, ['bots'])
  await wakeEngine(tx.sql)
  return id
}
