/** Titles of articles that several screens name. */
export const CAN_LOSE = 'Can I lose money?'
export const HOW_BOTS_DECIDE = 'How do the bots decide?'
