import { Command } from 'commander'
import { print } from '../../shared/terminal/print.ts'

/** `trellis crds [KIND…]`: prints the CRDs of extension kinds, and of other kinds that Gardener installs, as YAML. */
export const crdsCommand = (): Command =>
  new Command('crds')
    .description(
      'Print CustomResourceDefinitions as YAML: those of the extension kinds and Cluster. Names or --all also print those of machines and ManagedResources, which a Gardener seed already has.',
    )
    .argument(
      '[KIND...]',
      'print only these kinds: DNSRecord, dnsrecords or dns; or all kinds of a group: machine.sapcloud.io, resources.gardener.cloud',
    )
    .option('--all', 'print all kinds, for a cluster without Gardener')
    .addHelpText(
      'after',
      `
Example:
  trellis crds DNSRecord Cluster | kubectl apply --server-side -f -
  trellis crds --all | kubectl apply --server-side -f -`,
    )
    .action(async (names: readonly string[], { all = false }: { readonly all?: boolean }) => {
      const { crdsAsYaml } = await import('../crds-as-yaml.ts')
      print(crdsAsYaml(names, all))
    })
