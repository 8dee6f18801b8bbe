import { readFile, writeFile } from 'node:fs/promises'
import { messagesOf } from '../test/tidy/catalog.ts'
import { readSources } from '../test/tidy/source.ts'

/**
 * `npm run words`: adds new messages of the product to each catalog, without a translation, and
 * removes those no longer used.
 */

const file = new URL('../src/words/de.json', import.meta.url)
const translations = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
const messages = [...new Set(readSources().flatMap(messagesOf))].toSorted()
const catalog = Object.fromEntries(
  messages.map((message) => [message, translations[message] ?? '']),
)
await writeFile(file, `${JSON.stringify(catalog, undefined, 2)}\n`)
const missing = messages.filter((message) => !translations[message])
console.log(`${messages.length} messages, ${missing.length} without a translation`)
