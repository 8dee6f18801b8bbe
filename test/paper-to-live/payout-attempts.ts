import { openStripePayouts } from './payouts.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { signInAs } from '../world/operators.ts'
import type { TestUser } from '../world/world.ts'
import { paysOut, forced, written, type Attempt } from './attempt.ts'
import type { Copy } from './books.ts'
import { quoted } from './forgeries.ts'
import { pattern } from '../world/pattern.ts'

const CANCELED = "update withdrawal_requests set state = 'canceled'"

/**
 * Withdrawals of a live book that somebody changed in the database, or whose money the card
 * provider no longer confirms.
 */
export const PAYOUT_ATTEMPTS: readonly Attempt[] = [
  {
    deed: 'a withdrawal without a hold is written into the table',
    refused: pattern(
      /^No batch was created\.\n.*01900000-0000-7000-8000-0000000000aa waits: /,
      /This payout is not proven: the ledger holds no money for it\./,
    ),
    carryOut: async (copy) => {
      await copy.asSuperuser(`
        update withdrawal_requests set state = 'canceled';
        insert into withdrawal_requests (user_id, id, bank_account_id, amount, state)
        select user_id, '01900000-0000-7000-8000-0000000000aa', bank_account_id, 90000000000,
               'approved' from withdrawal_requests`)
      return copy.payOut()
    },
  },
  written({
    deed: 'an approved withdrawal is raised, with the triggers on',
    refused: /^PostgreSQL refuses: ledger_append_only$/,
    rows: 'update withdrawal_requests set amount = amount * 5',
    follows: paysOut,
  }),
  forced({
    deed: 'an approved withdrawal is raised, with the triggers off',
    refused: pattern(
      /^No batch was created\.\n.* waits: /,
      /This payout is not proven: the ledger holds no money for it\./,
    ),
    rows: 'update withdrawal_requests set amount = amount * 5',
    follows: paysOut,
  }),
  {
    deed: 'a withdrawal that nobody approved is set to approved',
    refused: / waits: This payout is not proven: nobody approved it\./,
    carryOut: async (copy) => {
      const user = await (await copy.world()).user('bob')
      await copy.pastTriggers(CANCELED)
      await payForReal(copy, user)
      await user.call('requestWithdrawal', { body: { amount: '50' } })
      await copy.asSuperuser(
        "update withdrawal_requests set state = 'approved' where state = 'pending'",
      )
      return copy.payOut()
    },
  },
  {
    deed: 'a large withdrawal gets its second approval as a row',
    refused: / waits: This payout is not proven: two operators must approve it\./,
    carryOut: async (copy) => {
      const user = await (await copy.world()).user('bob')
      await copy.pastTriggers(CANCELED)
      await payForReal(copy, user, '3000')
      const { id } = await user.call('requestWithdrawal', { body: { amount: '2000' } })
      const [grace, linus] = [
        await signInAs(copy.context, { name: 'Grace', roles: ['payouts'] }),
        await signInAs(copy.context, { name: 'Linus', roles: ['payouts'] }),
      ]
      await copy.asSuperuser(
        `insert into withdrawal_approvals (user_id, withdrawal_id, operator)
          values (${quoted(user.id)}, '${id}', '${linus.context.operator.id}')`,
      )
      await approveWithdrawal(copy.context, { id, operator: grace.context.operator })
      return copy.payOut()
    },
  },
  {
    deed: 'a withdrawal is set to submitted, so that the payout provider gets it',
    refused: /^handed over: 0$/,
    carryOut: async (copy) => {
      await copy.asSuperuser(
        "update withdrawal_requests set state = 'submitted', payout_provider = 'stripe'",
      )
      return openStripePayouts(copy)
    },
  },
  {
    deed: 'a batch with a line is written into the tables, and its file exported',
    refused: /^This payout is not proven: the ledger did not submit it\.$/,
    carryOut: async (copy) => {
      await copy.asSuperuser(`
        update withdrawal_requests set state = 'submitted', payout_provider = 'bank-file';
        insert into payout_batches (operator, payouts, total, created_at) select 'operator:Grace',
               1, amount, now() from withdrawal_requests;
        insert into payout_batch_lines (user_id, withdrawal_id, batch, position, bank_account_id,
               name, amount)
        select w.user_id, w.id, b.number, 1, w.bank_account_id, 'Mallory', w.amount
          from withdrawal_requests w, payout_batches b`)
      return copy.payOut('1')
    },
  },
  {
    deed: 'a line of a batch is raised, and its file exported again',
    refused: /^This payout is not proven: the ledger did not submit it\.$/,
    carryOut: async (copy) => {
      await copy.payOut()
      await copy.pastTriggers(
        'update payout_batch_lines set amount = amount * 9; update payout_batches set total = ' +
          'total * 9',
      )
      return copy.payOut('1')
    },
  },
  {
    deed:
      'a line of a batch that was exported moves to a new batch, so that the bank pays it ' +
      'twice',
    refused: /^This payout is not proven: it is not part of batch 2\.$/,
    carryOut: async (copy) => {
      await copy.payOut()
      await copy.pastTriggers(`
        insert into payout_batches (operator, payouts, total, created_at) select operator, payouts,
               total, created_at from payout_batches;
        update payout_batch_lines set batch = 2`)
      return copy.payOut('2')
    },
  },
  written({
    deed: 'a payout of the sandbox in a live book',
    refused: /^PostgreSQL refuses: book_without_sandbox$/,
    rows: "update withdrawal_requests set state = 'paid', payout_provider = 'sandbox'",
    follows: paysOut,
  }),
  written({
    deed: 'a payment of the sandbox in a live book',
    refused: /^PostgreSQL refuses: book_without_sandbox$/,
    rows:
      'insert into sandbox_payments (id, client_secret, customer_id, amount, status) select ' +
      "'pi_1', 's', user_id, 1, 'succeeded' from payment_intents",
    follows: paysOut,
  }),
  written({
    deed: 'a credited deposit is dated back, with the triggers on',
    refused: /^PostgreSQL refuses: ledger_append_only$/,
    rows: "update payment_intents set credited_at = now() - interval '5 days'",
    follows: paysOut,
  }),
  {
    deed:
      'a young deposit is dated back, with the triggers off, and withdrawn before its hold ' +
      'ends',
    refused: / waits: This payout is not proven: the deposit that funds it is on hold until /,
    carryOut: async (copy) => {
      const young = { ...copy, context: { ...copy.context, now: () => new Date() } }
      await copy.pastTriggers("update payment_intents set credited_at = now() - interval '5 days'")
      return copy.payOutWith(young.context)
    },
  },
]

/**
 * A deposit that the card provider confirms, 73 hours ago, so that it is no longer on hold, with a
 * bank account.
 */
export async function payForReal(
  { stripe, pastTriggers }: Copy,
  user: TestUser,
  amount = '500',
): Promise<void> {
  const { paymentIntentId } = await user.call('createPaymentIntent', { body: { amount } })
  const intent = stripe.live.intents.get(paymentIntentId)
  if (intent === undefined) throw new Error('the emulator received no payment intent')
  stripe.live.confirm(intent, { paymentMethod: 'pm_card_visa', returnUrl: null, ask: '' })
  await user.call('confirmDeposit', { body: { paymentIntentId } })
  await pastTriggers(
    `update payment_intents set credited_at = credited_at - interval '73 hours'
      where id = '${paymentIntentId}'`,
  )
  await user.addBankAccount()
}

const intentOf = ({ stripe, intent }: Copy) => {
  const found = stripe.live.intents.get(intent)
  if (found === undefined) throw new Error('the emulator knows the payment')
  return found
}

/**
 * Changes at the card provider that the book has not learned of: each needs a provider of its own.
 */
export const PROVIDER_ATTEMPTS: readonly Attempt[] = [
  {
    deed: 'a deposit was refunded at the card provider since it was credited',
    refused: pattern(
      / waits: This payout is not proven: /,
      /the card provider confirms \$0\.00 of the deposit pi_\w+, /,
      /and \$100\.00 of it are needed\./,
    ),
    carryOut: async (copy) => {
      copy.stripe.live.refund(intentOf(copy), { amount: 100_000 })
      return copy.payOut()
    },
  },
  {
    deed: 'a deposit was refunded in part, and less is left than the withdrawal',
    refused:
      / waits: This payout is not proven: the card provider confirms \$50\.00 of the deposit/,
    carryOut: async (copy) => {
      copy.stripe.live.refund(intentOf(copy), { amount: 95_000 })
      return copy.payOut()
    },
  },
  {
    deed: 'a deposit is disputed at the card provider',
    refused: / waits: This payout is not proven: the card provider confirms \$0\.00 of the deposit/,
    carryOut: async (copy) => {
      copy.stripe.live.dispute(intentOf(copy))
      return copy.payOut()
    },
  },
  {
    deed: 'the card provider does not know the payment',
    refused: / waits: This payout is not proven: the card provider confirms \$0\.00 of the deposit/,
    carryOut: async (copy) => {
      copy.stripe.live.intents.delete(copy.intent)
      return copy.payOut()
    },
  },
  {
    deed: "the payment is of the provider's test mode",
    refused: / waits: This payout is not proven: the card provider confirms \$0\.00 of the deposit/,
    carryOut: async (copy) => {
      Object.assign(intentOf(copy), { livemode: false })
      return copy.payOut()
    },
  },
  {
    deed: 'the card provider has the payment under another user',
    refused: / waits: This payout is not proven: the card provider confirms \$0\.00 of the deposit/,
    carryOut: async (copy) => {
      Object.assign(intentOf(copy), {
        metadata: { user_id: '01900000-0000-7000-8000-0000000000bb' },
      })
      return copy.payOut()
    },
  },
  {
    deed: 'the card provider does not answer',
    refused: / waits: The card provider does not answer\./,
    carryOut: async (copy) => {
      copy.stripe.fail({ times: 1_000, status: 503 })
      return copy.payOut()
    },
  },
]
