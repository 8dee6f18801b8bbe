import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PayoutWait } from '#core/withdrawals/payout-wait.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import { listen } from '#server/events/bus.ts'
import { userCommand } from '#server/ops/user-command.ts'
import { approveWithdrawal } from './approve-withdrawal.ts'
import { payOut } from './pay-out.ts'
import { makeBatch } from './payout-batches.ts'
import { moneyText } from '#words/figures.ts'
import { momentInWords } from '#words/moment.ts'
import { noticeText } from '#words/notice-text.ts'
import { brokenAccounts } from '../../../test/world/broken-accounts.ts'
import {
  createMailWorld,
  FROM_SITE,
  PASSWORD,
  SITE,
  tokenIn,
  type MailWorld,
} from '../../../test/notices/mail-world.ts'
import { actingAs, signInAs, type TestOperator } from '../../../test/world/operators.ts'
import { makeSoftPasskey } from '../../../test/world/soft-passkey.ts'
import { passTime } from '../../../test/takeover/pass-time.ts'
import { cookieOf, type TestUser } from '../../../test/world/world.ts'

let world: MailWorld
beforeAll(async () => {
  world = await createMailWorld()
})
afterAll(() => world.close())

let names = 0
/** A user with a verified address, $500 and two bank accounts, whose holds are over. */
async function saver(): Promise<{ user: TestUser; accounts: [string, string] }> {
  const user = await world.verified(`saver${(names += 1)}@example.com`)
  await user.deposit('500')
  const accounts: [string, string] = [await user.addBankAccount(), await user.addBankAccount()]
  await pass(user, 24)
  await world.deliver()
  return { user, accounts }
}

const pass = (user: TestUser, hours: number) =>
  world.context
    .sql`update withdrawal_holds set until = until - ${hours}::integer * interval '1 hour'
      where user_id = ${user.id}`
const request = (user: TestUser, body: object = {}) =>
  user.call('requestWithdrawal', { body: { amount: '20', ...body } })
async function stateOf(id: string): Promise<string | undefined> {
  return (
    await world.context.sql<
      { state: string }[]
    >`select state from withdrawal_requests where id = ${id}`
  )[0]?.state
}
async function payOutTwice(): Promise<void> {
  await world.payOut()
  await world.payOut()
}
const reasonOf = async (user: TestUser) => (await user.call('getWithdrawalTerms')).hold?.reason

const addPasskey = async (user: TestUser) => {
  const device = makeSoftPasskey(SITE)
  await user.call('addPasskey', { body: device.create(await user.call('startPasskey')) })
  return device
}

type Change = (user: TestUser, accounts: [string, string]) => Promise<unknown>
const CHANGES: [string, Change][] = [
  ['bank-account-added', (user) => user.addBankAccount()],
  [
    'bank-account-default',
    (user, [, other]) => user.call('makeBankAccountDefault', { params: { id: other } }),
  ],
  [
    'bank-account-default',
    (user, [first]) => user.call('removeBankAccount', { params: { id: first } }),
  ],
  ['factor-changed', addPasskey],
  [
    'email-verified',
    async (user) => {
      await user.call('changeEmail', {
        body: { email: `next${names}@example.com`, currentPassword: PASSWORD },
      })
      const mail = (await world.deliver()).find(({ to }) => to === `next${names}@example.com`)
      await user.call('verifyEmail', { body: { token: tokenIn(mail) } })
    },
  ],
]

describe('withdrawals wait for 24 hours', () => {
  test.each(CHANGES)('withdrawals wait after %s, whenever requested', async (reason, change) => {
    const { user, accounts } = await saver()
    const isPossible = reason !== 'bank-account-default'
    const before = isPossible ? [(await request(user, { bankAccountId: accounts[1] })).id] : []
    await change(user, accounts)
    expect(await reasonOf(user)).toBe(reason)
    const until = (await user.call('getWithdrawalTerms')).hold?.until
    // Once there is a passkey, the password alone is not accepted.
    const after = reason === 'factor-changed' ? [] : [await request(user)]
    for (const withdrawal of after)
      expect(withdrawal).toMatchObject({ state: 'pending', cancelable: true, sendsAfter: until })
    const waiting = [...before, ...after.map(({ id }) => id)]
    await payOutTwice()
    await pass(user, 23)
    await payOutTwice()
    for (const id of waiting) expect(await stateOf(id)).toBe('pending')
    await pass(user, 1)
    await payOutTwice()
    for (const id of waiting) expect(await stateOf(id)).toBe('paid')
  })

  test('approved withdrawals are in no bank batch after a new password', async () => {
    const { user } = await saver()
    const { id } = await request(user)
    await approveWithdrawal(world.context, {
      id,
      operator: actingAs(world.context, 'Grace').operator,
    })
    const next = 'another long password'
    const changed = await world.app.inject({
      method: 'POST',
      url: '/api/auth/password',
      headers: { ...FROM_SITE, cookie: user.cookie },
      payload: { currentPassword: PASSWORD, newPassword: next },
    })
    expect(changed.statusCode).toBe(200)
    const terms = await world.app.inject({
      method: 'GET',
      url: '/api/withdrawal-terms',
      headers: { ...FROM_SITE, cookie: cookieOf(changed.headers['set-cookie']) },
    })
    expect(terms.json()).toMatchObject({
      isLocked: false,
      isNameless: false,
      hold: { reason: 'password-changed' },
      withdrawable: '480.00',
    })
    await makeBatch(world.context, 'operator:ada')
    await payOutTwice()
    expect(await stateOf(id)).toBe('approved')
    await pass(user, 24)
    await payOutTwice()
    expect(await stateOf(id)).toBe('paid')
  })

  test('not after a choice of the account that is the default already', async () => {
    const {
      user,
      accounts: [first],
    } = await saver()
    await user.call('makeBankAccountDefault', { params: { id: first } })
    expect(await reasonOf(user)).toBeUndefined()
  })
})

describe('an operator who releases holds', () => {
  const operator = () =>
    signInAs(world.context, { name: `Paula ${(names += 1)}`, roles: ['payouts'] })
  const releaseAs = async ({ context }: TestOperator, user: TestUser, ...reason: string[]) =>
    (await userCommand(context, [user.username, 'release-holds', ...reason])).lines
  /** Two operators release the holds, one after the other. Returns the second one's lines. */
  const release = async (user: TestUser, ...reason: string[]) => {
    await releaseAs(await operator(), user, ...reason)
    return releaseAs(await operator(), user, ...reason)
  }

  test('needs a second, different operator, who acts after the newest hold began', async () => {
    const { user } = await saver()
    const [first, second] = [await operator(), await operator()]
    const waits = [
      `Withdrawals of ${user.username} still wait: a second, different operator must release ` +
        'the holds too.',
    ]
    await user.addBankAccount()
    for (let times = 0; times < 2; times += 1)
      expect(await releaseAs(first, user, 'called back')).toEqual(waits)
    await user.addBankAccount()
    expect(await releaseAs(second, user, 'called back')).toEqual(waits)
    expect(await reasonOf(user)).toBe('bank-account-added')
    expect(await releaseAs(first, user, 'called back')).toEqual([
      `Withdrawals of ${user.username} no longer wait, but for the delay that the user may ` +
        'have chosen.',
    ])
    await user.addBankAccount()
    expect(await releaseAs(second, user, 'called back')).toEqual(waits)
  })

  test("lets waiting withdrawals be sent; the user's message can lock them again", async () => {
    const { user } = await saver()
    await user.addBankAccount()
    const { id } = await request(user)
    await payOutTwice()
    expect(await stateOf(id)).toBe('pending')
    await expect(release(user)).rejects.toThrow('Give a reason of up to 300 characters')
    await world.deliver()
    expect(await release(user, 'called', 'back')).toEqual([
      `Withdrawals of ${user.username} no longer wait, but for the delay that the user may ` +
        'have chosen.',
    ])
    expect(await reasonOf(user)).toBeUndefined()
    const mail = (await world.deliver()).find(
      ({ subject }) => subject === 'Withdrawals no longer wait',
    )
    expect(await release(user, 'again')).toEqual([`No hold of ${user.username} lasts.`])
    expect(await world.deliver(), 'no message when nothing was released').toEqual([])
    await payOutTwice()
    expect(await stateOf(id)).toBe('paid')
    const [event] = await world.context
      .sql`select actor ~ '^operator:Paula' as by_paula, details from audit_events
        where subject = ${user.id} and action = 'user.release-holds' order by created_at limit 1`
    expect(event).toEqual({ byPaula: true, details: { reason: 'called back', result: 'released' } })
    await world.stranger().call('disown', { body: { token: tokenIn(mail) } })
    expect(
      await world.context
        .sql`select 1 as locked from withdrawal_holds where user_id = ${user.id} and until is null
          and lifted_at is null`,
    ).toHaveLength(1)
  })

  test('an operator cannot shorten the delay that the user chose', async () => {
    const { user } = await saver()
    await world.context.sql`insert into withdrawal_protections (user_id, delay_hours, allowed_only)
        values (${user.id}, 24, false) on conflict (user_id) do update set delay_hours = 24`
    await sealAccount(world.context, user.id)
    await user.addBankAccount()
    const { id } = await request(user)
    await release(user, 'called back')
    await payOutTwice()
    expect(await stateOf(id)).toBe('pending')
  })
})

describe('"This was not me" undoes', () => {
  const aWeekLater = (user: TestUser) => passTime(world.context, [{ id: user.id, hours: 8 * 24 }])
  const disown = (token: string) => world.stranger().call('disown', { body: { token } })
  const newPassword = async (user: TestUser) => {
    await world.stranger().call('requestReset', { body: { account: user.username } })
    const mail = (await world.deliver()).find(({ subject }) => subject === 'Set a new password')
    await world.stranger().call('resetPassword', {
      body: { token: tokenIn(mail), newPassword: 'a brand new password' },
    })
  }
  const login = async (user: TestUser) =>
    world
      .stranger()
      .ask('login', { body: { username: user.username, password: 'a brand new password' } })
  const mailOf = async (subject: string) =>
    tokenIn((await world.deliver()).find((mail) => mail.subject === subject))

  test('a passkey that a thief added: its owner signs in with the new password alone', async () => {
    const { user } = await saver()
    await addPasskey(user)
    await disown(await mailOf('Passkey added'))
    await newPassword(user)
    expect((await login(user)).status).toBe(200)
  })

  test('an authenticator begun by a thief, renewed codes, not the owner’s passkey', async () => {
    const { user } = await saver()
    const device = await addPasskey(user)
    await aWeekLater(user)
    await world.deliver()
    const { sql } = world.context
    await user.call('removeBankAccount', {
      params: { id: (await user.call('listBankAccounts'))[1]?.id },
    })
    await sql`insert into authenticators (user_id, secret_sealed) values (${user.id}, 'x')`
    const hashes = async () =>
      (
        await sql<
          { hash: string }[]
        >`select code_hash::text as hash from recovery_codes where user_id = ${user.id}
          and replaced_at is null order by 1`
      ).map(({ hash }) => hash)
    const kept = await hashes()
    const passkey = device.assert(await user.call('getPasskeyChallenge'))
    const proof = (await user.ask('makeProof', { body: { action: 'renewRecoveryCodes', passkey } }))
      .body.id
    await user.call('renewRecoveryCodes', { proof })
    expect(await hashes()).not.toEqual(kept)
    await disown(await mailOf('Bank account removed'))
    const [left] = await sql<object[]>`
      select (select count(*)::integer from passkeys where user_id = ${user.id}) as passkeys,
             (select count(*)::integer from authenticators where user_id = ${user.id})
             as authenticators`
    expect(left).toEqual({ passkeys: 1, authenticators: 0 })
    expect(await hashes(), 'their owner may have no other way in').toEqual(kept)
    await newPassword(user)
    expect((await login(user)).body.code).toBe('second-factor-required')
  })

  test('later changes of bank accounts, and later withdrawals that are not sent yet', async () => {
    const { user, accounts } = await saver()
    const earlier = await request(user, { bankAccountId: accounts[0], amount: '10' })
    await aWeekLater(user)
    const added = await user.addBankAccount()
    await user.call('makeBankAccountDefault', { params: { id: added } })
    await user.call('removeBankAccount', { params: { id: accounts[1] } })
    const [pending, approved] = [
      await request(user, { bankAccountId: added }),
      await request(user, { bankAccountId: added, amount: '30' }),
    ]
    await pass(user, 24)
    await approveWithdrawal(world.context, {
      id: approved.id,
      operator: actingAs(world.context, 'Grace').operator,
    })
    await disown(await mailOf('Bank account added'))
    for (const { id } of [pending, approved]) expect(await stateOf(id)).toBe('canceled')
    expect(await stateOf(earlier.id)).toBe('pending')
    const rows = await world.context.sql<{ id: string; isDefault: boolean }[]>`
      select id, is_default from bank_accounts where user_id = ${user.id} and removed_at is null
       order by is_default desc`
    expect(rows).toEqual([
      { id: accounts[0], isDefault: true },
      { id: accounts[1], isDefault: false },
    ])
    await newPassword(user)
    await pass(user, 24)
    await payOutTwice()
    expect([
      await stateOf(pending.id),
      await stateOf(approved.id),
      await stateOf(earlier.id),
    ]).toEqual(['canceled', 'canceled', 'paid'])
  })

  /** A request that was submitted, and the link to press about it. */
  async function submitted(waits: PayoutWait) {
    const { user } = await saver()
    const { id } = await request(user)
    const payouts = {
      ...world.context.payouts,
      outcome: async () => ({ status: 'submitted', waits }) as const,
    }
    for (let step = 0; step < 3; step += 1) await payOut({ ...world.context, payouts })
    expect(await stateOf(id)).toBe('submitted')
    return { user, id, token: await mailOf('Withdrawal requested') }
  }

  test.each([
    ['funds', ['20.00'], 'canceled'],
    ['unknown', [], 'submitted'],
  ] as const)('a submitted one that waits (%s): canceled: %j', async (waits, shown, state) => {
    const { id, token } = await submitted(waits)
    const { withdrawals } = await world.stranger().call('previewDisown', { body: { token } })
    expect(withdrawals.map(({ amount }) => amount)).toEqual(shown)
    await disown(token)
    expect(await stateOf(id)).toBe(state)
    expect(await reconcile(world.context)).toEqual([])
  })

  test('everything else, if the waiting withdrawal is sent at that moment', async () => {
    const { user, id, token } = await submitted('funds')
    const { sql } = world.context
    let pressed: Promise<unknown> | undefined
    await sql.begin('', async (tx) => {
      await tx`update withdrawal_requests set waits_for = null where user_id = ${user.id}`
      pressed = disown(token)
      await expect
        .poll(
          () => sql`select from pg_stat_activity where wait_event_type = 'Lock'
            and datname = current_database()`,
        )
        .toHaveLength(1)
    })
    await pressed
    expect(await stateOf(id)).toBe('submitted')
    await newPassword(user)
    expect((await login(user)).status).toBe(200)
  })

  test('nothing that was already sent', async () => {
    const { user } = await saver()
    const { id } = await request(user)
    await payOutTwice()
    expect(await stateOf(id)).toBe('paid')
    await disown(await mailOf('Withdrawal requested'))
    expect(await stateOf(id)).toBe('paid')
  })
})

/** The time from which withdrawals are sent, as each place names it. */
async function toldBy(user: TestUser, id: string) {
  const [row] = (await user.call('listTransactions')).items.filter(
    ({ type }) => type === 'withdrawal',
  )
  return {
    form: (await user.call('getWithdrawalTerms')).hold?.until,
    request: (await user.call('listWithdrawals')).find((withdrawal) => withdrawal.id === id)
      ?.sendsAfter,
    history: row?.sendsAfter,
    receipt: (await user.call('getTransaction', { params: { id } })).transaction.sendsAfter,
  }
}

const noticesOf = async (user: TestUser) =>
  (await user.call('listNotices')).items.map(
    (notice) => noticeText(notice, { print: moneyText }).text,
  )

describe('the moment from which withdrawals are sent is shown everywhere', () => {
  test.each(CHANGES)('the moment is shown after %s, on all devices', async (_reason, change) => {
    const { user, accounts } = await saver()
    const { id } = await request(user, { bankAccountId: accounts[1] })
    expect(await toldBy(user, id)).toEqual({
      form: undefined,
      request: null,
      history: null,
      receipt: null,
    })
    const published: string[] = []
    const stop = await listen(world.context.events, {
      onEvent: ({ name, userIds }) => void (userIds?.includes(user.id) && published.push(name)),
      onListening: () => undefined,
    })
    await change(user, accounts)
    const { form, ...others } = await toldBy(user, id)
    expect(form).toMatch(/^\d{4}-/)
    expect(others).toEqual({ request: form, history: form, receipt: form })
    const moment = momentInWords(form?.slice(0, 16).replace('T', ' ') ?? '')
    expect((await noticesOf(user)).join()).toContain(
      `withdrawals are sent from ${moment} (UTC) on.`,
    )
    await expect.poll(() => published).toContain('withdrawals')
    await stop()
  })

  test('without holds, no screen shows a time of sending', async () => {
    const { user } = await saver()
    const { id } = await request(user)
    expect(await toldBy(user, id)).toEqual({
      form: undefined,
      request: null,
      history: null,
      receipt: null,
    })
    expect((await noticesOf(user))[0]).not.toContain('sent from')
  })
})

test('holds and their reversal: the seal of every account is valid afterwards', async () => {
  expect(await brokenAccounts(world.context)).toEqual([])
})
