import { readFile, writeFile } from 'node:fs/promises'
import { messagesOf } from '../test/tidy/catalog.ts'
import { readSources } from '../test/tidy/source.ts'

/**
 * Lists every message of the product in each catalog, and drops those that are gone: `npm run
 * words`. A new message has no translation yet.
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
