import { english } from './english.ts'

export const ONE_LINE_SENTENCE = english('Please use visible characters on one line.')

/**
 * Characters that a name may not contain. Threat: control characters can take over an operator's terminal; bidirectional marks and other invisible
 * characters reverse the text around them, amounts included, or make two names look alike; many combining marks cover the lines beside them.
 */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]|\p{M}{5,}/u

/** Letters, digits, punctuation and symbols, but not the empty Braille pattern, which is blank. */
const VISIBLE = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u

/** A name as it is stored: composed (NFC), so that equal names are equal text, and without surrounding blanks. */
export function tidyName(text: string): string {
  return text.normalize('NFC').trim()
}

/** Whether a tidied name is displayed exactly as it was typed, on one line, and can be seen. */
export function isOneLine(name: string): boolean {
  return VISIBLE.test(name) && !FORBIDDEN.test(name)
}
