import { msg } from '#words/words.ts'

export const CAN_LOSE = msg('Can I lose money?')
export const HOW_BOTS_DECIDE = msg('How do the bots decide?')
