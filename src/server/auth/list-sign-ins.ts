import { deviceOf } from '#words/device.ts'
import type { SignIn } from '#contract/auth.ts'
import type { Handler } from '#server/action.ts'
import { findSignIns } from './store.ts'

/** Audit actions that record attempts to sign in. */
export const SIGN_IN_ACTIONS: Record<SignIn['outcome'], string> = {
  'signed-in': 'sign-in.done',
  refused: 'sign-in.refused',
}

export const listSignIns: Handler<'listSignIns'> = async ({ sql }, { userId }) => {
  const found = await findSignIns(sql, { userId, actions: Object.values(SIGN_IN_ACTIONS) })
  return found.map(({ id, action, browser, createdAt }) => ({
    id,
    at: createdAt.toISOString(),
    device: deviceOf(browser),
    outcome: action === SIGN_IN_ACTIONS['signed-in'] ? 'signed-in' : 'refused',
  }))
}
