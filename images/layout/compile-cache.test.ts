import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nodeFlagsOf } from '../node-flags.ts'
import { compileCacheFolder, compileCacheVariables, primeCompileCache } from './compile-cache.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-compile-cache-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const program = (name: string): string => {
  const path = join(folder, name)
  mkdirSync(path)
  writeFileSync(join(path, 'kubeconfig.cjs'), 'exports.read = () => 1')
  writeFileSync(join(path, 'main.cjs'), "const one = () => 'one'; console.log(one()); process.exitCode = 2")
  return path
}
const filesOf = (cache: string) =>
  readdirSync(cache, { recursive: true, encoding: 'utf8' })
    .filter(name => name.includes('/'))
    .sort()
    .map(name => [name, readFileSync(join(cache, name)).toString('base64')])

test('the cache of a program is the same wherever the program lies, and is kept for the user of the image', async () => {
  const caches = []
  for (const name of ['one', 'another']) {
    const path = program(name)
    await primeCompileCache({ node: [process.execPath], folder: path, program: 'aws-dnsrecord', user: 65532 })
    expect(readdirSync(join(path, compileCacheFolder))).toEqual([expect.stringMatching(/-65532$/)])
    caches.push(filesOf(join(path, compileCacheFolder)))
  }
  expect(caches[1]).toEqual(caches[0])
})

test('Node takes it where the program is in the end', async () => {
  const path = program('one')
  const user = process.getuid?.() ?? 0
  await primeCompileCache({ node: [process.execPath], folder: path, program: 'aws-dnsrecord', user })
  const moved = join(folder, 'moved')
  cpSync(path, moved, { recursive: true })
  const env = { ...compileCacheVariables(moved), NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const { stderr } = spawnSync(process.execPath, [...nodeFlagsOf('aws-dnsrecord'), join(moved, 'main.cjs')], {
    env,
    encoding: 'utf8',
  })
  expect(stderr).toMatch(/code cache for CommonJS \S+main\.cjs was accepted/)
})

test('a Node that makes none is told', async () => {
  const path = program('one')
  await expect(
    primeCompileCache({
      node: [process.execPath, '--jitless', '--no-such-flag'],
      folder: path,
      program: 'aws-dnsrecord',
      user: 1,
    }),
  ).rejects.toThrow(/made no compile cache of .*no-such-flag/s)
})
