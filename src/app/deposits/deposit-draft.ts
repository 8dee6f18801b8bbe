import { refusalOf, type ShownRefusal } from '#contract/problem.ts'
import { checkDeposit } from '#core/deposits/deposit.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { useDraft } from '#app/api/drafts.ts'
import { useConfig } from '#app/api/queries.ts'
import { keptAmount, readAmount, typedAmount } from '#app/ui/money/typed-amount.ts'

type Limits = { minimum: string; maximum: string }

/**
 * The deposit being made, kept over Back, Forward and a reload: the amount as typed, the key under
 * which its payment was prepared, and the payment that was sent and has no known outcome yet.
 */
export function useDepositDraft() {
  const [{ typed: kept = '', key = '', paying = '' }, change] = useDraft('deposit')
  const typed = typedAmount(kept)
  const limits: Limits = useConfig().data?.deposit ?? { minimum: '10', maximum: '10000' }
  const refusal = refuse(typed, limits)
  return {
    typed,
    type: (next: string) => change({ typed: keptAmount(next) }),
    limits,
    refusal,
    amount: refusal ? undefined : readAmount(typed),
    key,
    setKey: (next: string) => change({ key: next }),
    paying: paying === '' ? undefined : paying,
    setPaying: (intentId: string | undefined) => change({ paying: intentId ?? '' }),
    drop: () => change(),
  }
}

function refuse(typed: string, { minimum, maximum }: Limits): ShownRefusal | undefined {
  const amount = parseDecimal(readAmount(typed) ?? '')
  return refusalOf(() =>
    checkDeposit(amount, { minimum: decimalToUnits(minimum), maximum: decimalToUnits(maximum) }),
  )
}
