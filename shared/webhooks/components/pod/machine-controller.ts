import * as z from 'zod'
import type { Cluster } from '../../../contract/objects.ts'
import { ensureItem } from '../change/edits.ts'
import type { PodSpec, ReviewedContainer } from './pod-template.ts'

/*
 * Adds a second container to the machine-controller-manager of a shoot, which manages the machines of one cloud
 * (docs/contract/webhooks.md#the-sidecar-of-the-machine-controller).
 */

const kubeconfigFolder = '/var/run/secrets/gardener.cloud/shoot/generic-kubeconfig'
const port = 10_259

const sidecarName = (provider: string): string => `machine-controller-manager-${provider}`

/** The facts of a sidecar of the machine controller. */
export interface SidecarOptions {
  /** The component: `provider-aws`. The container is named `machine-controller-manager-provider-aws`. */
  readonly provider: string
  /** The image of the cloud's machine controller, with its tag or digest. */
  readonly image: string
  /** The shoot's namespace in the seed. */
  readonly namespace: string
  /** True if the machines belong to the cluster that runs their controller. */
  readonly isSelfHosted: boolean
}

/**
 * Returns the container that manages the machines of one cloud, for the Deployment `machine-controller-manager`. Except
 * for name and image, it is the same for all providers.
 *
 * @example
 * const sidecar = machineControllerSidecar({
 *   provider: 'provider-acme',
 *   image: 'registry.example.com/acme/machine-controller:v1.2.3',
 *   namespace,
 *   isSelfHosted: isSelfHosted(cluster),
 * })
 * const changed = changeTemplate(reviewed, template => changePod(template, pod => withSidecar(pod, sidecar)))
 */
export const machineControllerSidecar = ({
  provider,
  image,
  namespace,
  isSelfHosted,
}: SidecarOptions): ReviewedContainer => ({
  name: sidecarName(provider),
  image,
  imagePullPolicy: 'IfNotPresent',
  args: [
    '--control-kubeconfig=inClusterConfig',
    '--kube-api-qps=100',
    '--kube-api-burst=200',
    '--machine-creation-timeout=20m',
    '--machine-drain-timeout=2h',
    '--machine-health-timeout=10m',
    '--machine-safety-apiserver-statuscheck-timeout=30s',
    '--machine-safety-apiserver-statuscheck-period=1m',
    '--machine-safety-orphan-vms-period=30m',
    `--namespace=${namespace}`,
    `--port=${port}`,
    `--target-kubeconfig=${isSelfHosted ? 'none' : `${kubeconfigFolder}/kubeconfig`}`,
    '--v=3',
  ],
  livenessProbe: {
    httpGet: { path: '/healthz', port, scheme: 'HTTP' },
    initialDelaySeconds: 30,
    timeoutSeconds: 5,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  },
  ports: [{ name: 'providermetrics', containerPort: port, protocol: 'TCP' }],
  resources: { requests: { cpu: '10m', memory: '20Mi' } },
  securityContext: { allowPrivilegeEscalation: false },
  ...(!isSelfHosted && {
    volumeMounts: [{ name: 'kubeconfig', mountPath: kubeconfigFolder, readOnly: true }],
  }),
})

/**
 * Returns true if the shoot's control plane runs on the shoot's own machines.
 *
 * @example
 * const target = isSelfHosted(cluster) ? 'none' : 'generic'
 */
export const isSelfHosted = ({ spec: { shoot } }: Cluster): boolean =>
  (shoot.spec?.provider?.workers ?? []).some(
    ({ controlPlane }) => controlPlane !== undefined && controlPlane !== null,
  )

/** The parts of a VerticalPodAutoscaler that are read. */
export const autoscalerSchema = z.looseObject({
  spec: z.looseObject({
    resourcePolicy: z
      .looseObject({ containerPolicies: z.array(z.looseObject({ containerName: z.string() })).nullish() })
      .nullish(),
  }),
})

/** Returns the machine controller's autoscaler with a policy that does not change the sidecar's limits. */
export const withSidecarPolicy = <A extends z.output<typeof autoscalerSchema>>(
  autoscaler: A,
  provider: string,
): A => ({
  ...autoscaler,
  spec: {
    ...autoscaler.spec,
    resourcePolicy: {
      ...autoscaler.spec.resourcePolicy,
      containerPolicies: ensureItem(autoscaler.spec.resourcePolicy?.containerPolicies, 'containerName', {
        containerName: sidecarName(provider),
        controlledValues: 'RequestsOnly',
      }),
    },
  },
})

/**
 * Returns the pod with the sidecar. Replaces a container of the same name completely.
 *
 * @example
 * const changed = withSidecar(pod, { name: 'machine-controller-manager-provider-acme', image: 'controller:v1' })
 */
export const withSidecar = (pod: PodSpec, sidecar: ReviewedContainer): PodSpec => ({
  ...pod,
  containers: [...ensureItem(pod.containers, 'name', sidecar)],
})
