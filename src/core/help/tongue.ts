/** Topics on which signed-in users get their own figures. */
export type AccountTopic = 'balance' | 'bots' | 'withdrawals' | 'deposits'

export type Tongue = {
  /** The name of the language in a model's instructions. */
  manner: string
  /** Below this confidence the help says that it does not know. */
  threshold: number
  /**
   * Below this probability a question counts as outside the product, even if it asks for advice:
   * 'what is the best time to visit Rome'.
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
  /** Whether a word is a stop word. Stop words identify the language. */
  isJoining: (word: string) => boolean
  /** Related terms that are searched for too. Articles without them do not rank lower. */
  related: ReadonlyMap<string, readonly string[]>
  /** Shorter words are too easily mistaken for one another. */
  shortestTypo: number
  /** Letters between the parts of a compound word; undefined if the language has none. */
  compoundLinks?: readonly string[]
}

/** Patterns are matched against plain text. */
export type Speech = {
  /** Texts that our answers never contain, such as the first person. */
  foreign: RegExp
  /** Promises, predictions and advice. */
  promises: readonly RegExp[]
  /** Agreement such as 'Yes': forbidden, because the question may be a trap. */
  affirmation: RegExp
  negation: RegExp
  spelledNumbers: readonly string[]
  /** Words that guide the reader and claim nothing. */
  steering: readonly string[]
  /** Writes figures as '$1000.5' and '15%'. */
  plainFigures: (plain: string) => string
}
