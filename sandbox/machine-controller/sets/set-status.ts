import type { Machine, MachineSet } from '../../../shared/contract/objects.ts'

export type SetStatus = NonNullable<MachineSet['status']>

const isAvailable = ({ status }: Machine): boolean =>
  ['Available', 'Running'].includes(status?.currentStatus?.phase ?? '')

const isReady = ({ status }: Machine): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false

const failureOf = ({ metadata, spec, status }: Machine): NonNullable<SetStatus['failedMachines']> => {
  if (status?.lastOperation?.state !== 'Failed') return []
  const [owner] = metadata.ownerReferences ?? []
  return [
    {
      name: metadata.name,
      ...(spec?.providerID !== undefined && { providerID: spec.providerID }),
      ...(owner !== undefined && { ownerRef: owner.name }),
      lastOperation: status.lastOperation,
    },
  ]
}

const count = <N extends keyof SetStatus>(name: N, value: number) => (value === 0 ? {} : { [name]: value })

/** Computes the status of a set from its machines. Machines in deletion count until they are deleted. */
export const setStatus = (
  { spec, metadata, status }: MachineSet,
  machines: readonly Machine[],
  now: string,
): SetStatus => {
  const labels = Object.entries(spec?.template?.metadata?.labels ?? {})
  const isLabelled = ({ metadata }: Machine) =>
    labels.every(([key, value]) => metadata.labels?.[key] === value)
  const available = machines.filter(isAvailable)
  const failedMachines = machines.flatMap(failureOf)
  return {
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...count('replicas', machines.length),
    ...count('fullyLabeledReplicas', machines.filter(isLabelled).length),
    ...count('availableReplicas', available.length),
    ...count('readyReplicas', available.filter(isReady).length),
    ...(failedMachines.length > 0 && { failedMachines }),
    ...(status?.machineSetCondition && { machineSetCondition: status.machineSetCondition }),
    lastOperation: { lastUpdateTime: now },
  }
}
