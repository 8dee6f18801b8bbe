import { validate } from 'achkit'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import type { Command } from '#server/ops/command.ts'
import { bankFileCommand } from '#server/ops/bank-file-command.ts'
import { withdrawalsCommand } from '#server/ops/withdrawals-command.ts'
import { disableOperator } from '#server/operators/add-operator.ts'
import { payOut } from './pay-out.ts'
import { signInAs, type TestOperator } from '../../../test/world/operators.ts'
import { pastRules } from '../../../test/world/past-rules.ts'
import { BANK_ACCOUNT, createWorld, type TestUser, type World } from '../../../test/world/world.ts'

const SETTINGS = {
  PAYOUTS: 'bank-file',
  PAYOUT_SECOND_PERSON_ABOVE: 1_000,
  PAYOUT_BANK_ROUTING: '121000248',
  PAYOUT_COMPANY_ID: '1234567890',
  PAYOUT_COMPANY_NAME: 'Trading Bot',
} as const

const NAMES = ['Grace', 'Linus', 'Mary'] as const
type Name = (typeof NAMES)[number]

let world: World
let operators: Record<Name, TestOperator>
let ada: TestUser
let folder: string

beforeAll(async () => {
  ;[world, folder] = await Promise.all([
    createWorld({ config: SETTINGS }),
    mkdtemp(join(tmpdir(), 'bank-file-')),
  ])
  operators = {
    Grace: await signIn('Grace'),
    Linus: await signIn('Linus'),
    Mary: await signIn('Mary'),
  }
  ada = await world.user()
  for (let times = 0; times < 3; times += 1) await ada.deposit('9000')
  await ada.addBankAccount()
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true })
})

/** Runs a command as `operator`, who is signed in. */
async function run(command: Command, words: string[], operator: Name = 'Grace'): Promise<string[]> {
  return (await command(operators[operator].context, words)).lines
}
const approve = (id: string, operator?: Name) => run(withdrawalsCommand, ['approve', id], operator)
const signIn = (name: Name) => signInAs(world.context, { name, roles: ['payouts'] })
const request = async (amount: string) =>
  (await ada.call('requestWithdrawal', { body: { amount } })).id
const stateOf = async (id: string) =>
  (
    await world.context.sql<
      { state: string }[]
    >`select state from withdrawal_requests where id = ${id}`
  )[0]?.state
const auditOf = async (subject: string) =>
  (
    await world.context.sql<
      { actor: string; action: string }[]
    >`select actor, action from audit_events where subject = ${subject} order by created_at`
  ).map(({ actor, action }) => `${actor} ${action}`)
const cash = async () => decimalToUnits((await ada.call('getUser')).availableBalance)

describe('approval', () => {
  test('up to the limit one operator approves; nothing is paid automatically', async () => {
    const id = await request('1000')
    expect(await approve(id)).toEqual([`${id} is approved`])
    await payOut(world.context)
    expect(await stateOf(id)).toBe('approved')
  })

  test('above the limit a second, different operator must approve; both are recorded', async () => {
    const id = await request('1000.01')
    expect(await approve(id, 'Grace')).toEqual([
      `${id} is in_review: a second, different operator must approve it too`,
    ])
    expect(await approve(id, 'Grace')).toEqual([
      `${id} is in_review: a second, different operator must approve it too`,
    ])
    expect(await approve(id, 'Linus')).toEqual([`${id} is approved`])
    await expect(approve(id, 'Mary')).rejects.toMatchObject({ code: 'withdrawal-state' })
    expect(await auditOf(id)).toEqual([
      `user:${ada.id} withdrawal.request`,
      'operator:Grace withdrawal.first-approval',
      'operator:Grace withdrawal.review',
      'operator:Grace withdrawal.first-approval',
      'operator:Linus withdrawal.approve',
    ])
  })

  test('two operators at once approve once; one operator twice does not count as two', async () => {
    const both = await request('2000')
    await Promise.all([approve(both, 'Grace'), approve(both, 'Linus')])
    expect(await stateOf(both)).toBe('approved')
    const one = await request('2000')
    await Promise.all(Array.from({ length: 8 }, () => approve(one, 'Grace')))
    expect(await stateOf(one)).toBe('in_review')
    await run(withdrawalsCommand, ['reject', one])
  })

  test('a second name is no second person: another operator needs a row of their own', async () => {
    const id = await request('1500')
    const { context } = operators.Grace
    await approve(id, 'Grace')
    const renamed = { ...context.operator, name: 'Bob' }
    const stranger = { ...context.operator, id: context.newId() }
    for (const operator of [renamed, stranger])
      await withdrawalsCommand({ ...context, operator }, ['approve', id])
    await world.context.sql`insert into withdrawal_approvals (user_id, withdrawal_id, operator)
        values (${ada.id}, ${id}, 'operator:Linus')`
    await approve(id, 'Grace')
    expect(await stateOf(id)).toBe('in_review')
    await ada.call('cancelWithdrawal', { params: { id } })
  })

  test('an approval does not count once its operator is disabled', async () => {
    const id = await request('1500')
    await approve(id, 'Mary')
    const { context } = operators.Mary
    await disableOperator(
      { ...context, operator: { ...context.operator, roles: ['admin'] } },
      'Mary',
    )
    await approve(id, 'Grace')
    expect(await stateOf(id)).toBe('in_review')
    await approve(id, 'Linus')
    expect(await stateOf(id)).toBe('approved')
  })
})

describe('export', () => {
  test('all approved withdrawals go into one batch; a second export finds nothing', async () => {
    const expected = await world.context.sql<
      { id: string; amount: bigint }[]
    >`select id, amount from withdrawal_requests where state = 'approved'`
    const total = unitsToDecimal(
      expected.reduce((sum, { amount }) => sum + amount, 0n),
      2,
    )
    const lines = await run(bankFileCommand, ['export', folder])
    expect(lines[0]).toBe(
      `Batch 1: ${expected.length} payouts, ${englishMoneyText({ amount: total })}.`,
    )
    const csv = (await readFile(join(folder, 'payouts-000001.csv'), 'utf8')).trim().split('\n')
    expect(
      csv
        .slice(1, -1)
        .map((row) => row.split(',')[2])
        .toSorted(),
    ).toEqual(expected.map(({ id }) => id).toSorted())
    expect(csv.at(-1)).toBe(`1,total,${expected.length},,,,,${total}`)
    const { routingNumber, accountNumber } = BANK_ACCOUNT
    expect(csv[1]).toContain(`,Ada Lovelace,${routingNumber},${accountNumber},checking,`)
    const ach = await readFile(join(folder, 'payouts-000001.ach'), 'utf8')
    const control = ach.split('\n').find((record) => record.startsWith('8')) ?? ''
    expect([Number(control.slice(4, 10)), control.slice(32, 44)]).toEqual([
      expected.length,
      total.replace('.', '').padStart(12, '0'),
    ])
    console.log(
      `bank file: ${expected.length} payouts, $${total} in CSV and ACH, entry hash ` +
        control.slice(10, 20),
    )
    for (const { id } of expected)
      expect([await stateOf(id), await auditOf(id)]).toEqual([
        'submitted',
        expect.arrayContaining(['operator:Grace withdrawal.submit']),
      ])
    expect((await stat(join(folder, 'payouts-000001.csv'))).mode & 0o077).toBe(0)
    expect(await run(bankFileCommand, ['export', folder])).toEqual([
      'Nothing is approved: no batch was created.',
    ])
    expect(await readdir(folder)).toHaveLength(2)
  })

  test('a name without letters waits; both sides see why, and a new name is sent', async () => {
    const nameless = await world.user()
    await nameless.deposit('100')
    await nameless.addBankAccount()
    const rename = (firstName: string, lastName: string) =>
      nameless.call('updateUser', { body: { firstName, lastName } })
    const isNameless = async () => (await nameless.call('getWithdrawalTerms')).isNameless
    await rename('😀', '❤️')
    expect(await isNameless()).toBe(true)
    const { id } = await nameless.call('requestWithdrawal', { body: { amount: '50' } })
    await approve(id)
    const reason = "The bank's file takes Latin letters, and the owner's name has none"
    expect(await run(bankFileCommand, ['export', folder])).toEqual([
      'No batch was created.',
      expect.stringContaining(`${id} waits: ${reason}`) as unknown,
    ])
    expect(await stateOf(id)).toBe('approved')
    await rename('李', '小龙')
    expect(await isNameless()).toBe(false)
    const [made = ''] = await run(bankFileCommand, ['export', folder])
    const number = /^Batch (\d+)/.exec(made)?.[1] ?? ''
    const file = join(folder, `payouts-${number.padStart(6, '0')}.ach`)
    const written = await readFile(file, 'utf8')
    expect(validate(written)).toEqual({ ok: true, errors: [] })
    expect(written).toContain('LI XIAOLONG')
    await rm(file)
  })

  test('a lost file is rewritten byte for byte, even after its payouts have changed', async () => {
    const read = () =>
      Promise.all(
        ['csv', 'ach'].map((kind) => readFile(join(folder, `payouts-000001.${kind}`), 'utf8')),
      )
    const before = await read()
    await run(bankFileCommand, ['mark-paid', '1'])
    await world.context.sql`update users set last_name = 'Byron' where id = ${ada.id}`
    const [account] = await ada.call('listBankAccounts')
    await ada.call('removeBankAccount', { params: { id: account?.id } })
    await rm(join(folder, 'payouts-000001.csv'))
    await rm(join(folder, 'payouts-000001.ach'))
    await run(bankFileCommand, ['export', folder, '1'], 'Linus')
    expect(await read()).toEqual(before)
    expect(await auditOf('1')).toEqual(expect.arrayContaining(['operator:Linus payouts.export']))
    await ada.addBankAccount()
  })

  test('eight exports at once put each payout into exactly one batch', async () => {
    const ids: string[] = []
    for (let index = 0; index < 20; index += 1) ids.push(await request('10'))
    for (const id of ids) await approve(id)
    await Promise.all(Array.from({ length: 8 }, () => run(bankFileCommand, ['export', folder])))
    const rows = await world.context
      .sql`select from payout_batch_lines where withdrawal_id = any(${ids})`
    expect(rows).toHaveLength(ids.length)
    expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => 'submitted'))
    expect(await reconcile(world.context)).toEqual([])
  })
})

describe('afterwards', () => {
  test('a batch marked as paid twice is paid once; a bounced payout is returned once', async () => {
    const id = await request('25')
    await approve(id)
    const [made = ''] = await run(bankFileCommand, ['export', folder])
    const number = /^Batch (\d+)/.exec(made)?.[1] ?? ''
    expect(await run(bankFileCommand, ['mark-paid', number])).toEqual([
      `1 payouts of batch ${number} are paid now.`,
    ])
    expect(await run(bankFileCommand, ['mark-paid', number])).toEqual([
      `0 payouts of batch ${number} are paid now.`,
    ])
    await expect(run(withdrawalsCommand, ['mark-paid', id])).rejects.toMatchObject({
      code: 'withdrawal-state',
    })
    const before = await cash()
    await run(withdrawalsCommand, ['mark-returned', id])
    await run(withdrawalsCommand, ['mark-returned', id], 'Linus')
    await expect(run(withdrawalsCommand, ['mark-returned', id])).rejects.toMatchObject({
      code: 'withdrawal-state',
    })
    expect(await cash()).toBe(before + decimalToUnits('25'))
    expect((await run(bankFileCommand, ['list']))[0]).toMatch(
      new RegExp(
        `^batch ${number}  .*1 payouts  \\$25\\.00  0 on their way  1 came back  operator:Grace$`,
      ),
    )
  })

  test('a second, different operator must confirm that money came back', async () => {
    const [one, other] = [await request('25'), await request('35')]
    for (const id of [one, other]) await approve(id)
    const number =
      /^Batch (\d+)/.exec((await run(bankFileCommand, ['export', folder]))[0] ?? '')?.[1] ?? ''
    const before = await cash()
    for (let times = 0; times < 3; times += 1)
      expect(await run(withdrawalsCommand, ['mark-failed', one])).toEqual([
        `${one} is submitted: a second, different operator must mark it too`,
      ])
    expect(await run(bankFileCommand, ['mark-failed', number])).toEqual([
      `0 payouts of batch ${number} are failed now.`,
      '2 payouts stay as they are until a second, different operator marks them too.',
    ])
    expect(await cash()).toBe(before)
    expect(await run(withdrawalsCommand, ['mark-failed', one], 'Linus')).toEqual([
      `${one} is failed`,
    ])
    expect(await cash()).toBe(before + decimalToUnits('25'))
    expect(await run(withdrawalsCommand, ['mark-paid', other])).toEqual([`${other} is paid`])
    expect(await run(withdrawalsCommand, ['mark-returned', other])).toEqual([
      `${other} is paid: a second, different operator must mark it too`,
    ])
    expect(await run(withdrawalsCommand, ['mark-returned', other], 'Linus')).toEqual([
      `${other} is returned`,
    ])
    expect((await auditOf(one)).slice(-2)).toEqual([
      'operator:Grace withdrawal.mark-failed.first',
      'operator:Linus withdrawal.mark-failed',
    ])
    expect(await auditOf(number)).toContain('operator:Grace payouts.mark-failed')
  })

  test('a disabled operator, a forged row or an old one does not count as second', async () => {
    const id = await request('25')
    await approve(id)
    await run(bankFileCommand, ['export', folder])
    const leaving = await signInAs(world.context, { name: 'Leaving', roles: ['payouts'] })
    await withdrawalsCommand(leaving.context, ['mark-failed', id])
    await disableOperator(
      { ...leaving.context, operator: { ...leaving.context.operator, roles: ['admin'] } },
      'Leaving',
    )
    const insert = (actor: string, seal: string | null, createdAt: Date) => world.context.sql`
      insert into audit_events (id, actor, action, subject, details, seal, created_at)
      values (${world.context.newId()}, ${actor}, 'withdrawal.mark-failed.first', ${id}, '{}',
             ${seal}, ${createdAt})`
    await insert('operator:Linus', 'forged', new Date())
    expect(await run(withdrawalsCommand, ['mark-failed', id])).toEqual([
      `${id} is submitted: a second, different operator must mark it too`,
    ])
    await pastRules(
      world.context.sql,
      (tx) =>
        tx`update audit_events set created_at = created_at - interval '25 hours'
          where subject = ${id} and actor = 'operator:Grace'`,
    )
    expect(await run(withdrawalsCommand, ['mark-failed', id], 'Linus')).toEqual([
      `${id} is submitted: a second, different operator must mark it too`,
    ])
    expect(await run(withdrawalsCommand, ['mark-failed', id])).toEqual([`${id} is failed`])
    await pastRules(world.context.sql, (tx) => tx`delete from audit_events where seal = 'forged'`)
  })

  test.each([
    [
      ['export'],
      'Use npm run ops -- payouts [list], or npm run ops -- payouts export FOLDER [BATCH], or ' +
        'npm run ops -- payouts mark-paid|mark-failed BATCH, or npm run ops -- payouts halt ' +
        '[REASON…], or npm run ops -- payouts resume',
    ],
    [['dance'], 'Use npm run ops -- payouts [list], or '],
    [['export', '/dev/null/x'], 'cannot be used as a folder. No batch was created.'],
    [['export', '/tmp', '4242'], 'Batch 4242 not found.'],
    [['mark-paid', 'all'], 'Give the number of the batch'],
  ])('payouts %j is refused with one sentence', async (words, sentence) => {
    await expect(run(bankFileCommand, words)).rejects.toMatchObject({
      sentence: expect.stringContaining(sentence) as unknown,
    })
  })

  test('a book with sandbox payouts has no batches', async () => {
    const sandbox = await createWorld()
    await expect(
      bankFileCommand({ ...sandbox.context, operator: operators.Grace.context.operator }, [
        'export',
        folder,
      ]),
    ).rejects.toMatchObject({
      sentence: expect.stringContaining('batches need PAYOUTS=bank-file') as unknown,
    })
    await sandbox.close()
  })

  test('after all these bank files the book reconciles', async () => {
    expect(await reconcile(world.context)).toEqual([])
  })
})

test('no batch is made while payouts are halted; no row in the tables resumes them', async () => {
  const id = await request('20')
  await approve(id)
  expect(await run(bankFileCommand, ['halt', 'the', 'bank', 'called'])).toEqual([
    'Payouts are halted: nothing more is sent.',
  ])
  expect(await run(bankFileCommand, ['halt'])).toEqual(['Payouts were already halted.'])
  await world.context.sql`insert into audit_events (id, actor, action, subject, details, seal)
      values (${world.context.newId()}, 'operator:Grace', 'payouts.resume', 'payout-switch',
      '{"forged":"yes"}', 'x')`
  await expect(run(bankFileCommand, ['export', folder])).rejects.toMatchObject({
    sentence: expect.stringMatching(/^Payouts are halted: by an operator\. /),
  })
  expect(await stateOf(id)).toBe('approved')
  await pastRules(
    world.context.sql,
    (tx) => tx`delete from audit_events where details ->> 'forged' = 'yes'`,
  )
  expect(await run(bankFileCommand, ['resume'])).toEqual(['Payouts go on.'])
  expect(await run(bankFileCommand, ['resume'])).toEqual(['Payouts were not halted.'])
  expect((await run(bankFileCommand, ['export', folder]))[0]).toMatch(
    /^Batch \d+: 1 payouts, \$20\.00\./,
  )
})
