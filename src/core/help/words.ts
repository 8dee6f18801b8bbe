import { plainText } from './plain-text.ts'

/** Phrases that stand for a single word here. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:log|sign)(?:ged|ging|ing|ed)?[ -]?(?:in|into|on)\b/g, 'signin'],
  [/\b(?:log|sign)(?:ged|ging|ing|ed)?[ -]?(?:me )?(?:out|off)\b/g, 'signout'],
  [/\bsign(?:ed|ing)?[ -]?up\b|\bregist(?:er|ering|ered|ration)\b/g, 'signup'],
  [/\bmak(?:e|ing) (?:an |a )?(?:new )?account\b/g, 'signup account'],
  [/\bcash(?:ed|ing)?[ -]?outs?\b|\bpay(?:ing)?[ -]?outs?\b|\bpaid out\b/g, 'withdraw'],
  [
    /\b(?:take|taking|took|taken|pull|pulling|get|getting) (?:my |the |some |all )?(?:money|cash|funds) (?:back )?(?:out|off)\b/g,
    'withdraw money',
  ],
  [
    /\b(?:get|getting|send|move|transfer) (?:my |the |some |all )?(?:money|cash|funds|profits?) to (?:my |the |a )?bank\b/g,
    'withdraw money bank',
  ],
  [/\b(?:top(?:ped|ping)?|load(?:ed|ing)?)[ -]up\b|\bpa(?:y|id|ying) in\b/g, 'deposit'],
  [
    /\b(?:put|putting|pay|paying|add|adding|load|loading) (?:in )?(?:my |the |some |more )?(?:money|cash|funds|dollars)(?: in)?\b/g,
    'deposit money',
  ],
  [/\bget(?:ting)? rid of\b/g, 'delete'],
  [/\b(?:on hold|temporarily)\b/g, 'pause'],
  [/\bshut(?:ting)?(?: \w+){0,3} down\b|\bsell(?:ing)? everything\b/g, 'stop all'],
  [/\bhow (?:fast|soon|quickly|quick|many days|many hours)\b/g, 'how long'],
  [/\b(?:play|fake|virtual|pretend|monopoly) (?:money|cash|dollars)\b/g, 'paper money'],
  [/\bbank[ -]grade\b/g, 'security'],
]

/** Words that mean the same here, listed under the one that replaces them. */
const SAME: ReadonlyMap<string, string> = spread({
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

/** Terms to search for as well. An article that lacks them ranks no lower. */
export const RELATED: ReadonlyMap<string, readonly string[]> = new Map(
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
    'a an the i me my mine we us our you your it its this that these those is are was were be ' +
    'been am do does did to of and or ' +
    ('for with at as by so just really actually can could would will please there here any ' +
      'some have has had what which who if ') +
    ('but then than thing stuff ok okay well one get got getting want need like know tell ' +
      'explain something anything still also ') +
    'into onto about in on from not no yes guy guys say says said'
  ).split(' '),
)

/** The terms of a text: the stems of its words, without stop words. */
export function termsOf(text: string): string[] {
  return rawWordsOf(text).flatMap(termOf)
}

/** The words of a text before stemming, with phrases replaced. */
function rawWordsOf(text: string): string[] {
  const joined = PHRASES.reduce(
    (plain, [phrase, word]) => plain.replaceAll(phrase, ` ${word} `),
    plainText(text),
  )
  return joined.replaceAll(/(\d),(?=\d{3})/g, '$1').match(/[a-z0-9]+(?:'[a-z]+)?/g) ?? []
}

/** The stem of a word, or nothing for a stop word. */
export function termOf(word: string): string[] {
  const bare = word.replace(/'[a-z]*$/, '')
  return STOP_WORDS.has(bare) || bare === '' ? [] : [stem(SAME.get(bare) ?? bare)]
}

/** Whether this file contains the word, so that it is no typo. */
export function isSpelled(word: string): boolean {
  return STOP_WORDS.has(word) || ORDINARY.has(word) || SAME.has(word) || RELATED.has(word)
}

/** Whether the word only joins others. */
export function isJoining(word: string): boolean {
  return STOP_WORDS.has(word)
}

/**
 * Common words that no article contains and that are one typo away from a word that some article
 * does.
 */
const ORDINARY = new Set(
  (
    'user users crash other others name names sale sell mean means want wait weight whether ' +
    'later card care hold bold'
  ).split(' '),
)

/**
 * Light English stemming: plurals, -ing, -ed, -ly and a silent e. Words with digits stay as they
 * are.
 */
export function stem(word: string): string {
  if (/\d/.test(word) || word.length <= 3) return word
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x)es$/, '')
    .replace(/(?<![sui])s$/, '')
  const base = singular.replace(/(?<=[aeiouy].*[a-z])(?:ing|ed)$/, '').replace(/(?<=...)ly$/, '')
  const root = base.length < 3 ? singular : base
  return root.replace(/([bdfgmnprt])\1$/, '$1').replace(/(?<=...)e$/, '')
}

function spread(groups: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(groups).flatMap(([word, others]) =>
      others.split(' ').map((other) => [other, word]),
    ),
  )
}
