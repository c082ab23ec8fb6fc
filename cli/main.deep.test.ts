import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { wrapLines } from '../sandbox/terminal/wrap-words.ts'
import { allCommands } from './command-list.ts'

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

/** Returns the lines of a text on a terminal of 80 columns. */
const linesOf = (text: string): readonly string[] => wrapLines(text.trimEnd(), 80).split('\n')

describe('the help', async () => {
  const list = run('--help')
  const commands = Object.keys(await allCommands())

  test('lists every command in one line of one of three groups', () => {
    const [, operate = '', develop = '', ship = ''] = list.stdout.split(/^\S.*:$/m)
    const namesIn = (part: string) => [...part.matchAll(/^ {2}(\S+) {2,}\S/gm)].map(([, name]) => name)
    expect([operate, develop, ship].flatMap(namesIn)).toEqual(commands)
    expect(namesIn(operate)).toEqual(expect.arrayContaining(['status', 'plan', 'replay']))
    expect(namesIn(develop)).toEqual(expect.arrayContaining(['new', 'bridge', 'aws']))
    expect(namesIn(ship)).toEqual(expect.arrayContaining(['image', 'install']))
    expect(linesOf(list.stdout).length).toBeLessThan(40)
    expect(list.stdout.split('\n').filter(line => line.length > 80)).toEqual([])
  })

  test('loads no command, cluster, cloud or schema for the list', () => {
    expect(list.loaded.filter(url => heavy.test(url) || url.includes('/cli/commands/'))).toEqual([])
  })

  test.each(commands)('of %s has less than 60 lines', name => {
    expect(linesOf(run(name, '--help').stdout).length).toBeLessThan(60)
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
