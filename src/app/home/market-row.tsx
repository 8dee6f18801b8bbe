import type { Price } from '#contract/market.ts'
import { t } from '#words/words.ts'
import { Sparkline } from '#app/ui/charts/sparkline.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { Change } from '#app/ui/money/change.tsx'
import { Money } from '#app/ui/money/money.tsx'

/** A stale price shows its time in place of its change. */
export function MarketRow({ symbol, price }: { symbol: string; price: Price }) {
  const { sinceText } = useDates()
  return (
    <li className="relative flex min-h-17 flex-wrap items-center justify-between gap-x-3 py-2">
      <span className="flex-1 basis-28">
        <Link
          href={`/market/${symbol}-USD`}
          className="block text-17 font-semibold after:absolute after:inset-0"
        >
          {price.name}
        </Link>
        <span className="block text-14 text-ink2">{symbol}</span>
      </span>
      <Sparkline
        values={price.trace}
        rises={!price.change24h.startsWith('-')}
        className="h-7 w-16 shrink-0"
      />
      <span className="min-w-26 text-right">
        <Money
          amount={price.price}
          precision="price"
          className={`block text-17 font-semibold ${price.stale ? 'text-ink2' : ''}`}
        />
        {price.stale ? (
          <span className="text-14 text-ink2">
            {t('from {time}', { time: sinceText(price.at) })}
          </span>
        ) : (
          <Change percent={price.change24h} zero="gain" className="text-14" />
        )}
      </span>
    </li>
  )
}
