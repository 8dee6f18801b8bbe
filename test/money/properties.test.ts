import { expect, test } from 'vitest'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { floorToCents } from '#core/money/cents.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { lengthOf } from '../world/length.ts'
import { randomFrom, SEED } from '../world/random.ts'
import { ACTIONS, OPERATIONS, takeStep, type Walk, type Walker } from './random-operations.ts'
import { createWorld, feedOfSeed } from '../world/world.ts'
import { worthOfBots } from '../world/worth.ts'

const STEPS = lengthOf({ usual: 700, full: 10_000 })
const USERS = 24
const RECONCILED_EVERY = 100
const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT']

type Counts = Record<string, { accepted: number; refused: number }>

test(`${STEPS} operations of ${USERS} users keep the book balanced (seed ${SEED})`, async () => {
  const walk = await startWalk()
  const counts: Counts = Object.fromEntries(
    Object.keys(OPERATIONS).map((name) => [name, { accepted: 0, refused: 0 }]),
  )
  try {
    let before = await fingerprint(walk)
    for (let number = 1; number <= STEPS; number += 1) {
      const { name, walker, accepted } = await takeStep(walk)
      const after = await checkStep(walk, walker, `step ${number}: ${name}`)
      if (!accepted)
        expect(after, `step ${number}: ${name} was refused and yet moved money`).toBe(before)
      before = after
      const count = counts[name]
      if (count) count[accepted ? 'accepted' : 'refused'] += 1
      if (number % RECONCILED_EVERY === 0)
        expect(await reconcile(walk.world.context), `after step ${number}`).toEqual([])
    }
    await checkListedAmounts(walk)
    await endInCash(walk)
    await checkListedAmounts(walk)
    judgeMixture(counts)
    await judgeTransitions(walk)
  } finally {
    await walk.world.close()
  }
})

async function startWalk(): Promise<Walk> {
  const feed = { ...feedOfSeed(SEED), pairs: PAIRS }
  const world = await createWorld({ feed, config: { INTENTS_PER_HOUR: 1_000_000 } })
  const walkers: Walker[] = []
  for (let number = 0; number < USERS; number += 1) {
    const user = await world.user()
    await user.deposit('1000')
    walkers.push({
      user,
      intents: [],
      bots: [],
      accounts: [await user.addBankAccount()],
      withdrawals: [],
    })
  }
  return { world, random: randomFrom(SEED), walkers }
}

type State = {
  fingerprint: string
  unbalanced: number
  overdrawn: number
  cash: Units
  hold: Units
}

/**
 * Checks that all accounts sum to zero, nobody is overdrawn, and the API's balances match the
 * ledger.
 */
async function checkStep({ world }: Walk, { user }: Walker, occasion: string): Promise<string> {
  const [[state], invested, shown] = await Promise.all([
    world.context.sql<State[]>`
      with accounts as materialized (select * from ledger_accounts), mine as (select code, balance
           from accounts where user_id = ${user.id})
      select (select sum(hashint8extended(balance, id))::text from accounts) as fingerprint,
             (select count(*)::integer from (select from accounts group by asset
             having sum(balance) <> 0) sums) as unbalanced,
             (select count(*)::integer from accounts where balance < 0 and not may_be_negative)
             as overdrawn,
             (select balance from mine where code = 'customer:cash') as cash,
             (select balance from mine where code = 'customer:hold') as hold`,
    worthOfBots(world.context.sql, user.id),
    user.call('getUser'),
  ])
  if (!state) throw new Error('a statement without from answers one row')
  const { cash, hold, unbalanced, overdrawn } = state
  const { availableBalance, heldBalance, investedBalance, totalBalance } = shown
  const said = {
    unbalanced,
    overdrawn,
    availableBalance,
    heldBalance,
    investedBalance,
    totalBalance,
  }
  expect({ occasion, ...said }).toEqual({
    occasion,
    unbalanced: 0,
    overdrawn: 0,
    availableBalance: unitsToDecimal(cash, 2),
    heldBalance: unitsToDecimal(hold, 2),
    investedBalance: unitsToDecimal(invested, 2),
    totalBalance: unitsToDecimal(floorToCents(cash) + floorToCents(hold) + invested, 2),
  })
  return state.fingerprint
}

/**
 * Checks for every user that the amounts of the history, trades and failed rows aside, add up to
 * the available balance as it is shown.
 */
async function checkListedAmounts({ walkers }: Walk): Promise<void> {
  for (const { user } of walkers) {
    let listed = 0n
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await user.call('listTransactions', { query: cursor ? { cursor } : {} })
      for (const { type, status, amount } of page.items)
        listed += type === 'trade' || status === 'failed' ? 0n : decimalToUnits(amount)
      cursor = page.nextCursor
    }
    expect(unitsToDecimal(listed, 2), `the rows of ${user.username}`).toBe(
      (await user.call('getUser')).availableBalance,
    )
  }
}

async function fingerprint(walk: Walk): Promise<string> {
  const [first] = walk.walkers
  if (!first) throw new Error('a walk needs at least one walker')
  return checkStep(walk, first, 'the beginning')
}

/** Stops all bots: none keeps a unit, and the book still reconciles. */
async function endInCash({ world, walkers }: Walk): Promise<void> {
  for (const { user } of walkers) await user.call('stopAll')
  await world.serve()
  for (const { user } of walkers) {
    expect(await user.call('listBots')).toEqual([])
    expect((await user.call('getUser')).investedBalance).toBe('0.00')
  }
  expect(await reconcile(world.context)).toEqual([])
  const [made] = await world.context.sql<{ trades: bigint; fees: bigint }[]>`
    select (select count(*) from pool_changes) as trades, (select count(*)
           from platform_fees) as fees`
  console.info(`${made?.trades} changes of pools, ${made?.fees} platform fees`)
  expect(made?.trades).toBeGreaterThan(BigInt(STEPS / 20))
}

/**
 * Checks that enough operations are refused and that each succeeds at least once; otherwise the
 * walk proves little.
 */
function judgeMixture(counts: Counts): void {
  const all = Object.values(counts)
  const refused = all.reduce((sum, count) => sum + count.refused, 0)
  console.info(
    `seed ${SEED}: ${refused} of ${STEPS} operations were refused`,
    JSON.stringify(counts),
  )
  expect(refused / STEPS).toBeGreaterThanOrEqual(0.2)
  expect(Object.entries(counts).filter(([, count]) => count.accepted === 0)).toEqual([])
}

/** Checks that the walk took every step that a withdrawal can take. */
async function judgeTransitions({ world }: Walk): Promise<void> {
  const rows = await world.context.sql<
    { action: string }[]
  >`select distinct action from audit_events where action like 'withdrawal.%' order by action`
  const steps = ['request', 'cancel', ...ACTIONS].map((action) => `withdrawal.${action}`)
  expect(rows.map(({ action }) => action)).toEqual(steps.sort())
}
