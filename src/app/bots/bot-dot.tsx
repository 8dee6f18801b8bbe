import type { Bot } from '#contract/bots.ts'
import { statusWord } from './bot-words.ts'

/**
 * Filled green while the bot trades, an empty gray ring otherwise. Its label says the status in
 * words.
 */
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
