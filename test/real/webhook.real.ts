import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { outputOf } from '../../build/programs/programs.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { hasKubectl } from '../../sandbox/kubernetes/testing/kubectl.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import { namespaces, secrets } from '../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { WebhookConfiguration } from '../../shared/webhooks/admission/admission.ts'
import { shownBy, subjectsIn } from '../../shared/webhooks/server/testing/use-webhook-seed.ts'
import type { WebhookSettings } from '../../shared/webhooks/server/webhook.ts'
import {
  type RunningWebhooks,
  servedBy,
  startWebhooks,
  webhookSettingsOf,
} from '../../shared/webhooks/server/webhook.ts'
import { webhookProcesses } from '../webhook/webhook-process.ts'
import { define, manifestsIn } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { startWebhookService, type WebhookService } from './webhook-service.ts'
import { describeWith } from './with-part.ts'

const configurations = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'mutatingwebhookconfigurations',
  namespaced: false,
}
const shoot = 'shoot--foo--bar'
const dayMs = 86_400_000

const cloudprovider = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'cloudprovider',
    namespace: shoot,
    labels: { 'gardener.cloud/purpose': 'cloudprovider' },
  },
  stringData: { accessKeyID: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'PLANTED' },
}

/** Matches the account and its rules, the manifests that a bare API server accepts. */
const isForAccount = ({ kind, metadata }: KubernetesObject) =>
  (kind === 'Namespace' && metadata.name === 'trellis') ||
  (/^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind) && /(^|:)webhook$/.test(metadata.name))

describeWith('kube', 'kube-apiserver asks the webhooks', programs => {
  let cluster: RealCluster
  let service: WebhookService
  const processes = webhookProcesses()
  /**
   * Ends the processes of a test. A running replica would register its own address and receive the reviews of the next
   * test.
   */
  const undo: (() => unknown)[] = []
  beforeAll(async () => {
    cluster = await startRealCluster(programs)
    await define(cluster.kubernetes, [...allCrds(), ...resourceCrds()])
    await cluster.create((await manifestsIn('knative/base')).filter(isForAccount))
    await cluster.kubernetes.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: shoot, labels: { 'shoot.gardener.cloud/provider': 'aws' } },
    })
    await cluster.kubernetes.create(clusterKind.resource, {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Cluster',
      metadata: { name: shoot },
      spec: {
        shoot: {
          metadata: { name: 'bar' },
          spec: { region: 'eu-west-1', kubernetes: { version: '1.33.3' } },
        },
        cloudProfile: {},
        seed: {},
      },
    })
    await cluster.kubernetes.create(secrets, cloudprovider)
  })
  afterAll(async () => cluster?.close())
  afterEach(async () => {
    for (const end of undo.splice(0).reverse()) await end()
    await processes.killAll()
    service?.close()
  })

  /** Changes a reviewed object repeatedly, with some concurrency. Records failures. */
  const load = () => {
    const failures: string[] = []
    let changes = 0
    let goesOn = true
    const one = async () => {
      while (goesOn) {
        try {
          // Each change removes what the webhook adds. If it is added again, the webhook was called.
          const { data } = await cluster.kubernetes.patch(
            secrets,
            { namespace: shoot, name: 'cloudprovider' },
            { data: { credentialsFile: null } },
          )
          changes++
          if (Object(data).credentialsFile === undefined) failures.push('it was not asked')
        } catch (error) {
          failures.push(String(error))
        }
      }
    }
    const running = [one(), one(), one(), one()]
    const stop = async () => {
      goesOn = false
      await Promise.all(running)
      return failures
    }
    undo.push(stop)
    return { changes: () => changes, failures, stop }
  }
  /** Waits for more changes. If they are missing, the error has their number and the last failure. */
  const more = async ({ changes, failures }: ReturnType<typeof load>, than = 50) => {
    const enough = changes() + than
    const rest = () => ({ missing: Math.max(0, enough - changes()), failed: failures.at(-1) })
    await expect.poll(rest).toMatchObject({ missing: 0 })
  }
  const configuration = async () =>
    (await cluster.kubernetes.get(configurations, {
      name: 'gardener-extension-provider-aws',
    })) as WebhookConfiguration | undefined
  const trusted = async () =>
    Buffer.from((await configuration())?.webhooks?.[0]?.clientConfig.caBundle ?? '', 'base64').toString()

  test('as processes with the account of their manifest, and no review is lost when one ends', async () => {
    service = await startWebhookService()
    const kubeconfig = await cluster.server.kubeconfig({ namespace: 'trellis', name: 'webhook' })
    const start = async () => {
      const started = processes.start({
        TRELLIS_KUBECONFIG: kubeconfig,
        TRELLIS_LEADER_ELECTION: 'true',
        TRELLIS_URL: service.url,
        // Within this time, the Service must notice that a replica ends.
        TRELLIS_DRAIN_ACCEPT_MS: '10000',
        TRELLIS_DRAIN_LIMIT_MS: '12000',
        TRELLIS_SYNC_MS: '1000',
      })
      service.add(await started.ports)
      return started
    }
    const first = await start()
    const second = await start()
    await expect.poll(service.ready).toBe(2)
    await expect.poll(configuration).toBeDefined()
    const changing = load()
    await more(changing)
    first.terminate()
    await more(changing)
    expect(await first.exited).toEqual([0, null])
    await more(changing)
    const third = await start()
    await expect.poll(service.ready).toBe(2)
    second.terminate()
    expect(await second.exited).toEqual([0, null])
    await more(changing)
    expect(await changing.stop()).toEqual([])
    for (const { log } of [first, second, third])
      expect(log.filter(({ level }) => level !== 'info')).toEqual([])

    // In the same processes: a refusal is reported to the client without secrets.
    const refused = { ...cloudprovider, metadata: { ...cloudprovider.metadata, name: 'cloudprovider' } }
    if (hasKubectl()) {
      const admin = await cluster.server.kubeconfig()
      const said = await outputOf('kubectl', [
        '--kubeconfig',
        admin,
        ...['--namespace', shoot, 'patch', 'secret', refused.metadata.name, '--type=merge'],
        ...['--patch', '{"data":{"accessKeyID":null}}'],
      ]).catch(String)
      expect(said).toContain(
        'admission webhook "cloudprovider.aws.extensions.gardener.cloud" denied the request',
      )
      expect(said).toContain('"accessKeyID" field is missing')
      expect(said).not.toContain('PLANTED')
    }
    third.terminate()
    await third.exited
  })

  test('and a killed replica loses at most the calls in progress', async () => {
    service = await startWebhookService()
    const kubeconfig = await cluster.server.kubeconfig({ namespace: 'trellis', name: 'webhook' })
    const start = async () => {
      const started = processes.start({
        TRELLIS_KUBECONFIG: kubeconfig,
        TRELLIS_LEADER_ELECTION: 'true',
        TRELLIS_URL: service.url,
        TRELLIS_DRAIN_ACCEPT_MS: '0',
        TRELLIS_DRAIN_LIMIT_MS: '1000',
        TRELLIS_SYNC_MS: '1000',
      })
      service.add(await started.ports)
      return started
    }
    const first = await start()
    const second = await start()
    await expect.poll(service.ready).toBe(2)
    await expect
      .poll(async () => (await configuration())?.webhooks?.[0]?.clientConfig.url)
      .toContain(service.url)
    // Reviews that arrive before the service stops new connections to it.
    const before = load()
    await more(before)
    first.kill()
    expect(await first.exited).toEqual([null, 'SIGKILL'])
    await expect.poll(service.ready).toBe(1)
    const lost = await before.stop()
    expect(lost.filter(failure => !failure.includes('failed calling webhook'))).toEqual([])
    const after = load()
    await more(after)
    expect(await after.stop()).toEqual([])
    second.terminate()
    await second.exited
  })

  test('without interruption during every phase of a CA rotation', async () => {
    service = await startWebhookService()
    // API servers use the real time, so validity must never begin later than that.
    let offset = -21 * dayMs - 60_000
    const clock = { ...systemClock, now: () => Date.now() + offset }
    const all = await findWebhooks()
    const definitions = servedBy({ cluster: 'seed', components: [] }, all)
    const namespace = 'rotating'
    await cluster.kubernetes.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    })
    const replica = async (
      more: Partial<Parameters<typeof startWebhooks>[0]> = {},
    ): Promise<RunningWebhooks> => {
      const settings = webhookSettingsOf(definitions).parse({
        namespace,
        address: '127.0.0.1',
        port: '0',
        probePort: '0',
        url: service.url,
        syncMs: '200',
        // Within the first time, the API server must read its configurations. Within the second, replicas must read
        // their certificate.
        trustMs: '5000',
        overlapMs: '600000',
        drainAcceptMs: '0',
        drainLimitMs: '1000',
      }) as WebhookSettings & Readonly<Record<string, unknown>>
      const started = await startWebhooks({
        definitions,
        settings,
        kubernetes: cluster.kubernetes,
        target: cluster.kubernetes,
        openShoot: () => Promise.reject(new Error('there is no shoot')),
        clock,
        log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
        ...more,
      })
      service.add(started)
      undo.push(started.close)
      return started
    }
    const leader = await replica()
    const follower = await replica({ leadership: { leading: () => false, run: async () => undefined } })
    await leader.registered
    await expect.poll(service.ready).toBe(2)
    const subjects = async () => subjectsIn(await trusted())
    const [old] = await subjects()
    const changing = load()
    await more(changing)
    offset = -dayMs
    await expect.poll(subjects).toHaveLength(2)
    await more(changing, 200)
    // The day passes at once, so everything that takes less than a day must be complete before.
    for (const { port } of [leader, follower]) await expect.poll(() => shownBy(port)).not.toBe(old)
    offset = 0
    await expect.poll(subjects).toHaveLength(1)
    expect(await subjects()).not.toEqual([old])
    await more(changing, 200)
    expect(await changing.stop()).toEqual([])
  })
})
