import { expect, test } from 'vitest'
import { decimalToUnits } from '#core/money/decimal.ts'
import { lengthOf } from '../../../test/world/length.ts'
import { randomFrom, SEED } from '../../../test/world/random.ts'
import { takeStep, type Walk, type Walker } from '../../../test/money/random-operations.ts'
import { createWorld, feedOfSeed, type TestUser } from '../../../test/world/world.ts'

const STEPS = lengthOf({ usual: 60, full: 200 })
const USERS = 3
const BOTS = 8

test(`after each of ${STEPS} operations, Home adds up to the cent (seed ${SEED})`, async () => {
  const world = await createWorld({
    feed: feedOfSeed(SEED),
    config: { INTENTS_PER_HOUR: 1_000_000 },
  })
  const walkers: Walker[] = []
  for (let number = 0; number < USERS; number += 1) {
    const user = await world.user()
    await user.deposit('1000')
    walkers.push({
      user,
      intents: [],
      bots: await createBots(user),
      accounts: [await user.addBankAccount()],
      withdrawals: [],
    })
  }
  await world.hours(24 * 10)
  const walk: Walk = { world, random: randomFrom(SEED), walkers }
  let most = 0
  for (let number = 1; number <= STEPS; number += 1) {
    const { name } = await takeStep(walk)
    for (const { user } of walkers)
      most = Math.max(most, await checkSums(user, `step ${number}: ${name}`))
  }
  expect(most, 'bots in the longest list').toBeGreaterThanOrEqual(BOTS)
  await world.close()
})

async function createBots(user: TestUser): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < BOTS; number += 1) {
    const body = {
      name: `Bot ${number}`,
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'],
      investmentAmount: `${50 + number}.67`,
    }
    ids.push((await user.call('createBot', { body })).id)
  }
  return ids
}

/** The number of bots listed. */
async function checkSums(user: TestUser, occasion: string): Promise<number> {
  const { bots, availableBalance, heldBalance, investedBalance, totalBalance } =
    await user.call('getPortfolio')
  const worth = sum(bots.map(({ equity }) => equity))
  expect({ occasion, worth }).toEqual({ occasion, worth: decimalToUnits(investedBalance) })
  expect({ occasion, total: worth + sum([availableBalance, heldBalance]) }).toEqual({
    occasion,
    total: decimalToUnits(totalBalance),
  })
  const { totalBalance: total, investedBalance: inBots } = await user.call('getUser')
  expect({ occasion, total, inBots }).toEqual({
    occasion,
    total: totalBalance,
    inBots: investedBalance,
  })
  for (const { equity, investmentAmount, totalProfit } of bots) {
    expect({ occasion, equity: decimalToUnits(equity) }).toEqual({
      occasion,
      equity: sum([investmentAmount, totalProfit]),
    })
  }
  return bots.length
}

const sum = (amounts: readonly string[]): bigint =>
  amounts.reduce((total, amount) => total + decimalToUnits(amount), 0n)
