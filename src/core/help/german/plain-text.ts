/** Short forms and what they stand for, both in folded letters. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\b(gibt|geht|ist|wie|was|wo|mach|hab|nehm|kann|ich|du|er|ihr)'?s\b(?= |\?|$)/g, '$1 es'],
  [/\b(gibts|gibs)\b/g, 'gibt es'],
  [/\bwieviele?\b/g, 'wie viel'],
  [/\bwie viele\b/g, 'wie viel'],
  [/\bnich(ts?mehr|tmehr)\b/g, 'nicht mehr'],
  [/\b(nich|ned|net)\b/g, 'nicht'],
  [/\b(nix|nichs)\b/g, 'nichts'],
  [/\bhab\b/g, 'habe'],
  [/\b(ne|nen|nem|ner)\b/g, 'eine'],
  [/\b(krieg|kriege)\b/g, 'bekomme'],
  [/\brein\b/g, 'hinein'],
  [/\b(hallo|hi|hey|bitte|mal|lg|btw|danke)\b/g, ' '],
  [/\b(e-?mail|mail)[ -]?adress(e|en)\b|\be-?mails?\b|\bmails?\b/g, 'email'],
  [/\b(pw|pwd|kennwort|passwoerter|kennworter)\b/g, 'passwort'],
  [/\b(acc|acct|accounts?|kontos)\b/g, 'konto'],
  [/\b(bucks|usd)\b/g, 'dollar'],
  [/\bki\b/g, 'kunstliche intelligenz'],
  [/\bprozentzahl\b/g, 'prozent'],
]

/**
 * Normalizes German text: lower case, short forms spelled out, umlauts as their bare vowels.
 * Whoever has no umlauts types 'ae', 'oe' and 'ue', so these are folded too, except where two
 * vowels meet as in 'neue' and 'Steuer'.
 */
export function plainText(text: string): string {
  const spelled = SHORT_FORMS.reduce(
    (plain, [short, long]) => plain.replaceAll(short, long),
    folded(text),
  )
  return spelled.replaceAll(/ {2,}/g, ' ').trim()
}

/** Folds the letters of a text or of the source of a pattern. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[‘’´`]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ae/g, 'a')
    .replaceAll(/oe/g, 'o')
    .replaceAll(/(?<![aeq])ue/g, 'u')
}
