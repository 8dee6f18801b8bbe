import { z } from 'zod'
import type { RefusalCode } from '#core/refusal.ts'

/** What every error answer carries. `message` is for people; `field` names the input at fault. */
export const Problem = z.strictObject({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
})
export type Problem = z.infer<typeof Problem>

type Sentence = { status: number; title: string; message: string }

/** One home for every sentence the product says no with: status, toast title, toast text. */
export const PROBLEMS = {
  'invalid-input': { status: 400, title: 'Invalid Input', message: 'Please check what you entered.' },
  'body-too-large': { status: 413, title: 'Too Large', message: 'The request is larger than 64 kB.' },
  'unsupported-media-type': { status: 415, title: 'Unsupported Format', message: 'Requests must be JSON.' },
  'not-found': { status: 404, title: 'Not Found', message: 'There is nothing here.' },
  'not-signed-in': { status: 401, title: 'Unauthorized', message: 'You are logged out. Logging in again...' },
  'wrong-credentials': { status: 401, title: 'Login failed', message: 'Please check your credentials and try again.' },
  'wrong-password': { status: 422, title: 'Password not changed', message: 'This is not your present password.' },
  'too-many-attempts': { status: 429, title: 'Slow down', message: 'Too many attempts. Please wait a minute and try again.' },
  'cross-site': { status: 403, title: 'Blocked', message: 'This request came from another site and was blocked.' },
  'username-taken': { status: 409, title: 'Signup failed', message: 'This username is already taken.' },
  'email-taken': { status: 409, title: 'Signup failed', message: 'This email address is already in use.' },
  'common-password': { status: 422, title: 'Signup failed', message: 'This password is among the most common ones. Please choose another.' },
  'idempotency-key-reused': { status: 422, title: 'Already used', message: 'This request key was already used for something else.' },
  'deposit-amount-invalid': { status: 400, title: 'Invalid Amount', message: 'Please enter a valid amount (minimum $10).' },
  'deposit-below-minimum': { status: 422, title: 'Invalid Amount', message: 'Minimum deposit amount is $10' },
  'deposit-above-maximum': { status: 422, title: 'Invalid Amount', message: 'Maximum deposit amount is $10,000' },
  'payment-unavailable': {
    status: 503,
    title: 'Error',
    message: 'Payment system is currently being configured; contact support',
  },
  'payment-not-succeeded': { status: 409, title: 'Payment Failed', message: 'This payment has not succeeded. You were not charged.' },
  'payment-not-open': { status: 409, title: 'Payment Failed', message: 'This payment can no longer be paid. Please start again.' },
  'payment-provider-away': {
    status: 503,
    title: 'Error',
    message: 'The card provider does not answer right now. Nothing happens twice: please try again in a moment.',
  },
  'webhook-signature-invalid': { status: 400, title: 'Refused', message: 'This message does not carry a valid signature.' },
  'withdrawals-frozen': {
    status: 409,
    title: 'Withdrawals Paused',
    message: 'A card payment of yours was refunded or disputed after its money was used. Withdrawals continue once that is paid back.',
  },
  'withdrawal-on-hold': { status: 422, title: 'On Hold', message: 'Card deposits can be withdrawn some days after they arrive.' },
  'withdrawal-amount-invalid': { status: 422, title: 'Invalid Amount', message: 'Please enter a valid withdrawal amount' },
  'withdrawal-above-available': { status: 422, title: 'Insufficient Balance', message: 'Withdrawal amount exceeds available balance' },
  'withdrawal-below-minimum': { status: 422, title: 'Minimum Withdrawal', message: 'Minimum withdrawal amount is $10' },
  'withdrawal-not-cancelable': { status: 409, title: 'Too late', message: 'This withdrawal is already on its way and cannot be canceled.' },
  'withdrawal-state': { status: 409, title: 'Not possible', message: 'The withdrawal is not in a state that allows this.' },
  'operator-unnamed': { status: 422, title: 'Who are you?', message: 'This needs two persons: set OPERATOR to your own name.' },
  'bank-account-required': { status: 422, title: 'Withdrawal Failed', message: 'Add a bank account first' },
  'bank-account-in-use': { status: 409, title: 'In use', message: 'A withdrawal to this bank account is still open.' },
  'routing-number-invalid': { status: 422, title: 'Invalid Routing Number', message: 'This is not a valid US routing number.' },
  'account-number-invalid': { status: 422, title: 'Invalid Account Number', message: 'An account number has 4 to 17 digits.' },
  'too-many-bank-accounts': { status: 422, title: 'Limit reached', message: 'You can keep up to 10 bank accounts.' },
  'wallet-address-invalid': { status: 422, title: 'Verification failed', message: 'This is not a valid Ethereum address.' },
  'wallet-message-invalid': { status: 422, title: 'Verification failed', message: 'The signed message is not the one we made. Please start again.' },
  'wallet-nonce-unknown': { status: 422, title: 'Verification failed', message: 'This verification is no longer open. Please start again.' },
  'wallet-nonce-used': { status: 409, title: 'Verification failed', message: 'This verification was already used. Please start again.' },
  'wallet-nonce-expired': { status: 422, title: 'Verification failed', message: 'This verification has expired. Please start again.' },
  'wallet-signature-invalid': { status: 422, title: 'Verification failed', message: 'Failed to verify wallet ownership. Please try again.' },
  'wallet-linked-elsewhere': {
    status: 409,
    title: 'Verification failed',
    message: 'This wallet is connected to another account. Disconnect it there first.',
  },
  'wallet-disconnected': { status: 409, title: 'Balance refresh failed', message: 'This wallet is disconnected. Connect it again first.' },
  'too-many-wallets': { status: 422, title: 'Limit reached', message: 'You can connect up to 20 wallets.' },
  'chain-unknown': { status: 422, title: 'Balance refresh failed', message: 'We do not know this network, so its balance cannot be read.' },
  'chain-unconfigured': {
    status: 503,
    title: 'Balance refresh failed',
    message: 'No chain access is configured for this network, so its balance cannot be read.',
  },
  'chain-unavailable': { status: 503, title: 'Balance refresh failed', message: 'Failed to fetch wallet balance from blockchain.' },
  'bot-name-invalid': { status: 422, title: 'Invalid Name', message: 'Please enter a bot name' },
  'bot-pairs-missing': { status: 422, title: 'No Trading Pairs', message: 'Please select at least one trading pair' },
  'bot-pairs-duplicate': { status: 422, title: 'Duplicate Trading Pair', message: 'Each trading pair can be selected once.' },
  'bot-pair-unavailable': { status: 422, title: 'No Market', message: 'There is no market for this trading pair at the moment.' },
  'bot-amount-invalid': { status: 422, title: 'Invalid Amount', message: 'Please enter a valid investment amount' },
  'bot-amount-above-available': { status: 422, title: 'Insufficient Balance', message: 'Investment amount exceeds available balance' },
  'bot-closing': { status: 409, title: 'Closing', message: 'This bot is being closed.' },
  'too-many-bots': { status: 422, title: 'Limit reached', message: 'You can run up to 100 bots.' },
  'insufficient-balance': { status: 422, title: 'Insufficient Balance', message: 'Your available balance is not enough.' },
  'market-unavailable': { status: 503, title: 'No prices', message: 'The market is not available right now. Your money is where it was.' },
  'temporarily-unavailable': { status: 503, title: 'Try again', message: 'The service is restarting. Nothing was lost; please try again.' },
  internal: { status: 500, title: 'Error', message: 'Something went wrong on our side. Your money is where it was.' },
} as const satisfies Record<RefusalCode, Sentence>
