/**
 * An external reason why the server cannot start: an unwritable folder, an unreachable database, a
 * book that does not match. The message is for whoever ran `npm start`; `main.ts` prints it without
 * a stack trace and exits with 1.
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
