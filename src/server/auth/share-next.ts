type Run<Result> = { ended: Promise<unknown>; next?: Promise<Result> }

/** Calls under one key that arrive during a run share the next run, which starts after them and so sees their state. */
export function sharingNext<Result>(): (key: string, act: () => Promise<Result>) => Promise<Result> {
  const runs = new Map<string, Run<Result>>()
  const start = (key: string, act: () => Promise<Result>): Promise<Result> => {
    const result = act()
    const run: Run<Result> = { ended: result.catch(() => undefined) }
    runs.set(key, run)
    void run.ended.then(() => run.next === undefined && runs.delete(key))
    return result
  }
  return (key, act) => {
    const run = runs.get(key)
    if (run === undefined) return start(key, act)
    return (run.next ??= run.ended.then(() => start(key, act)))
  }
}
