import { randomBytes } from 'node:crypto'
import { Refusal } from '#core/refusal.ts'
import type { Units } from '#core/money/amount.ts'
import { t } from '#words/words.ts'
import type { Sql } from '#server/db/open.ts'
import type { CardAnswer, CardPayment, Payments } from '#server/ports/payments.ts'

type SandboxRow = {
  id: string
  userId: string
  amount: Units
  status: CardAnswer['status']
  refunded: Units
  disputed: Units
}

const SUCCEEDS = '4242424242424242'
const DECLINED = '4000000000000002'
const INSUFFICIENT = '4000000000009995'
const ASKS_FOR_CONFIRMATION = '4000002760003184'

export function sandboxPayments({ sql, now }: { sql: Sql; now: () => Date }): Payments {
  return {
    provider: 'sandbox',
    createIntent: async ({ userId, amount }) => {
      const id = `pi_sandbox_${randomBytes(12).toString('hex')}`
      const clientSecret = `${id}_secret_${randomBytes(16).toString('hex')}`
      await sql`
        insert into sandbox_payments (id, client_secret, customer_id, amount, status)
        values (${id}, ${clientSecret}, ${userId}, ${amount}, 'requires_payment_method')`
      return { id, clientSecret }
    },
    retrieveIntent: async (id) => {
      const [row] = await sql<
        SandboxRow[]
      >`select customer_id as user_id, amount, status, refunded, disputed from sandbox_payments
        where id = ${id}`
      if (!row) return undefined
      const { amount, ...state } = row
      return { ...state, received: state.status === 'succeeded' ? amount : 0n }
    },
    payByCard: async (payment) => {
      const [row] = await sql<Pick<SandboxRow, 'id' | 'amount' | 'status'>[]>`
        select id, amount, status from sandbox_payments
         where client_secret = ${payment.clientSecret} and customer_id = ${payment.userId}`
      if (!row) throw new Refusal('not-found')
      if (row.status === 'succeeded') return { status: 'succeeded' }
      const answer = judgeCard(payment, now())
      await sql`update sandbox_payments set status = ${answer.status} where id = ${row.id}
        and status <> 'succeeded'`
      return answer
    },
  }
}

function judgeCard({ number, expMonth, expYear, confirmed }: CardPayment, now: Date): CardAnswer {
  const declined = (message: string) => ({ status: 'requires_payment_method', message }) as const
  const expired =
    expYear < now.getUTCFullYear() ||
    (expYear === now.getUTCFullYear() && expMonth < now.getUTCMonth() + 1)
  if (expired) return declined(t('Your card has expired.'))
  if (number === SUCCEEDS) return { status: 'succeeded' }
  if (number === ASKS_FOR_CONFIRMATION)
    return { status: confirmed ? 'succeeded' : 'requires_action' }
  if (number === DECLINED) return declined(t('Your card was declined.'))
  if (number === INSUFFICIENT) return declined(t('Your card has insufficient funds.'))
  return declined(t('Your card number is not a test card. Use 4242 4242 4242 4242.'))
}
