import type { AccountTopic } from './account-question.ts'
import type { Article } from './article.ts'
import type { Tongue } from './tongue.ts'

/** An article that matches a question. `confidence` (0 to 1) is how well it does. */
export type Found = { article: Article; confidence: number }

/** The search over the articles of one language. */
export type HelpIndex = {
  tongue: Tongue
  /** Articles that share a word with the question, best first. */
  search: (question: string) => readonly Found[]
  /** The question with misspelled words replaced by words of the articles. */
  corrected: (question: string) => string
  isKnown: (word: string) => boolean
}

/** The intent of a message, and the articles that match it, best first. */
export type Understanding =
  | { kind: 'greeting' | 'thanks' | 'advice' | 'somebody-else' | 'unknown'; found: readonly Found[] }
  | { kind: 'article'; found: readonly Found[] }
  | { kind: 'account'; topic: AccountTopic; found: readonly Found[] }

/** Classifies a message. The result does not depend on the user. */
export function understand(index: HelpIndex, message: string): Understanding {
  const { greeting, thanks, threshold, ...tongue } = index.tongue
  if (greeting.test(message)) return { kind: 'greeting', found: [] }
  if (thanks.test(message)) return { kind: 'thanks', found: [] }
  const text = index.corrected(message)
  const found = index.search(message)
  if (tongue.asksAboutSomebodyElse(text, index.isKnown)) return { kind: 'somebody-else', found }
  if (tongue.asksForAdvice(text)) return { kind: 'advice', found }
  const topic = tongue.accountTopicOf(text)
  if (topic) return { kind: 'account', topic, found }
  const isSure = (found[0]?.confidence ?? 0) >= threshold
  return { kind: isSure ? 'article' : 'unknown', found: isSure ? found : [] }
}

/** The index of the language that the message is most likely written in; if in doubt the first. */
export function indexFor(indexes: readonly [HelpIndex, ...HelpIndex[]], message: string): HelpIndex {
  const words = new Set(message.toLowerCase().match(/\p{L}+/gu) ?? [])
  const joiningOf = ({ tongue: { vocabulary } }: HelpIndex) => [...words].filter((word) => vocabulary.isJoining(vocabulary.plainText(word))).length
  return indexes.reduce((best, index) => (joiningOf(index) > joiningOf(best) ? index : best))
}
