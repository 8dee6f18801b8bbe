import type { TransactionReceipt } from '#contract/transactions.ts'
import { t } from '#words/words.ts'
import { Money } from '#app/ui/money/money.tsx'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { lineName } from './account-name.ts'

/**
 * The booked amounts, from where to where. Whatever leaves one account arrives on another: the
 * lines sum to zero.
 */
export function LedgerLines({
  lines,
  exact,
}: {
  lines: TransactionReceipt['lines']
  exact: boolean
}) {
  if (lines.length === 0) return null
  const dollars = lines.filter(({ asset }) => asset === 'USD')
  return (
    <>
      <h3 className="mt-5 text-17 font-semibold">{t('Ledger lines')}</h3>
      <Receipt>
        {lines.map(({ account, asset, amount, at }, place) => (
          <ReceiptLine
            key={`${place}${account}${asset}${at}`}
            label={lineName({ account, amount })}
          >
            <Money
              amount={amount}
              asset={asset}
              sign="always"
              precision={exact || !isWholeCents(amount) ? 'exact' : 'cents'}
            />
          </ReceiptLine>
        ))}
        {dollars.length > 1 && (
          <ReceiptLine kind="total" label={t('Sum of the dollar lines')}>
            <Money amount={sumOf(...dollars.map(({ amount }) => amount))} />
          </ReceiptLine>
        )}
      </Receipt>
    </>
  )
}

const isWholeCents = (amount: string): boolean => /^-?\d+(\.\d\d0*)?$/.test(amount)
