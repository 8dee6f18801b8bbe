import { accountTopicOf, asksAboutSomebodyElse, type AccountTopic } from './account-question.ts'
import { asksForAdvice } from './advice.ts'
import { corrected, isKnownWord, search, type Found, type HelpIndex } from './help-index.ts'

/** What a message is, and the articles that speak about it, best first. */
export type Understanding =
  | { kind: 'greeting' | 'thanks' | 'advice' | 'somebody-else' | 'unknown'; found: readonly Found[] }
  | { kind: 'article'; found: readonly Found[] }
  | { kind: 'account'; topic: AccountTopic; found: readonly Found[] }

/** Below this confidence the help says that it does not know. Chosen on the even half of the evaluation set. */
const THRESHOLD = 0.4

const GREETING = /^(?:hi|hello|hey|hey there|hi there|hello there|good (?:morning|afternoon|evening)|yo|greetings)[!. ]*$/i
const THANKS = /^(?:thanks|thank you|thx|ty|cheers|great|perfect|awesome|ok thanks|got it)(?: (?:a lot|so much|very much|!))*[!. ]*$/i

/** Decides what a message wants. The same for everybody: who asks plays no part. */
export function understand(index: HelpIndex, message: string): Understanding {
  if (GREETING.test(message)) return { kind: 'greeting', found: [] }
  if (THANKS.test(message)) return { kind: 'thanks', found: [] }
  const text = corrected(index, message)
  const found = search(index, message)
  if (asksAboutSomebodyElse(text, (word) => isKnownWord(index, word))) return { kind: 'somebody-else', found }
  if (asksForAdvice(text)) return { kind: 'advice', found }
  const topic = accountTopicOf(text)
  if (topic) return { kind: 'account', topic, found }
  const isSure = (found[0]?.confidence ?? 0) >= THRESHOLD
  return { kind: isSure ? 'article' : 'unknown', found: isSure ? found : [] }
}
