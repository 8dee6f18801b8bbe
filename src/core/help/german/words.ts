import {
  byWord,
  foldLetters,
  oneOf,
  openVocabulary,
  spellOut,
  type VocabularyForms,
} from '../patterns.ts'
import type { Vocabulary } from '../tongue.ts'

const SHORT_FORMS: VocabularyForms = [
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
 * Replaces umlauts, and 'ae', 'oe' and 'ue' except in 'neue' and 'Steuer', by plain vowels. Also
 * for the source of a pattern.
 */
export function folded(text: string): string {
  return foldLetters(text)
    .replaceAll('ß', 'ss')
    .replaceAll(/ae/g, 'a')
    .replaceAll(/oe/g, 'o')
    .replaceAll(/(?<![aeq])ue/g, 'u')
}

export const plainText = (text: string): string => spellOut(folded(text), SHORT_FORMS)

/**
 * German stemming after CISTEM (Weißweiler and Fraser, 2017): endings are dropped one by one. Nouns
 * in '-ung' share the stem of their verb. Callers must fold the letters first. Words with digits
 * stay.
 */
function stem(word: string): string {
  if (/\d/.test(word) || word.length <= 3) return word
  let root = word.replace(/(?<=.{3})ung(?:en)?$/, '').replace(/^ge(?=.{4})/, '')
  for (let before = ''; before !== root;) {
    before = root
    root = shortened(root)
  }
  return root.replaceAll(/([bdfgklmnprst])\1/g, '$1')
}

function shortened(word: string): string {
  if (word.length <= 3) return word
  if (word.length > 5 && /(?:em|er|nd)$/.test(word)) return word.slice(0, -2)
  return word.replace(/[tesn]$/, '')
}

/** Separable verbs and other phrases that count as a single word here. */
const phrase = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`\\b${oneOf(...alternatives)}\\b`, 'g')

const PHRASES: VocabularyForms = [
  [
    phrase(
      '(?:ein|aus)?logg?(?:e|en|t)?(?: mich)? ?ein|einlogg?en|login',
      'melde? (?:ich )?mich(?: \\w+)? an|anmeldung',
    ),
    'anmelden',
  ],
  [
    /\bausgeloggt\b|\bauslogg?en\b|\blogout\b|\bmelde? (?:ich )?mich(?: \w+)? ab\b|\babmeldung\b/g,
    'abmelden',
  ],
  [/\bnicht (?:mehr )?hinein\b/g, 'nicht anmelden ausgesperrt'],
  [/\b(zahle?|zahlt|lass\w*|hole?)((?: [\w-]+){0,5}?) aus(?:zahlen)?\b/g, 'auszahlen $2'],
  [/\b(zahle?|zahlt)((?: [\w-]+){0,5}?) ein\b/g, 'einzahlen $2'],
  [/\b(lade?|ladt)((?: [\w-]+){0,5}?) auf\b/g, 'aufladen $2'],
  [/\b(fuge?|fugt)((?: [\w-]+){0,5}?) hinzu\b/g, 'hinzufugen $2'],
  [/\b(halte?|halt)((?: [\w-]+){0,5}?) an\b/g, 'anhalten $2'],
  [/\b(richte?|richtet|setze?)((?: [\w-]+){0,5}?) (?:ein|auf)\b/g, 'einrichten $2'],
  [/\b(lege?|legt)((?: [\w-]+){0,5}?) an\b/g, 'anlegen $2'],
  [/\b(benenne?)((?: [\w-]+){0,5}?) um\b/g, 'umbenennen $2'],
  [/\b(schalte?|stelle?)((?: [\w-]+){0,5}?) um\b/g, 'umstellen $2'],
  [/\b(nehme?|nimm)((?: [\w-]+){0,5}?) (?:raus|heraus)\b/g, 'entnehmen $2'],
  [/\b(?:rausnehmen|herausnehmen|rausholen|herausholen)\b/g, 'entnehmen'],
  [
    /\bzuruck(?:zu)?(schicken|geschickt|buchen|gebucht|kommen|gekommen|bekommen|holen)\b/g,
    'zuruck $1',
  ],
  [/\bmach\w*((?: \w+){0,3}?) konto\b/g, 'erstellen konto'],
  [/\b(?:auf einmal|auf einen schlag|in einem rutsch)\b/g, 'einmal'],
  [/\b(?:spiel|falsch|uebungs|ubungs|demo)[ -]?(?:geld|geldmodus|modus|konto)\b/g, 'spielgeld'],
  [/\bdark ?mode\b|\bnachtmodus\b/g, 'dunkelmodus'],
  // The parts of the product's compound words.
  [
    phrase(
      '(\\w{4,}?)s?(gebuhr|gebuhren|limit|limits|guthaben|betrag|betrage|konto|konten|karte|' +
        'karten|nummer|nummern|stufe|stufen|markt|kurs|kurse|zahlung|zahlungen|paar|paare|anteil|' +
        'beteiligung|kosten)',
    ),
    '$1 $2',
  ],
]

const SAME = byWord({
  auszahlen:
    'auszahlung auszahlungen ausgezahlt auszuzahlen abheben abhebung abgehoben rauszahlen ' +
    'cashout ausbezahlt auszalen auszalung auszahle auszahlt',
  einzahlen:
    'einzahlung einzahlungen eingezahlt einzuzahlen aufladen aufgeladen aufladung einzalen ' +
    'einzalung einzahle einzahlt',
  loschen: 'geloscht entfernen entfernt loswerden beenden auflosen loschung',
  konto: 'konten account profil',
  bezahlen: 'zahlen zahle zahlt gezahlt bezahlt bezahle zahlung zahlungen zahlungsart',
  ablehnen: 'abgelehnt abgewiesen verweigert angenommen annehmen akzeptiert lehnt',
  bot: 'bots roboter robot',
  gebuhr: 'gebuhren kosten kostet gekostet provision entgelt preise preis gebur geburen',
  verlieren: 'verloren verlust verluste verliere verliert minus',
  kaufen: 'kauft gekauft kauf kaufe',
  verkaufen: 'verkauft verkauf verkaufe',
  coin:
    'coins krypto kryptos kryptowahrung kryptowahrungen token tokens wahrung wahrungen munze ' +
    'munzen',
  bitcoin: 'btc',
  ethereum: 'eth ether',
  investieren: 'investiert investition investitionen anlage anlegen einsatz',
  mindest:
    'minimum mindestens kleinste kleinster kleinstes wenigstens minimal minimaler niedrigste ' +
    'mindestbetrag mindesteinzahlung',
  hochst: 'maximum hochstens maximal maximale grosste grosster grosstes hochstbetrag',
  ankommen: 'angekommen ankunft gutgeschrieben kommt komme da',
  prozent: 'prozente',
  verbergen: 'verstecken ausblenden verborgen ausgeblendet unsichtbar unkenntlich',
  pausieren: 'pausiert pause anhalten angehalten einfrieren',
  mensch: 'menschen person mitarbeiter ansprechpartner',
  support: 'kundenservice kundendienst hotline',
  warum: 'wieso weshalb',
  viel: 'viele',
  lizenz: 'lizenziert reguliert regulierung zugelassen zulassung aufsicht bafin',
  berechnen: 'berechnet berechnung rechnet',
  handy: 'smartphone telefon iphone',
  erstatten: 'erstattet erstattung ruckerstattung ruckbuchung',
  stornieren:
    'storniert stornierung abbrechen abgebrochen ruckgangig zuruckziehen stoppen gestoppt stoppe',
  andern:
    'geandert anderung wechseln gewechselt wechsle umstellen umgestellt bearbeiten aktualisieren',
  bedeuten: 'bedeutet bedeutung heisst heissen meint',
  unterschied: 'unterschiede unterscheiden unterscheidet anders',
  steuer: 'steuern versteuern steuererklarung steuerberater finanzamt',
  transaktion: 'transaktionen umsatze buchungen',
  sicher: 'sicherheit geschutzt schutz',
  hacken: 'gehackt hacker gestohlen geklaut',
  versprechen: 'versprochen verspricht garantie garantiert',
  erstellen: 'erstellt anlegen angelegt einrichten eingerichtet aufsetzen eroffnen',
  registrieren: 'registrierung registriert',
  entnehmen: 'entnahme entnommen teilentnahme',
  hinzufugen: 'hinzugefugt aufstocken nachlegen stecken',
  wahlen: 'ausgewahlt auswahlen auswahl gewahlt aussuchen sucht',
  verknupfen: 'verknupft verbinden verbunden verbindung',
  halfte: 'teil teilweise viertel',
  trade: 'trades handel handeln gehandelt handelt',
  tag: 'tage tagen',
  erklaren: 'erklar erklart',
  sprache: 'sprachen deutsch englisch',
  simulieren: 'simulation simuliert simulierter simulierten',
  bank: 'banken',
  aggressiv: 'offensiv offensive',
})

const RELATED: Vocabulary['related'] = new Map(
  Object.entries({
    visa: 'karte',
    mastercard: 'karte',
    girokonto: 'bank konto',
    dogecoin: 'doge coin',
    email: 'emailadresse',
    nachname: 'namen',
    geheiratet: 'namen',
    ausgesperrt: 'anmelden passwort',
    vergessen: 'passwort',
    vertippt: 'tippfehler',
    notfall: 'notaus',
    startbildschirm: 'installieren',
    sonntag: 'wochenende',
    samstag: 'wochenende',
    kreditkarte: 'karte',
    sinkt: 'verlieren',
    englisch: 'sprache',
    klarna: 'sofortuberweisung',
  }).map(([word, others]) => [
    stem(word),
    others.split(' ').map((other) => stem(SAME.get(other) ?? other)),
  ]),
)

const STOP_WORDS = new Set(
  (
    'der die das den dem des ein eine einen einem einer eines kein keine keinen ich mich mir ' +
    'mein meine meinen meinem meiner meines wir uns unser du dich dir dein deine deinen ' +
    'deinem deiner ihr euch euer eure er sie es man sich ist sind war waren bin bist seid ' +
    'wird werden wurde wurden werde hat haben habe hast habt hatte kann kannst konnen konnt ' +
    'konnte will willst wollen mochte muss musst mussen soll sollen darf durfen und oder ' +
    'aber denn weil dass ob wenn als was wer wen wem wohin woher welche welcher welches ' +
    'welchen welchem in im an am auf aus bei beim mit nach von vom zu zum zur fur uber unter ' +
    'um durch ohne bis seit vor gegen so da dort dann doch schon noch nur auch sehr mehr ' +
    'nicht ja nein gibt geht gehen machen mache macht mach tun tut etwas eigentlich genau ' +
    'gerade jetzt bitte mal eben einfach wirklich denn halt irgendwie okay ok sagen sag sagt ' +
    'wissen kennen zeigen zeig dieser diese dieses diesen diesem hinein raus rein drin dabei ' +
    'damit dazu davon wofur wozu worin wieder immer her hin bekomme bekommen bekommt'
  ).split(' '),
)

/** Common words that no article contains and that are one typo away from a word of an article. */
const ORDINARY = new Set(
  (
    'lohnt lohnen lohnenswert klug nutzer andere anderer name wetter wert lange leben leute ' +
    'brot hund rom geld zeit weg gut'
  ).split(' '),
)

export const GERMAN_VOCABULARY = openVocabulary({
  plainText,
  phrases: PHRASES,
  word: /[a-z0-9]+/g,
  thousands: /(\d)\.(?=\d{3})/g,
  same: SAME,
  stopWords: STOP_WORDS,
  bareWord: (word) => word,
  stem,
  isSpelled: (word) => ORDINARY.has(word) || RELATED.has(stem(word)),
  related: RELATED,
  shortestTypo: 5,
  compoundLinks: ['', 's', 'es', 'n', 'en'],
})
