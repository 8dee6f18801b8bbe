import type { Guards, GuardStop } from '#contract/bots.ts'
import type { GuardName } from '#core/guards/guard.ts'
import { digitsText, withPercent } from '#words/figures.ts'
import { msg, say, t, tCount } from '#words/words.ts'

const STOPPED: Record<GuardName, string> = {
  'stop-loss': msg('Stopped by its stop loss at {percent}'),
  'trailing-stop': msg('Stopped by its trailing stop at {percent} from its best'),
  'take-profit': msg('Stopped by its take profit at {percent}'),
  'daily-loss': msg('Paused after a daily loss of {percent}'),
}

/** Why a bot is stopped, such as 'Stopped by its stop loss at −12.34%'. */
export function stopText({ guard, percent }: GuardStop): string {
  const isLoss = percent.startsWith('-')
  const figure = withPercent(digitsText(percent.replace('-', '')))
  return say(STOPPED[guard], {
    percent: guard === 'daily-loss' ? figure : `${isLoss ? '−' : '+'}${figure}`,
  })
}

/** When it begins again. `timeOf` prints market time. */
export function backText({ backAt, isSelling }: GuardStop, timeOf: (at: string) => string): string {
  if (isSelling) return t('Its coins are being sold; the money stays in the bot.')
  return backAt === null
    ? t('All its money is in cash. It waits until you resume it.')
    : t('All its money is in cash. It begins again on {time}.', { time: timeOf(backAt) })
}

/** The guards of a bot, one line each. */
export function guardLines(guards: Guards): string[] {
  const { stopLossPercent, stopLossFrom, takeProfitPercent, dailyLossPercent, coolDownDays } =
    guards
  const lines = [
    stopLossPercent !== null &&
      (stopLossFrom === 'best'
        ? t('Stops at {percent}% below its best', { percent: stopLossPercent })
        : t('Stops at a loss of {percent}%', { percent: stopLossPercent })),
    takeProfitPercent !== null &&
      t('Takes profit at a gain of {percent}%', { percent: takeProfitPercent }),
    dailyLossPercent !== null &&
      t('Pauses after a daily loss of {percent}%', { percent: dailyLossPercent }),
    coolDownDays !== null &&
      (stopLossPercent !== null || takeProfitPercent !== null) &&
      tCount(coolDownDays, {
        one: 'Begins again after {count} day',
        other: 'Begins again after {count} days',
      }),
  ]
  return lines.filter((line) => line !== false)
}
