import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Plugin } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle, mainFile, snapshotArgs, writeSnapshot } from '../../../build/images/images.ts'
import { clientNodeLate } from './client-node-bundle.ts'
import { lateMembers } from './late-members.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-late-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Builds the snapshot of a program that prints the value of an expression about a package. Returns its folder. */
const snapshotOf = async (name: string, expression: string, plugins: readonly Plugin[]): Promise<string> => {
  const own = await mkdtemp(join(folder, 'program-'))
  await bundle({
    source: {
      stdin: {
        contents: `
          import { startProcess } from './shared/runtime/start/start-process.ts'
          import * as all from ${JSON.stringify(name)}
          startProcess(() => console.log(${expression}), async () => undefined)`,
        resolveDir: root,
      },
    },
    out: join(own, mainFile),
    plugins,
  })
  await writeSnapshot(own)
  return own
}

describe('a startup snapshot', () => {
  // Each takes `http` apart when it is loaded. A version that does not needs no plugin.
  test.each(['undici', 'hpagent', 'socks-proxy-agent'])('cannot contain %s', async name => {
    await expect(snapshotOf(name, '0', [])).rejects.toThrow('http is not to be used while a snapshot is made')
  })

  test.each([
    ['undici', `all.Agent.name.length > 0 && new all.Agent() instanceof all.Dispatcher`],
    ['@kubernetes/client-node', `new all.KubeConfig().getCurrentCluster() === null`],
  ])('can contain %s with late members', async (name, expression) => {
    const own = await snapshotOf(name, expression, [lateMembers(clientNodeLate)])
    const { stdout } = await promisify(execFile)(process.execPath, [...snapshotArgs(own)])
    expect(stdout).toBe('true\n')
  })
})
