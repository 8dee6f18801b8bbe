import { byWord, foldLetters, openVocabulary, spellOut, type VocabularyForms } from './patterns.ts'
import type { Vocabulary } from './tongue.ts'

const SHORT_FORMS: VocabularyForms = [
  [/\b(what|where|who|how|when|that|it|he|she|there|here)'?s\b(?= )/g, '$1 is'],
  [/\b(wats|wat is|wots)\b/g, 'what is'],
  [/\bcan'?t\b|\bcannot\b/g, 'can not'],
  [/\bwon'?t\b/g, 'will not'],
  [/\b(do|does|did|is|are|was|would|could|should|have|has)n'?t\b/g, '$1 not'],
  [/\bi'?m\b/g, 'i am'],
  [/\bi'd\b/g, 'i would'],
  [/\b(i|you|we|they)'ve\b/g, '$1 have'],
  [/\b(i|you|we|they|it|he|she)'ll\b/g, '$1 will'],
  [/\b(you|we|they)'re\b/g, '$1 are'],
  [/\bgonna\b/g, 'going to'],
  [/\bwanna\b/g, 'want to'],
  [/\bgotta\b/g, 'have to'],
  [/\b(pls|plz|thx|lol|btw|hey|hi)\b/g, ' '],
  [/\b(shud|shld)\b/g, 'should'],
  [/\bu\b/g, 'you'],
  [/\bur\b/g, 'your'],
  [/\br\b/g, 'are'],
  [/\brn\b/g, 'right now'],
  [/\b(pw|pwd|pass word|passcode)\b/g, 'password'],
  [/\b(acc|acct)\b/g, 'account'],
  [/\b(tx|txn|txs)\b/g, 'transaction'],
  [/\b(bucks|usd|quid)\b/g, 'dollars'],
]

/** Lower case, without accents, curly quotes and short forms. */
export const plainText = (text: string): string => spellOut(foldLetters(text), SHORT_FORMS)

const phrase = (...parts: readonly string[]): RegExp => new RegExp(`\\b${parts.join('')}\\b`, 'g')

const PHRASES: VocabularyForms = [
  [/\b(?:log|sign)(?:ged|ging|ing|ed)?[ -]?(?:in|into|on)\b/g, 'signin'],
  [/\b(?:log|sign)(?:ged|ging|ing|ed)?[ -]?(?:me )?(?:out|off)\b/g, 'signout'],
  [/\bsign(?:ed|ing)?[ -]?up\b|\bregist(?:er|ering|ered|ration)\b/g, 'signup'],
  [/\bmak(?:e|ing) (?:an |a )?(?:new )?account\b/g, 'signup account'],
  [/\bcash(?:ed|ing)?[ -]?outs?\b|\bpay(?:ing)?[ -]?outs?\b|\bpaid out\b/g, 'withdraw'],
  [
    phrase(
      '(?:take|taking|took|taken|pull|pulling|get|getting) (?:my |the |some |all )?',
      '(?:money|cash|funds) (?:back )?(?:out|off)',
    ),
    'withdraw money',
  ],
  [
    phrase(
      '(?:get|getting|send|move|transfer) (?:my |the |some |all )?',
      '(?:money|cash|funds|profits?) to (?:my |the |a )?bank',
    ),
    'withdraw money bank',
  ],
  [/\b(?:top(?:ped|ping)?|load(?:ed|ing)?)[ -]up\b|\bpa(?:y|id|ying) in\b/g, 'deposit'],
  [
    phrase(
      '(?:put|putting|pay|paying|add|adding|load|loading) (?:in )?(?:my |the |some |more )?',
      '(?:money|cash|funds|dollars)(?: in)?',
    ),
    'deposit money',
  ],
  [/\bget(?:ting)? rid of\b/g, 'delete'],
  [/\b(?:on hold|temporarily)\b/g, 'pause'],
  [/\bshut(?:ting)?(?: \w+){0,3} down\b|\bsell(?:ing)? everything\b/g, 'stop all'],
  [/\bhow (?:fast|soon|quickly|quick|many days|many hours)\b/g, 'how long'],
  [/\b(?:play|fake|virtual|pretend|monopoly) (?:money|cash|dollars)\b/g, 'paper money'],
  [/\bbank[ -]grade\b/g, 'security'],
]

const SAME = byWord({
  withdraw:
    'withdrawal withdrawals withdrawl withdrew withdrawn withdrawing payout payouts cashout',
  deposit: 'topup fund funding load',
  delete: 'remove erase kill terminate deactivate trash',
  pay: 'paid payment payments',
  decline: 'declined refuse refused reject rejected denied deny',
  bot: 'bots robot robots',
  fee: 'fees charge charges commission commissions cost costs pricing',
  lose: 'lost loses loss losses losing',
  buy: 'bought purchase purchases',
  sell: 'sold sale',
  send: 'sent',
  fall: 'fell fallen dropping drop',
  hold: 'held',
  coin: 'crypto cryptos cryptocurrency cryptocurrencies token tokens altcoin altcoins',
  bitcoin: 'btc',
  ethereum: 'eth ether',
  password: 'passphrase passwords',
  invest: 'investment investments investing invested',
  verify: 'verification verified',
  minimum: 'smallest lowest least min',
  maximum: 'largest highest most max',
  arrive: 'arrival arrived show appear appeared showed land lands credited',
  dollar: 'dollars bucks',
  percent: 'percentage',
  hide: 'blur conceal mask hidden',
  pause: 'paused freeze',
  person: 'human people agent',
  support: 'helpdesk',
  regulated: 'licensed licence license licenced regulation',
  compute: 'computed calculated calculate calculation',
  email: 'mail e-mail',
  routing: 'aba',
  refund: 'reimburse reimbursement refunded',
  cancel: 'undo abort revoke',
  change: 'changed switch modify edit update updated',
  meaning: 'mean means',
  different: 'difference differences differ differs differently',
  tax: 'taxes taxable irs',
  transaction: 'transactions',
  safe: 'secure security safely',
  hack: 'hacked stolen steal fraud',
  promise: 'promised guarantee guaranteed',
})

const RELATED: Vocabulary['related'] = new Map(
  Object.entries({
    visa: ['card'],
    amex: ['card'],
    mastercard: ['card'],
    dogecoin: ['doge', 'coin', 'support'],
    cheque: ['check'],
    accountant: ['bookkeep', 'statement'],
    idl: ['trad'],
    irs: ['tax'],
    safest: ['safe', 'conservativ'],
    reset: ['forgot'],
    remember: ['forgot'],
    ai: ['artificial', 'intelligenc'],
    chargeback: ['dispute'],
    signup: ['creat'],
  }),
)

const STOP_WORDS = new Set(
  (
    'a an the i me my mine we us our you your it its this that these those is are was were ' +
    'be been am do does did to of and or for with at as by so just really actually can could ' +
    'would will please there here any some have has had what which who if but then than ' +
    'thing stuff ok okay well one get got getting want need like know tell explain something ' +
    'anything still also into onto about in on from not no yes guy guys say says said'
  ).split(' '),
)

/** Common words that no article contains and that are one typo away from a word of an article. */
const ORDINARY = new Set(
  (
    'user users crash other others name names sale sell mean means want wait weight whether ' +
    'later card care hold bold'
  ).split(' '),
)

/** Light English stemming: plurals, -ing, -ed, -ly and a silent e. Words with digits stay. */
function stem(word: string): string {
  if (/\d/.test(word) || word.length <= 3) return word
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x)es$/, '')
    .replace(/(?<![sui])s$/, '')
  const base = singular.replace(/(?<=[aeiouy].*[a-z])(?:ing|ed)$/, '').replace(/(?<=...)ly$/, '')
  const root = base.length < 3 ? singular : base
  return root.replace(/([bdfgmnprt])\1$/, '$1').replace(/(?<=...)e$/, '')
}

export const ENGLISH_VOCABULARY = openVocabulary({
  plainText,
  phrases: PHRASES,
  word: /[a-z0-9]+(?:'[a-z]+)?/g,
  thousands: /(\d),(?=\d{3})/g,
  same: SAME,
  stopWords: STOP_WORDS,
  bareWord: (word) => word.replace(/'[a-z]*$/, '') || undefined,
  stem,
  isSpelled: (word) => ORDINARY.has(word) || RELATED.has(word),
  related: RELATED,
  shortestTypo: 4,
})
