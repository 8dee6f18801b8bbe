export const ONE_LINE_SENTENCE = 'Please use visible characters on one line.'

/**
 * Whether a name shows as it was typed, on one line. Threat: control characters rule an operator's terminal, and a mark of direction turns
 * around what stands beside it, amounts too. What joins emoji is harmless.
 */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)
}
