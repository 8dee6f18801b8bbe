import type { ProvenName } from '#contract/calls.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import type { SoftPasskey } from '../world/soft-passkey.ts'
import { PASSWORD } from '../world/world.ts'
import { codeOf, type Authenticator } from './authenticator.ts'
import type { ReadMail } from './post.ts'
import type { Scene } from './scene.ts'

/** Address of the product, to which passkeys are bound. */
export const SITE = 'https://bots.example'

/**
 * The parts of an account that a thief may have at the beginning. phone: the owner's, unlocked,
 * with the app signed in, its mail, its pushes, and the authenticator app if the account has one. A
 * passkey is not in it: using one asks for a finger or a face.
 */
export const LOOTS = [
  'password',
  'session',
  'mailbox',
  'authenticator',
  'recovery-code',
  'phone',
] as const
export type Loot = (typeof LOOTS)[number]

type Answer = {
  status: number
  body: Record<string, unknown> & { code?: string; methods?: string[]; recoveryCodes?: string[] }
}

/**
 * The owner of an attacked account, with what is stolen. `device`: the cookie by which the server
 * knows the owner's phone.
 */
export type Victim = {
  id: string
  username: string
  cookie: string
  device: string
  email: string
  accounts: readonly string[]
  factor: 'none' | 'passkey' | 'authenticator'
  secret: string | undefined
  codes: readonly string[]
}

/**
 * Somebody who attacks one account, with his possessions and whatever he gets on the way. He has an
 * address and a passkey of his own.
 */
export type Thief = {
  victim: Victim
  loots: ReadonlySet<Loot>
  email: string
  address: string
  password: string | undefined
  cookie: string | undefined
  /** His passkey, once the account has it. */
  passkey: SoftPasskey | undefined
  app: Authenticator | undefined
  codes: string[]
  accounts: string[]
  withdrawals: string[]
  /** The messages to addresses that he reads, the newest last. */
  mails: () => readonly ReadMail[]
}

/** Each thief has an address of his own. */
export const addressOf = (number: number): string =>
  `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`

type Input = { params?: { id: string }; body?: object; proof?: string }

const cookiesOf = ({ cookie, loots, victim }: Thief): string =>
  [cookie, loots.has('phone') ? victim.device : undefined].filter(Boolean).join('; ')

export async function ask(
  world: Scene['world'],
  thief: Thief,
  name: RouteName,
  input: Input = {},
): Promise<Answer> {
  const { params, body, proof } = input
  const { method, path }: Route = routes[name]
  const answer = await world.app.inject({
    method,
    url: path.replace(':id', params?.id ?? ''),
    remoteAddress: thief.address,
    headers: {
      'sec-fetch-site': 'same-origin',
      host: new URL(SITE).host,
      cookie: cookiesOf(thief),
      ...(proof !== undefined && { proof }),
    },
    ...(body && { payload: body }),
  })
  // A busy machine may compute for longer than a call lasts; a second proof changes nothing.
  const { code } = answer.json<{ code?: string }>()
  if (code === 'takes-long' || (code === 'still-under-way' && name === 'makeProof'))
    return ask(world, thief, name, input)
  const session = answer.cookies.find(
    ({ name: cookie, value }) => cookie.endsWith('sid') && value !== '',
  )
  if (session) thief.cookie = `${session.name}=${session.value}`
  const read: Answer = { status: answer.statusCode, body: answer.json() }
  if (read.body.recoveryCodes && read.body.recoveryCodes.length > 0)
    thief.codes = [...read.body.recoveryCodes]
  return read
}

/** Makes the call. If the server demands a proof of identity, gives one with what the thief has. */
export async function askWithProof(
  world: Scene['world'],
  thief: Thief,
  name: ProvenName,
  input: Input = {},
): Promise<Answer> {
  const first = await ask(world, thief, name, input)
  if (first.body.code !== 'proof-required') return first
  const given = await identityOf(world, thief, first.body.methods ?? [])
  if (!given) return first
  const request = {
    action: name,
    ...(input.params && { id: input.params.id }),
    ...(input.body && { request: input.body }),
    ...given,
  }
  const made = await ask(world, thief, 'makeProof', { body: request })
  return made.status === 201
    ? ask(world, thief, name, { ...input, proof: String(made.body['id']) })
    : made
}

async function identityOf(
  world: Scene['world'],
  thief: Thief,
  methods: readonly string[],
): Promise<object | undefined> {
  if (methods.includes('password') && thief.password !== undefined)
    return { password: thief.password }
  if (methods.includes('passkey') && thief.passkey) {
    const { body } = await ask(world, thief, 'getPasskeyChallenge')
    return { passkey: thief.passkey.assert(body as unknown as { challenge: string; rpId: string }) }
  }
  const code = nextCode(thief, methods)
  return code === undefined ? undefined : { code }
}

/** A code of the authenticator app, else a recovery code, which is then used up. */
export function nextCode(thief: Thief, methods: readonly string[]): string | undefined {
  const shown = methods.includes('authenticator') && thief.app ? codeOf(thief.app) : undefined
  return shown ?? (methods.includes('recovery-code') ? thief.codes.pop() : undefined)
}

/**
 * The secret in the newest message with this subject that the thief can read and that his own
 * account or the victim's got.
 */
export function tokenOf(thief: Thief, subject?: string): string | undefined {
  const found = thief
    .mails()
    .findLast(
      (mail) =>
        (subject === undefined ? mail.text.includes('/not-me#') : mail.subject === subject) &&
        mail.text.includes(`#${thief.victim.id}.`),
    )
  return /#(\S+)/.exec(found?.text ?? '')?.[1]
}

export const readsMail = (loots: ReadonlySet<Loot>): boolean =>
  loots.has('mailbox') || loots.has('phone')

export function newThief(
  victim: Victim,
  loots: ReadonlySet<Loot>,
  { email, address, mails }: Pick<Thief, 'email' | 'address' | 'mails'>,
): Thief {
  const hasApp = loots.has('authenticator') || loots.has('phone')
  return {
    victim,
    loots,
    email,
    address,
    mails,
    passkey: undefined,
    accounts: [],
    withdrawals: [],
    password: loots.has('password') ? PASSWORD : undefined,
    cookie: loots.has('session') || loots.has('phone') ? victim.cookie : undefined,
    app: hasApp && victim.secret !== undefined ? { secret: victim.secret, lastStep: 0 } : undefined,
    codes: loots.has('recovery-code') ? victim.codes.slice(0, 1) : [],
  }
}
