import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/security/audit.ts'
import { readFrozen, type Frozen } from '#server/auth/frozen.ts'
import { readUserId } from '#server/auth/get-user.ts'
import { readBots } from '#server/bots/list-bots.ts'
import { readBalances, type Balances } from '#server/holdings/balances.ts'
import { findHold, type LastingHold } from '#server/withdrawal-holds.ts'
import { readOwed } from '#server/ledger/read.ts'
import { permit, type OperatorContext } from '#server/operators/operator.ts'

export type UserDetails = {
  name: string
  id: string
  balances: Balances
  owed: bigint
  bots: Awaited<ReturnType<typeof readBots>>
  frozen: Frozen | undefined
  hold: LastingHold | undefined
}

/** A user as operators see them. Each look-up is audited. */
export async function readPerson(context: OperatorContext, name: string): Promise<UserDetails> {
  await permit(context, 'read users')
  const { sql } = context
  const id = await readUserId(sql, name)
  if (id === undefined) throw new Refusal('not-found', { sentence: `There is no user ${name}.` })
  await auditCommand(context, { action: 'user.show', subject: id })
  const [balances, owed, bots, frozen, hold] = await Promise.all([
    readBalances(sql, id),
    readOwed(sql, id),
    readBots(sql, id),
    readFrozen(sql, id),
    findHold(sql, id),
  ])
  return { name, id, balances, owed, bots, frozen, hold }
}
