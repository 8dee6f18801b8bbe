import { ENGLISH_QUESTIONS } from './english-questions.ts'
import { ENGLISH_VOCABULARY } from './english-words.ts'
import { oneOf } from './patterns.ts'
import type { Speech, Tongue } from './tongue.ts'

const NOT_BEFORE = '(?<!\\b(?:not|no|never|nobody|nothing)\\b(?: \\w+){0,3} )'

const PROMISES: readonly RegExp[] = [
  `${NOT_BEFORE}\\b(?:promis|guarant|assur|insured)\\w*`,
  '\\b(?:recommend|suggest|advis(?:e|ed|able))\\w*',
  '\\byou (?:really |definitely |probably )?(?:should|ought|had better|better|must)\\b|\\bi ' +
    'would\\b|\\bif i were you\\b',
  '\\b(?:will|would|going to|bound to|sure to|certain to|expect to|likely)(?: \\w+){0,4} ' +
    '(?:earn|make (?:money|a profit|more|you)|gain|profit|double|triple|grow|rise|go ' +
    'up|increase|recover|moon|pay off|be worth|reach)\\w*',
  '\\brisk[ -]?free\\b|\\b(?:no|without|zero) (?:any )?risks?\\b|\\bsafe ' +
    '(?:bet|investment|choice)\\b|\\bsure thing\\b',
  '\\b(?:can not|can never|never|will not|do not|does not) (?:\\w+ ' +
    ')?(?:lose|fail)\\b|\\balways (?:win|profit|earn|gain|go|rise|make)\\w*',
  '\\b(?:good|great|best|right|perfect|ideal|smart|wise) ' +
    '(?:time|moment|choice|investment|idea|coin|pair|level|bet)\\b',
  '\\b(?:buy|sell|invest|hold|deposit|put)\\b.{0,30}\\bnow\\b',
].map((source) => new RegExp(source))

const STEERING =
  'first next use press tap open go via app screen page simply called example kind how where ' +
  'when while after once again more any anymore ' +
  'there between long as dollars percent means'

const SPELLED =
  'two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty ' +
  'fifty sixty seventy eighty ninety hundred ' +
  'thousand million billion half twice double triple dozen'

const SPEECH: Speech = {
  foreign: /\b(?:i|me|my|mine|myself)\b/,
  promises: PROMISES,
  affirmation: new RegExp(
    `^(?:- )?${oneOf(
      'yes|yeah|yep|sure|of course|absolutely|correct|right|exactly|true|certainly|definitely',
      'confirmed|done|ok|okay',
    )}\\b`,
  ),
  negation: /\b(?:not|no|none|never|nobody|nothing|neither|nor|without|cannot|unable|impossible)\b/,
  spelledNumbers: SPELLED.split(' '),
  steering: STEERING.split(' '),
  plainFigures: (plain) =>
    plain
      .replaceAll(/(\d),(?=\d{3})/g, '$1')
      .replaceAll(/(\d) ?(?:%|percent\b)/g, '$1%')
      .replaceAll(/(?<!\$ ?|[\d.])(\d+(?:\.\d+)?) ?dollars?\b/g, '$$$1'),
}

export const ENGLISH: Tongue = {
  manner: 'in plain English',
  threshold: 0.45,
  far: 0.06,
  greeting: new RegExp(
    '^(?:hi|hello|hey|hey there|hi there|hello there|good (?:morning|afternoon|evening)|yo|' +
      'greetings)[!. ]*$',
    'i',
  ),
  thanks: new RegExp(
    '^(?:thanks|thank you|thx|ty|cheers|great|perfect|awesome|ok thanks|got it)' +
      '(?: (?:a lot|so much|very much|!))*[!. ]*$',
    'i',
  ),
  vocabulary: ENGLISH_VOCABULARY,
  speech: SPEECH,
  ...ENGLISH_QUESTIONS,
}
