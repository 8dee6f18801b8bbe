/** Topics about which signed-in users get their own figures. */
export type AccountTopic = 'balance' | 'bots' | 'withdrawals' | 'deposits'

/**
 * A language of the help: how its questions are understood, and how a model's answers in it are
 * checked.
 */
export type Tongue = {
  /** The language as the instructions of a model name it. */
  manner: string
  /** Below this confidence the answer is that we don't know. */
  threshold: number
  /**
   * Less likely questions are about something else, even if they ask for advice: 'what is the best
   * time to visit Rome'.
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
  /** Normalizes text: lower case, without accents and short forms. */
  plainText: (text: string) => string
  /** The terms of a text: the stems of its words, without stop words. */
  termsOf: (text: string) => string[]
  /** The stem of a word, or nothing for a stop word. */
  termOf: (word: string) => string[]
  /** Whether the word is in the vocabulary itself, so that it is no typo. */
  isSpelled: (word: string) => boolean
  /** Whether the word only joins others, as no word of another language does. */
  isJoining: (word: string) => boolean
  /** Terms to search for as well. An article that lacks them ranks no lower. */
  related: ReadonlyMap<string, readonly string[]>
  /** Shorter words are too easily mistaken for one another. */
  shortestTypo: number
  /** Letters between the parts of a compound word. Undefined where words are not joined. */
  compoundLinks?: readonly string[]
}

/** Patterns are matched against plain text. */
export type Speech = {
  /** The first person, and whatever else no answer of ours contains. */
  foreign: RegExp
  /** Promises, predictions and advice, which we must never give. */
  promises: readonly RegExp[]
  /** Agreement, because the question may have been a trap. */
  affirmation: RegExp
  negation: RegExp
  /** Numbers in letters. */
  spelledNumbers: readonly string[]
  /** Words that guide the reader and claim nothing. */
  steering: readonly string[]
  /** Writes figures as '$1000.5' and '15%'. */
  plainFigures: (plain: string) => string
}
