import type { Handler } from '#server/http/handler.ts'

export const logout: Handler<'logout'> = async (_context, { session }) => {
  await session.end()
  return {}
}
