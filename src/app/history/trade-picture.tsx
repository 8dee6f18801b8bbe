import type { TradeFigures } from '#contract/bots.ts'
import type { TransactionReceipt } from '#contract/transactions.ts'
import { baseOf } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useMarketTime, type MarketTime } from '#app/market/market-time.ts'
import { heightOf, pathOf, positionOf, scaleOf, type CurveValue } from '#app/ui/charts/curve.ts'
import { FigureText } from '#app/ui/money/money.tsx'

type Picture = NonNullable<TransactionReceipt['picture']>
type Props = { trade: TradeFigures; picture: Picture }

const BOX = { width: 1_000, height: 400 }

/** The price around a trade, with the purchase, the trade and the broken level. */
export function TradePicture({ trade, picture: { prices, bought, level } }: Props) {
  const time = useMarketTime()
  const made = { at: trade.marketTime, value: trade.price }
  const purchase = trade.side === 'buy' ? made : bought
  const sale = trade.side === 'sell' ? made : null
  const marks = [purchase, sale].flatMap((mark) => mark ?? [])
  const heights = level ? marks.concat({ at: made.at, value: level.price }) : marks
  const scale = scaleOf([prices, ...heights.map((mark) => [mark])])
  const texts = textsOf({ trade, purchase, level })
  return (
    <div
      role="img"
      aria-label={[pricesText(trade, prices, time), ...texts.map(({ said }) => said)].join(' ')}
      className="mb-3"
    >
      <div className="relative my-3 h-32">
        <svg
          viewBox={`0 0 ${BOX.width} ${BOX.height}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
        >
          {level && <LevelLine y={heightOf(decimalToUnits(level.price), scale)} />}
          <path
            d={pathOf(prices, { scale, ...BOX }).line}
            fill="none"
            strokeWidth="2"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            className="stroke-ink forced-colors:stroke-[CanvasText]"
          />
        </svg>
        {purchase && <Mark side="buy" place={positionOf(purchase, scale)} />}
        {sale && <Mark side="sell" place={positionOf(sale, scale)} />}
      </div>
      <p className="flex flex-wrap gap-x-4 text-14 text-ink2">
        {texts.map(({ sign, shown }) => (
          <span key={sign}>
            <span className="text-accent">{sign}</span> <FigureText>{shown}</FigureText>
          </span>
        ))}
      </p>
    </div>
  )
}

function LevelLine({ y }: { y: number }) {
  return (
    <path
      d={`M0 ${y * BOX.height}H${BOX.width}`}
      strokeWidth="1.5"
      strokeDasharray="6 5"
      vectorEffect="non-scaling-stroke"
      className="stroke-accent forced-colors:stroke-[Highlight]"
    />
  )
}

function Mark({ side, place: { x, y } }: { side: TradeFigures['side']; place: Place }) {
  return (
    <span
      className="absolute -translate-1/2 text-14 leading-none text-accent"
      style={{ left: `calc(${x} * 100%)`, top: `calc(${y} * 100%)` }}
    >
      {side === 'buy' ? '▲' : '▼'}
    </span>
  )
}

type Place = ReturnType<typeof positionOf>

const priceText = (amount: string): string => moneyText({ amount, precision: 'price' })

function pricesText({ tradingPair }: TradeFigures, prices: Picture['prices'], time: MarketTime) {
  const [first, last] = [prices[0], prices.at(-1)]
  if (!first || !last) return ''
  return t('{coin} from {first} on {start} to {last} on {end}.', {
    coin: baseOf(tradingPair),
    first: priceText(first.value),
    start: time.dayText(first.at),
    last: priceText(last.value),
    end: time.dayText(last.at),
  })
}

type Told = { sign: string; shown: string; said: string }

/** The picture shows the last purchase alone; the result of a sale counts all of them. */
export function textsOf({
  trade: { side, price },
  purchase,
  level,
}: {
  trade: Pick<TradeFigures, 'side' | 'price'>
  purchase: CurveValue | null
  level: Picture['level']
}): Told[] {
  const told: Told[] = []
  if (purchase) {
    const values = { price: priceText(purchase.value) }
    const [shown, said] =
      side === 'buy'
        ? [t('bought {price}', values), t('Bought at {price}.', values)]
        : [t('last bought {price}', values), t('Last bought at {price}.', values)]
    told.push({ sign: '▲', shown, said })
  }
  if (side === 'sell') {
    const values = { price: priceText(price) }
    told.push({ sign: '▼', shown: t('sold {price}', values), said: t('Sold at {price}.', values) })
  }
  return level ? [...told, levelText(level)] : told
}

function levelText({ days, price, isHigh }: NonNullable<Picture['level']>): Told {
  const values = { days: String(days), price: priceText(price) }
  const shown = isHigh ? t('{days}-day high {price}', values) : t('{days}-day stop {price}', values)
  return { sign: '╌', shown, said: `${shown}.` }
}
