import { showToast } from '#app/ui/overlays/toast.ts'
import { Button } from './button.tsx'

/** Copies `text` to the clipboard. `name` says what it is, in lower case: 'address'. */
export function CopyButton({ name, text, className }: { name: string; text: string; className: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      showToast({ title: `${name.charAt(0).toUpperCase()}${name.slice(1)} copied` })
    } catch {
      // Browsers deny the clipboard to pages without TLS and to users who declined the permission.
      showToast({ title: 'Not copied', description: `This browser does not let us copy: ${text}`, tone: 'destructive' })
    }
  }
  return (
    <Button look="quiet" className={className} onClick={() => void copy()}>
      Copy {name}
    </Button>
  )
}
