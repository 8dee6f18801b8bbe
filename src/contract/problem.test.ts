import { expect, onTestFinished, test } from 'vitest'
import { checkBotName, checkInvestment, checkPairs } from '#core/bots/bot.ts'
import { checkLength, checkUsername } from '#core/auth/credentials.ts'
import { COUNT_LIMITS } from '#core/count-limits.ts'
import { PAIRS } from '#core/market/pair.ts'
import { decimalToUnits as units, parseDecimal } from '#core/money/decimal.ts'
import { Refusal, type RefusalCode } from '#core/refusal.ts'
import { checkOwnershipMessage, ownershipMessage } from '#core/wallets/ownership-message.ts'
import { checkWithdrawal } from '#core/withdrawals/withdrawal.ts'
import { inGerman } from '#words/german.ts'
import { setLanguageSource } from '#words/language.ts'
import { addTranslator } from '#words/words.ts'
import { PROBLEMS, refusalOf, refusalsOf, sentenceOf } from './problem.ts'

/** Placeholder values, as the checks of core give them. */
const VALUES: Partial<Record<RefusalCode, Record<string, string>>> = {
  'text-too-short': { minimum: '3' },
  'text-too-long': { maximum: '50' },
  'too-many-attempts': { wait: '5 minutes' },
  busy: { wait: '3 seconds' },
  'key-scope': { scope: 'read' },
  'key-bots-limit': { count: '3' },
  'key-amount-limit': { limit: '$100' },
  'deposit-amount-invalid': { minimum: '$10' },
  'deposit-below-minimum': { minimum: '$10' },
  'deposit-above-maximum': { maximum: '$10,000' },
  'withdrawals-frozen': { owed: '$50.01' },
  'withdrawals-waiting': { until: '2026-01-02 08:00' },
  'withdrawal-above-limit': { left: '$50.00' },
  'bank-account-not-allowed': { from: '2026-01-02 08:00' },
  'withdrawal-on-hold': { from: '2026-01-02 08:00', withdrawable: '$1,234.50' },
  'withdrawal-below-minimum': { minimum: '$10' },
  'operator-role': { roles: 'auditor' },
  'account-frozen': { support: 'help@bots.example' },
  'bot-pair-unavailable': { pair: 'XRP/USDT' },
}

const SENTENCES: [RefusalCode, number, string][] = [
  ['invalid-input', 400, 'Please check what you entered.'],
  ['cursor-invalid', 400, 'This cursor is not valid.'],
  ['required', 400, 'Required'],
  ['text-too-short', 400, 'String must contain at least 3 character(s)'],
  ['text-too-long', 400, 'String must contain at most 50 character(s)'],
  ['username-invalid', 400, 'Use letters, digits, underscore, dot and hyphen'],
  ['email-invalid', 400, 'Invalid email'],
  ['body-too-large', 413, 'The request is larger than 64 kB.'],
  ['unsupported-media-type', 415, 'Requests must be JSON.'],
  ['not-found', 404, "We couldn't find that."],
  ['wrong-credentials', 401, 'Please check your credentials and try again.'],
  ['wrong-password', 422, 'This password is incorrect.'],
  ['password-unchanged', 400, 'Your new password must differ from the current one.'],
  ['proof-required', 403, "Please confirm that it's you."],
  ['second-factor-required', 403, 'Please use your second factor.'],
  ['second-factor-missing', 409, 'Add a passkey or an authenticator app first.'],
  ['wrong-code', 422, 'This code is incorrect or was already used.'],
  ['wrong-passkey', 422, 'This passkey was not accepted.'],
  ['passkey-unavailable', 422, "Passkeys don't work at this address."],
  ['too-many-passkeys', 422, 'You can keep up to 10 passkeys.'],
  ['too-many-keys', 422, 'You can keep up to 10 keys for programs.'],
  ['key-invalid', 401, 'This key is unknown, revoked or expired.'],
  ['key-network', 403, 'This key does not work from this network.'],
  ['key-scope', 403, 'A key with the scope "read" does not allow this.'],
  ['key-bots-limit', 422, 'The bots of this key reached their limit (3). Close one of them first.'],
  ['key-amount-limit', 422, 'This key may put up to $100 into bots a day.'],
  ['key-limit-invalid', 400, 'Please enter a limit above 0.'],
  ['key-network-invalid', 400, 'Enter addresses or networks in CIDR notation.'],
  ['authenticator-exists', 409, 'An authenticator app is already set up. Remove it first.'],
  ['authenticator-expired', 409, 'This setup has expired. Please start again.'],
  ['too-many-attempts', 429, 'Too many attempts. Please try again in 5 minutes.'],
  ['wrong-host', 421, 'This server does not answer under this address.'],
  ['busy', 503, "We're busy right now. Please try again in 3 seconds."],
  ['cross-site', 403, 'This request came from another site and was blocked.'],
  ['username-taken', 409, 'This username is already taken.'],
  ['link-invalid', 410, 'This link no longer works. Links work once, and for a limited time.'],
  ['common-password', 422, 'This password is among the most common ones. Please choose another.'],
  ['breached-password', 422, 'This password is known from data breaches. Please choose another.'],
  ['idempotency-key-reused', 422, 'This idempotency key was already used for a different request.'],
  ['deposit-amount-invalid', 400, 'Please enter a valid amount (minimum $10).'],
  ['deposit-below-minimum', 422, 'Minimum deposit amount is $10'],
  ['deposit-above-maximum', 422, 'Maximum deposit amount is $10,000'],
  ['card-number-invalid', 400, 'Enter the 12 to 19 digits of the card'],
  ['card-expiry-invalid', 400, 'Enter the date as MM/YY'],
  ['card-cvc-invalid', 400, 'Enter the 3 or 4 digits'],
  ['payment-unavailable', 503, 'Payment system is currently being configured; contact support'],
  ['payment-not-succeeded', 409, "This payment didn't go through. You were not charged."],
  [
    'payment-provider-away',
    503,
    "The card provider isn't responding. Please try again in a moment. You won't be charged twice.",
  ],
  ['webhook-signature-invalid', 400, 'The signature of this webhook is invalid.'],
  [
    'withdrawals-frozen',
    409,
    'A card payment was refunded or disputed after you used its money. You can withdraw again ' +
      'once $50.01 is paid back, by a deposit or from your bots.',
  ],
  [
    'withdrawals-waiting',
    409,
    'To protect your account, withdrawals wait until Jan 2, 2026, 08:00 UTC after the change.',
  ],
  [
    'withdrawals-locked',
    409,
    'Withdrawals are locked, because somebody pressed "This was not me" in a message about ' +
      'your account.',
  ],
  [
    'withdrawal-above-limit',
    422,
    'You chose a daily limit. $50.00 of it is left for these 24 hours.',
  ],
  [
    'bank-account-not-allowed',
    409,
    'This bank account is new. You can withdraw to it from Jan 2, 2026, 08:00 UTC on.',
  ],
  ['daily-limit-invalid', 422, 'Please enter an amount of at least $10.'],
  [
    'withdrawal-on-hold',
    422,
    'This amount includes a card deposit that is still on hold. You can withdraw it from Jan ' +
      '2, 2026, 08:00 UTC, or up to $1,234.50 now.',
  ],
  ['withdrawal-amount-invalid', 422, 'Please enter a valid withdrawal amount'],
  ['withdrawal-above-available', 422, 'Withdrawal amount exceeds available balance'],
  ['withdrawal-below-minimum', 422, 'Minimum withdrawal amount is $10'],
  [
    'withdrawal-not-cancelable',
    409,
    "This withdrawal is already on its way and can't be canceled.",
  ],
  ['withdrawal-state', 409, "The withdrawal's current state doesn't allow this."],
  ['payout-unproven', 409, 'This withdrawal waits until the origin of its money is confirmed.'],
  [
    'account-frozen',
    403,
    'Your account is frozen: you can see everything, but change nothing. Write to ' +
      'help@bots.example.',
  ],
  [
    'account-locked',
    403,
    'This account is locked, because its sign-in details were changed from outside the app. ' +
      'Please contact support.',
  ],
  ['operator-signed-out', 401, 'Sign in as an operator first.'],
  ['operator-role', 403, 'Your role does not allow this. Your roles: auditor.'],
  ['bank-account-required', 422, 'Add a bank account first'],
  ['bank-account-in-use', 409, 'A withdrawal to this bank account is still open.'],
  ['routing-number-invalid', 422, 'Please enter a valid US routing number.'],
  ['account-number-invalid', 422, 'Please enter an account number of 4 to 17 digits.'],
  ['too-many-bank-accounts', 422, 'You can keep up to 10 bank accounts.'],
  ['wallet-address-invalid', 422, "This isn't a valid Ethereum address."],
  ['wallet-message-invalid', 422, 'The signed message is not the one we made. Please start again.'],
  ['wallet-nonce-unknown', 422, 'This verification is no longer open. Please start again.'],
  ['wallet-nonce-used', 409, 'This verification was already used. Please start again.'],
  ['wallet-nonce-expired', 422, 'This verification has expired. Please start again.'],
  ['wallet-signature-invalid', 422, 'Failed to verify wallet ownership. Please try again.'],
  [
    'wallet-linked-elsewhere',
    409,
    'This wallet is connected to another account. Disconnect it there first.',
  ],
  ['wallet-disconnected', 409, 'This wallet is disconnected. Connect it again first.'],
  ['too-many-wallets', 422, 'You can connect up to 20 wallets.'],
  ['notice-fixed', 422, 'Notifications about security cannot be turned off.'],
  ['loss-limit-invalid', 400, 'Please enter an amount above 0.'],
  ['push-invalid', 422, 'We cannot send push messages to this browser.'],
  ['too-many-push-devices', 422, 'You can allow push messages in up to 20 browsers.'],
  ['webhook-address-invalid', 422, 'Please enter a public https address.'],
  ['too-many-webhooks', 422, 'You can keep up to 5 webhooks.'],
  ['account-not-empty', 409, 'Your account still has money, a bot, or a payment under way.'],
  [
    'download-invalid',
    410,
    'This download has expired. Please start it again on Profile, Your data.',
  ],
  ['chain-unknown', 422, "We don't support balances on this network."],
  ['chain-unconfigured', 503, "Balances on this network aren't set up yet."],
  ['chain-unavailable', 503, 'Failed to fetch wallet balance from blockchain.'],
  ['bot-name-invalid', 422, 'Please enter a bot name'],
  ['bot-pairs-missing', 422, 'Please select at least one trading pair'],
  ['bot-pairs-duplicate', 422, 'Please select each trading pair only once.'],
  ['bot-pair-unavailable', 422, 'There is no market for XRP/USDT right now.'],
  ['bot-amount-invalid', 422, 'Please enter a valid investment amount'],
  ['bot-amount-above-available', 422, 'Investment amount exceeds available balance'],
  ['bot-closing', 409, 'This bot is closing.'],
  ['bot-paused', 409, 'Resume this bot first to take money out.'],
  ['bot-busy', 409, 'This bot is still moving money. Try again in a moment.'],
  ['too-many-bots', 422, 'You can run up to 100 bots.'],
  ['insufficient-balance', 422, 'Your available balance is too low.'],
  ['market-unavailable', 503, 'Prices are unavailable right now. Your money is safe.'],
  ['headers-too-large', 431, 'The headers of the request are larger than 16 kB.'],
  ['request-timed-out', 408, 'The request did not arrive in time. Please send it again.'],
  ['expectation-unknown', 417, "This server does not support the request's Expect header."],
  [
    'temporarily-unavailable',
    503,
    'The service is not available right now. Nothing was lost. Please try again.',
  ],
  ['takes-long', 503, 'This takes longer than usual. Please try again in a moment.'],
  [
    'still-under-way',
    503,
    'This takes longer than usual, and may still go through. Please check before you try again.',
  ],
  [
    'outcome-unknown',
    503,
    "We can't tell whether this went through. Please check before you try again.",
  ],
  ['not-signed-in', 401, 'You are logged out. Logging in again...'],
  ['internal', 500, 'Something went wrong on our side. Your money is safe.'],
]

test.each(SENTENCES)('%s answers %d: %s', (code, status, sentence) => {
  expect(PROBLEMS[code].status).toBe(status)
  expect(sentenceOf({ code, values: VALUES[code] ?? {} })).toBe(sentence)
})

test('every refusal has a row in the table above', () => {
  expect(SENTENCES.map(([code]) => code).toSorted()).toEqual(Object.keys(PROBLEMS).toSorted())
})

test('a refusal may carry its own sentence', () => {
  expect(
    sentenceOf({ code: 'invalid-input', values: {}, sentence: 'Unknown field: {admin}' }),
  ).toBe('Unknown field: {admin}')
})

test('a sentence that lacks its values is a bug', () => {
  expect(() => sentenceOf({ code: 'withdrawals-frozen', values: {} })).toThrow(
    '"owed" was not provided',
  )
})

test('a check that passes shows no message', () => {
  expect(refusalOf(() => checkBotName('Steady'))).toBeUndefined()
})

const good = { name: 'Steady', pairs: ['BTC/USDT'], amount: '100' }

test.each([
  [{ name: '  ' }, 'Invalid Name', 'Please enter a bot name'],
  [{ pairs: [] }, 'No Trading Pairs', 'Please select at least one trading pair'],
  [{ amount: '' }, 'Invalid Amount', 'Please enter a valid investment amount'],
  [{ amount: '0' }, 'Invalid Amount', 'Please enter a valid investment amount'],
  [{ amount: '0.99' }, 'Invalid Amount', 'Please enter a valid investment amount'],
  [{ amount: '100.01' }, 'Insufficient Balance', 'Investment amount exceeds available balance'],
  [{ name: '', amount: '' }, 'Invalid Name', 'Please enter a bot name'],
])(
  'of the checks of a new bot with %j the first refusal is shown: %s',
  (change, title, description) => {
    const { name, pairs, amount } = { ...good, ...change }
    const refusal = refusalOf(() => {
      checkBotName(name)
      checkPairs(pairs, PAIRS)
      checkInvestment({ amount: parseDecimal(amount), available: units('100') })
    })
    expect(refusal).toMatchObject({ title, description })
  },
)

test.each([
  ['', '100', 'Invalid Amount', 'Please enter a valid withdrawal amount'],
  ['0', '100', 'Invalid Amount', 'Please enter a valid withdrawal amount'],
  ['100.01', '100', 'Insufficient Balance', 'Withdrawal amount exceeds available balance'],
  ['9', '5', 'Insufficient Balance', 'Withdrawal amount exceeds available balance'],
  ['9.99', '100', 'Minimum Withdrawal', 'Minimum withdrawal amount is $10'],
])(
  'a withdrawal of %j from a balance of %s is refused with %s',
  (amount, available, title, description) => {
    const refusal = refusalOf(() =>
      checkWithdrawal({
        amount: parseDecimal(amount),
        available: units(available),
        owed: 0n,
        holds: [],
      }),
    )
    expect(refusal).toEqual({ title, description })
  },
)

test('a refusal that no form expects has no title', () => {
  expect(
    refusalOf(() => {
      throw new Refusal('bot-closing')
    }),
  ).toEqual({ title: undefined, description: 'This bot is closing.' })
})

test('every field at fault has a sentence; the others have none', () => {
  const refusals = refusalsOf({
    username: () => checkUsername('ab'),
    password: () => checkLength('password', ''),
    firstName: () => checkLength('firstName', 'Ada'),
  })
  expect(refusals).toEqual({
    username: { title: undefined, description: 'String must contain at least 3 character(s)' },
    password: { title: undefined, description: 'Required' },
  })
})

test('a bug is not reported as a refusal', () => {
  expect(() =>
    refusalOf(() => {
      throw new TypeError('a bug')
    }),
  ).toThrow('a bug')
})

test('a German reader gets the sentence of the catalog, with German dates and amounts', () => {
  addTranslator('de', inGerman)
  setLanguageSource(() => 'de')
  onTestFinished(() => setLanguageSource(() => 'en'))
  const held = refusalOf(() => {
    throw new Refusal('withdrawal-on-hold', {
      values: { from: '2026-11-03 14:05', withdrawable: '$1,200.00' },
    })
  })
  expect(refusalOf(() => checkBotName(' '))?.title).toBe('Ungültiger Name')
  expect(held?.description).toContain('ab 03.11.2026, 14:05 UTC, jetzt höchstens 1.200,00\u00a0$')
  expect(refusalOf(() => checkBotName('x'.repeat(51)))?.description).toBe(
    'Der Name eines Bots darf bis zu 50 Zeichen haben.',
  )
  const claim = {
    domain: 'example.org',
    uri: 'https://example.org',
    address: '0x0000000000000000000000000000000000000001',
    chainId: 137,
    nonce: 'abcdefgh12345678',
    issuedAt: new Date('2026-01-01T00:00:00.000Z'),
    expiresAt: new Date('2026-01-01T00:05:00.000Z'),
  }
  expect(
    refusalOf(() => checkOwnershipMessage(ownershipMessage({ ...claim, chainId: 1 }), claim))
      ?.description,
  ).toBe('Die signierte Nachricht weicht von unserer ab: Chain-ID. Bitte beginne noch einmal.')
})

test.each(Object.entries(COUNT_LIMITS))('the sentence of %s names its limit, %i', (code, limit) => {
  expect(PROBLEMS[code as keyof typeof COUNT_LIMITS].message).toMatch(new RegExp(`\\b${limit}\\b`))
})
