/**
 * The user closed the sheet that asks for a proof: nothing was done, and there is nothing to
 * report.
 */
export class UserDeclined extends Error {
  override readonly name = 'UserDeclined'
}
