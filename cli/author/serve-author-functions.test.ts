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

test('this process has one exit listener, however many functions are served', async () => {
  const files = { 'a/network/function.ts': network('a'), 'b/network/function.ts': network('b') }
  const { root, remove } = await functionFolder(files)
  let guests: readonly GuestFunction[] = []
  const sandbox: Pick<Sandbox, 'functions' | 'host' | 'restart' | 'cloudEnvironment' | 'kubernetes'> = {
    functions: [],
    host: given => {
      guests = given
    },
    restart: async () => {},
    cloudEnvironment: () => ({}),
    kubernetes: {} as Sandbox['kubernetes'],
  }
  try {
    const serving = await serveAuthorFunctions({
      files: Object.keys(files).map(file => join(root, file)),
      sandbox: sandbox as Sandbox,
      providers: [],
      scale: 1,
      kubeconfig: nowhere,
      isWatched: false,
      isVerbose: false,
      env: {},
      print: () => {},
    })
    const before = process.listenerCount('exit')
    const running = await Promise.all(guests.map(({ start }) => start()))
    const during = process.listenerCount('exit')
    await Promise.all(running.map(one => one.close()))
    serving.close()
    expect(running).toHaveLength(2)
    expect([during, process.listenerCount('exit')]).toEqual([before + 1, before])
  } finally {
    await remove()
  }
})
