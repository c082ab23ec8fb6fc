import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Prints the modules that the importing process loads. */
const hooks = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => console.error(loaded.join('\\n')))`)}`

/** Returns the modules that a command line loads, and its output. */
const run = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', hooks, 'cli/trellis.mjs', ...args],
    { cwd: root, encoding: 'utf8' },
  )
  expect(status, stderr).toBe(0)
  return { loaded: stderr.split('\n'), stdout }
}

/** Code of clusters, clouds and schemas, which no help needs. */
const heavy =
  /\/shared\/(?:kubernetes|lifecycle|log|runtime)\/(?!end-with-output|prepare-process|start\/patient-connections)|\/node_modules\/(?!commander|picocolors)/

const names = /^ {2}([a-z]+) /gm

describe('the help', () => {
  const list = run('--help')
  const [section = ''] = (list.stdout.split('Commands:')[1] ?? '').split('\n\n', 1)
  const commands = [...section.matchAll(names)].map(([, name = '']) => name).filter(name => name !== 'help')

  test('lists every command', () => {
    expect(commands).toEqual(
      expect.arrayContaining(['new', 'dev', 'bridge', 'status', 'doctor', 'install', 'aws']),
    )
    expect(list.loaded.filter(url => heavy.test(url))).toEqual([])
  })

  // The settings of the bridge are its options, and their schema describes them.
  test.each(commands.filter(name => name !== 'bridge'))(
    'of %s loads no code of clusters, clouds or schemas',
    name => {
      const { loaded, stdout } = run(name, '--help')
      expect(stdout).toContain(`Usage: trellis ${name}`)
      expect(loaded).toContainEqual(expect.stringContaining('/cli/main.ts'))
      expect(loaded.filter(url => heavy.test(url))).toEqual([])
    },
  )

  test('of a command is the same after help', () => {
    expect(run('help', 'doctor').stdout).toBe(run('doctor', '--help').stdout)
    expect(run('help', 'bridge').stdout).toBe(run('bridge', '--help').stdout)
  })
})

test('the version loads no command', () => {
  const { loaded, stdout } = run('--version')
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/)
  expect(loaded.filter(url => /\/cli\/commands\/|\/sandbox\/providers\//.test(url))).toEqual([])
})
