import type { Page } from 'playwright-core'
import { PASSWORD } from '../world/world.ts'

export const CONFIRMATION = "Confirm it's you"

/** Proves the user's identity with the password. */
export async function confirmPerson(page: Page, password = PASSWORD): Promise<void> {
  const sheet = page.getByRole('dialog', { name: CONFIRMATION })
  await sheet.getByLabel('Password', { exact: true }).fill(password)
  await sheet.getByRole('button', { name: 'Confirm', exact: true }).click()
}
