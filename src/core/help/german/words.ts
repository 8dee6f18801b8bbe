import type { Vocabulary } from '../tongue.ts'
import { plainText } from './plain-text.ts'
import { stem } from './stem.ts'

/** Separable verbs and other phrases that stand for a single word here, in folded letters. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:ein|aus)?logg?(?:e|en|t)?(?: mich)? ?ein\b|\beinlogg?en\b|\blogin\b|\bmelde? (?:ich )?mich(?: \w+)? an\b|\banmeldung\b/g,
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
    /\b(\w{4,}?)s?(gebuhr|gebuhren|limit|limits|guthaben|betrag|betrage|konto|konten|karte|karten|nummer|nummern|stufe|stufen|markt|kurs|kurse|zahlung|zahlungen|paar|paare|anteil|beteiligung|kosten)\b/g,
    '$1 $2',
  ],
]

/** Words that mean the same here, listed under the one that replaces them; in folded letters. */
const SAME: ReadonlyMap<string, string> = spread({
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

/** Terms to search for as well. */
const RELATED: ReadonlyMap<string, readonly string[]> = new Map(
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
    'mein meine meinen meinem meiner meines wir uns unser du dich dir dein deine ' +
    ('deinen deinem deiner ihr euch euer eure er sie es man sich ist sind war waren bin bist ' +
      'seid wird werden wurde wurden werde hat haben habe hast habt hatte kann kannst ') +
    ('konnen konnt konnte will willst wollen mochte muss musst mussen soll sollen darf durfen ' +
      'und oder aber denn weil dass ob wenn als was wer wen wem wohin woher ') +
    ('welche welcher welches welchen welchem in im an am auf aus bei beim mit nach von vom zu ' +
      'zum zur fur uber unter um durch ohne bis seit vor gegen ') +
    ('so da dort dann doch schon noch nur auch sehr mehr nicht ja nein gibt geht gehen machen ' +
      'mache macht mach tun tut etwas eigentlich genau gerade jetzt ') +
    ('bitte mal eben einfach wirklich denn halt irgendwie okay ok sagen sag sagt wissen kennen ' +
      'zeigen zeig dieser diese dieses diesen diesem hinein raus rein drin dabei damit ') +
    'dazu davon wofur wozu worin wieder immer her hin bekomme bekommen bekommt'
  ).split(' '),
)

/** Common words that are one typo away from a word of an article. */
const ORDINARY = new Set(
  (
    'lohnt lohnen lohnenswert klug nutzer andere anderer name wetter wert lange leben leute ' +
    'brot hund rom geld zeit weg gut'
  ).split(' '),
)

function termsOf(text: string): string[] {
  const joined = PHRASES.reduce(
    (plain, [phrase, word]) => plain.replaceAll(phrase, ` ${word} `),
    plainText(text),
  )
  return (joined.replaceAll(/(\d)\.(?=\d{3})/g, '$1').match(/[a-z0-9]+/g) ?? []).flatMap(termOf)
}

function termOf(word: string): string[] {
  return STOP_WORDS.has(word) ? [] : [stem(SAME.get(word) ?? word)]
}

export const GERMAN_VOCABULARY: Vocabulary = {
  plainText,
  termsOf,
  termOf,
  isSpelled: (word) =>
    STOP_WORDS.has(word) || ORDINARY.has(word) || SAME.has(word) || RELATED.has(stem(word)),
  isJoining: (word) => STOP_WORDS.has(word),
  related: RELATED,
  shortestTypo: 5,
  compoundLinks: ['', 's', 'es', 'n', 'en'],
}

function spread(groups: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(groups).flatMap(([word, others]) =>
      others.split(' ').map((other) => [other, word]),
    ),
  )
}
