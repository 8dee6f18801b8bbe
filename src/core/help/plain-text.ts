/** Short forms and what they stand for. Order matters: longer forms come first. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
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

/** Normalizes text: lower case, without accents, curly quotes and short forms. */
export function plainText(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[‘’´`]/g, "'")
    .replaceAll(/\s+/g, ' ')
  const spelled = SHORT_FORMS.reduce(
    (plain, [short, long]) => plain.replaceAll(short, long),
    folded,
  )
  return spelled.replaceAll(/ {2,}/g, ' ').trim()
}
