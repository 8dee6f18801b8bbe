import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { actingAs } from '../world/operators.ts'
import type { Copy } from './books.ts'

/** A seal of the right form that nobody made. */
export const FORGED = 'A'.repeat(43)

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

type Forgery = { userId: string; dollars: number; provider: string; seal?: string; at?: Date }

/**
 * A deposit that no card provider knows: the intent, balanced entries and a row of the history, as
 * the product would write them.
 */
export function depositRows({
  userId,
  dollars,
  provider,
  seal = FORGED,
  at: time,
}: Forgery): string {
  const [id, transfer] = ['pi_forged', "'01900000-0000-7000-8000-000000000009'"]
  const [user, units, at] = [
    quoted(userId),
    `${dollars}00000000`,
    time ? `timestamptz ${quoted(time.toISOString())}` : "now() - interval '5 days'",
  ]
  return `
    insert into ledger_accounts (user_id, code, asset, may_be_negative)
    values (${user}, 'card:clearing', 'USD', true) on conflict do nothing;
    insert into payment_intents (user_id, id, provider, amount, status, received, credited_at,
           created_at)
    values (${user}, ${quoted(id)}, ${quoted(provider)}, ${units}, 'succeeded', ${units}, ${at},
           ${at});
    insert into ledger_transfers (user_id, id, kind, dedup_key, body_hash, event_time, seal)
    values (${user}, ${transfer}, 'deposit', 'deposit:${id}', '', ${at}, ${quoted(seal)});
    insert into ledger_entries (user_id, transfer_id, account_id, asset, amount)
    select ${user}, ${transfer}, id, 'USD', case code when 'customer:cash' then ${units}
           else -${units} end
      from ledger_accounts where user_id = ${user} and code in ('customer:cash', 'card:clearing');
    insert into transactions (user_id, id, type, amount, status, description, payment_intent_id,
           transfer_id, created_at)
    values (${user}, ${transfer}, 'deposit', ${units}, 'completed', '{"code": "cardDeposit"}',
           ${quoted(id)}, ${transfer}, ${at});`
}

/**
 * A newcomer, Mallory, whose deposit is forged with the triggers on, withdraws `dollars` of it, and
 * an operator approves.
 */
export async function withdrawForged(
  copy: Copy,
  { provider, dollars = 900 }: { provider: string; dollars?: number },
): Promise<void> {
  const world = await copy.world()
  const mallory = await world.user('mallory')
  await copy.asSuperuser(depositRows({ userId: mallory.id, dollars: 5_000, provider }))
  await mallory.addBankAccount()
  const { id } = await mallory.call('requestWithdrawal', { body: { amount: String(dollars) } })
  await approveWithdrawal(copy.context, { id, operator: actingAs(copy.context, 'Grace').operator })
}

/** The id of a transfer, as a part of a statement. */
export const transferOf = (dedupKey: string): string =>
  `(select id from ledger_transfers where dedup_key like ${quoted(dedupKey)})`
