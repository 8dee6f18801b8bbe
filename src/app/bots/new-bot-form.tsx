import { useEffect, useRef, type ReactNode } from 'react'
import type { Bot } from '#contract/bots.ts'
import { tidyName } from '#core/one-line.ts'
import { BALANCED_DRIFT_POINTS } from '#core/strategy/balanced-share.ts'
import { STRATEGIES, type StrategyKind } from '#core/strategy/strategy-key.ts'
import { kindTitle } from '#words/kind-names.ts'
import { msg, say, t } from '#words/words.ts'
import { useCreateBot } from './bot-queries.ts'
import {
  Form,
  Submit,
  useForm,
  type Checks,
  type FieldErrors,
  type FormState,
} from '#app/api/form.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { measureBar } from '#app/ui/frame/measure-bar.ts'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { AmountStep } from './amount-step.tsx'
import { sentChoice, type BotDraft, type EnteredBot } from './bot-draft.ts'
import { botChecks, type BotField } from './bot-checks.ts'
import { suggestedAmount } from './clone-bot.ts'
import { sentGuards } from './guard-draft.ts'
import { LevelChoice } from './level-choice.tsx'
import { PairChips } from './pair-chips.tsx'
import { isPlan, sentPlan } from './plan-input.ts'
import { COINS_STEP, LAST_STEP, useBotDraft, useStep } from './use-bot-draft.ts'

/** `available`: the cash that can be invested. `taken`: the names of the other bots. */
type Props = { available: string; taken: readonly string[]; onCreated: (bot: Bot) => void }

export function NewBotForm({ available, taken, onCreated }: Props) {
  const { step, next, back, open } = useStep()
  const { entered, isAmountOpen, change, clear } = useBotDraft(taken)
  const create = useCreateBot()
  const form = useForm({
    action: 'createBot',
    alwaysToasts: true,
    request: create,
    read: () => entered,
    check: (bot) => checksOfStep(step, botChecks(bot, available)),
    send: (bot, idempotencyKey) => {
      if (step === LAST_STEP) return create.mutateAsync({ body: bodyOf(bot), idempotencyKey })
      if (step === COINS_STEP && isAmountOpen)
        change({ investmentAmount: suggestedAmount(available) })
      return next()
    },
    onDone: (bot) => {
      showToast({
        title: t('Bot Created'),
        description: t('{bot} starts trading at the next price.', { bot: bot.name }),
      })
      clear()
      onCreated(bot)
    },
  })
  const edit = (part: Partial<BotDraft>) => {
    change(part)
    form.edited(...(Object.keys(part) as BotField[]))
  }
  return (
    <Form form={form} data-draft autoComplete="off" className="flex flex-col gap-5">
      <StepHeading step={step} />
      <StepFields {...{ step, available }} errors={form.errors} bot={entered} onChange={edit} />
      <StepBar>
        <ProblemList
          errors={form.errors}
          onOpen={(field) =>
            field === 'tradingPairs' && step === LAST_STEP ? open(COINS_STEP) : form.focus(field)
          }
        />
        <StepButtons step={step} form={form} onBack={back} />
      </StepBar>
    </Form>
  )
}

function checksOfStep(step: number, checks: Checks<BotField>): Checks<BotField> {
  if (step === LAST_STEP) return checks
  return step === COINS_STEP ? { tradingPairs: checks.tradingPairs } : {}
}

function bodyOf({ name, tradingPairs, investmentAmount, guards, savings, ...choice }: EnteredBot) {
  return {
    name: tidyName(name),
    ...sentChoice(choice),
    tradingPairs: [...tradingPairs],
    investmentAmount: readAmount(investmentAmount) ?? '',
    ...sentGuards(guards),
    ...(isPlan(savings) && { plan: sentPlan(savings) }),
  }
}

function StepFields({
  step,
  bot,
  available,
  errors,
  onChange,
}: Parameters<typeof AmountStep>[0] & { step: number }) {
  if (step === LAST_STEP) return <AmountStep {...{ bot, available, errors, onChange }} />
  if (step === COINS_STEP)
    return (
      <PairChips
        value={bot.tradingPairs}
        error={errors.tradingPairs}
        onChange={(tradingPairs) => onChange({ tradingPairs })}
      />
    )
  return (
    <>
      <KindChoice value={bot.strategy} onChange={(strategy) => onChange({ strategy })} />
      <LevelChoice value={bot} onChange={(riskLevel) => onChange({ riskLevel })} />
    </>
  )
}

function StepButtons({
  step,
  form,
  onBack,
}: {
  step: number
  form: FormState<EnteredBot, BotField>
  onBack: () => void
}) {
  return (
    <div className="flex flex-wrap gap-3">
      {step > 1 && (
        <Button look="outline" onClick={onBack}>
          {t('Back')}
        </Button>
      )}
      <div className="grid flex-[1_1_10rem] gap-2">
        {step === LAST_STEP ? (
          <Submit form={form} pendingLabel={t('Creating...')}>
            {t('Create Trading Bot')}
          </Submit>
        ) : (
          <Button type="submit">{t('Continue')}</Button>
        )}
      </div>
    </div>
  )
}

const NAMED = [
  { field: 'name', name: msg('Bot name') },
  { field: 'tradingPairs', name: msg('Trading pairs') },
  { field: 'investmentAmount', name: msg('Investment amount') },
] as const

function ProblemList({
  errors,
  onOpen,
}: {
  errors: FieldErrors<BotField>
  onOpen: (field: BotField) => void
}) {
  const fields = NAMED.filter(({ field }) => errors[field] !== undefined)
  if (fields.length === 0) return null
  return (
    <div
      role="group"
      aria-label={t('Please check')}
      data-problems
      className="flex flex-wrap items-center gap-x-3 text-14 text-loss"
    >
      <span aria-hidden="true">{t('Please check:')}</span>
      {fields.map(({ field, name }) => (
        <button
          key={field}
          type="button"
          onClick={() => onOpen(field)}
          className="min-h-12 rounded-control font-semibold underline underline-offset-[0.2em]"
        >
          {say(name)}
        </button>
      ))}
    </div>
  )
}

/**
 * A bar fixed at the lower edge, above the tabs if there are any. If large text makes it taller
 * than half of the window, it is placed at the end of the step instead.
 */
function StepBar({ children }: { children: ReactNode }) {
  return (
    <div
      ref={measureBar}
      className={
        'sticky bottom-[min(var(--tabs),50dvh_-_var(--bar))] z-20 -mx-5 flex flex-col gap-3 ' +
        'border-t border-hairline bg-paper px-5 pt-3 pb-[calc(var(--foot)+0.75rem)]'
      }
    >
      {children}
    </div>
  )
}

const HEADINGS = [msg('How much risk?'), msg('Which coins?'), msg('Name and amount')]

/** A step that replaces another takes the focus, because the focused element is gone. */
function StepHeading({ step }: { step: number }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    // Not if the focus is elsewhere, as after creating a bot, which also ends with the first step.
    const { activeElement } = document
    if (
      activeElement !== document.body &&
      !heading.current?.closest('form')?.contains(activeElement)
    )
      return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [step])
  return (
    <div>
      <div aria-hidden="true" className="mb-3 grid grid-flow-col gap-1.5">
        {HEADINGS.map((text, index) => (
          <span
            key={text}
            className={
              'h-1 rounded-full forced-color-adjust-none ' +
              (index < step ? 'bg-accent' : 'bg-hairline')
            }
          />
        ))}
      </div>
      <p className="text-14 text-ink2">{t('Step {step} of {last}', { step, last: LAST_STEP })}</p>
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 text-20 font-semibold outline-none">
        {say(HEADINGS[step - 1] ?? '')}
      </h2>
    </div>
  )
}

const SENTENCES: Record<Exclude<StrategyKind, 'balanced'>, string> = {
  trend: msg(
    "Buys when a coin's price starts to rise and sells when the rise ends. Holds " +
      'cash the rest of the time.',
  ),
  hold: msg(
    'Buys your coins once and keeps them. It never sells by itself, however far they fall.',
  ),
}

function KindChoice({
  value,
  onChange,
}: {
  value: StrategyKind
  onChange: (strategy: StrategyKind) => void
}) {
  return (
    <div className="flex flex-col gap-2">
      <ChoiceRow
        label={t('Kind of bot')}
        choices={STRATEGIES.map((strategy) => ({ text: kindTitle(strategy), value: strategy }))}
        chosen={value}
        onChoose={onChange}
        hasWords
        isLabelShown
      />
      <p className="text-14 text-ink2">{sentenceOf(value)}</p>
    </div>
  )
}

function sentenceOf(kind: StrategyKind): string {
  if (kind !== 'balanced') return say(SENTENCES[kind])
  return t(
    'Keeps a fixed share of the money in your coins and the rest in cash. When prices move that share by {points} points, the bot restores it.',
    { points: BALANCED_DRIFT_POINTS },
  )
}
