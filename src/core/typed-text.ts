/**
 * Marks of no width that come along when a text is copied: from a contact, a chat or a bank's page.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** Blanks and dashes that people set between the digits of a long number. */
const SEPARATORS = /[\s\p{Dash}]/gu

/**
 * The letters, digits and signs of ASCII as East Asian keyboards write them, and how far they lie
 * from the ordinary ones.
 */
const FULL_WIDTH = /[\uff01-\uff5e]/g
const FULL_WIDTH_DISTANCE = 0xfee0

/**
 * A figure or code as it is seen: without invisible marks and surrounding blanks, full-width forms
 * in ASCII. Nothing that is seen is cut.
 */
export function typedText(text: string): string {
  return text
    .replace(FULL_WIDTH, (form) => String.fromCharCode(form.charCodeAt(0) - FULL_WIDTH_DISTANCE))
    .replace(INVISIBLE, '')
    .trim()
}

/**
 * A number of many digits, such as one of an account or a card, without separators. Anything else
 * stays, for the check of its field to refuse.
 */
export function typedDigits(text: string): string {
  return typedText(text).replace(SEPARATORS, '')
}
