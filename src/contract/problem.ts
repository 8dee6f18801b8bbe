import { Refusal, type RefusalCode } from '#core/refusal.ts'
import { momentInWords } from '#words/moment.ts'
import { amountInWords } from '#words/sentence-text.ts'
import { msg, say, sayIfKnown } from '#words/words.ts'
import { COMMON_PROBLEMS, type ProblemText } from './common-problems.ts'

const problem = (status: number, message: string, title?: string): ProblemText =>
  title === undefined ? { status, message } : { status, message, title }

/**
 * Status and sentence of every refusal, and a heading for those that a form shows before sending.
 * Separate from the schemas, because the browser loads no schema library.
 */
export const PROBLEMS = {
  ...COMMON_PROBLEMS,
  'invalid-input': problem(400, msg('Please check what you entered.')),
  'cursor-invalid': problem(400, msg('This cursor is not valid.')),
  required: problem(400, msg('Required')),
  'text-too-short': problem(400, msg('String must contain at least {minimum} character(s)')),
  'text-too-long': problem(400, msg('String must contain at most {maximum} character(s)')),
  'username-invalid': problem(400, msg('Use letters, digits, underscore, dot and hyphen')),
  'email-invalid': problem(400, msg('Invalid email')),
  'body-too-large': problem(413, msg('The request is larger than 64 kB.')),
  'unsupported-media-type': problem(415, msg('Requests must be JSON.')),
  'headers-too-large': problem(431, msg('The headers of the request are larger than 16 kB.')),
  'request-timed-out': problem(
    408,
    msg('The request did not arrive in time. Please send it again.'),
  ),
  'expectation-unknown': problem(
    417,
    msg("This server does not support the request's Expect header."),
  ),
  'not-found': problem(404, msg("We couldn't find that.")),
  'wrong-credentials': problem(401, msg('Please check your credentials and try again.')),
  'wrong-password': problem(422, msg('This password is incorrect.')),
  'password-unchanged': problem(400, msg('Your new password must differ from the current one.')),
  'proof-required': problem(403, msg("Please confirm that it's you.")),
  'second-factor-required': problem(403, msg('Please use your second factor.')),
  'second-factor-missing': problem(409, msg('Add a passkey or an authenticator app first.')),
  'wrong-code': problem(422, msg('This code is incorrect or was already used.')),
  'wrong-passkey': problem(422, msg('This passkey was not accepted.')),
  'passkey-unavailable': problem(422, msg("Passkeys don't work at this address.")),
  'too-many-passkeys': problem(422, msg('You can keep up to 10 passkeys.')),
  'too-many-keys': problem(422, msg('You can keep up to 10 keys for programs.')),
  'key-invalid': problem(401, msg('This key is unknown, revoked or expired.')),
  'key-network': problem(403, msg('This key does not work from this network.')),
  'key-scope': problem(403, msg('A key with the scope "{scope}" does not allow this.')),
  'key-bots-limit': problem(
    422,
    msg('The bots of this key reached their limit ({count}). Close one of them first.'),
  ),
  'key-amount-limit': problem(422, msg('This key may put up to {limit} into bots a day.')),
  'key-limit-invalid': problem(400, msg('Please enter a limit above 0.')),
  'key-network-invalid': problem(400, msg('Enter addresses or networks in CIDR notation.')),
  'authenticator-exists': problem(
    409,
    msg('An authenticator app is already set up. Remove it first.'),
  ),
  'authenticator-expired': problem(409, msg('This setup has expired. Please start again.')),
  'too-many-attempts': problem(429, msg('Too many attempts. Please try again in {wait}.')),
  busy: problem(503, msg("We're busy right now. Please try again in {wait}.")),
  'cross-site': problem(403, msg('This request came from another site and was blocked.')),
  'wrong-host': problem(421, msg('This server does not answer under this address.')),
  'username-taken': problem(409, msg('This username is already taken.')),
  'link-invalid': problem(
    410,
    msg('This link no longer works. Links work once, and for a limited time.'),
  ),
  'account-not-empty': problem(
    409,
    msg('Your account still has money, a bot, or a payment under way.'),
  ),
  'download-invalid': problem(
    410,
    msg('This download has expired. Please start it again on Profile, Your data.'),
  ),
  'common-password': problem(
    422,
    msg('This password is among the most common ones. Please choose another.'),
  ),
  'breached-password': problem(
    422,
    msg('This password is known from data breaches. Please choose another.'),
  ),
  'idempotency-key-reused': problem(
    422,
    msg('This idempotency key was already used for a different request.'),
  ),
  'deposit-amount-invalid': problem(
    400,
    msg('Please enter a valid amount (minimum {minimum}).'),
    msg('Invalid Amount'),
  ),
  'deposit-below-minimum': problem(
    422,
    msg('Minimum deposit amount is {minimum}'),
    msg('Invalid Amount'),
  ),
  'deposit-above-maximum': problem(
    422,
    msg('Maximum deposit amount is {maximum}'),
    msg('Invalid Amount'),
  ),
  'card-number-invalid': problem(400, msg('Enter the 12 to 19 digits of the card')),
  'card-expiry-invalid': problem(400, msg('Enter the date as MM/YY')),
  'card-cvc-invalid': problem(400, msg('Enter the 3 or 4 digits')),
  'payment-unavailable': problem(
    503,
    msg('Payment system is currently being configured; contact support'),
  ),
  'payment-not-succeeded': problem(
    409,
    msg("This payment didn't go through. You were not charged."),
  ),
  'payment-provider-away': problem(
    503,
    msg(
      "The card provider isn't responding. Please try again in a moment. " +
        "You won't be charged twice.",
    ),
  ),
  'webhook-signature-invalid': problem(400, msg('The signature of this webhook is invalid.')),
  'withdrawals-frozen': problem(
    409,
    msg(
      'A card payment was refunded or disputed after you used its money. You can withdraw ' +
        'again once {owed} is paid back, by a deposit or from your bots.',
    ),
  ),
  'withdrawals-waiting': problem(
    409,
    msg('To protect your account, withdrawals wait until {until} UTC after the change.'),
  ),
  'withdrawals-locked': problem(
    409,
    msg(
      'Withdrawals are locked, because somebody pressed "This was not me" in a message ' +
        'about your account.',
    ),
  ),
  'withdrawal-on-hold': problem(
    422,
    msg(
      'This amount includes a card deposit that is still on hold. You can withdraw it from ' +
        '{from} UTC, or up to {withdrawable} now.',
    ),
  ),
  'withdrawal-amount-invalid': problem(
    422,
    msg('Please enter a valid withdrawal amount'),
    msg('Invalid Amount'),
  ),
  'withdrawal-above-available': problem(
    422,
    msg('Withdrawal amount exceeds available balance'),
    msg('Insufficient Balance'),
  ),
  'withdrawal-below-minimum': problem(
    422,
    msg('Minimum withdrawal amount is {minimum}'),
    msg('Minimum Withdrawal'),
  ),
  'withdrawal-above-limit': problem(
    422,
    msg('You chose a daily limit. {left} of it is left for these 24 hours.'),
    msg('Daily Limit'),
  ),
  'bank-account-not-allowed': problem(
    409,
    msg('This bank account is new. You can withdraw to it from {from} UTC on.'),
  ),
  'daily-limit-invalid': problem(422, msg('Please enter an amount of at least $10.')),
  'withdrawal-not-cancelable': problem(
    409,
    msg("This withdrawal is already on its way and can't be canceled."),
  ),
  'withdrawal-state': problem(409, msg("The withdrawal's current state doesn't allow this.")),
  'payout-unproven': problem(
    409,
    msg('This withdrawal waits until the origin of its money is confirmed.'),
  ),
  'account-frozen': problem(
    403,
    msg('Your account is frozen: you can see everything, but change nothing. Write to {support}.'),
  ),
  'account-locked': problem(
    403,
    msg(
      'This account is locked, because its sign-in details were changed from outside the ' +
        'app. Please contact support.',
    ),
  ),
  'operator-signed-out': problem(401, msg('Sign in as an operator first.')),
  'operator-role': problem(403, msg('Your role does not allow this. Your roles: {roles}.')),
  'bank-account-required': problem(422, msg('Add a bank account first'), msg('Withdrawal Failed')),
  'bank-account-in-use': problem(409, msg('A withdrawal to this bank account is still open.')),
  'routing-number-invalid': problem(422, msg('Please enter a valid US routing number.')),
  'account-number-invalid': problem(422, msg('Please enter an account number of 4 to 17 digits.')),
  'too-many-bank-accounts': problem(422, msg('You can keep up to 10 bank accounts.')),
  'wallet-address-invalid': problem(422, msg("This isn't a valid Ethereum address.")),
  'wallet-message-invalid': problem(
    422,
    msg('The signed message is not the one we made. Please start again.'),
  ),
  'wallet-nonce-unknown': problem(
    422,
    msg('This verification is no longer open. Please start again.'),
  ),
  'wallet-nonce-used': problem(409, msg('This verification was already used. Please start again.')),
  'wallet-nonce-expired': problem(422, msg('This verification has expired. Please start again.')),
  'wallet-signature-invalid': problem(
    422,
    msg('Failed to verify wallet ownership. Please try again.'),
  ),
  'wallet-linked-elsewhere': problem(
    409,
    msg('This wallet is connected to another account. Disconnect it there first.'),
  ),
  'wallet-disconnected': problem(409, msg('This wallet is disconnected. Connect it again first.')),
  'too-many-wallets': problem(422, msg('You can connect up to 20 wallets.')),
  'notice-fixed': problem(422, msg('Notifications about security cannot be turned off.')),
  'loss-limit-invalid': problem(400, msg('Please enter an amount above 0.')),
  'push-invalid': problem(422, msg('We cannot send push messages to this browser.')),
  'too-many-push-devices': problem(422, msg('You can allow push messages in up to 20 browsers.')),
  'webhook-address-invalid': problem(422, msg('Please enter a public https address.')),
  'too-many-webhooks': problem(422, msg('You can keep up to 5 webhooks.')),
  'chain-unknown': problem(422, msg("We don't support balances on this network.")),
  'chain-unconfigured': problem(503, msg("Balances on this network aren't set up yet.")),
  'chain-unavailable': problem(503, msg('Failed to fetch wallet balance from blockchain.')),
  'bot-name-invalid': problem(422, msg('Please enter a bot name'), msg('Invalid Name')),
  'bot-pairs-missing': problem(
    422,
    msg('Please select at least one trading pair'),
    msg('No Trading Pairs'),
  ),
  'bot-pairs-duplicate': problem(422, msg('Please select each trading pair only once.')),
  'bot-pair-unavailable': problem(422, msg('There is no market for {pair} right now.')),
  'bot-amount-invalid': problem(
    422,
    msg('Please enter a valid investment amount'),
    msg('Invalid Amount'),
  ),
  'bot-amount-above-available': problem(
    422,
    msg('Investment amount exceeds available balance'),
    msg('Insufficient Balance'),
  ),
  'bot-closing': problem(409, msg('This bot is closing.')),
  'bot-paused': problem(409, msg('Resume this bot first to take money out.')),
  'bot-busy': problem(409, msg('This bot is still moving money. Try again in a moment.')),
  'too-many-bots': problem(422, msg('You can run up to 100 bots.')),
  'insufficient-balance': problem(422, msg('Your available balance is too low.')),
  'market-unavailable': problem(503, msg('Prices are unavailable right now. Your money is safe.')),
  'temporarily-unavailable': problem(
    503,
    msg('The service is not available right now. Nothing was lost. Please try again.'),
  ),
  'takes-long': problem(503, msg('This takes longer than usual. Please try again in a moment.')),
  'still-under-way': problem(
    503,
    msg(
      'This takes longer than usual, and may still go through. Please check before you try again.',
    ),
  ),
  'outcome-unknown': problem(
    503,
    msg("We can't tell whether this went through. Please check before you try again."),
  ),
} satisfies Record<RefusalCode, ProblemText>

export function sentenceOf({
  code,
  sentence,
  values,
}: Pick<Refusal, 'code' | 'values'> & { sentence?: string | undefined }): string {
  const spelled = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      sayIfKnown(momentInWords(amountInWords(value))),
    ]),
  )
  if (sentence === undefined) return say(PROBLEMS[code].message, spelled)
  return 'field' in values ? say(sentence, spelled) : sayIfKnown(sentence)
}

/** `title`: the heading of the toast, if the refusal has one. */
export type ShownRefusal = { title: string | undefined; description: string }

/**
 * The refusal of a check of core, as a form shows it before sending; undefined if the check passes.
 */
export function refusalOf(check: () => unknown): ShownRefusal | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { title }: ProblemText = PROBLEMS[error.code]
    return { title: title && say(title), description: sentenceOf(error) }
  }
}

/** By field; fields that pass are left out. */
export function refusalsOf<Field extends string>(checks: {
  [Name in Field]?: (() => unknown) | undefined
}): Partial<Record<Field, ShownRefusal>> {
  const refusals: Partial<Record<Field, ShownRefusal>> = {}
  for (const field in checks) {
    const check = checks[field]
    const refusal = check && refusalOf(check)
    if (refusal) refusals[field] = refusal
  }
  return refusals
}
