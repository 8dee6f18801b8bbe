import type { User } from './user.ts'

export type Step = { name: string; run: (user: User) => Promise<void> }

/** The main job of the product, from the first visit to the answer of a question. */
export const JOB: readonly Step[] = [
  { name: 'sign up', run: signUp },
  { name: 'deposit by test card', run: deposit },
  { name: 'create a bot', run: createBot },
  { name: 'see it trade', run: watchBot },
  { name: 'see figures change by themselves', run: watchHome },
  { name: 'withdraw', run: withdraw },
  { name: 'find it in the history', run: readHistory },
  { name: 'ask for help', run: askHelp },
]

/** Runs after the pictures, because its last steps leave the account. */
export const END: readonly Step[] = [
  { name: 'choose the dark theme', run: chooseTheme },
  { name: 'sign out', run: signOut },
]

const PASSWORD = 'a long password'

async function signUp(user: User): Promise<void> {
  await user.open('/')
  await user.press('link', 'Start Trading Now')
  await user.fill('Username', 'ada')
  await user.fill('Password', PASSWORD)
  await user.fill('First name', 'Ada')
  await user.fill('Last name', 'Lovelace')
  await user.press('button', 'Create Account')
  await user.see('Welcome back, Ada')
  await user.picture('step-first-home')
}

async function deposit(user: User): Promise<void> {
  await user.press('link', 'Choose it myself')
  await user.press('button', '$500')
  await user.press('button', 'Continue')
  await user.fill('Card number', '4000000000000002')
  await user.fill('Expiry', '1234')
  await user.fill('CVC', '123')
  await user.press('button', 'Deposit $500.00')
  await user.see('Your card was declined.')
  await user.picture('step-declined')
  await user.fill('Card number', '4242424242424242')
  await user.press('button', 'Deposit $500.00')
  await user.see('Card deposit')
  await user.picture('step-deposit-receipt')
  await user.press('button', 'Close')
}

async function createBot(user: User): Promise<void> {
  await user.press('link', 'Bots')
  await user.press('choice', /^Aggressive/)
  await user.picture('step-risk')
  await user.press('button', 'Choose')
  for (const coin of [/^AVAX/, /^LINK/]) await user.press('choice', coin)
  await user.picture('step-coins')
  await user.fill('Bot name', 'Steady')
  await user.fill('Investment amount', '300')
  await user.press('button', 'Guards, plan, fee')
  await user.see(/^Largest drop/)
  await user.picture('step-amount')
  await user.press('button', 'Create Trading Bot')
  await user.see('Bot Created')
  await user.picture('step-created')
  await user.press('button', 'Dismiss')
}

async function watchBot(user: User): Promise<void> {
  await user.see(/^Breakdown/)
  await user.see(/^(Bought|Sold)/)
  await user.press('button', /^Actions for Steady/)
  await user.see(/^Replays the past 30 days/)
  await user.picture('step-bot-menu')
  await user.press('button', /^Simulate/)
  await user.see(/^Result after fees/)
  await user.picture('step-simulation')
  await user.press('button', 'Close')
}

async function watchHome(user: User): Promise<void> {
  await user.press('link', 'Home')
  await user.see('Active Trading Bots')
  const figures = () => user.evaluate<string>('document.body.innerText')
  const before = await figures()
  await user.until('new figures on home', async () => (await figures()) !== before)
  await user.press('button', 'Balance breakdown')
  await user.see(/^Money in bots moves with the market/)
  await user.picture('step-balance')
  await user.press('button', 'Close')
}

async function withdraw(user: User): Promise<void> {
  await user.press('link', 'Withdraw')
  await user.press('button', 'Add Bank Account')
  await user.fill('Bank name', 'First Bank')
  await user.fill('Routing number', '021000021')
  await user.fill('Account number', '000123456789')
  await user.picture('step-bank-account')
  await user.press('button', /^Add/)
  await user.picture('step-confirm')
  await confirmPerson(user)
  await user.press('button', '50%')
  await user.press('button', 'Request Withdrawal')
  await user.press('button', /^Confirm/)
  await confirmPerson(user)
  await user.see(/^Withdrawal to First Bank/)
  await user.picture('step-withdrawal-receipt')
  await user.press('button', 'Close')
}

/** Confirms with the password, which each new bank account and each withdrawal asks for. */
async function confirmPerson(user: User): Promise<void> {
  await user.fill('Password', PASSWORD)
  await user.press('button', 'Confirm')
}

async function readHistory(user: User): Promise<void> {
  await user.press('link', 'History')
  await user.see(/^(Bought|Sold)/)
  await user.press('button', 'Deposits')
  await user.seeNot(/^(Bought|Sold)/)
  await user.press('button', /^Card deposit/)
  await user.see('Exact figures and ledger lines')
  await user.picture('step-receipt')
  // Escape closes it.
  await user.key('\uE00C')
  await user.seeNot('Exact figures and ledger lines')
}

async function askHelp(user: User): Promise<void> {
  await user.press('link', 'Help')
  await user.fill('Your question', 'What does a bot cost?')
  await user.key('\uE007')
  await user.see(/15/)
  await user.picture('step-answer')
}

async function chooseTheme(user: User): Promise<void> {
  await user.press('link', 'Profile')
  await user.see('@ada')
  const paper = () =>
    user.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  await user.press('button', 'Light')
  await user.until('light paper', async () => (await paper()) === 'rgb(246, 244, 238)')
  await user.press('button', 'Dark')
  await user.until('dark paper', async () => (await paper()) === 'rgb(13, 12, 10)')
}

async function signOut(user: User): Promise<void> {
  await user.press('link', 'Profile')
  await user.press('button', 'Sign Out')
  await user.see('Start Trading Now')
  await user.open('/history')
  await user.see('Sign In')
}
