import type { Bot } from '#contract/bots.ts'
import { t } from '#words/words.ts'

export type BotGroups = { active: Bot[]; resting: Bot[]; restingTitle: string }

/**
 * Bots that trade, and those that are paused, stopped or closing, each in the order of the list.
 */
export function groupBots(bots: readonly Bot[]): BotGroups {
  const resting = bots.filter(({ isActive }) => !isActive)
  return {
    active: bots.filter(({ isActive }) => isActive),
    resting,
    restingTitle: arePaused(resting) ? t('Paused Bots') : t('Other Bots'),
  }
}

const arePaused = (bots: readonly Bot[]): boolean => bots.every(({ status }) => status === 'paused')

/** Beneath the greeting, which says that bots are at work: the truth where none is. */
export function idleText(bots: readonly Bot[]): string | undefined {
  if (bots.length === 0) return t('No bot is running yet')
  if (bots.some(({ isActive }) => isActive)) return undefined
  return arePaused(bots) ? t('All bots are paused') : t('No bot is trading now')
}
