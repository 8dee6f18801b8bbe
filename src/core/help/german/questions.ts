import { COINS, oneOf, openQuestions } from '../patterns.ts'
import { folded, plainText } from './words.ts'
import type { AccountTopic } from '../tongue.ts'

const pattern = (source: string): RegExp => new RegExp(folded(source))

const COIN = oneOf(COINS, 'krypto\\w*|coins?|kurse?|markt')
const MOVE = oneOf(
  'steig\\w*|fall\\w*|fällt|crash\\w*|explodier\\w*|erhol\\w*|sink\\w*|hoch|runter|knack\\w*',
  'erreich\\w*|durch die decke|wert|stehen|to the moon|abstürz\\w*',
)
const GAIN = oneOf(
  'verdien\\w*|gewinn\\w*|reich|verdoppel\\w*|profit\\w*|machen|millionär|rausholen|plus',
)
const GOOD = '(?:gut|best|besser|richtig|perfekt|ideal|optimal|günstig|lohnend)'

const CHOICES = 'coins?|paare?|handelspaare?|bots?|token|krypto\\w*|stufe|risikostufe|strategie'

const ADVICE = [
  '\\b(?:soll|sollte|sollen|sollten) (?:ich|wir|man)\\b(?!.*\\b(?:eingeben|eintragen|tun,? ' +
    '(?:wenn|falls)|machen,? (?:wenn|falls)))',
  `\\b(?:werde|würde) (?:ich|wir)\\b.{0,30}\\b${GAIN}`,
  `\\b(?:wird|werden) (?:mein\\w* |der |die )?(?:bots?|das|es)\\b.{0,30}\\b${GAIN}`,
  `\\bwie viel (?:geld |gewinn |rendite |profit ` +
    `)?(?:werde|würde|kann|könnte|verdiene|gewinne|mache) (?:ich|man|wir)\\b(?: [^ ]+){0,6} ` +
    '?(?:verdienen|machen|gewinnen|erwarten|rausholen|monat|jahr|tag|dollar)',
  '\\b(?:kann|kannst|könnt|können) ' +
    '(?:du|ihr|sie|man|ich|wir)\\b.{0,30}\\b(?:garantier\\w*|versprech\\w*|zusicher\\w*|sicher ' +
    'sein)',
  '\\b(?:garantier\\w*|versprich\\w*|versprecht|verspreche) (?:du |ihr |sie ' +
    ')?(?:mir|uns|dass|das)\\b',
  `\\b${GOOD}\\w* ${oneOf(
    CHOICES,
    'zeit|zeitpunkt|moment|tag|investition|investment|anlage|wahl|einstieg\\w*',
  )}\\b`,
  `\\bwelche\\w* (?:${CHOICES})\\b.{0,30}\\b${oneOf(
    'steig\\w*|gewinnt|am meisten|am besten|bringt|(?:sind|ist) (?:gut|besser)|beste\\w*|lohnt',
    'verdient|empfehl\\w*|empfiehl\\w*',
  )}`,
  `^(?!.*\\b(?:wenn|warum|wieso|was ` +
    `passiert)\\b).*\\b(?:wird|geht|steigt|fällt|crasht|glaubst du|denkst du|meinst ` +
    `du|explodiert|knackt|erreicht|erholt sich) (?:der |die |das )?${COIN}\\b(?: [^ ]+){0,5} ` +
    `?${MOVE}?`,
  `\\b(?:meinst|denkst|glaubst) du\\b.*\\b${COIN}\\b|\\bverdiene ich ` +
    `.*\\b(?:sicher|garantiert)|\\bwie viel (?:gewinn|rendite|geld) (?:bringt|macht|schafft) ` +
    '(?:ein|der|so ein)',
  `\\bwas (?:wird|ist) ${COIN}\\b.{0,30}\\b(?:wert|stehen)|\\bwo (?:steht|landet|wird) ${COIN}\\b`,
  '\\b(?:(?:kurs|preis|markt) ' +
    '?(?:prognose|ziel|ausblick|vorhersage))\\w*|\\b(?:gib|mach|nenn|sag|hast)\\w* ' +
    '.{0,20}\\b(?:prognose|vorhersage)',
  '\\b(?:empfiehl|empfehl|empfohlen|empfehlung)\\w*|\\b(?:rätst|ratet|rate) ' +
    '(?:du|ihr|mir)\\b|\\b(?:geheim|insider|anlage|handels|investment|heiße\\w*)[ ' +
    '-]?tipps?\\b|\\btipps? (?:für (?:diese|mich|heute|morgen))',
  '\\bwürdest (?:du|ihr)\\b|\\bwürdet ihr\\b|\\ban meiner stelle\\b|\\bwenn du ich wärst\\b',
  '\\blohn(?:t|en|enswert)\\w*\\b|\\b(?:ist|wäre) es (?:\\w+ ' +
    ')?(?:klug|schlau|sinnvoll|ratsam|sicher|dumm|zu spät|zu früh|besser|gut|ok)\\b|\\bmacht es ' +
    'sinn\\b|\\bsinnvoll\\b',
  '\\bwelche (?:rendite|gewinne?|erträge) (?:kann|darf|werde|könnte|soll) (?:ich|man)\\b',
  '\\b(?:das richtige|richtig|geeignet|passend|gut|genug|was|etwas) für ' +
    '(?:mich|anfänger|rentner|studenten|mein alter)\\b',
  '\\breich werden\\b|\\bmillionär\\b|\\bverdoppel\\w*|\\b(?:kaufen|halten|verkaufen|warten) ' +
    'oder (?:kaufen|halten|verkaufen|warten)\\b|\\bbuy the dip\\b|\\bto the moon\\b|\\ball[ ' +
    '-]in\\b',
  '\\baus \\$?\\d+ ?(?:\\$|dollar|euro)? (?:[^ ]+ ){0,2}\\d+|\\b\\d+ .{0,15}\\b(?:zu|in) \\d+ ' +
    'machen\\b',
  '\\b(?:ich|wir) (?:garantiert|sicher|nie|niemals|nichts|nicht)(?: \\w+)? ' +
    '(?:gewinn\\w*|verlier\\w*)|\\bimmer (?:gewinn|steigt|plus)\\w*',
  '\\b(?:sag|zeig|verrat)\\w* (?:mir|uns) ' +
    '(?:worin|was|wo|welche\\w*|wann)\\b.{0,30}\\b(?:investier\\w*|kauf\\w*|verkauf\\w*|' +
    'anleg\\w*|stecken)',
  '\\bjetzt (?:\\w+ )?(?:kaufen|verkaufen|einsteigen|aussteigen)\\b',
].map(pattern)

const SOME = '(?: [\\w-]+){0,3}'
const MY = 'mein\\w*'

const TOPICS: readonly (readonly [AccountTopic, string])[] = [
  ['withdrawals', '(?:auszahlung(?:en)?|ausgezahlt|abhebung\\w*|abgehoben)'],
  ['deposits', '(?:einzahlung(?:en)?|eingezahlt|aufgeladen)'],
  ['bots', 'bots?'],
  ['balance', '(?:\\w*guthaben|\\w*kontostand|saldo|geld|cash|portfolio|vermögen)'],
]

function formsFor(topic: AccountTopic, word: string): RegExp[] {
  return [
    `^(?:${MY} )?(?:aktuelle\\w* |gesamte\\w* |verfügbare\\w* |letzte\\w* |offene\\w* ` +
      `|neueste\\w* )*${word}(?: jetzt| gerade| anzeigen| zeigen| ansehen)*$`,
    `^(?:zeig\\w*|liste|nenn\\w*|sag\\w*|gib|sehen|anzeigen)(?: mir)?(?: alle| wie hoch)? ` +
      `${MY}${SOME} ${word}\\b`,
    `\\b(?:ist|sind|war|waren|hat|haben|habe|wurde|wurden|wird|läuft|laufen|steht|stehen|geht ` +
      'es|gehts|bleibt|bleiben|macht|machen|kam|kamen|schlagen ' +
      'sich|lief|liefen|verdient|verdienen)' +
      `(?: denn| gerade| aktuell| schon| eigentlich| jetzt)? ${MY}${SOME} ${word}\\b`,
    `\\b(?:status|stand|wert|ergebnis\\w*|gewinne?|verluste?|zahlen|performance|rendite) ` +
      `(?:von )?${MY}${SOME} ${word}\\b`,
    `\\b${MY} ${word} (?:performance|ergebnis\\w*|zahlen|gewinne?|status|wert)\\b`,
    `\\b(?:habe ich|ich habe|besitze ich)${SOME} ${word}\\b`,
    `\\bwie viel${SOME} ${word}${SOME} (?:habe ich|ich habe|besitze ich)\\b`,
    `\\bwelche${SOME} ${word} (?:laufen|habe ich|sind (?:aktiv|offen|pausiert))\\b`,
    ...(topic === 'balance'
      ? [`\\bwie viel (?:von )?${MY} geld\\b`, `\\bwie hoch (?:ist|sind) ${MY}${SOME} ${word}\\b`]
      : []),
  ].map(pattern)
}

const OWNED = oneOf(
  '\\w*guthaben|\\w*kontostand|bots?|geld|auszahlung\\w*|einzahlung\\w*|konto|konten|portfolio',
  'gewinne?|passwort|daten|vermögen',
)

export const GERMAN_QUESTIONS = openQuestions(plainText, {
  advice: ADVICE,
  general: pattern(
    `\\b${oneOf(
      'bedeutet|bedeutung|heißt|warum|wieso|weshalb|unterschied|funktioniert|funktionieren',
      'berechnet|erklär\\w*|wie (?:kann|könnte|lange|oft|schnell|bekomme|komme|zahle|lösche)',
      'wie (?:erstelle|ändere|setzt|wird|werden|mache|stoppe|hole)|kann ich|könnte ich|darf ich',
      'wann (?:kommt|ist|wird)|stornier\\w*|stopp\\w*|änder\\w*|limit|mindest\\w*|höchst\\w*|wenn',
      'falls|soll\\w*|muss ich|abgelehnt|verbergen|umbenennen|tippfehler|falsch\\w*',
      'fehlgeschlagen|zurück\\w*|lösch\\w*|angehalten|was passiert|wo habe\\w*|versichert|echt\\w*',
      'sicher|kaputt',
    )}\\b`,
  ),
  balance: [
    '\\bwie viel (?:geld |davon |guthaben )?(?:kann|könnte|darf) ich (?:noch |jetzt |gerade ' +
      '|aktuell |sofort |maximal )*(?:auszahlen|abheben|investieren|entnehmen)\\b',
    '\\bwie viel (?:habe ich|ist)(?: denn| noch| jetzt| gerade| hier| insgesamt| übrig| da)*$',
  ].map(pattern),
  topics: TOPICS.map(([topic, word]) => [topic, formsFor(topic, word)] as const),
  figures: pattern(`\\b(?:${OWNED}|wie viel)\\b`),
  others: pattern(
    '\\b(?:(?:ander\\w+|all\\w*|jede\\w*|sämtliche\\w*) ' +
      '(?:user\\w*|nutzer\\w*|benutzer\\w*|kunden?|leute\\w*|personen|mitglieder\\w*|konten)|wer ' +
      '(?:sonst|noch|nutzt)|von allen|von jemand\\w*|benutzer ?id|user ?id)\\b',
  ),
  named: [
    `\\b([a-z][\\w.-]+?)'?s(?: \\w+){0,2} ${OWNED}\\b`,
    `\\b${OWNED} (?:von|des|der|fur|vom)(?: dem)? (?:user |nutzer |benutzer |kunden? |herrn? ` +
      `|frau )?([a-z][\\w.-]+)`,
    '\\bwie viel\\b.*\\b(?:hat|besitzt|haben) ([a-z][\\w.-]+)\\b',
    '\\bwie viel\\b.* ([a-z][\\w.-]+) (?:hat|besitzt)\\b',
    '\\b(?:user|nutzer|benutzer|kunde) ([a-z][\\w.-]+)',
    '\\bich bin ([a-z][\\w.-]+)[.,]',
    `\\b(?:über|ist|sind) (?:der |die |das |den )?(?:\\w+ )?([a-z][\\w.-]+) ${OWNED}\\b`,
  ].map((source) => new RegExp(folded(source), 'g')),
  endings: ['', 's'],
})
