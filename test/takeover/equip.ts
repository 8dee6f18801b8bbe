import { required } from '#core/assert.ts'
import type { RouteName } from '#contract/routes.ts'
import type { Random } from '../random.ts'
import { makeSoftPasskey } from '../soft-passkey.ts'
import { BANK_ACCOUNT, TEST_CARD } from '../world.ts'
import { codeOf } from './authenticator.ts'
import type { Owner } from './owner.ts'
import { askWithProof, SITE } from './thief.ts'
import type { Scene } from './scene.ts'

const FULL = 500

/** An account before a life: money, two bank accounts, a browser that gets pushes, a second factor or none, and no limit used up. */
export async function equip(scene: Scene, owner: Owner, random: Random): Promise<void> {
  const { world } = scene
  const { sql } = world.context
  const { victim } = owner
  await sql`delete from passkeys where user_id = ${victim.id}`
  await sql`delete from authenticators where user_id = ${victim.id}`
  await sql`delete from recovery_codes where user_id = ${victim.id}`
  const call = async (name: RouteName, body?: object) => {
    const answer = await askWithProof(world, owner, name as 'addBankAccount', body ? { body } : {})
    if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  Object.assign(owner, { passkey: undefined, app: undefined, codes: [], paper: [] })
  const { email, availableBalance } = await call('getUser')
  owner.emails = [String(email)]
  if (Number(availableBalance) < FULL) await deposit(call)
  for (let own = ((await call('listBankAccounts')) as unknown as object[]).length; own < 2; own += 1) await call('addBankAccount', BANK_ACCOUNT)
  owner.accounts = ((await call('listBankAccounts')) as unknown as { id: string }[]).map(({ id }) => id)
  await call('addPushDevice', { endpoint: `https://push.example/${victim.id}`, p256dh: 'BAgI', auth: 'AgI' })
  await call('updateProtections', { delayHours: random.pick([0, 0, 24]), dailyLimit: null, allowedOnly: random.chance(0.2) })
  await addFactor(owner, random.pick(['none', 'none', 'passkey', 'authenticator']), call)
}

type Caller = (name: RouteName, body?: object) => Promise<Record<string, unknown>>

async function deposit(call: Caller): Promise<void> {
  const { clientSecret, paymentIntentId } = await call('createPaymentIntent', { amount: '1000' })
  await call('payWithSandboxCard', { clientSecret, ...TEST_CARD })
  await call('confirmDeposit', { paymentIntentId, amount: '1000' })
}

async function addFactor(owner: Owner, factor: 'none' | 'passkey' | 'authenticator', call: Caller): Promise<void> {
  if (factor === 'none') return
  if (factor === 'passkey') {
    owner.passkey = makeSoftPasskey(SITE)
    await call('addPasskey', owner.passkey.create((await call('startPasskey')) as never))
  } else {
    owner.app = { secret: String((await call('startAuthenticator'))['secret']), lastStep: 0 }
    await call('addAuthenticator', { code: required(codeOf(owner.app), 'a code') })
    owner.app.lastStep = 0
  }
  owner.paper = [...owner.codes]
}
