/** Zero-width characters in text copied from a contact, a chat or a bank's page. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** Blanks and dashes that people type between the digits of a long number. */
const SEPARATORS = /[\s\p{Dash}]/gu

/** ASCII characters as East Asian keyboards write them, and their offset from ASCII. */
const FULL_WIDTH = /[\uff01-\uff5e]/g
const FULL_WIDTH_DISTANCE = 0xfee0

/**
 * Drops invisible marks and surrounding blanks, and turns full-width forms into ASCII. Nothing
 * visible is cut.
 */
export function typedText(text: string): string {
  return text
    .replace(FULL_WIDTH, (form) => String.fromCharCode(form.charCodeAt(0) - FULL_WIDTH_DISTANCE))
    .replace(INVISIBLE, '')
    .trim()
}

/**
 * Drops separators from long numbers, such as of an account or a card. Other characters stay, so
 * that the check of the field refuses them.
 */
export function typedDigits(text: string): string {
  return typedText(text).replace(SEPARATORS, '')
}
