import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { creditDeposit } from './credit-deposit.ts'
import { findOpenIntents } from './store.ts'

/** Credits payments whose confirmation never arrived: the tab was closed, the answer lost. */
export async function sweepDeposits(context: Context): Promise<void> {
  for (const id of await findOpenIntents(context.sql)) {
    try {
      await creditDeposit(context, id)
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'payment-not-succeeded')) throw error
    }
  }
}
