import type { AccountTopic } from '../account-question.ts'
import { folded, plainText } from './plain-text.ts'

/** In order of precedence: 'wie viel Geld haben meine Bots verloren' is about bots. */
const TOPICS: readonly (readonly [AccountTopic, string])[] = [
  ['withdrawals', '(?:auszahlung(?:en)?|ausgezahlt|abhebung\\w*|abgehoben)'],
  ['deposits', '(?:einzahlung(?:en)?|eingezahlt|aufgeladen)'],
  ['bots', 'bots?'],
  ['balance', '(?:\\w*guthaben|\\w*kontostand|saldo|geld|cash|portfolio|vermögen)'],
]

/** Questions about how things work rather than about figures. */
const GENERAL = pattern(
  '\\b(?:bedeutet|bedeutung|heißt|warum|wieso|weshalb|unterschied|funktioniert|funktionieren|berechnet|erklär\\w*|wie (?:kann|könnte|lange|oft|schnell|bekomme|komme|' +
    ('zahle|lösche|erstelle|ändere|setzt|wird|werden|mache|stoppe|hole)|kann ich|könnte ' +
      'ich|darf ich|wann (?:kommt|ist|wird)|stornier\\w*|stopp\\w*|änder\\w*|limit|mindest\\w*|') +
    ('höchst\\w*|wenn|falls|soll\\w*|muss ' +
      'ich|abgelehnt|verbergen|umbenennen|tippfehler|falsch\\w*|fehlgeschlagen|zurück\\w*|lösch\\w*|angehalten|was passiert|wo habe\\w*|versichert|echt\\w*|sicher|kaputt)\\b'),
)

const SOME = '(?: [\\w-]+){0,3}'
const MY = 'mein\\w*'

const CAN_TAKE = pattern(
  '\\bwie viel (?:geld |davon |guthaben )?(?:kann|könnte|darf) ich (?:noch |jetzt |gerade ' +
    '|aktuell |sofort |maximal )*(?:auszahlen|abheben|investieren|entnehmen)\\b',
)

/**
 * The topic of a question about the user's own figures, if it is one. Expects corrected spelling.
 */
export function accountTopicOf(question: string): AccountTopic | undefined {
  const plain = plainText(question)
    .replaceAll(/[?!.,]+/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
  if (CAN_TAKE.test(plain)) return 'balance'
  if (
    pattern(
      `\\bwie viel (?:habe ich|ist)(?: denn| noch| jetzt| gerade| hier| insgesamt| übrig| da)*$`,
    ).test(plain)
  )
    return 'balance'
  if (GENERAL.test(plain)) return undefined
  return FORMS.find(({ forms }) => forms.some((form) => form.test(plain)))?.topic
}

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

const FORMS = TOPICS.map(([topic, word]) => ({ topic, forms: formsFor(topic, word) }))

const OWNED =
  '(?:\\w*guthaben|\\w*kontostand|bots?|geld|auszahlung\\w*|einzahlung\\w*|konto|konten|portfolio|gewinne?|passwort|daten|vermögen)'

/**
 * Explicit references to other people. A bare name is recognized by being a word that no article
 * contains.
 */
const OTHERS = pattern(
  '\\b(?:(?:ander\\w+|all\\w*|jede\\w*|sämtliche\\w*) ' +
    '(?:user\\w*|nutzer\\w*|benutzer\\w*|kunden?|leute\\w*|personen|mitglieder\\w*|konten)|wer ' +
    '(?:sonst|noch|nutzt)|von allen|von jemand\\w*|benutzer ?id|user ?id)\\b',
)

/** Each captures the word in a position where a name would be. */
const NAMED: readonly RegExp[] = [
  `\\b([a-z][\\w.-]+?)'?s(?: \\w+){0,2} ${OWNED}\\b`,
  `\\b${OWNED} (?:von|des|der|fur|vom)(?: dem)? (?:user |nutzer |benutzer |kunden? |herrn? ` +
    `|frau )?([a-z][\\w.-]+)`,
  '\\bwie viel\\b.*\\b(?:hat|besitzt|haben) ([a-z][\\w.-]+)\\b',
  '\\bwie viel\\b.* ([a-z][\\w.-]+) (?:hat|besitzt)\\b',
  '\\b(?:user|nutzer|benutzer|kunde) ([a-z][\\w.-]+)',
  '\\bich bin ([a-z][\\w.-]+)[.,]',
  `\\b(?:über|ist|sind) (?:der |die |das |den )?(?:\\w+ )?([a-z][\\w.-]+) ${OWNED}\\b`,
].map((source) => new RegExp(folded(source), 'g'))

const FIGURES = pattern(`\\b(?:${OWNED}|wie viel)\\b`)

/** Whether a question asks for figures of anyone but the user. */
export function asksAboutSomebodyElse(
  question: string,
  isKnown: (word: string) => boolean,
): boolean {
  const plain = plainText(question)
  const named = NAMED.flatMap((name) => [...plain.matchAll(name)]).map(([, name = '']) => name)
  const isName = (word: string) => !isKnown(word) && !isKnown(`${word}s`)
  return FIGURES.test(plain) && (OTHERS.test(plain) || named.some(isName))
}

function pattern(source: string): RegExp {
  return new RegExp(folded(source))
}
