import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { outputOf } from '../../../build/programs/programs.ts'
import { packageVersion } from '../../../build/project/package-version.ts'
import { compactDeployment, projectDeployment } from '../../../build/project/project-deployment.ts'
import { deployedObjects } from '../../../knative/knative.ts'
import { createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { expectedObjects, installable, packChart, release } from '../helm-charts.ts'
import { describeWith } from '../with-part.ts'
import { doctor } from './doctor.ts'
import { type KnativeCluster, startKnativeCluster } from './knative-cluster.ts'

const base = new URL('../../../knative/base', import.meta.url).pathname

describeWith('knative', "the manifests, under Knative's own controllers", programs => {
  let cluster: KnativeCluster
  let kubeconfig = ''
  let cloud: Awaited<ReturnType<ReturnType<typeof createAws>['listen']>>

  beforeAll(async () => {
    cloud = await createAws().listen()
    cluster = await startKnativeCluster(programs, {
      timed: true,
      // Without it, Knative refuses the EventPolicy of the base.
      settings: { 'knative-eventing/config-features': { 'authentication-oidc': 'enabled' } },
    })
    kubeconfig = await cluster.server.kubeconfig()
    await cluster.addTrellis({ awsPort: Number(new URL(cloud.url).port), version: await packageVersion() })
  })
  afterAll(async () => {
    await cluster?.close()
    await cloud?.close()
  })

  const apply = async (objects: readonly KubernetesObject[]) => {
    // kubectl owns the fields of the base.
    for (const object of objects)
      await cluster.kubernetes.apply(await cluster.resourceOf(object), object, {
        fieldManager: 'test',
        force: true,
      })
  }

  /** Waits for a report of the doctor. Returns its lines of problems and warnings. */
  const report = async (
    expected: { readonly code: number; readonly line?: RegExp },
    namespace = 'trellis',
  ) => {
    let lines: readonly string[] = []
    await expect
      .poll(
        async () => {
          const { code, output } = await doctor(kubeconfig, namespace)
          lines = output.split('\n').filter(line => /^ {2}[✗!–] /.test(line))
          return {
            code,
            isReported: expected.line === undefined || lines.some(line => expected.line?.test(line)),
          }
        },
        { timeout: 120_000 },
      )
      .toEqual({ code: expected.code, isReported: true })
    return lines
  }

  /** Only gardenlet creates the namespaces of heartbeats. */
  const healthy = async (namespace: string) =>
    expect((await report({ code: 0 }, namespace)).filter(line => !line.includes('has no heartbeat'))).toEqual(
      [],
    )

  describe('of the base', () => {
    let objects: readonly KubernetesObject[] = []

    beforeAll(async () => {
      objects = deployedObjects(await projectDeployment())
      await kubectl(kubeconfig, 'apply', '-k', base).catch(() => apply(objects))
    })

    test('become ready without a manual step', () => cluster.ready(objects))

    test('are healthy for the doctor', () => healthy('trellis'))

    test('start from zero for the test events of the doctor', { timeout: 300_000 }, async () => {
      const started = /(\d+) Services started from zero for a test event/
      // Their first pods end some time after they became ready.
      await expect
        .poll(async () => (await doctor(kubeconfig, 'trellis', '--wake')).output, { timeout: 240_000 })
        .toMatch(started)
    })

    // The next installation registers the same webhooks.
    afterAll(() => cluster.remove(objects))

    const objectOf = (kind: string, name: string): KubernetesObject => {
      const found = objects.find(one => one.kind === kind && one.metadata.name === name)
      if (found === undefined) throw new Error(`no ${kind} ${name} is deployed`)
      return found
    }
    const service = (name: string, container: object): KubernetesObject => {
      const object = structuredClone(objectOf('Service', name)) as KubernetesObject & {
        readonly spec: { readonly template: { readonly spec: { readonly containers: object[] } } }
      }
      const { containers } = object.spec.template.spec
      Object.assign(containers[0] ?? {}, container)
      return object
    }

    const strays: readonly KubernetesObject[] = [
      {
        apiVersion: 'eventing.knative.dev/v1',
        kind: 'Broker',
        metadata: {
          name: 'other',
          namespace: 'trellis',
          annotations: { 'eventing.knative.dev/broker.class': 'None' },
        },
      },
      {
        apiVersion: 'eventing.knative.dev/v1',
        kind: 'Trigger',
        metadata: { name: 'stray', namespace: 'trellis' },
        spec: {
          broker: 'other',
          subscriber: { ref: { apiVersion: 'v1', kind: 'Service', name: 'absent' } },
        },
      },
    ]
    const role = () => objectOf('ClusterRole', 'extensions.gardener.cloud:trellis:aws-dnsrecord')
    const withReplicas = (name: string, replicas: number) => {
      const object = objectOf('Deployment', name)
      return { ...object, spec: { ...(object.spec as object), replicas } }
    }

    /** Faults by name, with the objects to apply and to remove, and the line of the doctor. */
    const faults: readonly [string, () => Fault, RegExp][] = [
      [
        'an image that does not exist',
        () => ({ apply: [service('aws-bastion', { image: 'registry.invalid/trellis/absent:1' })] }),
        /✗ .*aws-bastion is not ready.* "registry\.invalid\/trellis\/absent:1"/,
      ],
      [
        'a function that is never ready',
        () => ({ apply: [service('local-worker', { readinessProbe: { httpGet: { path: '/nowhere' } } })] }),
        /✗ the function local-worker is not ready.*the readiness probe of the container queue-proxy fails/,
      ],
      [
        'a Trigger without its function',
        () => ({ remove: [objectOf('Service', 'local-bastion')] }),
        /✗ the Trigger local-bastion refers to the Service local-bastion, which does not exist/,
      ],
      [
        'a Broker of a class without a controller',
        () => ({ apply: strays, extra: strays }),
        /✗ the Broker other is not ready/,
      ],
      [
        'a role that is missing',
        () => ({ remove: [role()] }),
        /✗ the ServiceAccount aws-dnsrecord may not .*patch dnsrecords\.extensions\.gardener\.cloud/,
      ],
      [
        'webhooks without a replica',
        () => ({ apply: [withReplicas('webhook', 0)] }),
        /✗ the webhooks' Deployment webhook has no replicas/,
      ],
      ['a bridge without a replica', () => ({ apply: [withReplicas('bridge', 0)] }), /✗ .*Deployment bridge/],
    ]

    test.each(faults)('%s is reported by the doctor', async (_, faultOf, line) => {
      const { apply: wrong = [], remove = [], extra = [] } = faultOf()
      await apply(wrong)
      await cluster.remove(remove)
      await report({ code: 1, line })
      await cluster.remove(extra)
      const repaired = [...wrong, ...remove].filter(object => !extra.includes(object))
      await apply(repaired.map(({ kind, metadata }) => objectOf(kind, metadata.name)))
      await report({ code: 0 })
    })
  })

  test('of one process per provider become ready, and are healthy for the doctor', async () => {
    const namespace = 'trellis-compact'
    const objects = deployedObjects({ ...(await compactDeployment()), namespace })
    await apply(objects)
    await cluster.ready(objects)
    await healthy(namespace)
    await cluster.remove(objects)
  })

  test('of the chart become ready, and are healthy for the doctor', async context => {
    const helm = inject('helm')
    if ('missing' in helm) return context.skip(helm.missing)
    const values = {
      image: { registry: 'registry.invalid/trellis' },
      gardener: { seed: { name: 'eu-1' } },
      functions: Object.fromEntries(installable.functions.map(({ name }) => [name, { enabled: true }])),
      eventPolicies: { enabled: true },
    }
    const chart = await packChart(helm)
    try {
      const given = [...(await chart.with(values)), '--create-namespace', '--kubeconfig', kubeconfig]
      await chart.helm('install', ...given)
    } finally {
      await chart.close()
    }
    const objects = expectedObjects(values)
    await cluster.ready(objects)
    await healthy(release.namespace)
  })
})

interface Fault {
  readonly apply?: readonly KubernetesObject[]
  readonly remove?: readonly KubernetesObject[]
  /** Objects to remove afterwards. */
  readonly extra?: readonly KubernetesObject[]
}

const kubectl = (kubeconfig: string, ...args: readonly string[]) =>
  outputOf('kubectl', ['--kubeconfig', kubeconfig, ...args])
