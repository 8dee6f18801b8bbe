import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { assert } from '#core/assert.ts'

/**
 * A Bloom filter: true for every password put into it, and for about one in 2,000 others. No
 * password can be read from it. Source: B. H. Bloom, "Space/Time Trade-offs in Hash Coding with
 * Allowable Errors", 1970.
 */
export type PasswordFilter = { has: (password: string) => boolean }

const BITS_PER_PASSWORD = 16
/** Near the optimum: bits per password times ln 2. */
const PROBES = 11

/** Names the format, so that another file is not mistaken for a filter. */
const MAGIC = Buffer.from('PWFILTR1')

/**
 * The form in which passwords are compared. Lower case, because capitals do not make a known
 * password safe.
 */
export const passwordKey = (password: string): string => password.normalize('NFKC').toLowerCase()

export function makeFilter(passwords: ReadonlySet<string>): Buffer {
  const bits = Buffer.alloc(Math.ceil((Math.max(1, passwords.size) * BITS_PER_PASSWORD) / 8))
  for (const password of passwords) {
    for (const { byte, mask } of placesOf(password, bits.length))
      bits[byte] = (bits[byte] ?? 0) | mask
  }
  return Buffer.concat([MAGIC, bits])
}

export function readFilter(path: string): PasswordFilter {
  const content = readFileSync(path)
  assert(
    content.subarray(0, MAGIC.length).equals(MAGIC) && content.length > MAGIC.length,
    `${path} is no filter of passwords`,
  )
  const bits = content.subarray(MAGIC.length)
  return {
    has: (password) =>
      placesOf(passwordKey(password), bits.length).every(
        ({ byte, mask }) => ((bits[byte] ?? 0) & mask) !== 0,
      ),
  }
}

/**
 * The bits of a password in the filter, computed from two hashes. Source: Kirsch and Mitzenmacher,
 * "Less Hashing, Same Performance", 2006.
 */
function placesOf(password: string, bytes: number): { byte: number; mask: number }[] {
  const digest = hash('sha256', password, 'buffer')
  const [first, step] = [digest.readUIntLE(0, 6), digest.readUIntLE(6, 4)]
  return Array.from({ length: PROBES }, (_, index) => {
    const place = (first + index * step) % (bytes * 8)
    return { byte: Math.floor(place / 8), mask: 1 << (place % 8) }
  })
}
