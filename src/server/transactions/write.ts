import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import type { Sentence } from '#core/sentences.ts'
import { newRows } from '#server/db/rows.ts'
import type { Queries } from '#server/db/statement.ts'
import { timeOfId } from '#server/kernel/ids.ts'

type NewTransaction = {
  id: string
  userId: string
  type: 'deposit' | 'withdrawal' | 'transfer' | 'refund' | 'dispute'
  /** Signed change of the user's cash. */
  amount: Units
  status: 'pending' | 'processing' | 'completed' | 'failed'
  description: Sentence
  transferId: string
  paymentIntentId?: string
  withdrawalId?: string
  botId?: string
  /** Amounts in units, as decimal text. `waiting`: pairs that could not be sold yet. */
  metadata?: Readonly<{ investedPart?: string; waiting?: readonly object[] }>
}

/** Callers must use the database transaction of the money movement. */
export async function writeTransaction(tx: Queries, row: NewTransaction): Promise<void> {
  await writeTransactions(tx, [row])
}

/**
 * Like `writeTransaction`, for many users at once. A row's time is taken from its id, by which the
 * history is sorted.
 */
export async function writeTransactions(
  tx: Queries,
  rows: readonly NewTransaction[],
): Promise<void> {
  await tx`
    insert into transactions ${newRows(rows, {
      id: 'uuid',
      user_id: 'uuid',
      type: 'text',
      amount: 'bigint',
      status: 'text',
      description: 'jsonb',
      transfer_id: 'uuid',
      payment_intent_id: 'text',
      withdrawal_id: 'uuid',
      bot_id: 'uuid',
      metadata: ['jsonb', ({ metadata = {} }) => metadata],
      created_at: ['timestamptz', ({ id }) => timeOfId(id)],
    })}`
}

type OfUser = { userId: string; id: string }

export async function setWithdrawalStatus(
  tx: Queries,
  { userId, id }: OfUser,
  status: NewTransaction['status'],
): Promise<void> {
  await tx`update transactions set status = ${status} where user_id = ${userId}
    and withdrawal_id = ${id} and type = 'withdrawal'`
}

export async function depositTransactionId(sql: Queries, { userId, id }: OfUser): Promise<string> {
  const [row] = await sql<
    { id: string }[]
  >`select id from transactions where user_id = ${userId} and payment_intent_id = ${id}
    and type = 'deposit'`
  assert(row, 'a credited deposit has its row in the history')
  return row.id
}
