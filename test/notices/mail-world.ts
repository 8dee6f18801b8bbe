import { deliverNotices } from '#server/notices/deliver.ts'
import { smtpMail } from '#server/notices/mail-smtp.ts'
import { prepareResets } from '#server/auth/request-reset.ts'
import { startMailServer, type MailServer, type ReceivedMail } from '../emulators/mail-server.ts'
import { createWorld, type TestUser, type World, type WorldOptions } from '../world/world.ts'

export const SITE = 'https://bots.example'

/** Headers of a call from a page of the site. */
export const FROM_SITE = { 'sec-fetch-site': 'same-origin', host: new URL(SITE).host }

/** The product with a real mail server on loopback. Jobs run only when a test calls them. */
export type MailWorld = World & {
  mails: MailServer
  /** Sends everything that is due, and returns what the server has received since. */
  deliver: () => Promise<ReceivedMail[]>
  /** A user with a verified address. */
  verified: (email: string) => Promise<TestUser>
}

export async function createMailWorld({
  config: given = {},
  context = {},
}: Pick<WorldOptions, 'config' | 'context'> = {}): Promise<MailWorld> {
  const mails = await startMailServer()
  const config = {
    PUBLIC_URL: SITE,
    LOGIN_ATTEMPTS: 100_000,
    DEPOSIT_HOLD_HOURS: 0,
    WITHDRAWAL_HOLD_HOURS: 24,
    ...given,
  }
  const world = await createWorld({
    config,
    context: { mail: smtpMail({ url: mails.url, from: 'bots@bots.example' }), ...context },
  })
  const deliver = async () => {
    const before = mails.received.length
    await prepareResets(world.context)
    await deliverNotices(world.context, 'mail')
    return mails.received.slice(before)
  }
  const verified = async (email: string) => {
    const user = await world.user()
    await user.call('changeEmail', { body: { email, currentPassword: PASSWORD } })
    const mails = await deliver()
    await user.call('verifyEmail', {
      body: { token: tokenIn(mails.find(({ to }) => to === email)) },
    })
    return user
  }
  const close = world.close
  return Object.assign(world, {
    mails,
    deliver,
    verified,
    close: async () => {
      world.context.mail.close?.()
      await close()
      await mails.close()
    },
  })
}

export const PASSWORD = 'correct horse battery'

/** The secret behind the # of a message's link. */
export function tokenIn(mail: Pick<ReceivedMail, 'text'> | undefined): string {
  return /#(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}
