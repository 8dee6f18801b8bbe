import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../../../../test/parts/show.ts'
import { AmountField, NewPasswordField, PasswordField, TextField } from './fields.tsx'

const heightOf = (element: Element) => element.getBoundingClientRect().height

test('a text field is named by its label and described by its hint', async () => {
  show(<TextField label="Bot name" hint="As you like it." optional />)
  const field = page.getByRole('textbox', { name: 'Bot name (optional)' })
  await expect.element(field).toHaveAccessibleDescription('As you like it.')
  await expect.element(field).toBeValid()
  expect(heightOf(field.element())).toBe(52)
  await userEvent.click(page.getByText('Bot name (optional)'))
  await expect.element(field).toHaveFocus()
})

test('an error of a text field is announced and describes it', async () => {
  show(<TextField label="Bot name" hint="As you like it." error="Please name the bot." />)
  const field = page.getByRole('textbox', { name: 'Bot name' })
  await expect.element(field).toBeInvalid()
  await expect.element(field).toHaveAccessibleDescription('As you like it. Please name the bot.')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Please name the bot.')
})

function Amount({ error }: { error?: string }) {
  const [typed, setTyped] = useState('')
  return <AmountField label="Amount" value={typed} onChange={setTyped} error={error} />
}

const amount = page.getByLabelText('Amount')

test.each(['1e9', '1,000.50', '00.1000', '-5', 'ten'])(
  "an amount keeps every typed character: '%s'",
  async (typed) => {
    show(<Amount />)
    await userEvent.type(amount, typed)
    await expect.element(amount).toHaveValue(typed)
  },
)

test('neither the wheel nor the arrow keys change an amount', async () => {
  show(<Amount />)
  await userEvent.type(amount, '100')
  await userEvent.wheel(amount, { direction: 'up', times: 3 })
  await userEvent.keyboard('{ArrowUp}{ArrowDown}{ArrowDown}')
  await expect.element(amount).toHaveValue('100')
})

test('an amount opens the numeric keyboard, is 64 px high and described by its error', async () => {
  show(<Amount error="Please enter an amount." />)
  await expect.element(amount).toHaveAttribute('inputmode', 'decimal')
  await expect.element(amount).toBeInvalid()
  await expect.element(amount).toHaveAccessibleDescription('Please enter an amount.')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Please enter an amount.')
  expect(heightOf(amount.element())).toBe(64)
})

test('a password can be shown, without losing what was typed', async () => {
  show(<PasswordField label="Password" name="password" autoComplete="current-password" />)
  const field = page.getByLabelText('Password', { exact: true })
  const button = page.getByRole('button', { name: 'Show password' })
  await userEvent.type(field, 'correct horse')
  await expect.element(field).toHaveAttribute('type', 'password')
  await userEvent.click(button)
  await expect.element(button).toHaveAttribute('aria-pressed', 'true')
  await expect.element(field).toHaveAttribute('type', 'text')
  await expect.element(field).toHaveValue('correct horse')
  await userEvent.click(button)
  await expect.element(field).toHaveAttribute('type', 'password')
  expect(heightOf(field.element())).toBe(52)
  expect(button.element().getBoundingClientRect().width).toBeGreaterThanOrEqual(48)
})

test('a new password shows its strength while it is typed', async () => {
  show(<NewPasswordField label="New password" name="password" hint="" error={undefined} />)
  const field = page.getByLabelText('New password', { exact: true })
  const strength = page.getByRole('status')
  await expect.element(strength).toBeEmptyDOMElement()
  for (const [typed, told] of [
    ['aaaaaaaaaaaaaaaa', 'Weak'],
    ['k7Fq2mXw', 'Fair'],
    ['k7Fq2mXw9Lp4', 'Good'],
    ['k7Fq2mXw9Lp4Zs8T', 'Strong'],
  ] as const) {
    await userEvent.fill(field, typed)
    await expect.element(strength).toHaveTextContent(`Strength: ${told}`)
  }
})
