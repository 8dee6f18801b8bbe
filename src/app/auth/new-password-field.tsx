import { LENGTHS } from '#core/auth/credentials.ts'
import { PasswordField } from '#app/ui/forms/password-field.tsx'

/** For a password that is being chosen: recommends a longer one. */
export function NewPasswordField(props: { label: string; name: string; error: string | undefined }) {
  return <PasswordField {...props} autoComplete="new-password" hint={`At least ${LENGTHS.password.minimum} characters; 12 or more are much safer.`} />
}
