import type { ReactNode } from 'react'
import { language } from '#words/language.ts'
import { say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Brand, PaperStamp } from '#app/shell/brand.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { reloadIn } from '#app/ui/device/leaving.ts'
import type { Icon } from '#app/ui/frame/drawn-icon.ts'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { Bot, ChevronRight, Landmark } from '#app/ui/frame/icons.ts'
import { Activity, LockKeyhole, Sparkles, Zap } from '#app/ui/frame/landing-icons.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { Percent } from '#app/ui/money/money.tsx'
import { BotAtWork } from './bot-at-work.tsx'
import { ClaimCard } from './claim-card.tsx'
import { questionsFor } from './landing-questions.ts'
import { marketNote } from './market-note.ts'
import { OtherLanguages } from './other-languages.tsx'
import { SampleBot } from './sample-bot.tsx'

/** Rendered by the server for visitors, so that it shows before the first script runs. */
export function LandingScreen() {
  return (
    <div className="flex min-h-dvh flex-col px-5 pt-4">
      <title>{t('Trading Bot')}</title>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3">
        <Brand />
        <PaperStamp />
      </header>
      <h1
        className={
          'mt-5 text-[2.125rem] leading-[1.1] ' +
          'font-semibold tracking-[-0.02em] ' +
          'text-balance'
        }
      >
        {t('AI-powered crypto trading')}
      </h1>
      <p className="mt-2 mb-4 text-16 text-pretty text-ink2">
        {t(
          'Trades follow fixed rules. A machine-learning model forecasts how far ' +
            'prices may move in a day, not where to.',
        )}
      </p>
      <ClaimCard />
      <div className="mt-4 flex flex-col gap-3 sm:flex-row sm:*:flex-1">
        <LinkButton href="/signup">{t('Start Trading Now')}</LinkButton>
        <LinkButton href="/login" look="outline">
          {t('I Have an Account')}
        </LinkButton>
      </div>
      <Features />
      <LandingDoor title={t('How it works')}>
        <HowItWorks />
        <SampleBot />
        <AppPicture />
      </LandingDoor>
      <Costs />
      <LandingDoor title={t('Questions')}>
        <Questions />
      </LandingDoor>
      <Indicators />
    </div>
  )
}

function Features() {
  const licence = useConfig().data?.licence
  return (
    <ul className="mt-6 border-t border-hairline">
      <Feature icon={Bot} title={t('Automated Trading Bots')} text={t('Bots running 24/7.')}>
        <BotAtWork />
      </Feature>
      <Feature
        icon={Landmark}
        title={t('Secure & Licensed')}
        text={`${t('Bank-grade security: account numbers encrypted.')} ${licence ?? ''}`}
      />
      <Feature
        icon={Zap}
        title={t('Instant Results')}
        text={t('Real-time profit tracking, losses included.')}
      />
    </ul>
  )
}

function Feature({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon: Icon
  title: string
  text: string
  children?: ReactNode
}) {
  return (
    <li className="flex gap-4 border-b border-hairline py-3">
      <Icon
        size={24}
        strokeWidth={1.75}
        aria-hidden="true"
        className="mt-0.5 shrink-0 text-accent"
      />
      <div className="min-w-0 grow text-16">
        <h2 className="text-17 font-semibold">{title}</h2>
        <p className="text-pretty text-ink2">{text}</p>
        {children}
      </div>
    </li>
  )
}

function LandingDoor({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Disclosure size="text-17" summary={<h2>{title}</h2>}>
      <div className="pb-5">{children}</div>
    </Disclosure>
  )
}

function HowItWorks() {
  const isLive = useConfig().data?.book === 'live'
  const steps = [
    isLive
      ? { title: t('Add money'), text: t('By card.') }
      : { title: t('Add paper money'), text: t('With a test card: no real money.') },
    { title: t('Create a bot'), text: t('Its risk, its coins, an amount.') },
    {
      title: t('Watch it trade'),
      text: t(
        'With a reason for every trade, losses included. Pause it or take money out at any time.',
      ),
    },
  ]
  return (
    <ol className="mt-2 grid gap-4">
      {steps.map(({ title, text }, index) => (
        <li key={title} className="flex gap-4">
          <span
            aria-hidden="true"
            className={
              'flex size-8 shrink-0 items-center justify-center rounded-full bg-raised ' +
              'text-16 font-semibold'
            }
          >
            {index + 1}
          </span>
          <div>
            <h3 className="text-17 font-semibold">{title}</h3>
            <p className="text-16 text-pretty text-ink2">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}

function Costs() {
  const config = useConfig().data
  if (!config) return null
  return (
    <LandingDoor title={t('Costs')}>
      <dl className="border-t border-hairline">
        <Cost name={t('Our fee')} amount={<Percent value={config.feePercentage} sign="never" />}>
          {t('Of the profit that you take out of a bot.')}
        </Cost>
        <Cost name={t('Trading fees')} amount={<Percent value={config.tradingFee} sign="never" />}>
          {t('Of each trade. Spread and slippage make prices slightly worse.')}
        </Cost>
        <Cost name={t('Everything else')} amount={t('No fee')}>
          {t('Deposits and withdrawals are free.')}
        </Cost>
      </dl>
    </LandingDoor>
  )
}

function Cost({
  name,
  amount,
  children,
}: {
  name: string
  amount: ReactNode
  children: ReactNode
}) {
  return (
    <div className="border-b border-hairline py-3">
      <dt className="flex flex-wrap justify-between gap-x-3 text-17 font-semibold">
        {name}
        <span>{amount}</span>
      </dt>
      <dd className="text-16 text-pretty text-ink2">{children}</dd>
    </div>
  )
}

/**
 * A screenshot of Home, taken by `npx node scripts/take-app-screenshots.ts`. Its size is fixed, so
 * that nothing moves when it arrives; it is loaded when it comes near the screen.
 */
function AppPicture() {
  const theme = useDeviceFact({
    onDevice: () => document.documentElement.dataset['theme'] ?? 'system',
    onPage: (page) => page.theme,
  })
  const name = language() === 'en' ? 'landing' : `landing-${language()}`
  return (
    <figure className="mt-10 flex flex-col items-center">
      <picture>
        {theme === 'system' && (
          <source media="(prefers-color-scheme: dark)" srcSet={`/screenshots/${name}-dark.webp`} />
        )}
        <img
          src={`/screenshots/${name}-${theme === 'dark' ? 'dark' : 'light'}.webp`}
          width={280}
          height={520}
          loading="lazy"
          decoding="async"
          alt={t(
            'Home in the app: a sample account with its total balance, Deposit and ' +
              'Withdraw. Its chart over 19 days shows a drop and a recovery.',
          )}
          className="rounded-sheet border border-control"
        />
      </picture>
      <figcaption className="mt-3 max-w-70 text-14 text-pretty text-ink2">
        {t('Home, with a sample account: paper money on a simulated market.')}
      </figcaption>
    </figure>
  )
}

function Indicators() {
  const config = useConfig().data
  return (
    <footer className="mt-auto pt-6">
      <ul className="grid gap-3 sm:grid-cols-3">
        <Indicator icon={Activity} name={t('Live Trading')}>
          {config && <p>{marketNote(config)}</p>}
        </Indicator>
        <Indicator icon={LockKeyhole} name={t('Secure')} />
        <Indicator
          icon={Sparkles}
          name={
            <Link
              href="/forecasts"
              className="-my-3 inline-flex min-h-12 min-w-12 items-center underline"
            >
              {t('AI Powered')}
            </Link>
          }
        />
      </ul>
      <OtherLanguages choose={reloadIn} />
    </footer>
  )
}

function Indicator({
  icon: Icon,
  name,
  children,
}: {
  icon: Icon
  name: ReactNode
  children?: ReactNode
}) {
  return (
    <li className="flex gap-2 text-14 text-ink2">
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div>
        <p className="font-semibold text-ink">{name}</p>
        {children}
      </div>
    </li>
  )
}

function Questions() {
  const book = useConfig().data?.book ?? 'paper'
  return (
    <>
      {questionsFor(book).map(({ question, answer }) => (
        <Disclosure key={question} summary={say(question)}>
          <p className="pb-4 text-16 text-pretty text-ink2">
            {answer.map((passage) => say(passage)).join(' ')}
          </p>
        </Disclosure>
      ))}
      <ul>
        {[
          ['/evidence', t('All past results')] as const,
          ['/forecasts', t('Range forecasts and their scores')] as const,
          ['/help', t('Ask something else')] as const,
        ].map(([href, name]) => (
          <li key={href} className="border-b border-hairline last:border-b-0">
            <Link
              href={href}
              className="flex min-h-12 items-center justify-between text-16 font-semibold"
            >
              {name}
              <ChevronRight size={20} strokeWidth={1.75} aria-hidden="true" className="text-ink2" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
