import * as z from 'zod'
import { configurationProblem } from '../../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../../shared/text/message-of.ts'
import {
  apiVersion,
  decodeStrictly,
  head,
  list,
  optional,
  text,
} from '../../../../../terraform-free-infra/openstack/account/config/config.ts'

const machineImage = z.strictObject({
  name: text,
  version: text,
  image: text,
  id: text,
  architecture: optional(z.string()),
  capabilities: optional(z.record(z.string(), z.array(z.string()))),
})
/** An image in use: `architecture` or `capabilities`, as in the CloudProfile; an `id` or the name `image`. */
export type GlanceImageInUse = Readonly<z.output<typeof machineImage>>

const serverGroupDependency = z.strictObject({ poolName: text, id: text, name: text })
/** A server group of a pool. An empty `id`: its creation has begun. */
export type ServerGroupDependency = Readonly<z.output<typeof serverGroupDependency>>

const workerStatusSchema = z.strictObject({
  ...head('WorkerStatus'),
  machineImages: list(machineImage),
  serverGroupDependencies: list(serverGroupDependency),
})
export type WorkerStatus = Readonly<z.output<typeof workerStatusSchema>>

/**
 * Reads `status.providerStatus` of a Worker (docs/contract/workers-openstack.md#inputs). Throws a `CodedError` if it is
 * malformed: it has the only ids of server groups.
 */
export const readWorkerStatus = (
  providerStatus: unknown,
): Pick<WorkerStatus, 'machineImages' | 'serverGroupDependencies'> => {
  if (providerStatus === undefined || providerStatus === null)
    return { machineImages: [], serverGroupDependencies: [] }
  try {
    return decodeStrictly(workerStatusSchema, providerStatus)
  } catch (error) {
    throw configurationProblem(
      `could not decode WorkerStatus: ${messageOf(error)} (status.providerStatus). Correct it: it lists the server groups, and images that the cloud profile no longer has`,
      error,
    )
  }
}

/** Returns `status.providerStatus` in the form of the Go extension. */
export const workerStatusOf = (
  machineImages: readonly object[] | undefined,
  dependencies: readonly ServerGroupDependency[],
): Readonly<Record<string, unknown>> => ({
  apiVersion,
  kind: 'WorkerStatus',
  ...(machineImages && machineImages.length > 0 && { machineImages }),
  ...(dependencies.length > 0 && {
    serverGroupDependencies: dependencies.toSorted((one, other) =>
      Buffer.compare(Buffer.from(one.poolName), Buffer.from(other.poolName)),
    ),
  }),
})

/** Returns the server group that new machines of a pool use. The last entry of a pool replaces earlier ones. */
export const serverGroupOf = (
  dependencies: readonly ServerGroupDependency[],
  pool: string,
): ServerGroupDependency | undefined =>
  dependencies.findLast(({ poolName, id }) => poolName === pool && id !== '')
