import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { besidePath, isBeside, withBeside } from '../../test/beside/beside.ts'
import { callCases } from '../../test/recorded/cases.ts'
import { recordedObjectOf } from '../../test/recorded/recorded.ts'
import { formatPath, formatProblems } from '../decode/problems.ts'
import { type KindName, kindNames } from './kinds.ts'
import {
  type ParseResult,
  parseCluster,
  parseMachineObject,
  parseManagedResource,
  parseObject,
} from './parse.ts'

const secretRef = { name: 'cloudprovider', namespace: 'shoot--p--x' }

/** The minimal specs that the API server accepts. */
const leastSpecs: Readonly<Record<KindName, object>> = {
  Infrastructure: { type: 'aws', region: 'eu-west-1', secretRef },
  DNSRecord: {
    type: 'aws-route53',
    secretRef,
    name: 'a.example.com',
    recordType: 'A',
    values: ['1.2.3.4'],
  },
  BackupBucket: { type: 'aws', region: 'eu-west-1', secretRef },
  BackupEntry: { type: 'aws', region: 'eu-west-1', bucketName: 'b', secretRef },
  Bastion: { type: 'aws', userData: 'IyEvYmluL3No', ingress: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
  Worker: {
    type: 'aws',
    region: 'eu-west-1',
    secretRef,
    pools: [
      {
        name: 'p',
        machineType: 'm5.large',
        minimum: 1,
        maximum: 2,
        maxSurge: 1,
        maxUnavailable: '25%',
        userDataSecretRef: { name: 'n', key: 'cloud_config' },
      },
    ],
  },
  ControlPlane: { type: 'aws', region: 'eu-west-1', secretRef },
  Network: { type: 'calico', podCIDR: '100.96.0.0/11', serviceCIDR: '100.64.0.0/13' },
  OperatingSystemConfig: { type: 'gardenlinux', purpose: 'provision' },
  ContainerRuntime: {
    type: 'gvisor',
    binaryPath: '/var/bin/containerruntimes',
    workerPool: { name: 'p', selector: { matchLabels: { 'worker.gardener.cloud/pool': 'p' } } },
  },
  Extension: { type: 'shoot-dns-service' },
  SelfHostedShootExposure: { type: 'aws', port: 443, endpoints: [] },
}

const objectOf = (kind: string, spec: unknown, more: object = {}): unknown => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind,
  metadata: { name: 'x', namespace: 'shoot--p--x' },
  spec,
  ...more,
})

const record = (changes: object, more: object = {}) =>
  objectOf('DNSRecord', { ...leastSpecs.DNSRecord, ...changes }, more)

const pool = (changes: object) => ({
  ...leastSpecs.Worker,
  pools: [{ ...leastPool, ...changes }],
})
const [leastPool] = 'pools' in leastSpecs.Worker ? (leastSpecs.Worker.pools as [object]) : [{}]

const problemsOf = (result: ParseResult): string => (result.ok ? '' : formatProblems(result.problems))

describe('parsing an object', () => {
  test.each(kindNames)('the minimal %s is accepted', kind => {
    expect(problemsOf(parseObject(kind, objectOf(kind, leastSpecs[kind])))).toBe('')
  })

  test.each(kindNames)('every missing required field of a %s is reported', kind => {
    const result = parseObject(kind, objectOf(kind, {}))
    const required = Object.keys(leastSpecs[kind]).sort()
    expect(result.ok ? [] : result.problems.map(({ path }) => path).sort()).toEqual(
      required.map(field => `spec.${field}`),
    )
    expect(problemsOf(result)).toMatch(/^spec\.\w+: expected .*, found nothing(; |$)/)
  })

  test('the same object is returned, with all unknown fields', () => {
    const value = record(
      { ofTomorrow: { a: 1 }, providerConfig: { kind: 'X', deep: [1, null] } },
      { extra: true },
    )
    const result = parseObject('DNSRecord', value)
    expect(result.ok && result.object).toBe(value)
  })

  test.each<[string, unknown, string]>([
    [
      'a number among the values',
      record({ values: [1] }),
      'spec.values[0]: expected a string, found a number',
    ],
    ['no values', record({ values: null }), 'spec.values: expected a list, found null'],
    ['a text for the values', record({ values: '1.2.3.4' }), 'spec.values: expected a list, found a string'],
    [
      'an unknown record type',
      record({ recordType: 'SRV' }),
      'spec.recordType: expected one of "A", "AAAA", "CNAME", "TXT", found "SRV"',
    ],
    ['half a second', record({ ttl: 1.5 }), 'spec.ttl: expected an integer, found a number with a fraction'],
    ['a text for the seconds', record({ ttl: '60' }), 'spec.ttl: expected an integer, found a string'],
    [
      'a list as providerConfig',
      record({ providerConfig: [] }),
      'spec.providerConfig: expected an object, found a list',
    ],
    [
      'a wrong kind',
      { ...Object(record({})), kind: 'Bastion' },
      'kind: expected "DNSRecord", found "Bastion"',
    ],
    [
      'an unknown version',
      { ...Object(record({})), apiVersion: 'extensions.gardener.cloud/v2' },
      'apiVersion: expected "extensions.gardener.cloud/v1alpha1", found "extensions.gardener.cloud/v2"',
    ],
    [
      'a label that is no text',
      record({}, { metadata: { name: 'x', labels: { 'gardener.cloud/role': true } } }),
      'metadata.labels["gardener.cloud/role"]: expected a string, found a boolean',
    ],
    [
      'an empty name',
      record({}, { metadata: { name: '' } }),
      'metadata.name: expected a text that is not empty, found an empty string',
    ],
    [
      'a time that is none',
      record(
        {},
        {
          status: {
            lastOperation: {
              type: 'Create',
              state: 'Error',
              progress: 50,
              description: '',
              lastUpdateTime: 'yesterday',
            },
          },
        },
      ),
      'status.lastOperation.lastUpdateTime: expected a time such as 2026-11-21T02:58:25Z, found a string',
    ],
    ['no object at all', 'x', 'expected an object, found a string'],
    ['null', null, 'expected an object, found null'],
  ])('a problem names the field, the expected and the found value: %s', (_, value, expected) => {
    expect(problemsOf(parseObject('DNSRecord', value))).toBe(expected)
  })

  test.each<[KindName, object, string]>([
    [
      'Worker',
      pool({ maxSurge: true }),
      'spec.pools[0].maxSurge: expected an integer or a string, found a boolean',
    ],
    [
      'Worker',
      pool({ maximum: 2 ** 31 }),
      'spec.pools[0].maximum: expected at most 2147483647, found 2147483648',
    ],
    [
      'Worker',
      pool({ nodeTemplate: { capacity: { cpu: 'many' } } }),
      'spec.pools[0].nodeTemplate.capacity.cpu: expected a quantity such as 500m or 20Gi, found a string',
    ],
    [
      'OperatingSystemConfig',
      { type: 'x', purpose: 'provision', criConfig: { name: 'docker' } },
      'spec.criConfig.name: expected "containerd", found "docker"',
    ],
    [
      'Bastion',
      { ...leastSpecs.Bastion, userData: 'not base64!' },
      'spec.userData: expected base64 text, found a string',
    ],
  ])('the parts of a %s are checked', (kind, spec, expected) => {
    expect(problemsOf(parseObject(kind, objectOf(kind, spec)))).toBe(expected)
  })

  test('all problems are reported at once', () => {
    const result = parseObject('DNSRecord', record({ values: [1, 'a', 2], name: 7 }))
    expect(result.ok ? [] : result.problems.map(({ path }) => path)).toEqual([
      'spec.name',
      'spec.values[0]',
      'spec.values[2]',
    ])
  })

  test('a text in the place of another type is never repeated', () => {
    const planted = 'AKIAPLANTEDSECRETVALUE0000000000000000000000'
    const result = parseObject(
      'DNSRecord',
      record({
        secretRef: planted,
        ttl: planted,
        values: planted,
        recordType: planted,
        providerConfig: planted,
      }),
    )
    expect(result.ok ? 0 : result.problems.length).toBe(5)
    expect(JSON.stringify(result)).not.toContain('PLANTED')
  })

  test('a quantity is accepted as a number and as a text', () => {
    for (const cpu of [2, '2', '500m', '1.5', '1e3', '20Gi']) {
      const spec = pool({ nodeTemplate: { capacity: { cpu } } })
      expect(problemsOf(parseObject('Worker', objectOf('Worker', spec)))).toBe('')
    }
  })
})

describe('parsing a Cluster', () => {
  const cluster = (spec: unknown): unknown => ({
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'shoot--p--x' },
    spec,
  })

  test('the embedded objects are unchanged', () => {
    const value = cluster({
      cloudProfile: { kind: 'CloudProfile', spec: { machineTypes: [{ name: 'a' }] } },
      shoot: { spec: { provider: { type: 'aws', infrastructureConfig: { networks: {} } } } },
    })
    const result = parseCluster(value)
    expect(result.ok && result.object).toBe(value)
  })

  test('null in an embedded object means absent, as in Go', () => {
    const shoot = {
      metadata: { creationTimestamp: null },
      spec: { dns: null },
      status: { lastOperation: null },
    }
    expect(problemsOf(parseCluster(cluster({ cloudProfile: {}, shoot })))).toBe('')
  })

  test.each<[string, unknown, string]>([
    ['no shoot', { cloudProfile: {} }, 'spec.shoot: expected an object, found nothing'],
    [
      'a shoot that cannot be decoded',
      { cloudProfile: {}, shoot: { spec: { hibernation: { enabled: 'yes' } } } },
      'spec.shoot.spec.hibernation.enabled: expected a boolean, found a string',
    ],
  ])('a change batch with %s is refused', (_, spec, expected) => {
    expect(problemsOf(parseCluster(cluster(spec)))).toBe(expected)
  })
})

describe('an object of thousands of levels, which an API server accepts', () => {
  const deep = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + 1 + '}'.repeat(levels))
  const metadata = { name: 'x', namespace: 'y' }
  const spec = leastSpecs.Infrastructure
  const found = 'expected at most 500 levels of objects and lists, found more'

  test.each<[string, object, string]>([
    ['in its config', { spec: { ...spec, providerConfig: deep(9_900) } }, 'spec.providerConfig'],
    ['in its state', { spec, status: { state: deep(5_000) } }, 'status.state'],
    ['just too deep', { spec: { ...spec, providerConfig: deep(499) } }, 'spec.providerConfig'],
  ])('an object that is too deep is refused with the path of the field: %s', (_, rest, path) => {
    const object = {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Infrastructure',
      metadata,
      ...rest,
    }
    expect(problemsOf(parseObject('Infrastructure', object))).toBe(`${path}: ${found}`)
  })

  test('an object may have the maximum depth of all other code', () => {
    const object = { apiVersion: 'extensions.gardener.cloud/v1alpha1', kind: 'Infrastructure', metadata }
    const parsed = parseObject('Infrastructure', { ...object, spec: { ...spec, providerConfig: deep(498) } })
    expect(problemsOf(parsed)).toBe('')
  })

  test('a Cluster that is too deep is refused', () => {
    const cluster = { ...{ apiVersion: 'extensions.gardener.cloud/v1alpha1', kind: 'Cluster', metadata } }
    const shoot = { spec: { provider: { infrastructureConfig: deep(5_000) } } }
    expect(problemsOf(parseCluster({ ...cluster, spec: { cloudProfile: {}, seed: {}, shoot } }))).toBe(
      `spec.shoot: ${found}`,
    )
  })
})

describe('the path of a field', () => {
  test.each<[readonly PropertyKey[], string]>([
    [[], ''],
    [['spec', 'values', 0], 'spec.values[0]'],
    [
      ['metadata', 'annotations', 'gardener.cloud/operation'],
      'metadata.annotations["gardener.cloud/operation"]',
    ],
    [['spec', 'pools', 1, 'labels', 'a"b'], 'spec.pools[1].labels["a\\"b"]'],
    [[0, 'a'], '[0].a'],
  ])('%j is written %s', (path, text) => {
    expect(formatPath(path)).toBe(text)
  })
})

const problemsOfObject = (value: unknown): string => {
  const kind = kindNames.find(name => name === Object(value).kind)
  return kind === undefined ? 'of no kind' : problemsOf(parseObject(kind, value))
}

test.each(callCases)('the object of %s, which the Go extension left, has the shape of its kind', name => {
  // Some recordings have a placeholder for each time.
  const text = JSON.stringify(recordedObjectOf(name)).replaceAll('"<time>"', '"2026-11-21T02:58:25Z"')
  expect(problemsOfObject(JSON.parse(text))).toBe('')
})

describe.skipIf(!isBeside('golden'))(
  withBeside('golden', 'objects that the Go extension left behind'),
  () => {
    const golden = besidePath('golden')
    const files = isBeside('golden')
      ? readdirSync(golden, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.cr.json'))
      : []

    test.each(files)('%s has the shape of its kind', file => {
      // Some recordings have a placeholder for each time.
      const text = readFileSync(join(golden, file), 'utf8').replaceAll('"<time>"', '"2026-11-21T02:58:25Z"')
      expect(problemsOfObject(JSON.parse(text))).toBe('')
    })
  },
)

describe('an object of the machine-controller-manager', () => {
  const head = {
    apiVersion: 'machine.sapcloud.io/v1alpha1',
    metadata: { name: 'x', namespace: 'shoot--p--x' },
  }
  const least = {
    MachineClass: { providerSpec: {} },
    MachineDeployment: { spec: { template: {} } },
    MachineSet: {},
    Machine: {},
  }

  test.each(['MachineClass', 'MachineDeployment', 'MachineSet', 'Machine'] as const)(
    '%s is accepted with unknown fields',
    kind => {
      const value = { ...head, kind, ...least[kind], later: { is: 'kept' } }
      expect(parseMachineObject(kind, value)).toEqual({ ok: true, object: value })
    },
  )

  test('an object of another kind or shape is refused with its problems', () => {
    const value = { ...head, kind: 'MachineSet', status: { replicas: 'many' } }
    expect(parseMachineObject('MachineDeployment', value)).toMatchObject({ ok: false })
    expect(parseMachineObject('MachineSet', value)).toMatchObject({
      ok: false,
      problems: [{ path: 'status.replicas' }],
    })
  })
})

describe('a ManagedResource', () => {
  const head = {
    apiVersion: 'resources.gardener.cloud/v1alpha1',
    kind: 'ManagedResource',
    metadata: { name: 'one', namespace: 'shoot--p--x' },
  }

  test('an object of a newer Gardener is accepted', () => {
    const value = { ...head, spec: { secretRefs: [{ name: 'one-01234567' }], newer: true } }
    expect(parseManagedResource(value)).toEqual({ ok: true, object: value })
  })

  test('an object of another shape is refused with its problems', () => {
    const value = { ...head, spec: { secretRefs: 'one-01234567' } }
    expect(parseManagedResource(value)).toMatchObject({ ok: false, problems: [{ path: 'spec.secretRefs' }] })
  })
})
