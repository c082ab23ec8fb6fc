import { type ChildProcess, execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder = ''
const children: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-http-cloud-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const module = new URL('http-cloud.ts', import.meta.url).href

/** Runs a program that starts a cloud. Returns its output, and undefined as the code if it runs until it is killed. */
const run = async (name: string, source: string, ...flags: readonly string[]) => {
  const file = join(folder, name)
  await writeFile(file, `import { httpCloud } from '${module}'\n${source}`)
  const { promise, resolve } = Promise.withResolvers<{ readonly code?: number; readonly output: string }>()
  const child = execFile(process.execPath, [...flags, file], (error, stdout, stderr) => {
    const code = error === null ? 0 : error.code
    resolve({ ...(typeof code === 'number' && { code }), output: `${stdout}${stderr}` })
  })
  children.push(child)
  return { result: promise, kill: () => child.kill('SIGKILL'), stdout: child.stdout }
}

test.each([
  ['without a call', ''],
  ['after a call, with the connection open', `await (await fetch(cloud.url)).text()`],
  ['on a port of its own choice', '', ', port: 0'],
])('a failing assertion ends a test that leaves its cloud open, %s', async (_, calls, port = '') => {
  const { result } = await run(
    'failing.test.ts',
    `import assert from 'node:assert/strict'
import { test } from 'node:test'
test('fails', async () => {
  const cloud = await httpCloud({ handle: () => new Response('yes'), things: () => []${port} })
  ${calls}
  assert.equal(1, 2)
  await cloud.close()
})
`,
    '--test',
  )
  expect(await result).toMatchObject({ code: 1, output: expect.stringContaining('1 !== 2') })
})

test('a call that the test awaits gets its answer', async () => {
  const { result } = await run(
    'calling.ts',
    `const cloud = await httpCloud({
  handle: async () => (await new Promise(resolve => setTimeout(resolve, 50)), new Response('yes')),
  things: () => [],
})
console.log(await (await fetch(cloud.url)).text())
`,
  )
  expect(await result).toEqual({ code: 0, output: 'yes\n' })
})

test('a program that serves its cloud runs until the cloud is closed', async () => {
  const source = `const cloud = (await httpCloud({ handle: () => new Response('yes'), things: () => [] })).ref()
console.log(cloud.url)
`
  const { result, kill, stdout } = await run('serving.ts', source)
  const { promise: url, resolve } = Promise.withResolvers<string>()
  stdout?.once('data', text => resolve(String(text).trim()))
  expect(await (await fetch(await url)).text()).toBe('yes')
  kill()
  expect((await result).code).toBeUndefined()
  const closing = await run('closing.ts', `${source}await cloud.close()\n`)
  expect((await closing.result).code).toBe(0)
})
