import { CodedError } from '../../../contract/errors.ts'
import { clusterKind } from '../../../contract/kinds.ts'
import type { Cluster } from '../../../contract/objects.ts'
import { parseCluster } from '../../../contract/parse.ts'
import { formatProblems } from '../../../decode/problems.ts'
import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { Lookup } from '../../admission/admission.ts'

/** Returns the Cluster of a shoot's namespace. Throws a `CodedError` if it is missing or invalid. */
export type ReadCluster = (lookup: Lookup, namespace: string) => Promise<Cluster>

type Parse = (found: KubernetesObject) => ReturnType<typeof parseCluster>

export const readCluster: ReadCluster = (lookup, namespace) => read(lookup, namespace, parseCluster)

/** Like `readCluster`, but parses an object that a lookup returns several times only once. */
export const clusterReader = (): ReadCluster => {
  const known = new WeakMap<KubernetesObject, ReturnType<Parse>>()
  const parse: Parse = found => {
    const parsed = known.get(found) ?? parseCluster(found)
    known.set(found, parsed)
    return parsed
  }
  return (lookup, namespace) => read(lookup, namespace, parse)
}

const read = async (lookup: Lookup, namespace: string, parse: Parse): Promise<Cluster> => {
  const failed = `could not get cluster for namespace '${namespace}'`
  const found = await lookup.get(clusterKind.resource, { name: namespace })
  if (found === undefined)
    throw new CodedError(`${failed}: Cluster.extensions.gardener.cloud "${namespace}" not found`, {
      codes: [],
    })
  const parsed = parse(found)
  if (!parsed.ok) throw new CodedError(`${failed}: ${formatProblems(parsed.problems)}`, { codes: [] })
  return parsed.object
}
