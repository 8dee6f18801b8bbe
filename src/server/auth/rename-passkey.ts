import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { renamePasskeyTo } from './factor-store.ts'

/** Needs no proof, because the name is only a label for its owner. */
export const renamePasskey: Handler<'renamePasskey'> = async (
  { sql },
  { userId, params: { id }, body: { name } },
) => {
  if (!(await renamePasskeyTo(sql, { userId, id, name }))) throw new Refusal('not-found')
  return {}
}
