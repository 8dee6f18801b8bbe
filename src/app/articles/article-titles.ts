import { msg } from '#words/words.ts'

/** Titles of articles that several screens name. */
export const CAN_LOSE = msg('Can I lose money?')
export const HOW_BOTS_DECIDE = msg('How do the bots decide?')
