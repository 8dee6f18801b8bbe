import type { Speech } from '../tongue.ts'
import { folded } from './plain-text.ts'

const NOT_BEFORE = '(?<!\\b(?:nicht|kein\\w*|nie|niemals|niemand|nichts)\\b(?: \\w+){0,3} )'

const PROMISES: readonly RegExp[] = [
  `${NOT_BEFORE}\\b(?:ver(?:spr[ieo]ch\\w*)|(?:ge)?garantier\\w*|garantie\\w*|zugesichert|zusichern|versichert)`,
  '\\b(?:empfehl|empfiehl|empfohlen|vorschlag|schlag\\w* vor|geraten|rate dir|raten dir)\\w*',
  '\\bdu (?:wirklich |unbedingt |am besten )?(?:solltest|sollst)\\b|\\b(?:solltest|sollst) ' +
    'du\\b|\\ban deiner stelle\\b|\\bam besten (?:kauf|nimm|wahl|verkauf|investier)\\w*',
  '\\b(?:wird|werden|wirst|würde\\w*|dürfte\\w*|bestimmt|sicherlich|wahrscheinlich)(?: [^ ' +
    ']+){0,6} (?:verdien|gewinn|steig|verdoppel|verdreifach|wachs|zulegen|erhol|reich|auszahlen)\\w*',
  '\\brisiko(?:frei|los)\\w*|\\b(?:ohne|kein|keine|keinerlei|null) (?:jedes |jegliches ' +
    ')?risik\\w+|\\bsichere\\w* (?:wette|anlage|wahl|sache|gewinn\\w*)',
  '\\b(?:nie|niemals|nichts|kein geld|keinen cent|nicht) verlier\\w*|\\bverlier\\w+ (?:\\w+ ' +
    ')?(?:nie|niemals|nichts|nicht|kein)\\b|\\bimmer (?:gewinn|verdien|steig|nach oben|im ' +
    'plus)\\w*',
  '\\b(?:gut|best|richtig|perfekt|ideal|klug|schlau|günstig)\\w* ' +
    '(?:zeitpunkt|moment|wahl|anlage|idee|coin|paar|handelspaar|stufe|risikostufe|wette|einstieg)\\w*',
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

export const GERMAN_SPEECH: Speech = {
  foreign: /\b(?:ich|mir|mich|mein\w*)\b|\b[\w-]+\.(?:de|at|ch)\b/,
  promises: PROMISES,
  affirmation:
    /^(?:- )?(?:ja|jawohl|klar|naturlich|sicher|genau|richtig|stimmt|korrekt|absolut|bestimmt|selbstverstandlich|definitiv|erledigt|bestatigt|gern|gerne|ok|okay)\b/,
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
