import { Button } from '#app/ui/forms/button.tsx'
import { showToast } from '#app/ui/frame/toast.ts'

/** The reference, for a question about a payment. A long receipt scrolls by keyboard because this can have the focus. */
export function CopyReference({ reference }: { reference: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(reference)
      showToast({ title: 'Reference copied' })
    } catch {
      // Browsers keep the clipboard from pages without TLS, and from users who said no.
      showToast({ title: 'Not copied', description: `This browser does not let us copy: ${reference}`, tone: 'destructive' })
    }
  }
  return (
    <Button look="quiet" className="-ml-2" onClick={() => void copy()}>
      Copy reference
    </Button>
  )
}
