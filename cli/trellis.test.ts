import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runsSources } from './runs-sources.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The exit code and the output of a command. */
const run = (file: string, ...args: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly said: string }>(resolve => {
    execFile(process.execPath, [file, ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    )
  })

describe('the launcher', () => {
  test('it uses only APIs of old Nodes, because they run it to find a newer one', async () => {
    const named: string[] = []
    for (const file of ['trellis.mjs', 'runs-sources.mjs']) {
      const source = await readFile(new URL(file, import.meta.url), 'utf8')
      for (const [, names, from] of source.matchAll(/^import \{ ([^}]+) \} from '([^']+)'$/gm))
        named.push(`${from} ${names}`)
    }
    expect(named).toEqual([
      'node:child_process spawn',
      'node:fs existsSync',
      'node:url fileURLToPath',
      './runs-sources.mjs runsSources',
    ])
  })

  test.each([
    ['20.20.2', false],
    ['22.18.0', false],
    ['22.19.0', true],
    ['22.22.1', true],
    ['23.3.0', false],
    ['23.11.1', false],
    ['24.0.0', true],
    ['26.1.0', true],
  ])('it runs the sources with Node %s directly: %s', (version, itself) => {
    expect(runsSources(version)).toBe(itself)
  })

  test('it starts with the Node versions in the README, runs with those in the package, and npm hides no warning', async () => {
    const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    expect(engines).toEqual({ node: '^22.19.0 || >=24.0.0' })
    expect(await readFile(join(root, 'README.md'), 'utf8')).toContain('Node 20 or newer')
    expect(existsSync(join(root, '.npmrc'))).toBe(false)
    // npm runs with the Node of the dependencies, so it has no reason to warn about an older one.
    expect(await readFile(join(root, 'Makefile'), 'utf8')).toContain(
      "npx --yes --package $(node) --call 'npm ci'",
    )
  })

  test('it prints its version', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    expect(await run(join(root, 'cli/trellis.mjs'), '--version')).toEqual({ code: 0, said: `${version}\n` })
  })
})

describe('a clone without dependencies', () => {
  let clone = ''
  beforeAll(async () => {
    clone = await mkdtemp(join(tmpdir(), 'trellis-clone-'))
    await mkdir(join(clone, 'cli'))
    for (const name of await readdir(join(root, 'cli')))
      if (/\.(?:ts|mjs)$/.test(name)) await copyFile(join(root, 'cli', name), join(clone, 'cli', name))
    for (const name of ['commands', 'demo', 'plan', 'replay', 'provider', 'narration', 'sandbox'])
      await symlink(join(root, 'cli', name), join(clone, 'cli', name))
    await writeFile(join(clone, 'package.json'), '{"type":"module"}')
  })
  afterAll(() => rm(clone, { recursive: true, force: true }))

  test('it says so in one line, with a suitable Node', async () => {
    const { code, said } = await run(join(clone, 'cli/trellis.mjs'), '--help')
    expect(said).toMatch(/^trellis: its dependencies are not installed. Run "npm ci" in \S+ first\n$/)
    expect(code).toBe(2)
  })

  test('it says so in one line, with an unsuitable Node', async () => {
    await writeFile(join(clone, 'cli/runs-sources.mjs'), 'export const runsSources = () => false\n')
    const { code, said } = await run(join(clone, 'cli/trellis.mjs'), '--help')
    expect(said).toMatch(/^trellis: its dependencies are not installed, .*. Run "npm ci" in \S+ first\n$/)
    expect(code).toBe(2)
  })
})
