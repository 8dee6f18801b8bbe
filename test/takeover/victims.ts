import { hash } from '@node-rs/argon2'
import { routes } from '#contract/routes.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import { pastRules } from '../world/past-rules.ts'
import type { Random } from '../world/random.ts'
import { makeSoftPasskey } from '../world/soft-passkey.ts'
import { PASSWORD, type TestUser } from '../world/world.ts'
import { codeOf } from './authenticator.ts'
import { endHoldsEarlier } from './pass-time.ts'
import type { Scene } from './scene.ts'
import { SITE, type Loot, type Victim } from './thief.ts'

type Wanted = { number: number; factor: Victim['factor'] }

/**
 * The second factor of an account from which `loots` are stolen: an authenticator if its secret is
 * among them, any factor if a recovery code is.
 */
export function factorFor(loots: ReadonlySet<Loot>, random: Random): Victim['factor'] {
  if (loots.has('authenticator')) return 'authenticator'
  return random.pick(
    loots.has('recovery-code')
      ? ['passkey', 'authenticator']
      : ['none', 'none', 'passkey', 'authenticator'],
  )
}

/**
 * Accounts that were set up a week ago, each with a verified address, $1,000, two bank accounts and
 * a browser that gets pushes; only their sign-in is new.
 */
export async function newVictims(scene: Scene, wanted: readonly Wanted[]): Promise<Victim[]> {
  const { world, post } = scene
  const users = await Promise.all(wanted.map(({ number }) => signUp(world, number)))
  await scene.deliver()
  const victims = await Promise.all(
    users.map((user, index) => setUp(scene, user, wanted[index]?.factor ?? 'none')),
  )
  const ids = victims.map(({ id }) => id)
  await world.context.sql`update withdrawal_holds set until = until - interval '7 days'
      where user_id = any(${ids}::uuid[])`
  await pastRules(world.context.sql, (tx) =>
    endHoldsEarlier({ ...world.context, sql: tx }, new Map(ids.map((id) => [id, 7 * 24]))),
  )
  await world.context
    .sql`update authenticators set last_step = 0 where user_id = any(${ids}::uuid[])`
  await scene.deliver()
  post.clear()
  return victims
}

type SignedUp = { user: TestUser; email: string; device: string }

/**
 * Signs in twice in one browser; the second sign-in sends the cookie that makes the browser known.
 * The stored password is hashed at the lowest cost, because no thief guesses it. Passwords that
 * thieves set are hashed at the full cost.
 */
async function signUp(world: Scene['world'], number: number): Promise<SignedUp> {
  const email = `victim${number}@example.com`
  const user = await world.user(`victim${number}`)
  await world.context.sql`update users set password = ${await cheapHash} where id = ${user.id}`
  await sealAccount(world.context, user.id)
  const answer = await world.app.inject({
    method: routes.login.method,
    url: routes.login.path,
    headers: { 'sec-fetch-site': 'same-origin', host: new URL(SITE).host },
    payload: { username: user.username, password: PASSWORD },
  })
  const known = answer.cookies.find(({ name }) => name.endsWith('device'))
  await user.call('changeEmail', { body: { email, currentPassword: PASSWORD } })
  return { user, email, device: `${known?.name}=${known?.value}` }
}

const cheapHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })

async function setUp(
  { post }: Scene,
  { user, email, device }: SignedUp,
  factor: Victim['factor'],
): Promise<Victim> {
  const token = /#(\S+)/.exec(post.to(email).at(-1)?.text ?? '')?.[1]
  await user.call('verifyEmail', { body: { token } })
  await user.deposit('1000')
  const accounts = [await user.addBankAccount(), await user.addBankAccount()]
  // A real server sends pushes to the services of browsers alone.
  if (post.push)
    await user.call('addPushDevice', {
      body: { endpoint: `https://push.example/${user.id}`, p256dh: 'BAgI', auth: 'AgI' },
    })
  const { codes, secret } = await addFactor(user, factor)
  return {
    id: user.id,
    username: user.username,
    cookie: user.cookie,
    device,
    email,
    accounts,
    factor,
    codes,
    secret,
  }
}

async function addFactor(
  user: TestUser,
  factor: Victim['factor'],
): Promise<Pick<Victim, 'codes' | 'secret'>> {
  if (factor === 'passkey') {
    const device = makeSoftPasskey(SITE)
    const { recoveryCodes } = await user.call('addPasskey', {
      body: device.create(await user.call('startPasskey')),
    })
    return { codes: recoveryCodes, secret: undefined }
  }
  if (factor === 'none') return { codes: [], secret: undefined }
  const { secret } = await user.call('startAuthenticator')
  const { recoveryCodes } = await user.call('addAuthenticator', {
    body: { code: codeOf({ secret, lastStep: 0 }) },
  })
  return { codes: recoveryCodes, secret }
}
