const SAY_EVERY_MS = 10_000

/**
 * Waits for `work`, and tells the log every ten seconds what this process waits for: a slow start
 * must not look like one that hangs.
 */
export async function whileWaiting<Result>(
  log: { warn: (message: string) => void },
  what: string,
  work: Promise<Result>,
): Promise<Result> {
  const sinceMs = performance.now()
  const timer = setInterval(
    () =>
      log.warn(
        `Waiting for ${what}, for ${((performance.now() - sinceMs) / 1_000).toFixed(0)} s now`,
      ),
    SAY_EVERY_MS,
  )
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
