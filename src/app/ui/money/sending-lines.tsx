import { expectedArrival } from '#core/withdrawals/arrival.ts'
import { t } from '#words/words.ts'
import { useDates, utcDayText } from '#app/ui/device/dates.ts'
import { ReceiptLine } from '#app/ui/money/receipt.tsx'

/**
 * `sendsAfterMs`: until when a withdrawal is not sent; null if it need not wait. `requestedMs`:
 * when it is, or was, requested.
 */
type Props = { sendsAfterMs: number | null; requestedMs: number }

/**
 * When a withdrawal is sent, and when it reaches the bank: the same lines on the review and on the
 * receipt.
 */
export function SendingLines({ sendsAfterMs, requestedMs }: Props) {
  const { momentText } = useDates()
  const { first, last } = expectedArrival(Math.max(sendsAfterMs ?? 0, requestedMs))
  return (
    <>
      {sendsAfterMs !== null && (
        <ReceiptLine label={t('Will be sent after')}>
          {momentText(new Date(sendsAfterMs).toISOString())}
        </ReceiptLine>
      )}
      <ReceiptLine label={t('Arrival')}>
        {t('{first} to {last}', {
          first: utcDayText(first.toISOString()),
          last: utcDayText(last.toISOString()),
        })}
      </ReceiptLine>
    </>
  )
}
