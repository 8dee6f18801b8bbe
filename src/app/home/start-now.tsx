import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { useLocation } from '#app/ui/frame/address.ts'

export const START_AMOUNT = '500.00'

/**
 * Deposits paper money and creates the suggested bot with one press, which also loads the code for
 * it. If that fails, the single steps remain.
 */
export function StartNow() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [isPending, setPending] = useState(false)
  const start = async () => {
    setPending(true)
    try {
      const { startPaperBot } = await import('./start-paper-bot.ts')
      await startPaperBot(client, { amount: START_AMOUNT, navigate })
      setPending(false)
    } catch {
      navigate('/deposit')
    }
  }
  return (
    <div className="grid gap-1">
      <ActionButton
        pending={isPending}
        pendingLabel={t('Creating...')}
        onClick={() => void start()}
      >
        {t('Start with {amount} paper money', {
          amount: moneyText({ amount: START_AMOUNT, precision: 'whole' }),
        })}
      </ActionButton>
      <LinkButton href="/deposit" look="quiet">
        {t('Choose it myself')}
      </LinkButton>
    </div>
  )
}
