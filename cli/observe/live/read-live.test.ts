import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { annotations, labels } from '../../../shared/contract/constants.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import {
  createKubernetes,
  type KubernetesObject,
  type Transport,
} from '../../../shared/kubernetes/kubernetes.ts'
import {
  findShoot,
  historyAsText,
  type SeedView,
  seedStatus,
  shootHistory,
  shootTree,
  statusAsText,
  stepsOfBridges,
  treeAsText,
  unpainted,
} from '../observe.ts'
import { readSeed } from './read-seed.ts'
import { readShoot } from './read-shoot.ts'

const technical = 'shoot--garden--rose'
const signal = new AbortController().signal

const extension = (kind: string, name: string, fields: object = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind,
  metadata: { name, namespace: technical, annotations: { [annotations.operation]: 'reconcile' } },
  spec: { type: 'acme' },
  ...fields,
})

const cluster: KubernetesObject = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: technical },
  spec: {
    cloudProfile: { spec: { large: 'x'.repeat(10_000) } },
    seed: { spec: { backup: { provider: 'acme' } } },
    shoot: {
      metadata: { name: 'rose', namespace: 'garden-dev', uid: '1b2c3d4e-0000' },
      spec: { provider: { type: 'acme', workers: [{ name: 'a' }] } },
      status: { technicalID: technical, uid: '1b2c3d4e-0000' },
    },
  },
}

const namespace = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { [labels.role]: 'shoot' } },
})

let server: ReturnType<typeof createApiServer>
let paths: string[]
/** Plurals that the user may not list. */
let refused: readonly string[]

const transport: Transport = request => {
  paths.push(request.path)
  return refused.some(plural => request.path.includes(`/${plural}?`))
    ? Promise.resolve({
        status: 403,
        headers: { 'content-type': 'application/json' },
        body: bytes({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403, message: 'no' }),
      })
    : server.transport(request)
}

async function* bytes(value: unknown): AsyncIterable<Uint8Array> {
  yield Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
}

const kubernetes = createKubernetes({ transport, clock: systemClock })
const read = (part?: 'all' | 'extensions', of = technical) =>
  readShoot({ kubernetes, clock: systemClock, technical: of, signal, ...(part && { part }) })

beforeEach(() => {
  paths = []
  refused = []
  server = createApiServer({
    clock: systemClock,
    objects: [
      ...allCrds(),
      ...machineCrds(),
      ...resourceCrds(),
      namespace(technical),
      namespace('shoot--other--rose'),
      cluster,
      extension('Infrastructure', 'rose', {
        spec: { type: 'acme', region: 'r', secretRef: { name: 's', namespace: technical } },
      }),
    ],
  })
})
afterEach(() => server.close())

describe('a shoot is read', () => {
  test('with at most 12 requests, which name its namespace or an object', async () => {
    const { missing, objects } = await read()
    expect(objects.map(({ kind }) => kind)).toEqual(['Cluster', 'Infrastructure'])
    expect(paths.length).toBeLessThanOrEqual(12)
    for (const path of paths) expect(path).toMatch(/\/namespaces\/shoot--garden--rose\/|fieldSelector=/)
    expect(missing).toEqual(['Bastions: not read; --all reads them'])
  })

  test('with every kind on request', async () => {
    expect((await read('all')).missing).toEqual([])
    expect(paths).toHaveLength(14)
  })

  test('without machines and ManagedResources for a history, and then with every extension kind', async () => {
    expect((await read('extensions')).missing).toEqual([])
    expect(paths.filter(path => /machine|managedresources/.test(path))).toEqual([])
    expect(paths.length).toBeLessThanOrEqual(12)
    expect(paths).toContainEqual(expect.stringContaining('/bastions?'))
  })

  test('only if the seed has it', async () => {
    await expect(read(undefined, 'shoot--garden--tulip')).rejects.toThrow(
      'there is no shoot shoot--garden--tulip in this seed. trellis status lists all shoots',
    )
  })

  test('by its name with one request more, if only one shoot has it', async () => {
    expect(await findShoot(technical, kubernetes, signal)).toBe(technical)
    expect(paths).toEqual([])
    await expect(findShoot('rose', kubernetes, signal)).rejects.toThrow(
      'several shoots are called rose: shoot--garden--rose, shoot--other--rose. Give one of these names',
    )
    await expect(findShoot('rsoe', kubernetes, signal)).rejects.toThrow('Did you mean rose?')
    expect(paths).toHaveLength(2)
  })

  test('as far as the user may', async () => {
    refused = ['dnsrecords', 'machines', 'clusters']
    const view = await read()
    expect(view.missing).toEqual(
      expect.arrayContaining([
        'Clusters: you may not list them',
        'DNSRecords: you may not list them',
        'Machines: you may not list them',
      ]),
    )
    expect(shootTree(view, technical, () => []).children.map(({ title }) => title)).toEqual([
      'Infrastructure rose',
    ])
    refused = ['namespaces']
    await expect(findShoot('rose', kubernetes, signal)).rejects.toThrow(/you may not list namespaces/)
  })

  test('although the API server lacks kinds', async () => {
    server.close()
    server = createApiServer({ clock: systemClock, objects: [...allCrds(), cluster] })
    expect((await read()).missing).toEqual(
      expect.arrayContaining(['Machines: the API server has no such kind']),
    )
  })
})

test('a seed is read without the CloudProfiles of its Clusters', async () => {
  const view = await readSeed({ kubernetes, clock: systemClock, signal })
  expect(JSON.stringify(view).length).toBeLessThan(5_000)
  expect(seedStatus(view)).toMatchObject([
    { shoot: technical, title: expect.stringMatching(/garden-dev\/rose/) },
  ])
})

test('the status of a paused shoot says who has paused it, and until when', async () => {
  const pause = '2999-01-01T00:00:00Z anna: NAT gateway'
  const annotate = (text: string) =>
    kubernetes.patch(
      clusterKind.resource,
      { name: technical },
      { metadata: { annotations: { [annotations.pause]: text } } },
    )
  await annotate(pause)
  const at = Date.parse('2998-12-31T00:00:00Z')
  const view = await readSeed({ kubernetes, clock: { now: () => at }, signal })
  const [status] = seedStatus(view)
  expect(status).toMatchObject({
    state: 'waiting',
    why: 'paused until 2999-01-01T00:00:00Z by anna: NAT gateway; then it goes on by itself',
  })
  expect(statusAsText(seedStatus(view), at, unpainted)).toContain(
    'next: the end of the pause at 2999-01-01T00:00:00Z, in 24 h',
  )
})

describe('steps of bridges', () => {
  test('are absent without a bridge or permission, and the reason is shown', async () => {
    expect((await stepsOfBridges(kubernetes, transport, undefined, signal)).missing).toEqual([
      expect.stringMatching(/^steps: no pod of a bridge was found; --bridge URL/),
    ])
    refused = ['pods']
    expect((await stepsOfBridges(kubernetes, transport, undefined, signal)).missing).toEqual([
      expect.stringMatching(/^steps: you may not list pods/),
    ])
  })

  test.each([
    [403, '', /you may not get pods\/proxy in the namespace trellis/],
    [404, '', /has no \/journal/],
    [200, 'no journal\n', /steps of the bridge in the pod trellis\/bridge-1: this is not a journal/],
    [200, '{"journal":7}\n', /version 7/],
    [200, '{"journal":1}\n', /header of the journal is invalid/],
    [200, '{"journal":1,"by":"b","at":"2026-11-21T12:00:00Z"}\n{"type":"ste', /line/],
  ])('are not known if the bridge answers %s %s', async (status, body, missing) => {
    const pods = { list: async () => ({ resourceVersion: '', items: [pod] }) }
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'trellis', name: 'bridge-1' } }
    const asked: string[] = []
    const answer: Transport = async ({ path }) => {
      asked.push(path)
      return { status, headers: {}, body: bytes(body) }
    }
    const found = await stepsOfBridges(pods, answer, undefined, signal)
    expect(found).toMatchObject({ steps: [], missing: [expect.stringMatching(missing)], unread: true })
    expect(asked).toEqual(['/api/v1/namespaces/trellis/pods/bridge-1:8080/proxy/journal'])
  })
})

test('no output contains control characters of names and errors', () => {
  const hostile = 'a\u001b[2J\u009b31m\n<script>"\\\u202e'
  const view: SeedView = {
    at: Date.parse('2026-11-21T12:00:00Z'),
    clustersRead: true,
    missing: [],
    steps: [
      {
        type: 'step',
        at: '2026-11-21T11:59:00.000Z',
        event: hostile,
        function: hostile,
        object: `DNSRecord ${technical}/${hostile}`,
        operation: hostile,
        began: '2026-11-21T11:59:00.000Z',
        ms: 1,
        outcome: hostile,
        calls: [{ to: 'cloud', name: hostile, after: 0, ms: 1, status: '500', error: hostile }],
      },
    ],
    objects: [
      { ...cluster, spec: { shoot: { metadata: { name: hostile, namespace: hostile } } } },
      extension('DNSRecord', hostile, {
        status: {
          lastOperation: {
            type: hostile,
            state: 'Error',
            description: hostile,
            lastUpdateTime: '2026-11-21T11:59:00Z',
          },
          lastError: { description: hostile, codes: [hostile] },
        },
      }),
      extension('DNSRecord', 'b', {
        metadata: { name: 'b', namespace: technical, annotations: { [annotations.operation]: hostile } },
      }),
    ],
  }
  const tree = shootTree(view, technical, () => [{ type: hostile, id: hostile, zone: hostile }])
  const texts = [
    treeAsText(tree, view.at, unpainted),
    statusAsText(seedStatus(view), view.at, unpainted),
    historyAsText(shootHistory(view, technical, 0), technical, view.at, unpainted),
  ]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
  for (const text of texts) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})

describe('an object that is due for an hour', () => {
  const late = (type: string): KubernetesObject => {
    const object = extension('Infrastructure', 'late', { spec: { type, region: 'r', secretRef: {} } })
    const timestamp = new Date(Date.now() - 3_600_000).toISOString()
    return {
      ...object,
      metadata: {
        ...object.metadata,
        creationTimestamp: timestamp,
        annotations: { [annotations.operation]: 'reconcile', [annotations.timestamp]: timestamp },
      },
    }
  }
  /** A server with the object, and bridges that serve a type. */
  const statusWith = async (object: KubernetesObject, bridges: readonly string[] | 'refused') => {
    const bridgeOf = (type: string): KubernetesObject => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'bridge', namespace: 'trellis' },
      spec: {
        template: {
          spec: { containers: [{ env: [{ name: 'TRELLIS_SERVED', value: `Infrastructure/${type}` }] }] },
        },
      },
    })
    const list: typeof kubernetes.list = async (resource, options) => {
      if (resource.plural === 'deployments' && bridges !== 'refused')
        return { items: bridges.map(bridgeOf), resourceVersion: '1', continue: '' } as never
      if (resource.plural === 'deployments') refused = ['deployments']
      if (resource.plural === 'infrastructures')
        return { items: [object], resourceVersion: '1', continue: '' } as never
      return kubernetes.list(resource, options)
    }
    const view = await readSeed({ kubernetes: { list }, clock: systemClock, signal })
    return seedStatus(view).find(({ shoot }) => shoot === technical)?.state
  }

  test('is stuck only if a bridge of the seed sends events for it', async () => {
    expect(await statusWith(late('azure'), ['azure'])).toBe('failed')
    expect(await statusWith(late('azure'), ['aws'])).toBe('waiting')
    expect(await statusWith(late('azure'), [])).toBe('waiting')
    expect(await statusWith(late('azure'), 'refused')).toBe('unknown')
  })
})
