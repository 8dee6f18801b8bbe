import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { answering, FAULT, holding, unreachable } from './answers.ts'
import {
  absent,
  becomes,
  disabled,
  equals,
  field,
  fill,
  goTo,
  heading,
  holds,
  key,
  link,
  press,
  steps,
  text,
  type Check,
} from './checks.ts'
import { changeFirstData } from './first-data.ts'
import { openProduct, type Product } from './product.ts'
import { asked, requestsOf } from './requests.ts'
import { screen } from './rows.ts'
import { destructive } from './toasts.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

const CHAT = 'POST /api/chat/help'
const type = (words: string) => fill({ 'Your question': words })
const enter = key('Enter')
const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
const inLog =
  (words: string | RegExp): Check =>
  (page) =>
    log(page).getByText(words).last().waitFor()
const messages =
  (count: number): Check =>
  (page) =>
    becomes(() => log(page).locator('ol > li').count(), count)
const fallback = (words: RegExp): Check =>
  answering(CHAT, { json: {} }, goTo('/help'), type('anything'), enter, inLog(words))

/** These steps send no question. */
const asksNothing =
  (...taken: Check[]): Check =>
  async (page) => {
    const calls = await requestsOf(page, steps(...taken))
    equals(
      calls.filter((call) => call === CHAT),
      [],
    )
  }

screen(() => product.open('/help'), {
  '2 Help chat': {
    "title 'AI Help Chat'": heading('AI Help Chat'),
    "badge: without a model 'Help search' (decision 27)": text('Help search'),
    'a message list': (page) => log(page).waitFor(),
    'the list begins with a welcome message of the assistant': steps(
      messages(1),
      inLog(/^Hello! Ask me how anything here works/),
    ),
    'an input with a placeholder': field('Your question', { placeholder: 'Ask about fees, bots…' }),
    'Shift+Enter gives a new line, and sends nothing': asksNothing(
      type('one'),
      key('Shift+Enter'),
      (page) => page.keyboard.type('two'),
      holds('Your question', 'one\ntwo'),
    ),
    "Enter sends; 'AI is thinking...' while waiting": steps(
      type('What does it cost?'),
      holding(CHAT, enter, text('AI is thinking...'), disabled('Send')),
      absent('AI is thinking...'),
    ),
    'the reply stands in the list': steps(
      messages(3),
      inLog(/15% of the profit that you take out/),
    ),
    'the list scrolls to what is new': async (page) => {
      const box = await log(page).locator('ol > li').nth(1).boundingBox()
      equals(box !== null && box.y >= 0 && box.y < 844, true)
    },
  },
  '5 Chat': {
    'an empty input is not sent': asksNothing(type(''), enter, disabled('Send')),
    'a blank input is not sent': asksNothing(type('   '), enter, disabled('Send')),
    'sending is blocked while a reply is pending': steps(
      type('What does it cost?'),
      holding(
        CHAT,
        enter,
        text('AI is thinking...'),
        asksNothing(type('And this?'), enter, disabled('Send')),
      ),
      absent('AI is thinking...'),
    ),
    'the message is trimmed': async (page) => {
      await type('  Can I lose money?  ')(page)
      const request = asked(page, CHAT)
      await enter(page)
      equals((await request).postDataJSON(), { message: 'Can I lose money?' })
      await absent('AI is thinking...')(page)
    },
    'over 2,000 characters it is refused, not cut (decision 27)': steps(
      type('q'.repeat(2_001)),
      enter,
      destructive('Chat Error', 'A question has at most 2,000 characters.'),
      holds('Your question', 'q'.repeat(2_001)),
    ),
  },
  '7 Calls': {
    'POST /api/chat/help: the reply stands in message': answering(
      CHAT,
      { json: { message: 'Said plainly.' } },
      type('a'),
      enter,
      inLog('Said plainly.'),
    ),
    'POST /api/chat/help: or nested in data.message': answering(
      CHAT,
      { json: { data: { message: 'Said in data.' } } },
      type('b'),
      enter,
      inLog('Said in data.'),
    ),
  },
  '8 Errors': {
    "Chat Error: 'Failed to get AI response. Please try again.'": steps(
      type('Is this lost?'),
      answering(
        CHAT,
        FAULT,
        enter,
        destructive('Chat Error', 'Failed to get AI response. Please try again.'),
      ),
    ),
    'Chat Error: the question is not lost': holds('Your question', 'Is this lost?'),
    'Chat Error: also without any answer': unreachable(
      CHAT,
      type('Is this lost?'),
      enter,
      destructive('Chat Error', 'Failed to get AI response. Please try again.'),
    ),
    'a reply without a message: help about deposits': fallback(/^Deposits:/),
    'a reply without a message: help about bots': fallback(/^Bots:/),
    'a reply without a message: help about wallets': fallback(/^Wallets:/),
    'a reply without a message: help about withdrawals': fallback(/^Withdrawals:/),
    'a reply without a message: contacting support': fallback(/contact support/),
  },
})

const WITH_MODEL = changeFirstData(({ getConfig, ...data }) => ({
  ...data,
  getConfig: { ...(getConfig as object), assistant: 'AI Powered' },
}))

screen(() => product.open('/help', undefined, { before: WITH_MODEL }), {
  '2 Help chat, with a model': {
    "badge 'AI Powered' (decision 27)": text('AI Powered'),
  },
})

screen(async () => product.open('/help', await product.world.user()), {
  '2 Help chat, signed in': {
    "title 'AI Help Chat'": heading('AI Help Chat'),
    'the bottom tabs': link('Home', '/'),
    'own figures from the ledger, verbatim (decision 27)': steps(
      press('What is my balance?'),
      inLog('Available cash: $0.00'),
    ),
  },
})
