import catalog from './de.json' with { type: 'json' }
import { translatorOf } from './translator.ts'

/** German, in a file of its own with the library that it needs: readers of English load neither. */
export const inGerman = translatorOf('de', catalog)
