import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'

/**
 * The refusal of a body whose keys would reach the prototype of all objects, which names the key;
 * undefined if it is no JSON at all. Threat: an object copied with such a key hands its values to
 * every other object.
 */
export function forbiddenKeyOf(body: string): Refusal | undefined {
  const field = keyIn(valueOf(body))
  return field === undefined
    ? undefined
    : new Refusal('invalid-input', { field, sentence: t('Unknown field: {field}', { field }) })
}

/** Objects within objects wait in a list: a body may nest deeper than calls can. */
function keyIn(value: unknown): string | undefined {
  const parts = [value]
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue
    if (Object.hasOwn(part, '__proto__')) return '__proto__'
    if (Object.hasOwn(part, 'constructor')) return 'constructor'
    parts.push(...Object.values(part))
  }
  return undefined
}

function valueOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
