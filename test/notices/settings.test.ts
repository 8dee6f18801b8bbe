import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailCommand } from '#server/ops/outbox-command.ts'
import { prepareResets } from '#server/auth/request-reset.ts'
import { deliverNotices } from '#server/notices/deliver.ts'
import { actingAs } from '../world/operators.ts'
import { createWorld, type World } from '../world/world.ts'
import { PASSWORD, tokenIn } from './mail-world.ts'

/** A paper book without a mail server. */
let world: World
beforeAll(async () => {
  world = await createWorld({ config: { LOGIN_ATTEMPTS: 100_000 } })
})
afterAll(() => world.close())

const channelsOf = async (userId: string) =>
  (
    await world.context.sql<{ kind: string; inInbox: boolean; channels: string[] }[]>`
    select n.kind, n.in_inbox, array(select d.channel from deliveries d where d.user_id = n.user_id
           and d.notice_id = n.id order by 1) as channels
      from notices n where n.user_id = ${userId} order by n.id`
  ).map(({ kind, inInbox, channels }) =>
    [kind, inInbox ? 'inbox' : '', ...channels].filter(Boolean).join(' '),
  )

async function withEmail(email: string) {
  const user = await world.user()
  await user.call('changeEmail', { body: { email, currentPassword: PASSWORD } })
  await deliverNotices(world.context, 'mail')
  const [message] = (await user.call('getMailbox')).messages
  await user.call('verifyEmail', { body: { token: tokenIn(message) } })
  return user
}

test("each topic uses the user's channels, or the default ones", async () => {
  const ada = await withEmail('choices@example.com')
  await ada.deposit('100')
  await ada.call('updateNoticeSettings', {
    body: { choice: { topic: 'deposits', channel: 'mail', isOn: false } },
  })
  await ada.deposit('100')
  await ada.call('updateNoticeSettings', {
    body: { choice: { topic: 'deposits', channel: 'inbox', isOn: false } },
  })
  await ada.deposit('100')
  await ada.call('updateNoticeSettings', {
    body: { choice: { topic: 'deposits', channel: 'mail', isOn: true } },
  })
  await ada.deposit('100')
  expect(await channelsOf(ada.id)).toEqual([
    'deposit inbox mail',
    'deposit inbox',
    'deposit',
    'deposit mail',
  ])
  expect((await ada.call('listNotices')).items).toHaveLength(2)
  expect((await ada.call('getUser')).unreadNotices).toBe(2)
  const { topics } = await ada.call('getNoticeSettings')
  expect(topics.find(({ topic }) => topic === 'deposits')).toEqual({
    topic: 'deposits',
    isFixed: false,
    inbox: false,
    mail: true,
    push: true,
  })
})

test.each(['security', 'book'] as const)(
  '%s cannot be switched off, not even by a row in the table',
  async (topic) => {
    const ada = await withEmail(`${topic}@example.com`)
    for (const channel of ['inbox', 'mail', 'push'] as const) {
      expect(
        (
          await ada.ask('updateNoticeSettings', {
            body: { choice: { topic, channel, isOn: false } },
          })
        ).body.code,
      ).toBe('notice-fixed')
      await world.context.sql`insert into notice_preferences (user_id, topic, channel, is_on)
          values (${ada.id}, ${topic}, ${channel}, false)`
    }
    expect((await ada.call('getNoticeSettings')).topics.find((row) => row.topic === topic)).toEqual(
      { topic, isFixed: true, inbox: true, mail: true, push: true },
    )
    await ada.addBankAccount()
    expect(await channelsOf(ada.id)).toEqual(['bank-account-added inbox mail'])
  },
)

test.each(['0', '0.00', '-5', '1e3', 'abc', '', '10.001', true, ['5']])(
  '%j is not a loss limit',
  async (lossLimit) => {
    const ada = await world.user()
    const answer = await ada.ask('updateNoticeSettings', { body: { lossLimit } })
    expect([answer.status, answer.body.field]).toEqual([400, 'lossLimit'])
  },
)

test('a mailbox shows its owner the unsent messages, without links to a new password', async () => {
  const [ada, eve] = [await withEmail('box@example.com'), await withEmail('other@example.com')]
  await ada.deposit('500')
  await world.stranger().ask('requestReset', { body: { account: ada.username } })
  await prepareResets(world.context)
  await deliverNotices(world.context, 'mail')
  const { messages } = await ada.call('getMailbox')
  expect(messages.map(({ to, subject }) => [to, subject])).toEqual([
    ['box@example.com', 'Deposit received'],
    ['box@example.com', 'Verify your email address'],
  ])
  expect((await eve.call('getMailbox')).messages.map(({ to }) => to)).toEqual(['other@example.com'])
})

test('the operator’s command shows every message with its links, and is audited', async () => {
  const ada = await withEmail('ops@example.com')
  await world.stranger().ask('requestReset', { body: { account: ada.username } })
  await prepareResets(world.context)
  await deliverNotices(world.context, 'mail')
  const { lines, ok } = await mailCommand(actingAs(world.context, 'Grace'), [ada.username])
  expect(ok).toBe(true)
  expect(lines).toContain('Set a new password')
  const token = tokenIn({ text: lines.join('\n').split('Set a new password')[1] ?? '' })
  expect(
    (
      await world
        .stranger()
        .ask('resetPassword', { body: { token, newPassword: 'another long password' } })
    ).status,
  ).toBe(200)
  const audits = await world.context
    .sql`select from audit_events where action = 'mail.show' and subject = ${ada.id}`
  expect(audits).toHaveLength(1)
  await expect(mailCommand(actingAs(world.context, 'Grace'), ['nobody-here'])).rejects.toThrow(
    'There is no user nobody-here.',
  )
})

test('if mail is sent, neither a page nor the command shows any message', async () => {
  const ada = await withEmail('sent@example.com')
  const { mail } = world.context
  try {
    world.context.mail = { provider: 'smtp', send: async () => 'sent' }
    expect((await ada.ask('getMailbox')).body.code).toBe('not-found')
    const { lines } = await mailCommand(actingAs(world.context, 'Grace'), [ada.username])
    expect(lines.join('\n')).not.toMatch(/#|example\.com/)
    expect(lines[0]).toMatch(/^mail {2}sent {6}\d+$/)
  } finally {
    world.context.mail = mail
  }
})

test('without a mail server a live book sends nothing: messages wait', async () => {
  const ada = await withEmail('waiting@example.com')
  const { mail } = world.context
  try {
    world.context.mail = { provider: 'none' }
    await ada.deposit('100')
    await deliverNotices(world.context, 'mail')
    expect((await ada.call('getConfig')).mail).toBe('none')
    const rows = await world.context.sql<
      { state: string }[]
    >`select state from deliveries where user_id = ${ada.id} and kind = 'deposit'`
    expect(rows.map(({ state }) => state)).toEqual(['waiting'])
  } finally {
    world.context.mail = mail
  }
})
