/** Shown while we find out who is there. It appears late, so that a fast answer shows no flicker. */
export function LoadingScreen() {
  return (
    <div aria-busy="true" className="grid min-h-dvh place-items-center">
      <p role="status" className="text-16 text-ink2">
        Loading…
      </p>
    </div>
  )
}
