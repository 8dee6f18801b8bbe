import { useState } from 'react'
import { passwordStrength } from '#core/auth/credentials.ts'
import { msg, say, t } from '#words/words.ts'
import { PasswordField } from './password-field.tsx'

const STRENGTHS = [msg('Weak'), msg('Weak'), msg('Fair'), msg('Good'), msg('Strong')] as const
const BARS = [1, 2, 3, 4] as const
const TONES = ['bg-loss', 'bg-loss', 'bg-warn', 'bg-gain', 'bg-gain'] as const

/** A field for a new password, with a meter of its strength. */
export function NewPasswordField(props: {
  label: string
  name: string
  hint: string
  error: string | undefined
}) {
  const [strength, setStrength] = useState<0 | 1 | 2 | 3 | 4>(0)
  return (
    <div>
      <PasswordField
        {...props}
        autoComplete="new-password"
        onChange={(event) => setStrength(passwordStrength(event.target.value))}
      />
      <div className="mt-1.5 flex min-h-5 items-center gap-3">
        <span aria-hidden="true" className="flex flex-1 gap-1">
          {BARS.map((bar) => (
            <span
              key={bar}
              className={`h-1 flex-1 rounded-full ${bar <= strength ? TONES[strength] : 'bg-raised'}`}
            />
          ))}
        </span>
        <span role="status" className="text-14 text-ink2">
          {strength > 0 && t('Strength: {strength}', { strength: say(STRENGTHS[strength]) })}
        </span>
      </div>
    </div>
  )
}
