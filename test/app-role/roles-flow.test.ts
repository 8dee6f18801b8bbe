import { pino } from 'pino'
import { expect, test } from 'vitest'
import { reconcile } from '#server/ledger/reconcile.ts'
import { runJobs } from '#server/jobs/run-jobs.ts'
import { createWorld } from '../world/world.ts'

test("the app's rights suffice from the first deposit to a closed account", async () => {
  const world = await createWorld({ asApp: true })
  try {
    const user = await world.user()
    await user.deposit('1000.00')
    const { id } = await user.call('createBot', {
      body: {
        name: 'Owl',
        riskLevel: 'moderate',
        tradingPairs: ['BTC/USDT', 'ETH/USDT'],
        investmentAmount: '500',
      },
    })
    await world.hours(48)
    await user.call('deleteBot', { params: { id } })
    await world.hours(2)
    await user.addBankAccount()
    const cash = (await user.call('getUser'))?.availableBalance ?? ''
    await user.call('requestWithdrawal', { body: { amount: cash } })
    for (let round = 0; round < 3; round += 1) await world.payOut()
    const failures: unknown[] = []
    const log = Object.assign(pino({ level: 'silent' }), {
      error: (failure: unknown) => failures.push(failure),
    })
    const ended = new AbortController()
    const jobs = runJobs({ ...world.context, log }, ended.signal)
    expect(await reconcile(world.context)).toEqual([])
    expect((await user.ask('closeAccount')).status).toBeLessThan(300)
    ended.abort()
    await jobs
    expect(failures).toEqual([])
    expect(await reconcile(world.context)).toEqual([])
  } finally {
    await world.close()
  }
})
