import { Eye, EyeOff, ReceiptText } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Balances } from '#contract/wire.ts'
import { shownPortfolio, type PortfolioResult, type Range } from '#app/api/queries.ts'
import { IconButton } from '#app/ui/buttons/icon-button.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { BalanceTrace } from './balance-trace.tsx'
import { useHiddenBalance } from './hidden-balance.ts'

const BalanceReceipt = lazy(async () => ({ default: (await import('./balance-receipt.tsx')).BalanceReceipt }))

type Props = { user: Balances; portfolio: PortfolioResult; range: Range; onRange: (range: Range) => void }

/**
 * The figure that everything is about, the lines behind it one tap away, its trace without any frame. While there is no trace, nor
 * anything else that it could contradict, the balance is the user's.
 */
export function BalancePanel({ user, portfolio, range, onRange }: Props) {
  const balances = shownPortfolio(portfolio) ?? user
  const { hidden, toggle } = useHiddenBalance()
  const [receipt, setReceipt] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <section aria-labelledby="total-balance" className="pt-3">
      <div className="flex items-center pr-2 pl-5">
        <h2 id="total-balance" className="mr-1 text-16 text-ink2">
          Total Balance
        </h2>
        <IconButton icon={hidden ? EyeOff : Eye} label={hidden ? 'Show balance' : 'Hide balance'} onClick={toggle} />
        <IconButton icon={ReceiptText} label="How the balance adds up" className="ml-auto" onClick={() => setReceipt('open')} />
      </div>
      <div className="px-5">
        {hidden ? (
          <p className="text-46 font-semibold">
            <span className="sr-only">Balance hidden</span>
            <span aria-hidden="true">$••••••</span>
          </p>
        ) : (
          <Money size="hero" amount={balances.totalBalance} />
        )}
      </div>
      <BalanceTrace hidden={hidden} portfolio={portfolio} range={range} onRange={onRange} />
      {receipt !== 'never' && (
        <Suspense>
          <BalanceReceipt balances={balances} open={receipt === 'open'} onClose={() => setReceipt('closed')} />
        </Suspense>
      )}
    </section>
  )
}
