import { join } from 'node:path'
import { expect, test } from 'vitest'
import { functionFolder, imports } from '../../functions/testing/function-folder.ts'
import type { GuestFunction } from '../../sandbox/seed/seed.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import { ownFunctions, serveAuthorFunctions } from './serve-author-functions.ts'

test('a function of an author replaces the one with the same provider and kind', async () => {
  const names = (await ownFunctions(['/elsewhere/functions/local/dnsrecord/function.ts'])).map(
    ({ name }) => name,
  )
  expect(names).not.toContain('local-dnsrecord')
  expect(names).toEqual(expect.arrayContaining(['aws-dnsrecord', 'local-backupentry']))
})

const nowhere = new URL('../testing/nowhere.kubeconfig', import.meta.url).pathname
const network = (type: string) => `${imports}export const definition = defineFunction({
  name: '${type}-network', kind: 'Network', type: '${type}',
  create: () => ({ reconcile: async () => done(), remove: async () => done() }),
})
`

/** Serves these files. `starts`: how the sandbox starts their processes. */
const serve = async (files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) => {
  const { root, remove } = await functionFolder(files)
  let starts: readonly GuestFunction['start'][] = []
  const sandbox: Pick<
    Sandbox,
    'functions' | 'host' | 'restart' | 'cloudEnvironment' | 'kubernetes' | 'bridgeUrl' | 'reportToken'
  > = {
    functions: [],
    // No bridge listens there.
    bridgeUrl: 'http://127.0.0.1:9',
    reportToken: () => 'token',
    host: given => {
      starts = given.map(({ start }) => start)
    },
    restart: async () => {},
    cloudEnvironment: () => ({}),
    kubernetes: {} as Sandbox['kubernetes'],
  }
  const serving = await serveAuthorFunctions({
    files: Object.keys(files).map(file => join(root, file)),
    described: { at: 0, byFile: new Map() },
    sandbox: sandbox as Sandbox,
    providers: [],
    scale: 1,
    kubeconfig: nowhere,
    isWatched: false,
    isVerbose: false,
    env,
    print: () => {},
  })
  return {
    starts,
    close: () => {
      serving.close()
      return remove()
    },
  }
}

test('this process has one exit listener, however many functions are served', async () => {
  const { starts, close } = await serve({
    'a/network/function.ts': network('a'),
    'b/network/function.ts': network('b'),
  })
  try {
    const before = process.listenerCount('exit')
    const running = await Promise.all(starts.map(start => start()))
    const during = process.listenerCount('exit')
    await Promise.all(running.map(one => one.close()))
    expect(running).toHaveLength(2)
    expect([during, process.listenerCount('exit')]).toEqual([before + 1, before])
  } finally {
    await close()
  }
})

test('the functions framework serves, and the user does not select its address and port', async () => {
  const env = { TRELLIS_ADDRESS: '192.0.2.1', TRELLIS_PORT: 'x' }
  const { starts, close } = await serve({ 'a/network/function.ts': network('a') }, env)
  const running = await starts[0]?.()
  try {
    // Only the functions framework answers this path itself.
    expect((await fetch(`${running?.url}/favicon.ico`)).status).toBe(404)
  } finally {
    await running?.close()
    await close()
  }
})
