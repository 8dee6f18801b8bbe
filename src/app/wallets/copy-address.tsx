import { Button } from '#app/ui/forms/button.tsx'
import { showToast } from '#app/ui/frame/toast.ts'

export function CopyAddress({ address }: { address: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      showToast({ title: 'Address copied' })
    } catch {
      // Browsers keep the clipboard from pages without TLS, and from users who said no.
      showToast({ title: 'Not copied', description: `This browser does not let us copy: ${address}`, tone: 'destructive' })
    }
  }
  return (
    <Button look="quiet" className="-mr-2 shrink-0" onClick={() => void copy()}>
      Copy address
    </Button>
  )
}
