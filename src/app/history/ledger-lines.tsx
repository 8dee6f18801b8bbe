import type { TransactionReceipt } from '#contract/transactions.ts'
import { msg, say, t } from '#words/words.ts'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'

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

type Way = { from: string; to: string }

const NAMES: Record<string, Way> = {
  'customer:cash': { from: msg('From your cash'), to: msg('To your cash') },
  'customer:hold': {
    from: msg('From money held for withdrawals'),
    to: msg('To money held for withdrawals'),
  },
  'customer:receivable': { from: msg('From what you owe'), to: msg('To what you owe') },
  bots: { from: msg('From your bots'), to: msg('To your bots') },
  venue: { from: msg('From the trading venue'), to: msg('To the trading venue') },
  'card:clearing': { from: msg('From the card provider'), to: msg('To the card provider') },
  'payout:clearing': {
    from: msg('From the payout on its way'),
    to: msg('To the payout on its way'),
  },
  bank: { from: msg('From your bank'), to: msg('To your bank') },
  'fees:income': { from: msg('From our fee'), to: msg('To our fee') },
  rounding: { from: msg('From rounding'), to: msg('To rounding') },
}

/**
 * Where a ledger line takes money from or puts it: 'To your bots'. An account without a name keeps
 * that of the ledger.
 */
export function lineName({ account, amount }: { account: string; amount: string }): string {
  const isFrom = amount.startsWith('-')
  const name = NAMES[account]
  if (name) return say(isFrom ? name.from : name.to)
  return t(isFrom ? 'From {account}' : 'To {account}', { account })
}
