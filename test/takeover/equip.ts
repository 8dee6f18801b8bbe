import { required } from '#core/assert.ts'
import type { RouteName } from '#contract/routes.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import type { Random } from '../world/random.ts'
import { makeSoftPasskey } from '../world/soft-passkey.ts'
import { BANK_ACCOUNT, proofRequest, TEST_CARD } from '../world/world.ts'
import { codeOf } from './authenticator.ts'
import type { Belongings } from './life.ts'
import type { Owner } from './owner.ts'
import { ask, SITE } from './thief.ts'
import type { Scene } from './scene.ts'
import { belongingsOf } from './weigh-life.ts'

const FULL_UNITS = 500n * 10n ** 8n

/**
 * Accounts before their lives: money, two bank accounts, a browser that gets pushes, and a second
 * factor or none. Only what an account lacks is added.
 */
export async function equipAll(
  scene: Scene,
  plans: readonly { owner: Owner; random: Random }[],
): Promise<void> {
  const { sql } = scene.world.context
  const ids = plans.map(({ owner }) => owner.victim.id)
  for (const table of ['passkeys', 'authenticators', 'recovery_codes'])
    await sql`delete from ${sql(table)} where user_id = any(${ids}::uuid[])`
  for (const id of ids) await sealAccount(scene.world.context, id)
  const present = await belongingsOf(scene, ids)
  const rows = await sql<
    { id: string; balance: bigint }[]
  >`select user_id as id, balance from ledger_accounts where code = 'customer:cash'
    and user_id = any(${ids}::uuid[])`
  const cash = new Map(rows.map(({ id, balance }) => [id, balance]))
  await Promise.all(
    plans.map(({ owner, random }) => {
      const { id } = owner.victim
      return equip(scene, owner, {
        random,
        has: required(present.get(id), 'an owner has an account'),
        cash: cash.get(id) ?? 0n,
      })
    }),
  )
}

async function equip(
  { world }: Scene,
  owner: Owner,
  { random, has, cash }: { random: Random; has: Belongings; cash: bigint },
): Promise<void> {
  const call: Caller = async (name, body, isProven = false) => {
    const made = isProven
      ? await ask(world, owner, 'makeProof', {
          body: proofRequest({ action: name, body, password: owner.password ?? '' }),
        })
      : undefined
    const answer = await ask(world, owner, name, {
      ...(body && { body }),
      ...(made && { proof: String(made.body['id']) }),
    })
    if (answer.status >= 300)
      throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  Object.assign(owner, {
    passkey: undefined,
    app: undefined,
    codes: [],
    paper: [],
    emails: [required(has.email, 'an owner has an address')],
    accounts: [...has.accounts],
  })
  if (cash < FULL_UNITS) await deposit(call)
  while (owner.accounts.length < 2)
    owner.accounts.push(String((await call('addBankAccount', BANK_ACCOUNT, true))['id']))
  if (has.browsers === 0)
    await call('addPushDevice', {
      endpoint: `https://push.example/${owner.victim.id}`,
      p256dh: 'BAgI',
      auth: 'AgI',
    })
  const wanted = { delayHours: random.pick([0, 0, 24]), allowedOnly: random.chance(0.2) }
  const isDifferent = has.delayHours !== wanted.delayHours || has.allowedOnly !== wanted.allowedOnly
  if (isDifferent) await call('updateProtections', { ...wanted, dailyLimit: null }, true)
  await addFactor(owner, random.pick(['none', 'none', 'passkey', 'authenticator']), call)
}

/**
 * `isProven`: sends a proof by the password, which suffices for an account without a second factor.
 */
type Caller = (
  name: RouteName,
  body?: object,
  isProven?: boolean,
) => Promise<Record<string, unknown>>

async function deposit(call: Caller): Promise<void> {
  const { clientSecret, paymentIntentId } = await call('createPaymentIntent', { amount: '1000' })
  await call('payWithSandboxCard', { clientSecret, ...TEST_CARD })
  await call('confirmDeposit', { paymentIntentId, amount: '1000' })
}

async function addFactor(
  owner: Owner,
  factor: 'none' | 'passkey' | 'authenticator',
  call: Caller,
): Promise<void> {
  if (factor === 'none') return
  if (factor === 'passkey') {
    owner.passkey = makeSoftPasskey(SITE)
    await call(
      'addPasskey',
      owner.passkey.create((await call('startPasskey', undefined, true)) as never),
    )
  } else {
    owner.app = {
      secret: String((await call('startAuthenticator', undefined, true))['secret']),
      lastStep: 0,
    }
    await call('addAuthenticator', { code: required(codeOf(owner.app), 'a code') })
    owner.app.lastStep = 0
  }
  owner.paper = [...owner.codes]
}
