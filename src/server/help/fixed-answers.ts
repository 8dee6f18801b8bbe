import { msg } from '#words/words.ts'

/**
 * Answers where no article applies. They are fixed, so that nothing typed into the chat can change
 * them.
 */
export const FIXED_ANSWERS = {
  greeting: msg('Hello! Ask me about deposits, bots, fees, risks, withdrawals or your account.'),
  thanks: msg("You're welcome! Is there anything else you'd like to know?"),
  advice: msg(
    "I can't give advice, predict prices or promise returns: nobody knows what prices will do. The returns named for the risk levels are targets, not promises, and you can lose money. I can explain how the bots work, what they cost and what the risks are.",
  ),
  somebodyElse: msg(
    "I can only see the account you're signed in to, never anyone else's. Ask me about your own balance, bots, deposits or withdrawals.",
  ),
  signedOut: msg('Sign in and ask again, and I can show you your own figures.'),
  unknown: msg(
    "Sorry, I don't know the answer to that. I can help with deposits, bots, fees, risks, withdrawals and your account. Try other words.",
  ),
} as const

/** The articles cited below a fixed answer. */
export const SEE_ALSO = {
  greeting: ['about', 'help-chat'],
  thanks: [],
  advice: ['returns', 'losing-money', 'risk-levels'],
  somebodyElse: ['privacy', 'help-chat'],
  unknown: ['help-chat', 'support'],
} as const satisfies Partial<Record<keyof typeof FIXED_ANSWERS, readonly string[]>>

/**
 * The articles cited below the answer to a money question about what this product does not have, by
 * its page in `docs/help/outside`.
 */
export const SEE_INSTEAD: Readonly<Record<string, readonly string[]>> = {
  cards: ['withdraw', 'payment-methods'],
  credit: ['no-leverage', 'deposit'],
  banking: ['about', 'withdraw'],
  'other-firms': ['about', 'support'],
  'other-products': ['pairs', 'strategy'],
  'other-law': ['taxes', 'statement'],
}
