import { useState } from 'react'
import type { MarketTrade } from '#contract/market.ts'
import { t } from '#words/words.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { LoadMore } from '#app/ui/frame/load-more.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

const PAGE = 10

/** The trades of the user's own bots, newest first; each leads to its receipt. */
export function OwnTrades({ symbol, trades }: { symbol: string; trades: readonly MarketTrade[] }) {
  const [shown, setShown] = useState(PAGE)
  return (
    <Section title={t("Your bots' trades")}>
      {trades.length === 0 && (
        <p className="text-16 text-ink2">
          {t('No bot of yours has traded {coin} so far.', { coin: symbol })}
        </p>
      )}
      <ul className="divide-y divide-hairline">
        {trades.slice(0, shown).map((trade) => (
          <Trade key={trade.id} symbol={symbol} trade={trade} />
        ))}
      </ul>
      <LoadMore
        hasMore={shown < trades.length}
        loading={false}
        onMore={() => setShown(shown + PAGE)}
      />
    </Section>
  )
}

function Trade({
  symbol,
  trade: { id, side, botName, amount, quantity, price, marketTime },
}: {
  symbol: string
  trade: MarketTrade
}) {
  const { momentText } = useMarketTime()
  const traded = <Money amount={quantity} asset={symbol} />
  return (
    <li className="relative py-3 hover:bg-raised">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-16 font-semibold">
        <Link href={`/history?receipt=${id}`} className="after:absolute after:inset-0">
          {side === 'buy' ? (
            <Trans message="Bought {amount}" amount={traded} />
          ) : (
            <Trans message="Sold {amount}" amount={traded} />
          )}
        </Link>
        <Money amount={amount} />
      </p>
      <p className="flex flex-wrap gap-x-3 text-14 text-ink2">
        <span>{momentText(marketTime)}</span>
        <span>
          <Trans message="at {price}" price={<Money amount={price} precision="price" />} />
        </span>
        <span className="min-w-0 break-words">{botName}</span>
      </p>
    </li>
  )
}
