import { afterEach } from 'vitest'
import { leavePictures } from './open-pages.ts'

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  const folder = await leavePictures(`${task.file.name} ${task.name}`)
  if (folder !== undefined) console.error(`The open pages are in ${folder}`)
})
