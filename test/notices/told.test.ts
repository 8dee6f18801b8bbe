import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliverNotices } from '#server/notices/deliver.ts'
import { linkTo } from '#server/notices/link.ts'
import { writeMail } from '#server/notices/notify.ts'
import { makeSoftPasskey } from '../world/soft-passkey.ts'
import type { TestUser } from '../world/world.ts'
import { createMailWorld, PASSWORD, SITE, tokenIn, type MailWorld } from './mail-world.ts'

let world: MailWorld
/** Titles of the push messages that each browser got. */
const pushed: { endpoint: string; title: string }[] = []

beforeAll(async () => {
  const send = async ({ endpoint, payload }: { endpoint: string; payload: string }) => {
    pushed.push({ endpoint, title: (JSON.parse(payload) as { title: string }).title })
    return 'sent' as const
  }
  world = await createMailWorld({
    context: { push: { publicKey: '', addressOf: (endpoint: string) => endpoint, send } },
  })
})
afterAll(() => world.close())

let names = 0
type Told = { user: TestUser; email: string; endpoint: string }

/** A user with a verified address and a browser that gets pushes. */
async function reachable(): Promise<Told> {
  const email = `told${(names += 1)}@example.com`
  const user = await world.verified(email)
  const endpoint = `https://push.example/${user.id}`
  await user.call('addPushDevice', { body: { endpoint, p256dh: 'BAgI', auth: 'AgI' } })
  await world.deliver()
  return { user, email, endpoint }
}

const ask = (name: 'verifyEmail' | 'disown', token: string) =>
  world.stranger().call(name, { body: { token } })
const resetLink = async (account: string) => {
  await world.stranger().call('requestReset', { body: { account } })
  return tokenIn((await world.deliver()).find(({ subject }) => subject === 'Set a new password'))
}

/** Events that take an account over, and the titles of their notices. */
const EVENTS: [string, string[], (told: Told) => Promise<unknown>][] = [
  [
    'a new password by whoever reads the mail',
    ['Password reset'],
    async ({ user }) =>
      world.stranger().call('resetPassword', {
        body: { token: await resetLink(user.username), newPassword: 'another long password' },
      }),
  ],
  [
    'a new password by whoever knows the present one',
    ['Password changed'],
    ({ user }) =>
      user.call('changePassword', {
        body: { currentPassword: PASSWORD, newPassword: 'another long password' },
      }),
  ],
  [
    'a new address, verified at once',
    ['Email change requested', 'Email changed'],
    async ({ user, email }) => {
      await user.call('changeEmail', { body: { email: `not.${email}`, currentPassword: PASSWORD } })
      // Reads the thief's link before any message is sent to the owner.
      const [row] = await world.context.sql<
        { id: string; address: string }[]
      >`select id, address from deliveries where user_id = ${user.id} and kind = 'verify-email'
        and link_used_at is null`
      const link = linkTo({
        purpose: 'verify',
        delivery: { userId: user.id, id: row?.id ?? '', address: row?.address ?? '' },
        config: world.context.config,
      })
      await ask('verifyEmail', link.split('#')[1] ?? '')
    },
  ],
  [
    'a new bank account, and the browser removed at once',
    ['Bank account added'],
    async ({ user }) => {
      await user.addBankAccount()
      const [device] = (await user.call('getNoticeSettings')).devices
      await user.call('removePushDevice', { params: { id: device?.id ?? '' } })
    },
  ],
  [
    'a press of "This was not me"',
    ['Account locked'],
    async ({ user }) => {
      await user.addBankAccount()
      await ask(
        'disown',
        tokenIn((await world.deliver()).find(({ subject }) => subject === 'Bank account added')),
      )
    },
  ],
]

test.each(EVENTS)(
  '%s is reported to the address and the browser that were there before',
  async (_name, titles, happens) => {
    const told = await reachable()
    await happens(told)
    const mails = await world.deliver()
    await deliverNotices(world.context, 'push')
    for (const title of titles) {
      expect(
        mails.filter(({ to, subject }) => to === told.email && subject === title),
        `mail: ${title}`,
      ).toHaveLength(1)
      expect(
        pushed.filter(({ endpoint, title: said }) => endpoint === told.endpoint && said === title),
        `push: ${title}`,
      ).toHaveLength(1)
    }
  },
)

test('"This was not me" is reported to every address of the last seven days', async () => {
  const { user, email } = await reachable()
  const moveTo = async (address: string) => {
    await user.call('changeEmail', { body: { email: address, currentPassword: PASSWORD } })
    const mails = await world.deliver()
    await ask('verifyEmail', tokenIn(mails.find(({ to }) => to === address)))
  }
  await moveTo(`new.${email}`)
  await moveTo(`not.${email}`)
  const changed = (await world.deliver()).find(({ to }) => to === `new.${email}`)
  await ask('disown', tokenIn(changed))
  const locked = (await world.deliver()).filter(({ subject }) => subject === 'Account locked')
  expect(locked.map(({ to }) => to).toSorted()).toEqual(
    [email, `new.${email}`, `not.${email}`].toSorted(),
  )
})

describe('a thief\'s call that is under way when "This was not me" is pressed', () => {
  /**
   * Runs both calls concurrently: the other call passes its session check, then the press commits
   * first.
   */
  async function pressedBefore(
    { user }: Told,
    call: () => Promise<{ status: number }>,
  ): Promise<number> {
    const { sql } = world.context
    await user.addBankAccount()
    const token = tokenIn(
      (await world.deliver()).find(({ subject }) => subject === 'Bank account added'),
    )
    const waiting = async () =>
      (
        await sql`select from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database()`
      ).length
    let running: Promise<unknown>[] = []
    let late: Promise<{ status: number }> | undefined
    await sql.begin('', async (tx) => {
      await tx`select from users where id = ${user.id} for update`
      running = [ask('disown', token)]
      await expect.poll(waiting).toBe(1)
      late = call()
      await expect.poll(waiting).toBe(2)
    })
    await Promise.all(running)
    return (await late)?.status ?? 0
  }

  test('adds no passkey afterwards', async () => {
    const told = await reachable()
    const device = makeSoftPasskey(SITE)
    const created = device.create(await told.user.call('startPasskey'))
    expect(await pressedBefore(told, () => told.user.ask('addPasskey', { body: created }))).toBe(
      401,
    )
    expect(
      await world.context.sql`select from passkeys where user_id = ${told.user.id}`,
    ).toHaveLength(0)
  })

  test('a change of the email address fails after "This was not me"', async () => {
    const told = await reachable()
    expect(
      await pressedBefore(told, () =>
        told.user.ask('changeEmail', {
          body: { email: 'late@example.net', currentPassword: PASSWORD },
        }),
      ),
    ).toBe(401)
    expect(
      await world.context
        .sql`select from users where id = ${told.user.id} and pending_email is not null`,
    ).toHaveLength(0)
  })

  test('the call cannot set a password with a link sent to another address', async () => {
    const { user } = await reachable()
    const { sql, config } = world.context
    await writeMail(sql, { userId: user.id, kind: 'reset-password', address: 'thief@example.net' })
    const [row] = await sql<
      { id: string }[]
    >`select id from deliveries where user_id = ${user.id} and kind = 'reset-password'`
    const [, token = ''] = linkTo({
      purpose: 'reset',
      delivery: { userId: user.id, id: row?.id ?? '', address: 'thief@example.net' },
      config,
    }).split('#')
    expect(
      await world
        .stranger()
        .ask('resetPassword', { body: { token, newPassword: 'another long password' } }),
    ).toMatchObject({ status: 410, body: { code: 'link-invalid' } })
  })
})

test('a replaced address stays reserved for its user for seven days', async () => {
  const { user, email } = await reachable()
  const moveTo = async (to: string, who: TestUser) => {
    await who.call('changeEmail', { body: { email: to, currentPassword: PASSWORD } })
    return (await world.deliver()).find(
      (mail) => mail.to === to && mail.subject !== 'Email changed',
    )
  }
  await ask('verifyEmail', tokenIn(await moveTo(`new.${email}`, user)))
  const other = await world.user()
  const told = await moveTo(email, other)
  expect(told?.subject).toBe('This address is not available yet')
  expect(told?.text).not.toContain('#')
  await world.context
    .sql`update emails set released_at = now() - interval '8 days' where released_at is not null`
  expect((await ask('verifyEmail', tokenIn(await moveTo(email, other)))).email).toBe(email)
  expect((await user.call('getUser')).email).toBe(`new.${email}`)
})
