import type { V1ClusterRole, V1Deployment, V1NetworkPolicy, V1Service } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import { packageVersion } from '../build/project/package-version.ts'
import { ownProject } from '../build/project/project.ts'
import {
  compactDeployment,
  projectDeployment,
  seedProcessDeployment,
} from '../build/project/project-deployment.ts'
import { awaitedBy } from '../shared/contract/awaited.ts'
import { valueAt } from '../shared/decode/record-of.ts'
import type { KubernetesObject } from '../shared/kubernetes/kubernetes.ts'
import { admissionParts, deployedObjects } from './deployed-objects.ts'
import type { Deployment } from './deployment.ts'

const all = await projectDeployment()
const compact = await compactDeployment()
const seedProcess = await seedProcessDeployment()
const version = await packageVersion()
const some = (...names: readonly string[]): Deployment => ({
  ...all,
  functions: all.functions.filter(({ name }) => names.includes(name)),
})
const of = <T>(objects: readonly KubernetesObject[], kind: string, name: string): T => {
  const found = objects.find(object => object.kind === kind && object.metadata.name === name)
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`)
  return found as T
}
const idOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`

interface PodOwner {
  readonly spec: {
    readonly template: { readonly spec: { readonly serviceAccountName: string } }
  }
}

describe.each([
  ['base', all],
  ['compact', compact],
] as const)('the objects of %s', (_, deployment) => {
  const objects = deployedObjects(deployment)
  const place = (kind: string, name: string) =>
    objects.findIndex(object => object.kind === kind && object.metadata.name === name)

  test('exist only once', () => {
    const ids = objects.map(object => `${object.apiVersion} ${idOf(object)}`)
    expect(ids.length).toBe(new Set(ids).size)
  })

  test('begin with the namespace and its network policies', () => {
    expect(objects.slice(0, 4).map(({ kind }) => kind)).toEqual([
      'Namespace',
      'NetworkPolicy',
      'NetworkPolicy',
      'NetworkPolicy',
    ])
  })

  const owners = objects.filter(
    ({ kind, apiVersion }) =>
      kind === 'Deployment' || (kind === 'Service' && apiVersion.startsWith('serving.')),
  )
  test.each(owners.map(owner => [idOf(owner), owner] as const))(
    '%s comes after its account, and what that may do',
    (id, owner) => {
      const { serviceAccountName } = (owner as unknown as PodOwner).spec.template.spec
      const own = objects.findIndex(object => idOf(object) === id && object.apiVersion === owner.apiVersion)
      const needed = [
        place('ServiceAccount', serviceAccountName),
        place('ClusterRole', `extensions.gardener.cloud:trellis:${serviceAccountName}`),
        place('ClusterRoleBinding', `extensions.gardener.cloud:trellis:${serviceAccountName}`),
      ]
      for (const index of needed) {
        expect(index).toBeGreaterThan(-1)
        expect(index).toBeLessThan(own)
      }
    },
  )

  test('have the Broker and its Service before each Trigger', () => {
    const triggers = objects.filter(({ kind }) => kind === 'Trigger')
    expect(triggers.length).toBe(deployment.functions.length)
    for (const trigger of triggers) {
      const { subscriber } = trigger.spec as {
        readonly subscriber: { readonly ref: { readonly name: string } }
      }
      const own = place('Trigger', trigger.metadata.name)
      expect(place('Broker', 'default')).toBeLessThan(own)
      expect(place('Service', subscriber.ref.name)).toBeGreaterThan(-1)
      expect(place('Service', subscriber.ref.name)).toBeLessThan(own)
    }
  })

  test('have the SinkBinding and the permitted senders before the bridge', () => {
    const bridge = place('Deployment', 'bridge')
    expect(place('SinkBinding', 'bridge')).toBeGreaterThan(place('Broker', 'default'))
    expect(place('SinkBinding', 'bridge')).toBeLessThan(place('EventPolicy', 'bridge-to-broker'))
    expect(place('EventPolicy', 'bridge-to-broker')).toBeLessThan(bridge)
  })

  test('use a PriorityClass of Gardener, and define none', () => {
    const texts = objects.map(object => JSON.stringify(object))
    const named = texts.flatMap(text => [...text.matchAll(/"priorityClassName":"([^"]*)"/g)])
    expect(new Set(named.map(([, name]) => name))).toEqual(new Set(['gardener-system-900']))
    expect(objects.map(({ kind }) => kind)).not.toContain('PriorityClass')
  })

  test('use only images of the given registry', () => {
    const images = JSON.stringify(
      deployedObjects({ ...deployment, image: program => `registry.test/x/${program}@sha256:0` }),
    ).matchAll(/"image":"([^"]*)"/g)
    const named = [...images].map(([, image = '']) => image)
    expect(named.length).toBeGreaterThan(owners.length - 1)
    expect(named.filter(image => !image.startsWith('registry.test/x/'))).toEqual([])
  })
})

describe.each([
  ['base', deployedObjects(all), all.functions.length + 2],
  ['compact', deployedObjects(compact), compact.compact.length + 2],
  ['the seed process', deployedObjects(seedProcess), 2],
  ['admission', admissionParts(all).flatMap(({ objects }) => objects.map(({ object }) => object)), 1],
] as const)('the workloads of %s', (_, objects, count) => {
  const key = 'trellis.gardener.cloud/version'

  test('have the version of the library, which trellis doctor compares', () => {
    const versions = objects
      .filter(({ spec }) => Object(spec).template !== undefined)
      .map(({ metadata }) => metadata.annotations?.[key])
    expect(versions).toEqual(Array.from({ length: count }, () => version))
  })

  test('have it only on themselves: on its pods, a new version alone would start a rollout', () => {
    for (const { metadata, spec } of objects)
      expect(JSON.stringify(spec ?? {}), metadata.name).not.toContain(key)
  })
})

test('a project of an author has the version of the library, not its own', async () => {
  const own = await ownProject()
  const project = await projectDeployment({ ...own, version: '4.5.6' })
  expect(project.image('bridge')).toMatch(/:4\.5\.6$/)
  expect(project.libraryVersion).toBe(version)
})

describe('the bridge', () => {
  const variable = (deployment: Deployment, name: string) =>
    of<V1Deployment>(
      deployedObjects(deployment),
      'Deployment',
      'bridge',
    ).spec?.template.spec?.containers[0]?.env?.find(one => one.name === name)?.value
  const resources = (deployment: Deployment) =>
    of<V1ClusterRole>(
      deployedObjects(deployment),
      'ClusterRole',
      'extensions.gardener.cloud:trellis:bridge',
    ).rules?.flatMap(rule => rule.resources ?? [])

  test('gets the existing functions by kind, type and class', () => {
    expect(variable(some('aws-dnsrecord', 'aws-infrastructure'), 'TRELLIS_SERVED')).toBe(
      'DNSRecord/aws-route53/shoot+seed+garden,Infrastructure/aws',
    )
  })

  test('gets the functions without health checks of kinds with conditions', () => {
    const names = ['aws-worker', 'local-bastion', 'local-controlplane', 'local-worker']
    expect(variable(some(...names), 'TRELLIS_SERVED')).toBe(
      'Worker/aws,Bastion/local,ControlPlane/local/shoot/unchecked,Worker/local',
    )
  })

  test('may watch the kinds with functions, and the objects that these wait for', () => {
    expect(resources(some('aws-dnsrecord', 'aws-infrastructure'))?.slice(0, 2)).toEqual([
      'dnsrecords',
      'infrastructures',
    ])
    expect(resources(some('aws-dnsrecord'))).not.toContain('machinedeployments')
    expect(awaitedBy.Worker?.[0]?.resource.plural).toBe('machinedeployments')
    expect(resources(some('aws-worker'))).toContain('machinedeployments')
    expect(resources(some('aws-worker'))).not.toContain('deployments')
    expect(resources(some('aws-controlplane'))).toContain('deployments')
  })

  test('writes heartbeats only if extensions are configured', () => {
    const without = { ...some('aws-dnsrecord'), extensions: [] }
    expect(resources(without)).not.toContain('leases')
    expect(variable(without, 'TRELLIS_EXTENSIONS')).toBeUndefined()
    expect(resources(some('aws-dnsrecord'))).toContain('leases')
  })
})

describe('a deployment', () => {
  const namespaced = (objects: readonly KubernetesObject[]) =>
    objects.filter(({ metadata }) => metadata.namespace !== undefined)

  test('uses its namespace and its name', () => {
    const objects = deployedObjects({
      ...all,
      name: 'trellis-eu',
      namespace: 'extension-x',
      makesNamespace: false,
    })
    expect(new Set(namespaced(objects).map(({ metadata }) => metadata.namespace))).toEqual(
      new Set(['extension-x']),
    )
    const rest = objects.filter(({ metadata }) => metadata.namespace === undefined)
    expect(rest.map(({ metadata }) => metadata.name).filter(name => !name.includes(':trellis-eu:'))).toEqual(
      [],
    )
    expect(JSON.stringify(objects)).not.toMatch(/"namespace":"trellis"/)
    expect(JSON.stringify(objects)).not.toMatch(/"value":"trellis"/)
  })

  test.each([
    ['Knative', all],
    ['the seed process', seedProcess],
  ])('with %s has a type for Gardener’s number of replicas on each Deployment', (_, deployment) => {
    const objects = [
      ...deployedObjects(deployment),
      ...admissionParts(deployment).flatMap(part => part.objects.map(({ object }) => object)),
    ]
    const types = objects.flatMap(({ kind, metadata: { name, labels } }) =>
      kind === 'Deployment'
        ? [[name, labels?.['high-availability-config.resources.gardener.cloud/type']]]
        : [],
    )
    expect(Object.fromEntries(types)).toEqual({
      bridge: 'controller',
      webhook: 'server',
      admission: 'server',
    })
  })

  test('scales its pods in place, as Gardener requires of VerticalPodAutoscalers', () => {
    const modes = deployedObjects(all).flatMap(object =>
      object.kind === 'VerticalPodAutoscaler' ? [valueAt(object, 'spec', 'updatePolicy', 'updateMode')] : [],
    )
    expect(modes).toEqual(['InPlaceOrRecreate', 'InPlaceOrRecreate'])
  })

  test.each<[string, Partial<Deployment>, string]>([
    ['network policies', { networkPolicies: false }, 'NetworkPolicy'],
    ['event policies', { eventPolicies: false }, 'EventPolicy'],
    ['vertical scaling', { verticalScaling: false }, 'VerticalPodAutoscaler'],
    ['a namespace', { makesNamespace: false }, 'Namespace'],
    ['functions', { functions: [] }, 'Trigger'],
  ])('works without %s', (_, given, kind) => {
    expect(deployedObjects(all).some(object => object.kind === kind)).toBe(true)
    expect(deployedObjects({ ...all, ...given }).some(object => object.kind === kind)).toBe(false)
  })
})

describe('the network', () => {
  const objects = deployedObjects(all)
  const labels = (kind: string, name: string) =>
    Object.keys(
      of<{ readonly spec: { readonly template: { readonly metadata: { readonly labels: object } } } }>(
        objects,
        kind,
        name,
      ).spec.template.metadata.labels,
    ).filter(label => label.startsWith('networking.'))

  test('allows a function the egress in its definition', () => {
    const always = ['networking.gardener.cloud/to-dns', 'networking.gardener.cloud/to-runtime-apiserver']
    // The address to which it reports its metrics.
    const { spec } = of<V1Service>(
      objects.filter(({ apiVersion }) => apiVersion === 'v1'),
      'Service',
      'bridge',
    )
    // The label contains the port of the pod as written in the Service: a named port would appear in the label.
    const bridge = `networking.resources.gardener.cloud/to-bridge-tcp-${spec?.ports?.[0]?.targetPort}`
    expect(bridge).toMatch(/-8080$/)
    expect(labels('Service', 'ubuntu-operatingsystemconfig')).toEqual([...always, bridge])
    expect(labels('Service', 'aws-infrastructure')).toEqual([
      ...always,
      'networking.gardener.cloud/to-public-networks',
      bridge,
    ])
    expect(labels('Service', 'aws-worker')).toEqual([
      ...always,
      'networking.resources.gardener.cloud/to-all-shoots-kube-apiserver-tcp-443',
      bridge,
    ])
    expect(labels('Deployment', 'bridge')).toEqual(always)
  })

  test('allows egress to the garden for a function with access to it', () => {
    const gardenAccess = () => ({ kubeconfigSecret: 'kubeconfig', tokenSecret: 'token' })
    const [service] = deployedObjects({ ...some('aws-worker'), gardenAccess }).filter(
      ({ apiVersion }) => apiVersion === 'serving.knative.dev/v1',
    )
    const text = JSON.stringify(service)
    expect(text).toContain('"networking.gardener.cloud/to-public-networks":"allowed"')
    expect(text).toContain('"networking.gardener.cloud/to-private-networks":"allowed"')
    expect(text).toContain(
      '"networking.resources.gardener.cloud/to-virtual-garden-kube-apiserver-tcp-443":"allowed"',
    )
  })

  test('allows ingress to functions only through Knative', () => {
    const { spec } = of<V1NetworkPolicy>(objects, 'NetworkPolicy', 'functions-from-knative')
    expect(spec?.policyTypes).toEqual(['Ingress'])
    const sources = spec?.ingress?.flatMap(({ _from = [], ...rest }) => [
      ..._from,
      ...((rest as { readonly from?: typeof _from }).from ?? []),
    ])
    expect(sources?.every(({ namespaceSelector }) => namespaceSelector !== undefined)).toBe(true)
  })

  test('allows ingress to the bridge only from functions of its namespace and the Prometheus of the seed', () => {
    const { spec } = of<V1NetworkPolicy>(objects, 'NetworkPolicy', 'bridge-from-functions')
    expect(spec?.policyTypes).toEqual(['Ingress'])
    expect(spec?.ingress).toEqual([
      {
        from: [
          { podSelector: { matchExpressions: [{ key: 'serving.knative.dev/service', operator: 'Exists' }] } },
          { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'garden' } } },
        ],
        ports: [{ protocol: 'TCP', port: 8080 }],
      },
    ])
  })

  test('is closed for the bridge except for the ingress of the Broker', () => {
    const { spec } = of<V1NetworkPolicy>(objects, 'NetworkPolicy', 'bridge-to-broker')
    expect(spec?.policyTypes).toEqual(['Egress'])
    expect(spec?.egress?.[0]?.to).toContainEqual({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'knative-eventing' } },
      podSelector: { matchLabels: { app: 'kafka-broker-receiver' } },
    })
  })
})

describe('one process with several functions', () => {
  const objects = deployedObjects(compact)

  test('has the permissions of each under one account', () => {
    const verbsOf = (source: readonly KubernetesObject[], name: string) =>
      (
        of<V1ClusterRole>(source, 'ClusterRole', `extensions.gardener.cloud:trellis:${name}`).rules ?? []
      ).flatMap(({ apiGroups = [], resources = [], verbs }) =>
        resources.flatMap(resource => verbs.map(verb => `${verb} ${apiGroups[0]}/${resource}`)),
      )
    const alone = all.functions
      .filter(({ name }) => name.startsWith('aws-'))
      .flatMap(({ name }) => verbsOf(deployedObjects(all), name))
    expect([...new Set(verbsOf(objects, 'aws-compact'))].toSorted()).toEqual([...new Set(alone)].toSorted())
  })

  test('gets the events of each function at the path of its name', () => {
    const { spec } = of<{ readonly spec: { readonly subscriber: object } }>(
      objects,
      'Trigger',
      'aws-dnsrecord',
    )
    expect(spec.subscriber).toEqual({
      ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'aws-compact' },
      uri: '/aws-dnsrecord',
    })
  })

  test('is refused if functions need different values of a variable', () => {
    const [one, other, ...rest] = all.functions
    if (one === undefined || other === undefined) throw new Error('there are no functions')
    const env = (value: string) => ({ service: { env: [{ name: 'MODE', value, why: 'x' }] } })
    const functions = [{ ...one, ...env('a') }, { ...other, ...env('b') }, ...rest]
    expect(() => deployedObjects({ ...all, functions, compact: [{ name: 'x', functions }] })).toThrow(
      /need different values of MODE/,
    )
  })
})
