/**
 * The world does not let the server start: a folder that cannot be written, a database out of reach, a book that does not match.
 * Its message is one sentence for the person who ran `npm start`; `main.ts` prints it without a stack and exits with 1.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
