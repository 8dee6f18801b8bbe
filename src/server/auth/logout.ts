import type { Handler } from '#server/action.ts'

export const logout: Handler<'logout'> = async (_context, { session }) => {
  await session.end()
  return {}
}
