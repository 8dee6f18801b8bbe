import type { QueryClient } from '@tanstack/react-query'
import type { QueryKey } from '#contract/query-key.ts'
import { suggestedName } from '#words/bot-name.ts'
import { call, newAttemptKey } from '#app/api/call.ts'
import { refetchAfter } from '#app/api/events.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { ACTIONS, type ActionName } from '#app/api/actions-table.ts'
import { isTradedAt, readDraft, sentChoice } from '#app/bots/bot-draft.ts'
import { keepCreatedBot } from '#app/bots/created-bot.ts'
import type { Navigate } from '#app/ui/frame/address.ts'

/** The sandbox's card that pays without a question. */
const TEST_CARD = { number: '4242424242424242', expMonth: 12, expYear: 2034, cvc: '123' }

/**
 * One idempotency key for each call that moves money. Not renewed after a failure, so that the next
 * press resumes the attempt.
 */
let keys = newKeys()

function newKeys() {
  return { payment: newAttemptKey(), deposit: newAttemptKey(), bot: newAttemptKey() }
}

type Start = { amount: string; navigate: Navigate }

/**
 * Calls each step: a payment by the test card, its confirmation, and a bot with the form's
 * suggestions, which then opens. A failed step shows its toast; earlier steps are not undone.
 */
export async function startPaperBot(client: QueryClient, start: Start): Promise<void> {
  const mutationFn = () => runSteps(client, start)
  await client.getMutationCache().build(client, { mutationFn }).execute(undefined)
}

async function runSteps(client: QueryClient, { amount, navigate }: Start): Promise<void> {
  const home = location.pathname
  let action: ActionName = 'createPaymentIntent'
  try {
    const payment = await call(action, { body: { amount }, idempotencyKey: keys.payment })
    const { clientSecret, paymentIntentId } = payment
    action = 'payWithSandboxCard'
    await call(action, { body: { clientSecret, ...TEST_CARD } })
    action = 'confirmDeposit'
    await call(action, { body: { paymentIntentId }, idempotencyKey: keys.deposit })
    action = 'createBot'
    const body = { ...suggestedBot(client), investmentAmount: amount }
    const bot = await call(action, { body, idempotencyKey: keys.bot })
    keys = newKeys()
    keepCreatedBot(client, bot)
    // Not if the reader has gone to another screen.
    if (location.pathname === home) navigate(`/bot-config/${bot.id}`)
  } catch (error) {
    showFailure(error, action)
  } finally {
    refetchAfter(ACTIONS.confirmDeposit.changes)
    refetchAfter(ACTIONS.createBot.changes)
  }
}

function suggestedBot(client: QueryClient) {
  const prices = client.getQueryData(['getPrices'] satisfies QueryKey)
  const draft = readDraft(undefined, isTradedAt(prices ?? undefined))
  return {
    name: suggestedName(draft, []),
    ...sentChoice(draft),
    tradingPairs: [...draft.tradingPairs],
  }
}
