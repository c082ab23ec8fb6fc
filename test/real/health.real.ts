import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBridge, createHeartbeat, leases } from '../../bridge/bridge.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { apiVersion } from '../../shared/contract/constants.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import { deployments } from '../../shared/kubernetes/core-resources.ts'
import {
  createKubernetes,
  httpTransport,
  type Kubernetes,
  kubeconfigAccess,
} from '../../shared/kubernetes/kubernetes.ts'
import { eventHandler } from '../../shared/runtime/runtime.ts'
import { define, manifestsIn } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const namespace = 'shoot--real--health'
const own = 'extension-provider-aws-x7k2p'
const controllers = { 'high-availability-config.resources.gardener.cloud/type': 'controller' }
const names = [
  'cloud-controller-manager',
  'csi-driver-controller',
  'csi-snapshot-controller',
  'aws-custom-route-controller',
]

const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels: controllers },
  spec: {
    replicas: name === 'aws-custom-route-controller' ? 0 : 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'one', image: 'one' }] },
    },
  },
})

const monitored = (kind: 'ControlPlane' | 'Worker') => ({
  apiVersion,
  kind,
  metadata: { name: 'real', namespace },
  spec: {
    type: 'aws',
    region: 'eu-west-1',
    secretRef: { name: 'cloudprovider', namespace },
    ...(kind === 'Worker' && { pools: [] }),
  },
})

const machineDeployment = {
  apiVersion: 'machine.sapcloud.io/v1alpha1',
  kind: 'MachineDeployment',
  metadata: { name: 'p1', namespace },
  spec: { replicas: 1, template: { spec: { class: { kind: 'MachineClass', name: 'p1' } } } },
}

/** Matches accounts and rules, the manifests that a bare API server accepts. */
const isForAccounts = ({ kind }: { readonly kind: string }) =>
  kind === 'Namespace' || /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind)

describeWith('kube', 'health on kube-apiserver, with the accounts of the manifests', programs => {
  let cluster: RealCluster
  const undo: (() => unknown)[] = []
  const as = async (name: string): Promise<Kubernetes> => {
    const file = await cluster.server.kubeconfig({ namespace: 'trellis', name })
    const transport = httpTransport({ access: await kubeconfigAccess({ file, clock: systemClock }) })
    undo.push(() => transport.close())
    return createKubernetes({ transport: transport.send, clock: systemClock })
  }
  beforeAll(async () => {
    cluster = await startRealCluster(programs)
    await define(cluster.kubernetes, [...allCrds(), ...machineCrds(), ...resourceCrds()])
    await cluster.create((await manifestsIn('knative/base')).filter(isForAccounts))
    await cluster.create([
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, labels: { 'gardener.cloud/role': 'shoot' } },
      },
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: own,
          labels: {
            'gardener.cloud/role': 'extension',
            'controllerregistration.core.gardener.cloud/name': 'provider-aws',
          },
        },
      },
      {
        apiVersion,
        kind: 'Cluster',
        metadata: { name: namespace },
        spec: { cloudProfile: {}, seed: {}, shoot: {} },
      },
      ...names.map(deployment),
      machineDeployment,
      monitored('ControlPlane'),
      monitored('Worker'),
    ])
    // No object is reconciled here: the last operation has succeeded.
    for (const kind of ['ControlPlane', 'Worker'] as const)
      await cluster.kubernetes.patch(
        kinds[kind].resource,
        { name: 'real', namespace },
        {
          status: {
            lastOperation: {
              ...{ type: 'Reconcile', state: 'Succeeded', progress: 100, description: 'done' },
              lastUpdateTime: '2026-11-21T12:00:00Z',
            },
          },
        },
        { subresource: 'status' },
      )
    for (const name of names) await report(name, 'True')

    const functions = await Promise.all(
      (await findFunctions())
        .filter(({ health }) => health !== undefined)
        .map(async definition => {
          const settings = definition.settings.parse({})
          const kubernetes = await as(definition.name)
          const handle = eventHandler(definition, settings, { kubernetes, clock: systemClock, log: silent })
          return { ...definition, handle }
        }),
    )
    const stop = new AbortController()
    const kubernetes = await as('bridge')
    const bridge = createBridge({
      kubernetes,
      clock: systemClock,
      log: silent,
      selection: {
        kinds: ['ControlPlane', 'Worker'],
        classes: ['shoot'],
        namespaces: [],
      },
      source: '/seeds/real',
      random: () => 0,
      send: async (event, signal) => {
        const served = functions.find(
          ({ kind, types }) => kind === event.kind && types.includes(event.provider),
        )
        await served?.handle(event, signal)
        return { kind: 'accepted' }
      },
    })
    const heartbeat = createHeartbeat({
      kubernetes,
      clock: systemClock,
      log: silent,
      extensions: [{ name: 'provider-aws', types: ['aws'] }],
      renewMs: 500,
      leading: () => true,
      problemOf: ({ types }) => bridge.healthProblem(types),
    })
    const running = Promise.all([bridge.run(stop.signal), heartbeat.run(stop.signal)])
    undo.push(async () => {
      stop.abort()
      await running
    })
  })
  afterAll(async () => {
    for (const end of undo.reverse()) await end()
    await cluster?.close()
  })

  const report = (name: string, status: string) =>
    cluster.kubernetes.patch(
      deployments,
      { name, namespace },
      {
        status: {
          observedGeneration: 1,
          conditions: [{ type: 'Available', status, reason: 'Because', message: 'so it is' }],
        },
      },
      { subresource: 'status' },
    )
  const health = async (kind: 'ControlPlane' | 'Worker') => {
    const object = await cluster.kubernetes.get(kinds[kind].resource, { name: 'real', namespace })
    const type = kind === 'Worker' ? 'EveryNodeReady' : 'ControlPlaneHealthy'
    const { conditions = [] } = Object(object?.status)
    return conditions.find((condition: { readonly type: string }) => condition.type === type)
  }
  const untilHealth = (kind: 'ControlPlane' | 'Worker', expected: object) =>
    expect.poll(() => health(kind)).toMatchObject(expected)

  test('an unhealthy Deployment is reported, and so is its recovery', async () => {
    await untilHealth('ControlPlane', { status: 'True', message: 'All health checks successful' })
    await report('csi-driver-controller', 'False')
    await untilHealth('ControlPlane', {
      status: 'False',
      message: expect.stringContaining('deployment "csi-driver-controller"'),
    })
    await report('csi-driver-controller', 'True')
    await untilHealth('ControlPlane', { status: 'True' })
  })

  test('a failed machine is reported with its code', async () => {
    const key = { name: 'p1', namespace }
    await cluster.kubernetes.patch(
      machineKinds.MachineDeployment.resource,
      key,
      {
        status: {
          observedGeneration: 1,
          failedMachines: [
            { name: 'm1', lastOperation: { description: 'InsufficientInstanceCapacity', state: 'Failed' } },
          ],
        },
      },
      { subresource: 'status' },
    )
    await untilHealth('Worker', {
      status: 'False',
      message: 'machine "m1" failed: InsufficientInstanceCapacity.',
      codes: ['ERR_INFRA_RESOURCES_DEPLETED'],
    })
  })

  test('the heartbeat is renewed in the namespace of the extension', async () => {
    const key = { namespace: own, name: 'gardener-extension-heartbeat' }
    const renewTime = async () => Object((await cluster.kubernetes.get(leases, key))?.spec).renewTime
    await expect.poll(renewTime).toBeDefined()
    const first = await renewTime()
    await expect.poll(renewTime).not.toBe(first)
    expect((await cluster.kubernetes.get(leases, key))?.spec).toMatchObject({
      holderIdentity: 'provider-aws',
    })
  })
})
