import { useId, useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { PROBLEMS } from '#contract/problem.ts'
import { say, t } from '#words/words.ts'
import { figureText } from '#app/ui/money/money.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { OFFLINE_REASON } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { AddMoneySheet } from './add-money-sheet.tsx'
import { TakeOutSheet } from './take-out-sheet.tsx'

/** Keeps the text in one line on phones. */
const NARROW = 'px-2!'

export function BotMoneyActions({ bot }: { bot: Bot }) {
  const online = useOnline()
  const reasonId = useId()
  const [open, setOpen] = useState<'add' | 'take-out'>()
  if (bot.status === 'closing') return null
  const reason = reasonAgainstTakeOut(bot)
  const close = () => setOpen(undefined)
  const why = online ? reason && reasonId : OFFLINE_REASON
  const moving = reasonWhileMoving(bot) !== undefined
  return (
    <div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8.25rem,1fr))] gap-3">
        <Button
          look="outline"
          className={NARROW}
          aria-label={t('Add money to {bot}', { bot: bot.name })}
          disabled={!online || moving}
          aria-describedby={moving || !online ? why : undefined}
          onClick={() => setOpen('add')}
        >
          {t('Add money')}
        </Button>
        <Button
          look="outline"
          className={NARROW}
          aria-label={t('Take money out of {bot}', { bot: bot.name })}
          disabled={!online || reason !== undefined}
          aria-describedby={why}
          onClick={() => setOpen('take-out')}
        >
          {t('Take money out')}
        </Button>
      </div>
      {reason !== undefined && (
        <p id={reasonId} role="status" className="pt-2 text-14 text-ink2">
          {reason}
        </p>
      )}
      <AddMoneySheet bot={bot} open={open === 'add'} onClose={close} />
      <TakeOutSheet bot={bot} open={open === 'take-out'} onClose={close} />
    </div>
  )
}

function reasonAgainstTakeOut(bot: Bot): string | undefined {
  return (
    reasonWhileMoving(bot) ??
    (bot.status === 'paused' || bot.status === 'stopped'
      ? say(PROBLEMS['bot-paused'].message)
      : undefined)
  )
}

/**
 * Why money actions and pausing are disabled: a part is being taken out, or the bot is changing.
 */
export function reasonWhileMoving({ takingOutPercent, isChanging }: Bot): string | undefined {
  if (takingOutPercent !== null) {
    return t(
      'Taking out {percent}%: this share is being sold, then the money goes to your balance.',
      {
        percent: figureText(String(takingOutPercent)),
      },
    )
  }
  return isChanging
    ? t('Changing: its money moves to the coins and risk level that you chose.')
    : undefined
}
