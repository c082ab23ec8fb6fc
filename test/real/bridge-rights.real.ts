import { afterAll, beforeAll, expect, test } from 'vitest'
import { bridgeSettings, startBridge } from '../../bridge/bridge.ts'
import { knativeDefinitions } from '../../sandbox/knative/knative.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { kindNames, kinds } from '../../shared/contract/kinds.ts'
import { createKubernetes, httpTransport, kubeconfigAccess } from '../../shared/kubernetes/kubernetes.ts'
import { parseSettings, reportAudience } from '../../shared/runtime/runtime.ts'
import { bridgeProcesses } from '../bridge/bridge-process.ts'
import { type Sink, startSink } from '../bridge/sink.ts'
import { sampleObject, shootNamespace } from '../lifecycle/sample-objects.ts'
import { accessManifests, define } from './definitions.ts'
import { forbiddenOf, grantsIn, usedOf } from './grants.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Starts a bridge that knows its namespace, as one in a Pod does: it watches the Knative objects there. */
const startBridgeOfPod = async (file: string, sink: string) => {
  const transport = httpTransport({ access: await kubeconfigAccess({ file, clock: systemClock }) })
  const bridge = await startBridge({
    settings: parseSettings(bridgeSettings, {
      flags: { seed: 'real', sink, address: '127.0.0.1', port: 0, kinds: 'DNSRecord' },
      env: {},
    }),
    kubernetes: createKubernetes({ transport: transport.send, clock: systemClock }),
    clock: systemClock,
    log: silent,
    namespace: 'trellis',
  })
  return {
    /** Sends a report without a value, and returns the status of the answer. */
    report: async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` }
      const body = JSON.stringify({ program: 'aws-dnsrecord', series: {} })
      return (await fetch(`http://127.0.0.1:${bridge.port}/reports`, { method: 'POST', headers, body }))
        .status
    },
    close: async () => {
      await bridge.close()
      transport.close()
    },
  }
}

/** Too large for the bridge's cache: it reads the object before it sends the event. */
const large = { 'example.org/large': 'x'.repeat(200 * 1024) }

describeWith(
  'kube',
  'a bridge with the ServiceAccount of its manifest, on a kube-apiserver that streams no lists,',
  programs => {
    let cluster: RealCluster
    let sink: Sink
    const processes = bridgeProcesses()
    beforeAll(async () => {
      cluster = await startRealCluster(programs, {
        audited: [{ namespace: 'trellis', name: 'bridge' }],
        flags: ['--feature-gates=WatchList=false'],
      })
      await define(cluster.kubernetes, [
        ...allCrds(),
        ...machineCrds(),
        ...resourceCrds(),
        ...knativeDefinitions(),
      ])
      await cluster.create(await accessManifests())
      const labels = {
        'gardener.cloud/role': 'extension',
        'controllerregistration.core.gardener.cloud/name': 'provider-aws',
      }
      await cluster.create([
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: shootNamespace } },
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'extension-provider-aws-x7k2p', labels } },
        ...kindNames.map(kind => sampleObject(kind, { annotation: 'reconcile', annotations: large })),
      ])
      sink = await startSink()
    })
    afterAll(async () => {
      processes.killAll()
      sink?.close()
      await cluster?.close()
    })

    test('sends, leads, renews heartbeats, takes reports of functions and writes Events, makes no forbidden request, and uses all its permissions', async () => {
      const kubeconfig = await cluster.server.kubeconfig({ namespace: 'trellis', name: 'bridge' })
      const bridge = processes.start({
        TRELLIS_KUBECONFIG: kubeconfig,
        TRELLIS_LEADER_ELECTION: 'true',
        TRELLIS_KINDS: kindNames.join(),
        TRELLIS_EXTENSIONS: 'provider-aws',
        // No object is claimed here: the Event is created, and its count increases the next time.
        TRELLIS_UNCLAIMED_MS: '1000',
        K_SINK: sink.url,
      })
      const ofPod = await startBridgeOfPod(kubeconfig, sink.url)
      const fn = { namespace: 'trellis', name: 'aws-dnsrecord' }
      expect(await ofPod.report(await cluster.server.token(fn, reportAudience))).toBe(204)
      expect(await ofPod.report(await cluster.server.token(fn, 'another'))).toBe(401)
      const requests = async () => cluster.server.audited()
      const granted = grantsIn(await accessManifests(), 'bridge')
      expect(granted).toContain(`get ${kinds.Worker.resource.plural}.extensions.gardener.cloud`)
      // A watch is audited when it ends.
      const lasting = granted.filter(grant => !grant.startsWith('watch '))
      await expect
        .poll(async () => usedOf(await requests()), { interval: 500 })
        .toEqual(expect.arrayContaining(lasting))
      await ofPod.close()
      expect(await bridge.end('SIGTERM')).toEqual([0, null])
      await expect.poll(async () => usedOf(await requests())).toEqual(granted)
      expect(forbiddenOf(await requests())).toEqual([])
    })
  },
)
