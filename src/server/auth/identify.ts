import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import type { MakeProofRequest } from '#contract/proofs.ts'
import type { RouteName } from '#contract/routes.ts'
import type { ProofMethod } from '#contract/wire.ts'
import { readAccount } from '#server/account-seal.ts'
import type { Call } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { hasFactor, methodsOf, refusalWith } from './factors.ts'
import { checkPasskey, PURPOSES } from './passkey.ts'
import { verifyPassword } from './password.ts'
import { spendCode } from './spend-code.ts'

const WAYS = ['password', 'code', 'passkey'] as const

/**
 * The user's evidence of who asks. `use` uses it up in a transaction and says what it was;
 * undefined if it is wrong: then `refusal` applies.
 */
export type Identity = {
  given: (typeof WAYS)[number]
  use: (tx: Queries) => Promise<ProofMethod | undefined>
  refusal: Refusal
}

type Given = {
  userId: string
  body: Pick<MakeProofRequest, (typeof WAYS)[number]>
  client: Call<RouteName>['client']
}

/**
 * Checks what takes long outside of the transaction. Where there is a second factor, the password
 * alone proves nothing.
 */
export async function identify(
  context: Context,
  { userId, body, client }: Given,
): Promise<Identity> {
  const [given, ...more] = WAYS.filter((way) => body[way] !== undefined)
  if (given === undefined || more.length > 0) throw new Refusal('required', { field: 'password' })
  const { password, code, passkey } = body
  if (code !== undefined) {
    return {
      given,
      use: (tx) => spendCode(context, tx, { userId, code }),
      refusal: new Refusal('wrong-code', { field: 'code' }),
    }
  }
  if (passkey !== undefined) {
    const checked = await checkPasskey(context, {
      userId,
      assertion: passkey,
      client,
      purpose: PURPOSES.proof(userId),
    })
    const use = async (tx: Queries) => ((await checked?.use(tx)) ? 'passkey' : undefined)
    return { given, use, refusal: new Refusal('wrong-passkey') }
  }
  const stored = required(await readAccount(context.sql, userId), 'a session has its user')
  const matches = await verifyPassword(stored.password, password ?? '', client.address)
  const use = async (tx: Queries) => {
    const methods = await methodsOf(tx, userId)
    if (hasFactor(methods)) throw refusalWith('second-factor-required', methods)
    return matches ? 'password' : undefined
  }
  return { given, use, refusal: new Refusal('wrong-password', { field: 'password' }) }
}
