import type { Bot } from '#contract/bots.ts'

export type BotGroups = { active: Bot[]; resting: Bot[]; restingTitle: string }

/** Bots that trade, and those that are paused or closing, each in the order of the list. */
export function groupBots(bots: readonly Bot[]): BotGroups {
  const resting = bots.filter(({ isActive }) => !isActive)
  const states = new Set(resting.map(({ status }) => status))
  const words = [states.has('paused') && 'Paused', states.has('closing') && 'Closing'].filter((word) => word !== false)
  return { active: bots.filter(({ isActive }) => isActive), resting, restingTitle: `${words.join(' and ')} Bots` }
}

/** Beneath the greeting, which says that bots are at work: the truth where none is. */
export function idleText(bots: readonly Bot[]): string | undefined {
  if (bots.length === 0) return 'No bot is running yet'
  if (bots.some(({ isActive }) => isActive)) return undefined
  if (bots.every(({ status }) => status === 'paused')) return 'All bots are paused'
  return bots.every(({ status }) => status === 'closing') ? 'All bots are closing' : 'All bots are paused or closing'
}
