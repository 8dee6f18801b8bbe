import type { RecordGap } from '#contract/track-record.ts'
import { signOf } from '#core/money/text.ts'
import { msg, say, t } from '#words/words.ts'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { bpsText } from './record-text.ts'

const PARTS = [
  ['fee', msg('Fee')],
  ['spread', msg('Spread')],
  ['delay', msg('Delay')],
  ['missed', msg('Missed')],
] as const satisfies readonly (readonly [keyof RecordGap, string])[]

/**
 * Why the result here differs from the backtest's. Interest and rounding stand there only where
 * there is some.
 */
export function GapReceipt({ gap }: { gap: RecordGap }) {
  return (
    <Receipt>
      {PARTS.map(([part, name]) => (
        <ReceiptLine key={part} label={say(name)}>
          {bpsText(gap[part])}
        </ReceiptLine>
      ))}
      {signOf(gap.interest) !== 0 && (
        <ReceiptLine label={t('Interest on cash')}>{bpsText(gap.interest)}</ReceiptLine>
      )}
      {signOf(gap.rounding) !== 0 && (
        <ReceiptLine label={t('Rounding')}>{bpsText(gap.rounding)}</ReceiptLine>
      )}
      <ReceiptLine label={t('Gap to the backtest')} kind="total">
        {bpsText(gap.total)}
      </ReceiptLine>
    </Receipt>
  )
}
