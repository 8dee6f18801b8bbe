import type { ReactNode } from 'react'
import { say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { useEvidenceSummary } from '#app/evidence/evidence-queries.ts'
import { pricesNote } from '#app/evidence/evidence-text.ts'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { PaperStamp } from '#app/shell/paper-stamp.tsx'
import { Brand } from '#app/shell/brand.tsx'
import { Link } from '#app/ui/frame/link.tsx'
import type { Icon } from '#app/ui/frame/drawn-icon.ts'
import { Bot, Landmark, Zap } from '#app/ui/frame/icons.ts'
import { AppPicture } from './app-picture.tsx'
import { ClaimCard } from './claim-card.tsx'
import { Indicators, RULES_NOTE } from './indicators.tsx'
import { LandingPart } from './landing-part.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { Questions } from './questions.tsx'
import { SampleBot } from './sample-bot.tsx'
import { WhatItCosts } from './what-it-costs.tsx'

/** Rendered by the server for visitors, so that it shows before the first script runs. */
export function LandingScreen() {
  return (
    <div className="flex min-h-dvh flex-col px-5 pt-4">
      <title>{t('Trading Bot')}</title>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3">
        <Brand />
        <PaperStamp />
      </header>
      <h1 className="mt-6 text-[2.125rem] leading-[1.1] font-semibold tracking-[-0.02em] text-balance">
        {t('AI-powered crypto trading')}
      </h1>
      <p className="mt-3 mb-5 text-17 text-pretty text-ink2">
        {say(RULES_NOTE)} {t('Bots trade for you and give the reason for every trade.')}
      </p>
      <ClaimCard />
      <div className="mt-4 flex flex-col gap-3 sm:flex-row sm:*:flex-1">
        <LinkButton href="/signup">{t('Start Trading Now')}</LinkButton>
        <LinkButton href="/login" look="outline">
          {t('I Have an Account')}
        </LinkButton>
      </div>
      <HowItWorks />
      <AppPicture />
      <SampleBot />
      <Evidence />
      <Features />
      <WhatItCosts />
      <Questions />
      <Indicators />
    </div>
  )
}

/** Explains the figures of the claim card, or why it has none, and links to all results. */
function Evidence() {
  const evidence = useEvidenceSummary().data
  return (
    <LandingPart title={t('Does it work?')}>
      <p className="mt-2 text-16 text-pretty text-ink2">
        {evidence?.state === 'none' && t('There are no results to show now.')}
        {evidence?.state !== 'none' &&
          t('Bots replayed over recorded prices, 12 months from every start date.')}{' '}
        {pricesNote(evidence)}
      </p>
      <Link
        href="/evidence"
        className="inline-flex min-h-12 items-center text-16 font-semibold text-accent underline"
      >
        {evidence?.state === 'none' ? t('Why there is no evidence here') : t('See all results')}
      </Link>{' '}
      <Link
        href="/track-record"
        className="inline-flex min-h-12 items-center text-16 font-semibold text-accent underline"
      >
        {t('Track record')}
      </Link>
    </LandingPart>
  )
}

function Features() {
  const licence = useConfig().data?.licence
  return (
    <ul className="mt-8 border-t border-hairline">
      <Feature icon={Bot} title={t('Automated Trading Bots')}>
        {t('Bots running 24/7, with a reason for every trade.')}
      </Feature>
      <Feature icon={Landmark} title={t('Secure & Licensed')}>
        {t('Bank-grade security: account numbers encrypted, no card details kept.')} {licence}
      </Feature>
      <Feature icon={Zap} title={t('Instant Results')}>
        {t(
          'Real-time profit tracking, losses included, after all costs. Tap any number to see the ledger entries behind it.',
        )}
      </Feature>
    </ul>
  )
}

function Feature({
  icon: Icon,
  title,
  children,
}: {
  icon: Icon
  title: string
  children: ReactNode
}) {
  return (
    <li className="flex gap-4 border-b border-hairline py-4">
      <Icon
        size={24}
        strokeWidth={1.75}
        aria-hidden="true"
        className="mt-0.5 shrink-0 text-accent"
      />
      <div>
        <h2 className="text-17 font-semibold">{title}</h2>
        <p className="text-16 text-pretty text-ink2">{children}</p>
      </div>
    </li>
  )
}
