import type { Bot } from '#contract/bots.ts'

/** Green and filled while the bot trades, an empty grey ring otherwise; said in words too. */
export function BotDot({ bot }: { bot: Pick<Bot, 'isActive' | 'status'> }) {
  return (
    <span
      role="img"
      aria-label={bot.status}
      className={`size-2.5 shrink-0 rounded-full ${bot.isActive ? 'bg-gain' : 'border-2 border-ink3'}`}
    />
  )
}
