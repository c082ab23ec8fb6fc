import type { Lookup } from '../../admission/admission.ts'
import { CodedError } from '../../contract/errors.ts'
import { clusterKind } from '../../contract/kinds.ts'
import type { Cluster } from '../../contract/objects.ts'
import { parseCluster } from '../../contract/parse.ts'
import { formatProblems } from '../../contract/problems.ts'

/** The Cluster of a shoot's namespace. Throws a `CodedError` when it is missing, or not what a Cluster is. */
export const readCluster = async (lookup: Lookup, namespace: string): Promise<Cluster> => {
  const failed = `could not get cluster for namespace '${namespace}'`
  const found = await lookup.get(clusterKind.resource, { name: namespace })
  if (found === undefined)
    throw new CodedError(`${failed}: Cluster.extensions.gardener.cloud "${namespace}" not found`, {
      codes: [],
    })
  const parsed = parseCluster(found)
  if (!parsed.ok) throw new CodedError(`${failed}: ${formatProblems(parsed.problems)}`, { codes: [] })
  return parsed.object
}
