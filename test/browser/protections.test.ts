import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { createWorld } from '../world/world.ts'
import { confirmPerson } from './confirm-person.ts'
import { expectFocus } from './expect-focus.ts'
import { measureLooks } from './measures.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct(createWorld({ config: { WITHDRAWAL_HOLD_HOURS: 24 } }))
})
afterAll(() => product.close())

const PICTURES = process.env['PICTURES']
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

const findings: string[] = []
/** Measures the screen; where PICTURES names a folder, pictures of it are kept there. */
async function measure(page: Page, where: string): Promise<void> {
  if (PICTURES !== undefined) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${PICTURES}/${where}-${colorScheme}.png`, fullPage: true })
    }
  }
  for (const { look, findings: found } of await measureLooks(page))
    findings.push(...found.map((finding) => `${where}, ${look}: ${finding}`))
}

test('users protect withdrawals, and see when a looser setting applies', async () => {
  const user = await product.world.user()
  await user.deposit('1000')
  await user.addBankAccount()
  const page = await product.open('/profile/security', user)
  await button(page, '24 h').click()
  await page.getByLabel('Maximum within 24 hours').fill('500')
  await page.getByText('No withdrawals to new bank accounts').click()
  await button(page, 'Save').click()
  await confirmPerson(page)
  await says(page, 'They apply immediately.')
  await expect
    .poll(() => user.call('getProtections'))
    .toMatchObject({ delayHours: 24, dailyLimit: '500.00', allowedOnly: true, later: null })
  await page.waitForTimeout(500)
  await expectFocus(page)
  await page.goto('/profile/security')
  await button(page, 'None').click()
  await button(page, 'Save').click()
  await confirmPerson(page)
  await says(page, /^Your choice applies from /)
  await expectFocus(page)
  await says(page, 'Until then: delay: 24 h · daily limit: $500.00 · no new bank accounts.')
  await measure(page, 'looser-later')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/withdraw')
  await says(page, /^Sent from /)
  await says(page, /A bank account was added\./)
  await says(page, 'Your own delay: a withdrawal is sent 24 hours after its request.')
  await says(page, 'Left of your daily limit: $500.00')
  await button(page, 'Max').click()
  await expect.poll(() => page.getByLabel('Amount').inputValue()).toMatch(/^500(\.00)?$/)
  await measure(page, 'withdraw')
  await page.goto('/withdraw')
  await page.getByLabel('Amount').fill('600')
  await button(page, 'Request Withdrawal').click()
  await says(page, 'You chose a daily limit. $500.00 of it is left for these 24 hours.')
  await button(page, 'Dismiss').click()
  await page.getByLabel('Amount').fill('20')
  await button(page, 'Request Withdrawal').click()
  await says(page, 'Will be sent after')
  await button(page, 'Confirm withdrawal').click()
  await says(page, /This bank account is new\. You can withdraw to it from .* on\./)
  await button(page, 'Dismiss').click()
  await product.world.context
    .sql`update bank_accounts set allowed_from = now() where user_id = ${user.id}`
  await button(page, 'Confirm withdrawal').click()
  await confirmPerson(page)
  await expect.poll(async () => (await user.call('listWithdrawals')).length).toBe(1)
  await page.goto('/withdraw')
  await says(page, /^Will be sent after /)
  await measure(page, 'waiting')
  await page.context().close()
  expect(findings).toEqual([])
})

test('users see when a first withdrawal is sent, also after a change elsewhere', async () => {
  const user = await product.world.user()
  await user.deposit('1000')
  const page = await product.open('/withdraw', user)
  await button(page, 'Add Bank Account').first().click()
  const sheet = page.getByRole('dialog', { name: 'Add Bank Account' })
  await sheet.getByLabel('Bank name').fill('First Bank')
  await sheet.getByLabel('Routing number').fill('021000021')
  await sheet.getByLabel('Account number').fill('123456789')
  await button(page, 'Add Bank Account').last().click()
  await confirmPerson(page)
  await says(page, /^Sent from /)
  await says(page, /A bank account was added\./)
  const step = page.getByRole('listitem').filter({ hasText: /^Sent from / })
  expect(
    await button(page, 'Request Withdrawal').getAttribute('aria-describedby'),
    'the button is tied to the wait',
  ).toContain((await step.getAttribute('id')) ?? 'no id')
  await page.getByLabel('Amount').fill('20')
  await button(page, 'Request Withdrawal').click()
  await says(page, 'Will be sent after')
  await button(page, 'Confirm withdrawal').click()
  await confirmPerson(page)
  const receipt = page.getByRole('dialog')
  await receipt.getByText('Will be sent after').waitFor()
  await page.goto('/history')
  await says(page, /^Will be sent after /)
  await page.goto('/withdraw')
  await says(page, /A bank account was added\./)
  // Time passes, and another device makes another account the default.
  await product.world.context
    .sql`update withdrawal_holds set until = now() where user_id = ${user.id}`
  const other = await user.addBankAccount()
  await user.call('makeBankAccountDefault', { params: { id: other } })
  await says(page, /Another bank account became the default\./)
  await page.context().close()
})
