import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import { type Kubernetes, KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import { listAll } from '../../shared/kubernetes/list-all.ts'
import { nearestName } from '../../shared/text/nearest-name.ts'

export interface ChosenShoots {
  /** The namespaces; undefined: all shoots. */
  readonly shoots: readonly string[] | undefined
  /** Chosen shoots that do not exist yet. */
  readonly missing: readonly string[]
}

/**
 * Returns the namespaces of shoots, given as `shoot--garden--rose`, `garden/rose` or `rose`. Throws a `UsageError` for a
 * name that is unknown or ambiguous, and for a name alone if Clusters cannot be listed.
 */
export const chosenShoots = async (
  given: readonly string[],
  kubernetes: Pick<Kubernetes, 'list'>,
): Promise<ChosenShoots> => {
  if (given.length === 0) return { shoots: undefined, missing: [] }
  for (const name of given)
    if (!/^[a-z0-9-]+(?:\/[a-z0-9-]+)?$/.test(name))
      throw new UsageError(
        `${JSON.stringify(name)}: not the name of a shoot, such as shoot--garden--rose or garden/rose`,
      )
  const known = await namesOfClusters(kubernetes)
  const shoots = given.map(name => namespaceOf(name, known))
  return {
    shoots: [...new Set(shoots)],
    missing: known === undefined ? [] : shoots.filter(shoot => !known.includes(shoot)),
  }
}

const namespaceOf = (given: string, known: readonly string[] | undefined): string => {
  const [project = '', name] = given.split('/')
  if (name !== undefined) return `shoot--${project}--${name}`
  if (given.startsWith('shoot--') || known?.includes(given)) return given
  if (known === undefined)
    throw new UsageError(
      `${given}: the Clusters cannot be listed, so only a whole name such as shoot--garden--${given} is found`,
    )
  const found = known.filter(namespace => namespace.endsWith(`--${given}`))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  if (found.length > 1)
    throw new UsageError(`${given}: several shoots have this name: ${found.join(', ')}. Give the whole name`)
  const nearest = nearestName(
    given,
    known.map(namespace => namespace.split('--').at(-1) ?? namespace),
  )
  throw new UsageError(
    `${given}: the seed has no such shoot${nearest === undefined ? '' : `. Did you mean ${nearest}?`}. To wait for a new one, give its whole name: shoot--garden--${given}`,
  )
}

/** Undefined: they may not be listed. */
const namesOfClusters = async (
  kubernetes: Pick<Kubernetes, 'list'>,
): Promise<readonly string[] | undefined> => {
  try {
    return (await listAll(kubernetes, clusterKind.resource, {})).map(({ metadata }) => metadata.name)
  } catch (error) {
    if (error instanceof KubernetesError && [401, 403, 404].includes(error.status)) return undefined
    throw error
  }
}
