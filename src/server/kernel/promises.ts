type Turn = { running: Promise<unknown>; next: Promise<unknown> | undefined }

/**
 * Runs work of the same name one at a time. Calls during a run share the next run, which starts
 * after them and so sees their effects.
 */
export function coalesce<Answer>(
  work: (name: string) => Promise<Answer>,
): (name: string) => Promise<Answer> {
  const turns = new Map<string, Turn>()
  const begin = (name: string): Promise<Answer> => {
    const running = work(name)
    const turn: Turn = { running, next: undefined }
    turns.set(name, turn)
    const end = () => {
      if (turns.get(name) === turn && turn.next === undefined) turns.delete(name)
    }
    running.then(end, end)
    return running
  }
  return (name) => {
    const turn = turns.get(name)
    if (turn === undefined) return begin(name)
    turn.next ??= turn.running.then(
      () => begin(name),
      () => begin(name),
    )
    return turn.next as Promise<Answer>
  }
}

export async function firstOf(done: Promise<void>, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs)
  })
  await Promise.race([done, late])
  clearTimeout(timer)
}
