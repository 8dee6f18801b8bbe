/**
 * The code of a key press that an input method takes: also of the Enter in Safari that arrives
 * after the composition has ended. Source: UI Events, 7.3.1.
 */
const TAKEN_BY_INPUT_METHOD = 229

/**
 * Whether a key press is Enter as the user meant it: not the one that confirms a composed word, as
 * of Chinese, Japanese or Korean text.
 */
export function isEnter(event: Pick<KeyboardEvent, 'key' | 'keyCode' | 'isComposing'>): boolean {
  return event.key === 'Enter' && !event.isComposing && event.keyCode !== TAKEN_BY_INPUT_METHOD
}
