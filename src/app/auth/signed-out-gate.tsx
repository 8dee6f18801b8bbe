import { useEffect } from 'react'
import { LoadingScreen } from '#app/ui/frame/loading-screen.tsx'
import { sendToLogin } from './send-to-login.ts'

/** Takes the place of a protected screen while nobody is signed in. */
export function SignedOutGate() {
  useEffect(sendToLogin, [])
  return (
    <main>
      <LoadingScreen />
    </main>
  )
}
