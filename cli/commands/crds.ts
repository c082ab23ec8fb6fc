import { Command } from 'commander'
import { stringify } from 'yaml'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { UsageError } from '../exit-code.ts'

/** `trellis crds [KIND…]`: the CRDs of the extension kinds, as YAML. */
export const crdsCommand = (): Command =>
  new Command('crds')
    .description('Print the CustomResourceDefinitions of the extension kinds and of Cluster, as YAML.')
    .argument('[KIND...]', 'only these kinds: DNSRecord, dnsrecords or dns')
    .addHelpText('after', '\nExample:\n  trellis crds DNSRecord Cluster | kubectl apply -f -')
    .action((kinds: readonly string[]) => {
      process.stdout.write(crdsAsYaml(kinds))
    })

/** The CRDs of the named kinds (all when none is named). Throws a `UsageError` for a name that is no kind. */
export const crdsAsYaml = (kinds: readonly string[]): string => {
  const all = allCrds()
  const chosen = kinds.length === 0 ? all : kinds.map(name => crdNamed(all, name))
  return chosen.map(crd => `---\n${stringify(crd, { lineWidth: 0 })}`).join('')
}

const crdNamed = (all: ReturnType<typeof allCrds>, name: string) => {
  const found = all.find(({ spec: { names } }) =>
    [names.kind, names.plural, names.singular, ...(names.shortNames ?? [])].some(
      known => known.toLowerCase() === name.toLowerCase(),
    ),
  )
  if (found !== undefined) return found
  throw new UsageError(
    `there is no kind ${name}; there are ${all.map(({ spec }) => spec.names.kind).join(', ')}`,
  )
}
