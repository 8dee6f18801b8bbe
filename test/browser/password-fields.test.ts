import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { calls } from '#contract/calls.ts'
import { openConsole } from '#server/console/open-console.ts'
import { readSources } from '../tidy/source.ts'
import { openBuild, signUpIn, type OpenedBuild } from './served-builds.ts'

let opened: OpenedBuild
beforeAll(async () => {
  opened = await openBuild()
})
afterAll(() => opened.close())

const click = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

type Place = {
  file: string
  path: string
  open?: (page: Page) => Promise<void>
  signedIn?: true
  fields: Record<string, 'current-password' | 'new-password'>
}

/** Every form that asks for a password. */
const PLACES: Place[] = [
  {
    file: 'src/app/auth/login-screen.tsx',
    path: '/login',
    fields: { password: 'current-password' },
  },
  { file: 'src/app/auth/signup-screen.tsx', path: '/signup', fields: { password: 'new-password' } },
  {
    file: 'src/app/auth/reset-password-screen.tsx',
    path: '/reset-password#a.b.c',
    fields: { newPassword: 'new-password' },
  },
  {
    file: 'src/app/profile/change-password-sheet.tsx',
    path: '/profile',
    signedIn: true,
    open: click('Change password'),
    fields: { currentPassword: 'current-password', newPassword: 'new-password' },
  },
  {
    file: 'src/app/profile/change-email-sheet.tsx',
    path: '/profile',
    signedIn: true,
    open: click('Change email'),
    fields: { currentPassword: 'current-password' },
  },
  {
    file: 'src/app/proofs/proof-sheet.tsx',
    path: '/profile/data',
    signedIn: true,
    open: click('Download my data'),
    fields: { password: 'current-password' },
  },
]

const PASTED = ' a Pasted 🔑 sentence of many words '

describe.each(PLACES)('the password of $file', ({ path, open, signedIn, fields }) => {
  test('the password is masked until shown, can be pasted, and is named for managers', async () => {
    const context = await opened.openPhone({ permissions: ['clipboard-read', 'clipboard-write'] })
    if (signedIn)
      await signUpIn(context.request, {
        username: `ada${PLACES.findIndex((place) => place.open === open)}`,
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: `ada${PLACES.findIndex((place) => place.open === open)}@bots.example`,
      })
    const page = await context.newPage()
    await page.goto(path)
    await open?.(page)
    const inputs = page.locator('input[type=password]')
    await inputs.first().waitFor()
    expect(
      Object.fromEntries(
        await inputs.evaluateAll((all) =>
          all.map((one) => [(one as HTMLInputElement).name, one.getAttribute('autocomplete')]),
        ),
      ),
    ).toEqual(fields)
    await page.evaluate((text) => navigator.clipboard.writeText(text), PASTED)
    for (const name of Object.keys(fields))
      await expectPastable(page.locator(`input[name=${name}]`))
    await context.close()
  })
})

async function expectPastable(input: Locator): Promise<void> {
  const shown = input.locator('..').getByRole('button', { name: 'Show password' })
  await input.focus()
  await input.press('ControlOrMeta+V')
  expect([await input.inputValue(), await input.getAttribute('type')]).toEqual([PASTED, 'password'])
  await shown.click()
  expect([
    await input.inputValue(),
    await input.getAttribute('type'),
    await shown.getAttribute('aria-pressed'),
  ]).toEqual([PASTED, 'text', 'true'])
  await shown.click()
  expect([await input.inputValue(), await input.getAttribute('type')]).toEqual([PASTED, 'password'])
}

test('no other form of the app has a field for a password', () => {
  const users = readSources().filter(
    ({ path, text }) =>
      path.startsWith('src/app/') &&
      !path.startsWith('src/app/ui/') &&
      /<(New)?PasswordField\b|type=\{?['"]password['"]/.test(text),
  )
  expect(users.map(({ path }) => path).toSorted()).toEqual(
    PLACES.map(({ file }) => file).toSorted(),
  )
})

test('operators type theirs into a masked field too', async () => {
  const { world } = opened.served
  const app = await openConsole(world.context, world.app)
  const { body } = await app.inject('/sign-in')
  await app.close()
  expect(body.match(/<input[^>]*name="password"[^>]*>/g)).toEqual([
    expect.stringContaining('type="password" '),
  ])
  expect(body).toContain('autocomplete="current-password"')
  expect(body).not.toContain('onpaste')
})

/** Names and words of hints to a password, and of questions whose answer stands for it. */
const HINT = /hint|secret.?(question|answer)|security.?question|maiden|first.?pet|birth.?place/i

test('password hints and questions exist on no screen', async () => {
  const names = (node: unknown): string[] =>
    typeof node !== 'object' || node === null
      ? []
      : Object.entries(node).flatMap(([name, part]) => [name, ...names(part)])
  const inCalls = Object.values(calls)
    .flatMap((shapes) => Object.values(shapes as Record<string, unknown>))
    .filter((shape) => shape instanceof z.ZodType)
  expect(inCalls.length).toBeGreaterThan(60)
  expect(
    inCalls
      .flatMap((schema) => names(z.toJSONSchema(schema, { unrepresentable: 'any' })))
      .filter((name) => HINT.test(name)),
  ).toEqual([])
  const columns = await opened.served.world.context.sql<
    { name: string }[]
  >`select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public'`
  expect(columns.filter(({ name }) => HINT.test(name))).toEqual([])
  const context = await opened.openPhone()
  const page = await context.newPage()
  for (const path of ['/login', '/signup', '/forgot-password', '/reset-password#a.b.c']) {
    await page.goto(path)
    await page.locator('form input').first().waitFor()
    expect([path, HINT.exec(await page.locator('body').innerText())?.[0]]).toEqual([
      path,
      undefined,
    ])
  }
  await context.close()
})
