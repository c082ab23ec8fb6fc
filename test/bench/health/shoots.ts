import { annotations, apiVersion, labels } from '../../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

export const namespaceOf = (index: number): string => `shoot--bench--${index}`

const route = 'aws-custom-route-controller'
const off = ['aws-ipam-controller', 'aws-load-balancer-controller']
export const flipped = 'cloud-controller-manager'
const deployments = [flipped, 'csi-driver-controller', 'csi-snapshot-controller', route, ...off]
/** gardenlet's Deployments with the same label: kube-controller-manager, kube-scheduler and the like. */
const others = 9

const controllers = { 'high-availability-config.resources.gardener.cloud/type': 'controller' }

export const deploymentStatus = (isAvailable: boolean) => ({
  observedGeneration: 1,
  replicas: 1,
  conditions: [
    {
      type: 'Available',
      status: isAvailable ? 'True' : 'False',
      reason: isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
      message: 'Deployment has minimum availability.',
      lastTransitionTime: '2026-11-21T12:00:00Z',
    },
    {
      type: 'Progressing',
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: 'ReplicaSet is available.',
    },
  ],
})

/** About as large as a Deployment of a control plane: 6 KB. */
const deploymentOf = (namespace: string, name: string, replicas: number): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels: controllers },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name,
            image: `registry/${name}:v1`,
            command: Array.from({ length: 30 }, (_, index) => `--flag-${index}=${'x'.repeat(100)}`),
            env: Array.from({ length: 10 }, (_, index) => ({
              name: `NAME_${index}`,
              value: 'y'.repeat(100),
            })),
          },
        ],
      },
    },
  },
  status: deploymentStatus(true),
})

const machineDeploymentOf = (namespace: string, name: string): KubernetesObject => ({
  apiVersion: 'machine.sapcloud.io/v1alpha1',
  kind: 'MachineDeployment',
  metadata: { name, namespace },
  spec: { replicas: 3, template: { spec: { class: { kind: 'MachineClass', name } } } },
  status: {
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    availableReplicas: 3,
    conditions: [{ type: 'Available', status: 'True', reason: 'a', message: 'b' }],
  },
})

/** Returns a healthy object with a condition that was written at that time. */
const monitored = (kind: KindName, namespace: string, condition: string, at: number): KubernetesObject => {
  const written = `${new Date(at).toISOString().slice(0, 19)}Z`
  return {
    apiVersion,
    kind,
    metadata: {
      name: 'rose',
      namespace,
      finalizers: [kinds[kind].finalizer('bench')],
      annotations: { [annotations.timestamp]: '2026-11-21T12:00:00Z' },
    },
    spec: {
      type: 'aws',
      region: 'eu-west-1',
      secretRef: { name: 'cloudprovider', namespace },
      ...(kind === 'Worker' && { pools: [] }),
    },
    status: {
      observedGeneration: 1,
      lastOperation: {
        type: 'Reconcile',
        state: 'Succeeded',
        progress: 100,
        description: 'Successfully reconciled',
        lastUpdateTime: '2026-11-21T12:00:00Z',
      },
      conditions: [
        {
          type: condition,
          status: 'True',
          reason: 'HealthCheckSuccessful',
          message: 'All health checks successful',
          lastTransitionTime: written,
          lastUpdateTime: written,
        },
      ],
    },
  }
}

/** The resources of these objects that have a status. */
export const statusResources: Readonly<Record<string, GroupVersionResource>> = {
  Deployment: { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true },
  MachineDeployment: machineKinds.MachineDeployment.resource,
  ControlPlane: kinds.ControlPlane.resource,
  Worker: kinds.Worker.resource,
}

/** Returns all objects of a healthy shoot. `kubeconfig` is for its API server, if it has a route controller. */
export const shootObjects = (
  index: number,
  kubeconfig: string | undefined,
  now = Date.now(),
): readonly KubernetesObject[] => {
  const namespace = namespaceOf(index)
  // The conditions of a seed that runs for long.
  const writtenAt = () => now - (0.1 + Math.random()) * 86_400_000
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
    },
    {
      apiVersion,
      kind: 'Cluster',
      metadata: { name: namespace },
      spec: { cloudProfile: {}, seed: {}, shoot: { status: { lastOperation: { state: 'Succeeded' } } } },
    },
    ...deployments.map(name => {
      const isOff = off.includes(name) || (name === route && kubeconfig === undefined)
      return deploymentOf(namespace, name, isOff ? 0 : 1)
    }),
    ...Array.from({ length: others }, (_, at) => deploymentOf(namespace, `other-${at}`, 1)),
    ...['a', 'b'].map(name => machineDeploymentOf(namespace, name)),
    ...(kubeconfig === undefined
      ? []
      : [
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: 'gardener', namespace },
            data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
          },
        ]),
    monitored('ControlPlane', namespace, 'ControlPlaneHealthy', writtenAt()),
    monitored('Worker', namespace, 'EveryNodeReady', writtenAt()),
  ]
}
