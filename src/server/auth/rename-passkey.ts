import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { renamePasskeyTo } from './factor-store.ts'

/** Only a label for its owner: it changes nothing about signing in. */
export const renamePasskey: Handler<'renamePasskey'> = async (
  { sql },
  { userId, params: { id }, body: { name } },
) => {
  if (!(await renamePasskeyTo(sql, { userId, id, name }))) throw new Refusal('not-found')
  return {}
}
