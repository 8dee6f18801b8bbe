import { useState } from 'react'
import type { ShownRefusal } from '#contract/problem.ts'
import { GUARD_LIMITS } from '#core/guards/guard-settings.ts'
import { strategyKey } from '#core/strategy/strategy-key.ts'
import { t } from '#words/words.ts'
import { ChevronDown } from '#app/ui/frame/icons.ts'
import type { BotDraft, EnteredBot } from './bot-draft.ts'
import { hasTypedGuard } from './guard-draft.ts'
import { GuardFields } from './guard-fields.tsx'
import { GuardNote } from './guard-note.tsx'

/** The guards of a new bot: closed, because most bots have none. A problem in it opens it. */
export function GuardsPart({
  bot,
  problems,
  onChange,
}: {
  bot: EnteredBot
  problems: readonly ShownRefusal[]
  onChange: (part: Partial<BotDraft>) => void
}) {
  const { guards } = bot
  const [isOpen, setOpen] = useState(false)
  const hasProblem = problems.some(({ field }) => field !== undefined && field in GUARD_LIMITS)
  return (
    <details
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group rounded-sheet border border-hairline bg-surface px-4"
    >
      <summary className="flex min-h-13 cursor-pointer list-none items-center justify-between gap-3 py-2">
        <span>
          <span className="block text-16 font-semibold">{t('Guards (optional)')}</span>
          <span className="block text-14 text-ink2">
            {hasTypedGuard(guards)
              ? t('Set below')
              : t('Stop at a loss, take profit, pause after a bad day')}
          </span>
        </span>
        <ChevronDown
          size={20}
          aria-hidden="true"
          className="shrink-0 text-ink2 transition-transform duration-120 group-open:rotate-180"
        />
      </summary>
      <div className="flex flex-col gap-4 pt-2 pb-4">
        <GuardFields
          value={guards}
          problems={problems}
          onChange={(part) => onChange({ guards: { ...guards, ...part } })}
        />
        {isOpen && <GuardNote strategy={strategyKey(bot)} />}
      </div>
    </details>
  )
}
