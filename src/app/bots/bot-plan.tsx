import { useState } from 'react'
import type { Bot, Plan } from '#contract/bots.ts'
import { t } from '#words/words.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { OFFLINE_REASON } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { periodTitle } from './plan-words.ts'
import { PlanSheet } from './plan-sheet.tsx'

/** The plan of a bot, or the offer of one. A closing bot has none. */
export function BotPlan({ bot }: { bot: Bot }) {
  const online = useOnline()
  const [open, setOpen] = useState(false)
  if (bot.status === 'closing') return null
  const { plan } = bot
  return (
    <Section
      title={t('Plan')}
      aside={
        <Button
          look="quiet"
          className="-mr-2"
          disabled={!online}
          aria-describedby={online ? undefined : OFFLINE_REASON}
          onClick={() => setOpen(true)}
        >
          {plan === null ? t('Add regularly') : t('Edit plan')}
        </Button>
      }
    >
      {plan === null ? (
        <p className="text-14 text-ink2">
          {t(
            'None: money is added only when you add it. A plan adds a sum from your balance every week or month.',
          )}
        </p>
      ) : (
        <Lines plan={plan} bot={bot} />
      )}
      <PlanSheet bot={bot} open={open} onClose={() => setOpen(false)} />
    </Section>
  )
}

function Lines({ plan, bot }: { plan: Plan; bot: Bot }) {
  const { momentText } = useMarketTime()
  const note = noteOf(plan, bot)
  return (
    <>
      <Receipt>
        <ReceiptLine label={periodTitle(plan.every)}>
          <Money amount={plan.amount} />
        </ReceiptLine>
        <ReceiptLine label={t('Next time')}>{momentText(plan.nextAt)}</ReceiptLine>
        {plan.takeAbove !== null && (
          <ReceiptLine label={t('Takes back what is above')}>
            <Money amount={plan.takeAbove} />
          </ReceiptLine>
        )}
      </Receipt>
      {note !== undefined && (
        <p role="status" className="pt-1 text-14 text-ink">
          {note}
        </p>
      )}
    </>
  )
}

function noteOf({ isShort }: Plan, { status }: Bot): string | undefined {
  if (status === 'paused') return t('The bot is paused: its plan waits until you resume it.')
  return isShort ? t('Last time, your balance was too low and nothing was added.') : undefined
}
