/**
 * Calls `end` once this process's output cannot be written any more, as after `npm start | head
 * -3`. Without it, the next line would end the process at once, with a stack, and leave running
 * what it has started.
 */
export function whenUnread(end: () => void): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', end)
}
