import { useState } from 'react'
import { tidyName } from '#core/one-line.ts'
import { t } from '#words/words.ts'
import { newAttemptKey } from '#app/api/call.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { useCreateBot } from '#app/api/actions.ts'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { sentChoice, type EnteredBot } from './bot-draft.ts'
import { sentGuards } from './guard-draft.ts'
import { isPlan, sentPlan } from './plan-input.ts'

/**
 * Creates the bot. One attempt key per draft: pressing again after a lost response creates no
 * second bot.
 */
export function useCreation({
  onCreated,
  onRefused,
}: {
  onCreated: () => void
  onRefused: (error: unknown) => void
}) {
  const mutation = useCreateBot()
  const [attempt, setAttempt] = useState({ key: newAttemptKey(), of: '' })
  const create = ({
    name,
    tradingPairs,
    investmentAmount,
    guards,
    savings,
    ...choice
  }: EnteredBot) => {
    const body = {
      name: tidyName(name),
      ...sentChoice(choice),
      tradingPairs: [...tradingPairs],
      investmentAmount: readAmount(investmentAmount) ?? '',
      ...sentGuards(guards),
      ...(isPlan(savings) && { plan: sentPlan(savings) }),
    }
    const of = JSON.stringify(body)
    const idempotencyKey = attempt.of === of ? attempt.key : newAttemptKey()
    setAttempt({ key: idempotencyKey, of })
    mutation.mutate(
      { body, idempotencyKey },
      {
        onSuccess: (bot) => {
          setAttempt({ key: newAttemptKey(), of: '' })
          showToast({
            title: t('Bot Created'),
            description: t('{bot} starts trading at the next price.', { bot: bot.name }),
          })
          onCreated()
        },
        onError: (error) => {
          showFailure(error, 'createBot')
          onRefused(error)
        },
      },
    )
  }
  return { create, pending: mutation.isPending, error: mutation.error }
}
