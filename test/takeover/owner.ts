import { required } from '#core/assert.ts'
import type { ResponseOf } from '#contract/calls.ts'
import { resetThrottles } from '../world/reset-throttles.ts'
import { PASSWORD } from '../world/world.ts'
import { codeOf } from './authenticator.ts'
import type { ReadMail } from './post.ts'
import type { Scene } from './scene.ts'
import { ask, askWithProof, newThief, type Thief, type Victim } from './thief.ts'

/**
 * The owner of an account: somebody with the same calls as a thief, who reads the addresses that
 * are his, has his recovery codes on paper and may have lost his phone. `passkey`: of a key that he
 * carries.
 */
export type Owner = Thief & { emails: string[]; paper: readonly string[] }

export function newOwner(victim: Victim, address: string): Owner {
  const self = newThief(victim, new Set(['password', 'session']), {
    email: victim.email,
    address,
    mails: () => [],
  })
  return { ...self, emails: [victim.email], paper: [] }
}

type Letter = ReadMail & { token: string }

/** The messages with 'This was not me' that reached the owner. */
export function lettersOf({ post }: Scene, { emails }: Owner): Letter[] {
  return emails
    .flatMap((email) => post.to(email))
    .flatMap((mail) => {
      const token = /\/not-me#(\S+)/.exec(mail.text)?.[1]
      return token === undefined ? [] : [{ ...mail, token }]
    })
}

export type Preview = ResponseOf<'previewDisown'>

/** Presses 'This was not me' in a message. Undefined if its link works no more. */
export async function press(
  { world }: Scene,
  owner: Owner,
  { token }: Letter,
): Promise<Preview | undefined> {
  const preview = await ask(world, owner, 'previewDisown', { body: { token } })
  if (preview.status !== 200) return undefined
  const { status } = await ask(world, owner, 'disown', { body: { token } })
  return status === 200 ? (preview.body as unknown as Preview) : undefined
}

let passwords = 0

/**
 * Owners request links to new passwords. If thieves used up the requests of an account, its owner
 * repeats the request an hour later.
 */
export async function askForPasswords({ world }: Scene, owners: readonly Owner[]): Promise<void> {
  const askAll = (asking: readonly Owner[]) =>
    Promise.all(
      asking.map((owner) =>
        ask(world, owner, 'requestReset', { body: { account: owner.victim.username } }),
      ),
    )
  const first = await askAll(owners)
  const refused = owners.filter((_, index) => first[index]?.status === 429)
  await resetThrottles(world.context.sql)
  for (const { status, body } of await askAll(refused))
    if (status !== 200)
      throw new Error(`a link to a new password was refused: ${JSON.stringify(body)}`)
}

/**
 * Sets a new password with a message to one of the owner's addresses. False if none of them got
 * one.
 */
export async function setNewPassword(scene: Scene, owner: Owner): Promise<boolean> {
  for (const mail of owner.emails.flatMap((email) => scene.post.to(email)).toReversed()) {
    if (mail.subject !== 'Set a new password') continue
    const token = required(/#(\S+)/.exec(mail.text)?.[1], 'the link of the message')
    const newPassword = await choosePassword(scene, owner, token)
    if (newPassword === undefined) continue
    owner.password = newPassword
    return true
  }
  return false
}

/**
 * If a password is refused because it is common, the owner chooses another. The filter of common
 * passwords refuses a few uncommon ones too.
 */
async function choosePassword(
  scene: Scene,
  owner: Owner,
  token: string,
): Promise<string | undefined> {
  const newPassword = `${PASSWORD} ${(passwords += 1)}`
  const { status, body } = await ask(scene.world, owner, 'resetPassword', {
    body: { token, newPassword },
  })
  if (body.code === 'breached-password') return choosePassword(scene, owner, token)
  return status === 200 ? newPassword : undefined
}

/**
 * Signs in with the new password, and with the passkey, the app or a code on paper where required.
 */
export async function enter({ world }: Scene, owner: Owner): Promise<boolean> {
  const body = { username: owner.victim.username, password: owner.password }
  const first = await ask(world, owner, 'login', { body })
  if (first.body.code !== 'second-factor-required') return first.status === 200
  const methods = first.body.methods ?? []
  if (methods.includes('passkey') && owner.passkey) {
    const { body: challenge } = await ask(world, owner, 'getPasskeyChallenge')
    const passkey = owner.passkey.assert(
      challenge as unknown as { challenge: string; rpId: string },
    )
    if ((await ask(world, owner, 'loginWithPasskey', { body: { passkey } })).status === 200)
      return true
  }
  const shown = owner.app ? [codeOf(owner.app)] : []
  for (const code of [...shown, ...owner.paper]) {
    if (
      code !== undefined &&
      (await ask(world, owner, 'login', { body: { ...body, code } })).status === 200
    )
      return true
  }
  return false
}

/** Gives the account another address of the owner's, who goes on reading the earlier one. */
export async function askToMove({ world }: Scene, owner: Owner, email: string): Promise<void> {
  await askWithProof(world, owner, 'changeEmail', {
    body: { email, currentPassword: owner.password },
  })
  owner.emails.push(email)
}

export async function move({ world, post }: Scene, owner: Owner): Promise<void> {
  const token = /\/verify-email#(\S+)/.exec(
    post.to(owner.emails.at(-1) ?? '').at(-1)?.text ?? '',
  )?.[1]
  if (token !== undefined) await ask(world, owner, 'verifyEmail', { body: { token } })
}
