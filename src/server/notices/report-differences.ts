import type { Context } from '#server/context.ts'
import { isId } from '#server/kernel/ids.ts'
import { notify } from './notify.ts'

/**
 * Notifies users whose own figures do not add up. A difference without a user concerns only the
 * operator.
 */
export async function reportDifferences(
  { atomically, now }: Context,
  differences: readonly { subject: string }[],
): Promise<void> {
  const subjects = [...new Set(differences.map(({ subject }) => subject))].filter(isId)
  if (subjects.length === 0) return
  const day = now().toISOString().slice(0, 10)
  await atomically(async ({ sql }) => {
    const users = await sql<
      { id: string }[]
    >`select id from users where id = any(${subjects}::uuid[])`
    await notify(
      sql,
      ...users.map(({ id }) => ({
        userId: id,
        kind: 'book-differs' as const,
        event: `book-differs:${day}`,
      })),
    )
  })
}
