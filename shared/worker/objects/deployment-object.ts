import { canonicalDuration } from '../../contract/duration.ts'
import type { WorkerPool } from '../../contract/objects.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type JsonFields, keyReplacement, replacement } from '../../kubernetes/merge-patch.ts'
import { isInPlace } from '../desired/class-hash.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'

/**
 * The content of a MachineDeployment that the flow owns. Everything else belongs to others
 * (docs/contract/workers.md#machinedeployment).
 */
export interface DeploymentContent {
  /** Owned keys of labels and annotations. Undefined: the key is removed. */
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string | undefined>>
  /** Owned fields, each replaced as a whole. Undefined: absent. */
  readonly spec: JsonFields
  readonly templateLabels: Readonly<Record<string, string>>
  /** Replaced as a whole. */
  readonly templateSpec: JsonFields
}

/** Returns the desired content of a MachineDeployment, except its replicas. */
export const deploymentContent = (
  { name, className, pool, zone, maxSurge, maxUnavailable, autoPreserveFailedMachineMax }: DesiredDeployment,
  workerName: string,
): DeploymentContent => ({
  labels: { 'worker.gardener.cloud/pool': pool.name },
  annotations: autoscalerAnnotations(pool),
  spec: {
    minReadySeconds: 500,
    revisionHistoryLimit: 0,
    selector: { matchLabels: { name } },
    strategy: strategyOf(pool, { maxSurge, maxUnavailable }),
    ...(autoPreserveFailedMachineMax === 0 ? none : { autoPreserveFailedMachineMax }),
  },
  templateLabels: isInPlace(pool) ? { name, 'worker.gardener.cloud/name': workerName } : { name },
  templateSpec: {
    class: { kind: 'MachineClass', name: className },
    nodeTemplate: {
      metadata: {
        ...(isEmpty(pool.annotations) ? {} : { annotations: pool.annotations }),
        ...(isEmpty({ ...pool.labels, ...zone.nodeLabels })
          ? {}
          : { labels: { ...pool.labels, ...zone.nodeLabels } }),
      },
      spec: pool.taints === undefined || pool.taints.length === 0 ? {} : { taints: pool.taints },
    },
    ...machineSettings(pool),
  },
})

const none = { autoPreserveFailedMachineMax: undefined }

const strategyOf = (
  pool: WorkerPool,
  limits: Pick<DesiredDeployment, 'maxSurge' | 'maxUnavailable'>,
): JsonFields =>
  isInPlace(pool)
    ? {
        type: 'InPlaceUpdate',
        inPlaceUpdate: {
          ...limits,
          orchestrationType: pool.updateStrategy === 'AutoInPlaceUpdate' ? 'Auto' : 'Manual',
        },
      }
    : { type: 'RollingUpdate', rollingUpdate: limits }

const autoscaler = 'autoscaler.gardener.cloud'

const autoscalerAnnotations = ({ clusterAutoscaler = {} }: WorkerPool): DeploymentContent['annotations'] => ({
  [`${autoscaler}/scale-down-utilization-threshold`]: clusterAutoscaler.scaleDownUtilizationThreshold,
  [`${autoscaler}/scale-down-gpu-utilization-threshold`]: clusterAutoscaler.scaleDownGpuUtilizationThreshold,
  [`${autoscaler}/scale-down-unneeded-time`]: duration(clusterAutoscaler.scaleDownUnneededTime),
  [`${autoscaler}/scale-down-unready-time`]: duration(clusterAutoscaler.scaleDownUnreadyTime),
  [`${autoscaler}/max-node-provision-time`]: duration(clusterAutoscaler.maxNodeProvisionTime),
})

const machineSettings = ({ machineControllerManager: settings = {} }: WorkerPool): JsonFields =>
  present({
    drainTimeout: duration(settings.machineDrainTimeout),
    healthTimeout: duration(settings.machineHealthTimeout),
    creationTimeout: duration(settings.machineCreationTimeout),
    inPlaceUpdateTimeout: duration(settings.inPlaceUpdateTimeout),
    machinePreserveTimeout: duration(settings.machinePreserveTimeout),
    disableHealthTimeout: settings.disableHealthTimeout,
    maxEvictRetries: settings.maxEvictRetries,
    nodeConditions:
      settings.nodeConditions === undefined || settings.nodeConditions.length === 0
        ? undefined
        : settings.nodeConditions.join(','),
  })

/** Zero is absent, as in Go's output. */
const replicasField = (replicas: number): { readonly replicas?: number } =>
  replicas === 0 ? {} : { replicas }

/** Returns the object for its creation. */
export const newDeployment = (
  name: string,
  namespace: string,
  { labels, annotations, spec, templateLabels, templateSpec }: DeploymentContent,
  replicas: number,
): KubernetesObject => {
  const given = present(annotations) as Readonly<Record<string, string>>
  return {
    apiVersion: 'machine.sapcloud.io/v1alpha1',
    kind: 'MachineDeployment',
    metadata: { name, namespace, labels, ...(isEmpty(given) ? {} : { annotations: given }) },
    spec: {
      ...present(spec),
      ...replicasField(replicas),
      template: { metadata: { labels: templateLabels }, spec: templateSpec },
    },
  }
}

/** The part of a MachineDeployment that is compared. */
interface PresentDeployment {
  readonly metadata: KubernetesObject['metadata']
  readonly spec?: (JsonFields & { readonly template?: Template | undefined }) | undefined
}
interface Template {
  readonly metadata?: { readonly labels?: unknown } | undefined
  readonly spec?: unknown
}

/**
 * Returns the merge patch from the present to the desired deployment, or undefined if they are equal.
 *
 * @param replicas undefined: not changed, because the autoscaler owns them
 */
export const deploymentPatch = (
  { metadata, spec }: PresentDeployment,
  content: DeploymentContent,
  replicas: number | undefined,
): { readonly metadata?: JsonFields; readonly spec?: JsonFields } | undefined => {
  const labels = keyReplacement(metadata.labels, content.labels)
  const annotations = keyReplacement(metadata.annotations, content.annotations)
  const template = templatePatch(spec?.template, content)
  const fields = {
    ...keyReplacement(spec, content.spec),
    ...(replicas === undefined || replicas === (spec?.replicas ?? 0) ? {} : { replicas: replicas || null }),
    ...(template && { template }),
  }
  if (labels === undefined && annotations === undefined && isEmpty(fields)) return undefined
  return {
    ...((labels || annotations) && {
      metadata: { ...(labels && { labels }), ...(annotations && { annotations }) },
    }),
    ...(!isEmpty(fields) && { spec: fields }),
  }
}

const templatePatch = (
  template: Template | undefined,
  content: DeploymentContent,
): JsonFields | undefined => {
  const labels = replacement(template?.metadata?.labels, content.templateLabels)
  const spec = replacement(template?.spec, content.templateSpec)
  if (labels === undefined && spec === undefined) return undefined
  return { ...(labels !== undefined && { metadata: { labels } }), ...(spec !== undefined && { spec }) }
}

const present = (fields: JsonFields): JsonFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const isEmpty = (fields: object | undefined): boolean =>
  fields === undefined || Object.keys(fields).length === 0

const duration = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : canonicalDuration(text)
