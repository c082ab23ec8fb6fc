import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeOutOfMemory } from '../../shared/runtime/runtime.ts'
import { processEnvironment } from './process-pod.ts'

const filename = 'trellis-fatal.json'
let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trellis-fatal-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const place = () => ({ reportOnFatalError: true, directory, filename })

/**
 * Runs a program with the Node options of a function's container, but with a smaller heap and another report folder.
 */
const run = async (
  program: string,
  heap: readonly { readonly name: string; readonly value: string }[] = processEnvironment.function,
): Promise<number | null> => {
  const options = heap.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? ''
  const child = spawn(process.execPath, ['-e', program], {
    stdio: 'ignore',
    env: {
      SECRET: 'PLANTED',
      NODE_OPTIONS: options
        .replace(/--max-old-space-size=\d+/, '--max-old-space-size=20')
        .replace('/dev/shm', directory),
    },
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal === 'SIGABRT' ? 134 : code
}

test.each([
  ['one function', processEnvironment.function],
  ['several functions', processEnvironment.compact],
])(
  'a process of %s that ran out of V8 heap is counted by the next one, once',
  { timeout: 60_000 },
  async (_, heap) => {
    expect(await run('const all = []; for (;;) all.push({ text: [1, 2, 3] })', heap)).toBe(134)
    expect(await readFile(join(directory, filename), 'utf8')).not.toContain('PLANTED')
    expect(takeOutOfMemory(place())).toBe(true)
    expect(existsSync(join(directory, filename))).toBe(false)
    expect(takeOutOfMemory(place())).toBe(false)
  },
)

test('a process that exits by itself leaves nothing', { timeout: 60_000 }, async () => {
  expect(await run('process.exit(1)')).toBe(1)
  expect(takeOutOfMemory(place())).toBe(false)
})

test.each([
  ['about another fatal error', '{"header":{"trigger":"FatalError"}}'],
  ['that is incomplete', '{"header":{"trig'],
  ['that is not an object', 'null'],
])('a report %s is ignored and deleted', async (_, text) => {
  await writeFile(join(directory, filename), text)
  expect(takeOutOfMemory(place())).toBe(false)
  expect(existsSync(join(directory, filename))).toBe(false)
})

test('a process without these options reads no file', async () => {
  await writeFile(join(directory, filename), '{"header":{"trigger":"OOMError"}}')
  expect(takeOutOfMemory({ ...place(), reportOnFatalError: false })).toBe(false)
  expect(existsSync(join(directory, filename))).toBe(true)
})
