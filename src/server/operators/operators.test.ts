import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { OperatorRole } from '#core/operators/role.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { addOperator, disableOperator, listOperators, newSecret } from './add-operator.ts'
import { readAudit } from './operator.ts'
import { operatorOfToken, signIn, signOut } from './sign-in.ts'
import { auditTrailCommand } from '#server/ops/audit-trail-command.ts'
import { bankFileCommand } from '#server/ops/bank-file-command.ts'
import type { Command } from '#server/ops/command.ts'
import { mailCommand } from '#server/ops/outbox-command.ts'
import { interestCommand } from '#server/ops/interest-command.ts'
import { haltCommand, resumeCommand, venueCommand } from '#server/ops/orders-command.ts'
import { userCommand } from '#server/ops/user-command.ts'
import { withdrawalsCommand } from '#server/ops/withdrawals-command.ts'
import {
  codeOf,
  converse,
  OPERATOR_PASSWORD,
  secretIn,
  signInAs,
  typed,
  type TestOperator,
} from '../../../test/world/operators.ts'
import { databaseUrl } from '../../../test/process/postgres.ts'
import { resetThrottles } from '../../../test/world/reset-throttles.ts'
import { createWorld, SETTINGS, type World } from '../../../test/world/world.ts'

let world: World
let nowMs: number
/** One of each role, by its name. */
let people: Record<OperatorRole, TestOperator>

beforeAll(async () => {
  nowMs = Date.now()
  world = await createWorld({
    config: { LOGIN_ATTEMPTS: 3, PAYOUTS: 'bank-file' },
    context: { now: () => new Date(nowMs) },
  })
  const add = (role: OperatorRole) =>
    signInAs(world.context, { name: `the-${role}`, roles: [role] })
  people = {
    admin: await add('admin'),
    support: await add('support'),
    payouts: await add('payouts'),
    auditor: await add('auditor'),
  }
})
beforeEach(() => {
  // Advances the clock, so that each test has new codes: each code is valid once.
  nowMs += 120_000
})
afterAll(() => world.close())

const auditOf = async (subject: string) => world.context.sql<
  { actor: string; action: string; details: object }[]
>`
  select actor, action, details from audit_events where subject = ${subject} order by created_at,
         id`
const enter = (
  { name, secret }: { name: string; secret: string },
  changes: Partial<{ password: string; code: string; address: string; name: string }> = {},
) =>
  signIn(world.context, {
    name,
    password: OPERATOR_PASSWORD,
    code: codeOf(secret, { at: world.context.now() }),
    address: '192.0.2.1',
    ...changes,
  })

describe('sign-in', () => {
  test('needs the name in any case, password and code; a session lasts eight hours', async () => {
    const { token, operator } = await enter(people.support, { name: 'THE-Support' })
    expect(operator).toMatchObject({ name: 'the-support', roles: ['support'] })
    expect(await operatorOfToken(world.context, token)).toEqual(operator)
    const [row] = await world.context.sql<{ hours: number; text: string }[]>`
      select round(extract(epoch from expires_at - now()) / 3600)::integer as hours, s::text as text
        from operator_sessions s order by created_at desc limit 1`
    expect(row?.hours).toBe(8)
    expect(row?.text).not.toContain(token)
    expect((await auditOf('the-support')).at(-1)).toEqual({
      actor: 'operator:the-support',
      action: 'operator.sign-in',
      details: { address: '192.0.2.1' },
    })
  })

  test('a wrong password, a wrong or used code and an unknown name answer alike', async () => {
    const code = codeOf(people.auditor.secret, { at: world.context.now() })
    await enter(people.auditor)
    for (const changes of [
      { code },
      { password: 'a copper kettle at dusk' },
      { code: '000000' },
      { code: '' },
    ]) {
      await expect(
        enter(people.auditor, { ...changes, address: JSON.stringify(changes) }),
      ).rejects.toMatchObject({ code: 'wrong-credentials' })
    }
    await expect(enter(people.auditor, { name: 'nobody' })).rejects.toMatchObject({
      code: 'wrong-credentials',
    })
    expect((await auditOf('the-auditor')).slice(-4)).toEqual(
      Array.from(
        { length: 4 },
        () =>
          expect.objectContaining({
            actor: 'system',
            action: 'operator.sign-in-refused',
          }) as object,
      ),
    )
    expect((await auditOf('nobody')).map(({ action }) => action)).toEqual([
      'operator.sign-in-refused',
    ])
  })

  test('attempts count by name and address: strangers cannot lock out the terminal', async () => {
    for (let times = 0; times < 3; times += 1)
      await expect(enter(people.payouts, { password: 'wrong' })).rejects.toMatchObject({
        code: 'wrong-credentials',
      })
    await expect(enter(people.payouts)).rejects.toMatchObject({ code: 'too-many-attempts' })
    expect((await enter(people.payouts, { address: 'terminal' })).operator.name).toBe('the-payouts')
  })

  test('guesses from many addresses share a daily limit; the terminal has its own', async () => {
    for (let times = 0; times < 30; times += 1)
      await expect(
        enter(people.support, { password: 'wrong', address: `192.0.2.${times}` }),
      ).rejects.toMatchObject({
        code: expect.stringMatching(/^(wrong-credentials|too-many-attempts)$/) as unknown,
      })
    await expect(enter(people.support, { address: '198.51.100.1' })).rejects.toMatchObject({
      code: 'too-many-attempts',
    })
    expect((await enter(people.support, { address: 'terminal' })).operator.name).toBe('the-support')
    await resetThrottles(world.context.sql)
  })

  test('a session ends at sign-out, at expiry, and when its operator is disabled', async () => {
    const first = await enter(people.support)
    await signOut(world.context, first.token)
    expect(await operatorOfToken(world.context, first.token)).toBeUndefined()
    const leaving = await signInAs(world.context, { name: 'leaving', roles: ['support'] })
    await world.context.sql`update operator_sessions set expires_at = now()
        where operator_id = ${leaving.context.operator.id}`
    expect(await operatorOfToken(world.context, leaving.token)).toBeUndefined()
    nowMs += 120_000
    const again = await enter(leaving)
    await disableOperator(people.admin.context, 'leaving')
    expect(await operatorOfToken(world.context, again.token)).toBeUndefined()
    nowMs += 120_000
    await expect(enter(leaving)).rejects.toMatchObject({ code: 'wrong-credentials' })
  })
})

describe('roles', () => {
  const UNKNOWN = '01234567-89ab-7def-8123-456789abcdef'
  const all = (...roles: OperatorRole[]) => roles
  test.each<[string, Command, string[], OperatorRole[]]>([
    ['withdrawals list', withdrawalsCommand, ['list'], all('support', 'payouts', 'auditor')],
    ['withdrawals approve', withdrawalsCommand, ['approve', UNKNOWN], all('payouts')],
    ['withdrawals reject', withdrawalsCommand, ['reject', UNKNOWN], all('payouts')],
    ['payouts list', bankFileCommand, ['list'], all('support', 'payouts', 'auditor')],
    ['payouts export', bankFileCommand, ['export', '/tmp/none', '4242'], all('payouts')],
    ['payouts mark-paid', bankFileCommand, ['mark-paid', '4242'], all('payouts')],
    ['user', userCommand, ['nobody'], all('support', 'payouts', 'auditor')],
    ['user release-holds', userCommand, ['nobody', 'release-holds', 'why'], all('payouts')],
    ['halt', haltCommand, ['a test'], all('support', 'payouts')],
    ['resume', resumeCommand, [], all('payouts')],
    ['venue compare', venueCommand, ['compare'], all('payouts', 'auditor')],
    ['venue funded', venueCommand, ['funded', '1', 'wire'], all('payouts')],
    ['interest', interestCommand, [], all('payouts', 'auditor')],
    ['interest funded', interestCommand, ['funded', '1', 'coupon'], all('payouts')],
    ['mail', mailCommand, [], all('support')],
    ['audit list', auditTrailCommand, ['list'], all('admin', 'auditor')],
  ])('%s', async (_name, command, words, allowed) => {
    for (const role of ['admin', 'support', 'payouts', 'auditor'] as const) {
      const refused = await command(people[role].context, words).then(
        () => false,
        (error: unknown) =>
          error instanceof Error && 'code' in error && error.code === 'operator-role',
      )
      expect([role, refused]).toEqual([role, !allowed.includes(role)])
    }
  })

  test('money received from the bank for interest is booked once, and shown', async () => {
    const { context } = people.payouts
    expect(await interestCommand(context, ['funded', '12.34', 'coupon-1'])).toMatchObject({
      lines: ['Booked: received $12.34 for interest'],
    })
    expect(await interestCommand(context, ['funded', '12.34', 'coupon-1'])).toMatchObject({
      lines: ['This receipt is booked already.'],
    })
    await expect(interestCommand(context, ['funded', '-1', 'coupon-2'])).rejects.toMatchObject({
      code: 'invalid-input',
    })
    // One dollar of it is from the duty above.
    expect((await interestCommand(context, [])).lines).toEqual([
      'paid to bots: $0.00',
      'received by the bank: $13.34',
      'still to come: −$13.34',
    ])
    expect(await reconcile(world.context)).toEqual([])
  })

  test('a duty that no role allows is refused and audited, and changes nothing', async () => {
    await expect(haltCommand(people.auditor.context, ['now'])).rejects.toMatchObject({
      code: 'operator-role',
      values: { roles: 'auditor' },
    })
    expect((await auditOf('the-auditor')).at(-1)).toEqual({
      actor: 'operator:the-auditor',
      action: 'operator.refuse',
      details: { duty: 'halt orders', roles: 'auditor' },
    })
  })

  test('the audit trail shows the newest events, or all events of a subject', async () => {
    const rows = await readAudit(people.auditor.context, 'the-payouts')
    expect(rows[0]).toMatchObject({ subject: 'the-payouts' })
    expect(rows.every(({ subject }) => subject === 'the-payouts')).toBe(true)
    expect((await readAudit(people.auditor.context))[0]).toMatchObject({
      actor: 'operator:the-auditor',
      action: 'audit.list',
      subject: 'all',
    })
  })
})

describe('adding and disabling', () => {
  const person = (name: string, roles: OperatorRole[] = ['support']) => ({
    name,
    roles,
    password: OPERATOR_PASSWORD,
  })
  const add = async (
    changes: Partial<Parameters<typeof addOperator>[1]> = {},
    context: Parameters<typeof addOperator>[0] = people.admin.context,
  ) => {
    const { secret } = newSecret('new')
    await addOperator(context, {
      ...person('new'),
      secret,
      code: codeOf(secret, { at: world.context.now() }),
      ...changes,
    })
  }

  test('only an admin adds operators, and nobody can be both admin and payouts', async () => {
    await expect(add({}, people.payouts.context)).rejects.toMatchObject({ code: 'operator-role' })
    await expect(add({}, { ...world.context, operator: undefined })).rejects.toMatchObject({
      code: 'operator-signed-out',
    })
    await expect(add({ roles: ['admin', 'payouts'] })).rejects.toThrow(/operators_apart/)
    expect((await listOperators(people.admin.context)).map(({ name }) => name)).not.toContain('new')
  })

  test('a wrong code, a short or common password and a used name add nobody', async () => {
    await expect(add({ code: '000000' })).rejects.toMatchObject({ code: 'wrong-code' })
    await expect(add({ password: 'short' })).rejects.toMatchObject({ code: 'text-too-short' })
    await expect(add({ password: 'passwordpassword' })).rejects.toMatchObject({
      code: 'breached-password',
    })
    await expect(add({ name: 'Leaving' })).rejects.toThrow(
      'There is an operator Leaving already, or was one: names are not used twice.',
    )
    expect((await listOperators(people.admin.context)).map(({ name }) => name)).not.toContain('new')
  })

  test('the password and the secret are stored unreadable', async () => {
    const [row] = await world.context.sql<
      { all: string }[]
    >`select string_agg(o::text, ' ') as all from operators o`
    for (const { secret } of Object.values(people)) expect(row?.all).not.toContain(secret)
    expect(row?.all).not.toContain(OPERATOR_PASSWORD)
  })

  test('nobody can disable the last admin, and only admins can disable operators', async () => {
    await expect(disableOperator(people.support.context, 'the-auditor')).rejects.toMatchObject({
      code: 'operator-role',
    })
    await disableOperator(people.admin.context, 'Root')
    await expect(disableOperator(people.admin.context, 'the-admin')).rejects.toThrow(
      'Somebody must manage operators: add another admin first.',
    )
    await expect(disableOperator(people.admin.context, 'nobody')).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(await operatorOfToken(world.context, people.admin.token)).toBeDefined()
  })
})

describe('the commands', () => {
  let folder: string
  let book: World
  let env: Record<string, string>

  beforeAll(async () => {
    ;[book, folder] = await Promise.all([createWorld(), mkdtemp(join(tmpdir(), 'operators-'))])
    const [row] = await book.context.sql<{ name: string }[]>`select current_database() as name`
    env = {
      DATABASE_URL: databaseUrl(inject('postgresUrl'), row?.name ?? ''),
      DATA_DIR: join(folder, 'data'),
      SESSION_SECRET: SETTINGS.SESSION_SECRET,
    }
  })
  afterAll(async () => {
    await book.close()
    await rm(folder, { recursive: true })
  })
  const ops = (words: string[], answers = typed({})) => converse({ words, env, answers })

  test('only signed-in operators act; the first is an admin and adds the next', async () => {
    const refused = await ops(['withdrawals', 'list'])
    expect(refused).toEqual({
      code: 1,
      said: '',
      shown: 'Sign in as an operator first: npm run ops -- sign-in NAME\n',
    })
    expect((await ops(['operator', 'add', 'Grace', '--role', 'payouts'])).shown).toBe(
      'Nobody manages operators yet: add the first one with --role admin.\n',
    )
    const root = await ops(['operator', 'add', 'Root', '--role', 'admin'], typed({ periods: -1 }))
    expect(root).toMatchObject({
      code: 0,
      said:
        "Root is an operator: admin. Sign in with the app's next code: npm run ops -- sign-in " +
        'Root',
    })
    expect(root.shown).toMatch(/█/)
    expect(root.shown).not.toContain(OPERATOR_PASSWORD)
    expect((await ops(['operator', 'add', 'Eve', '--role', 'admin'])).shown).toBe(
      'Sign in as an operator first.\n',
    )
    const secret = secretIn(root.shown) ?? ''
    const file = join(folder, 'data', 'operator-token')
    expect((await ops(['sign-in', 'Root'], typed({ secret }))).said).toBe(
      `Signed in as Root for 8 hours: admin. The session is stored in ${file}.`,
    )
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect((await readFile(file, 'utf8')).trim()).toMatch(/^[\w-]{43}$/)
    expect((await ops(['withdrawals', 'list'])).shown).toBe(
      'Your role does not allow this. Your roles: admin.\n',
    )
    expect((await ops(['operator', 'list'])).said).toMatch(
      /^Root {2}admin {2}since \d{4}-\d\d-\d\d$/,
    )
    expect((await ops(['sign-out'])).said).toBe('Signed out.')
    expect((await ops(['operator', 'list'])).shown).toBe('Sign in as an operator first.\n')
  })

  test('two different passwords, or no answer at all, add nobody', async () => {
    await book.context.sql`update operators set disabled_at = now()`
    let asked = 0
    const differing = await ops(
      ['operator', 'add', 'Ann', '--role', 'admin'],
      () => `${OPERATOR_PASSWORD} ${(asked += 1)}`,
    )
    expect(differing.shown).toMatch(/The two passwords differ\. Nobody was added\.\n$/)
    expect((await ops(['operator', 'add', 'Ann'])).shown).toMatch(
      /^Use npm run ops -- operator add NAME --role ROLE, or /,
    )
    expect(await book.context.sql`select from operators where name = 'Ann'`).toEqual([])
  })
})
