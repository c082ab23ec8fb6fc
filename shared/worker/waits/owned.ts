import type { Machine, MachineDeployment, MachineSet } from '../../contract/objects.ts'

/**
 * The sets of a deployment: those that it owns, and those without any owner that are labelled with its name, which are of a
 * state that was restored.
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

/** The machines of sets, in the same way. */
export const machinesOf = (sets: readonly MachineSet[], machines: readonly Machine[]): readonly Machine[] => {
  const uids = new Set(sets.map(({ metadata }) => metadata.uid))
  return machines.filter(({ metadata }) =>
    (metadata.ownerReferences ?? []).some(owner => owner.kind === 'MachineSet' && uids.has(owner.uid)),
  )
}

/** The name of the class that a set or a deployment makes its machines of. */
export const classNameOf = ({ spec }: MachineDeployment | MachineSet): string | undefined =>
  spec?.template?.spec?.class?.name
