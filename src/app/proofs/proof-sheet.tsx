import { t } from '#words/words.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import type { ShownQuestion } from './asked-proof.ts'
import { CodeProof } from './code-proof.tsx'
import { PasswordProof } from './password-proof.tsx'
import { useProof } from './use-proof.ts'

/** Asks who it is before money leaves, or the ways to sign in change. */
export function ProofSheet({ question }: { question: ShownQuestion }) {
  const { about, isOpen, number, settle } = question
  return (
    <Sheet
      open={isOpen}
      onClose={() => settle(undefined)}
      title={t("Confirm it's you")}
      description={about}
    >
      <Methods key={number} question={question} />
    </Sheet>
  )
}

/** Where there is a second factor, the password alone proves nothing. */
function Methods({ question }: { question: ShownQuestion }) {
  const prove = useProof(question)
  return question.methods.includes('password') ? (
    <PasswordProof prove={prove} />
  ) : (
    <CodeProof methods={question.methods} prove={prove} />
  )
}
