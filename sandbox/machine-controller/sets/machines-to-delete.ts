import type { Machine } from '../../../shared/contract/objects.ts'

const priorityAnnotation = 'machinepriority.machine.sapcloud.io'
const usualPriority = 3

const priorityOf = ({ metadata }: Machine): number =>
  Number(metadata.annotations?.[priorityAnnotation] ?? usualPriority) || usualPriority

/** The phases in the order of deletion. */
const phases = ['Terminating', 'Failed', 'CrashLoopBackOff', 'Unknown', 'Pending', 'Available', 'Running']

export const phaseOf = ({ status }: Machine): string => status?.currentStatus?.phase ?? ''

/** Returns the machines that a set deletes first: by priority, then by phase, then the oldest. */
export const machinesToDelete = (machines: readonly Machine[], count: number): readonly Machine[] =>
  machines
    .toSorted(
      (a, b) =>
        priorityOf(a) - priorityOf(b) ||
        phases.indexOf(phaseOf(a)) - phases.indexOf(phaseOf(b)) ||
        (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '') ||
        a.metadata.name.localeCompare(b.metadata.name),
    )
    .slice(0, Math.max(0, count))
