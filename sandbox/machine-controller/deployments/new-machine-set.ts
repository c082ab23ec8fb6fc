import { machineApiVersion } from '../../../shared/contract/constants.ts'
import type { MachineDeployment, MachineSet } from '../../../shared/contract/objects.ts'
import { hashLabel } from '../context.ts'
import { hashOf } from './machine-template.ts'
import { newestSize } from './set-sizes.ts'
import { updateLimits } from './update-limits.ts'

export const annotationKeys = {
  revision: 'deployment.kubernetes.io/revision',
  desired: 'deployment.kubernetes.io/desired-replicas',
  most: 'deployment.kubernetes.io/max-replicas',
} as const

const revisionOf = ({ metadata }: MachineSet): number =>
  Number(metadata.annotations?.[annotationKeys.revision] ?? 0)

/** Returns the set for the current template of a deployment, with as many machines as the limits allow at once. */
export const newMachineSet = (
  { metadata, spec, apiVersion, kind }: MachineDeployment,
  older: readonly MachineSet[],
): MachineSet => {
  if (spec === undefined) throw new TypeError('a MachineDeployment has no spec')
  const { name, namespace = '', uid = '' } = metadata
  const { template, selector, replicas = 0, minReadySeconds } = spec
  const hash = hashOf(template)
  const setName = `${name}-${hash.slice(0, 5)}`
  const labels = { ...template.metadata?.labels, [hashLabel]: `${Number.parseInt(hash, 16)}` }
  const limits = updateLimits(spec)
  const none = { name: setName, size: 0, actual: 0, available: 0, desired: undefined, most: undefined }
  const isTakingOver = spec.strategy?.type === 'InPlaceUpdate' && older.length > 0
  const room = newestSize({
    replicas,
    limits,
    newest: none,
    older: older.map(set => ({
      ...none,
      name: set.metadata.name,
      size: set.spec?.replicas ?? 0,
      actual: set.status?.replicas ?? 0,
    })),
  })
  return {
    apiVersion: machineApiVersion,
    kind: 'MachineSet',
    metadata: {
      name: setName,
      namespace,
      labels,
      annotations: {
        [annotationKeys.revision]: `${Math.max(0, ...older.map(revisionOf)) + 1}`,
        [annotationKeys.desired]: `${replicas}`,
        [annotationKeys.most]: `${replicas + limits.surge}`,
      },
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      replicas: isTakingOver ? 0 : room,
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, ...labels } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}
