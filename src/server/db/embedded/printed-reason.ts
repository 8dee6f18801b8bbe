/** The first fatal line, because the last ones only report the cleanup. */
export function reasonIn(printed: string): string {
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => line.trim())
  const reason =
    lines.find((line) => /\b(FATAL|PANIC): /.test(line)) ??
    lines.find((line) => /\berror: /.test(line)) ??
    lines.at(-1)
  const plain = (reason || 'it left no message')
    .replace(/^.*?\b(FATAL|PANIC|error): +/, '')
    .replace(/\.$/, '')
  return IS_SHARED_MEMORY_FULL.test(plain)
    ? `${plain}. /dev/shm is too small: in a container, start it with --shm-size=256m`
    : plain
}

const IS_SHARED_MEMORY_FULL = /shared memory segment .*No space left on device/
