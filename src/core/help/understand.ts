import { accountTopicOf, asksAboutSomebodyElse, type AccountTopic } from './account-question.ts'
import { asksForAdvice } from './advice.ts'
import type { Article } from './article.ts'

/** An article that matches a question. `confidence` (0 to 1) is how well it does. */
export type Found = { article: Article; confidence: number }

/** The search over the articles. */
export type HelpIndex = {
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

/** Below this confidence the answer is that we don't know. Tuned on the even half of the evaluation set. */
const THRESHOLD = 0.36

const GREETING = /^(?:hi|hello|hey|hey there|hi there|hello there|good (?:morning|afternoon|evening)|yo|greetings)[!. ]*$/i
const THANKS = /^(?:thanks|thank you|thx|ty|cheers|great|perfect|awesome|ok thanks|got it)(?: (?:a lot|so much|very much|!))*[!. ]*$/i

/** Classifies a message. The result does not depend on the user. */
export function understand(index: HelpIndex, message: string): Understanding {
  if (GREETING.test(message)) return { kind: 'greeting', found: [] }
  if (THANKS.test(message)) return { kind: 'thanks', found: [] }
  const text = index.corrected(message)
  const found = index.search(message)
  if (asksAboutSomebodyElse(text, index.isKnown)) return { kind: 'somebody-else', found }
  if (asksForAdvice(text)) return { kind: 'advice', found }
  const topic = accountTopicOf(text)
  if (topic) return { kind: 'account', topic, found }
  const isSure = (found[0]?.confidence ?? 0) >= THRESHOLD
  return { kind: isSure ? 'article' : 'unknown', found: isSure ? found : [] }
}
