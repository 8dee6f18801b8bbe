import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { IconButton } from '#app/ui/buttons/icon-button.tsx'
import { dismissToast, type Toast as ToastContent } from './toast.ts'

const AUTO_CLOSE_MS = 5_000
const SWIPE_PX = 50

/**
 * The toast at the top of the screen: closes after five seconds, swiping right dismisses it, F8 moves the focus to it. Each toast has its
 * own provider: one that is dismissed under a pointer leaves its provider paused, and the next toast would never close.
 */
export function Toaster({ toast }: { toast: ToastContent }) {
  const destructive = toast.tone === 'destructive'
  return (
    <Toast.Provider key={toast.id} duration={AUTO_CLOSE_MS} swipeDirection="right" swipeThreshold={SWIPE_PX}>
      <Toast.Root
        open={toast.open}
        onOpenChange={(open) => !open && dismissToast(toast.id)}
        type={destructive ? 'foreground' : 'background'}
        className={`flex items-start gap-2 rounded-control border-[1.5px] bg-surface py-2 pr-1 pl-4 text-ink
          data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform
          data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) motion-safe:data-[state=open]:animate-drop
          motion-safe:data-[swipe=end]:animate-slide-out ${destructive ? 'border-loss' : 'border-ink'}`}
      >
        <div className="min-w-0 flex-1 py-1.5">
          <Toast.Title className={`text-16 font-semibold ${destructive ? 'text-loss' : ''}`}>{toast.title}</Toast.Title>
          {toast.description && <Toast.Description className="text-14 text-ink2">{toast.description}</Toast.Description>}
        </div>
        <Toast.Close asChild>
          <IconButton icon={X} label="Dismiss" />
        </Toast.Close>
      </Toast.Root>
      <Toast.Viewport
        className="fixed inset-x-0 top-0 z-60 mx-auto flex w-full flex-col px-3 pt-[calc(env(safe-area-inset-top)+0.75rem)]
          sm:max-w-[420px]"
      />
    </Toast.Provider>
  )
}
