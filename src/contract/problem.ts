import { Refusal, type RefusalCode } from '#core/refusal.ts'
import { amountInWords } from '#words/figures.ts'
import { momentInWords } from '#words/moment.ts'
import { msg, say, sayIfKnown } from '#words/words.ts'
import { COMMON_PROBLEMS, type ProblemText } from './common-problems.ts'

/**
 * The status and the sentence of every refusal. Plain data, so that the browser carries no schema
 * library: the server answers with these sentences, and forms show them before anything is sent.
 */
export const PROBLEMS = {
  ...COMMON_PROBLEMS,
  'invalid-input': { status: 400, message: msg('Please check what you entered.') },
  'cursor-invalid': { status: 400, message: msg('This cursor is not one of ours.') },
  required: { status: 400, message: msg('Required') },
  'text-too-short': {
    status: 400,
    message: msg('String must contain at least {minimum} character(s)'),
  },
  'text-too-long': {
    status: 400,
    message: msg('String must contain at most {maximum} character(s)'),
  },
  'username-invalid': {
    status: 400,
    message: msg('Use letters, digits, underscore, dot and hyphen'),
  },
  'email-invalid': { status: 400, message: msg('Invalid email') },
  'body-too-large': { status: 413, message: msg('The request is larger than 64 kB.') },
  'unsupported-media-type': { status: 415, message: msg('Requests must be JSON.') },
  'headers-too-large': {
    status: 431,
    message: msg('The headers of the request are larger than 16 kB.'),
  },
  'request-timed-out': {
    status: 408,
    message: msg('The request did not arrive in time. Please send it again.'),
  },
  'expectation-unknown': {
    status: 417,
    message: msg('This server does not know what the request expects.'),
  },
  'not-found': { status: 404, message: msg("We couldn't find that.") },
  'wrong-credentials': {
    status: 401,
    message: msg('Please check your credentials and try again.'),
  },
  'wrong-password': { status: 422, message: msg('This password is incorrect.') },
  'password-unchanged': {
    status: 400,
    message: msg('Your new password must differ from the current one.'),
  },
  'proof-required': { status: 403, message: msg("Please confirm that it's you.") },
  'second-factor-required': { status: 403, message: msg('Please use your second factor.') },
  'second-factor-missing': {
    status: 409,
    message: msg('Add a passkey or an authenticator app first.'),
  },
  'wrong-code': { status: 422, message: msg('This code is incorrect or was already used.') },
  'wrong-passkey': { status: 422, message: msg('This passkey was not accepted.') },
  'passkey-unavailable': { status: 422, message: msg("Passkeys don't work at this address.") },
  'too-many-passkeys': { status: 422, message: msg('You can keep up to 10 passkeys.') },
  'authenticator-exists': {
    status: 409,
    message: msg('An authenticator app is already set up. Remove it first.'),
  },
  'authenticator-expired': {
    status: 409,
    message: msg('This setup has expired. Please start again.'),
  },
  'too-many-attempts': {
    status: 429,
    message: msg('Too many attempts. Please try again in {wait}.'),
  },
  busy: { status: 503, message: msg("We're busy right now. Please try again in {wait}.") },
  'cross-site': {
    status: 403,
    message: msg('This request came from another site and was blocked.'),
  },
  'wrong-host': { status: 421, message: msg('This server does not answer under this address.') },
  'username-taken': { status: 409, message: msg('This username is already taken.') },
  'link-invalid': {
    status: 410,
    message: msg('This link does not work any more. Links work once, and for a limited time.'),
  },
  'account-not-empty': {
    status: 409,
    message: msg('Your account still has money, a bot, or a payment under way.'),
  },
  'download-invalid': {
    status: 410,
    message: msg('This download has expired. Please start it again on Profile, Your data.'),
  },
  'common-password': {
    status: 422,
    message: msg('This password is among the most common ones. Please choose another.'),
  },
  'breached-password': {
    status: 422,
    message: msg('This password is known from data breaches. Please choose another.'),
  },
  'idempotency-key-reused': {
    status: 422,
    message: msg('This idempotency key was already used for a different request.'),
  },
  'deposit-amount-invalid': {
    status: 400,
    title: msg('Invalid Amount'),
    message: msg('Please enter a valid amount (minimum {minimum}).'),
  },
  'deposit-below-minimum': {
    status: 422,
    title: msg('Invalid Amount'),
    message: msg('Minimum deposit amount is {minimum}'),
  },
  'deposit-above-maximum': {
    status: 422,
    title: msg('Invalid Amount'),
    message: msg('Maximum deposit amount is {maximum}'),
  },
  'card-number-invalid': { status: 400, message: msg('Enter the 12 to 19 digits of the card') },
  'card-expiry-invalid': { status: 400, message: msg('Enter the date as MM/YY') },
  'card-cvc-invalid': { status: 400, message: msg('Enter the 3 or 4 digits') },
  'payment-unavailable': {
    status: 503,
    message: msg('Payment system is currently being configured; contact support'),
  },
  'payment-not-succeeded': {
    status: 409,
    message: msg("This payment didn't go through. You were not charged."),
  },
  'payment-provider-away': {
    status: 503,
    message: msg(
      "The card provider isn't responding. Please try again in a moment. You won't be charged twice.",
    ),
  },
  'webhook-signature-invalid': {
    status: 400,
    message: msg('The signature of this webhook is invalid.'),
  },
  'withdrawals-frozen': {
    status: 409,
    message: msg(
      'A card payment was refunded or disputed after you used its money. You can withdraw again once {owed} is paid back, by a deposit or from your bots.',
    ),
  },
  'withdrawals-waiting': {
    status: 409,
    message: msg(
      'To protect your account, withdrawals wait until {until} UTC after a change of it.',
    ),
  },
  'withdrawals-locked': {
    status: 409,
    message: msg(
      'Withdrawals are locked, because somebody pressed "This was not me" in a message about your account.',
    ),
  },
  'withdrawal-on-hold': {
    status: 422,
    message: msg(
      'This amount includes a card deposit that is still on hold. You can withdraw it from {from} UTC, or up to {withdrawable} now.',
    ),
  },
  'withdrawal-amount-invalid': {
    status: 422,
    title: msg('Invalid Amount'),
    message: msg('Please enter a valid withdrawal amount'),
  },
  'withdrawal-above-available': {
    status: 422,
    title: msg('Insufficient Balance'),
    message: msg('Withdrawal amount exceeds available balance'),
  },
  'withdrawal-below-minimum': {
    status: 422,
    title: msg('Minimum Withdrawal'),
    message: msg('Minimum withdrawal amount is {minimum}'),
  },
  'withdrawal-above-limit': {
    status: 422,
    title: msg('Daily Limit'),
    message: msg('You chose a daily limit. {left} of it is left for these 24 hours.'),
  },
  'bank-account-not-allowed': {
    status: 409,
    message: msg('This bank account is new. You can withdraw to it from {from} UTC on.'),
  },
  'daily-limit-invalid': { status: 422, message: msg('Please enter an amount of at least $10.') },
  'withdrawal-not-cancelable': {
    status: 409,
    message: msg("This withdrawal is already on its way and can't be canceled."),
  },
  'withdrawal-state': {
    status: 409,
    message: msg("The withdrawal's current state doesn't allow this."),
  },
  'payout-unproven': {
    status: 409,
    message: msg('This withdrawal waits until the origin of its money is confirmed.'),
  },
  'account-frozen': {
    status: 403,
    message: msg(
      'Your account is frozen: you can see everything, but change nothing. Write to {support}.',
    ),
  },
  'account-locked': {
    status: 403,
    message: msg(
      'This account is locked, because its sign-in details were changed from outside the app. Please contact support.',
    ),
  },
  'operator-signed-out': { status: 401, message: msg('Sign in as an operator first.') },
  'operator-role': {
    status: 403,
    message: msg('Your role does not allow this. Your roles: {roles}.'),
  },
  'bank-account-required': {
    status: 422,
    title: msg('Withdrawal Failed'),
    message: msg('Add a bank account first'),
  },
  'bank-account-in-use': {
    status: 409,
    message: msg('A withdrawal to this bank account is still open.'),
  },
  'routing-number-invalid': {
    status: 422,
    message: msg('Please enter a valid US routing number.'),
  },
  'account-number-invalid': {
    status: 422,
    message: msg('Please enter an account number of 4 to 17 digits.'),
  },
  'too-many-bank-accounts': { status: 422, message: msg('You can keep up to 10 bank accounts.') },
  'wallet-address-invalid': { status: 422, message: msg("This isn't a valid Ethereum address.") },
  'wallet-message-invalid': {
    status: 422,
    message: msg('The signed message is not the one we made. Please start again.'),
  },
  'wallet-nonce-unknown': {
    status: 422,
    message: msg('This verification is no longer open. Please start again.'),
  },
  'wallet-nonce-used': {
    status: 409,
    message: msg('This verification was already used. Please start again.'),
  },
  'wallet-nonce-expired': {
    status: 422,
    message: msg('This verification has expired. Please start again.'),
  },
  'wallet-signature-invalid': {
    status: 422,
    message: msg('Failed to verify wallet ownership. Please try again.'),
  },
  'wallet-linked-elsewhere': {
    status: 409,
    message: msg('This wallet is connected to another account. Disconnect it there first.'),
  },
  'wallet-disconnected': {
    status: 409,
    message: msg('This wallet is disconnected. Connect it again first.'),
  },
  'too-many-wallets': { status: 422, message: msg('You can connect up to 20 wallets.') },
  'notice-fixed': { status: 422, message: msg('Notices about security cannot be switched off.') },
  'loss-limit-invalid': { status: 400, message: msg('Please enter an amount above 0.') },
  'push-invalid': {
    status: 422,
    message: msg('This browser cannot receive push messages from here.'),
  },
  'too-many-push-devices': {
    status: 422,
    message: msg('You can allow push messages in up to 20 browsers.'),
  },
  'chain-unknown': { status: 422, message: msg("We don't support balances on this network.") },
  'chain-unconfigured': {
    status: 503,
    message: msg("Balances on this network aren't set up yet."),
  },
  'chain-unavailable': {
    status: 503,
    message: msg('Failed to fetch wallet balance from blockchain.'),
  },
  'bot-name-invalid': {
    status: 422,
    title: msg('Invalid Name'),
    message: msg('Please enter a bot name'),
  },
  'bot-pairs-missing': {
    status: 422,
    title: msg('No Trading Pairs'),
    message: msg('Please select at least one trading pair'),
  },
  'bot-pairs-duplicate': {
    status: 422,
    message: msg('Please select each trading pair only once.'),
  },
  'bot-pair-unavailable': { status: 422, message: msg('There is no market for {pair} right now.') },
  'bot-amount-invalid': {
    status: 422,
    title: msg('Invalid Amount'),
    message: msg('Please enter a valid investment amount'),
  },
  'bot-amount-above-available': {
    status: 422,
    title: msg('Insufficient Balance'),
    message: msg('Investment amount exceeds available balance'),
  },
  'bot-closing': { status: 409, message: msg('This bot is closing.') },
  'bot-paused': { status: 409, message: msg('Resume this bot first to take money out.') },
  'bot-busy': {
    status: 409,
    message: msg('This bot is still moving money. Try again in a moment.'),
  },
  'too-many-bots': { status: 422, message: msg('You can run up to 100 bots.') },
  'insufficient-balance': { status: 422, message: msg('Your available balance is too low.') },
  'market-unavailable': {
    status: 503,
    message: msg('Prices are unavailable right now. Your money is safe.'),
  },
  'temporarily-unavailable': {
    status: 503,
    message: msg('The service is not available right now. Nothing was lost. Please try again.'),
  },
  'takes-long': {
    status: 503,
    message: msg('This takes longer than usual. Please try again in a moment.'),
  },
  'still-under-way': {
    status: 503,
    message: msg(
      'This takes longer than usual, and may still go through. Please look before you try again.',
    ),
  },
  'outcome-unknown': {
    status: 503,
    message: msg("We can't tell whether this went through. Please look before you try again."),
  },
} as const satisfies Record<RefusalCode, ProblemText>

/** The sentence that people read, with its placeholders filled. */
export function sentenceOf({
  code,
  sentence,
  values,
}: Pick<Refusal, 'code' | 'values'> & { sentence?: string | undefined }): string {
  const spelled = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, momentInWords(amountInWords(value))]),
  )
  return sentence === undefined ? say(PROBLEMS[code].message, spelled) : sayIfKnown(sentence)
}

export type ShownRefusal = { title: string; description: string; field: string | undefined }

/**
 * The refusal of one of core's checks as a form shows it, in the server's words and before anything
 * is sent. Undefined if the check passes.
 */
export function refusalOf(check: () => unknown): ShownRefusal | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { title = msg('Error') }: ProblemText = PROBLEMS[error.code]
    return { title: say(title), description: sentenceOf(error), field: error.field }
  }
}

/** The sentences of a form whose fields are checked one by one; fields that pass are left out. */
export function refusalsOf<Field extends string>(
  checks: Record<Field, () => unknown>,
): Partial<Record<Field, string>> {
  const sentences: Partial<Record<Field, string>> = {}
  for (const field in checks) {
    const refusal = refusalOf(checks[field])
    if (refusal) sentences[field] = refusal.description
  }
  return sentences
}
