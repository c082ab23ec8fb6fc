import { readExample } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { type KubernetesObject, mergePatch } from '../../../../shared/kubernetes/kubernetes.ts'
import { isRecord } from '../json.ts'
import type { Configuration } from './walk-space.ts'

const exampleOf = (file: string) => readExample(new URL(`../../../../examples/${file}`, import.meta.url))

/**
 * Reads an example of this repository. The returned function gives its objects with a configuration: the spec of its
 * last object, `shoot`, a patch of the shoot in its Cluster, and `cloudProfile`, a patch of its CloudProfile.
 *
 * @param surroundings an example with the namespace, Cluster and Secrets. Default: `file` itself.
 */
export const exampleObjects = async (file: string, surroundings = file) => {
  const { object } = await exampleOf(file)
  const { beside } = await exampleOf(surroundings)
  return ({ spec, shoot = {}, cloudProfile = {} }: Configuration): readonly KubernetesObject[] => [
    ...beside.map(one =>
      one.kind === 'Cluster' && isRecord(one.spec)
        ? { ...one, spec: mergePatch(one.spec, { shoot, cloudProfile }) }
        : one,
    ),
    { ...object, spec },
  ]
}
