import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { stringify } from 'yaml'
import { type FunctionFolder, functionFolder, imports } from '../../../functions/testing/function-folder.ts'
import { type Clock, systemClock, virtualClock } from '../../../shared/clock/clock.ts'
import { plan } from '../testing/plan-run.ts'
import { startPlanProcess } from './start-plan-process.ts'

const namespace = 'shoot--p--s'

/** A function for Networks of a type, with a body for `reconcile` and one for `remove`. */
const networkFile = (type: string, reconcile: string, remove = '') => `${imports}
import fs from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { createSocket } from 'node:dgram'
import { spawnSync } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { DatabaseSync } from 'node:sqlite'
import v8 from 'node:v8'
const here = name => new URL(name, import.meta.url)
const configMaps = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
const permissions = [{ resource: configMaps, verbs: ['get', 'list', 'create'], why: 'Its settings.' }]
export const definition = defineFunction({
  name: 'acme-${type}', kind: 'Network', type: '${type}', permissions,
  create: () => ({
    reconcile: async ({ kubernetes, object }) => {
      ${reconcile}
      return done({ providerStatus: { of: object.metadata.name } })
    },
    remove: async () => { ${remove}; return done() },
  }),
})
`

const objects = (type: string) => [
  {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: {} },
  },
  {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Network',
    metadata: { name: 'net', namespace },
    spec: { type, podCIDR: '100.96.0.0/11', serviceCIDR: '100.64.0.0/13' },
  },
]

let folder: FunctionFolder
let url = ''
let requests = 0
const server = createServer((_, response) => {
  requests++
  response.end()
})

/** Each way in which a step of a function could change something, and the text with which the plan fails. */
const ways: Readonly<Record<string, readonly [body: string, said: RegExp]>> = {
  writes: [`await writeFile(here('made'), 'x')`, /acme-\w+ writes to \/.*made/],
  deletes: [`await rm(here('kept'), { force: true })`, /acme-\w+ writes to \/.*kept/],
  swallows: [`try { fs.writeFileSync(here('made'), 'x') } catch {}`, /acme-\w+ writes to \/.*made/],
  streams: [
    `await new Promise(done => fs.createWriteStream(here('made')).on('error', done).on('close', done))`,
    /acme-\w+ writes to \/.*made/,
  ],
  calls: [`await fetch(process.env.TEST_URL).catch(() => {})`, /connects to 127\.0\.0\.1:\d+/],
  connects: [
    `await new Promise(done => connect(Number(new URL(process.env.TEST_URL).port), '127.0.0.1', done).on('error', done))`,
    /connects to 127\.0\.0\.1:\d+/,
  ],
  sends: [`createSocket('udp4').send('x', 53, '127.0.0.1', () => {})`, /acme-\w+ sends datagrams/],
  asks: [`await lookup('example.com').catch(() => {})`, /acme-\w+ looks up example\.com/],
  starts: [`spawnSync('touch', [here('made').pathname])`, /acme-\w+ starts a program \(touch\)/],
  database: [`new DatabaseSync(here('made').pathname)`, /acme-\w+ uses DatabaseSync of Node/],
  snapshot: [`v8.writeHeapSnapshot(here('made').pathname)`, /FileSystemWrite|writes to|restricted/],
  signals: [`process.kill(process.ppid, 0)`, /acme-\w+ uses kill of Node/],
  interrupts: [`process._kill(process.ppid, 0)`, /acme-\w+ uses _kill of Node/],
  listens: [
    `await new Promise(done => createServer().on('error', done).listen(here('made').pathname, done))`,
    /acme-\w+ listens at \/.*made/,
  ],
  // Another address with the same port: the connection would reach this test's server.
  neighbours: [
    `const port = Number(new URL(process.env.TEST_URL).port)
    const other = createServer()
    await new Promise(done => other.listen(port, '127.0.0.2', done))
    await new Promise(done => connect(port, '127.0.0.1', done).on('error', done))
    other.close()`,
    /connects to 127\.0\.0\.1:\d+/,
  ],
  truncates: [`fs.ftruncateSync(1, 0)`, /acme-\w+ uses ftruncateSync of Node/],
}

const start = async (name: string, env: NodeJS.ProcessEnv = {}, clock: Clock = systemClock) => {
  let printed = ''
  const functions = await startPlanProcess({
    folders: [join(folder.root, name)],
    env: { ...process.env, TEST_URL: url, ...env },
    clock,
    onOutput: text => {
      printed += text
    },
  })
  return { ...functions, printed: () => printed }
}

let started: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  folder = await functionFolder({
    ...Object.fromEntries(
      Object.entries(ways).flatMap(([name, [body]]) => [
        [`steps/${name}/function.js`, networkFile(name, body)],
        [`steps/${name}/kept`, 'kept'],
      ]),
    ),
    'steps/deletion/function.js': networkFile('deletion', '', `await rm(here('kept'))`),
    'steps/deletion/kept': 'kept',
    'steps/reads/function.js': networkFile(
      'reads',
      `
      console.log('a line of the function')
      const { namespace } = object.metadata
      const found = await kubernetes.get(configMaps, { name: 'absent', namespace })
      if (found === undefined) await kubernetes.create(configMaps, {
        apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'absent', namespace },
        data: { text: fs.readFileSync(here('kept'), 'utf8') },
      })`,
    ),
    'steps/reads/kept': 'kept',
    'steps/silent/function.js': networkFile(
      'silent',
      `await kubernetes.create(configMaps, {
        apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made', namespace: object.metadata.namespace },
        data: { sends: String(process.send) },
      })`,
    ),
    'env/network/function.js': networkFile('env', `await writeFile(here('made'), 'x')`),
    'hangs/network/function.js': networkFile('hangs', 'for (;;);'),
    'loads/network/function.js': `import { writeFileSync } from 'node:fs'
writeFileSync(new URL('made', import.meta.url), 'x')
${networkFile('loads', '')}`,
    'ends/network/function.js': `process.exit(3)\n`,
  })
  for (const type of [...Object.keys(ways), 'deletion', 'reads', 'silent', 'hangs', 'env'])
    await writeFile(
      join(folder.root, `${type}.yaml`),
      objects(type)
        .map(object => `---\n${stringify(object)}`)
        .join(''),
    )
  started = await start('steps')
}, 60_000)
afterAll(async () => {
  started.close()
  server.close()
  await folder.remove()
})

const planOf = (type: string, options: Parameters<typeof plan>[1] = {}) =>
  plan([join(folder.root, `${type}.yaml`)], { planners: started.planners, ...options })
const filesOf = async (path: string) => (await readdir(join(folder.root, path))).toSorted()

describe('a plan runs the code of an author without the permission to change anything', () => {
  test.each(Object.keys(ways))('a step is refused, and its plan says why: %s', async type => {
    const [, said = /./] = ways[type] ?? []
    await expect(planOf(type)).rejects.toThrow(said)
    expect(await filesOf(`steps/${type}`)).toEqual(['function.js', 'kept'])
    expect(requests).toBe(0)
  })

  test('a deletion deletes nothing', async () => {
    await expect(planOf('deletion', { delete: true })).rejects.toThrow(/writes to \/.*kept/)
    expect(await readFile(join(folder.root, 'steps/deletion/kept'), 'utf8')).toBe('kept')
  })

  test('an attempt of one step is not reported for the next one', async () => {
    await expect(planOf('writes')).rejects.toThrow('acme-writes writes to')
    expect((await planOf('reads')).differs).toBe(true)
  })

  test('a step that changes only Kubernetes is planned, and its output is not part of the plan', async () => {
    const { text } = await planOf('reads')
    expect(text).toContain(`+ create ConfigMap ${namespace}/absent`)
    expect(text).toContain('+  text: kept')
    expect(text).toContain('Plan: 1 to create, 1 to change, 0 to delete')
    expect(text).not.toContain('a line of the function')
    expect(started.printed()).toContain('a line of the function')
  })

  test('a file that writes while it is loaded cannot be used', async () => {
    await expect(start('loads')).rejects.toThrow(/function\.js:2: .*writes to/)
    expect(await filesOf('loads/network')).toEqual(['function.js'])
  })

  test('a function has no channel to the command', async () => {
    expect((await planOf('silent')).text).toContain('sends: undefined')
  })

  test('an endless step ends the plan after two minutes', async () => {
    const clock = virtualClock(0)
    const { planners } = await start('hangs', {}, clock)
    const planned = planOf('hangs', { planners })
    const refused = expect(planned).rejects.toThrow('the steps of the function did not end within 120 s')
    await vi.waitFor(() => expect(clock.pending()).toHaveLength(1))
    await clock.advance(120_000)
    await refused
  })

  test('a file that ends its process ends the plan', async () => {
    await expect(start('ends')).rejects.toThrow('ended (exit code 3)')
  })

  test('options of the environment restore no permission, and the functions of this project are available, too', async () => {
    const { planners, close } = await start('env', { NODE_OPTIONS: '--allow-fs-write=*' })
    try {
      await expect(planOf('env', { planners })).rejects.toThrow('writes to')
      expect(await filesOf('env/network')).toEqual(['function.js'])
      const example = fileURLToPath(new URL('../../../examples/network/calico.yaml', import.meta.url))
      const { text } = await plan([example], { planners })
      expect(text).toContain('extension-networking-calico-config, 60 objects in the shoot')
    } finally {
      close()
    }
  })
})
