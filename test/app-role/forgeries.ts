import { hash } from '@node-rs/argon2'
import { codeOf } from '../takeover/authenticator.ts'
import {
  open,
  resetByMail,
  signIn,
  signInByPasskey,
  THIEFS_ADDRESS,
  THIEFS_PASSWORD,
  type Scene,
} from './scene.ts'

/**
 * `statement`: what the thief writes for Ada, :victim, from his own rows, :thief (a hash may
 * contain $1). `enter`: how he then tries to get in; the cookie of a session if he does.
 */
export type Forgery = {
  deed: string
  statement: string | (() => Promise<string>)
  enter: (scene: Scene) => Promise<string | undefined>
}

const withPassword = (scene: Scene) => signIn(scene, { password: THIEFS_PASSWORD })
const withStolenPassword = (scene: Scene) => signIn(scene)

const cheapHash = async () =>
  hash(THIEFS_PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
const NO_FACTORS =
  'delete from passkeys where user_id = :victim; delete from authenticators where user_id = ' +
  ':victim; delete from recovery_codes where user_id = :victim'
const HIS_ADDRESS = `insert into emails (email_key, user_id) values ('${THIEFS_ADDRESS}', :victim)
  on conflict do nothing`

/** A message of this kind to the thief. */
const message = (kind: string) =>
  `insert into deliveries (user_id, channel, kind, details, is_urgent, address)
    values (:victim, 'mail', '${kind}', '{}', true, '${THIEFS_ADDRESS}')`

const afterOpening = (route: 'verifyEmail' | 'disown') => async (scene: Scene) => {
  await open(scene, route)
  return resetByMail(scene)
}

export const FORGERIES: readonly Forgery[] = [
  {
    deed: 'sets a hash of his own',
    statement: async () =>
      `update users set password = '${await cheapHash()}' where id = :victim; ${NO_FACTORS}`,
    enter: withPassword,
  },
  {
    deed: 'copies the hash of his own account',
    enter: withStolenPassword,
    statement: `update users set password = (select password from users where id = :thief)
      where id = :victim; ${NO_FACTORS}`,
  },
  {
    deed: 'deletes the factors of somebody whose password he knows',
    statement: NO_FACTORS,
    enter: withStolenPassword,
  },
  {
    deed: 'begins the setup of the authenticator anew',
    statement: 'update authenticators set confirmed_at = null where user_id = :victim',
    enter: withStolenPassword,
  },
  {
    deed: 'renames the user',
    statement: "update users set username = 'somebody' where id = :victim",
    enter: withStolenPassword,
  },
  {
    deed: 'adds a copy of his own passkey',
    enter: signInByPasskey,
    statement: `insert into passkeys (user_id, id, credential_id, public_key, counter, transports,
      name)
                select :victim, gen_random_uuid(), credential_id, public_key, 0, transports, name
                  from passkeys where user_id = :thief`,
  },
  {
    deed: 'copies the secret of his own authenticator',
    enter: (scene) => signIn(scene, { code: codeOf(scene.own.app) }),
    statement:
      'update authenticators set secret_sealed = (select secret_sealed from authenticators ' +
      'where user_id = :thief), last_step = 0 where user_id = :victim',
  },
  {
    deed: 'copies his own recovery codes',
    enter: (scene) => signIn(scene, { code: scene.own.codes[0] }),
    statement:
      'insert into recovery_codes (user_id, code_hash) select :victim, code_hash from ' +
      'recovery_codes where user_id = :thief',
  },
  {
    deed: 'verifies an address of his own',
    statement: `update users set email = '${THIEFS_ADDRESS}', email_verified_at = now()
      where id = :victim; ${HIS_ADDRESS}; ${NO_FACTORS}`,
    enter: resetByMail,
  },
  {
    deed: 'names a pending address and has it verified by a link',
    statement: `update users set pending_email = '${THIEFS_ADDRESS}'
      where id = :victim; ${message('verify-email')}; ${NO_FACTORS}`,
    enter: afterOpening('verifyEmail'),
  },
  {
    deed: 'makes an address of his own the earlier one that "This was not me" gives back',
    enter: afterOpening('disown'),
    statement: `insert into verified_emails (user_id, email, verified_at)
      values (:victim, '${THIEFS_ADDRESS}', now() - interval '5 days');
      ${message('password-changed')}; ${NO_FACTORS}`,
  },
]
