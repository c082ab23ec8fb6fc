import * as z from 'zod'
import type { Cluster } from '../../../contract/objects.ts'
import { ensureItem } from '../change/named-items.ts'
import type { PodSpec, ReviewedContainer } from './pod-template.ts'

/*
 * The machine-controller-manager of a shoot gets a second container, which knows the machines of one cloud
 * (docs/contract/webhooks.md#the-sidecar-of-the-machine-controller).
 */

const kubeconfigFolder = '/var/run/secrets/gardener.cloud/shoot/generic-kubeconfig'
const port = 10_259

export const sidecarName = (provider: string): string => `machine-controller-manager-${provider}`

export interface SidecarOptions {
  /** `provider-aws` */
  readonly provider: string
  readonly image: string
  /** The shoot's in the seed. */
  readonly namespace: string
  /** The machines are of the cluster in which their controller runs. */
  readonly isSelfHosted: boolean
}

/** The container, as every provider has it. */
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

/** Whether the shoot's control plane runs on machines of its own. */
export const isSelfHosted = ({ spec: { shoot } }: Cluster): boolean =>
  (shoot.spec?.provider?.workers ?? []).some(
    ({ controlPlane }) => controlPlane !== undefined && controlPlane !== null,
  )

/** A VerticalPodAutoscaler, as far as it is read. */
export const autoscalerSchema = z.looseObject({
  spec: z.looseObject({
    resourcePolicy: z
      .looseObject({ containerPolicies: z.array(z.looseObject({ containerName: z.string() })).nullish() })
      .nullish(),
  }),
})

/** The machine controller's autoscaler, which leaves the sidecar's limits alone. */
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

/** The pod with the sidecar, in place of an older one as a whole. */
export const withSidecar = (pod: PodSpec, sidecar: ReviewedContainer): PodSpec => ({
  ...pod,
  containers: [...ensureItem(pod.containers, 'name', sidecar)],
})
