import { Activity, Bot, Landmark, LockKeyhole, Sparkles, Zap, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useConfig } from '#app/api/queries.ts'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { PaperStamp } from '#app/shell/paper-stamp.tsx'
import { Brand } from '#app/shell/brand.tsx'
import { ClaimCard } from './claim-card.tsx'
import { SampleBot } from './sample-bot.tsx'

/** Rendered by the server for visitors, so that it shows before the first script runs. */
export function LandingScreen() {
  const licence = useConfig().data?.licence
  return (
    <div className="flex min-h-dvh flex-col px-5 pt-4">
      <title>Trading Bot</title>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3">
        <Brand />
        <PaperStamp />
      </header>
      <h1 className="mt-6 text-[2.125rem] leading-[1.1] font-semibold tracking-[-0.02em] text-balance">AI-powered crypto trading</h1>
      <p className="mt-3 mb-5 text-17 text-pretty text-ink2">
        Bots that trade for you and show their work: every figure opens to the ledger lines behind it.
      </p>
      <ClaimCard />
      <div className="mt-4 flex flex-col gap-3">
        <LinkButton href="/signup">Start Trading Now</LinkButton>
        <LinkButton href="/login" look="outline">
          I Have an Account
        </LinkButton>
      </div>
      <SampleBot />
      <ul className="mt-8 border-t border-hairline">
        <Feature icon={Bot} title="Automated Trading Bots">
          Bots running 24/7, each trade with its reason.
        </Feature>
        <Feature icon={Landmark} title="Secure & Licensed">
          Bank-grade security. {licence}
        </Feature>
        <Feature icon={Zap} title="Instant Results">
          Real-time profit tracking: losses too, after all costs.
        </Feature>
      </ul>
      <footer className="mt-auto flex flex-wrap justify-between gap-x-5 gap-y-2 pt-8 text-14 text-ink2">
        <Indicator icon={Activity}>Live Trading</Indicator>
        <Indicator icon={LockKeyhole}>Secure</Indicator>
        <Indicator icon={Sparkles}>AI Powered</Indicator>
      </footer>
    </div>
  )
}

function Feature({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-4 border-b border-hairline py-4">
      <Icon size={24} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" />
      <div>
        <h2 className="text-17 font-semibold">{title}</h2>
        <p className="text-14 text-ink2">{children}</p>
      </div>
    </li>
  )
}

function Indicator({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      {children}
    </span>
  )
}
