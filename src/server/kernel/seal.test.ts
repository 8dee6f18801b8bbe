import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentOfEvent, contentOfTransfer, openSeals, type SealedTransfer } from './seal.ts'

const BOOK = { id: '01900000-0000-7000-8000-000000000001', kind: 'live' } as const
const secret = 'x'.repeat(32)
const seals = openSeals({ secret, book: BOOK })

const text = fc.string({ maxLength: 12 })
const line = fc.record({ code: text, asset: text, pool: text, amount: fc.bigInt().map(String) })
const transfer: fc.Arbitrary<SealedTransfer> = fc.record({
  userId: fc.uuid(),
  id: fc.uuid(),
  kind: text,
  dedupKey: text,
  eventTime: fc.date({ noInvalidDate: true }),
  lines: fc.array(line, { maxLength: 4 }),
})

test('a transfer that differs in any word has another seal; the order of entries is free', () => {
  fc.assert(
    fc.property(transfer, transfer, (one, other) => {
      const seal = seals.sealOf('transfer', contentOfTransfer(one))
      expect(
        seals.fits(seal, 'transfer', contentOfTransfer({ ...one, lines: one.lines.toReversed() })),
      ).toBe(true)
      for (const field of Object.keys(one) as (keyof SealedTransfer)[]) {
        const changed = contentOfTransfer({ ...one, [field]: other[field] })
        expect([field, seals.fits(seal, 'transfer', changed)]).toEqual([
          field,
          wordsOf(one[field]) === wordsOf(other[field]),
        ])
      }
    }),
  )
})

/** A field as text, with its entries in a fixed order. */
function wordsOf(value: SealedTransfer[keyof SealedTransfer]): string {
  return JSON.stringify(
    Array.isArray(value)
      ? value.map((entry) => JSON.stringify(Object.entries(entry).toSorted())).toSorted()
      : value,
  )
}

test('an audit event that differs in any word has another seal', () => {
  const one = { id: 'a', actor: 'b', action: 'c', subject: 'd', details: { e: 'f' } }
  const seal = seals.sealOf('audit event', contentOfEvent(one))
  for (const change of [
    { id: 'x' },
    { actor: 'x' },
    { action: 'x' },
    { subject: 'x' },
    { details: { e: 'x' } },
    { details: { x: 'f' } },
    { details: {} },
  ]) {
    expect([
      change,
      seals.fits(seal, 'audit event', contentOfEvent({ ...one, ...change })),
    ]).toEqual([change, false])
  }
})

test('moving words from one field, or one entry, to the next changes the seal', () => {
  const made = (kind: string, dedupKey: string) =>
    contentOfTransfer({ userId: '', id: '', kind, dedupKey, eventTime: new Date(0), lines: [] })
  expect(seals.sealOf('transfer', made('ab', 'c'))).not.toBe(
    seals.sealOf('transfer', made('a', 'bc')),
  )
  const event = (details: Record<string, string>) =>
    contentOfEvent({ id: '', actor: '', action: '', subject: '', details })
  expect(seals.sealOf('audit event', event({ a: 'b', c: 'd' }))).toBe(
    seals.sealOf('audit event', event({ c: 'd', a: 'b' })),
  )
  expect(seals.sealOf('audit event', event({ a: 'b c', d: '' }))).not.toBe(
    seals.sealOf('audit event', event({ 'a b': 'c', d: '' })),
  )
})

test.each([
  ['another secret', { secret: 'y'.repeat(32), book: BOOK }],
  [
    'a paper book with the same secret and id',
    { secret, book: { ...BOOK, kind: 'paper' as const } },
  ],
  [
    'another live book with the same secret',
    { secret, book: { ...BOOK, id: '01900000-0000-7000-8000-000000000002' } },
  ],
])('no seal is valid under %s', (_other, other) => {
  expect(seals.fits(openSeals(other).sealOf('transfer', ['a']), 'transfer', ['a'])).toBe(false)
})

test('a seal is valid only for its kind of row; a missing or foreign seal is never valid', () => {
  expect(seals.fits(seals.sealOf('transfer', ['a']), 'audit event', ['a'])).toBe(false)
  expect(['', null, 'A'.repeat(43)].map((seal) => seals.fits(seal, 'transfer', ['a']))).toEqual([
    false,
    false,
    false,
  ])
})
