import { expect, test } from 'vitest'
import { reconcile } from '#server/ledger/reconcile.ts'
import { createWorld } from '../world/world.ts'

test('users can sign up, deposit, run a bot and withdraw', async () => {
  const world = await createWorld()
  try {
    const ada = await world.user('ada')
    await ada.deposit('1000')
    expect(await ada.call('getUser')).toMatchObject({
      totalBalance: '1000.00',
      availableBalance: '1000.00',
    })
    const bot = await ada.call('createBot', {
      body: {
        name: 'First',
        riskLevel: 'aggressive',
        tradingPairs: ['BTC/USDT', 'ETH/USDT'],
        investmentAmount: '600',
      },
    })
    expect(bot).toMatchObject({ isActive: true, investmentAmount: '600.00' })
    await world.hours(24 * 30)
    const performance = await ada.call('getBotPerformance', { params: { id: bot.id } })
    expect(performance.tradeCount).toBeGreaterThan(0)
    expect(await reconcile(world.context)).toEqual([])
    const trades = await ada.call('listBotTrades', { params: { id: bot.id } })
    expect(trades.items.every(({ reason }) => reason.length > 20)).toBe(true)
    expect((await ada.call('simulateBot', { params: { id: bot.id } })).hypothetical).toBe(true)
    await ada.call('deleteBot', { params: { id: bot.id } })
    await world.serve()
    expect(await ada.call('listBots')).toEqual([])
    const user = await ada.call('getUser')
    expect(user.totalBalance).toBe(user.availableBalance)
    await ada.addBankAccount()
    await ada.call('requestWithdrawal', { body: { amount: '100' } })
    await world.payOut()
    expect((await ada.call('listWithdrawals'))[0]).toMatchObject({
      status: 'completed',
      amount: '100.00',
    })
    const history = await ada.call('listTransactions')
    expect(history.items.map(({ type }) => type)).toContain('withdrawal')
    expect(await reconcile(world.context)).toEqual([])
    const { curve } = await ada.call('getBalanceCurve', { query: { range: '1M' } })
    expect(curve.at(-1)?.value).toBe((await ada.call('getUser')).totalBalance)
  } finally {
    await world.close()
  }
})
