import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import type { GuardStop } from '#contract/guards.ts'
import type { NextDay } from '#contract/forecasts.ts'
import type { GuardName } from '#core/guards/guard.ts'
import { strategyKey } from '#core/strategy/strategy-key.ts'
import { digitsText, withPercent } from '#words/figures.ts'
import { msg, say, t } from '#words/words.ts'
import { useUpdateBot } from './bot-queries.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { OfflineButton } from '#app/ui/buttons/offline-button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { draftOf, guardChecks, hasTypedGuard, typedGuards } from './guard-draft.ts'
import { GuardFields, GuardNote } from './guard-fields.tsx'
import { GuardList } from './guard-list.tsx'

type GuardedBot = { bot: Bot; nextDay: NextDay | null }

export function BotGuards({ bot, nextDay }: GuardedBot) {
  const [open, setOpen] = useState(false)
  if (bot.status === 'closing') return null
  return (
    <Section
      title={t('Guards')}
      aside={
        <OfflineButton
          look="quiet"
          className="-mr-2 min-w-12"
          aria-label={
            bot.guards === null
              ? t('Set guards of {bot}', { bot: bot.name })
              : t('Change guards of {bot}', { bot: bot.name })
          }
          onClick={() => setOpen(true)}
        >
          {bot.guards === null ? t('Set') : t('Change')}
        </OfflineButton>
      }
    >
      {bot.guards === null ? (
        <p className="text-16 text-ink2">{t('No loss limit')}</p>
      ) : (
        <GuardList guards={bot.guards} bot={bot} />
      )}
      <GuardsSheet {...{ bot, nextDay, open }} onClose={() => setOpen(false)} />
    </Section>
  )
}

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

type Props = GuardedBot & { open: boolean; onClose: () => void }

function GuardsSheet({ bot, nextDay, open, onClose }: Props) {
  return (
    <Sheet open={open} onClose={onClose} title={t('Guards')} description={bot.name}>
      <GuardsForm {...{ bot, nextDay, onClose }} />
    </Sheet>
  )
}

function GuardsForm({ bot, nextDay, onClose }: Omit<Props, 'open'>) {
  const [draft, setDraft] = useState(() => draftOf(bot.guards))
  const update = useUpdateBot()
  const form = useForm({
    action: 'updateBot',
    request: update,
    read: () => draft,
    check: guardChecks,
    send: (typed) =>
      update.mutateAsync({ id: bot.id, guards: hasTypedGuard(typed) ? typedGuards(typed) : null }),
    onDone: () => {
      showToast({ title: t('Guards Saved'), description: t('They apply from the next hour on.') })
      onClose()
    },
  })
  return (
    <Form form={form} autoComplete="off" className="flex flex-col gap-5">
      <GuardFields
        value={draft}
        nextDay={nextDay}
        errors={form.errors}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
      <GuardNote strategy={strategyKey(bot)} />
      <Submit form={form} pendingLabel={t('Saving…')}>
        {t('Save')}
      </Submit>
    </Form>
  )
}

const STOPPED: Record<GuardName, string> = {
  'stop-loss': msg('Stopped by its stop loss at {percent}'),
  'trailing-stop': msg('Stopped by its trailing stop at {percent} from its high'),
  'take-profit': msg('Stopped by its take profit at {percent}'),
  'daily-loss': msg('Paused after a daily loss of {percent}'),
}

/** Why a bot is stopped, such as 'Stopped by its stop loss at −12.34%'. */
function stopText({ guard, percent }: GuardStop): string {
  const isLoss = percent.startsWith('-')
  const figure = withPercent(digitsText(percent.replace('-', '')))
  return say(STOPPED[guard], {
    percent: guard === 'daily-loss' ? figure : `${isLoss ? '−' : '+'}${figure}`,
  })
}

function backText({ backAt, isSelling }: GuardStop, timeOf: (at: string) => string): string {
  if (isSelling) return t('Its coins are being sold; the money stays in the bot.')
  return backAt === null
    ? t('All its money is in cash. It waits until you resume it.')
    : t('All its money is in cash. It restarts on {time}.', { time: timeOf(backAt) })
}
