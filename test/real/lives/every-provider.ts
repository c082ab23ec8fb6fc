import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { imitatedController } from '../../../functions/aws/worker/testing/imitated-controller.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { imitatedResourceManager } from '../../../shared/resources/testing/resource-manager.ts'
import type { FunctionLife } from './function-life.ts'

export const core = (plural: string, group = '') => ({ group, version: 'v1', plural, namespaced: true })
const deployments = core('deployments', 'apps')
const pods = core('pods')

export const resourceManager = (kubernetes: Kubernetes, namespace: string) =>
  imitatedResourceManager(kubernetes, namespace).work

const deploymentOf = (name: string, namespace: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    replicas: 1,
    selector: { matchLabels: { role: name } },
    template: {
      metadata: { labels: { role: name } },
      spec: { containers: [{ name: 'one', image: 'example' }] },
    },
  },
})

export const keyOf = ({ name, namespace = '' }: KubernetesObject['metadata']) => ({ name, namespace })

export const label = { metadata: { labels: { a: 'b' } } }

/** The parts of a life that differ between providers. */
type ProviderLife = Pick<FunctionLife, 'definition' | 'example' | 'connection' | 'besides'>

/** The life of a ControlPlane, which hibernates and wakes. */
export const controlPlaneLife = ({ besides = () => [], ...life }: ProviderLife): FunctionLife => ({
  ...life,
  change: label,
  overtaken: ['secrets'],
  others: resourceManager,
  besides: async namespace => [...(await besides(namespace)), deploymentOf('kube-apiserver', namespace)],
  meanwhile: async ({ seed, cluster, namespace, untilEnded }) => {
    const hibernate = (enabled: boolean) =>
      cluster.kubernetes.patch(
        clusterKind.resource,
        { name: namespace },
        { spec: { shoot: { spec: { hibernation: { enabled } } } } },
      )
    await hibernate(true)
    await cluster.kubernetes.patch(
      deployments,
      { name: 'kube-apiserver', namespace },
      { spec: { replicas: 0 } },
    )
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
    await hibernate(false)
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
  },
})

/** Deletes the machine objects without the machines, and returns their state. */
const moveMachines =
  (pool: string) =>
  async (kubernetes: Kubernetes, namespace: string): Promise<object> => {
    for (const { resource } of Object.values(machineKinds)) {
      for (const { metadata } of (await kubernetes.list(resource, { namespace })).items) {
        await kubernetes.patch(resource, keyOf(metadata), { metadata: { finalizers: null } })
        await kubernetes.delete(resource, keyOf(metadata))
      }
    }
    const name = `${namespace}-${pool}-z1`
    const spec = { class: { kind: 'MachineClass', name: `${name}-old` } }
    const state = {
      machineDeployments: {
        [name]: {
          replicas: 1,
          machineSets: [
            {
              metadata: { name: `${name}-moved`, labels: { name } },
              spec: { replicas: 1, template: { spec } },
            },
          ],
          machines: [{ metadata: { name: `${name}-moved-abcde`, labels: { name } }, spec }],
        },
      },
    }
    return { state: gzipSync(JSON.stringify(state)).toString('base64') }
  }

/** The leftovers of an aborted restore. */
const machinesWithoutOwner = (namespace: string): readonly KubernetesObject[] =>
  ['MachineSet', 'Machine'].map(kind => ({
    apiVersion: 'machine.sapcloud.io/v1alpha1',
    kind,
    metadata: { name: 'left', namespace },
    spec: {},
  }))

/** The life of a Worker with this pool, which hibernates, meets a hanging machine controller, and moves. */
export const workerLife = ({
  pool,
  besides = () => [],
  ...life
}: ProviderLife & { readonly pool: string }): FunctionLife => ({
  ...life,
  change: label,
  overtaken: ['secrets', 'machineclasses', 'machinedeployments'],
  others: (kubernetes, namespace) => {
    const { run } = imitatedController(kubernetes, namespace, 'cloudprovider')
    return () => run()
  },
  besides: async namespace => [
    ...(await besides(namespace)),
    deploymentOf('machine-controller-manager', namespace),
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'hangs', namespace, labels: { role: 'machine-controller-manager' } },
      spec: { containers: [{ name: 'one', image: 'example' }] },
    },
  ],
  meanwhile: async ({ seed, cluster: { kubernetes }, namespace, untilEnded }) => {
    const hibernate = (enabled: boolean) =>
      kubernetes.patch(
        clusterKind.resource,
        { name: namespace },
        { spec: { shoot: { spec: { hibernation: { enabled } } } } },
      )
    const scale = (replicas: number) =>
      kubernetes.patch(deployments, { name: 'machine-controller-manager', namespace }, { spec: { replicas } })
    await hibernate(true)
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
    await hibernate(false)
    await scale(1)
    // A hanging machine controller: it has observed a deployment, but creates nothing for it.
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
    const { MachineDeployment, MachineSet } = machineKinds
    for (const { metadata } of (await kubernetes.list(MachineSet.resource, { namespace })).items) {
      await kubernetes.patch(MachineSet.resource, keyOf(metadata), { metadata: { finalizers: null } })
      await kubernetes.delete(MachineSet.resource, keyOf(metadata))
    }
    for (const { metadata } of (await kubernetes.list(MachineDeployment.resource, { namespace })).items)
      await kubernetes.patch(
        MachineDeployment.resource,
        keyOf(metadata),
        { status: { observedGeneration: 0, availableReplicas: 0 } },
        { subresource: 'status' },
      )
    await seed.ask('reconcile')
    await seed.step()
    await seed.clock.advance(300_000)
    await seed.step()
    expect(await kubernetes.get(pods, { name: 'hangs', namespace })).toBeUndefined()
    await seed.ask('reconcile')
    await untilEnded('Reconcile')
  },
  move: moveMachines(pool),
  atTheEnd: machinesWithoutOwner,
})
