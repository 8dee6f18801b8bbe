/** What the help says where no article answers. Fixed, so that nothing typed into the chat can bend it. */
export const SENTENCES = {
  greeting: 'Hello! Ask me about deposits, bots, fees, risks, withdrawals or your account.',
  thanks: 'You are welcome. Is there anything else about the app that you would like to know?',
  advice:
    'I cannot give advice, forecasts or promises: nobody knows what prices will do. The returns named for the risk levels are targets, ' +
    'not promises, and you can lose money. I can explain how the bots work, what they cost and what the risks are.',
  somebodyElse:
    'I can only see figures of the account that is signed in, and nothing of anybody else. What you ask about your own account, I answer ' +
    'from the ledger.',
  signedOut: 'Sign in and ask me again: then I can tell you your own figures, straight from the ledger.',
  unknown:
    'I do not know the answer to that. I only know this app: deposits, bots, fees, risks, withdrawals and your account. Try it in other ' +
    'words, or contact the operator of this service and give your username.',
} as const

/** Articles that belong to a sentence. */
export const SEE_ALSO = {
  greeting: ['about', 'help-chat'],
  thanks: [],
  advice: ['returns', 'losing-money', 'risk-levels'],
  somebodyElse: ['privacy', 'help-chat'],
  unknown: ['help-chat', 'support'],
} as const satisfies Partial<Record<keyof typeof SENTENCES, readonly string[]>>
