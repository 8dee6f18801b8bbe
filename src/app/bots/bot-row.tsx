import type { Bot } from '#contract/bots.ts'
import { digitsText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { Change } from '#app/ui/money/change.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { pairText } from '#app/market/pair-text.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { BotDot } from './bot-dot.tsx'
import { kindWords, statusWord } from './bot-words.ts'
import { waitingText } from './waiting-text.ts'

/**
 * A bot in a list: what it is worth, what it made of what was put in, and its rules. Opens the
 * bot's screen. Everything wraps.
 */
export function BotRow({ bot }: { bot: Bot }) {
  const waiting = waitingText(bot)
  return (
    <Link
      href={`/bot-config/${bot.id}`}
      className="
        -mx-2 flex min-h-18 gap-3 rounded-control px-2 py-3 transition-[background-color] duration-120 hover:bg-raised
      "
    >
      <span className="flex h-6 shrink-0 items-center">
        <BotDot bot={bot} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap justify-between gap-x-4 text-17 font-semibold">
          <span className="min-w-[min(100%,9rem)] flex-1 wrap-anywhere">{bot.name}</span>
          <Money amount={bot.equity} className="ml-auto" />
        </span>
        <span className="flex flex-wrap justify-between gap-x-4 text-14 text-ink2">
          <span>
            <Trans
              message="{state} · on {amount}"
              state={stateOf(bot)}
              amount={<Money amount={bot.investmentAmount} />}
            />
          </span>
          <Change
            amount={bot.totalProfit}
            percent={bot.totalReturn}
            percentSign="always"
            className="ml-auto"
          />
        </span>
        <span className="flex flex-wrap justify-between gap-x-4 text-14 text-ink2">
          <span>{bot.tradingPairs.map(pairText).join(', ')}</span>
          <span className="ml-auto">{t('since the start')}</span>
        </span>
        {waiting !== undefined && <span className="mt-0.5 block text-14 text-ink">{waiting}</span>}
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
