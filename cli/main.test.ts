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

/** Returns the modules that the help of a command loads. */
const loadedBy = (command: string): readonly string[] => {
  const args = ['--import', hooks, 'cli/trellis.mjs', command, '--help']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stderr.split('\n')
}

describe('a command that needs no cluster', () => {
  // `trellis aws` holds the modules loaded here in memory for as long as it runs.
  test.each(['aws', 'crds'])('%s loads no cluster code', command => {
    const loaded = loadedBy(command)
    expect(loaded).toContainEqual(expect.stringContaining('/cli/main.ts'))
    expect(
      loaded.filter(url => /\/shared\/(?:kubernetes|lifecycle|log)\/|\/node_modules\/pino/.test(url)),
    ).toEqual([])
  })
})
