/**
 * The code of a key press handled by an input method, including Safari's Enter that arrives after
 * the composition has ended. Source: UI Events, 7.3.1.
 */
const TAKEN_BY_INPUT_METHOD = 229

/**
 * Whether a key press is an Enter to submit, and not one that confirms a composed word, as in
 * Chinese, Japanese or Korean.
 */
export function isEnter(event: Pick<KeyboardEvent, 'key' | 'keyCode' | 'isComposing'>): boolean {
  return event.key === 'Enter' && !event.isComposing && event.keyCode !== TAKEN_BY_INPUT_METHOD
}
