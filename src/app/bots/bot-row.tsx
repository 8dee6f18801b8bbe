import type { ReactNode } from 'react'
import type { Bot } from '#contract/bots.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { wholePercentOf } from '#core/money/percent.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { digitsText, moneyText, withPercent } from '#words/figures.ts'
import { kindTitle } from '#words/kind-names.ts'
import { listText } from '#words/list-text.ts'
import { msg, say, t, tCount } from '#words/words.ts'
import { pairText } from '#app/market/market-text.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { Change, FigureText, Money, spokenChange } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/** At most this many coins are named in the row's spoken sentence. */
const SPOKEN_COINS = 3

/**
 * Name and level, coins and result, then the next move and its reason. Screen readers get the row
 * as sentences.
 */
export function BotRow({ bot }: { bot: Bot }) {
  const { hidden } = useHiddenBalance()
  return (
    <Link
      href={`/bot-config/${bot.id}`}
      className={
        '-mx-2 block min-h-18 rounded-control px-2 py-3 transition-[background-color] ' +
        'duration-120 hover:bg-raised'
      }
    >
      <span className="sr-only">
        <FigureText>{spokenRow(bot, hidden)}</FigureText>
      </span>
      <span aria-hidden="true" className="grid gap-y-0.5">
        <Line>
          <span className="flex min-w-[min(100%,7.5rem)] flex-1 flex-wrap items-baseline gap-x-2">
            <span className="flex items-baseline gap-2 text-17 font-semibold">
              <BotDot bot={bot} />
              <span className="wrap-anywhere">{bot.name}</span>
            </span>
            <span className="text-16 text-ink2">{levelBeside(bot)}</span>
          </span>
          <Money amount={bot.equity} className="ml-auto text-17 font-semibold" />
        </Line>
        <Line>
          <span className="text-14 text-ink2">{coinsOf(bot)}</span>
          <span className="ml-auto text-right text-14 text-ink2">
            <Trans message="from {amount}" amount={<Money amount={bot.investmentAmount} />} />{' '}
            <Change amount={bot.totalProfit} percent={bot.totalReturn} percentSign="always" />
          </span>
        </Line>
        <span className="text-14 text-pretty">
          <FigureText>{doingOf(bot)}</FigureText>
        </span>
      </span>
    </Link>
  )
}

function Line({ children }: { children: ReactNode }) {
  return <span className="flex flex-wrap items-baseline justify-between gap-x-2">{children}</span>
}

/** The risk level, unless the bot's name contains it. */
function levelBeside({ name, riskLevel }: Bot): string | undefined {
  const level = say(LEVELS[riskLevel])
  return name.toLowerCase().includes(level) ? undefined : level
}

function coinsOf({ strategy, tradingPairs }: Bot): string {
  const coins = coinsText(tradingPairs)
  return strategy === 'trend' ? coins : `${kindTitle(strategy)} · ${coins}`
}

/** 'BTC, ETH + 3'; empty without pairs. */
export function coinsText(pairs: readonly Pair[]): string {
  const coins = pairs.map((pair) => pairText(pair).split('/')[0])
  return coins.length > 3
    ? `${coins.slice(0, 2).join(', ')} + ${coins.length - 2}`
    : coins.join(', ')
}

function doingOf(bot: Bot): string {
  if (bot.status !== 'active' || bot.isChanging)
    return [statusWord(bot), bot.doing ?? []].flat().join(' · ')
  return nowOf(bot)
}

/** The action of an active bot: '34% in coins, because 3 of 12 price trends are up.' */
export function nowOf({ strategy, takingOutPercent, waitingPairs, doing, ...bot }: Bot): string {
  if (takingOutPercent !== null) return takingOutText(takingOutPercent)
  const isReason = strategy === 'trend' && waitingPairs.length === 0 && bot.coins !== '0.00'
  if (doing === null || !isReason) return doing ?? ''
  const percent = wholePercentOf({
    part: decimalToUnits(bot.coins),
    whole: decimalToUnits(sumOf(bot.equity, bot.closingFee)),
  })
  return t('{percent} in coins, because {doing}', { percent: withPercent(percent), doing })
}

const takingOutText = (percent: number): string =>
  t('taking out {percent}%', { percent: digitsText(String(percent)) })

/** 'Middle, active. $388.75, down $11.25 or 2.81% since the start. …' */
function spokenRow(bot: Bot, hidden: boolean): string {
  const money = (amount: string) => (hidden ? t('Hidden') : moneyText({ amount }))
  const result = {
    worth: money(bot.equity),
    change: spokenChange({ amount: bot.totalProfit, percent: bot.totalReturn, hidden }),
  }
  const place = {
    level: say(LEVELS[bot.riskLevel]),
    amount: money(bot.investmentAmount),
    coins: spokenCoins(bot),
  }
  return [
    `${bot.name}, ${statusWord(bot)}.`,
    t('{worth}, {change} since the start.', result),
    t('{level} on {amount}: {coins}.', place),
    nowOf(bot),
  ].join(' ')
}

function spokenCoins({ tradingPairs }: Bot): string {
  const names = tradingPairs.map((pair) => ASSET_NAMES[baseOf(pair)])
  if (names.length <= SPOKEN_COINS) return listText(names)
  const rest = names.slice(SPOKEN_COINS - 1)
  return listText([
    ...names.slice(0, SPOKEN_COINS - 1),
    tCount(rest.length, { one: '{count} more', other: '{count} more' }),
  ])
}

/** A picture of the status, which the text beside it names. */
export function BotDot({ bot }: { bot: Pick<Bot, 'isActive'> }) {
  return (
    <span
      aria-hidden="true"
      className={
        'block size-2.5 shrink-0 self-center rounded-full ' +
        (bot.isActive
          ? 'bg-gain forced-color-adjust-none forced-colors:bg-[CanvasText]'
          : 'border-2 border-ink3')
      }
    />
  )
}

const STATES: Record<Bot['status'], string> = {
  active: msg('active'),
  paused: msg('paused'),
  stopped: msg('stopped'),
  closing: msg('closing'),
}

const LEVELS: Record<RiskLevel, string> = {
  conservative: msg('conservative'),
  moderate: msg('moderate'),
  aggressive: msg('aggressive'),
}

export function statusWord({ status, isChanging }: Pick<Bot, 'status' | 'isChanging'>): string {
  return isChanging ? t('changing') : say(STATES[status])
}

export function kindWords({ strategy, riskLevel }: Pick<Bot, 'strategy' | 'riskLevel'>): string {
  return `${kindTitle(strategy)} · ${say(LEVELS[riskLevel])}`
}
