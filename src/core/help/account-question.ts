import { plainText } from './plain-text.ts'

/** Topics about which signed-in users get their own figures. */
export type AccountTopic = 'balance' | 'bots' | 'withdrawals' | 'deposits'

/** In order of precedence: 'how much money did my bots lose' is about bots. */
const TOPICS: readonly (readonly [AccountTopic, string])[] = [
  ['withdrawals', '(?:withdraw\\w*|pay ?outs?|cash(?:ed|ing)? ?outs?)'],
  ['deposits', '(?:deposit\\w*|top ?ups?)'],
  ['bots', '(?:ro)?bots?'],
  ['balance', '(?:balances?|money|cash|total|funds|portfolio|available)'],
]

/** Questions about how things work rather than about figures. */
const GENERAL =
  /\b(?:mean|means|meaning|why|difference|work|works|computed|calculated|explain|how (?:do|can|could|to|would|long|often|fast|soon)|can i|could i|cancel|stop|change|limit|minimum|maximum|if|should|rejected|declined|hide|rename|typo|wrong)\b/

const SOME_WORDS = '(?: [\\w-]+){0,3}'

const CAN_TAKE =
  /\bhow much (?:money |cash |of it )?(?:can|could) (?:i|we) (?:still )?(?:withdraw|cash out|pay out|take out|invest)\b/

/**
 * The topic of a question about the user's own figures, if it is one. Expects corrected spelling.
 */
export function accountTopicOf(question: string): AccountTopic | undefined {
  const plain = plainText(question)
    .replaceAll(/[?!.,]+/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
  if (CAN_TAKE.test(plain)) return 'balance'
  if (
    /\bwhat am i worth\b/.test(plain) ||
    /\bhow much (?:have i got|do i have|have i)(?: left| now| here| right now)?$/.test(plain)
  )
    return 'balance'
  if (GENERAL.test(plain)) return undefined
  return FORMS.find(({ forms }) => forms.some((form) => form.test(plain)))?.topic
}

function formsFor(topic: AccountTopic, word: string): RegExp[] {
  return [
    `^(?:my )?(?:current |total |available |last |latest |open |pending )?${word}(?: please| ` +
      'now| right now)*$',
    '^(?:what is|what are|show|list|see|view|check|give|tell|display)(?: me)?(?: about)?(?: ' +
      'all| all of| the)?(?: (?:status|state|value|worth|result|total) of)?(?: all)? ' +
      `my${SOME_WORDS} ${word}\\b`,
    `\\bmy${SOME_WORDS} ${word}${SOME_WORDS} (?:please|now|status|worth)$`,
    `\\b(?:status|state|value|worth) of my${SOME_WORDS} ${word}\\b`,
    `\\bwhat is (?:up|happening|going on) with my${SOME_WORDS} ${word}\\b`,
    `\\bwhere (?:is|are) my${SOME_WORDS} ${word}\\b`,
    `\\b(?:has|have|did|is|are|was|were|how is|how are|how did|how have) my${SOME_WORDS} ` +
      `${word}\\b`,
    `\\bhow (?:much|many)(?: of)?(?: (?:my|the))? ?(?:money|cash)?${SOME_WORDS} ` +
      `(?:has|have|did|is|are|do|does) my ${word}\\b`,
    `\\b(?:do i have|have i|have i got|did i|i have|i got)(?: any)?${SOME_WORDS} ${word}\\b`,
    `\\bhow (?:much|many)${SOME_WORDS} ${word}${SOME_WORDS} (?:do i|have i|did i|i have)\\b`,
    `\\bhow much have i (?:already )?${word}\\b`,
    `\\bwhen (?:was|did|is) my${SOME_WORDS} ${word}\\b`,
    ...(topic === 'balance' ? ['\\bhow much of my money\\b', '^show(?: me)? my total$'] : []),
    ...(topic === 'bots' ? [`\\bmy ${word} (?:performance|results?|figures|profits?)\\b`] : []),
  ].map((source) => new RegExp(source))
}

const FORMS = TOPICS.map(([topic, word]) => ({ topic, forms: formsFor(topic, word) }))

const OWNED =
  '(?:balances?|bots?|money|withdrawals?|deposits?|accounts?|cash|portfolio|profits?|password|data)'

/**
 * Explicit references to other people. A bare name is recognized by being a word that no article
 * contains.
 */
const OTHERS =
  /\b(?:(?:other|another|all|every|any|each) (?:users?|customers?|clients?|people|persons?|members?|accounts?)|everyone|everybody|(?:someone|somebody|anyone|anybody|who) else|user id|username is)\b/

/** Each captures the word in a position where a name would be. */
const NAMED: readonly RegExp[] = [
  new RegExp(`\\b([a-z][\\w.-]+)'s?(?: \\w+){0,2} ${OWNED}\\b`, 'g'),
  new RegExp(
    `\\b${OWNED} (?:of|from|for|belonging to) (?:user |customer |mr |mrs )?([a-z][\\w.-]+)`,
    'g',
  ),
  /\b(?:how much|how many)\b.*\b(?:does|did|has) ([a-z][\w.-]+)\b/g,
  /\b(?:user|customer) ([a-z][\w.-]+)/g,
  /\bi am ([a-z][\w.-]+)[.,]/g,
  new RegExp(`\\b(?:about|is|are) (?:the )?(?:\\w+ )?([a-z][\\w.-]+) ${OWNED}\\b`, 'g'),
]

const FIGURES = new RegExp(`\\b(?:${OWNED}|how much)\\b`)

/** Whether a question asks for figures of anyone but the user. */
export function asksAboutSomebodyElse(
  question: string,
  isKnown: (word: string) => boolean,
): boolean {
  const plain = plainText(question)
  const named = NAMED.flatMap((name) => [...plain.matchAll(name)]).map(([, name = '']) => name)
  return FIGURES.test(plain) && (OTHERS.test(plain) || named.some((name) => !isKnown(name)))
}
