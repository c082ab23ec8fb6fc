import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { resourceNames, shootWebhooksResource } from '../../shared/control-plane/control-plane.ts'
import { secrets } from '../../shared/kubernetes/core-resources.ts'
import {
  createKubernetes,
  httpTransport,
  type Kubernetes,
  kubeconfigAccess,
  metadataOnly,
} from '../../shared/kubernetes/kubernetes.ts'
import { createElection } from '../../shared/leadership/election.ts'
import { ensureManagedResource } from '../../shared/resources/resources.ts'
import { shootRegistrations } from '../../shared/webhooks/admission/admission.ts'
import { shownBy } from '../../shared/webhooks/server/testing/use-webhook-seed.ts'
import {
  leaseNameOf,
  servedBy,
  startWebhooks,
  type WebhookSettings,
  webhookSettingsOf,
} from '../../shared/webhooks/server/webhook.ts'
import { accessManifests, define } from './definitions.ts'
import { forbiddenOf, grantsIn, usedOf } from './grants.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { startWebhookService, type WebhookService } from './webhook-service.ts'
import { describeWith } from './with-part.ts'

const namespace = 'trellis'
const shoot = 'shoot--foo--bar'
const dayMs = 86_400_000
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

describeWith(
  'kube',
  'the webhooks with the ServiceAccount of their manifest, on kube-apiserver,',
  programs => {
    let cluster: RealCluster
    let service: WebhookService
    beforeAll(async () => {
      cluster = await startRealCluster(programs, {
        audited: [{ namespace, name: 'webhook' }],
        flags: ['--feature-gates=WatchList=false'],
      })
      service = await startWebhookService()
      await define(cluster.kubernetes, [...allCrds(), ...resourceCrds()])
      await cluster.create(await accessManifests())
      const labels = { 'gardener.cloud/role': 'shoot', 'shoot.gardener.cloud/provider': 'aws' }
      const spec = {
        shoot: {
          metadata: { name: 'bar' },
          spec: { region: 'eu-west-1', kubernetes: { version: '1.33.3' } },
        },
        ...{ cloudProfile: {}, seed: {} },
      }
      await cluster.create([
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: shoot, labels } },
        {
          apiVersion: 'extensions.gardener.cloud/v1alpha1',
          kind: 'Cluster',
          metadata: { name: shoot },
          spec,
        },
      ])
    })
    afterAll(async () => {
      service?.close()
      await cluster?.close()
    })

    test('register, rotate, configure shoots and answer, make no forbidden request, and use all their permissions', async () => {
      const definitions = servedBy({ cluster: 'seed', components: [] }, await findWebhooks())
      const own = definitions.filter(({ component }) => component === 'provider-aws')
      const [stale] = shootRegistrations(own, { namespace, caBundleOf: () => 'STALE' })
      if (stale === undefined) throw new Error('no webhook is for shoots')
      await ensureManagedResource(
        cluster.kubernetes,
        shootWebhooksResource({ configuration: stale, pathKey: randomBytes(32) }, shoot),
      )
      const file = await cluster.server.kubeconfig({ namespace, name: 'webhook' })
      const transport = httpTransport({ access: await kubeconfigAccess({ file, clock: systemClock }) })
      const account = createKubernetes({ transport: transport.send, clock: systemClock })
      const { resource } = managedResourceKind
      let isOvertaken = false
      /** Another client deletes and recreates the shoot's ManagedResource between its list and its first patch. */
      const kubernetes: Kubernetes = {
        ...account,
        patch: async (...of) => {
          const [{ plural }, { name }] = of
          if (!isOvertaken && plural === resource.plural) {
            isOvertaken = true
            const key = { namespace: shoot, name }
            const found = await cluster.kubernetes.get(resource, key)
            if (found === undefined) throw new Error(`there is no ManagedResource ${name}`)
            const { uid: _, resourceVersion: __, ...metadata } = found.metadata
            const annotations = { ...metadata.annotations, 'tests.example.com/by': 'another' }
            await cluster.kubernetes.delete(resource, key)
            await cluster.kubernetes.create(resource, { ...found, metadata: { ...metadata, annotations } })
          }
          return account.patch(...of)
        },
      }
      const metadata = createKubernetes({ transport: metadataOnly(transport.send), clock: systemClock })
      let offset = -20 * dayMs
      const settings = webhookSettingsOf(definitions).parse({
        ...{ namespace, address: '127.0.0.1', port: '0', probePort: '0', url: service.url },
        ...{ syncMs: '200', trustMs: '600', overlapMs: '2000', drainAcceptMs: '0', drainLimitMs: '1000' },
      }) as WebhookSettings & Readonly<Record<string, unknown>>
      const webhooks = await startWebhooks({
        definitions,
        settings,
        kubernetes,
        target: kubernetes,
        targetMetadata: metadata,
        openShoot: () => Promise.reject(new Error('there is no shoot')),
        clock: { ...systemClock, now: () => Date.now() + offset },
        log: silent,
        leadership: createElection({
          kubernetes,
          lease: { namespace, name: leaseNameOf({ cluster: 'seed' }) },
          identity: 'a',
          times: { durationMs: 3_000, renewMs: 2_000, retryMs: 200 },
          clock: systemClock,
          elapsed: () => performance.now(),
          log: silent,
        }),
      })
      service.add(webhooks)
      await webhooks.registered
      await expect.poll(service.ready).toBe(1)

      /** A resource manager applies the configuration of shoots. */
      const applied = async () => {
        const key = { namespace: shoot, name: resourceNames.webhooks }
        const found = await cluster.kubernetes.get(resource, key)
        const at = { lastTransitionTime: '2026-01-01T00:00:00Z', lastUpdateTime: '2026-01-01T00:00:00Z' }
        const conditions = ['ResourcesApplied', 'ResourcesHealthy'].map(type => ({
          ...{ type, status: 'True', reason: 'Done', message: '' },
          ...at,
        }))
        const status = { observedGeneration: found?.metadata.generation, conditions }
        await cluster.kubernetes.patch(resource, key, { status }, { subresource: 'status' })
      }
      // The review requires a Cluster, and then a Secret.
      await cluster.create([
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: {
            name: 'cloudprovider',
            namespace: shoot,
            labels: { 'gardener.cloud/purpose': 'cloudprovider' },
          },
          stringData: { accessKeyID: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'PLANTED' },
        },
      ])
      const requests = () => cluster.server.audited()
      const granted = grantsIn(await accessManifests(), 'webhook')
      const lasting = granted.filter(grant => !grant.startsWith('watch '))
      // A CA expires soon. A day after its successor has signed the presented certificate, the old Secrets are deleted.
      const old = await shownBy(webhooks.port)
      let isRenewed = false
      await expect
        .poll(
          async () => {
            await applied()
            isRenewed ||= (await shownBy(webhooks.port)) !== old
            offset = isRenewed ? dayMs + 3_600_000 : 0
            return usedOf(await requests())
          },
          { interval: 500 },
        )
        .toEqual(expect.arrayContaining(lasting))
      await webhooks.close()
      transport.close()
      await expect.poll(async () => usedOf(await requests())).toEqual(granted)
      const kept = await cluster.kubernetes.get(resource, { namespace: shoot, name: resourceNames.webhooks })
      expect(kept?.metadata.annotations).toMatchObject({ 'tests.example.com/by': 'another' })
      expect(forbiddenOf(await requests())).toEqual([])
      expect(await cluster.kubernetes.get(secrets, { namespace: shoot, name: 'cloudprovider' })).toBeDefined()
    })
  },
)
