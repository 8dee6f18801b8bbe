import { afterAll, beforeAll } from 'vitest'
import { sealAccount } from '#server/security/account-seal.ts'
import { answering, FAULT, holding } from './answers.ts'
import { absent, at, button, equals, goTo, heading, link, press, steps, text } from './checks.ts'
import { openProduct, type Product } from './product.ts'
import { asked } from './requests.ts'
import { screen } from './rows.ts'
import { destructive, toast } from './toasts.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

async function openProfile() {
  const user = await product.world.user('grace')
  await user.deposit('250')
  await product.world.context
    .sql`update users set email = 'grace@example.com' where id = ${user.id}`
  await sealAccount(product.world.context, user.id)
  return product.open('/profile', user)
}

const LOGOUT = 'POST /api/auth/logout'

screen(openProfile, {
  '2 Profile': {
    'full name': text('Ada Lovelace'),
    '@username': text('@grace'),
    'the email, if there is one': text('grace@example.com'),
    'account balance': text('Account balance'),
    'the account balance is totalBalance': (page) =>
      page.getByRole('definition').filter({ hasText: '$250.00' }).last().waitFor(),
    'the wallet panel': heading('Connected Wallets'),
    "button 'Sign Out'": button('Sign Out'),
    'the bottom tabs': link('Home', '/'),
  },
  '8 Errors': {
    "Logout failed: 'Please try again.'": answering(
      LOGOUT,
      FAULT,
      press('Sign Out'),
      destructive('Logout failed', 'Please try again.'),
    ),
  },
  '7 Calls': {
    'POST /api/auth/logout: no payload': async (page) => {
      const request = asked(page, LOGOUT)
      await answering(LOGOUT, FAULT, press('Sign Out'), destructive('Logout failed'))(page)
      equals((await request).postData(), null)
    },
  },
  '2 Profile, leaving': {
    "the button says 'Signing out...' while pending": holding(
      LOGOUT,
      press('Sign Out'),
      button('Signing out...'),
    ),
  },
  '8 Successes': {
    "'Logged out successfully'": toast('Logged out successfully'),
  },
  '4 Authentication': {
    'after logout the user is at /': at('/'),
    'after logout the current user is refreshed: nobody': link('I Have an Account', '/login'),
    'what was shown of the user is gone': steps(
      absent('Ada Lovelace'),
      goTo('/'),
      link('I Have an Account', '/login'),
    ),
  },
})

screen(async () => product.open('/profile', await product.world.user()), {
  '2 Profile, without an email': {
    'the name and the username': text(/^@user\d+$/),
    'no line for an email': absent(/@example/),
  },
})
