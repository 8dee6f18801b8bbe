import { expect } from 'vitest'
import type { Context } from '#server/context.ts'
import { bookOn } from '#server/db/book.ts'
import type { Sql } from '#server/db/open.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { resumePayouts } from '#server/withdrawals/halt-payouts.ts'
import { openWorld } from './world.ts'

/**
 * Checks that a restored book can be used: identity columns continue above their maximum, users
 * deposit, bots trade, and the book reconciles.
 */
export async function expectGoesOn(context: Context, restored: Sql): Promise<void> {
  const counted = await restored<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES'`
  for (const { table, column } of counted) {
    const [next] = await restored<{ isFree: boolean }[]>`
      select nextval(pg_get_serial_sequence(${table}, ${column})) >
             coalesce(max(${restored(column)}), 0) as is_free from ${restored(table)}`
    expect([table, next?.isFree]).toEqual([table, true])
  }
  const book = bookOn(restored, context.seals)
  const again = await openWorld({ ...context, ...book, reads: restored }, () => Promise.resolve())
  const before = await restored`select from pool_changes`
  const user = await again.user('newcomer')
  await user.deposit('500')
  await user.call('createBot', {
    body: {
      name: 'New',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '400',
    },
  })
  await again.hours(30)
  expect((await restored`select from pool_changes`).length).toBeGreaterThan(before.length)
  await user.addBankAccount()
  const { id } = await user.call('requestWithdrawal', { body: { amount: '50' } })
  const state = async () => {
    for (let times = 0; times < 3; times += 1) await again.payOut()
    return (
      await restored<
        { state: string; waitsFor: string | null }[]
      >`select state, waits_for from withdrawal_requests where id = ${id}`
    )[0]
  }
  expect(await state(), 'payouts may have been sent since the backup').toEqual({
    state: 'approved',
    waitsFor: expect.stringContaining('Payouts are halted: the book was restored from a backup'),
  })
  await restored`update withdrawal_requests set asked_at = null where id = ${id}`
  expect(await resumePayouts(again.context, { actor: 'operator:Grace' })).toBe(true)
  expect(await state()).toEqual({ state: 'paid', waitsFor: null })
  expect(await reconcile(book)).toEqual([])
  await again.app.close()
}
