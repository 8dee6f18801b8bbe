/**
 * An external reason why the server cannot start: an unwritable folder, an unreachable database, a
 * book that does not match. The message addresses the person who ran `npm start`; `main.ts` prints
 * it without a stack trace and exits with 1.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
