import type { TestUser } from '../world/world.ts'

type Amounts = Record<'deposit' | 'bot' | 'investment' | 'withdrawal', string>

/** A user with one of each thing that the help can answer about. */
export async function fund(
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
