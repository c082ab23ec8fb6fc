import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { V1Container } from '@kubernetes/client-node'
import type { ContainerMount } from '../container/container-root.ts'
import { resolverOf } from '../container/prepare-node.ts'
import type { Pod } from './pod.ts'
import { type VolumeSources, volumeFiles } from './volume-files.ts'

/** The folder of a Pod on the node, with its volumes. */
export interface PodRoom {
  readonly folder: string
  readonly hasVolumes: boolean
  /** Writes the files of all volumes that differ. Running containers see them, but not in a subPath. */
  fill(sources: VolumeSources): Promise<void>
  mountsOf(container: V1Container): Promise<readonly ContainerMount[]>
  remove(): Promise<void>
}

export const createPodRoom = async (folder: string, { metadata, spec }: Pod): Promise<PodRoom> => {
  await mkdir(folder, { recursive: true })
  const resolver = join(folder, 'resolv.conf')
  await writeFile(resolver, resolverOf(metadata.namespace))
  const { fsGroup } = spec.securityContext ?? {}
  const pathOf = (volume: string) => join(folder, 'volumes', volume)
  return {
    folder,
    hasVolumes: (spec.volumes ?? []).length > 0,
    fill: async sources => {
      for (const volume of spec.volumes ?? []) {
        const files = await volumeFiles(volume, sources)
        await mkdir(pathOf(volume.name), { recursive: true })
        if (volume.emptyDir) await chmod(pathOf(volume.name), 0o777)
        for (const { path, content, mode } of files) {
          const file = join(pathOf(volume.name), path)
          if ((await readFile(file).catch(() => undefined))?.equals(Buffer.from(content))) continue
          await mkdir(dirname(file), { recursive: true })
          // A reader never sees half of a file.
          await writeFile(`${file}.new`, content)
          // A kubelet lets the group of the Pod read.
          if (fsGroup !== undefined) await chown(`${file}.new`, 0, fsGroup)
          await chmod(`${file}.new`, fsGroup === undefined ? mode : mode | 0o040)
          await rename(`${file}.new`, file)
        }
      }
    },
    mountsOf: async ({ volumeMounts = [] }) => {
      const emptyDirs = new Set(
        (spec.volumes ?? []).filter(volume => volume.emptyDir).map(volume => volume.name),
      )
      const mounts = volumeMounts.map(({ name, mountPath, subPath = '', readOnly = false }) => ({
        source: join(pathOf(name), subPath),
        target: mountPath,
        // Containers can write to an emptyDir only.
        readOnly: readOnly || !emptyDirs.has(name),
      }))
      for (const { source, readOnly } of mounts) if (!readOnly) await mkdir(source, { recursive: true })
      return [{ source: resolver, target: '/etc/resolv.conf', readOnly: true }, ...mounts]
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
