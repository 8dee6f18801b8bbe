import { required } from '#core/assert.ts'
import { HOUSE, type AccountRef } from '#core/ledger/account.ts'
import type { Movement } from '#core/ledger/transfer.ts'
import type { BotStatus } from '#core/bots/bot.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { EMPTY_POOL, type Pool } from '#core/pool/pool.ts'
import type { SleeveStatus } from '#core/pool/sleeve-steps.ts'
import { STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { WithdrawalState } from '#core/withdrawals/withdrawal.ts'

/**
 * The whole product in memory, by core's rules alone: owners, pools and sleeves with their
 * holdings.
 */
export type Model = {
  /** Balances by account: see `accountKey`. */
  ledger: Map<string, Units>
  intents: Map<string, Intent>
  withdrawals: Map<string, Withdrawal>
  bots: Map<string, Bot>
  /** By number, as in the product: the pairs in its order, and the risk levels of each. */
  pools: Map<number, ModelPool>
  /** Blocks that are planned but not settled. */
  blocks: Map<string, PlannedBlock>
  costs: TradingCosts
  /** The last completed hour, market time. */
  settledMs: number
  /** The operator has halted orders. */
  isHalted: boolean
  figures: Figures
}

export type Figures = {
  changes: Record<string, number>
  lots: number
  members: number
  blocks: number
  fees: Units
  largestRounding: Units
}

export type Intent = {
  id: string
  userId: string
  amount: Units
  received: Units | null
  refunded: Units
  disputed: Units
}
export type Withdrawal = { id: string; userId: string; amount: Units; state: WithdrawalState }

export type Bot = {
  id: string
  userId: string
  strategy: StrategyKey
  pairs: readonly Pair[]
  invested: Units
  pending: Units
  status: BotStatus
  takingBps: number | null
  engineStatus: BotStatus | null
  engineTakingBps: number | null
  /** The number of pairs before a change of its settings, until it is finished. */
  changing: number | null
  engineChanging: number | null
  sleeves: Sleeve[]
}

export type Sleeve = {
  bot: Bot
  pool: ModelPool
  status: SleeveStatus
  cash: Units
  base: Units
  units: bigint
  leaving: bigint
  taken: Units
  joined: bigint
  offered: Units
  paid: Units
  paidBase: Units
}

export type ModelPool = {
  id: number
  strategy: StrategyKey
  pair: Pair
  holds: Pool
  changes: bigint
  /** Sleeves of open bots. */
  sleeves: Set<Sleeve>
  /** Whether its purchase waits until its leavers have left. */
  isLater: boolean
}

/** A party of a block as the model planned it. */
export type PlannedBlock = {
  id: string
  pair: Pair
  side: 'buy' | 'sell'
  price: Units
  orderQuantity: Units
  filledBy: 'venue' | 'house'
  parties: readonly {
    pool: number
    as: 'strategy' | 'join' | 'leave' | 'own'
    orderQuantity: Units
    members: number
    weight: bigint
    exposureBps: number
  }[]
}

/** A change of a pool, as its journal must have it. */
export type ModelChange = {
  pool: number
  number: bigint
  kind: 'trade' | 'join' | 'leave' | 'pause' | 'own' | 'yield'
  blockId: string | null
  quantity: Units
  total: Units
  fee: Units
  weight: bigint
  members: number
  after: Pool
}

export function openModel({ costs, beginMs }: { costs: TradingCosts; beginMs: number }): Model {
  const pools = PAIRS.flatMap((pair, rank) =>
    STRATEGY_KEYS.map((strategy, place): ModelPool => ({
      id: STRATEGY_KEYS.length * rank + place + 1,
      strategy,
      pair,
      holds: EMPTY_POOL,
      changes: 0n,
      sleeves: new Set(),
      isLater: false,
    })),
  )
  return {
    ledger: new Map(),
    intents: new Map(),
    withdrawals: new Map(),
    bots: new Map(),
    pools: new Map(pools.map((pool) => [pool.id, pool])),
    blocks: new Map(),
    costs,
    settledMs: beginMs,
    isHalted: false,
    figures: { changes: {}, lots: 0, members: 0, blocks: 0, fees: 0n, largestRounding: 0n },
  }
}

export function accountKey(account: AccountRef): string {
  const owner = 'owner' in account ? account.owner : HOUSE
  return `${owner} ${account.code} ${account.asset} ${'pool' in account ? account.pool : ''}`
}

/**
 * Books a movement. Blocks filled by the house are not counted as rounding, although `rounding`
 * pays for them.
 */
export function book(
  { ledger, figures }: Model,
  { entries }: Movement,
  by: 'venue' | 'house' = 'venue',
): void {
  for (const { account, amount } of entries) {
    const key = accountKey(account)
    ledger.set(key, (ledger.get(key) ?? 0n) + amount)
    const size = amount < 0n ? -amount : amount
    if (
      by === 'venue' &&
      account.code === 'rounding' &&
      account.asset === 'USD' &&
      size > figures.largestRounding
    )
      figures.largestRounding = size
  }
}

type Owned = 'customer:cash' | 'customer:hold' | 'customer:receivable'

export function balanceOf({ ledger }: Model, userId: string, code: Owned): Units {
  return ledger.get(accountKey({ code, asset: 'USD', owner: userId })) ?? 0n
}

export function poolOf({ pools }: Model, id: number): ModelPool {
  return required(pools.get(id), `pool ${id}`)
}

export function poolFor(
  { pools }: Model,
  { pair, strategy }: { pair: Pair; strategy: StrategyKey },
): ModelPool {
  return poolOf(
    { pools } as Model,
    STRATEGY_KEYS.length * PAIRS.indexOf(pair) + STRATEGY_KEYS.indexOf(strategy) + 1,
  )
}

export const isSynced = ({
  status,
  takingBps,
  changing,
  engineStatus,
  engineTakingBps,
  engineChanging,
  pending,
}: Bot): boolean =>
  status === engineStatus &&
  takingBps === engineTakingBps &&
  changing === engineChanging &&
  pending === 0n

/** Whether the bot's settings want this sleeve. */
export const isWanted = ({ bot, pool }: Sleeve): boolean =>
  pool.strategy === bot.strategy && bot.pairs.includes(pool.pair)

/** The sleeves that the bot's settings want, in the order of its pairs. */
export function wantedSleeves({ sleeves, pairs }: Bot): Sleeve[] {
  return sleeves
    .filter(isWanted)
    .toSorted((a, b) => pairs.indexOf(a.pool.pair) - pairs.indexOf(b.pool.pair))
}

/** Sleeves of a pool for which `belongs` holds. */
export function membersOf({ sleeves }: ModelPool, belongs: (sleeve: Sleeve) => boolean): Sleeve[] {
  return [...sleeves].filter(belongs)
}

export const sum = (parts: readonly bigint[]): bigint =>
  parts.reduce((total, part) => total + part, 0n)
