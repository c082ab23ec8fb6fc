import type { Manifests } from '../knative/knative.ts'
import type { SeedFunction } from './seed-function.ts'

/**
 * Returns the functions that a Service hosts at paths, as the Triggers name them. Empty for a Service of one function.
 */
export const functionsAtPaths = (
  { triggers }: Pick<Manifests, 'triggers'>,
  service: string,
  functions: readonly SeedFunction[],
): readonly SeedFunction[] => {
  const paths = triggers
    .filter(({ spec: { subscriber } }) => subscriber.ref?.name === service)
    .map(({ spec: { subscriber } }) => subscriber.uri)
  return functions.filter(({ name }) => paths.includes(`/${name}`))
}
