/**
 * An external reason why the server cannot start: an unwritable folder, an unreachable database, a
 * book of another kind. `main.ts` prints the message without a stack trace and exits with 1.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** Error code from Node, PostgreSQL or a client library; empty if there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}
