import type { TestUser, World } from '../world/world.ts'

/** A user with $900 in cash, a bank account, and $100 in a bot named Steady. */
export async function createInvestor(world: World, username: string): Promise<TestUser> {
  const user = await world.user(username)
  await user.deposit('1000')
  await user.addBankAccount()
  await user.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '100',
    },
  })
  return user
}
