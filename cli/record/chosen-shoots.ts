import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { printable } from '../../shared/text/printable.ts'
import { findShoot } from '../observe/observe.ts'

/**
 * Returns the namespaces of shoots, given as `shoot--garden--rose`, `garden/rose` or `rose`; undefined for none: all
 * shoots. Throws a `UsageError` for a name that is unknown or ambiguous. A whole name may be of a later shoot.
 */
export const chosenShoots = async (
  given: readonly string[],
  kubernetes: Pick<Kubernetes, 'list'>,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> => {
  if (given.length === 0) return undefined
  const shoots = new Set<string>()
  for (const name of given) {
    const [project, shoot, ...more] = name.split('/')
    if (more.length > 0 || !/^[a-z0-9/-]+$/.test(name))
      throw new UsageError(`${printable(name)} is not the name of a shoot, such as garden/rose`)
    shoots.add(
      shoot === undefined ? await findShoot(name, kubernetes, signal) : `shoot--${project}--${shoot}`,
    )
  }
  return [...shoots]
}
