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

  /** Waits for a report of the doctor with these lines. Returns its lines of problems and warnings. */
  const report = async (
    expected: { readonly code: number; readonly lines?: readonly RegExp[] },
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
            missing: expected.lines?.filter(wanted => !lines.some(line => wanted.test(line))) ?? [],
          }
        },
        { timeout: 400_000, interval: 3_000 },
      )
      .toEqual({ code: expected.code, missing: [] })
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

    const faults: readonly (() => Fault)[] = [
      () => ({
        apply: [service('aws-bastion', { image: 'registry.invalid/trellis/absent:1' })],
        line: /✗ .*aws-bastion is not ready.* "registry\.invalid\/trellis\/absent:1"/,
      }),
      () => ({
        apply: [service('local-worker', { readinessProbe: { httpGet: { path: '/nowhere' } } })],
        line: /✗ the function local-worker is not ready.*the readiness probe of the container queue-proxy fails/,
      }),
      () => ({
        remove: [objectOf('Service', 'local-bastion')],
        line: /✗ the Trigger local-bastion refers to the Service local-bastion, which does not exist/,
      }),
      () => ({ apply: strays, line: /✗ the Broker other is not ready/ }),
      () => ({
        remove: [role()],
        line: /✗ the ServiceAccount aws-dnsrecord may not .*patch dnsrecords\.extensions\.gardener\.cloud/,
      }),
      () => ({
        apply: [withReplicas('webhook', 0)],
        line: /✗ the webhooks' Deployment webhook has no replicas/,
      }),
      () => ({ apply: [withReplicas('bridge', 0)], line: /✗ .*Deployment bridge/ }),
    ]

    test('are reported by the doctor with seven faults at once, and without any after the repair', async () => {
      const given = faults.map(faultOf => faultOf())
      const wrong = given.flatMap(({ apply = [] }) => apply)
      const removed = given.flatMap(({ remove = [] }) => remove)
      await apply(wrong)
      await cluster.remove(removed)
      await report({ code: 1, lines: given.map(({ line }) => line) })
      await cluster.remove(strays)
      const repaired = [...wrong, ...removed].filter(object => !strays.includes(object))
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
    const names = [...new Map(installable.functions.map(({ name }) => [name.split('-')[0], name])).values()]
    const values = {
      image: { registry: 'registry.invalid/trellis' },
      gardener: { seed: { name: 'eu-1' } },
      // One function of each provider. With more, the chart renders the objects of the base: see `helm-chart.real.ts`.
      functions: Object.fromEntries(names.map(name => [name, { enabled: true }])),
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
  /** The line of the doctor. */
  readonly line: RegExp
}

const kubectl = (kubeconfig: string, ...args: readonly string[]) =>
  outputOf('kubectl', ['--kubeconfig', kubeconfig, ...args])
