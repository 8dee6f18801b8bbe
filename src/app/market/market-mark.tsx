import type { Prices } from '#contract/market.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { t } from '#words/words.ts'
import { useConfig, usePrices } from '#app/api/queries.ts'
import { DottedWord } from '#app/articles/dotted-word.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { speedTexts } from './market-time.ts'

/**
 * The source of the prices on this screen: 'Simulated market · 1 s = 1 h', 'Recorded market' or the
 * exchange's name. If the exchange has been silent for too long, also the time of the prices.
 * `rest`: classes of everything but the name. They may hide it, because the article says the same.
 */
export function MarketMark({ pairs, rest = '' }: { pairs?: readonly Pair[]; rest?: string }) {
  const feed = useConfig().data?.feed
  const staleSince = useStalePricesSince(pairs?.map(baseOf))
  const { sinceText } = useDates()
  if (!feed) return null
  const speed = speedTexts(feed.speed)
  return (
    <span className="text-14 text-ink2">
      <DottedWord
        term={feed.kind === 'live' ? 'prices' : 'simulated-market'}
        className="min-h-12 text-16 underline-offset-4"
      >
        {feed.label}
        {speed && (
          <span className={rest}>
            {' · '}
            <span aria-hidden="true">{speed.shown}</span>
            <span className="sr-only">{speed.spoken}</span>
          </span>
        )}
      </DottedWord>
      {feed.note && <span className={`block ${rest}`}>{feed.note}</span>}
      {staleSince !== undefined && (
        <span className="block text-warn">
          {t('Prices from {time}. Bots wait for new ones.', { time: sinceText(staleSince) })}
        </span>
      )}
    </span>
  )
}

/**
 * The time (ISO 8601) of the oldest stale price, or undefined. With `symbols`, one stale price
 * among them is enough; without, all prices must be stale.
 */
function useStalePricesSince(symbols: readonly string[] | undefined): string | undefined {
  const prices = usePrices().data
  return prices && stalePricesSince(prices, symbols)
}

export function stalePricesSince(
  prices: Prices,
  symbols: readonly string[] | undefined,
): string | undefined {
  const shown = Object.entries(prices).filter(
    ([symbol]) => symbols === undefined || symbols.includes(symbol),
  )
  const stale = shown.filter(([, price]) => price.stale).map(([, { at }]) => at)
  const isStale = symbols === undefined ? stale.length === shown.length : stale.length > 0
  return isStale ? stale.toSorted()[0] : undefined
}
