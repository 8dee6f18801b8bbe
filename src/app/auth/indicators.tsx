import { Activity, LockKeyhole, Sparkles, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PublicConfig } from '#contract/config.ts'
import { msg, say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
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

function marketNote({ book, feed }: PublicConfig): string {
  if (feed.kind === 'simulated') return t('On this demo: simulated prices.')
  if (feed.kind === 'replay') return t('On this demo: recorded prices.')
  const from = { exchange: feed.label }
  return book === 'live' ? t('Prices from {exchange}, real money.', from) : t('Prices from {exchange}, paper money.', from)
}

function Indicator({ icon: Icon, name, children }: { icon: LucideIcon; name: string; children: ReactNode }) {
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
