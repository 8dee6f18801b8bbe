import { lazy, Suspense, useState } from 'react'
import type { Prices } from '#contract/market.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { t } from '#words/words.ts'
import { useConfig, usePrices } from '#app/api/queries.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { speedTexts } from './market-time.ts'

const ArticleSheet = lazy(async () => ({
  default: (await import('#app/articles/article-sheet.tsx')).ArticleSheet,
}))

/**
 * The source of the prices on this screen: 'Simulated market · 1 s = 1 h', 'Recorded market' or the
 * exchange's name. If the exchange has been silent for too long, also the time of the prices.
 * `rest`: classes of everything but the name. They may hide it, because the article says the same.
 */
export function MarketMark({ pairs, rest = '' }: { pairs?: readonly Pair[]; rest?: string }) {
  const feed = useConfig().data?.feed
  const staleSince = useStalePricesSince(pairs?.map(baseOf))
  const { sinceText } = useDates()
  const [article, setArticle] = useState<'never' | 'open' | 'closed'>('never')
  if (!feed) return null
  const speed = speedTexts(feed.speed)
  const isLive = feed.kind === 'live'
  const about = isLive
    ? { id: 'prices', title: t('Where do the prices come from?') }
    : { id: 'simulated-market', title: t('What is the simulated market?') }
  return (
    <span className="text-14 text-ink2">
      <button
        type="button"
        onClick={() => setArticle('open')}
        className={
          'min-h-12 rounded-control text-left text-16 underline decoration-ink3 ' +
          'decoration-dotted underline-offset-4'
        }
      >
        {feed.label}
        {speed && (
          <span className={rest}>
            {' · '}
            <span aria-hidden="true">{speed.shown}</span>
            <span className="sr-only">{speed.spoken}</span>
          </span>
        )}
      </button>
      {feed.note && <span className={`block ${rest}`}>{feed.note}</span>}
      {staleSince !== undefined && (
        <span className="block text-warn">
          {t('Prices from {time}. Bots wait for new ones.', { time: sinceText(staleSince) })}
        </span>
      )}
      {article !== 'never' && (
        <Suspense>
          <ArticleSheet {...about} open={article === 'open'} onClose={() => setArticle('closed')} />
        </Suspense>
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
