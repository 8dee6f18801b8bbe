import { prepareResets } from '#server/auth/request-reset.ts'
import { deliverNotices } from '#server/notices/deliver.ts'
import { readMailbox } from '#server/notices/mailbox.ts'
import { codeOf, type Authenticator } from '../takeover/authenticator.ts'
import { makeSoftPasskey, type SoftPasskey } from '../world/soft-passkey.ts'
import { cookieOf, PASSWORD, type TestUser, type World } from '../world/world.ts'

/**
 * An account, and the account of an attacker who has the password of the app's role. `passkey` and
 * `app` are the attacker's.
 */
export type Scene = {
  world: World
  ada: TestUser
  app: Authenticator
  mallory: TestUser
  own: { passkey: SoftPasskey; app: Authenticator; codes: readonly string[] }
}

export const SITE = 'http://localhost'
export const THIEFS_ADDRESS = 'thief@example.com'
export const THIEFS_PASSWORD = 'a password of the thief'
const HERS = { 'sec-fetch-site': 'same-origin', host: 'localhost' }

/**
 * Ada has a verified address, an authenticator app and a delay of two days; so has the thief, with
 * a passkey too.
 */
export async function openScene(world: World): Promise<Scene> {
  const [ada, mallory] = [await world.user(), await world.user()]
  await verify(world, ada)
  await ada.call('updateProtections', {
    body: { delayHours: 48, dailyLimit: null, allowedOnly: false },
  })
  const [hers, his] = [await addApp(ada), await addApp(mallory)]
  const passkey = makeSoftPasskey(SITE)
  const proof = (
    await mallory.call('makeProof', { body: { action: 'startPasskey', code: codeOf(his.app) } })
  ).id
  await mallory.call('addPasskey', {
    body: passkey.create(await mallory.call('startPasskey', { proof })),
  })
  return { world, ada, app: hers.app, mallory, own: { passkey, ...his } }
}

async function addApp(user: TestUser): Promise<{ app: Authenticator; codes: readonly string[] }> {
  const app = { secret: (await user.call('startAuthenticator')).secret, lastStep: 0 }
  const { recoveryCodes } = await user.call('addAuthenticator', { body: { code: codeOf(app) } })
  return { app, codes: recoveryCodes }
}

async function verify(world: World, user: TestUser): Promise<void> {
  const email = `${user.username}@example.com`
  await user.call('changeEmail', { body: { email, currentPassword: PASSWORD } })
  const [token] = await linksTo(world, email, 'verify-email')
  await user.call('verifyEmail', { body: { token } })
}

/** The tokens of the links that an address received, by the path of their page. */
export async function linksTo(
  { context }: World,
  address: string,
  path: string,
): Promise<string[]> {
  await deliverNotices(context, 'mail')
  const messages = await readMailbox(context, { withResets: true, limit: 1_000 })
  return messages
    .filter(({ to }) => to === address)
    .flatMap(({ text }) => new RegExp(`/${path}#(\\S+)`).exec(text)?.[1] ?? [])
}

/** The cookie of a session, if there is one. */
export async function signIn(
  { world, ada }: Scene,
  { password = PASSWORD, code }: { password?: string; code?: string | undefined } = {},
): Promise<string | undefined> {
  const payload = { username: ada.username, password, ...(code !== undefined && { code }) }
  return sessionOf(
    await world.app.inject({ method: 'POST', url: '/api/auth/login', headers: HERS, payload }),
  )
}

type Injected = Awaited<ReturnType<World['app']['inject']>>

function sessionOf({ headers }: Injected): string | undefined {
  const cookie = cookieOf(headers['set-cookie'])
  return /^sid=./.test(cookie) ? cookie : undefined
}

export async function signInByPasskey({
  world,
  ada,
  mallory,
  own,
}: Scene): Promise<string | undefined> {
  const challenge = await mallory.call('getPasskeyChallenge')
  const passkey = own.passkey.assert(challenge, {
    userHandle: Buffer.from(ada.id).toString('base64url'),
  })
  return sessionOf(
    await world.app.inject({
      method: 'POST',
      url: '/api/auth/passkeys/login',
      headers: HERS,
      payload: { passkey },
    }),
  )
}

/**
 * Sets a password by any link that reached the thief, and signs in with it. `before` runs between
 * the request and the messages.
 */
export async function resetByMail(
  scene: Scene,
  {
    before = async () => {},
    after = async () => {},
  }: { before?: () => Promise<unknown>; after?: () => Promise<unknown> } = {},
): Promise<string | undefined> {
  const { world, ada } = scene
  await world.stranger().ask('requestReset', { body: { account: ada.username } })
  await prepareResets(world.context)
  await before()
  const tokens = await linksTo(world, THIEFS_ADDRESS, 'reset-password')
  await after()
  for (const token of tokens)
    await world.stranger().ask('resetPassword', { body: { token, newPassword: THIEFS_PASSWORD } })
  return signIn(scene, { password: THIEFS_PASSWORD })
}

/** Opens every link of a kind that reached the thief. */
export async function open({ world }: Scene, route: 'verifyEmail' | 'disown'): Promise<void> {
  const path = route === 'disown' ? 'not-me' : 'verify-email'
  for (const token of await linksTo(world, THIEFS_ADDRESS, path))
    await world.stranger().ask(route, { body: { token } })
}
