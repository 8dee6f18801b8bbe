/** Signed-in users get their own figures about these. */
export type AccountTopic = 'balance' | 'bots' | 'withdrawals' | 'deposits'

export type Tongue = {
  /** The language's name for a model's instructions. */
  manner: string
  /** Below this confidence the answer is that we don't know. */
  threshold: number
  /**
   * Questions less likely than this are about something else, even if they ask for advice: 'what is
   * the best time to visit Rome'.
   */
  far: number
  greeting: RegExp
  thanks: RegExp
  vocabulary: Vocabulary
  speech: Speech
  asksForAdvice: (question: string) => boolean
  accountTopicOf: (question: string) => AccountTopic | undefined
  asksAboutSomebodyElse: (question: string, isKnown: (word: string) => boolean) => boolean
}

export type Vocabulary = {
  /** Lower case, without accents and short forms. */
  plainText: (text: string) => string
  /** Stems, without stop words. */
  termsOf: (text: string) => string[]
  /** Empty for a stop word. */
  termOf: (word: string) => string[]
  isSpelled: (word: string) => boolean
  /** Whether a word is a stop word. Stop words tell languages apart. */
  isJoining: (word: string) => boolean
  /** More terms to search for. An article that lacks them ranks no lower. */
  related: ReadonlyMap<string, readonly string[]>
  /** Shorter words are too easily mistaken for one another. */
  shortestTypo: number
  /** Letters between the parts of a compound word; undefined if the language has none. */
  compoundLinks?: readonly string[]
}

/** Patterns are matched against plain text. */
export type Speech = {
  /** The first person, and whatever else our answers never contain. */
  foreign: RegExp
  /** Promises, predictions and advice. */
  promises: readonly RegExp[]
  /** Agreement, because the question may have been a trap. */
  affirmation: RegExp
  negation: RegExp
  spelledNumbers: readonly string[]
  /** Words that guide the reader and claim nothing. */
  steering: readonly string[]
  /** Writes figures as '$1000.5' and '15%'. */
  plainFigures: (plain: string) => string
}
