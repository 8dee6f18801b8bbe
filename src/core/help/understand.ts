import type { Article } from './article.ts'
import type { AccountTopic, Tongue } from './tongue.ts'

/**
 * `found`: matching articles, best first. `likely`: the probability that the question is about the
 * product. `outside`: the subject of a question that probably is not.
 */
export type Search = { found: readonly Article[]; likely: number; outside: string | undefined }

/** Searches the articles of one language. */
export type HelpIndex = {
  tongue: Tongue
  search: (question: string) => Search
  corrected: (question: string) => string
  isKnown: (word: string) => boolean
}

export type Understanding =
  | {
      kind: 'greeting' | 'thanks' | 'advice' | 'somebody-else' | 'unknown' | 'article'
      found: readonly Article[]
    }
  | { kind: 'off-product'; subject: string; found: readonly Article[] }
  | { kind: 'account'; topic: AccountTopic; found: readonly Article[] }

/** Subjects that get an answer of their own instead of an article. */
export const ADVICE = 'advice'
export const OTHER_FIELDS = 'other-fields'

/** The result does not depend on the user. */
export function understand(index: HelpIndex, message: string): Understanding {
  const { greeting, thanks, ...tongue } = index.tongue
  if (greeting.test(message)) return { kind: 'greeting', found: [] }
  if (thanks.test(message)) return { kind: 'thanks', found: [] }
  const text = index.corrected(message)
  const { found, likely, outside } = index.search(message)
  if (tongue.asksAboutSomebodyElse(text, index.isKnown)) return { kind: 'somebody-else', found }
  if (tongue.asksForAdvice(text) && likely >= index.tongue.far) return { kind: 'advice', found }
  const topic = tongue.accountTopicOf(text)
  if (topic) return { kind: 'account', topic, found }
  if (outside === undefined) return { kind: 'article', found }
  if (outside === ADVICE) return { kind: 'advice', found }
  return outside === OTHER_FIELDS
    ? { kind: 'unknown', found: [] }
    : { kind: 'off-product', subject: outside, found: [] }
}

/**
 * Tries the most likely language first, then another whose articles contain all words, because a
 * single word does not identify a language.
 */
export function understandIn(
  indexes: readonly [HelpIndex, ...HelpIndex[]],
  message: string,
): { index: HelpIndex; understanding: Understanding } {
  const index = indexFor(indexes, message)
  const understanding = understand(index, message)
  if (understanding.kind !== 'unknown') return { index, understanding }
  const words = wordsOf(message)
  const other =
    words.size === 0
      ? undefined
      : indexes.find(
          (one) =>
            one !== index &&
            [...words].every((word) => one.isKnown(one.tongue.vocabulary.plainText(word))),
        )
  return other
    ? { index: other, understanding: understand(other, message) }
    : { index, understanding }
}

function indexFor(indexes: readonly [HelpIndex, ...HelpIndex[]], message: string): HelpIndex {
  const tongue = tongueFor(
    indexes.map((index) => index.tongue),
    message,
  )
  return indexes.find((index) => index.tongue === tongue) ?? indexes[0]
}

/** The most likely language; the first one if in doubt. */
export function tongueFor(tongues: readonly Tongue[], message: string): Tongue | undefined {
  const words = [...wordsOf(message)]
  const joiningOf = ({ vocabulary }: Tongue) =>
    words.filter((word) => vocabulary.isJoining(vocabulary.plainText(word))).length
  return tongues.toSorted((one, other) => joiningOf(other) - joiningOf(one))[0]
}

const wordsOf = (message: string): ReadonlySet<string> =>
  new Set(message.toLowerCase().match(/\p{L}+/gu) ?? [])
