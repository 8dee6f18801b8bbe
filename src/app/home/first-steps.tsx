import type { ReactNode } from 'react'
import type { Bot } from '#contract/bots.ts'
import type { Portfolio } from '#contract/market.ts'
import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Button, LinkButton } from '#app/ui/buttons/button.tsx'
import { Check } from '#app/ui/frame/icons.ts'
import { CONTENT } from '#app/ui/frame/screen-frame.tsx'
import { cookieSwitch } from '#app/ui/device/hidden-balance.ts'

const ORDER = ['deposit', 'bot', 'watch'] as const
type FirstStep = (typeof ORDER)[number]

/**
 * The way to the first trade, until it is made. The last step can be dismissed: a trend may take
 * days to come.
 */
export function FirstSteps({ portfolio }: { portfolio: Portfolio | undefined }) {
  const { hidden } = useHiddenFirstSteps()
  const isLive = useConfig().data?.book === 'live'
  const step = portfolio?.firstStep ?? null
  if (!portfolio || step === null || (step === 'watch' && hidden)) return null
  const texts = textsOf({ isLive, bot: portfolio.bots[0] })
  return (
    <section aria-labelledby="first-steps" className="px-5 pt-6">
      <div className="rounded-sheet border border-hairline bg-surface p-5">
        <h2 id="first-steps" className="text-20 font-semibold">
          {t('Three steps to your first trade')}
        </h2>
        <ol className="mt-3 mb-4 grid gap-3">
          {ORDER.map((name, index) => (
            <Step
              key={name}
              number={index + 1}
              state={stateOf(name, step)}
              title={texts[name].title}
            >
              {texts[name].hint}
            </Step>
          ))}
        </ol>
        <NextAction step={step} bot={portfolio.bots[0]} label={texts[step].title} />
      </div>
    </section>
  )
}

function textsOf({
  isLive,
  bot,
}: {
  isLive: boolean
  bot: Bot | undefined
}): Record<FirstStep, { title: string; hint: string }> {
  return {
    deposit: isLive
      ? { title: t('Add money'), hint: t('By card. You can withdraw what no bot uses.') }
      : { title: t('Add paper money'), hint: t('With a test card. No real money moves.') },
    bot: { title: t('Pick a risk'), hint: t('Choose its risk, its coins and an amount.') },
    watch: {
      title: t('Watch it trade'),
      hint: bot?.doing ?? t('It gives a reason for every trade.'),
    },
  }
}

type StepState = 'done' | 'now' | 'later'

function stateOf(name: FirstStep, next: FirstStep): StepState {
  const distance = ORDER.indexOf(name) - ORDER.indexOf(next)
  if (distance === 0) return 'now'
  return distance < 0 ? 'done' : 'later'
}

const MARKS: Record<StepState, string> = {
  done: 'border-gain text-gain',
  now: 'border-accent text-accent',
  later: 'border-control text-ink2',
}

function Step({
  number,
  state,
  title,
  children,
}: {
  number: number
  state: StepState
  title: string
  children: ReactNode
}) {
  return (
    <li className="flex gap-3" aria-current={state === 'now' ? 'step' : undefined}>
      <span
        className={
          'grid size-7 shrink-0 place-items-center rounded-full border-[1.5px] text-14 ' +
          `font-semibold ${MARKS[state]}`
        }
      >
        {state === 'done' ? (
          <Check size={16} strokeWidth={2.5} role="img" aria-label={t('Done|step')} />
        ) : (
          number
        )}
      </span>
      <span className="min-w-0 pt-0.5">
        <span className={`block text-16 ${state === 'now' ? 'font-semibold' : 'text-ink2'}`}>
          {title}
        </span>
        {state === 'now' && <span className="block text-14 text-ink2">{children}</span>}
      </span>
    </li>
  )
}

function NextAction({
  step,
  bot,
  label,
}: {
  step: FirstStep
  bot: Bot | undefined
  label: string
}) {
  const { hide } = useHiddenFirstSteps()
  if (step !== 'watch') {
    return (
      <LinkButton href={step === 'deposit' ? '/deposit' : '/bot-config/new'} className="w-full">
        {label}
      </LinkButton>
    )
  }
  const dismiss = () => {
    hide()
    // The button disappears and would take the focus with it.
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

const { useSwitch, turn } = cookieSwitch({
  name: 'first-steps',
  value: 'hidden',
  onPage: ({ hidesFirstSteps }) => hidesFirstSteps,
})

function useHiddenFirstSteps(): { hidden: boolean; hide: () => void } {
  return { hidden: useSwitch(), hide: () => turn(true) }
}
