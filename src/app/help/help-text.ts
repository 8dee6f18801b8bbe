export const WELCOME =
  'Hello! Ask me how anything here works: deposits, bots, fees, risks, withdrawals. When you are signed in, I can also tell you about your ' +
  "own account. I can't give financial advice or promise returns."

/** Shown when a reply has no message. */
const FALLBACK = [
  'I have no answer right now. In short:',
  [
    '- Deposits: open Deposit on Home, choose an amount from $10 and pay by card.',
    '- Bots: create one on Bots with a risk level, pairs and an amount. It can lose money.',
    '- Wallets: link a browser wallet on Profile.',
    '- Withdrawals: open Withdraw on Home; it takes 1-3 business days.',
  ].join('\n'),
  'For anything else, contact support. Give your username and the reference on the receipt.',
].join('\n\n')

/** The reply's text: its `message`, or the one nested in `data`. */
export function messageOf(reply: unknown): string {
  return textIn(reply, 'message') ?? textIn(fieldOf(reply, 'data'), 'message') ?? FALLBACK
}

function textIn(value: unknown, key: string): string | undefined {
  const text = fieldOf(value, key)
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined
}
