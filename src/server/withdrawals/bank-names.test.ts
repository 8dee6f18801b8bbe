import { parse, validate } from 'achkit'
import { expect, test } from 'vitest'
import { decimalToUnits } from '#core/money/decimal.ts'
import { achFile } from '#core/withdrawals/ach-file.ts'
import type { PayoutLine } from '#core/withdrawals/payout-batch.ts'
import { inBankLetters, withBankLetters } from './bank-names.ts'

const NAMES: readonly [name: string, written: string][] = [
  ['李小龙', 'LiXiaoLong'],
  ['王秀英', 'WangXiuYing'],
  ['Ελένη Παπαδοπούλου', 'Eleni Papadopoyloy'],
  ['Γιώργος', 'Giorgos'],
  ['Иван Щербаков', 'Ivan Shcherbakov'],
  ['Юлия', 'Yuliya'],
  ['Ђорђе', 'Djordje'],
  ['Олександр Їжак', 'Oleksandr Izhak'],
  ['محمد علي', 'mhmd `ly'],
  ['فاطمة', 'ftmh'],
  ['Łukasz Wójcik', 'Lukasz Wojcik'],
  ['Đặng Thị Mỹ', 'Dang Thi My'],
  ['Øystein Ås', 'Oystein As'],
  ['Þór Guðmundsson', 'Thor Gudmundsson'],
  ['Weiß Größe', 'Weiss Grosse'],
  ['İbrahim Şahin', 'Ibrahim Sahin'],
  ['Ştefan Țurcanu', 'Stefan Turcanu'],
  ['Žofie Dvořáková', 'Zofie Dvorakova'],
  ['José Núñez', 'Jose Nunez'],
  ['Œuvrard Æther', 'Oeuvrard Aether'],
  ['田中 さくら', 'TianZhong sakura'],
  ['スズキ ケン', 'suzuki ken'],
  ['김민준', 'GimMinJun'],
  ['박서연', 'BagSeoYeon'],
  ['שרה כהן', 'srh khhn'],
  ['דוד', 'dvd'],
  ['गीता शर्मा', 'gita srma'],
  ['राहुल', 'rahul'],
  ['অমিত সেন', 'amit sen'],
  ['தமிழ் செல்வன்', 'tmil celvn'],
  ['తెలుగు రావు', 'telugu ravu'],
  ['สมชาย ใจดี', 'smchay aichdi'],
  ['Հայկ Սարգսյան', 'Hayk Sargsyan'],
  ['გიორგი მაისურაძე', 'giorgi maisuradze'],
  ['ሰላም ተስፋዬ', 'selam tesfaye'],
  ['ភារម្យ', 'pharmy'],
  ['ພອນ', 'phn'],
  ['မောင်', 'mean'],
  ['ਸਿੰਘ', 'simgh'],
  ['O’Brien-Smith', "O'Brien-Smith"],
  ['Ｊｏｈｎ　Ｄｏｅ', 'John Doe'],
  ['ỹ', 'y'],
]

test.each(NAMES)('the bank prints %s as %s', async (name, written) => {
  expect(await inBankLetters(name)).toBe(written)
})

test.each(['😀 😀', '— ·', '❤️ 12', '\u{10fffd}'])(
  'no letter of %j can be printed',
  async (name) => {
    expect(await inBankLetters(name)).toBe('')
  },
)

const ORIGIN = { bankRouting: '121000248', companyId: '1234567890', companyName: 'Trading Bot' }
const ROUTINGS = ['021000021', '026009593', '121000248', '011000015'] as const

const lineOf = (name: string, index: number): PayoutLine => ({
  withdrawalId: `01890000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  name,
  routingNumber: ROUTINGS[index % ROUTINGS.length] ?? '',
  accountNumber: String(1_000 + 7_919 * index),
  accountType: index % 3 === 0 ? 'savings' : 'checking',
  amount: decimalToUnits(`${10 + index}.${10 + index}`),
})

const writtenAt = async (at: string, names: readonly string[]) =>
  achFile(
    await withBankLetters({ number: 7, createdAt: new Date(at), lines: names.map(lineOf) }),
    ORIGIN,
  )

test('another parser of ACH files finds every name, sum and account', async () => {
  const names = NAMES.map(([name]) => name)
  const file = await writtenAt('2026-11-20T17:20:00Z', names)
  expect(validate(file)).toEqual({ ok: true, errors: [] })
  const { batches, control, ...header } = parse(file)
  expect(header).toMatchObject({ destinationRouting: '121000248', creationDate: '261120' })
  expect(control).toMatchObject({ batchCount: 1, entryAddendaCount: names.length, totalDebit: 0 })
  const [batch] = batches
  expect(batch).toMatchObject({ serviceClass: 220, sec: 'PPD', companyName: 'TRADING BOT' })
  expect(
    batch?.entries.map(({ routing, account, amountCents }) => [routing, account, amountCents]),
  ).toEqual(
    names.map((_name, index) => [
      ROUTINGS[index % ROUTINGS.length],
      String(1_000 + 7_919 * index),
      (10 + index) * 101,
    ]),
  )
  for (const { name } of batch?.entries ?? []) expect(name).toMatch(/^[A-Z0-9][A-Z0-9 ]*$/)
  expect(batch?.entries[1]?.name).toBe('WANGXIUYING')
})

test('another parser of ACH files detects a wrong sum, count and routing number', async () => {
  const file = await writtenAt('2026-11-20T17:20:00Z', ['Ada Lovelace', 'Linus'])
  const codes = (text: string) => validate(text).errors.map(({ code }) => code)
  expect(codes(file.replace('0000001010', '0000001011'))).toContain('BAD_BATCH_CREDIT')
  expect(codes(file.replace('622026009593', '622026009594'))).toContain('BAD_ROUTING_CHECKSUM')
  expect(codes(file.replace(/^6.*\n/m, ''))).toContain('BAD_BATCH_COUNT')
})

/** Written in New York; the day on which the Federal Reserve next settles. */
test.each([
  ['a Friday', '2026-11-20T17:20:00Z', '261120', '261123'],
  ['a Friday night, Saturday in UTC', '2026-11-21T03:00:00Z', '261120', '261123'],
  ['a Saturday', '2026-11-21T17:00:00Z', '261121', '261123'],
  ['the eve of Thanksgiving', '2026-11-25T17:00:00Z', '261125', '261127'],
  ['Independence Day, a Saturday', '2026-07-04T17:00:00Z', '260704', '260706'],
  ['the eve of Juneteenth, a Sunday kept on Monday', '2022-06-17T17:00:00Z', '220617', '220621'],
  ['the last day of the year', '2026-12-31T23:30:00Z', '261231', '270104'],
])('a file of %s settles on a banking day', async (_day, at, written, settled) => {
  const file = parse(await writtenAt(at, ['Ada']))
  expect([file.creationDate, file.batches[0]?.effectiveDate]).toEqual([written, settled])
})
