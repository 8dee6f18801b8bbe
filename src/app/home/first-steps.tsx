import { lazy, Suspense, type ReactNode } from 'react'
import type { Bot } from '#contract/bots.ts'
import type { Portfolio } from '#contract/market.ts'
import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Button, LinkButton } from '#app/ui/buttons/button.tsx'
import { CONTENT } from '#app/ui/frame/screen-frame.tsx'
import { cookieSwitch } from '#app/ui/device/hidden-balance.ts'
import { StartNow } from './start-now.tsx'

const ORDER = ['deposit', 'bot', 'watch'] as const
type FirstStep = (typeof ORDER)[number]

const StartOutcome = lazy(async () => ({
  default: (await import('./start-outcome.tsx')).StartOutcome,
}))

/**
 * Created once, because a new element would replace the server's markup before its code has loaded.
 */
const OUTCOME = (
  <Suspense fallback={<span className="block min-h-42" />}>
    <StartOutcome />
  </Suspense>
)

/**
 * The steps to the first trade. With a test card, one press takes all of them. The last step can be
 * dismissed, because a trend may take days to appear.
 */
export function FirstSteps({ portfolio }: { portfolio: Portfolio | undefined }) {
  const hidden = useHiddenSteps()
  const provider = useConfig().data?.payments.provider
  const step = portfolio?.firstStep ?? null
  if (!portfolio || step === null || (step === 'watch' && hidden)) return null
  if (step === 'deposit' && provider === 'sandbox')
    return (
      <FirstCard title={t('See a bot trade')} text={OUTCOME}>
        <StartNow />
      </FirstCard>
    )
  const bot = portfolio.bots[0]
  return (
    <FirstCard
      title={t('Three steps to your first trade')}
      text={`${t('Step {step} of {last}', {
        step: ORDER.indexOf(step) + 1,
        last: ORDER.length,
      })}. ${hintOf(step, bot)}`}
    >
      <NextAction step={step} bot={bot} />
    </FirstCard>
  )
}

function FirstCard({
  title,
  text,
  children,
}: {
  title: string
  text: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-labelledby="first-steps" className="px-5 pt-6">
      <div className="rounded-sheet border border-hairline bg-surface p-5">
        <h2 id="first-steps" className="text-20 font-semibold">
          {title}
        </h2>
        <p className="mt-1 mb-4 text-16 text-ink2">{text}</p>
        {children}
      </div>
    </section>
  )
}

function hintOf(step: FirstStep, bot: Bot | undefined): string {
  if (step === 'deposit') return t('By card. You can withdraw what no bot uses.')
  if (step === 'bot') return t('Choose its risk, its coins and an amount.')
  return bot?.doing ?? t('It gives a reason for every trade.')
}

function NextAction({ step, bot }: { step: FirstStep; bot: Bot | undefined }) {
  if (step !== 'watch')
    return (
      <LinkButton href={step === 'deposit' ? '/deposit' : '/bot-config/new'} className="w-full">
        {step === 'deposit' ? t('Add money') : t('Pick a risk')}
      </LinkButton>
    )
  const dismiss = () => {
    hideSteps(true)
    // Moves the focus, because the button disappears and would take it along.
    document.getElementById(CONTENT)?.focus()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      {bot && (
        <LinkButton href={`/bot-config/${bot.id}`} look="outline" className="flex-1">
          {t('Open {bot}', { bot: bot.name })}
        </LinkButton>
      )}
      <Button look="quiet" onClick={dismiss}>
        {t('Dismiss|steps')}
      </Button>
    </div>
  )
}

const { useSwitch: useHiddenSteps, turn: hideSteps } = cookieSwitch({
  name: 'first-steps',
  value: 'hidden',
  onPage: ({ hidesFirstSteps }) => hidesFirstSteps,
})
