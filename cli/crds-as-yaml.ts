import { stringify } from 'yaml'
import { UsageError } from '../sandbox/terminal/exit-code.ts'
import {
  allCrds,
  type CustomResourceDefinition,
  machineCrds,
  resourceCrds,
} from '../shared/contract/crds/crd-of.ts'

/**
 * Returns the CRDs of the named kinds and groups. Without names, returns those of the extensions, or with `all` all
 * CRDs. Throws a `UsageError` for a name that is neither kind nor group.
 */
export const crdsAsYaml = (names: readonly string[], all = false): string => {
  if (all && names.length > 0) throw new UsageError('--all prints every kind. Remove the names or --all')
  const known = [...allCrds(), ...machineCrds(), ...resourceCrds()]
  const chosen =
    names.length === 0 ? (all ? known : allCrds()) : names.flatMap(name => crdsCalled(known, name))
  return [...new Set(chosen)].map(crd => `---\n${stringify(crd, { lineWidth: 0 })}`).join('')
}

const crdsCalled = (
  known: readonly CustomResourceDefinition[],
  name: string,
): readonly CustomResourceDefinition[] => {
  const found = known.filter(({ spec: { group, names } }) =>
    [group, names.kind, names.plural, names.singular, ...(names.shortNames ?? [])].some(
      one => one.toLowerCase() === name.toLowerCase(),
    ),
  )
  if (found.length > 0) return found
  throw new UsageError(
    `unknown kind ${name}; known kinds: ${known.map(({ spec }) => spec.names.kind).join(', ')}`,
  )
}
