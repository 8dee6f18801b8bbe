import { COINS, oneOf, openQuestions } from './patterns.ts'
import { plainText } from './english-words.ts'
import type { AccountTopic } from './tongue.ts'

const COIN = oneOf(COINS, 'crypto|coins?|price|market')
const DEAL = oneOf(
  'buy|sell|invest|pick|choose|take|put|hold|wait|go|trade|switch|pause|delete|close|stop|add',
  'keep|borrow|start|get|use|risk',
)
const GAIN = oneOf(
  'earn|win|gain|profit|profitable|rich|double|make$|come out ahead',
  'make (?:\\d|\\$|money|a? ?(?:profit|living|fortune)|per|more|some|any|it|that|in|with|out)',
)

const ADVICE = [
  `\\bshould (?:i|we)\\b(?: \\w+){0,2} ${DEAL}\\b(?! (?:if|when|button|to (?:delete|close)))`,
  `\\b(?:which|what) .{0,30}\\bshould (?:i|we)\\b(?! (?:enter|type|do if|do when))`,
  `\\b(?:will|would|am) (?:i|we|my bots?|it|they|the bots?|he|she)\\b.{0,30}\\b${GAIN}`,
  `\\b(?:will|would) (?:i|we|it)(?: too| as well| also)\\?*$`,
  `\\bhow (?:much|rich|many dollars) (?:money )?(?:will|would|can|could|might|may|am) ` +
    '(?:i|we|it|my bots?)(?: going to)? (?:be able to ' +
    `)?(?:earn|make|gain|win|profit|expect|be(?: after|\\?|$))`,
  `\\bhow (?:much|rich).{0,20}\\bgoing to (?:earn|make|gain|win|be)\\b`,
  `\\b(?:can|could|do|will|would) (?:you|i|we|it)(?: be| feel)? ` +
    `(?:guarantee|promise|sure|certain|assure)\\b`,
  `\\b(?:guarantee|promise|assure) (?:me|us|that|my|i|a)\\b`,
  `\\b(?:best|right|good|perfect|ideal|great|better) ` +
    `(?:time|moment|day|coins?|pairs?|bots?|investment|token|crypto|setup|strategy|level|` +
    `risk level|choice|entry)\\b(?!.{0,12}\\bname)`,
  `\\b(?:which|what) (?:coins?|pairs?|bots?|tokens?|crypto\\w*|levels?|risk ` +
    `levels?|strategy|presets?)\\b.{0,25}\\b(?:will|go(?:es)? up|mak(?:e|es) (?:the ` +
    `)?(?:most|more)|wins?|perform\\w*|is (?:the )?(?:best|better)|earns?)\\b`,
  `\\bwhat (?:will|would) ${COIN}\\b|\\bwhere (?:will|is|are) ` +
    `${COIN}\\b.{0,12}\\b(?:go|going|heading|headed)\\b`,
  `\\b(?:will|is|are|does|do you think|think|can)(?: the)? ${COIN}(?: price)?(?: is| are| ` +
    `will)? (?:going to|go|going|(?:moon|crash|fall|hit|reach|drop|pump|dump|recover)\\w*|rise|` +
    `rising|a (?:good )?(?:buy|sell|bargain)|(?:over|under)\\w+|up|down)\\b`,
  `\\b(?:price|market) (?:prediction|forecast|target|outlook)s?\\b|\\b(?:give|make|tell) ` +
    `(?:me )?.{0,15}(?:prediction|forecast)\\b`,
  `\\brecommend\\w*\\b|\\bsuggest (?:me ` +
    `)?(?:a|some|which|what)\\b|\\b(?:hot|insider|trading|investment|any) tips?\\b`,
  `\\bwhat (?:would|do) you (?:do|buy|sell|think ` +
    `(?:about|of)|invest|pick|choose|suggest)\\b|\\bwould you ` +
    `(?:put|buy|sell|invest|use|trust|go)\\b|\\bif you were me\\b`,
  `\\b(?:smart|wise|worth|good idea|too late|too early|clever|stupid|ok|safe|better|best) ` +
    `(?:it )?(?:to|for me to) (?:invest|buy|sell|go|put|hold|start|wait|trade)\\b|\\bworth ` +
    `(?:it|investing|buying|the risk)\\b`,
  `\\bwhat (?:kind of )?(?:returns?|profits?|gains?|yield|income) ` +
    `(?:can|could|should|will|do|would) (?:i|we) (?:expect|get|make|earn)\\b`,
  `\\b(?:right|suitable|good|ok|appropriate|enough) for (?:me|someone|a ` +
    `(?:beginner|student|retiree|pensioner)|my age)\\b`,
  `\\bturn (?:my )?\\$?\\d+.{0,12}\\b(?:in)?to\\b|\\bget(?:ting)? rich\\b|\\bbuy or ` +
    `(?:hold|sell|wait)\\b|\\bhold or sell\\b|\\bbuy the dip\\b|\\bto the moon\\b`,
  `\\balways (?:win|profit|make|go up|earn)\\w*\\b|\\b(?:i|we) (?:will not|will ` +
    `never|never|can not) (?:lose|fail)\\b`,
  `\\b(?:tell|show|advise) (?:me|us) (?:what|where|which|when)(?: \\w+)? to ` +
    `(?:invest|buy|sell|trade|put)\\b|^(?:what|where|when) to (?:buy|invest|sell|put my ` +
    `money)\\b`,
  `\\bbetter investment\\b|\\bgood investment\\b|\\ba buy\\b|\\bgo(?:ing)? all in\\b`,
].map((source) => new RegExp(source))

const SOME_WORDS = '(?: [\\w-]+){0,3}'

const TOPICS: readonly (readonly [AccountTopic, string])[] = [
  ['withdrawals', '(?:withdraw\\w*|pay ?outs?|cash(?:ed|ing)? ?outs?)'],
  ['deposits', '(?:deposit\\w*|top ?ups?)'],
  ['bots', '(?:ro)?bots?'],
  ['balance', '(?:balances?|money|cash|total|funds|portfolio|available)'],
]

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

const OWNED = oneOf(
  'balances?|bots?|money|withdrawals?|deposits?|accounts?|cash|portfolio|profits?|password|data',
)

export const ENGLISH_QUESTIONS = openQuestions(plainText, {
  advice: ADVICE,
  general: new RegExp(
    `\\b${oneOf(
      'mean|means|meaning|why|difference|work|works|computed|calculated|explain|can i|could i',
      'how (?:do|can|could|to|would|long|often|fast|soon)|cancel|stop|change|limit|minimum|maximum',
      'if|should|rejected|declined|hide|rename|typo|wrong',
    )}\\b`,
  ),
  balance: [
    '\\bhow much (?:money |cash |of it )?(?:can|could) (?:i|we) (?:still )?' +
      '(?:withdraw|cash out|pay out|take out|invest)\\b',
    '\\bwhat am i worth\\b',
    '\\bhow much (?:have i got|do i have|have i)(?: left| now| here| right now)?$',
  ].map((source) => new RegExp(source)),
  topics: TOPICS.map(([topic, word]) => [topic, formsFor(topic, word)] as const),
  figures: new RegExp(`\\b(?:${OWNED}|how much)\\b`),
  others: new RegExp(
    `\\b${oneOf(
      '(?:other|another|all|every|any|each) (?:users?|customers?|clients?|people|persons?|' +
        'members?|accounts?)',
      'everyone|everybody|(?:someone|somebody|anyone|anybody|who) else|user id|username is',
    )}\\b`,
  ),
  named: [
    `\\b([a-z][\\w.-]+)'s?(?: \\w+){0,2} ${OWNED}\\b`,
    `\\b${OWNED} (?:of|from|for|belonging to) (?:user |customer |mr |mrs )?([a-z][\\w.-]+)`,
    '\\b(?:how much|how many)\\b.*\\b(?:does|did|has) ([a-z][\\w.-]+)\\b',
    '\\b(?:user|customer) ([a-z][\\w.-]+)',
    '\\bi am ([a-z][\\w.-]+)[.,]',
    `\\b(?:about|is|are) (?:the )?(?:\\w+ )?([a-z][\\w.-]+) ${OWNED}\\b`,
  ].map((source) => new RegExp(source, 'g')),
  endings: [''],
})
