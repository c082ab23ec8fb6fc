import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { functionFolder, imports } from '../../functions/testing/function-folder.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { configMaps, namespaces } from '../../shared/kubernetes/core-resources.ts'
import { createKubernetes, httpTransport, kubeconfigAccess } from '../../shared/kubernetes/kubernetes.ts'
import { shootNamespace as namespace, sampleObject } from '../../test/lifecycle/sample-objects.ts'
import { replay } from '../replay/testing/replay-run.ts'

const program = fileURLToPath(new URL('../trellis.mjs', import.meta.url))
const { resource } = kinds.Network

const network = (name: string, types: string) => `${imports}import { made } from './made.ts'
interface Unused { readonly a: string }
const configMaps = { group: '', version: 'v1', plural: 'configmaps', namespaced: true } as const
export const definition = defineFunction({
  name: '${name}', kind: 'Network', type: ${types},
  permissions: [{ resource: configMaps, verbs: ['get'], why: 'Shows the health.' }],
  health: {
    conditions: [
      {
        type: 'SystemComponentsHealthy',
        checks: [
          {
            name: 'agent',
            reads: [{ resource: configMaps, name: 'agent' }],
            run: async ({ kubernetes, namespace }: any) =>
              (await kubernetes.get(configMaps, { name: 'agent', namespace })) === undefined
                ? { kind: 'unsuccessful', detail: 'there is no agent', codes: [] }
                : { kind: 'successful' },
          },
        ],
      },
    ],
  },
  create: () => ({
    reconcile: async (step: { readonly object: { readonly spec: { readonly type: string } } }) =>
      done({ providerStatus: { made: made(step.object.spec.type) } }),
    remove: async () => done(),
  }),
})
`
const made = (text: string) => `export const made = (type: string): string => \`${text} \${type}\`\n`

/** Starts `trellis dev` on functions outside of the repository, and ends it after the test. */
const withDev = async (
  files: Readonly<Record<string, string>>,
  act: (dev: {
    readonly write: (path: string, text: string) => Promise<void>
    readonly record: string
    readonly root: string
    readonly says: (text: string) => Promise<void>
    readonly kubernetes: () => Promise<ReturnType<typeof createKubernetes>>
    readonly printed: () => string
  }) => Promise<void>,
  flags: (root: string) => readonly string[] = () => [],
): Promise<string> => {
  const { root, remove } = await functionFolder(files)
  const [kubeconfig, record] = [join(root, 'kubeconfig'), join(root, 'my.journal')]
  const args = [
    'dev',
    '--function',
    root,
    '--watch',
    '--record',
    record,
    '--kubeconfig',
    kubeconfig,
    ...flags(root),
  ]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let printed = ''
  let more = Promise.withResolvers<void>()
  child.stdout.setEncoding('utf8').on('data', text => {
    printed += text
    more.resolve()
    more = Promise.withResolvers()
  })
  let transport: ReturnType<typeof httpTransport> | undefined
  try {
    await act({
      write: (path, text) => writeFile(join(root, path), text),
      record,
      root,
      printed: () => printed,
      says: async text => {
        while (!printed.includes(text)) {
          const ended = await Promise.race([more.promise, exited.then(() => 'ended')])
          if (ended === 'ended') throw new Error(`it has ended: ${printed}`)
        }
      },
      kubernetes: async () => {
        transport = httpTransport({
          access: await kubeconfigAccess({ file: kubeconfig, clock: systemClock }),
        })
        return createKubernetes({ transport: transport.send, clock: systemClock })
      },
    })
    return printed.replaceAll(`${root}/`, '')
  } finally {
    transport?.close()
    child.kill('SIGINT')
    await exited
    await remove()
  }
}

test('trellis dev runs the functions of a folder, and a save reconciles their objects with the new code', async () => {
  const printed = await withDev(
    {
      'acme/network/function.ts': network('acme-network', `['acme', 'acme-fast']`),
      'acme/network/made.ts': made('first'),
      'acme/broken/function.ts': `${imports}\nthrow new Error('out of order')\n`,
    },
    async ({ write, says, kubernetes: reach, record, root }) => {
      await says('acme-network, for Network of type acme, acme-fast')
      const kubernetes = await reach()
      await kubernetes.create(namespaces, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, labels: { 'gardener.cloud/role': 'shoot' } },
      })
      await kubernetes.create(clusterKind.resource, {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'Cluster',
        metadata: { name: namespace },
        spec: { cloudProfile: {}, seed: {}, shoot: {} },
      })
      const madeOf = async (name: string, wanted: string) => {
        for (;;) {
          const object = await kubernetes.get(resource, { name, namespace })
          if (Object(object?.status).providerStatus?.made === wanted) return
          await systemClock.sleep(20)
        }
      }
      for (const type of ['acme', 'acme-fast']) {
        const { metadata, ...fields } = sampleObject('Network', { spec: { type } })
        await kubernetes.create(resource, { ...fields, metadata: { ...metadata, name: type } })
      }
      await madeOf('acme', 'first acme')
      await madeOf('acme-fast', 'first acme-fast')

      await says('acme is not healthy (False): ')
      await kubernetes.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'agent', namespace },
      })
      await says('acme is healthy: All health checks successful')

      await write('acme/network/made.ts', made('second'))
      await madeOf('acme-fast', 'second acme-fast')
      await write('acme/network/made.ts', 'export const made = (\n')
      await says('events for acme-network wait')
      await kubernetes.patch(
        resource,
        { name: 'acme', namespace },
        { metadata: { annotations: { 'gardener.cloud/operation': 'reconcile' } } },
      )
      await says('because of annotation')
      await write('acme/network/made.ts', made('third'))
      await madeOf('acme', 'third acme')

      await write('acme/broken/function.ts', network('acme-late', `'acme-late'`))
      await write('acme/broken/made.ts', made('late'))
      await says('acme-late, for Network of type acme-late, reloaded')

      const lines = (await readFile(record, 'utf8')).trimEnd().split('\n')
      const events = lines.map(line => JSON.parse(line)).filter(({ type }) => type === 'event')
      expect(new Set(events.map(({ event }) => event.provider))).toEqual(new Set(['acme', 'acme-fast']))
      expect(lines.some(line => line.includes('"type":"step"'))).toBe(true)
      const { text } = await replay([record], { function: join(root, 'acme/network') })
      expect(text.match(/^outcome .*$/gm)?.every(line => line === 'outcome     succeeded')).toBe(true)
      expect(text).toContain('made: third acme-fast')
    },
  )
  expect(printed).toContain('acme/broken/function.ts:4: cannot load the file: out of order')
  expect(printed).toMatch(/acme\/network\/(made|function)\.ts:\d+: cannot load the file: /)
  // No function needs AWS, so nothing mentions it.
  expect(printed).not.toMatch(/aws|route53/i)
  expect(printed).toContain('kubectl get networks -A --watch')
})

test('a saved example is applied again, and a debugger reaches the process of the function', async () => {
  const example = (size: string) => `apiVersion: v1
kind: Namespace
metadata:
  name: ${namespace}
  labels: { gardener.cloud/role: shoot }
---
apiVersion: extensions.gardener.cloud/v1alpha1
kind: Cluster
metadata:
  name: ${namespace}
spec: { cloudProfile: {}, seed: {}, shoot: {} }
---
apiVersion: extensions.gardener.cloud/v1alpha1
kind: Network
metadata:
  name: net
  namespace: ${namespace}
  annotations: { gardener.cloud/operation: reconcile }
spec:
  type: acme
  podCIDR: 100.96.0.0/11
  serviceCIDR: 100.64.0.0/13
  providerConfig: { apiVersion: acme/v1, kind: NetworkConfig, size: ${size} }
`
  const source = `${imports}
export const definition = defineFunction({
  name: 'acme-network', kind: 'Network', type: 'acme',
  create: () => ({
    reconcile: async ({ object, log }) => {
      log.info('the size is ' + object.spec.providerConfig.size)
      return done()
    },
    remove: async () => done(),
  }),
})
`
  await withDev(
    { 'acme/network/function.ts': source, 'acme/network/example.yaml': example('small') },
    async ({ write, says, printed }) => {
      await says('acme-network: the size is small')
      await says('a debugger can attach to ws://')
      const [, address = ''] = /ws:\/\/(127\.0\.0\.1:\d+)\//.exec(printed()) ?? []
      const targets = (await (await fetch(`http://${address}/json/list`)).json()) as readonly {
        readonly type: string
      }[]
      expect(targets.map(({ type }) => type)).toEqual(['node'])
      await write('acme/network/example.yaml', 'no: [')
      await says('example.yaml: document 1: not valid YAML')
      await write('acme/network/example.yaml', example('large'))
      await says('example.yaml: 3 objects applied again')
      await says('acme-network: the size is large')
    },
    root => ['--apply', join(root, 'acme/network/example.yaml'), '--inspect'],
  )
})

test.each([
  [['--watch'], '--watch needs --function'],
  [['--inspect'], '--inspect needs --function'],
  [['--function', '/nowhere/at/all'], '--function /nowhere/at/all: no such folder'],
  [['--record', '/nowhere/at/all'], '/nowhere/at/all: cannot be written (ENOENT)'],
])(
  'trellis dev %j is refused',
  async (args, problem) => {
    const child = spawn(process.execPath, [program, 'dev', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      said += text
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(2)
    expect(said).toContain(problem)
  },
  60_000,
)
