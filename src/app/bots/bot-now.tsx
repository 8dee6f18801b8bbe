import type { Holding, NextStep } from '#contract/bots.ts'
import type { Price } from '#contract/market.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import { baseOf } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { withPercent, groupDigits } from '#words/figures.ts'
import { msg, say, t } from '#words/words.ts'
import { useConfig, usePrices } from '#app/api/queries.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { pairText } from '#app/market/market-text.ts'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Money, Percent, useMoneyText } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/** Each coin with its trends, the share invested and the next price that changes something. */
export function BotNow({ holdings }: { holdings: readonly Holding[] }) {
  const prices = usePrices().data
  if (holdings.length === 0) return null
  return (
    <Section
      title={t('What it does now')}
      aside={holdings.some(({ next }) => next !== null) && <NextLook />}
    >
      <p className="text-16">{summaryText(holdings)}</p>
      <ul className="mt-2 divide-y divide-hairline border-t border-hairline">
        {holdings.map((holding) => (
          <Coin key={holding.pair} holding={holding} price={prices?.[baseOf(holding.pair)]} />
        ))}
      </ul>
      <Disclosure summary={t('Holdings and reasons')}>
        <ul className="divide-y divide-hairline">
          {holdings.map((holding) => (
            <Details key={holding.pair} holding={holding} />
          ))}
        </ul>
      </Disclosure>
    </Section>
  )
}

const isInvested = ({ quantity }: Holding) => decimalToUnits(quantity) > 0n

function summaryText(holdings: readonly Holding[]): string {
  const coins = (of: readonly Holding[]) => of.map(({ pair }) => baseOf(pair)).join(', ')
  const [held, rest] = [holdings.filter(isInvested), holdings.filter((one) => !isInvested(one))]
  return [
    held.length > 0 && t('Holds {coins}.', { coins: coins(held) }),
    rest.length > 0 && t('Leaves {coins} in cash.', { coins: coins(rest) }),
  ]
    .filter(Boolean)
    .join(' ')
}

function Coin({ holding, price }: { holding: Holding; price: Price | undefined }) {
  const { pair, next, value, wantedPercent, reason } = holding
  const moneyText = useMoneyText()
  return (
    <li className="py-3">
      <p className="flex items-center justify-between gap-3 text-16">
        <span className="flex items-center gap-3">
          <span className="min-w-11 font-semibold">{baseOf(pair)}</span>
          {next && next.trends.length > 0 && <Lamps trends={next.trends} />}
        </span>
        <span className="text-14 text-ink2">
          <Trans
            message="{percent} invested · {value}"
            percent={<span className="font-semibold text-ink">{wholePercent(wantedPercent)}</span>}
            value={<Money amount={value} />}
          />
        </span>
      </p>
      <p className="text-14 text-ink2">
        {next === null
          ? reason
          : moveText(next, { percent: Number(wantedPercent), price, moneyText })}
      </p>
    </li>
  )
}

const wholePercent = (percent: string) =>
  withPercent(groupDigits(percent, { minimum: 0, maximum: 0 }))

function Lamps({ trends }: { trends: NextStep['trends'] }) {
  const up = trends.filter(({ isUp }) => isUp).length
  return (
    <span
      role="img"
      aria-label={t('{up} of {all} trends up', { up: String(up), all: String(trends.length) })}
      className="flex gap-1"
    >
      {trends.map(({ days, isUp }) => (
        <span
          key={days}
          className={
            'size-2.5 rounded-full border-2 border-ink forced-color-adjust-none ' +
            'forced-colors:border-[CanvasText] ' +
            (isUp ? 'bg-ink forced-colors:bg-[CanvasText]' : 'border-ink3')
          }
        />
      ))}
    </span>
  )
}

const MOVES = {
  above: {
    begin: msg('Buys above {price}, {distance} away.'),
    buy: msg('Buys more above {price}, {distance} away.'),
    sell: msg('Sells some above {price}, {distance} away.'),
  },
  below: {
    buy: msg('Buys more below {price}, {distance} away.'),
    sell: msg('Sells some below {price}, {distance} away.'),
    end: msg('Sells below {price}, {distance} away.'),
  },
} as const

type Now = {
  percent: number
  price: Price | undefined
  moneyText: ReturnType<typeof useMoneyText>
}

/** The nearer of both prices, and what the bot does if the hour closes beyond it. */
function moveText(next: NextStep, { percent, price, moneyText }: Now): string {
  if (next.percent !== percent)
    return t('At the next full hour {percent}% is invested, if the price stays.', {
      percent: next.percent,
    })
  const now = decimalToUnits(price?.price ?? '0')
  const moves = (['above', 'below'] as const).flatMap((side) => {
    const move = next[side]
    return move && now > 0n ? [{ side, move, tenths: tenthsAway(move.price, now) }] : []
  })
  const nearest = moves.toSorted((a, b) => a.tenths - b.tenths)[0]
  if (nearest === undefined) return t('No price nearby changes anything.')
  const { side, move, tenths } = nearest
  return say(messageOf(side, percent, move.percent), {
    price: moneyText({ amount: move.price, precision: 'price' }),
    distance: withPercent(groupDigits(`${Math.floor(tenths / 10)}.${tenths % 10}`, ONE_PLACE)),
  })
}

const ONE_PLACE = { minimum: 1, maximum: 1 }

/** A bot that balances goes back to the same part: it buys below and sells above. */
function messageOf(side: 'above' | 'below', before: number, after: number): string {
  if (side === 'below') {
    if (after === 0) return MOVES.below.end
    return after < before ? MOVES.below.sell : MOVES.below.buy
  }
  if (after <= before) return MOVES.above.sell
  return before === 0 ? MOVES.above.begin : MOVES.above.buy
}

/** In tenths of a percent; 0 where the price is there already. */
function tenthsAway(level: string, now: bigint): number {
  const distance = decimalToUnits(level) - now
  return Number(((distance < 0n ? -distance : distance) * 1_000n) / now)
}

/** Of a shorter hour the ring would only flicker. */
const SHORTEST_HOUR_SECONDS = 10

/** The ring closes until the next full hour of the market, when the bot decides. */
function NextLook() {
  const prices = usePrices().data
  const speed = useConfig().data?.feed.speed ?? 1
  const { clockText } = useMarketTime()
  const at = Object.values(prices ?? {})
    .map((price) => price.at)
    .toSorted()
    .at(-1)
  if (at === undefined) return null
  const nowMs = Date.parse(at)
  const nextMs = floorHour(nowMs) + HOUR_MS
  const isShort = speed > 0 && HOUR_MS / 1_000 / speed < SHORTEST_HOUR_SECONDS
  return (
    <span className="flex items-center gap-2 text-14 text-ink2">
      {!isShort && <Ring part={1 - (nextMs - nowMs) / HOUR_MS} />}
      {isShort
        ? t('looks every hour of the market')
        : t('looks again at {time}', { time: clockText(new Date(nextMs).toISOString()) })}
    </span>
  )
}

const RADIUS = 7
const LENGTH = 2 * Math.PI * RADIUS

function Ring({ part }: { part: number }) {
  const circle = { cx: 9, cy: 9, r: RADIUS, fill: 'none', strokeWidth: 2.5 }
  return (
    <svg width="18" height="18" aria-hidden="true" className="-rotate-90">
      <circle {...circle} className="stroke-hairline" />
      <circle {...circle} className="stroke-accent" strokeDasharray={`${part * LENGTH} ${LENGTH}`} />
    </svg>
  )
}

function Details({ holding }: { holding: Holding }) {
  return (
    <li className="py-3">
      <div className="flex items-baseline justify-between gap-3">
        <span className="text-16 font-semibold">{pairText(holding.pair)}</span>
        <Money amount={holding.value} className="text-16 font-semibold" />
      </div>
      <p className="text-14 text-ink">{holding.reason}</p>
      <p className="text-14 text-ink2">
        <Trans
          message="{quantity} and {cash} cash; target: {percent} invested"
          quantity={<Money amount={holding.quantity} asset={baseOf(holding.pair)} />}
          cash={<Money amount={holding.cash} />}
          percent={<Percent value={holding.wantedPercent} />}
        />
      </p>
    </li>
  )
}
