/**
 * Whether the database refused because of this constraint. A node of a distributed database adds
 * the number of the shard to the name, and the coordinator passes on the message alone.
 */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false
  const named =
    'constraint' in error && typeof error.constraint === 'string'
      ? error.constraint
      : /constraint "([^"]+)"/.exec(error.message)?.[1]
  return named?.replace(/_\d+$/, '') === constraint
}
