import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Refusal } from '#core/refusal.ts'
import { formFields, TextField } from '#app/ui/forms/fields.tsx'
import { show } from '../../../test/parts/show.ts'
import { ApiError } from './call.ts'
import { Form, Submit, useForm } from './form.tsx'
import { useSendOnce } from './send-once.ts'

type Bot = { botName: string; pair: string }
type Send = (bot: Bot, key: string) => Promise<void>

const botName = page.getByRole('textbox', { name: 'Bot name' })
const pair = page.getByRole('textbox', { name: 'Pair' })
const submit = page.getByRole('button', { name: 'Create bot' })

function refuseEmpty(text: string, field: string): void {
  if (text === '') throw new Refusal('required', { field })
}

function BotForm({ send }: { send: Send }) {
  const request = useSendOnce({
    mutationFn: ({ bot, idempotencyKey }: { bot: Bot; idempotencyKey: string }) =>
      send(bot, idempotencyKey),
  })
  const form = useForm({
    read: (element) => formFields(element, ['botName', 'pair']),
    check: (bot) => ({
      botName: () => refuseEmpty(bot.botName, 'botName'),
      pair: () => refuseEmpty(bot.pair, 'pair'),
    }),
    send: (bot, idempotencyKey) => request.mutateAsync({ bot, idempotencyKey }),
    request,
    fail: () => undefined,
  })
  return (
    <Form form={form}>
      <TextField label="Bot name" {...form.field('botName')} />
      <TextField label="Pair" {...form.field('pair')} />
      <Submit form={form}>Create bot</Submit>
    </Form>
  )
}

type Request = { key: string; answer: () => void; fail: (error: Error) => void }

/** The form, and each request that it sends, with the functions that end it. */
function showForm() {
  const requests: Request[] = []
  const send = vi.fn<Send>(
    (_, key) =>
      new Promise((resolve, reject) => requests.push({ key, answer: resolve, fail: reject })),
  )
  show(
    <QueryClientProvider client={new QueryClient()}>
      <BotForm send={send} />
    </QueryClientProvider>,
  )
  return { requests, send }
}

/** Fills both fields, presses the button and waits for the request. */
async function sendBot({ requests }: ReturnType<typeof showForm>, name: string) {
  const before = requests.length
  await userEvent.fill(botName, name)
  await userEvent.fill(pair, 'BTC/USDT')
  await userEvent.click(submit)
  await expect.poll(() => requests.length).toBe(before + 1)
}

const refusalOf = (field: string) =>
  new ApiError({
    status: 400,
    body: JSON.stringify({ code: 'name-taken', message: 'This name is taken.', field }),
  })

test('a submit shows every wrong field, focuses the first and sends nothing', async () => {
  const { send } = showForm()
  await userEvent.click(submit)
  await expect.element(botName).toHaveFocus()
  await expect.element(botName).toBeInvalid()
  await expect.element(pair).toBeInvalid()
  await userEvent.type(botName, 'Steady')
  await expect.element(botName).toBeValid()
  await expect.element(pair).toBeInvalid()
  await userEvent.keyboard('{Enter}')
  await expect.element(pair).toHaveFocus()
  expect(send).not.toHaveBeenCalled()
})

test('a refusal of the server shows at its field, which takes the focus', async () => {
  const shown = showForm()
  await sendBot(shown, 'Steady')
  shown.requests[0]?.fail(refusalOf('botName'))
  await expect.element(botName).toHaveFocus()
  await expect.element(botName).toHaveAccessibleDescription('This name is taken.')
})

test('a refusal that arrives while the user types again does not move the focus', async () => {
  const shown = showForm()
  await sendBot(shown, 'Steady')
  await userEvent.type(pair, '2')
  shown.requests[0]?.fail(refusalOf('botName'))
  await expect.element(botName).toBeInvalid()
  await expect.element(pair).toHaveFocus()
})

test('the button is pending until the answer, and presses meanwhile send nothing', async () => {
  const shown = showForm()
  await sendBot(shown, 'Steady')
  await expect.element(submit).toHaveAttribute('aria-busy', 'true')
  await userEvent.click(submit, { force: true })
  await userEvent.click(botName)
  await userEvent.keyboard('{Enter}')
  shown.requests[0]?.answer()
  await expect.element(submit).toHaveAttribute('aria-busy', 'false')
  expect(shown.send).toHaveBeenCalledTimes(1)
})

test('two presses at once send one request', async () => {
  const shown = showForm()
  await userEvent.fill(botName, 'Steady')
  await userEvent.fill(pair, 'BTC/USDT')
  const form = submit.element().closest('form')
  form?.requestSubmit()
  form?.requestSubmit()
  await expect.element(submit).toHaveAttribute('aria-busy', 'true')
  expect(shown.send).toHaveBeenCalledTimes(1)
})

test('a retry of the same content keeps its key; other content gets a new one', async () => {
  const shown = showForm()
  const { requests } = shown
  for (const name of ['Steady', 'Bold', 'Steady']) {
    await sendBot(shown, name)
    requests.at(-1)?.fail(new Error('no answer'))
    await expect.element(submit).toHaveAttribute('aria-busy', 'false')
  }
  await sendBot(shown, 'Steady')
  requests.at(-1)?.answer()
  await expect.element(submit).toHaveAttribute('aria-busy', 'false')
  await sendBot(shown, 'Steady')
  const [first, other, again, last, next] = requests.map(({ key }) => key)
  expect([again, last]).toEqual([first, first])
  expect(new Set([first, other, next]).size).toBe(3)
})
