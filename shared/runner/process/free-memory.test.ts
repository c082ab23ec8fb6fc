import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freeMemory } from './free-memory.ts'
import { groupMemory } from './group-memory.ts'

const folder = await mkdtemp(join(tmpdir(), 'trellis-cgroup-'))
afterAll(() => rm(folder, { recursive: true }))

const cgroup = async (max: string) => {
  await writeFile(join(folder, 'memory.max'), `${max}\n`)
  await writeFile(join(folder, 'memory.current'), '700\n')
  await writeFile(join(folder, 'memory.stat'), 'anon 500\ninactive_file 100\nactive_file 100\n')
}

test('free memory is the limit without the used memory; the kernel can drop inactive files', async () => {
  await cgroup('1000')
  expect(freeMemory(folder)).toBe(400)
})

test('there is no limit without a cgroup or in an unlimited one', async () => {
  expect(freeMemory(join(folder, 'none'))).toBeUndefined()
  await cgroup('max')
  expect(freeMemory(folder)).toBeUndefined()
})

test('the resident memory of a process is read, and unknown for one that has ended', () => {
  expect(groupMemory(process.pid)).toBeGreaterThan(10 * 2 ** 20)
  expect(groupMemory(2 ** 30)).toBeUndefined()
})
