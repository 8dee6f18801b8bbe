import { t } from '#words/words.ts'

export function welcome(): string {
  return [
    t('Hello! Ask me how anything here works: deposits, bots, fees, risks, withdrawals.'),
    t('When you are signed in, I can also tell you about your own account.'),
    t("I can't give financial advice or promise returns."),
  ].join(' ')
}

function fallback(): string {
  const points = [
    t('Deposits: open Deposit on Home, choose an amount and pay by card.'),
    t('Bots: create one on Bots with a risk level, pairs and an amount. It can lose money.'),
    t('Wallets: link a browser wallet on Profile.'),
    t('Withdrawals: open Withdraw on Home; it takes 1-3 business days.'),
  ]
  return [
    t('I have no answer right now. In short:'),
    points.map((point) => `- ${point}`).join('\n'),
    t('For anything else, contact support. Give your username and the reference on the receipt.'),
  ].join('\n\n')
}

export function messageOf(reply: unknown): string {
  return textIn(reply, 'message') ?? textIn(fieldOf(reply, 'data'), 'message') ?? fallback()
}

function textIn(value: unknown, key: string): string | undefined {
  const text = fieldOf(value, key)
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined
}
