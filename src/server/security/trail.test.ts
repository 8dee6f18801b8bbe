import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { queriesOver } from '#server/db/statement.ts'
import { isTrailed } from '#server/http/note-refusal.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { countAttempts } from '#server/security/throttle.ts'
import { pastRules } from '../../../test/world/past-rules.ts'
import { sealAll } from '../../../test/world/seal-all.ts'
import { BANK_ACCOUNT, cookieOf, createWorld, type World } from '../../../test/world/world.ts'

/** The audit trail: sign-ins, failed attempts, and every refusal with its user. */
let world: World
beforeAll(async () => {
  world = await createWorld({ config: { LOGIN_ATTEMPTS: 3, TRUST_PROXY: 1 } })
})
afterAll(() => world.close())

const PASSWORD = 'correct horse battery'
const ADDRESS = '10.9.8.7'
const BROWSER = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'

type Attempt = { username: string; password?: string; address?: string; site?: string }

const signIn = ({
  username,
  password = PASSWORD,
  address = ADDRESS,
  site = 'same-origin',
}: Attempt) =>
  world.app.inject({
    method: 'POST',
    url: routes.login.path,
    payload: { username, password },
    headers: { 'sec-fetch-site': site, 'x-forwarded-for': address, 'user-agent': BROWSER },
  })

type Event = { actor: string; action: string; subject: string; details: Record<string, string> }

async function trailOf(subject: string): Promise<Event[]> {
  const rows = await world.context.sql<
    Event[]
  >`select actor, action, subject, details from audit_events where subject = ${subject}
    order by created_at, id`
  return rows.map((row) => ({ ...row }))
}

const actionsOf = async (subject: string) => (await trailOf(subject)).map(({ action }) => action)

test('sign-up, sign-in and sign-out each leave a row, with session and browser', async () => {
  const { id, username } = await world.user()
  const cookie = cookieOf((await signIn({ username })).headers['set-cookie'])
  const [session] = await world.context.sql<
    { id: string }[]
  >`select id from sessions where user_id = ${id} order by created_at desc limit 1`
  await world.app.inject({
    method: 'POST',
    url: routes.logout.path,
    headers: {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': ADDRESS,
      'user-agent': BROWSER,
      cookie,
    },
  })
  const details = {
    session: session?.id,
    browser: BROWSER,
    address: expect.stringMatching(/^[\w-]{16}$/) as string,
  }
  const row = { actor: `user:${id}`, subject: id }
  expect((await trailOf(id)).filter(({ action }) => action === 'user.sign-up')).toEqual([
    { ...row, action: 'user.sign-up', details: {} },
  ])
  expect((await trailOf(id)).slice(2)).toEqual([
    { ...row, action: 'sign-in.done', details },
    { ...row, action: 'sign-out', details },
  ])
  expect(
    new Set((await trailOf(id)).slice(2).map(({ details: { address } }) => address)).size,
    'one address has one digest',
  ).toBe(1)
})

test('a sign-in whose row cannot be written is refused', async () => {
  const { id, username } = await world.user()
  const before = await world.context.sql`select from sessions where user_id = ${id}`
  await world.context.sql.unsafe(`
    create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'no';
    end $$;
    create trigger refuse_row before insert on audit_events for each row
    when (new.action = 'sign-in.done') execute function refuse_row()`)
  try {
    const answer = await signIn({ username })
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([500, undefined])
    expect(await world.context.sql`select from sessions where user_id = ${id}`).toHaveLength(
      before.length,
    )
  } finally {
    await world.context.sql.unsafe('drop trigger refuse_row on audit_events')
  }
})

describe('a refused sign-in', () => {
  test('leaves a row under the account with that name, without a session', async () => {
    const { id, username } = await world.user()
    expect(
      (await signIn({ username: username.toUpperCase(), password: 'my other password' }))
        .statusCode,
    ).toBe(401)
    expect((await trailOf(id)).at(-1)).toEqual({
      actor: 'stranger',
      action: 'sign-in.refused',
      subject: id,
      details: {
        code: 'wrong-credentials',
        call: routes.login.path,
        browser: BROWSER,
        address: expect.stringMatching(/^[\w-]{16}$/) as string,
        number: '1',
      },
    })
  })

  test('an unknown name is audited without a user and without the typed name', async () => {
    const typed = 'my-secret-by-mistake'
    expect((await signIn({ username: typed, password: 'my other password' })).statusCode).toBe(401)
    expect((await trailOf('nobody')).at(-1)).toMatchObject({
      actor: 'stranger',
      action: 'sign-in.refused',
      details: { code: 'wrong-credentials' },
    })
    const rows = await world.context.sql<
      { text: string }[]
    >`select e::text as text from audit_events e`
    expect(
      rows.filter(({ text }) =>
        [typed, 'my other password', ADDRESS, PASSWORD].some((word) => text.includes(word)),
      ),
    ).toEqual([])
  })

  test('a flood is recorded ten times, and then once at the hundredth', async () => {
    const { id, username } = await world.user()
    const statuses: number[] = []
    for (let attempt = 0; attempt < 105; attempt += 1)
      statuses.push((await signIn({ username, password: 'wrong password' })).statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(3)
    const refused = (await trailOf(id))
      .filter(({ action }) => action === 'sign-in.refused')
      .map(({ details: { number, code } }) => `${number} ${code}`)
    const numbers = [...Array.from({ length: 10 }, (_, index) => index + 1), 100]
    expect(refused).toEqual(
      numbers.map(
        (number) => `${number} ${number > 3 ? 'too-many-attempts' : 'wrong-credentials'}`,
      ),
    )
  })

  test('a flood costs statements only if a row may be due', async () => {
    let statements = 0
    const sql = queriesOver((sent) => {
      statements += 1
      return world.context.sql.send(sent)
    })
    const numbers = (
      await Promise.all(
        Array.from({ length: 2_500 }, () => isTrailed(sql, { subject: 'flooder', address: 'one' })),
      )
    ).filter((number) => number !== undefined)
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100, 1_000])
    expect(statements, 'two for each row').toBe(24)
  })

  test('a refused sign-in is counted together with those in other processes', async () => {
    const key = 'trail:shared:one'
    const refuse = async (count: number) => {
      const numbers: (number | undefined)[] = []
      for (let index = 0; index < count; index += 1)
        numbers.push(await isTrailed(world.context.sql, { subject: 'shared', address: 'one' }))
      return numbers.filter((number) => number !== undefined)
    }
    expect(await refuse(12)).toHaveLength(10)
    await countAttempts(world.context.sql, { key, windowSeconds: 3_600, by: 80 })
    expect(await refuse(87), 'less than what this process waits for').toEqual([])
    expect(await refuse(1), '90 from here and 80 from there pass the hundredth').toEqual([180])
  })

  test('a refused sign-in is counted from one again in a new hour', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const refuse = () => isTrailed(world.context.sql, { subject: 'hourly', address: 'one' })
      for (let index = 0; index < 20; index += 1) await refuse()
      await world.context
        .sql`update throttles set window_start = window_start - interval '61 minutes'
          where key like 'trail:hourly%'`
      vi.advanceTimersByTime(61 * 60_000)
      expect(await refuse()).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  test('new addresses leave at most a hundred rows an hour about an account', async () => {
    const written = async (subject: string, count: number) => {
      let rows = 0
      for (let address = 0; address < count; address += 1)
        if (
          (await isTrailed(world.context.sql, { subject, address: String(address) })) !== undefined
        )
          rows += 1
      return rows
    }
    expect(await written('somebody', 250)).toBe(100)
    expect(await written('nobody', 1_200)).toBeLessThanOrEqual(1_000)
    expect(
      await isTrailed(world.context.sql, { subject: 'another', address: '1' }),
      'whose rows stay apart',
    ).toBe(1)
  })
})

test('refused sign-ups leave rows without a user; a flood leaves its first ten', async () => {
  const { username } = await world.user()
  const signUp = (password = PASSWORD) => {
    const payload = { username, password, firstName: 'Eve', lastName: 'Typed' }
    return world.app.inject({
      method: 'POST',
      url: routes.signup.path,
      payload,
      headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '10.9.8.6' },
    })
  }
  const refusals = async () =>
    (await trailOf('nobody'))
      .filter(({ action }) => action === 'sign-up.refused')
      .map(({ actor, details: { code, call, number } }) => [actor, code, call, number])
  expect((await signUp('123456')).statusCode).toBe(422)
  expect(await refusals(), 'a mistake').toEqual([])
  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt += 1) statuses.push((await signUp()).statusCode)
  expect(new Set(statuses)).toEqual(new Set([409]))
  expect(await refusals()).toEqual(
    Array.from({ length: 10 }, (_, index) => [
      'stranger',
      'username-taken',
      routes.signup.path,
      String(index + 1),
    ]),
  )
  const rows = await world.context.sql<
    { text: string }[]
  >`select e::text as text from audit_events e where action = 'sign-up.refused'`
  expect(
    rows.filter(({ text }) => text.includes(username) || text.includes('Typed')),
    'nothing that was typed',
  ).toEqual([])
})

describe('a refused call of a signed-in user', () => {
  test('a refused call is in the trail if it guesses a password', async () => {
    const user = await world.user()
    for (let attempt = 0; attempt < 4; attempt += 1)
      await user.ask('changePassword', {
        body: { currentPassword: 'wrong password', newPassword: 'another good one' },
      })
    const refused = (await trailOf(user.id)).slice(2)
    expect(refused.map(({ actor, action, details: { code } }) => [actor, action, code])).toEqual([
      ...Array.from({ length: 3 }, () => [`user:${user.id}`, 'call.refused', 'wrong-password']),
      [`user:${user.id}`, 'call.refused', 'too-many-attempts'],
    ])
    expect(refused[0]?.details['call']).toBe(routes.changePassword.path)
  })

  test('a refused call is in the trail if another site sent it', async () => {
    const user = await world.user()
    const answer = await world.app.inject({
      method: 'POST',
      url: routes.stopAll.path,
      headers: { 'sec-fetch-site': 'cross-site', cookie: user.cookie },
    })
    expect(answer.statusCode).toBe(403)
    expect((await trailOf(user.id)).at(-1)).toMatchObject({
      actor: `user:${user.id}`,
      action: 'call.refused',
      details: { code: 'cross-site', call: routes.stopAll.path },
    })
  })

  test('a mistake is not in the trail, nor is a call of a signed-out visitor', async () => {
    const user = await world.user()
    const before = await world.context.sql`select from audit_events`
    expect((await user.ask('requestWithdrawal', { body: { amount: '1000000' } })).status).toBe(422)
    expect((await user.ask('createBot', { body: {} })).status).toBe(400)
    expect((await world.stranger().ask('listBots')).status).toBe(401)
    expect(await world.context.sql`select from audit_events`).toHaveLength(before.length)
  })
})

test('each change of a bank account leaves a row with that account as its subject', async () => {
  const user = await world.user()
  const [first, second] = [await user.addBankAccount(), await user.addBankAccount()]
  await user.call('makeBankAccountDefault', { params: { id: second } })
  await user.call('removeBankAccount', { params: { id: first } })
  await user.ask('addBankAccount', { body: { ...BANK_ACCOUNT, routingNumber: '1' } })
  expect([await actionsOf(first), await actionsOf(second)]).toEqual([
    ['bank-account.add', 'bank-account.remove'],
    ['bank-account.add', 'bank-account.make-default'],
  ])
  expect((await trailOf(first)).map(({ actor, details }) => [actor, details])).toEqual([
    [`user:${user.id}`, {}],
    [`user:${user.id}`, {}],
  ])
})

test('reconcile reports each row of the trail that was changed or is gone', async () => {
  const { sql } = world.context
  const [changed, gone] = [await world.user(), await world.user()]
  for (const { username } of [changed, gone]) await signIn({ username, password: 'wrong password' })
  const idOf = async (subject: string) =>
    (
      await sql<
        { id: string }[]
      >`select id from audit_events where subject = ${subject} and action = 'sign-in.refused'`
    )[0]?.id
  const [changedId, goneId] = [await idOf(changed.id), await idOf(gone.id)]
  await sealAll(world.context)
  await pastRules(sql, async (tx) => {
    await tx`update audit_events set details = details || '{"address":"mine"}'
      where subject = ${changed.id} and action = 'sign-in.refused'`
    await tx`delete from audit_events where subject = ${gone.id} and action = 'sign-in.refused'`
  })
  const found = (await reconcile(world.context)).map(
    ({ subject, finding }) => `${subject}: ${finding}`,
  )
  expect(found).toContainEqual(`${changedId}: audit event sign-in.refused is not as it was sealed`)
  expect(found).toContainEqual(
    expect.stringMatching(`^${goneId}: the audit event is in seal \\d+, and it is gone$`),
  )
})
