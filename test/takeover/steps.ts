import { NOTICE_CHANNELS, NOTICE_TOPICS } from '#core/notices/notice.ts'
import type { Random } from '../world/random.ts'
import { makeSoftPasskey } from '../world/soft-passkey.ts'
import { codeOf } from './authenticator.ts'
import { ask, askWithProof, nextCode, SITE, tokenOf, type Thief } from './thief.ts'
import type { Scene } from './scene.ts'

export type Step = (world: Scene['world'], thief: Thief, random: Random) => Promise<boolean>

const succeeded = ({ status }: { status: number }): boolean => status < 300
const isSignedIn = ({ cookie }: Thief): boolean => cookie !== undefined

/** The next password of a thief, unlike any that he had. */
const nextPassword = ({ password = 'whatever a thief likes' }: Thief): string => `${password}!`

/** Signs in with the password that he knows, and a code if one is required. */
export const signIn: Step = async (world, thief) => {
  if (thief.password === undefined) return false
  const body = { username: thief.victim.username, password: thief.password }
  const first = await ask(world, thief, 'login', { body })
  if (first.body.code !== 'second-factor-required') return succeeded(first)
  const code = nextCode(thief, first.body.methods ?? [])
  return (
    code !== undefined && succeeded(await ask(world, thief, 'login', { body: { ...body, code } }))
  )
}

/**
 * Steps that a thief can try, in any order. Each returns whether it succeeded. `insider-steps.ts`
 * has the steps of operators.
 */
export const STEPS: Record<string, Step> = {
  signIn,
  signInByPasskey: async (world, thief) => {
    if (!thief.passkey) return false
    const { body } = await ask(world, thief, 'getPasskeyChallenge')
    return succeeded(
      await ask(world, thief, 'loginWithPasskey', {
        body: {
          passkey: thief.passkey.assert(body as unknown as { challenge: string; rpId: string }),
        },
      }),
    )
  },
  changePassword: async (world, thief) => {
    if (thief.password === undefined || !isSignedIn(thief)) return false
    const newPassword = nextPassword(thief)
    const done = succeeded(
      await askWithProof(world, thief, 'changePassword', {
        body: { currentPassword: thief.password, newPassword },
      }),
    )
    if (done) thief.password = newPassword
    return done
  },
  changeEmail: async (world, thief) => {
    if (thief.password === undefined || !isSignedIn(thief)) return false
    return succeeded(
      await askWithProof(world, thief, 'changeEmail', {
        body: { email: thief.email, currentPassword: thief.password },
      }),
    )
  },
  verifyEmail: async (world, thief) => {
    const token = tokenOf(thief, 'Verify your email address')
    return (
      token !== undefined && succeeded(await ask(world, thief, 'verifyEmail', { body: { token } }))
    )
  },
  askForReset: async (world, thief) =>
    succeeded(
      await ask(world, thief, 'requestReset', { body: { account: thief.victim.username } }),
    ) && false,
  reset: async (world, thief) => {
    const token = tokenOf(thief, 'Set a new password')
    if (token === undefined) return false
    const newPassword = nextPassword(thief)
    const done = succeeded(
      await ask(world, thief, 'resetPassword', { body: { token, newPassword } }),
    )
    if (done) thief.password = newPassword
    return done
  },
  disown: async (world, thief) => {
    const token = tokenOf(thief)
    return token !== undefined && succeeded(await ask(world, thief, 'disown', { body: { token } }))
  },
  addBankAccount: async (world, thief, random) => {
    if (!isSignedIn(thief)) return false
    const accountNumber = String(1_000_000 + random.below(9_000_000))
    const body = {
      bankName: 'Bank of a thief',
      accountNumber,
      routingNumber: '021000021',
      accountType: 'checking',
    }
    const answer = await askWithProof(world, thief, 'addBankAccount', { body })
    if (succeeded(answer)) thief.accounts.push(String(answer.body['id']))
    return succeeded(answer)
  },
  makeDefault: async (world, thief, random) => {
    const id = random.pick([...thief.accounts, ...thief.victim.accounts])
    if (!isSignedIn(thief)) return false
    const { body } = await ask(world, thief, 'listBankAccounts')
    const isDefault =
      Array.isArray(body) &&
      (body as { id: string; isDefault: boolean }[]).some(
        (account) => account.id === id && account.isDefault,
      )
    return (
      !isDefault && succeeded(await ask(world, thief, 'makeBankAccountDefault', { params: { id } }))
    )
  },
  removeBankAccount: async (world, thief, random) => {
    const id = random.pick([...thief.accounts, ...thief.victim.accounts])
    return (
      isSignedIn(thief) &&
      succeeded(await ask(world, thief, 'removeBankAccount', { params: { id } }))
    )
  },
  addPasskey: async (world, thief) => {
    if (!isSignedIn(thief)) return false
    const options = await askWithProof(world, thief, 'startPasskey')
    if (!succeeded(options)) return false
    const device = makeSoftPasskey(SITE)
    const done = succeeded(
      await ask(world, thief, 'addPasskey', { body: device.create(options.body as never) }),
    )
    if (done) thief.passkey = device
    return done
  },
  removePasskey: async (world, thief, random) => {
    if (!isSignedIn(thief)) return false
    const { body } = await ask(world, thief, 'getFactors')
    const passkeys = (body['passkeys'] ?? []) as { id: string }[]
    if (passkeys.length === 0) return false
    return succeeded(
      await askWithProof(world, thief, 'removePasskey', {
        params: { id: random.pick(passkeys).id },
      }),
    )
  },
  addAuthenticator: async (world, thief) => {
    if (!isSignedIn(thief)) return false
    const { status, body } = await askWithProof(world, thief, 'startAuthenticator')
    if (status >= 300) return false
    const app = { secret: String(body['secret']), lastStep: 0 }
    const done = succeeded(
      await ask(world, thief, 'addAuthenticator', { body: { code: codeOf(app) } }),
    )
    if (done) thief.app = app
    return done
  },
  makeKey: async (world, thief) =>
    isSignedIn(thief) &&
    succeeded(
      await askWithProof(world, thief, 'makeKey', {
        body: { name: 'Of a thief', scope: 'read', days: 365 },
      }),
    ),
  addWebhook: async (world, thief) =>
    isSignedIn(thief) &&
    succeeded(
      await askWithProof(world, thief, 'addWebhook', {
        body: {
          address: 'https://hooks.thief-receiver.com/',
          topics: ['security', 'withdrawals'],
        },
      }),
    ),
  removeAuthenticator: async (world, thief) =>
    isSignedIn(thief) && succeeded(await askWithProof(world, thief, 'removeAuthenticator')),
  renewCodes: async (world, thief) =>
    isSignedIn(thief) && succeeded(await askWithProof(world, thief, 'renewRecoveryCodes')),
  loosenProtections: async (world, thief) =>
    isSignedIn(thief) &&
    succeeded(
      await askWithProof(world, thief, 'updateProtections', {
        body: { delayHours: 0, dailyLimit: null, allowedOnly: false },
      }),
    ),
  endOtherSessions: async (world, thief) =>
    isSignedIn(thief) && succeeded(await ask(world, thief, 'endOtherSessions')),
  silence,
  withdraw: async (world, thief, random) =>
    withdraw(world, thief, random.pick([...thief.accounts, ...thief.victim.accounts, null])),
  withdrawToHimself: async (world, thief, random) =>
    thief.accounts.length > 0 && withdraw(world, thief, random.pick(thief.accounts)),
  cancel: async (world, thief, random) => {
    const [first] = thief.withdrawals
    return (
      first !== undefined &&
      isSignedIn(thief) &&
      succeeded(
        await ask(world, thief, 'cancelWithdrawal', {
          params: { id: random.pick(thief.withdrawals) },
        }),
      )
    )
  },
}

/** `part`: the withdrawable amount is divided by it. */
export async function withdraw(
  world: Scene['world'],
  thief: Thief,
  bankAccountId: string | null,
  part = 2,
): Promise<boolean> {
  if (!isSignedIn(thief)) return false
  const { body: terms } = await ask(world, thief, 'getWithdrawalTerms')
  const amount = String(terms['withdrawable'] ?? '0')
  const share = (Math.floor(Number(amount)) / part).toFixed(2)
  const answer = await askWithProof(world, thief, 'requestWithdrawal', {
    body: { amount: share, bankAccountId },
  })
  if (succeeded(answer)) thief.withdrawals.push(String(answer.body['id']))
  return succeeded(answer)
}

/**
 * Keeps messages from the owner as far as possible: removes browsers that get pushes, switches off
 * all topics that can be, and marks the inbox as read.
 */
async function silence(world: Scene['world'], thief: Thief, random: Random): Promise<boolean> {
  if (!isSignedIn(thief)) return false
  const { body } = await ask(world, thief, 'getNoticeSettings')
  for (const { id } of (body['devices'] ?? []) as { id: string }[])
    await ask(world, thief, 'removePushDevice', { params: { id } })
  for (const channel of NOTICE_CHANNELS)
    await ask(world, thief, 'updateNoticeSettings', {
      body: { choice: { topic: random.pick(NOTICE_TOPICS), channel, isOn: false } },
    })
  return succeeded(await ask(world, thief, 'readNotices', { body: {} }))
}
