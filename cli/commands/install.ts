import { Command, Option } from 'commander'
import { deploymentModes, deploymentPolicies, podSecurities, profileNames } from '../../knative/choices.ts'
import { splitList } from '../../shared/text/split-list.ts'
import { renderables } from '../install/renderables.ts'
import type { InstallOptions } from '../install/run-install.ts'
import { projectFlag } from './project-flag.ts'

/** `trellis install --render …`: prints the manifests of Trellis, and installs nothing. */
export const installCommand = (): Command =>
  new Command('install')
    .description(
      'Print the installation of functions: manifests for kubectl, the Helm chart, a ControllerDeployment with its ControllerRegistration, ' +
        'or the Extension of gardener-operator. The command installs nothing and contacts no cluster.',
    )
    .addOption(new Option('--render <what>', 'output format').choices(renderables).makeOptionMandatory())
    .addOption(projectFlag())
    .option(
      '--provider <names>',
      'all functions and webhooks of these providers, separated by commas',
      splitList,
      [],
    )
    .option(
      '--function <names>',
      'these functions, separated by commas, such as acme/dnsrecord',
      splitList,
      [],
    )
    .option(
      '--name <name>',
      'name of the registration and the release (default: derived from the selection, such as trellis-acme)',
    )
    .option(
      '--namespace <name>',
      'namespace of manifests; a chart uses the namespace of its release',
      'trellis',
    )
    .option('--seed <name>', 'name of the seed, for manifests; a chart gets it from gardenlet')
    .option('--registry <registry>', 'registry of the images: registry.example.com/trellis')
    .option('--tag <tag>', 'tag of the images (default: the version of the project)')
    .option('--images <file>', 'file with the image of each program, as trellis image writes it')
    .addOption(
      new Option(
        '--mode <mode>',
        'knative, or seed-process: one Deployment that starts the functions without Knative (default: knative)',
      ).choices(deploymentModes),
    )
    .addOption(
      new Option(
        '--profile <broker>',
        "class of the broker that stores events (default: the cluster's default broker class)",
      ).choices(profileNames),
    )
    .option('--compact', 'run one process for all functions of a provider, for small seeds')
    .option(
      '--values <file>',
      'YAML file with values of the chart; values.yaml in the chart lists all values',
    )
    .option(
      '--chart <reference>',
      'reference of the chart in a registry, registry.example.com/charts/trellis:1.2.3 (default: the chart is embedded)',
    )
    .option('--admission-runtime <reference>', 'for operator-extension: the chart that runs admission')
    .option(
      '--admission-application <reference>',
      'for operator-extension: the chart with the permissions of admission, and the objects of the garden',
    )
    .option('--pull-secret <name>', "Secret in namespace garden with the credentials of the chart's registry")
    .option('--ca-bundle-secret <name>', "Secret in namespace garden with the CA of the chart's registry")
    .addOption(
      new Option('--policy <policy>', 'when Gardener installs the extension (default: OnDemand)').choices(
        deploymentPolicies,
      ),
    )
    .addOption(
      new Option(
        '--pod-security <standard>',
        'Pod Security Standard of its namespace (default: restricted)',
      ).choices(podSecurities),
    )
    .option(
      '--no-primary',
      'check that all functions are secondary: registrations of secondary functions say primary: false by themselves',
    )
    .option(
      '--seed-labels <labels>',
      'install only in seeds with these labels, a=b,c=d; not for a primary registration',
    )
    .option(
      '--resources <references>',
      'Secrets and ConfigMaps in namespace garden for templates in values, proxy=Secret/proxy-credentials',
    )
    .option('--legacy', 'for a Gardener without core.gardener.cloud/v1')
    .option('--output <folder>', 'write a file in this folder instead of printing')
    .addHelpText(
      'after',
      `
Examples:
  trellis install --render registration --provider acme --registry registry.example.com/trellis | kubectl apply --server-side -f -
  trellis install --render manifests --function acme/dnsrecord --seed my-seed --registry registry.example.com/trellis \\
    | kubectl apply --server-side -f -
  trellis install --render chart --output .`,
    )
    .action(async (options: InstallOptions, command: Command) => {
      const { runInstall } = await import('../install/run-install.ts')
      await runInstall(options, flag => command.getOptionValueSource(flag) === 'cli')
    })
