import { machineKinds } from '../../contract/machine-kinds.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import type { NotedWrite } from '../../lifecycle/lifecycle.ts'
import type { Difference } from '../rollout/differences.ts'
import { patchDifferences } from '../rollout/patch-differences.ts'

/**
 * Returns the changes that writes make to a deployment, its class and its Secret, except replicas, by deployment name.
 */
export type WrittenDifferences = (deployment: string) => readonly Difference[]

export const writtenDifferences = (writes: readonly NotedWrite[]): WrittenDifferences => {
  const differences = new Map<string, Difference[]>()
  for (const write of writes) {
    const deployment = deploymentOf(write)
    if (deployment === undefined || write.verb === 'delete') continue
    differences.set(deployment, [...(differences.get(deployment) ?? []), ...differencesOf(write)])
  }
  return deployment => differences.get(deployment) ?? []
}

/** The name of a class and its Secret is `<deployment>-<hash>`. */
export const deploymentOfClass = (className: string): string => className.replace(/-[0-9a-f]{5}$/, '')

const { MachineClass, MachineDeployment } = machineKinds

const deploymentOf = ({ resource, key: { name } }: NotedWrite): string | undefined => {
  switch (resource.plural) {
    case MachineDeployment.resource.plural:
      return name
    case MachineClass.resource.plural:
    case secrets.plural:
      return deploymentOfClass(name)
    default:
      return undefined
  }
}

const differencesOf = (write: Exclude<NotedWrite, { readonly verb: 'delete' }>): readonly Difference[] => {
  const { resource } = write
  if (resource.plural === secrets.plural) return secretDifferences(write)
  // The flow applies no object.
  if (write.verb !== 'patch')
    return resource.plural === MachineClass.resource.plural
      ? [{ path: 'machine class', from: undefined, to: write.key.name }]
      : []
  return patchDifferences(write.present ?? {}, write.patch).filter(({ path }) => path !== 'spec.replicas')
}

/** The content of a Secret is not shown. */
const secretDifferences = (write: NotedWrite): readonly Difference[] =>
  write.verb === 'patch' && 'data' in write.patch
    ? [{ path: 'user data of new machines', from: undefined, to: 'changed' }]
    : []
