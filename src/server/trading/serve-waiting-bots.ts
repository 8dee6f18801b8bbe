import { botReturned } from '#core/ledger/movements.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import type { Context } from '#server/context.ts'
import { publishMoney } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { writeTransaction } from '#server/transactions/write.ts'
import type { Market } from './engine-market.ts'
import type { Want } from './plan-blocks.ts'
import { runPlans } from './run-plans.ts'
import type { BlockKind } from './store.ts'
import { underLead } from './under-lead.ts'
import { emptyClosingBot, findWaitingBots, markFollowing } from './waiting-bots.ts'

const EXIT_REASON = 'You closed this bot: everything is sold at the market and the money returns to your balance.'

type Serving = {
  market: Market
  epoch: bigint
  /** Pairs to look at again at the next hour: a new bot whose pair has a hole follows from there. */
  due: Set<Pair>
  /** Real time after which no more money is returned in this call. */
  forMs: number
}

/** Lets new bots enter at the strategy's present exposure and closing bots out, both at the present price. */
export async function serveWaitingBots(context: Context, { market, epoch, due, forMs }: Serving): Promise<void> {
  const untilMs = context.now().getTime() + forMs
  const waiting = await findWaitingBots(context.sql)
  const entering = waiting.filter(({ status }) => status === 'entering')
  const closing = waiting.filter(({ status }) => status === 'closing')
  const exits: Want[] = RISK_LEVELS.map((riskLevel) => ({ riskLevel, exposureBps: 0, reason: EXIT_REASON }))
  await runKind(context, { kind: 'exit', pairs: pairsOf(closing), wantsOf: () => exits, market, epoch })
  const left = await runKind(context, { kind: 'entry', pairs: pairsOf(entering), wantsOf: (pair) => market.wants(pair), market, epoch })
  for (const pair of pairsOf(entering)) if (left.has(pair) || market.price(pair) === undefined) due.add(pair)
  if (entering.length > 0) await markFollowing(context.sql, entering.map(({ id }) => id))
  for (const bot of closing) {
    if (context.now().getTime() > untilMs) return
    await returnMoney(context, { ...bot, epoch })
  }
}

function pairsOf(bots: readonly { tradingPairs: readonly Pair[] }[]): Pair[] {
  const wanted = new Set(bots.flatMap(({ tradingPairs }) => tradingPairs))
  return PAIRS.filter((pair) => wanted.has(pair))
}

type Run = { kind: BlockKind; pairs: readonly Pair[]; wantsOf: (pair: Pair) => readonly Want[]; market: Market; epoch: bigint }

async function runKind(context: Context, { kind, pairs, wantsOf, market, epoch }: Run): Promise<Set<Pair>> {
  const plans = pairs.flatMap((pair) => {
    const price = market.price(pair)
    return price === undefined ? [] : [{ pair, wants: wantsOf(pair), price }]
  })
  return runPlans(context, { kind, plans, marketTime: market.now(), epoch })
}

async function returnMoney(context: Context, { userId, id, epoch }: { userId: string; id: string; epoch: bigint }): Promise<void> {
  await underLead(context, epoch, async (tx) => {
    const emptied = await emptyClosingBot(tx, { userId, id })
    if (!emptied) return
    if (emptied.cash > 0n) {
      const transferId = context.newId()
      const movement = botReturned({ userId, amount: emptied.cash })
      await post(tx, { id: transferId, dedupKey: `bot:${id}:return`, movement, userId, eventTime: context.market.now() })
      await writeTransaction(tx, {
        id: context.newId(),
        userId,
        type: 'transfer',
        amount: emptied.cash,
        status: 'completed',
        description: `Returned from bot ${emptied.name}`,
        transferId,
        botId: id,
      })
    }
    await publishMoney(tx, userId, ['bots'])
  })
}
