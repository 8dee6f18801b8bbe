import type { NoticeKind } from '#core/notices/notice.ts'
import { msg } from './words.ts'

type Wording = {
  title: string
  text: string
  /** Replaces `text` if amounts are left out. */
  discreet?: string
}

const SOLD_TO_CASH = msg('{bot} is being sold to cash. The money stays in the bot.')

/**
 * The texts of each kind. `device`: a browser's description of itself. `notice-text.ts` prints
 * amounts and moments.
 */
export const WORDINGS: Record<NoticeKind, Wording> = {
  'sign-in': { title: msg('New sign-in'), text: msg('{device} signed in to your account.') },
  'password-changed': {
    title: msg('Password changed'),
    text: msg('Your password was changed, and all other devices were signed out.'),
  },
  'password-reset': {
    title: msg('Password reset'),
    text: msg('A new password was set with a link from your email. All devices were signed out.'),
  },
  'passkey-added': {
    title: msg('Passkey added'),
    text: msg('A new passkey can sign in to your account. All other devices were signed out.'),
  },
  'passkey-removed': {
    title: msg('Passkey removed'),
    text: msg('A passkey was removed from your account. All other devices were signed out.'),
  },
  'authenticator-added': {
    title: msg('Authenticator app added'),
    text: msg(
      'Your account asks for codes of an authenticator app from now on. All other devices ' +
        'were signed out.',
    ),
  },
  'authenticator-removed': {
    title: msg('Authenticator app removed'),
    text: msg(
      'Your account no longer asks for codes of an authenticator app. All other devices ' +
        'were signed out.',
    ),
  },
  'recovery-codes-renewed': {
    title: msg('New recovery codes'),
    text: msg('Your earlier recovery codes no longer work. All other devices were signed out.'),
  },
  'key-made': {
    title: msg('Key for a program created'),
    text: msg(
      'A program with the key {key} can see your balance and bots, and do what you allowed. ' +
        'It can never withdraw.',
    ),
  },
  'key-revoked': {
    title: msg('Key for a program revoked'),
    text: msg('The key {key} no longer works.'),
  },
  'email-asked': {
    title: msg('Email change requested'),
    text: msg('Your email address will be {address} once it is verified.'),
  },
  'email-changed': {
    title: msg('Email changed'),
    text: msg('Your email address is now {address}.'),
  },
  'email-dead': {
    title: msg('Email not delivered'),
    text: msg('{address} does not exist any more. Give another address on Profile.'),
  },
  'account-disowned': {
    title: msg('Account locked'),
    text: msg(
      'Somebody pressed "This was not me". All devices were signed out, and your ' +
        'password no longer works. Withdrawals are locked until you set a new ' +
        'password by email.',
    ),
  },
  'account-closed': {
    title: msg('Account closed'),
    text: msg(
      'Your account @{username} is closed. Your name, email address, devices and ' +
        'wallets were erased; records of money are kept as the law requires.',
    ),
  },
  'bank-account-added': {
    title: msg('Bank account added'),
    text: msg('Withdrawals can now go to {account}.'),
  },
  'bank-account-default': {
    title: msg('Default bank account changed'),
    text: msg('Withdrawals now go to {account}, unless you choose another account.'),
  },
  'bank-account-removed': {
    title: msg('Bank account removed'),
    text: msg('{account} was removed.'),
  },
  'protections-changed': {
    title: msg('Withdrawal protections changed'),
    text: msg('Stricter settings apply immediately, looser ones after a delay.'),
  },
  'webhook-added': {
    title: msg('Webhook added'),
    text: msg('Notifications are sent to {host} from now on.'),
  },
  'webhook-changed': {
    title: msg('Webhook changed'),
    text: msg('The address, the topics or the secret of your webhook at {host} changed.'),
  },
  'webhook-removed': {
    title: msg('Webhook removed'),
    text: msg('Nothing is sent to {host} any more.'),
  },
  'webhook-off': {
    title: msg('Webhook switched off'),
    text: msg('{host} accepts no messages. Save the webhook again to switch it on.'),
  },
  'book-differs': {
    title: msg('Balance being checked'),
    text: msg(
      'A check of the ledger found figures of your account that do not add up. The ' +
        'operator sees them too.',
    ),
  },
  deposit: {
    title: msg('Deposit received'),
    text: msg('{amount} was added to your balance.'),
    discreet: msg('Your deposit was added to your balance.'),
  },
  'deposit-taken-back': {
    title: msg('Card payment taken back'),
    text: msg('{amount} of a card payment went back to the card.'),
    discreet: msg('Part of a card payment went back to the card.'),
  },
  'holds-released': {
    title: msg('Withdrawals no longer wait'),
    text: msg(
      'The operator of this service ended the wait of your withdrawals early, at a ' +
        'request on your behalf. A delay that you chose yourself still applies.',
    ),
  },
  'frozen-by-operator': {
    title: msg('Account frozen'),
    text: msg(
      'The operator of this service froze your account: you can see everything, but ' +
        'change nothing, and withdrawals wait.',
    ),
  },
  'unfrozen-by-operator': {
    title: msg('Account no longer frozen'),
    text: msg('The operator of this service unfroze your account.'),
  },
  'signed-out-by-operator': {
    title: msg('Signed out everywhere'),
    text: msg('The operator of this service signed out all your devices.'),
  },
  'withdrawal-pending': {
    title: msg('Withdrawal requested'),
    text: msg('{amount} to {account}.'),
    discreet: msg('To {account}.'),
  },
  'withdrawal-in_review': {
    title: msg('Withdrawal in review'),
    text: msg('{amount} to {account} is being reviewed.'),
    discreet: msg('Your withdrawal to {account} is being reviewed.'),
  },
  'withdrawal-approved': {
    title: msg('Withdrawal approved'),
    text: msg('{amount} to {account} will be sent next.'),
    discreet: msg('Your withdrawal to {account} will be sent next.'),
  },
  'withdrawal-submitted': {
    title: msg('Withdrawal on its way'),
    text: msg('{amount} was sent to {account}.'),
    discreet: msg('Your money was sent to {account}.'),
  },
  'withdrawal-paid': {
    title: msg('Withdrawal paid'),
    text: msg('{amount} was paid to {account}.'),
    discreet: msg('Your withdrawal was paid to {account}.'),
  },
  'withdrawal-failed': {
    title: msg('Withdrawal refused by the bank'),
    text: msg('{amount} is back in your balance.'),
    discreet: msg('The money is back in your balance.'),
  },
  'withdrawal-returned': {
    title: msg('Withdrawal returned'),
    text: msg('The bank sent {amount} back. It is in your balance.'),
    discreet: msg('The bank sent it back. The money is in your balance.'),
  },
  'withdrawal-canceled': {
    title: msg('Withdrawal canceled'),
    text: msg('{amount} is available again.'),
    discreet: msg('The money is available again.'),
  },
  'withdrawal-rejected': {
    title: msg('Withdrawal rejected'),
    text: msg('{amount} was not sent and is available again.'),
    discreet: msg('It was not sent. The money is available again.'),
  },
  'bot-stopped': {
    title: msg('Bot closed'),
    text: msg('{bot} is closed. {amount} is back in your balance.'),
    discreet: msg('{bot} is closed. Its money is back in your balance.'),
  },
  'stop-loss': { title: msg('Stop loss reached'), text: SOLD_TO_CASH },
  'trailing-stop': { title: msg('Trailing stop reached'), text: SOLD_TO_CASH },
  'take-profit': { title: msg('Take profit reached'), text: SOLD_TO_CASH },
  'daily-loss': {
    title: msg('Daily loss reached'),
    text: msg('{bot} is being sold to cash. It restarts on the next market day (UTC).'),
  },
  'plan-short': {
    title: msg('Plan skipped'),
    text: msg(
      'Your balance was below {amount}, so the plan of {bot} added nothing. It tries ' +
        'again at its next date.',
    ),
    discreet: msg(
      'Your balance was too low, so the plan of {bot} added nothing. It tries again at ' +
        'its next date.',
    ),
  },
  'sale-waits': {
    title: msg('Sale waits'),
    text: msg(
      '{bot} has been unable to sell some of its coins since {since}. {reason} Money from ' +
        'its other sales is not delayed.',
    ),
  },
  'sale-over': {
    title: msg('Sale no longer waits'),
    text: msg('{pair} is traded again, and {bot} has sold its coins.'),
  },
  'first-trade': { title: msg('First trade'), text: msg('{bot} made its first trade.') },
  'loss-limit': {
    title: msg('Loss limit reached'),
    text: msg(
      'Trading has lost {loss} in total. You asked to be notified at {limit}. Your ' +
        'bots keep trading.',
    ),
    discreet: msg('Trading has lost more than your limit. Your bots keep trading.'),
  },
  digest: {
    title: msg('Weekly figures'),
    text: msg(
      'Balance {balance} · result of trading {result} · deposited {deposited} · withdrawn ' +
        '{withdrawn} · platform fees {fees}.',
    ),
    discreet: msg('The figures of your week are ready.'),
  },
}
