import { cp, mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const NEEDED = [
  'src',
  'data',
  'public',
  'scripts',
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
]

/** A copy of the product, not yet built, that can be changed, built and started. */
export async function copyProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'project-'))
  for (const name of NEEDED) await cp(join(ROOT, name), join(root, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}
