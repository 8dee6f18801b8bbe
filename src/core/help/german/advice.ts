import { folded, plainText } from './plain-text.ts'

const COIN =
  '(?:btc|bitcoin|eth|ethereum|ada|cardano|dot|polkadot|sol|solana|avax|avalanche|matic|pol|link|chainlink|uni|ltc|litecoin|xrp|bnb|doge\\w*|krypto\\w*|coins?|kurse?|markt)'
const MOVE =
  '(?:steig\\w*|fall\\w*|fällt|crash\\w*|explodier\\w*|erhol\\w*|sink\\w*|hoch|runter|knack\\w*|erreich\\w*|durch die decke|wert|stehen|to the moon|abstürz\\w*)'
const GAIN =
  '(?:verdien\\w*|gewinn\\w*|reich|verdoppel\\w*|profit\\w*|machen|millionär|rausholen|plus)'
const GOOD = '(?:gut|best|besser|richtig|perfekt|ideal|optimal|günstig|lohnend)'

/**
 * Requests for advice, a forecast or a promise. Each pattern was checked not to match questions
 * about how the app works.
 */
const ADVICE: readonly RegExp[] = [
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
  `\\b${GOOD}\\w* (?:zeit|zeitpunkt|moment|tag|coins?|paare?|handelspaare?|bots?|investition|investment|anlage|strategie|stufe|risikostufe|wahl|einstieg\\w*|token|krypto\\w*)\\b`,
  '\\bwelche\\w* (?:coins?|paare?|handelspaare?|bots?|token|krypto\\w*|stufe|risikostufe|strategie)\\b.{0,30}\\b(?:steig\\w*|gewinnt|am meisten|am besten|bringt|(?:sind|ist) (?:gut|besser)|beste\\w*|lohnt|verdient|empfehl\\w*|empfiehl\\w*)',
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
    '(?:worin|was|wo|welche\\w*|wann)\\b.{0,30}\\b(?:investier\\w*|kauf\\w*|verkauf\\w*|anleg\\w*|stecken)',
  '\\bjetzt (?:\\w+ )?(?:kaufen|verkaufen|einsteigen|aussteigen)\\b',
].map((source) => new RegExp(folded(source)))

/** Whether a question asks what to do with money, or what it will earn. */
export function asksForAdvice(question: string): boolean {
  const plain = plainText(question)
  return ADVICE.some((advice) => advice.test(plain))
}
