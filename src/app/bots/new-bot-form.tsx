import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { Form } from '#app/ui/forms/form.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { AmountStep } from './amount-step.tsx'
import { problemsOf, suggestedAmount, type BotDraft } from './bot-draft.ts'
import { KindChoice } from './kind-choice.tsx'
import { LevelChoice } from './level-choice.tsx'
import { PairChips } from './pair-chips.tsx'
import { ProblemList } from './problem-list.tsx'
import { StepBar } from './step-bar.tsx'
import { StepHeading } from './step-heading.tsx'
import { useBotDraft } from './use-bot-draft.ts'
import { useCreation } from './use-creation.ts'
import { problemOf, useProblems } from './use-problems.ts'
import { COINS_STEP, LAST_STEP, useStep } from './use-step.ts'

/** `available` is the cash that can be invested, `taken` the names of the other bots. */
type Props = { available: string; taken: readonly string[]; onCreated: () => void }

/**
 * A new bot in three steps. Each begins with a suggestion, so that a newcomer can go on; nothing is
 * sent before the last.
 */
export function NewBotForm({ available, taken, onCreated }: Props) {
  const { step, next, back, open } = useStep()
  const { entered, isAmountOpen, change, clear } = useBotDraft(taken)
  const { form, problems, show, edited, focus } = useProblems()
  const { create, pending, error } = useCreation({
    onCreated: () => {
      clear()
      onCreated()
    },
    onRefused: (error) =>
      error instanceof ApiError &&
      show([{ title: '', description: error.message, field: error.field }]),
  })
  const edit = (part: Partial<BotDraft>) => {
    change(part)
    edited('savings' in part ? { planAmount: '', takeAbove: '' } : part)
  }
  const submit = () => {
    const found = problemsOf(entered, available).filter(
      ({ field }) => step === LAST_STEP || (step === COINS_STEP && field === 'tradingPairs'),
    )
    show(found)
    if (found[0]) return showToast({ ...found[0], tone: 'destructive' })
    if (step === LAST_STEP) return create(entered)
    if (step === COINS_STEP && isAmountOpen)
      change({ investmentAmount: suggestedAmount(available) })
    next()
  }
  return (
    <Form
      ref={form}
      data-draft
      autoComplete="off"
      onSubmit={submit}
      className="flex flex-col gap-5"
    >
      <StepHeading step={step} />
      {step === 1 && (
        <>
          <KindChoice value={entered.strategy} onChange={(strategy) => edit({ strategy })} />
          <LevelChoice value={entered} onChange={(riskLevel) => edit({ riskLevel })} />
        </>
      )}
      {step === COINS_STEP && (
        <PairChips
          value={entered.tradingPairs}
          error={problemOf(problems, 'tradingPairs')}
          onChange={(tradingPairs) => edit({ tradingPairs })}
        />
      )}
      {step === LAST_STEP && (
        <AmountStep bot={entered} available={available} problems={problems} onChange={edit} />
      )}
      <StepBar>
        <ProblemList
          problems={problems}
          onOpen={(field) =>
            field === 'tradingPairs' && step === LAST_STEP ? open(COINS_STEP) : focus(field)
          }
        />
        <FailureNote error={error} action="createBot" />
        <StepButtons step={step} pending={pending} onBack={back} />
      </StepBar>
    </Form>
  )
}

function StepButtons({
  step,
  pending,
  onBack,
}: {
  step: number
  pending: boolean
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
          <ActionButton type="submit" pending={pending} pendingLabel={t('Creating...')}>
            {t('Create Trading Bot')}
          </ActionButton>
        ) : (
          <Button type="submit">{t('Continue')}</Button>
        )}
      </div>
    </div>
  )
}
