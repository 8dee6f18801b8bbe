import { plainText } from './plain-text.ts'
import { termOf, termsOf } from './words.ts'

/** What is wrong with a sentence that nobody may read as ours. */
export type Fault = 'foreign' | 'promise' | 'affirmation' | 'figure' | 'unsupported' | 'reversed'

/** What the articles say, and an answer may rest on: sentences, and what is said and denied in them. */
export type Passages = { sentences: readonly Sentence[]; words: Words; said: Words; denied: Words; capitals: Words; texts: ReadonlySet<string> }

type Words = ReadonlySet<string>
type Sentence = { terms: Words; figures: ReadonlySet<string> }

/** How many of a sentence's words the articles must have: together, and one sentence alone. Chosen on the test's table. */
const SUPPORT = { together: 0.75, single: 0.5 }

/** A figure counts where it stands in a sentence that supports nearly as well as the best one. */
const NEARLY_BEST = 0.7

/** Words that steer the reader and claim nothing. */
const STEERING = new Set(
  (
    'first next use press tap open go via app screen page simply called example kind how where when while after once again more any anymore ' +
    'there between long as dollars percent means'
  )
    .split(' ')
    .flatMap(termOf),
)

/** Something is said or denied in each. */
const CLAUSES = /(?<=[.!?;,])\s+|\n+/

/** An answer may quote a clause or a sentence, or join what an article says in one breath: its paragraph or point. */
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

/** The words of a sentence that claim something; figures are looked at apart. */
function claimsOf(sentence: string): string[] {
  return [...new Set(termsOf(sentence))].filter((term) => !STEERING.has(term) && !NUMBERS.has(term) && !/^\d/.test(term))
}

/**
 * What keeps `sentence` from being shown as an answer that rests on `passages`; undefined where nothing does. Word for word what an
 * article says is always right. Threat: a model that invents, promises, advises, or does what somebody typed into the chat; so it errs
 * on the side of refusing, and the article itself takes the place of what is refused.
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

/** Each figure stands in a sentence that says nearly as many of these words as any other, and nearly as few others. */
function haveFigures(sentence: string, { sentences }: Passages): boolean {
  const claims = claimsOf(sentence)
  const supporters = nearlyBest(sentences, ({ terms }) => shareIn(terms, claims))
  const closest = nearlyBest(supporters, ({ terms }) => shareIn(terms, claims) / Math.sqrt(terms.size))
  return figuresOf(sentence).every((figure) => closest.some(({ figures }) => figures.has(figure)))
}

function nearlyBest(sentences: readonly Sentence[], scoreOf: (sentence: Sentence) => number): Sentence[] {
  const enough = NEARLY_BEST * Math.max(...sentences.map(scoreOf))
  return sentences.filter((sentence) => scoreOf(sentence) >= enough)
}

/** Whether the articles deny what the clause says, or say what it denies. */
function isReversed(clause: string, { said, denied }: Passages): boolean {
  const claims = claimsOf(clause)
  // One word says nothing by itself.
  if (claims.length < 2) return false
  const [own, opposite] = isNegative(clause) ? [denied, said] : [said, denied]
  return shareIn(own, claims) < SUPPORT.together && shareIn(opposite, claims) > shareIn(own, claims)
}

function shareIn(words: Words, claims: readonly string[]): number {
  return claims.filter((claim) => words.has(claim)).length / claims.length
}

/** What the sentence says, whatever stands around it: the marks of lists, quotes, its end. */
function bareText(sentence: string): string {
  return plainText(sentence).replaceAll(/^- /gm, '').replaceAll(/[.:;!]+$/g, '')
}

/** Words in capitals, as commands like to be confirmed: 'DONE'. */
function capitalsOf(text: string): string[] {
  return text.match(/\b[A-Z]{3,}\b/g) ?? []
}

/** Addresses, markup, letters that our articles do not use, and somebody who says I. */
function isForeign(sentence: string): boolean {
  if (/\b(?:i|me|my|mine|myself)\b/.test(plainText(sentence))) return true
  return /https?:|www\.|\b[\w-]+\.(?:com|org|net|io|app|xyz|example|info|me)\b|[<>[\]{}\\@]/i.test(sentence) || /[^\p{Script=Latin}\P{L}]|(?![0-9])\p{Nd}/u.test(sentence)
}

const NOT_BEFORE = '(?<!\\b(?:not|no|never|nobody|nothing)\\b(?: \\w+){0,3} )'

/** What nobody may say in our name about money that is not made yet. */
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

/** A yes to a question that may have been a trap. */
const AFFIRMATION = /^(?:- )?(?:yes|yeah|yep|sure|of course|absolutely|correct|right|exactly|true|certainly|definitely|confirmed|done|ok|okay)\b/

const NEGATION = /\b(?:not|no|none|never|nobody|nothing|neither|nor|without|cannot|unable|impossible)\b/

function isNegative(sentence: string): boolean {
  return NEGATION.test(plainText(sentence))
}

/** Numbers that are spelled out. */
const SPELLED =
  'two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred ' +
  'thousand million billion half twice double triple dozen'
const SPELLED_NUMBER = new RegExp(`\\b(?:${SPELLED.replaceAll(' ', '|')})\\b`, 'g')
const NUMBERS = new Set(SPELLED.split(' ').flatMap(termOf))

/** Every figure with what makes it one of money or a share: '$10', '15%', '20', 'four'. */
function figuresOf(sentence: string): string[] {
  const plain = plainText(sentence).replaceAll(/(\d),(?=\d{3})/g, '$1')
  const digits = [...plain.matchAll(/(\$ ?)?(\d+(?:\.\d+)?)( ?(?:%|percent\b|dollars?\b))?/g)]
  const figures = digits.map(([, before = '', number = '', after = '']) => {
    if (/%|percent/.test(after)) return `${number}%`
    return before !== '' || after !== '' ? `$${number}` : number
  })
  return [...figures, ...(plain.match(SPELLED_NUMBER) ?? [])]
}
