import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { functionFolder, imports } from '../../functions/testing/function-folder.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const remove of undo.splice(0)) await remove()
})

/** Runs a program of the repository, optionally on a path, until it ends. */
const run = async (program: string, ...path: readonly string[]) => {
  const args = ['--disable-warning=ExperimentalWarning', join(repository, program), ...path]
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += String(chunk)
    })
  const [code] = await once(child, 'close')
  return { code, output }
}

describe('an invalid definition', () => {
  test.each([
    ['make check', 'test/check/main.ts', ''],
    ['the start of its process', 'functions/main.ts', 'acme/dnsrecord/function.ts'],
  ])('it is reported by %s, with file and line', async (_, program, path) => {
    const folder = await functionFolder({
      'acme/dnsrecord/function.ts': `${imports}export const definition = defineFunction({
  kind: 'DnsRecord', type: 'acme',
  create: () => ({ reconcile: async () => done(), remove: async () => done() }),
})
`,
    })
    undo.push(folder.remove)
    const { code, output } = await run(program, join(folder.root, path))
    const at = `${folder.root}/acme/dnsrecord/function.ts:3: `
    expect(code).toBe(1)
    expect(output.trimEnd().split('\n')).toEqual([
      `${at}name: missing: name the Knative Service, such as aws-dnsrecord`,
      `${at}kind: unknown kind "DnsRecord": did you mean DNSRecord?`,
    ])
  })

  test.each([
    ['throws', "const zone = 1\nthrow new Error('out of order')\n", 2, 'cannot load the file: out of order'],
    [
      'is no TypeScript',
      'const zone = 1\nexport const definition = = zone\n',
      2,
      'cannot load the file: Expression expected',
    ],
    [
      'exports none',
      'export const zone = 1\n',
      1,
      'no export `definition`. Add: export const definition = defineFunction({ … })',
    ],
  ])('both report it in the same words if its file %s', async (_, text, line, message) => {
    const folder = await functionFolder({ 'acme/dnsrecord/function.ts': text })
    undo.push(folder.remove)
    const file = join(folder.root, 'acme/dnsrecord/function.ts')
    const given = { code: 1, output: `${file}:${line}: ${message}\n` }
    expect(await run('functions/main.ts', file)).toEqual(given)
    expect(await run('test/check/main.ts', folder.root)).toEqual(given)
  })

  test('a start reports a missing argument or file', async () => {
    expect(await run('functions/main.ts', '/nowhere/function.ts')).toEqual({
      code: 1,
      output: '/nowhere/function.ts: the file does not exist\n',
    })
  })
})
