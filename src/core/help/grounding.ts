import { plainText } from './plain-text.ts'
import { termOf, termsOf } from './words.ts'

/** Why a sentence must not be shown as our answer. */
export type Fault = 'foreign' | 'promise' | 'affirmation' | 'figure' | 'unsupported' | 'reversed'

/** Content of the articles: their sentences, and the words of their statements and denials. */
export type Passages = { sentences: readonly Sentence[]; words: Words; said: Words; denied: Words; capitals: Words; texts: ReadonlySet<string> }

type Words = ReadonlySet<string>
type Sentence = { terms: Words; figures: ReadonlySet<string> }

/** The share of a sentence's words that all articles together, and one of their sentences, must contain. Tuned on the test's table. */
const SUPPORT = { together: 0.75, single: 0.5 }

/** Sentences within this factor of the best match may support a figure. */
const NEARLY_BEST = 0.7

/** Words that guide the reader and claim nothing. */
const STEERING = new Set(
  (
    'first next use press tap open go via app screen page simply called example kind how where when while after once again more any anymore ' +
    'there between long as dollars percent means'
  )
    .split(' ')
    .flatMap(termOf),
)

/** Splits text into clauses, each of which states or denies something. */
const CLAUSES = /(?<=[.!?;,])\s+|\n+/

/** Splits text into paragraphs, sentences and clauses; an answer may quote or condense any of them. */
const CUTS = [/\n+/, /(?<=[.!?])\s+|\n+/, /(?<=[.!?:;])\s+|\n+/]

export function openPassages(texts: readonly string[]): Passages {
  const cut = CUTS.flatMap((at) => texts.flatMap((text) => text.split(at))).filter((sentence) => termsOf(sentence).length > 0)
  const sentences = [...new Set(cut)].map((sentence) => ({ terms: new Set(claimsOf(sentence)), figures: new Set(figuresOf(sentence)) }))
  const clauses = texts.flatMap((text) => text.split(CLAUSES)).filter((clause) => !clause.endsWith('?'))
  const wordsOf = (list: readonly string[]) => new Set(list.flatMap(claimsOf))
  const said = wordsOf(clauses.filter((clause) => !isNegative(clause)))
  const denied = wordsOf(clauses.filter(isNegative))
  return { sentences, words: wordsOf(cut), said, denied, capitals: new Set(texts.flatMap(capitalsOf)), texts: new Set(cut.map(bareText)) }
}

/** The words of a sentence that claim something. Figures are checked separately. */
function claimsOf(sentence: string): string[] {
  return [...new Set(termsOf(sentence))].filter((term) => !STEERING.has(term) && !NUMBERS.has(term) && !/^\d/.test(term))
}

/**
 * The reason why `passages` don't support `sentence`; undefined if they do. A verbatim quote is always supported. Threat: a model that
 * invents, promises, advises, or obeys what a user typed. The check errs on the side of refusing, since the article itself replaces a
 * refused sentence.
 */
export function faultOf(sentence: string, passages: Passages): Fault | undefined {
  if (passages.texts.has(bareText(sentence))) return undefined
  if (isForeign(sentence) || capitalsOf(sentence).some((word) => !passages.capitals.has(word))) return 'foreign'
  const plain = plainText(sentence)
  if (PROMISES.some((promise) => promise.test(plain))) return 'promise'
  if (AFFIRMATION.test(plain)) return 'affirmation'
  if (!isSupported(sentence, passages)) return 'unsupported'
  if (!haveFigures(sentence, passages)) return 'figure'
  return sentence.split(CLAUSES).some((clause) => isReversed(clause, passages)) ? 'reversed' : undefined
}

function isSupported(sentence: string, { sentences, words }: Passages): boolean {
  const claims = claimsOf(sentence)
  return claims.length > 0 && shareIn(words, claims) >= SUPPORT.together && sentences.some(({ terms }) => shareIn(terms, claims) >= SUPPORT.single)
}

/**
 * Each figure must be in a sentence that contains nearly as many of these words as any other and, among those with figures, nearly as few
 * different ones.
 */
function haveFigures(sentence: string, { sentences }: Passages): boolean {
  const claims = claimsOf(sentence)
  const supporters = nearlyBest(sentences, ({ terms }) => shareIn(terms, claims)).filter(({ figures }) => figures.size > 0)
  const closest = nearlyBest(supporters, ({ terms }) => shareIn(terms, claims) / Math.sqrt(terms.size))
  return figuresOf(sentence).every((figure) => closest.some(({ figures }) => figures.has(figure)))
}

function nearlyBest(sentences: readonly Sentence[], scoreOf: (sentence: Sentence) => number): Sentence[] {
  const enough = NEARLY_BEST * Math.max(...sentences.map(scoreOf))
  return sentences.filter((sentence) => scoreOf(sentence) >= enough)
}

/** Whether the articles deny what the clause states, or state what it denies. */
function isReversed(clause: string, { said, denied }: Passages): boolean {
  const claims = claimsOf(clause)
  // A single word claims nothing by itself.
  if (claims.length < 2) return false
  const [own, opposite] = isNegative(clause) ? [denied, said] : [said, denied]
  return shareIn(own, claims) < SUPPORT.together && shareIn(opposite, claims) > shareIn(own, claims)
}

function shareIn(words: Words, claims: readonly string[]): number {
  return claims.filter((claim) => words.has(claim)).length / claims.length
}

/** The sentence without list markers and final punctuation. */
function bareText(sentence: string): string {
  return plainText(sentence).replaceAll(/^- /gm, '').replaceAll(/[.:;!]+$/g, '')
}

/** Words in capitals, such as the 'DONE' that an injected command wants to read. */
function capitalsOf(text: string): string[] {
  return text.match(/\b[A-Z]{3,}\b/g) ?? []
}

/** Whether it contains URLs, markup, characters that no article uses, or the first person. */
function isForeign(sentence: string): boolean {
  if (/\b(?:i|me|my|mine|myself)\b/.test(plainText(sentence))) return true
  return /https?:|www\.|\b[\w-]+\.(?:com|org|net|io|app|xyz|example|info|me)\b|[<>[\]{}\\@]/i.test(sentence) || /[^\p{Script=Latin}\P{L}]|(?![0-9])\p{Nd}/u.test(sentence)
}

const NOT_BEFORE = '(?<!\\b(?:not|no|never|nobody|nothing)\\b(?: \\w+){0,3} )'

/** Promises, predictions and advice, which we must never give. */
const PROMISES: readonly RegExp[] = [
  `${NOT_BEFORE}\\b(?:promis|guarant|assur|insured)\\w*`,
  '\\b(?:recommend|suggest|advis(?:e|ed|able))\\w*',
  "\\byou (?:really |definitely |probably )?(?:should|ought|had better|better|must)\\b|\\bi would\\b|\\bif i were you\\b",
  '\\b(?:will|would|going to|bound to|sure to|certain to|expect to|likely)(?: \\w+){0,4} (?:earn|make (?:money|a profit|more|you)|gain|profit|double|triple|grow|rise|go up|increase|recover|moon|pay off|be worth|reach)\\w*',
  '\\brisk[ -]?free\\b|\\b(?:no|without|zero) (?:any )?risks?\\b|\\bsafe (?:bet|investment|choice)\\b|\\bsure thing\\b',
  '\\b(?:can not|can never|never|will not|do not|does not) (?:\\w+ )?(?:lose|fail)\\b|\\balways (?:win|profit|earn|gain|go|rise|make)\\w*',
  '\\b(?:good|great|best|right|perfect|ideal|smart|wise) (?:time|moment|choice|investment|idea|coin|pair|level|bet)\\b',
  '\\b(?:buy|sell|invest|hold|deposit|put)\\b.{0,30}\\bnow\\b',
].map((source) => new RegExp(source))

/** Agreement, because the question may have been a trap. */
const AFFIRMATION = /^(?:- )?(?:yes|yeah|yep|sure|of course|absolutely|correct|right|exactly|true|certainly|definitely|confirmed|done|ok|okay)\b/

const NEGATION = /\b(?:not|no|none|never|nobody|nothing|neither|nor|without|cannot|unable|impossible)\b/

function isNegative(sentence: string): boolean {
  return NEGATION.test(plainText(sentence))
}

/** Spelled-out numbers. */
const SPELLED =
  'two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred ' +
  'thousand million billion half twice double triple dozen'
const SPELLED_NUMBER = new RegExp(`\\b(?:${SPELLED.replaceAll(' ', '|')})\\b`, 'g')
const NUMBERS = new Set(SPELLED.split(' ').flatMap(termOf))

/** All figures with their unit: '$10', '15%', '20', 'four'. */
function figuresOf(sentence: string): string[] {
  const plain = plainText(sentence).replaceAll(/(\d),(?=\d{3})/g, '$1')
  const digits = [...plain.matchAll(/(\$ ?)?(\d+(?:\.\d+)?)( ?(?:%|percent\b|dollars?\b))?/g)]
  const figures = digits.map(([, before = '', number = '', after = '']) => {
    if (/%|percent/.test(after)) return `${number}%`
    return before !== '' || after !== '' ? `$${number}` : number
  })
  return [...figures, ...(plain.match(SPELLED_NUMBER) ?? [])]
}
