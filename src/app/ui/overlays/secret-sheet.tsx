import { t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { CopyButton } from '#app/ui/buttons/copy-button.tsx'
import { Sheet } from './sheet.tsx'

/** A secret that was just made: the server does not show it again. */
export type MadeSecret = { text: string; isShown: boolean }

export const NO_SECRET: MadeSecret = { text: '', isShown: false }

export function SecretSheet({
  secret,
  name,
  title,
  description,
  onClose,
}: {
  secret: MadeSecret
  name: 'key' | 'secret'
  title: string
  description: string
  onClose: (secret: MadeSecret) => void
}) {
  // The text stays for the closing animation.
  const close = () => onClose({ ...secret, isShown: false })
  return (
    <Sheet open={secret.isShown} onClose={close} title={title} description={description}>
      <p className="rounded-control bg-raised p-4 text-16 break-all select-all">{secret.text}</p>
      <CopyButton name={name} text={secret.text} className="-mx-2 my-3" />
      <div className="grid">
        <Button onClick={close}>{t('I have saved it')}</Button>
      </div>
    </Sheet>
  )
}
