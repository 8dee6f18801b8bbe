import { ApiError } from '#app/api/call.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'

/**
 * The secret of the link; null until the browser has read it, because the server never receives the
 * part after the #.
 */
export function useLinkToken(): string | null {
  return useDeviceFact<string | null>({
    onDevice: () => location.hash.slice(1),
    onPage: () => null,
  })
}

export function isDead(token: string | null, error: unknown): boolean {
  return token === '' || (error instanceof ApiError && error.code === 'link-invalid')
}
