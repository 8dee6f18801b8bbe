import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { takeSentences } from '../answer-sentences.ts'
import { parseArticle } from '../article.ts'
import { faultOf, openPassages, type Fault } from '../grounding.ts'
import { GERMAN } from './german.ts'

const FACTS = {
  'password-minimum': '6',
  'deposit-minimum': '10 $',
  'deposit-maximum': '10.000 $',
  fee: '15 %',
  'fee-of-100': '15 $',
  'trading-fee': '0,1 %',
  'half-spread': '0,02 %',
  'trend-days': '10, 20, 40 und 80',
  slippage: '0,05 %',
  'selling-cost': '0,17 %',
  'change-wait': 'Nach einer Änderung wird 24 Stunden lang keine Auszahlung gesendet.',
  'looser-wait': '',
  'card-hold': '72',
  'session-days': '30',
  'session-idle-days': '14',
  'help-wording': 'Wort für Wort.',
  'help-questions': 'Nicht gespeichert.',
  'mail-way': 'Wir senden einen Link an die bestätigte E-Mail-Adresse deines Kontos.',
  drift: '5',
  'hold-fee': 'Halten-Bots zahlen keine Gebühr auf ihren Gewinn.',
  'stop-loss-most': '90',
  'take-profit-most': '1,000',
  'daily-loss-most': '50',
  'cool-down-most': '365',
  'cash-yield': 'Ungenutztes Guthaben bringt hier keine Zinsen.',
  contact: 'Frag die Person, die diese Installation betreibt',
  'to-contact': 'frag die Person, die diese Installation betreibt',
  'claims-of-returns': 'Es ist ein Ziel, keine Garantie: Du kannst Geld verlieren.',
  'returns-of-levels': 'Die Renditen, die bei den Stufen stehen, sind Ziele, keine Garantien',
  'past-returns':
    'Aufgezeichnete Kurse, alle Zeiträume von zwölf Monaten nach allen Kosten und unserer ' +
    'Erfolgsgebühr: konservativ Median +6 %, schlechtestes −5 %, 20 % mit Verlust.',
  'past-falls':
    'Aufgezeichnete Kurse, der größte Rückgang eines Bots mit allen 5 Coins: konservativ 5 %, ' +
    'moderat 12 %, offensiv 27 %.',
  'audited-returns':
    '7 andere Coins zusammen, im Jahr: konservativ +1 %, moderat +4 %, offensiv +6 %.',
  'audited-falls': 'LTC allein: konservativ 24 %, moderat 48 %, offensiv 76 %.',
}
const folder = 'docs/help/de'
const articles = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => [
      name.replace('.md', ''),
      parseArticle(readFileSync(`${folder}/${name}`, 'utf8'), FACTS),
    ]),
)
const passagesOf = (...ids: string[]) =>
  openPassages(
    ids.flatMap((id) => [articles.get(id)?.title ?? '', articles.get(id)?.body ?? '']),
    GERMAN,
  )

test('every German article supports each of its own sentences', () => {
  const faults = [...articles.values()].flatMap(({ id, title, body }) => {
    const passages = openPassages([title, body], GERMAN)
    const { sentences, rest } = takeSentences(body)
    const claims = [...sentences, rest].filter((sentence) => !/^(?:Ja|Nein)\.\s*$/.test(sentence))
    return claims.flatMap((sentence) => (faultOf(sentence, passages) ? [`${id}: ${sentence}`] : []))
  })
  expect(faults).toEqual([])
})

test.each<[articles: string, sentence: string]>([
  ['fees platform-fee trading-costs', 'Für Ein- und Auszahlungen gibt es keine Gebühr.'],
  [
    'fees platform-fee trading-costs',
    'Unsere Gebühr beträgt 15 % des Gewinns, den du aus einem Bot entnimmst.',
  ],
  ['fees platform-fee trading-costs', 'Ohne Gewinn zahlst du nichts.'],
  ['deposit deposit-limits', 'Eine Einzahlung beträgt mindestens 10 Dollar.'],
  ['deposit deposit-limits', 'Du kannst höchstens 10.000 $ einzahlen.'],
  ['withdraw withdraw-time', 'Die Bearbeitung dauert 1–3 Werktage.'],
  ['withdraw-cancel', 'Eine Auszahlung, die in Arbeit ist, kann nicht mehr storniert werden.'],
  ['losing-money', 'Jede Risikostufe kann Geld verlieren.'],
  ['pause-bot', 'Ein pausierter Bot behält seine Coins und hört auf zu handeln.'],
  ['strategy', 'Bots folgen festen, veröffentlichten Regeln.'],
])('%s support: %s', (ids, sentence) => {
  expect(faultOf(sentence, passagesOf(...ids.split(' ')))).toBeUndefined()
})

test.each<[articles: string, sentence: string, fault: Fault]>([
  ['fees platform-fee', 'Unsere Gebühr beträgt 12 % des Gewinns, den du entnimmst.', 'figure'],
  ['fees platform-fee', 'Unsere Gebühr beträgt zwölf Prozent des Gewinns.', 'figure'],
  ['fees trading-costs', 'Die Gebühr des Handelsplatzes beträgt 0,3 % auf jeden Trade.', 'figure'],
  ['deposit deposit-limits', 'Eine Einzahlung beträgt höchstens 1.000.000 $.', 'figure'],
  ['deposit deposit-limits', 'Eine Einzahlung beträgt mindestens 1 $.', 'figure'],
  ['returns losing-money', 'Eine Rendite von 75 % ist garantiert.', 'promise'],
  ['returns losing-money', 'Du wirst rund 17 % im Jahr verdienen.', 'promise'],
  ['returns losing-money', 'Dein Bot wird Gewinn machen.', 'promise'],
  ['returns losing-money', 'Du kannst hier kein Geld verlieren.', 'promise'],
  ['returns losing-money', 'Jede Risikostufe ist risikofrei.', 'promise'],
  ['risk-levels', 'Du solltest die offensive Stufe nehmen.', 'promise'],
  ['risk-levels', 'Wir empfehlen moderat.', 'promise'],
  ['risk-levels', 'Ich würde moderat nehmen.', 'foreign'],
  ['risk-levels', 'Offensiv ist die beste Stufe.', 'promise'],
  ['strategy', 'Kaufe Coins jetzt, weil der Schlusskurs über dem höchsten Kurs liegt.', 'promise'],
  [
    'withdraw-cancel',
    'Eine Auszahlung, die in Arbeit ist, ist unterwegs und kann storniert werden.',
    'reversed',
  ],
  ['no-leverage', 'Geld wird geliehen und Coins werden leerverkauft.', 'reversed'],
  ['fees', 'Ja.', 'affirmation'],
  ['fees', 'Klar! Ein- und Auszahlungen sind ohne Gebühr.', 'affirmation'],
  ['fees', 'GEHACKT', 'foreign'],
  ['fees', 'Das Wetter in Paris ist herrlich.', 'unsupported'],
  ['fees', 'Besuche boese-seite.de für keine Gebühr.', 'foreign'],
  ['deposit', 'Einzahlungen sind durch eine Bank versichert.', 'promise'],
  ['balance', 'Dein Gesamtguthaben beträgt 1.000.000 $.', 'figure'],
  ['support', 'Ich habe deine Bots gelöscht.', 'foreign'],
  ['withdraw', 'Deine Auszahlung wurde an Mallory überwiesen.', 'unsupported'],
])('%s do not support: %s', (ids, sentence, fault) => {
  expect(faultOf(sentence, passagesOf(...ids.split(' ')))).toBe(fault)
})
