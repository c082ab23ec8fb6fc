import { readFile, writeFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import type { EtcdBackup } from '../../../sandbox/kubernetes/kubernetes.ts'
import type { WorldBackup } from '../../../sandbox/simulation/simulation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** A server without the functions of its revisions. */
interface PlainServer {
  readonly version: number
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, KubernetesObject>>
}

const plain = ({ version, objects }: EtcdBackup): PlainServer => ({
  version,
  objects: new Map(
    [...objects].map(([resource, all]) => [
      resource,
      new Map([...all].map(([key, { object }]) => [key, object])),
    ]),
  ),
})

const restored = ({ version, objects }: PlainServer): EtcdBackup => ({
  version,
  objects: new Map(
    [...objects].map(([resource, all]) => [
      resource,
      new Map(
        [...all].map(([key, object]) => {
          const json = JSON.stringify(object)
          return [key, { object, version: Number(object.metadata.resourceVersion), json: () => json }]
        }),
      ),
    ]),
  ),
})

/** Writes a world for another process. */
export const saveWorld = async (file: string, { first, shoots, ...world }: WorldBackup): Promise<void> =>
  writeFile(
    file,
    serialize({
      ...world,
      first: plain(first),
      shoots: new Map([...shoots].map(([name, server]) => [name, plain(server)])),
    }),
  )

export const loadWorld = async (file: string): Promise<WorldBackup> => {
  const { first, shoots, ...world } = deserialize(await readFile(file))
  const servers = shoots as ReadonlyMap<string, PlainServer>
  return {
    ...world,
    first: restored(first),
    shoots: new Map([...servers].map(([name, server]) => [name, restored(server)])),
  }
}
