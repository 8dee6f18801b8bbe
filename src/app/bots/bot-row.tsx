import { Link } from 'wouter'
import type { Bot } from '#contract/bots.ts'
import { Change } from '#app/ui/money/change.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { pairsText } from '#app/market/pair-text.ts'
import { BotDot } from './bot-dot.tsx'

/** A bot in a list. Opens the bot's screen. */
export function BotRow({ bot }: { bot: Bot }) {
  return (
    <Link
      href={`/bot-config/${bot.id}`}
      className="
        -mx-2 flex min-h-18 items-center gap-3 rounded-control px-2 py-3 transition-[background-color] duration-120 hover:bg-raised
      "
    >
      <BotDot bot={bot} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-17 font-semibold">{bot.name}</span>
        <span className="block truncate text-14 text-ink2">
          {doingOf(bot)} · {pairsText(bot.tradingPairs)}
        </span>
      </span>
      <span className="shrink-0 text-right">
        <Money amount={bot.investmentAmount} className="block text-17 font-semibold" />
        <Change percent={bot.totalReturn} className="text-14" />
      </span>
    </Link>
  )
}

const doingOf = ({ status, takingOutPercent, riskLevel }: Bot): string => {
  if (status === 'closing') return 'closing'
  return takingOutPercent === null ? riskLevel : `taking out ${takingOutPercent}%`
}
