import { refusalOf } from '#contract/problem.ts'
import { checkDeposit } from '#core/deposits/deposit.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { useDraft } from '#app/api/drafts.ts'
import { useConfig } from '#app/api/queries.ts'
import { keptAmount, readAmount, typedAmount } from '#app/ui/money/typed-amount.ts'

type Limits = { minimum: string; maximum: string }

/**
 * The deposit being made, which survives Back, Forward and a reload: the amount as typed, the key
 * under which its payment was prepared, and a payment that was sent and whose outcome is unknown.
 */
export function useDepositDraft() {
  const [{ typed: kept = '', key = '', paying = '' }, change] = useDraft('deposit')
  const typed = typedAmount(kept)
  const limits: Limits = useConfig().data?.deposit ?? { minimum: '10', maximum: '10000' }
  const check = () => checkTyped(typed, limits)
  return {
    typed,
    type: (next: string) => change({ typed: keptAmount(next) }),
    limits,
    check,
    amount: refusalOf(check) ? undefined : readAmount(typed),
    key,
    setKey: (next: string) => change({ key: next }),
    paying: paying === '' ? undefined : paying,
    setPaying: (intentId: string | undefined) => change({ paying: intentId ?? '' }),
    drop: () => change(),
  }
}

function checkTyped(typed: string, { minimum, maximum }: Limits): void {
  checkDeposit(parseDecimal(readAmount(typed) ?? ''), {
    minimum: decimalToUnits(minimum),
    maximum: decimalToUnits(maximum),
  })
}
