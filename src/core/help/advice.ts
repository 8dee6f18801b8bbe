import { plainText } from './plain-text.ts'

const COIN =
  '(?:btc|bitcoin|eth|ethereum|ada|cardano|dot|polkadot|sol|solana|avax|avalanche|matic|pol|link|chainlink|uni|ltc|litecoin|xrp|bnb|doge\\w*|crypto|coins?|price|market)'
const DEAL =
  '(?:buy|sell|invest|pick|choose|take|put|hold|wait|go|trade|switch|pause|delete|close|stop|add|keep|borrow|start|get|use|risk)'
const GAIN =
  '(?:earn|win|gain|profit|profitable|rich|double|make (?:\\d|\\$|money|a? ' +
  '?(?:profit|living|fortune)|per|more|some|any|it|that|in|with|out)|make$|come out ahead)'

/**
 * Requests for advice, a forecast or a promise. Each pattern was checked not to match questions
 * about how the app works.
 */
const ADVICE: readonly RegExp[] = [
  pattern(
    `\\bshould (?:i|we)\\b(?: \\w+){0,2} ${DEAL}\\b(?! (?:if|when|button|to (?:delete|close)))`,
  ),
  pattern(`\\b(?:which|what) .{0,30}\\bshould (?:i|we)\\b(?! (?:enter|type|do if|do when))`),
  pattern(`\\b(?:will|would|am) (?:i|we|my bots?|it|they|the bots?|he|she)\\b.{0,30}\\b${GAIN}`),
  pattern(`\\b(?:will|would) (?:i|we|it)(?: too| as well| also)\\?*$`),
  pattern(
    `\\bhow (?:much|rich|many dollars) (?:money )?(?:will|would|can|could|might|may|am) ` +
      '(?:i|we|it|my bots?)(?: going to)? (?:be able to ' +
      `)?(?:earn|make|gain|win|profit|expect|be(?: after|\\?|$))`,
  ),
  pattern(`\\bhow (?:much|rich).{0,20}\\bgoing to (?:earn|make|gain|win|be)\\b`),
  pattern(
    `\\b(?:can|could|do|will|would) (?:you|i|we|it)(?: be| feel)? ` +
      `(?:guarantee|promise|sure|certain|assure)\\b`,
  ),
  pattern(`\\b(?:guarantee|promise|assure) (?:me|us|that|my|i|a)\\b`),
  pattern(
    `\\b(?:best|right|good|perfect|ideal|great|better) ` +
      `(?:time|moment|day|coin|coins|pair|pairs|bots?|investment|token|crypto|setup|strategy|level|risk level|choice|entry)\\b(?!.{0,12}\\bname)`,
  ),
  pattern(
    `\\b(?:which|what) (?:coins?|pairs?|bots?|tokens?|crypto\\w*|levels?|risk ` +
      `levels?|strategy|presets?)\\b.{0,25}\\b(?:will|go(?:es)? up|mak(?:e|es) (?:the ` +
      `)?(?:most|more)|wins?|perform\\w*|is (?:the )?(?:best|better)|earns?)\\b`,
  ),
  pattern(
    `\\bwhat (?:will|would) ${COIN}\\b|\\bwhere (?:will|is|are) ` +
      `${COIN}\\b.{0,12}\\b(?:go|going|heading|headed)\\b`,
  ),
  pattern(
    `\\b(?:will|is|are|does|do you think|think|can)(?: the)? ${COIN}(?: price)?(?: is| are| ` +
      `will)? (?:going to|go|going|moon\\w*|crash\\w*|rise|rising|fall\\w*|hit\\w*|reach\\w*|drop\\w*|pump\\w*|dump\\w*|recover\\w*|a (?:good )?(?:buy|sell|bargain)|over\\w+|under\\w+|up|down)\\b`,
  ),
  pattern(
    `\\b(?:price|market) (?:prediction|forecast|target|outlook)s?\\b|\\b(?:give|make|tell) ` +
      `(?:me )?.{0,15}(?:prediction|forecast)\\b`,
  ),
  pattern(
    `\\brecommend\\w*\\b|\\bsuggest (?:me ` +
      `)?(?:a|some|which|what)\\b|\\b(?:hot|insider|trading|investment|any) tips?\\b`,
  ),
  pattern(
    `\\bwhat (?:would|do) you (?:do|buy|sell|think ` +
      `(?:about|of)|invest|pick|choose|suggest)\\b|\\bwould you ` +
      `(?:put|buy|sell|invest|use|trust|go)\\b|\\bif you were me\\b`,
  ),
  pattern(
    `\\b(?:smart|wise|worth|good idea|too late|too early|clever|stupid|ok|safe|better|best) ` +
      `(?:it )?(?:to|for me to) (?:invest|buy|sell|go|put|hold|start|wait|trade)\\b|\\bworth ` +
      `(?:it|investing|buying|the risk)\\b`,
  ),
  pattern(
    `\\bwhat (?:kind of )?(?:returns?|profits?|gains?|yield|income) ` +
      `(?:can|could|should|will|do|would) (?:i|we) (?:expect|get|make|earn)\\b`,
  ),
  pattern(
    `\\b(?:right|suitable|good|ok|appropriate|enough) for (?:me|someone|a ` +
      `(?:beginner|student|retiree|pensioner)|my age)\\b`,
  ),
  pattern(
    `\\bturn (?:my )?\\$?\\d+.{0,12}\\b(?:in)?to\\b|\\bget(?:ting)? rich\\b|\\bbuy or ` +
      `(?:hold|sell|wait)\\b|\\bhold or sell\\b|\\bbuy the dip\\b|\\bto the moon\\b`,
  ),
  pattern(
    `\\balways (?:win|profit|make|go up|earn)\\w*\\b|\\b(?:i|we) (?:will not|will ` +
      `never|never|can not) (?:lose|fail)\\b`,
  ),
  pattern(
    `\\b(?:tell|show|advise) (?:me|us) (?:what|where|which|when)(?: \\w+)? to ` +
      `(?:invest|buy|sell|trade|put)\\b|^(?:what|where|when) to (?:buy|invest|sell|put my ` +
      `money)\\b`,
  ),
  pattern(`\\bbetter investment\\b|\\bgood investment\\b|\\ba buy\\b|\\bgo(?:ing)? all in\\b`),
]

/** Whether a question asks what to do with money, or what it will earn. */
export function asksForAdvice(question: string): boolean {
  const plain = plainText(question)
  return ADVICE.some((advice) => advice.test(plain))
}

function pattern(source: string): RegExp {
  return new RegExp(source)
}
