import { useState, type SubmitEvent } from 'react'
import { refusalOf, type ShownRefusal } from '#contract/problem.ts'
import { checkBotName, checkInvestment, checkPairs } from '#core/bots/bot.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { newAttemptKey } from '#app/api/attempt-key.ts'
import { useCreateBot } from '#app/api/queries.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { AmountField } from '#app/ui/forms/amount-field.tsx'
import { readAmount } from '#app/ui/money/amount-text.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { Money } from '#app/ui/money/money.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { BacktestPreview } from './backtest-preview.tsx'
import { FeeExample } from './fee-example.tsx'
import { PairChips } from './pair-chips.tsx'
import { RiskChoice } from './risk-choice.tsx'

type Draft = { name: string; riskLevel: RiskLevel; tradingPairs: readonly Pair[]; investmentAmount: string }

const EMPTY: Draft = { name: '', riskLevel: 'moderate', tradingPairs: [], investmentAmount: '' }

/** `available` is the cash that can be invested. */
export function CreateBotForm({ available }: { available: string }) {
  const [draft, setDraft] = useState(EMPTY)
  const [refusal, setRefusal] = useState<ShownRefusal>()
  const { create, pending } = useCreation(() => {
    setDraft(EMPTY)
    window.scrollTo(0, 0)
  })
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    setRefusal(undefined)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const found = refusalOf(() => checkDraft(draft, available))
    setRefusal(found)
    if (found) showToast({ ...found, tone: 'destructive' })
    else create(draft)
  }
  const errorOf = (field: keyof Draft) => (refusal?.field === field ? refusal.description : undefined)
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-6">
      <TextField
        label="Bot name"
        name="name"
        maxLength={50}
        autoComplete="off"
        value={draft.name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <RiskChoice value={draft.riskLevel} onChange={(riskLevel) => change({ riskLevel })} />
      <PairChips value={draft.tradingPairs} error={errorOf('tradingPairs')} onChange={(tradingPairs) => change({ tradingPairs })} />
      <AmountField
        label="Investment amount"
        name="investmentAmount"
        value={draft.investmentAmount}
        error={errorOf('investmentAmount')}
        onChange={(investmentAmount) => change({ investmentAmount })}
        hint={
          <>
            Available balance: <Money amount={available} />
          </>
        }
      />
      <BacktestPreview {...draft} />
      <FeeExample />
      <ActionButton type="submit" pending={pending} pendingLabel="Creating...">
        Create Trading Bot
      </ActionButton>
    </form>
  )
}

/** Refuses the first input at fault. The server alone knows which pairs have a market now. */
function checkDraft({ name, tradingPairs, investmentAmount }: Draft, available: string): void {
  checkBotName(name)
  checkPairs(tradingPairs, PAIRS)
  checkInvestment({ amount: parseDecimal(readAmount(investmentAmount) ?? ''), available: decimalToUnits(available) })
}

/** One attempt key per draft: pressing again after a lost response creates no second bot. */
function useCreation(onCreated: () => void) {
  const mutation = useCreateBot()
  const [attempt, setAttempt] = useState({ key: newAttemptKey(), of: '' })
  const create = ({ name, riskLevel, tradingPairs, investmentAmount }: Draft) => {
    const body = { name: name.trim(), riskLevel, tradingPairs: [...tradingPairs], investmentAmount: readAmount(investmentAmount) ?? '' }
    const of = JSON.stringify(body)
    const idempotencyKey = attempt.of === of ? attempt.key : newAttemptKey()
    setAttempt({ key: idempotencyKey, of })
    mutation.mutate(
      { body, idempotencyKey },
      {
        onSuccess: (bot) => {
          setAttempt({ key: newAttemptKey(), of: '' })
          showToast({ title: 'Bot Created', description: `${bot.name} enters the market at the next price.` })
          onCreated()
        },
        onError: (error) => showFailure(error, { title: 'Failed to Create Bot', description: 'Failed to create trading bot.' }),
      },
    )
  }
  return { create, pending: mutation.isPending }
}
