import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { labels } from '../../../shared/contract/constants.ts'
import { namespaces } from '../../../shared/kubernetes/core-resources.ts'
import { hasStatus, type Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { nearestName } from '../../../shared/text/nearest-name.ts'
import { printable } from '../../../shared/text/printable.ts'

const seedPlace = { place: 'in this seed', advice: 'trellis status lists all shoots' }

/** The technical name of a shoot: `shoot--<project>--<name>`. */
const technical = /^shoot--[a-z0-9-]+$/

/**
 * Returns the namespace of a shoot in the seed. A technical name needs no request; a plain name must belong to one
 * shoot of the seed. Throws a `UsageError` otherwise.
 */
export const findShoot = async (
  given: string,
  kubernetes: Pick<Kubernetes, 'list'>,
  signal: AbortSignal,
): Promise<string> => {
  if (technical.test(given)) return given
  return chooseShoot(given, await shootNamespaces(given, kubernetes, signal))
}

/**
 * Chooses the shoot with a name among the namespaces of shoots. Throws a `UsageError` if there is none.
 *
 * @param where the place that was searched, for the message
 */
export const chooseShoot = (
  given: string,
  all: readonly string[],
  where: { readonly place: string; readonly advice: string } = seedPlace,
): string => {
  const found = all.filter(namespace => namespace === given || namespace.endsWith(`--${given}`))
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (found.length > 1)
    throw new UsageError(
      `several shoots are called ${printable(given)}: ${found.map(printable).join(', ')}. Give one of these names`,
    )
  const near = nearestName(given, [...all, ...all.map(namespace => namespace.split('--').at(-1) ?? '')])
  const hint = near === undefined ? where.advice : `Did you mean ${printable(near)}?`
  throw noShoot(given, where.place, hint)
}

export const noShoot = (given: string, place = seedPlace.place, hint = seedPlace.advice): UsageError =>
  new UsageError(`there is no shoot ${printable(given)} ${place}. ${hint}`)

const shootNamespaces = async (
  given: string,
  kubernetes: Pick<Kubernetes, 'list'>,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  try {
    const page = await kubernetes.list(namespaces, { labelSelector: `${labels.role}=shoot`, signal })
    return page.items.map(({ metadata }) => metadata.name)
  } catch (error) {
    if (!hasStatus(error, 403)) throw error
    throw new UsageError(
      `you may not list namespaces, so give the technical name: shoot--<project>--${printable(given)}`,
    )
  }
}
