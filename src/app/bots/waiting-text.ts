import type { Bot } from '#contract/bots.ts'
import { msg, say } from '#words/words.ts'

const SENTENCES: Record<NonNullable<Bot['waiting']>, string> = {
  trend: msg('Waiting: no pair has an upward trend to follow.'),
  purchase: msg('Waiting to buy at the next price.'),
}

/**
 * Why an active bot holds no coins. The server says so from the exposures that the engine trades
 * to.
 */
export function waitingText({ waiting }: Pick<Bot, 'waiting'>): string | undefined {
  return waiting === null ? undefined : say(SENTENCES[waiting])
}
