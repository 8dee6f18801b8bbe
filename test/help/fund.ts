import type { TestUser, World } from '../world/world.ts'

type Amounts = Record<'deposit' | 'bot' | 'investment' | 'withdrawal', string>

/** Two users whose figures differ: no answer to one of them may show the other's. */
export async function fundBoth(world: World): Promise<{ ada: TestUser; bob: TestUser }> {
  const [ada, bob] = [await world.user('ada'), await world.user('bob')]
  await fund(ada, { deposit: '1234.50', bot: 'Steady', investment: '600', withdrawal: '55.55' })
  await fund(bob, {
    deposit: '7777.77',
    bot: 'Secret Bob Bot',
    investment: '333.33',
    withdrawal: '44.44',
  })
  return { ada, bob }
}

/** Gives a user one of each thing that the help can answer about. */
async function fund(
  user: TestUser,
  { deposit, bot, investment, withdrawal }: Amounts,
): Promise<void> {
  await user.deposit(deposit)
  await user.call('createBot', {
    body: {
      name: bot,
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: investment,
    },
  })
  await user.addBankAccount()
  await user.call('requestWithdrawal', { body: { amount: withdrawal } })
}
