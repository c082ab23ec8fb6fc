import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Prints what is loaded, for the process that imports it. */
const hooks = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => console.error(loaded.join('\\n')))`)}`

/** The modules that the help of a command loads. */
const loadedBy = (command: string): readonly string[] => {
  const args = ['--import', hooks, 'cli/trellis.mjs', command, '--help']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stderr.split('\n')
}

describe('a command that reaches no cluster', () => {
  // `trellis aws` keeps for as long as it runs what is loaded here.
  test.each(['aws', 'crds'])('%s loads nothing that does', command => {
    const loaded = loadedBy(command)
    expect(loaded).toContainEqual(expect.stringContaining('/cli/main.ts'))
    expect(
      loaded.filter(url => /\/shared\/(?:kubernetes|lifecycle|log)\/|\/node_modules\/pino/.test(url)),
    ).toEqual([])
  })
})
