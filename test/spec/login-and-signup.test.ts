import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { answering, holding } from './answers.ts'
import {
  absent,
  at,
  becomes,
  button,
  field,
  fill,
  goTo,
  leads,
  press,
  steps,
  text,
  type Check,
} from './checks.ts'
import { openProduct, type Product } from './product.ts'
import { screen } from './rows.ts'
import { destructive, toast } from './toasts.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

const LOGIN = 'POST /api/auth/login'
const SIGNUP = 'POST /api/auth/signup'
const NO_WORDS = { status: 422, json: { code: 'internal', message: '' } }

/** Submits the form with this text, after which `sentence` is shown under the field. */
const complains = (submit: string, label: string, typed: string, sentence: string): Check => {
  return steps(fill({ [label]: typed }), press(submit), (page) => described(page, label, sentence))
}
const accepts = (submit: string, label: string, typed: string): Check =>
  steps(fill({ [label]: typed }), press(submit), (page) => described(page, label, ''))

async function described(page: Page, label: string, sentence: string): Promise<void> {
  const input = page.getByLabel(label, { exact: true })
  await becomes(() => input.getAttribute('aria-invalid'), String(sentence !== ''))
  if (sentence !== '')
    await page
      .locator(`#${(await input.getAttribute('id')) ?? ''}-error`)
      .getByText(sentence, { exact: true })
      .waitFor()
}

const signIn = (username: string, password: string) =>
  steps(fill({ Username: username, Password: password }), press('Sign In'))
const login = (label: string, typed: string, sentence: string) =>
  complains('Sign In', label, typed, sentence)
const signup = (label: string, typed: string, sentence: string) =>
  complains('Create Account', label, typed, sentence)

screen(() => product.open('/login'), {
  '2 Login': {
    'a username field': field('Username', { autocomplete: 'username' }),
    'a password field, which hides what is typed': field('Password', {
      type: 'password',
      autocomplete: 'current-password',
    }),
    "button 'Sign In'": button('Sign In'),
    "link 'Create one' leads to /signup": leads('Create one', '/signup'),
    "the button says 'Signing in...' while pending": steps(
      holding(LOGIN, signIn('nobody', 'a long password'), button('Signing in...')),
      destructive('Login failed'),
    ),
  },
  '5 Login': {
    "an empty form: 'Required'": steps(goTo('/login'), login('Username', '', 'Required')),
    "an empty username: 'Required'": login('Username', '', 'Required'),
    "a username of 2 characters: 'String must contain at least 3 character(s)'": login(
      'Username',
      'ab',
      'String must contain at least 3 character(s)',
    ),
    'a username of 3 characters is taken': accepts('Sign In', 'Username', 'abc'),
    'a username of 50 characters is taken': accepts('Sign In', 'Username', 'a'.repeat(50)),
    "a username of 51 characters: 'String must contain at most 50 character(s)'": login(
      'Username',
      'a'.repeat(51),
      'String must contain at most 50 character(s)',
    ),
    "an empty password: 'Required'": steps(
      fill({ Username: '' }),
      login('Password', '', 'Required'),
    ),
    "a password of 5 characters: 'String must contain at least 6 character(s)'": login(
      'Password',
      '12345',
      'String must contain at least 6 character(s)',
    ),
    'a password of 6 characters is taken': accepts('Sign In', 'Password', '123456'),
    'a password of 100 characters is taken': accepts('Sign In', 'Password', 'a'.repeat(100)),
    "a password of 101 characters: 'String must contain at most 100 character(s)'": login(
      'Password',
      'a'.repeat(101),
      'String must contain at most 100 character(s)',
    ),
  },
  '8 Errors': {
    "Login failed: the server's message": answering(
      LOGIN,
      {
        status: 429,
        json: {
          code: 'too-many-attempts',
          message: 'Too many attempts. Please try again in 5 minutes.',
        },
      },
      signIn('nobody', 'a long password'),
      destructive('Login failed', 'Too many attempts. Please try again in 5 minutes.'),
    ),
    "Login failed, no message of the server: 'Please check your credentials and try again.'":
      answering(
        LOGIN,
        NO_WORDS,
        signIn('nobody', 'a long password'),
        destructive('Login failed', 'Please check your credentials and try again.'),
      ),
    ["Login failed: a wrong password and an unknown user are answered 'Please check " +
    "your credentials and try again.' (decision 21)"]: async (page) => {
      const { username } = await product.world.user()
      for (const name of [username, 'nobody-at-all']) {
        await signIn(name, 'not the password')(page)
        await destructive('Login failed', 'Please check your credentials and try again.')(page)
      }
    },
  },
  '8 Successes': {
    "'Welcome back!': 'You've successfully logged in to your trading account.'": async (page) => {
      const { username } = await product.world.user()
      await signIn(username, 'correct horse battery')(page)
      await toast('Welcome back!', "You've successfully logged in to your trading account.")(page)
    },
  },
  '4 Authentication': {
    'after login the user is at /': at('/'),
    'after login the current user is refreshed': text('Welcome back, Ada'),
  },
})

screen(() => product.open('/signup'), {
  '2 Signup': {
    'field username': field('Username', { autocomplete: 'username' }),
    'field password': field('Password', { type: 'password', autocomplete: 'new-password' }),
    'field first name': field('First name', { autocomplete: 'given-name' }),
    'field last name': field('Last name', { autocomplete: 'family-name' }),
    'field email': field('Email (optional)', { type: 'email' }),
    'the email is optional, and nothing else is': (page) =>
      becomes(() => page.getByText('(optional)').count(), 1),
    "button 'Create Account'": button('Create Account'),
    "link 'Sign in' leads to /login": leads('Sign in', '/login'),
    'a banner promises returns of up to 75%': text('Up to 75% Returns'),
    'beside it, in the same card: you can lose money (decision 1)': text(
      'Target, not a promise: you can lose money.',
    ),
    'a hint recommends a password of 12 characters or more (decision 20)': text(
      'At least 6 characters. We suggest 12 or more.',
    ),
  },
  '5 Signup': {
    "an empty username: 'Required'": signup('Username', '', 'Required'),
    "a username of 2 characters: 'String must contain at least 3 character(s)'": signup(
      'Username',
      'ab',
      'String must contain at least 3 character(s)',
    ),
    'a username of 3 characters is taken': accepts('Create Account', 'Username', 'abc'),
    'a username of 50 characters is taken': accepts('Create Account', 'Username', 'a'.repeat(50)),
    "a username of 51 characters: 'String must contain at most 50 character(s)'": signup(
      'Username',
      'a'.repeat(51),
      'String must contain at most 50 character(s)',
    ),
    'a username has letters, digits, underscore, dot and hyphen (decision 20)': signup(
      'Username',
      'ada lovelace',
      'Use letters, digits, underscore, dot and hyphen',
    ),
    "an empty password: 'Required'": signup('Password', '', 'Required'),
    "a password of 5 characters: 'String must contain at least 6 character(s)'": signup(
      'Password',
      '12345',
      'String must contain at least 6 character(s)',
    ),
    'a password of 6 characters is taken': accepts('Create Account', 'Password', '193756'),
    'a password of 100 characters is taken': accepts('Create Account', 'Password', 'a'.repeat(100)),
    "a password of 101 characters: 'String must contain at most 100 character(s)'": signup(
      'Password',
      'a'.repeat(101),
      'String must contain at most 100 character(s)',
    ),
    "an empty first name: 'Required'": signup('First name', '', 'Required'),
    'a first name of 1 character is taken': accepts('Create Account', 'First name', 'A'),
    'a first name of 50 characters is taken': accepts(
      'Create Account',
      'First name',
      'a'.repeat(50),
    ),
    "a first name of 51 characters: 'String must contain at most 50 character(s)'": signup(
      'First name',
      'a'.repeat(51),
      'String must contain at most 50 character(s)',
    ),
    "an empty last name: 'Required'": signup('Last name', '', 'Required'),
    'a last name of 50 characters is taken': accepts('Create Account', 'Last name', 'a'.repeat(50)),
    "a last name of 51 characters: 'String must contain at most 50 character(s)'": signup(
      'Last name',
      'a'.repeat(51),
      'String must contain at most 50 character(s)',
    ),
    "an email without a domain: 'Invalid email'": signup(
      'Email (optional)',
      'ada@',
      'Invalid email',
    ),
    'an email of a valid format is taken': accepts(
      'Create Account',
      'Email (optional)',
      'ada@example.com',
    ),
    'no email is taken': accepts('Create Account', 'Email (optional)', ''),
  },
  '2 Signup, sent': {
    "the button says 'Creating Account...' while pending": steps(
      goTo('/signup'),
      fill({
        Username: 'grace',
        Password: 'password',
        'First name': 'Grace',
        'Last name': 'Hopper',
      }),
      holding(SIGNUP, press('Create Account'), button('Creating Account...')),
      destructive(
        'Signup failed',
        'This password is among the most common ones. Please choose another.',
      ),
    ),
  },
  '8 Errors': {
    "Signup failed: the server's message": async (page) => {
      const { username } = await product.world.user()
      await fill({ Username: username, Password: 'a long password' })(page)
      await press('Create Account')(page)
      await destructive('Signup failed', 'This username is already taken.')(page)
    },
    "Signup failed, no message of the server: 'Please try again.'": answering(
      SIGNUP,
      NO_WORDS,
      press('Create Account'),
      destructive('Signup failed', 'Please try again.'),
    ),
  },
  '8 Successes': {
    "'Account created successfully!': 'You can now start trading with your new account.'": steps(
      fill({ Username: 'grace' }),
      press('Create Account'),
      toast('Account created successfully!', 'You can now start trading with your new account.'),
    ),
  },
  '4 Authentication': {
    'after signup the user is at /': at('/'),
    'after signup the current user is refreshed': text('Welcome back, Grace'),
    'a signed-in user on /login goes to / (decision 23)': steps(
      goTo('/login'),
      at('/'),
      text('Welcome back, Grace'),
    ),
    'a signed-in user on /signup goes to / (decision 23)': steps(
      goTo('/signup'),
      at('/'),
      absent('Create Account'),
    ),
  },
})
