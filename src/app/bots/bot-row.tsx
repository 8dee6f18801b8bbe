import type { Bot } from '#contract/bots.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { digitsText } from '#words/figures.ts'
import { kindTitle } from '#words/kind-names.ts'
import { msg, say, t } from '#words/words.ts'
import { pairsText } from '#app/market/market-text.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { Change, FigureText, Money } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

export function BotRow({ bot }: { bot: Bot }) {
  return (
    <Link
      href={`/bot-config/${bot.id}`}
      className={
        '-mx-2 flex min-h-18 gap-3 rounded-control px-2 py-3 transition-[background-color] ' +
        'duration-120 hover:bg-raised'
      }
    >
      <span className="flex h-6 shrink-0 items-center">
        <BotDot bot={bot} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap justify-between gap-x-4 text-17 font-semibold">
          <span className="min-w-[min(100%,7.5rem)] flex-1 wrap-anywhere">{bot.name}</span>
          <Money amount={bot.equity} className="ml-auto" />
        </span>
        <span className="flex flex-wrap justify-between gap-x-4 text-14 text-ink2">
          <span>{stateOf(bot)}</span>
          <Change
            amount={bot.totalProfit}
            percent={bot.totalReturn}
            percentSign="always"
            className="ml-auto"
          />
        </span>
        <span className="flex flex-wrap justify-between gap-x-4 text-14 text-ink2">
          <span>
            <Trans message="on {amount}" amount={<Money amount={bot.investmentAmount} />} />
          </span>
          <span className="ml-auto">{t('since the start')}</span>
        </span>
        <span className="block text-14 text-ink2">{pairsText(bot.tradingPairs)}</span>
        {bot.doing !== null && (
          <span className="mt-0.5 block text-14 text-pretty text-ink">
            <FigureText>{bot.doing}</FigureText>
          </span>
        )}
      </span>
    </Link>
  )
}

const stateOf = (bot: Bot): string => {
  if (bot.status !== 'active' || bot.isChanging) return `${statusWord(bot)} · ${kindWords(bot)}`
  return bot.takingOutPercent === null
    ? kindWords(bot)
    : t('taking out {percent}%', { percent: digitsText(String(bot.takingOutPercent)) })
}

export function BotDot({ bot }: { bot: Pick<Bot, 'isActive' | 'isChanging' | 'status'> }) {
  return (
    <span
      role="img"
      aria-label={statusWord(bot)}
      className={
        'size-2.5 shrink-0 rounded-full ' +
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
