import { sentenceOf } from '#contract/problem.ts'
import type { WithdrawalTerms } from '#contract/withdrawals.ts'
import { t, tCount } from '#words/words.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { useMoneyText } from '#app/ui/money/hidden-amount.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'

/** Holds shown one by one; one line counts the others. */
const MOST_LINES = 4

/** Why the whole balance cannot be withdrawn: a debt freezes withdrawals, or card deposits are still on hold. */
export function TermsNote({ terms: { owed, holds } }: { terms: WithdrawalTerms }) {
  if (owed !== '0.00') return <Frozen owed={owed} />
  return holds.length > 0 ? <Holds holds={holds} /> : null
}

function Frozen({ owed }: { owed: string }) {
  const moneyText = useMoneyText()
  return (
    <div role="status" className="rounded-control border border-warn px-4 py-3">
      <p className="text-16 font-semibold">{t('Withdrawals are paused')}</p>
      <p className="text-14 text-ink2">
        {sentenceOf({ code: 'withdrawals-frozen', values: { owed: moneyText({ amount: owed }) } })}
      </p>
    </div>
  )
}

function Holds({ holds }: { holds: WithdrawalTerms['holds'] }) {
  const { momentText } = useDates()
  const shown = holds.slice(0, MOST_LINES)
  const more = holds.length - shown.length
  return (
    <section aria-labelledby="on-hold">
      <h2 id="on-hold" className="text-16 font-semibold">
        {t('On hold')}
      </h2>
      <p className="mb-2 text-14 text-ink2">{t('You can trade with card deposits right away and withdraw them later.')}</p>
      <Receipt>
        {shown.map(({ amount, until }) => (
          <ReceiptLine key={until} label={t('Available {moment}', { moment: momentText(until) })}>
            <Money amount={amount} />
          </ReceiptLine>
        ))}
        {more > 0 && <ReceiptLine label={t('Later')}>{tCount(more, { one: '{count} more', other: '{count} more' })}</ReceiptLine>}
      </Receipt>
    </section>
  )
}
