import type { TransactionReceipt } from '#contract/transactions.ts'
import { required } from '#core/assert.ts'
import { baseOf } from '#core/market/pair.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { isCancelable } from '#core/withdrawals/withdrawal.ts'
import { msg, say } from '#words/words.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { readTrades, tradeId, type BotsTrade } from '#server/holdings/derived-trades.ts'
import { isId } from '#server/kernel/ids.ts'
import { pictureOf } from './trade-picture.ts'
import { showTransaction, tradeRow, showFigures } from './show-history.ts'
import { findBotNames, findEarlierFractions, findLines, findTransaction } from './store.ts'

/** Shown instead of a ledger account, because nothing was booked for this bot alone. */
const COMPUTED = msg("Your share of the pool's trade")

/** A row with its ledger lines or, for a trade, its computation. */
export const getTransaction: Handler<'getTransaction'> = async (
  context,
  { userId, params: { id } },
) => {
  const { sql } = context
  const [first = '', botId] = id.split('.')
  if (botId !== undefined)
    return tradeReceipt(context, { userId, id, isKnown: isId(first) && isId(botId), botId })
  const row = isId(id) ? await findTransaction(sql, { userId, id }) : undefined
  if (!row) throw new Refusal('not-found')
  const lines = await findLines(sql, { ...row, userId })
  const fractions = await findEarlierFractions(sql, { userId, rows: [row] })
  return {
    transaction: showTransaction(row, fractions.get(row.id)),
    reference: row.id,
    lines: lines.map(({ account, asset, amount, recordedAt }) => ({
      account,
      asset,
      amount: unitsToDecimal(amount, 8),
      at: recordedAt.toISOString(),
    })),
    paymentIntentId: row.paymentIntentId,
    withdrawal:
      row.withdrawalId && row.withdrawalState
        ? {
            id: row.withdrawalId,
            cancelable: isCancelable({ state: row.withdrawalState, waitsFor: row.waitsFor }),
          }
        : null,
    waitingPairs: row.waitingPairs ?? [],
    trade: null,
    part: null,
    picture: null,
  }
}

type TradeReference = { userId: string; id: string; isKnown: boolean; botId: string }

async function tradeReceipt(
  context: Context,
  { userId, id, isKnown, botId }: TradeReference,
): Promise<TransactionReceipt> {
  const { sql } = context
  const trades = isKnown ? await readTrades(sql, { userId, botId }) : []
  const trade = trades.find((made) => tradeId(made) === id)
  if (!trade) throw new Refusal('not-found')
  const names = await findBotNames(sql, { userId, ids: [botId] })
  const row = tradeRow(trade, required(names.get(botId), 'a trade belongs to a bot'))
  const at = row.createdAt.toISOString()
  const { side, share, change } = trade
  return {
    transaction: showTransaction(row),
    reference: id,
    lines: [
      {
        account: say(COMPUTED),
        asset: 'USD',
        amount: unitsToDecimal(side === 'buy' ? -share.total : share.total, 8),
        at,
      },
      {
        account: say(COMPUTED),
        asset: baseOf(change.pair),
        amount: unitsToDecimal(side === 'buy' ? share.quantity : -share.quantity, 8),
        at,
      },
    ],
    paymentIntentId: null,
    withdrawal: null,
    waitingPairs: [],
    trade: showFigures(trade),
    part: partOf(trade),
    picture: pictureOf(context, { trade, trades }),
  }
}

function partOf({ change, mine }: BotsTrade): TransactionReceipt['part'] {
  const { number, weight, quantity, total, fee } = change
  return {
    change: number.toString(),
    weight: mine.toString(),
    whole: weight.toString(),
    quantity: unitsToDecimal(quantity, 8),
    total: unitsToDecimal(total, 8),
    fee: unitsToDecimal(fee, 8),
  }
}
