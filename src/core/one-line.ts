import { english } from './english.ts'

export const ONE_LINE_SENTENCE = english('Please use visible characters on one line.')

/**
 * Threat: control characters can take over an operator's terminal; bidirectional marks and other
 * invisible characters reverse the text around them, amounts included, or make two names look
 * alike; many combining marks cover the lines beside them.
 */
const FORBIDDEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]|\p{M}{5,}/u

/** One emoji, with optional colour or skin tone. */
const SIGN = String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}\ufe0f?)?`

/** The flags of England, Scotland and Wales: only these consist of invisible letters. */
const FLAGS = [
  String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|`,
  String.raw`\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
].join('')

/**
 * Emoji made of several characters: flags, keycaps, families, professions, hearts. Some of these
 * characters are forbidden outside of emoji. Source: UTS 51.
 */
const EMOJI = new RegExp(String.raw`${FLAGS}|[0-9#*]\ufe0f\u20e3|${SIGN}(?:\u200d${SIGN})*`, 'gu')

/** Letters, digits, punctuation and symbols, but not the empty Braille pattern, which is blank. */
const VISIBLE = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u

/** Composes to NFC, so that equal names are equal text, and trims. */
export function tidyName(text: string): string {
  return text.normalize('NFC').trim()
}

/** Whether a tidied name shows on one line exactly as typed. */
export function isOneLine(name: string): boolean {
  return VISIBLE.test(name) && !FORBIDDEN.test(name.replaceAll(EMOJI, ' '))
}
