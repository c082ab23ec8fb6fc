import { readExample } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { type KubernetesObject, mergePatch } from '../../../../shared/kubernetes/kubernetes.ts'
import { isRecord } from '../json.ts'
import type { Configuration } from './walk-space.ts'

/**
 * Reads an example of this repository. The returned function gives its objects with a configuration: the spec of its
 * last object, and `shoot`, a patch of the shoot in its Cluster.
 */
export const exampleObjects = async (file: string) => {
  const { object, beside } = await readExample(new URL(`../../../../examples/${file}`, import.meta.url))
  return ({ spec, shoot }: Configuration): readonly KubernetesObject[] => [
    ...beside.map(one =>
      one.kind === 'Cluster' && isRecord(one.spec) && isRecord(shoot)
        ? { ...one, spec: { ...one.spec, shoot: mergePatch(one.spec.shoot, shoot) } }
        : one,
    ),
    { ...object, spec },
  ]
}
