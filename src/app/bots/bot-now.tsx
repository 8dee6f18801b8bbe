import { useId, useState, type ReactNode } from 'react'
import type { Bot, BotPerformance, Holding } from '#contract/bots.ts'
import type { Price } from '#contract/market.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { baseOf } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { BPS_PER_PERCENT, wholePercentOf } from '#core/money/percent.ts'
import { PRESETS } from '#core/strategy/preset.ts'
import { withPercent } from '#words/figures.ts'
import { listText } from '#words/list-text.ts'
import { countsOf, nextMoveText, trendsText } from '#words/next-move.ts'
import { t } from '#words/words.ts'
import { useConfig, usePrices } from '#app/api/queries.ts'
import { DottedWord } from '#app/articles/dotted-word.tsx'
import { useMarketTime } from '#app/market/market-time.ts'
import { pairText } from '#app/market/market-text.ts'
import { TrendLamps } from '#app/market/trend-lamps.tsx'
import { ShowAllButton } from '#app/ui/buttons/show-all-button.tsx'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { Money, Percent } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/** Each coin with its trends, the share invested and the next price that changes something. */
export function BotNow({ performance: { bot, holdings } }: { performance: BotPerformance }) {
  const id = useId()
  const { clockText, momentText } = useMarketTime()
  const hasLongHours = useHasLongHours()
  const isActive = bot.status === 'active'
  const looked = lastLook(holdings)
  const timeText = hasLongHours ? clockText : momentText
  if (holdings.length === 0) return null
  return (
    <section
      aria-labelledby={id}
      className="mx-5 mt-6 rounded-sheet border border-hairline bg-surface px-4 pt-3"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 id={id} className="text-17 font-semibold">
          {t('What it does now')}
        </h2>
        {isActive && hasLongHours && looked !== undefined && <NextLook after={looked} />}
      </div>
      <Summary holdings={holdings} bot={bot} time={looked && timeText(looked)} />
      <p className="mt-2 flex flex-wrap justify-between gap-x-3 text-16 text-ink2">
        {holdings.some(({ next }) => next?.trends.length) && (
          <span>
            <Trans message="<trends>Price trends</trends> (days). Filled: up." trends={trendTerm} />
          </span>
        )}
        <span className="ml-auto">
          <DottedWord term="invested">{t('invested')}</DottedWord>
        </span>
      </p>
      <Coins holdings={holdings} isActive={isActive} />
      <Reasons holdings={holdings} />
    </section>
  )
}

const trendTerm = (word: ReactNode) => <DottedWord term="trend">{word}</DottedWord>

/**
 * Minimum length of a market hour for the ring: in a shorter one it would only flicker, and the
 * time shown would be ambiguous.
 */
const SHORTEST_HOUR_SECONDS = 10

function useHasLongHours(): boolean {
  const speed = useConfig().data?.feed.speed ?? 1
  return speed * SHORTEST_HOUR_SECONDS <= HOUR_MS / 1_000
}

/** A ring that is closed at the next full hour of the market, when the bot decides. */
function NextLook({ after }: { after: string }) {
  const prices = usePrices().data ?? {}
  const { clockText } = useMarketTime()
  const nowMs = Math.max(...Object.values(prices).map(({ at }) => Date.parse(at)))
  const nextMs = Date.parse(after) + HOUR_MS
  return (
    <span className="flex items-center gap-2 text-14 text-ink2">
      <Ring part={Math.min(1, Math.max(0, 1 - (nextMs - nowMs) / HOUR_MS))} />
      {t('checks again at {time}', { time: clockText(new Date(nextMs).toISOString()) })}
    </span>
  )
}

const lastLook = (holdings: readonly Holding[]): string | undefined =>
  holdings
    .flatMap(({ next }) => next?.lookedAt ?? [])
    .toSorted()
    .at(-1)

const RADIUS = 7
const LENGTH = 2 * Math.PI * RADIUS

function Ring({ part }: { part: number }) {
  const circle = { cx: 9, cy: 9, r: RADIUS, fill: 'none', strokeWidth: 2.5 }
  return (
    <svg width="18" height="18" aria-hidden="true" className="-rotate-90">
      <circle {...circle} className="stroke-hairline" />
      <circle
        {...circle}
        className="stroke-accent"
        strokeDasharray={`${part * LENGTH} ${LENGTH}`}
      />
    </svg>
  )
}

type SummaryOf = {
  holdings: readonly Holding[]
  bot: Pick<Bot, 'status' | 'riskLevel'>
  time: string | undefined
}

function Summary({ bot, ...summary }: SummaryOf) {
  const text =
    bot.status === 'paused'
      ? t('Paused until you resume it.')
      : bot.status === 'active'
        ? activeText({ bot, ...summary })
        : undefined
  return text && <p className="mt-1 text-16 text-pretty">{text}</p>
}

function activeText({ holdings, bot, time }: SummaryOf): string | undefined {
  const held = holdings.filter(isInvested)
  const coins = listText(held.map(({ pair }) => baseOf(pair)))
  if (time === undefined) return held.length > 0 ? t('Holds {coins}.', { coins }) : undefined
  if (held.length === 0)
    return holdings.some(wantsCoins) ? undefined : t('Checked {time}: stays in cash.', { time })
  return sharesText({ holdings, bot, time }) ?? t('Checked {time}: holds {coins}.', { time, coins })
}

/**
 * The shares in coins and in cash with their reason; undefined without trends that are up. Bots
 * keep their coins if a change is below their level's band.
 */
function sharesText({
  holdings,
  bot: { riskLevel },
  time,
}: SummaryOf & { time: string }): string | undefined {
  const steps = holdings.flatMap(({ next }) => next ?? [])
  const counts = countsOf(steps.flatMap(({ trends }) => trends))
  if (counts.up === '0') return undefined
  const percent = investedPercent(holdings)
  const shares = {
    time,
    ...counts,
    coins: withPercent(percent),
    cash: withPercent(String(100 - Number(percent))),
  }
  const ofTrends = wholePercentOf({ part: BigInt(counts.up), whole: BigInt(counts.all) })
  const wanted = steps.reduce((sum, step) => sum + step.percent, 0) / steps.length
  return Number(ofTrends) - wanted > PRESETS[riskLevel].bandBps / BPS_PER_PERCENT
    ? t(
        'Checked {time}: {up} of {all} trends up, but prices swing, so only {coins} in coins, {cash} in cash.',
        shares,
      )
    : t('Checked {time}: {up} of {all} trends up, so {coins} in coins, {cash} in cash.', shares)
}

const isInvested = ({ quantity }: Holding) => decimalToUnits(quantity) > 0n
const wantsCoins = ({ wantedPercent }: Holding) => Number(wantedPercent) > 0

/** Coins shown until a press shows all. */
const FIRST_COINS = 5

function Coins({ holdings, isActive }: { holdings: readonly Holding[]; isActive: boolean }) {
  const prices = usePrices().data
  const [showsAll, setShowsAll] = useState(false)
  return (
    <>
      <ul className="divide-y divide-hairline border-b border-hairline">
        {holdings.slice(0, showsAll ? undefined : FIRST_COINS).map((holding) => (
          <Coin
            key={holding.pair}
            holding={holding}
            isActive={isActive}
            price={prices?.[baseOf(holding.pair)]}
          />
        ))}
      </ul>
      {holdings.length > FIRST_COINS && (
        <ShowAllButton showsAll={showsAll} onChange={setShowsAll}>
          {t('All coins')}
        </ShowAllButton>
      )}
    </>
  )
}

type CoinNow = { holding: Holding; isActive: boolean; price: Price | undefined }

function Coin({ holding, isActive, price }: CoinNow) {
  const { pair, next } = holding
  const trends = next?.trends ?? []
  const text = isActive && nextText(holding, price)
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 text-16">
        <span className="flex flex-wrap items-center gap-x-3">
          <span className="min-w-11 font-semibold">{baseOf(pair)}</span>
          <TrendLamps trends={trends} label={trendsText(trends)} />
        </span>
        <span className="text-ink2">
          <Trans
            message="{percent} of {amount}"
            percent={
              <b className="font-semibold text-ink">{withPercent(investedPercent([holding]))}</b>
            }
            amount={<Money amount={sumOf(holding.value, holding.cash)} precision="whole" />}
          />
        </span>
      </div>
      {text && <p className="text-16 text-pretty">{text}</p>}
    </li>
  )
}

/** The share of the money in coins, in whole percents. */
function investedPercent(holdings: readonly Holding[]): string {
  const part = decimalToUnits(sumOf(...holdings.map(({ value }) => value)))
  const cash = decimalToUnits(sumOf(...holdings.map((holding) => holding.cash)))
  return wholePercentOf({ part, whole: part + cash })
}

/** Undefined for coins of hold bots. */
function nextText(holding: Holding, price: Price | undefined): string | undefined {
  if (wantsCoins(holding) && !isInvested(holding)) return t('Buys at the next price.')
  if (holding.next === null) return wantsCoins(holding) ? undefined : holding.reason
  if (price === undefined) return undefined
  const { next, wantedPercent } = holding
  return nextMoveText({ next, percent: Number(wantedPercent), price: price.price })
}

function Reasons({ holdings }: { holdings: readonly Holding[] }) {
  return (
    <Disclosure summary={t('Details')} className="">
      <ul className="divide-y divide-hairline">
        {holdings.map((holding) => (
          <li key={holding.pair} className="py-3">
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
        ))}
      </ul>
    </Disclosure>
  )
}
