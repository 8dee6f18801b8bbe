import type { WithdrawalTerms } from '#contract/withdrawals.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'

/** Holds shown one by one; the rest is one line. */
const MOST_LINES = 4

/** Why not all of the balance can be withdrawn: a debt that freezes withdrawals, or card money that is still on hold. */
export function TermsNote({ terms: { owed, holds } }: { terms: WithdrawalTerms }) {
  if (owed !== '0.00') return <Frozen owed={owed} />
  return holds.length > 0 ? <Holds holds={holds} /> : null
}

function Frozen({ owed }: { owed: string }) {
  return (
    <div role="status" className="rounded-control border border-warn px-4 py-3">
      <p className="text-16 font-semibold">Withdrawals are paused</p>
      <p className="text-14 text-ink2">
        A card payment of yours was refunded or disputed after its money was used. <Money amount={owed} className="font-semibold text-ink" /> is
        still open: a deposit, or money that your bots return, pays it back.
      </p>
    </div>
  )
}

function Holds({ holds }: { holds: WithdrawalTerms['holds'] }) {
  const { momentText } = useDates()
  const shown = holds.slice(0, MOST_LINES)
  return (
    <section aria-labelledby="on-hold">
      <h2 id="on-hold" className="text-16 font-semibold">
        On hold
      </h2>
      <p className="mb-2 text-14 text-ink2">Card deposits can be traded at once and withdrawn later.</p>
      <Receipt>
        {shown.map(({ amount, until }) => (
          <ReceiptLine key={until} label={`From ${momentText(until)}`}>
            <Money amount={amount} />
          </ReceiptLine>
        ))}
        {holds.length > shown.length && <ReceiptLine label="Later">{`${holds.length - shown.length} more`}</ReceiptLine>}
      </Receipt>
    </section>
  )
}
