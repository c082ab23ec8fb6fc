import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { ContainerRuntime } from '../../../../shared/contract/objects.ts'
import { quoted } from './runsc-flags.ts'

/** The nodes that get gVisor, and the path on them. */
export interface RuntimePool {
  readonly name: string
  readonly nodeLabels: Readonly<Record<string, string>>
  /** Absolute. */
  readonly binaryPath: string
}

/** The name is part of object names and a label of nodes. */
const poolName = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/
/** The path is quoted in a script that runs as root on every node. */
const safePath = /^(\/[A-Za-z0-9_][A-Za-z0-9._-]*)+\/?$/

/** Reads the pool of a ContainerRuntime. Throws a `CodedError` if the pool is not supported. */
export const readPool = ({ spec: { workerPool, binaryPath } }: ContainerRuntime): RuntimePool => {
  const { name, selector } = workerPool
  if (!poolName.test(name))
    throw configurationProblem(
      `spec.workerPool.name: expected the name of a worker pool, found ${quoted(name)}`,
    )
  if (!safePath.test(binaryPath) || binaryPath.length > 256)
    throw configurationProblem(
      `spec.binaryPath: expected an absolute path of letters, digits, dots, dashes and underscores, found ${quoted(binaryPath)}`,
    )
  // A DaemonSet for all nodes would be wrong if the user selects only some.
  if ((selector.matchExpressions ?? []).length > 0)
    throw configurationProblem(
      'spec.workerPool.selector.matchExpressions: expected nothing: only matchLabels can select nodes',
    )
  return { name, nodeLabels: selector.matchLabels ?? {}, binaryPath }
}
