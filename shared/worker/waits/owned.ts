import type { Machine, MachineDeployment, MachineSet } from '../../contract/objects.ts'

/**
 * Returns the sets of a deployment: those that it owns, and those labelled with its name that have no owner because
 * they were restored.
 */
export const setsOf = (
  { metadata: { name, uid } }: MachineDeployment,
  sets: readonly MachineSet[],
): readonly MachineSet[] =>
  sets.filter(({ metadata }) => {
    const owners = metadata.ownerReferences ?? []
    return owners.length === 0
      ? metadata.labels?.name === name
      : owners.some(owner => owner.kind === 'MachineDeployment' && owner.uid === uid)
  })

/** Returns the machines of sets by the same rule. */
export const machinesOf = (sets: readonly MachineSet[], machines: readonly Machine[]): readonly Machine[] => {
  const uids = new Set(sets.map(({ metadata }) => metadata.uid))
  return machines.filter(({ metadata }) =>
    (metadata.ownerReferences ?? []).some(owner => owner.kind === 'MachineSet' && uids.has(owner.uid)),
  )
}

/** Returns the name of the class from which a set or deployment creates machines. */
export const classNameOf = ({ spec }: MachineDeployment | MachineSet): string | undefined =>
  spec?.template?.spec?.class?.name
