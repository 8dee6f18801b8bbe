export const ONE_LINE_SENTENCE = 'Please use visible characters on one line.'

/**
 * Whether a name is displayed exactly as it was typed, on one line. Threat: control characters can take over an operator's terminal, and
 * bidirectional marks reverse the text around them, amounts included. Zero-width joiners, which emoji need, are harmless.
 */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)
}
