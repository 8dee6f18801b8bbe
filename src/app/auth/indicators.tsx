import type { ReactNode } from 'react'
import { msg, say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import type { Icon } from '#app/ui/frame/drawn-icon.ts'
import { Activity, LockKeyhole, Sparkles } from '#app/ui/frame/icons.ts'
import { marketNote } from './market-note.ts'
import { OtherLanguages } from './other-languages.tsx'

/** The meaning of 'AI' here. */
export const RULES_NOTE = msg('Fixed, published rules. Nothing is predicted.')

/** Each of these words has its meaning on this installation right beside it. */
export function Indicators() {
  const config = useConfig().data
  return (
    <footer className="mt-auto pt-10">
      <ul className="grid gap-3 border-t border-hairline pt-5 sm:grid-cols-3">
        <Indicator icon={Activity} name={t('Live Trading')}>
          {config && marketNote(config)}
        </Indicator>
        <Indicator icon={LockKeyhole} name={t('Secure')}>
          {t('Account numbers encrypted. No card details kept.')}
        </Indicator>
        <Indicator icon={Sparkles} name={t('AI Powered')}>
          {say(RULES_NOTE)}
        </Indicator>
      </ul>
      <OtherLanguages />
    </footer>
  )
}

function Indicator({
  icon: Icon,
  name,
  children,
}: {
  icon: Icon
  name: string
  children: ReactNode
}) {
  return (
    <li className="flex gap-2 text-14 text-ink2">
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div>
        <p className="font-semibold text-ink">{name}</p>
        <p>{children}</p>
      </div>
    </li>
  )
}
