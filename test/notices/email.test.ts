import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealAccount } from '#server/security/account-seal.ts'
import { readLink } from '#server/notices/link.ts'
import { brokenAccounts } from '../world/broken-accounts.ts'
import { passTime } from '../takeover/pass-time.ts'
import {
  createMailWorld,
  FROM_SITE,
  PASSWORD,
  SITE,
  tokenIn,
  type MailWorld,
} from './mail-world.ts'

let world: MailWorld
beforeAll(async () => {
  world = await createMailWorld()
})
afterAll(() => world.close())

let names = 0
const signup = (body: object) =>
  world.app.inject({
    method: 'POST',
    url: '/api/auth/signup',
    headers: FROM_SITE,
    payload: {
      username: `grace${(names += 1)}`,
      password: PASSWORD,
      firstName: 'Grace',
      lastName: 'Hopper',
      ...body,
    },
  })
const login = (username: string, password: string) =>
  world.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: FROM_SITE,
    payload: { username, password },
  })
const verify = (token: string) => world.stranger().ask('verifyEmail', { body: { token } })
const reset = (token: string, newPassword = 'another long password') =>
  world.stranger().ask('resetPassword', { body: { token, newPassword } })
const disown = (token: string) => world.stranger().ask('disown', { body: { token } })
const askReset = (account: string) => world.stranger().ask('requestReset', { body: { account } })
const age = (userId: string, hours: number) =>
  world.context
    .sql`update deliveries set created_at = created_at - ${hours}::integer * interval '1 hour'
      where user_id = ${userId}`

describe('an address', () => {
  test("a stranger's address gets few messages, from any number of users", async () => {
    const [ada, eve] = [await world.user(), await world.user()]
    await world.deliver()
    const named = async (user: typeof ada, count: number, name: string) => {
      for (let number = 0; number < count; number += 1) {
        const { status } = await user.ask('changeEmail', {
          body: { email: `${name}${number}@example.org`, currentPassword: PASSWORD },
        })
        expect(status, 'the answer tells nothing').toBe(200)
        await user.ask('sendVerification')
      }
      return (await world.deliver()).length
    }
    expect(await named(ada, 30, 'stranger')).toBeLessThanOrEqual(5)
    expect(await named(eve, 1, 'other'), 'another user has messages of his own').toBe(2)
  })

  test('an address is verified by the link in a message, once, and signed out too', async () => {
    const answer = await signup({ email: 'grace@example.com' })
    const user = answer.json<{ id: string; emailVerified: boolean }>()
    expect(user.emailVerified).toBe(false)
    const [mail] = await world.deliver()
    expect(mail).toMatchObject({ to: 'grace@example.com', subject: 'Verify your email address' })
    expect(mail?.text).toContain(`${SITE}/verify-email#${user.id}.`)
    expect(mail?.text, 'nothing that its sender chose').not.toMatch(/Grace|grace\d/)
    expect((await verify(tokenIn(mail))).body).toEqual({ email: 'grace@example.com' })
    expect((await verify(tokenIn(mail))).body).toMatchObject({ code: 'link-invalid' })
  })

  test('an address is not verified after 24 hours, nor by a changed or another link', async () => {
    const [ada, eve] = [await world.user(), await world.user()]
    for (const [user, email] of [
      [ada, 'old@example.com'],
      [eve, 'eve@example.com'],
    ] as const)
      await user.call('changeEmail', { body: { email, currentPassword: PASSWORD } })
    const mails = await world.deliver()
    const [adas, eves] = ['old@example.com', 'eve@example.com'].map((to) =>
      tokenIn(mails.find((mail) => mail.to === to)),
    )
    const [, id = '', signature = ''] = (adas ?? '').split('.')
    const wrong = [
      `${eve.id}.${id}.${signature}`,
      `${ada.id}.${id}.${'A'.repeat(43)}`,
      `${ada.id}.${(eves ?? '').split('.')[1]}.${signature}`,
      `${ada.id}.${id}`,
      '',
      'x'.repeat(200),
    ]
    for (const token of wrong)
      expect((await verify(token)).body).toMatchObject({ code: 'link-invalid' })
    expect((await reset(adas ?? '')).body).toMatchObject({ code: 'link-invalid' })
    expect((await disown(adas ?? '')).body).toMatchObject({ code: 'link-invalid' })
    await age(ada.id, 24)
    expect((await verify(adas ?? '')).body).toMatchObject({ code: 'link-invalid' })
    expect((await verify(eves ?? '')).status).toBe(200)
  })

  test('the address of another account gets an equal answer, its owner a message', async () => {
    const owner = await world.verified('owner@example.com')
    const [free, taken] = [
      await signup({ email: 'free@example.com' }),
      await signup({ email: 'OWNER@example.com' }),
    ]
    const shape = (answer: typeof free) => ({
      status: answer.statusCode,
      keys: Object.keys(answer.json()),
      verified: answer.json<{ emailVerified: boolean }>().emailVerified,
    })
    expect(shape(taken)).toEqual(shape(free))
    const mails = await world.deliver()
    expect(mails.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
      ['OWNER@example.com', 'You already have an account'],
      ['free@example.com', 'Verify your email address'],
    ])
    const told = mails.find(({ to }) => to === 'OWNER@example.com')
    expect(told?.text).toContain(`@${owner.username}`)
    expect(told?.text).not.toContain('#')
    expect(await owner.call('getUser')).toMatchObject({
      email: 'owner@example.com',
      emailVerified: true,
    })
  })

  test('belongs to whoever verifies it first', async () => {
    const [ada, eve] = [await world.user(), await world.user()]
    for (const user of [ada, eve])
      await user.call('changeEmail', {
        body: { email: 'first@example.com', currentPassword: PASSWORD },
      })
    const tokens = (await world.deliver()).map(tokenIn)
    const answers = await Promise.all(tokens.map((token) => verify(token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410])
    expect(
      (await world.context.sql`select from emails where email_key = 'first@example.com'`).length,
    ).toBe(1)
  })

  test('a new address needs the password and verification; the old one is notified', async () => {
    const ada = await world.verified('before@example.com')
    expect(
      (
        await ada.ask('changeEmail', {
          body: { email: 'after@example.com', currentPassword: 'not the password' },
        })
      ).body,
    ).toMatchObject({ code: 'wrong-password', field: 'currentPassword' })
    expect(
      await ada.call('changeEmail', {
        body: { email: 'after@example.com', currentPassword: PASSWORD },
      }),
    ).toMatchObject({
      email: 'before@example.com',
      emailVerified: true,
      pendingEmail: 'after@example.com',
    })
    const asked = await world.deliver()
    expect(asked.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
      ['after@example.com', 'Verify your email address'],
      ['before@example.com', 'Email change requested'],
    ])
    await verify(tokenIn(asked.find(({ to }) => to === 'after@example.com')))
    expect(await ada.call('getUser')).toMatchObject({
      email: 'after@example.com',
      emailVerified: true,
      pendingEmail: null,
    })
    const changed = await world.deliver()
    expect(changed.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
      ['after@example.com', 'Email changed'],
      ['before@example.com', 'Email changed'],
    ])
    expect(changed.find(({ to }) => to === 'before@example.com')?.text).toContain('/not-me#')
    expect(changed.find(({ to }) => to === 'after@example.com')?.text).not.toContain('/not-me#')
  })

  test('an address that anybody can enter gets at most three messages an hour', async () => {
    const ada = await world.user()
    await ada.call('changeEmail', {
      body: { email: 'bombed@example.com', currentPassword: PASSWORD },
    })
    for (let times = 0; times < 8; times += 1)
      expect((await ada.ask('sendVerification')).status).toBe(200)
    expect(await world.deliver()).toHaveLength(3)
  })
})

describe('a link to a new password', () => {
  test('sets it once, ends every session and makes withdrawals wait for 24 hours', async () => {
    const ada = await world.verified('reset@example.com')
    await ada.deposit('500')
    await ada.addBankAccount()
    await world.deliver()
    await askReset(ada.username)
    const [mail] = await world.deliver()
    expect(mail).toMatchObject({ to: 'reset@example.com', subject: 'Set a new password' })
    expect((await reset(tokenIn(mail), '123456')).body).toMatchObject({
      code: 'common-password',
      field: 'newPassword',
    })
    expect((await reset(tokenIn(mail))).status).toBe(200)
    expect((await reset(tokenIn(mail), 'a third long password')).body).toMatchObject({
      code: 'link-invalid',
    })
    expect((await ada.ask('listBots')).status).toBe(401)
    expect((await login(ada.username, PASSWORD)).statusCode).toBe(401)
    const again = await login(ada.username, 'another long password')
    expect(again.statusCode).toBe(200)
    const cookie = String([again.headers['set-cookie']].flat()[0]).split(';')[0]
    const terms = await world.app.inject({
      method: 'GET',
      url: '/api/withdrawal-terms',
      headers: { ...FROM_SITE, cookie },
    })
    const [hold] = await world.context.sql<{ until: Date; hours: number }[]>`
      select until, extract(epoch from until - created_at)::integer / 3600 as hours
        from withdrawal_holds where user_id = ${ada.id} and reason = 'password-reset'`
    expect(hold?.hours).toBe(24)
    expect(terms.json()).toMatchObject({
      isLocked: false,
      isNameless: false,
      hold: { reason: 'password-reset', until: hold?.until.toISOString() },
    })
  })

  test('the verified address gets the link for any spelling of it or of the username', async () => {
    const ada = await world.verified('Mixed.Case@example.com')
    for (const asked of [ada.username.toUpperCase(), ' mixed.case@EXAMPLE.com ']) {
      await askReset(asked)
      expect((await world.deliver()).map(({ to }) => to)).toEqual(['Mixed.Case@example.com'])
    }
  })

  test('costs the same answer and work, whether or not the account exists', async () => {
    const [ada, eve] = [await world.verified('there@example.com'), await world.user()]
    await eve.call('changeEmail', {
      body: { email: 'not-verified@example.com', currentPassword: PASSWORD },
    })
    await world.deliver()
    const statements: string[][] = []
    for (const asked of [
      ada.username,
      'there@example.com',
      eve.username,
      'not-verified@example.com',
      'nobody-at-all',
      'nobody@example.com',
    ]) {
      const before = await world.context.sql<
        { count: number }[]
      >`select count(*)::integer as count from reset_requests`
      const answer = await askReset(asked)
      const after = await world.context.sql<
        { count: number }[]
      >`select count(*)::integer as count from reset_requests`
      statements.push([
        String(answer.status),
        JSON.stringify(answer.body),
        String((after[0]?.count ?? 0) - (before[0]?.count ?? 0)),
      ])
    }
    expect(new Set(statements.map((row) => row.join(' ')))).toEqual(new Set(['200 {} 1']))
    expect((await world.deliver()).map(({ to }) => to)).toEqual([
      'there@example.com',
      'there@example.com',
    ])
  })

  test('expires after an hour, and with the next new password or address', async () => {
    const ada = await world.verified('hour@example.com')
    await askReset(ada.username)
    await askReset(ada.username)
    const [first, second] = (await world.deliver()).map(tokenIn)
    expect((await reset(first ?? '')).status).toBe(200)
    expect((await reset(second ?? '')).body).toMatchObject({ code: 'link-invalid' })
    await askReset(ada.username)
    const [third] = (await world.deliver())
      .filter(({ subject }) => subject === 'Set a new password')
      .map(tokenIn)
    await age(ada.id, 1)
    expect((await reset(third ?? '')).body).toMatchObject({ code: 'link-invalid' })
  })

  test('works for only one of many concurrent uses', async () => {
    const ada = await world.verified('race@example.com')
    await askReset(ada.username)
    const [mail] = await world.deliver()
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, number) => reset(tokenIn(mail), `a long password ${number}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('the link is in no table', async () => {
    const ada = await world.verified('secret@example.com')
    await askReset(ada.username)
    const [mail] = await world.deliver()
    const signature = tokenIn(mail).split('.')[2] ?? ''
    expect(signature).toHaveLength(43)
    const rows = await world.context
      .sql`select from deliveries d where d::text like ${`%${signature}%`}`
    expect(rows).toHaveLength(0)
    const wentTo = (secret: string) =>
      readLink(tokenIn(mail), { purpose: 'reset', secret }).wentTo('secret@example.com')
    expect(
      [world.context.config.SESSION_SECRET, 'another secret of thirty-two letters'].map(wentTo),
    ).toEqual([true, false])
  })
})

describe('"This was not me"', () => {
  test('ends every session, disables the password and cancels the withdrawal', async () => {
    const ada = await world.verified('mine@example.com')
    await ada.deposit('500')
    await ada.addBankAccount()
    const { id } = await ada.call('requestWithdrawal', { body: { amount: '20' } })
    const [mail] = (await world.deliver()).filter(
      ({ subject }) => subject === 'Withdrawal requested',
    )
    expect((await disown(tokenIn(mail))).status).toBe(200)
    expect((await disown(tokenIn(mail))).body, 'once').toMatchObject({ code: 'link-invalid' })
    expect((await ada.ask('listBots')).status).toBe(401)
    expect((await login(ada.username, PASSWORD)).statusCode).toBe(401)
    await world.payOut()
    const stateOf = async () =>
      (
        await world.context.sql<
          { state: string }[]
        >`select state from withdrawal_requests where id = ${id}`
      )[0]?.state
    expect(await stateOf()).toBe('canceled')
    const balanceOf = async () =>
      (
        await world.context.sql<
          { balance: bigint }[]
        >`select balance from ledger_accounts where user_id = ${ada.id} and code = 'customer:cash'`
      )[0]?.balance
    expect(await balanceOf()).toBe(500n * 10n ** 8n)
    await askReset('mine@example.com')
    const [link] = (await world.deliver()).filter(({ subject }) => subject === 'Set a new password')
    expect((await reset(tokenIn(link))).status).toBe(200)
    expect((await login(ada.username, 'another long password')).statusCode).toBe(200)
    await world.context.sql`update withdrawal_holds set until = now() where user_id = ${ada.id}
        and until is not null`
    await world.payOut()
    await world.payOut()
    expect(await stateOf()).toBe('canceled')
  })

  test('a press of the link does not shorten the wait begun by another event', async () => {
    const ada = await world.verified('longer@example.com')
    await ada.addBankAccount()
    const [mail] = await world.deliver()
    await askReset(ada.username)
    const [link] = await world.deliver()
    await reset(tokenIn(link))
    const untilOf = async () =>
      (
        await world.context.sql<
          { until: Date }[]
        >`select max(until) as until from withdrawal_holds where user_id = ${ada.id}
          and lifted_at is null`
      )[0]?.until
    const before = await untilOf()
    expect((await disown(tokenIn(mail))).status).toBe(200)
    expect(await untilOf()).toEqual(before)
  })

  test('the link at the earlier address restores it and voids links to the new one', async () => {
    const ada = await world.verified('adas@example.com')
    await ada.call('changeEmail', {
      body: { email: 'thief@example.com', currentPassword: PASSWORD },
    })
    await verify(tokenIn((await world.deliver()).find(({ to }) => to === 'thief@example.com')))
    await ada.addBankAccount()
    await askReset(ada.username)
    const mails = await world.deliver()
    const thiefs = mails.filter(({ to, text }) => to === 'thief@example.com' && text.includes('#'))
    expect(thiefs.map(({ subject }) => subject).toSorted()).toEqual([
      'Bank account added',
      'Set a new password',
    ])
    expect((await disown(tokenIn(mails.find(({ to }) => to === 'adas@example.com')))).status).toBe(
      200,
    )
    for (const mail of thiefs)
      expect(
        (await (mail.subject === 'Set a new password' ? reset : disown)(tokenIn(mail))).body,
      ).toMatchObject({ code: 'link-invalid' })
    const [row] = await world.context.sql<
      { email: string }[]
    >`select email from users where id = ${ada.id} and email_verified_at is not null`
    expect(row?.email).toBe('adas@example.com')
    await askReset('thief@example.com')
    expect(
      await world
        .deliver()
        .then((sent) => sent.filter(({ subject }) => subject === 'Set a new password')),
    ).toEqual([])
    await askReset('adas@example.com')
    expect((await world.deliver()).map(({ to }) => to)).toEqual(['adas@example.com'])
  })

  test.each([
    ['stolen1@example.com', 'Bank account added'],
    ['stolen2@example.com', 'Email change requested'],
    ['stolen3@example.com', 'Email changed'],
    ['thief5@example.com', 'Bank account removed'],
  ])('pressed at %s in "%s" restores the earlier address', async (to, subject) => {
    const [email, thiefs] = to.startsWith('thief')
      ? ['stolen4@example.com', to]
      : [to, `thief.of.${to}`]
    const ada = await world.verified(email)
    const account = await ada.addBankAccount()
    await ada.call('changeEmail', { body: { email: thiefs, currentPassword: PASSWORD } })
    const asked = await world.deliver()
    await verify(tokenIn(asked.find((mail) => mail.to === thiefs)))
    await ada.call('removeBankAccount', { params: { id: account } })
    const mails = [...asked, ...(await world.deliver())]
    expect(
      (await disown(tokenIn(mails.find((mail) => mail.to === to && mail.subject === subject))))
        .status,
    ).toBe(200)
    await askReset(ada.username)
    expect(
      (await world.deliver())
        .filter((mail) => mail.subject === 'Set a new password')
        .map((mail) => mail.to),
    ).toEqual([email])
  })

  test('restores an earlier address, but never one that a press has removed', async () => {
    const ada = await world.verified('twice@example.com')
    const steal = async (to: string) => {
      await ada.call('changeEmail', { body: { email: to, currentPassword: PASSWORD } })
      await verify(tokenIn((await world.deliver()).find((mail) => mail.to === to)))
      return (await world.deliver()).find(
        (mail) => mail.to === 'twice@example.com' && mail.subject === 'Email changed',
      )
    }
    const { sql } = world.context
    for (const to of ['thief6@example.com', 'thief7@example.com']) {
      const password =
        (await sql<{ password: string }[]>`select password from users where id = ${ada.id}`)[0]
          ?.password ?? ''
      const sessions =
        (
          await sql<
            { kept: string }[]
          >`select jsonb_agg(s)::text as kept from sessions s where s.user_id = ${ada.id}`
        )[0]?.kept ?? ''
      await disown(tokenIn(await steal(to)))
      expect((await sql`select email from users where id = ${ada.id}`)[0]).toEqual({
        email: 'twice@example.com',
      })
      // The owner is in again, without a new password in between.
      await sql`update users set password = ${password} where id = ${ada.id}`
      await sealAccount(world.context, ada.id)
      await sql`insert into sessions select *
        from jsonb_populate_recordset(null::sessions, ${sessions}::text::jsonb)`
      await passTime(world.context, [{ id: ada.id, hours: 3 * 24 }])
    }
  })

  test('the link in the message about a requested change stops that change', async () => {
    const ada = await world.verified('stays@example.com')
    await ada.call('changeEmail', {
      body: { email: 'thief2@example.com', currentPassword: PASSWORD },
    })
    const mails = await world.deliver()
    await disown(tokenIn(mails.find(({ to }) => to === 'stays@example.com')))
    expect(
      (await verify(tokenIn(mails.find(({ to }) => to === 'thief2@example.com')))).body,
    ).toMatchObject({ code: 'link-invalid' })
  })

  test('works for seven days', async () => {
    const ada = await world.verified('week@example.com')
    await ada.addBankAccount()
    const [mail] = await world.deliver()
    await age(ada.id, 7 * 24)
    expect((await disown(tokenIn(mail))).body).toMatchObject({ code: 'link-invalid' })
  })
})

test('changes of addresses, passwords: the seal of every account is valid afterwards', async () => {
  expect(await brokenAccounts(world.context)).toEqual([])
})
