import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { useOnline } from '#app/ui/device/use-online.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { backText, guardLines, stopText } from './guard-text.ts'
import { GuardsSheet } from './guards-sheet.tsx'

/** The guards of a bot and how to change them. */
export function BotGuards({ bot }: { bot: Bot }) {
  const [open, setOpen] = useState(false)
  const online = useOnline()
  if (bot.status === 'closing') return null
  return (
    <Section title={t('Guards')}>
      {bot.guards === null ? (
        <p className="text-16 text-ink2">
          {t('None. This bot follows its rules, however far it falls.')}
        </p>
      ) : (
        <ul className="flex flex-col gap-1 text-16">
          {guardLines(bot.guards).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <Button
        look="outline"
        className="mt-3"
        disabled={!online}
        aria-label={
          bot.guards === null
            ? t('Set guards of {bot}', { bot: bot.name })
            : t('Change guards of {bot}', { bot: bot.name })
        }
        onClick={() => setOpen(true)}
      >
        {bot.guards === null ? t('Set guards') : t('Change guards')}
      </Button>
      <GuardsSheet bot={bot} open={open} onClose={() => setOpen(false)} />
    </Section>
  )
}

/** Says at the top of a bot's screen that a guard has stopped it, and when it begins again. */
export function StopNote({ bot: { stop } }: { bot: Bot }) {
  const { momentText } = useDates()
  if (stop === null) return null
  return (
    <div role="status" className="mt-3 rounded-sheet border border-hairline bg-surface p-4">
      <p className="text-16 font-semibold">{stopText(stop)}</p>
      <p className="mt-1 text-14 text-ink2">{backText(stop, momentText)}</p>
    </div>
  )
}
