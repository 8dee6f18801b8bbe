import type { Bot } from '#contract/bots.ts'
import { t } from '#words/words.ts'

export type BotGroups = { active: Bot[]; resting: Bot[]; restingTitle: string }

/** Bots that trade, and those that are paused, stopped or closing, each in the order of the list. */
export function groupBots(bots: readonly Bot[]): BotGroups {
  const resting = bots.filter(({ isActive }) => !isActive)
  return { active: bots.filter(({ isActive }) => isActive), resting, restingTitle: titleOf(resting) }
}

function titleOf(resting: readonly Bot[]): string {
  const isPaused = resting.map(({ status }) => status === 'paused')
  if (isPaused.every(Boolean)) return t('Paused Bots')
  if (resting.some(({ status }) => status === 'stopped')) return t('Resting Bots')
  return isPaused.some(Boolean) ? t('Paused and Closing Bots') : t('Closing Bots')
}

/** Beneath the greeting, which says that bots are at work: the truth where none is. */
export function idleText(bots: readonly Bot[]): string | undefined {
  if (bots.length === 0) return t('No bot is running yet')
  if (bots.some(({ isActive }) => isActive)) return undefined
  if (bots.every(({ status }) => status === 'paused')) return t('All bots are paused')
  if (bots.some(({ status }) => status === 'stopped')) return t('No bot is trading now')
  return bots.every(({ status }) => status === 'closing') ? t('All bots are closing') : t('All bots are paused or closing')
}
