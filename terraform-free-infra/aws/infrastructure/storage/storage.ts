import type { GraphBuilder, Ref } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import type { Purpose } from '../tags.ts'
import { efsReads, fileSystemKey, targetKey } from './efs-reads.ts'
import { type FileSystemOutcome, fileSystemType, givenFileSystemType } from './file-system.ts'
import { mountTargetType } from './mount-target.ts'

export interface StorageNeeds {
  readonly reads: Pick<NetworkReads, 'subnets' | 'tagsProve'>
  /** The subnets of the nodes by zone, without zones of the user. */
  readonly workers: ReadonlyMap<string, Ref<{ readonly id: string }>>
  readonly nodesGroup: Ref<{ readonly id: string }>
}

export interface StorageRefs {
  /** The file system that the nodes use: created by us, or given by the user. */
  readonly fileSystem: Ref<FileSystemOutcome> | undefined
}

/**
 * Adds EFS. Creates a file system unless the user gives one. Either gets a mount target in each zone, except in zones
 * of the user, who provides them there. A created file system remains until the shoot is deleted, whatever the config
 * says later, because it may hold data.
 */
export const addStorage = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  { reads, workers, nodesGroup }: StorageNeeds,
  purpose: Purpose = {},
): StorageRefs => {
  const { fileSystem, zones } = desired
  const efs = efsReads(desired, purpose)
  const made = graph.add(fileSystemType(desired, efs), '', {
    when: fileSystem !== undefined && fileSystem.id === undefined,
    attributes: {},
    state: { id: fileSystemKey },
  })
  if (fileSystem === undefined) {
    graph.sweep(mountTargetType(desired, efs, reads))
    return { fileSystem: undefined }
  }
  const given = fileSystem.id === undefined ? undefined : addGiven(graph, desired, fileSystem.id, efs)
  const used: Ref<FileSystemOutcome> = given ?? made
  if (zones.kind === 'own') return { fileSystem: used }
  const type = mountTargetType(desired, efs, reads)
  graph.sweep(type)
  for (const { name } of zones.zones) {
    const subnet = workers.get(name)
    if (subnet === undefined) continue
    graph.add(type, name, {
      attributes: {
        fileSystem: used.get(({ id }) => id),
        subnet: subnet.get(({ id }) => id),
        group: nodesGroup.get(({ id }) => id),
      },
      state: {
        id: outcome =>
          outcome.group === undefined
            ? undefined
            : targetKey(outcome.fileSystem, outcome.subnet, outcome.group),
      },
    })
  }
  return { fileSystem: used }
}

const addGiven = (
  graph: GraphBuilder<AwsCloud>,
  { zones }: DesiredInfrastructure,
  id: string,
  efs: ReturnType<typeof efsReads>,
): Ref<FileSystemOutcome> => {
  const givenSubnets = zones.kind === 'own' ? zones.zones.map(({ workers }) => workers) : []
  return graph.add(givenFileSystemType(efs), id, {
    attributes: {},
    state: {
      id: () => undefined,
      values: Object.fromEntries(
        givenSubnets.map(subnet => [
          targetKey(id, subnet),
          ({ targets }: { readonly targets: Readonly<Record<string, string>> }) => targets[subnet],
        ]),
      ),
    },
  })
}
