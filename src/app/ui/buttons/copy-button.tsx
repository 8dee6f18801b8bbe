import { msg, say, t } from '#words/words.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Button } from './button.tsx'

const WORDS = {
  address: { copy: msg('Copy address'), copied: msg('Address copied') },
  key: { copy: msg('Copy key'), copied: msg('Key copied') },
  codes: { copy: msg('Copy codes'), copied: msg('Codes copied') },
  secret: { copy: msg('Copy secret'), copied: msg('Secret copied') },
  reference: { copy: msg('Copy reference'), copied: msg('Reference copied') },
}

export function CopyButton({
  name,
  text,
  className,
}: {
  name: keyof typeof WORDS
  text: string
  className: string
}) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      showToast({ title: say(WORDS[name].copied) })
    } catch {
      // Shown if the browser denies the clipboard: without TLS, or if the user declined the
      // permission.
      showToast({
        title: t('Not copied'),
        description: t('This browser does not let us copy: {text}', { text }),
        tone: 'destructive',
      })
    }
  }
  return (
    <Button look="quiet" className={className} onClick={() => void copy()}>
      {say(WORDS[name].copy)}
    </Button>
  )
}
