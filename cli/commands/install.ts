import { Command, Option } from 'commander'
import { deploymentModes, deploymentPolicies, podSecurities, profileNames } from '../../knative/choices.ts'
import { splitList } from '../../shared/text/split-list.ts'
import { renderables } from '../install/renderables.ts'
import type { InstallOptions } from '../install/run-install.ts'
import { projectFlag } from './project-flag.ts'

/** The lists are absent without their flag: a default of commander would be in the help. */
type InstallFlags = Omit<InstallOptions, 'provider' | 'function'> & Partial<InstallOptions>

/** `trellis install --render …`: prints the manifests of Trellis, and installs nothing. */
export const installCommand = (): Command =>
  new Command('install')
    .description(
      'Print the installation of functions: manifests for kubectl, the Helm chart, a ControllerDeployment with its ControllerRegistration, ' +
        'or the Extension of gardener-operator. The command installs nothing and contacts no cluster.',
    )
    .addOption(new Option('--render <what>', 'output format').choices(renderables).makeOptionMandatory())
    .addOption(projectFlag())
    .option('--provider <names>', 'all functions and webhooks of these providers', splitList)
    .option('--function <names>', 'these functions, such as acme/dnsrecord', splitList)
    .option('--name <name>', 'name of the release (default: trellis-PROVIDER)')
    .option('--namespace <name>', 'namespace of manifests', 'trellis')
    .option('--seed <name>', 'name of the seed, for manifests')
    .option('--registry <registry>', 'registry of the images')
    .option('--tag <tag>', 'tag of the images (default: the version)')
    .option('--images <file>', 'images.json of trellis image')
    .addOption(
      new Option('--mode <mode>', 'seed-process needs no Knative (default: knative)').choices(
        deploymentModes,
      ),
    )
    .addOption(new Option('--profile <broker>', 'class of the broker').choices(profileNames))
    .option('--compact', 'one process for all functions of a provider')
    .option('--values <file>', 'YAML file with values of the chart')
    .option('--from-values <file>', "values of the provider's Go extension")
    .option('--chart <reference>', 'the chart in a registry (default: embedded)')
    .option('--admission-runtime <chart>', 'the chart that runs admission')
    .option('--admission-application <chart>', 'the chart of its permissions')
    .option('--pull-secret <name>', "Secret in garden for the chart's registry")
    .option('--ca-bundle-secret <name>', 'Secret in garden with the CA of that registry')
    .addOption(
      new Option('--policy <policy>', 'when to install it (default: OnDemand)').choices(deploymentPolicies),
    )
    .addOption(
      new Option('--pod-security <standard>', 'of its namespace (default: restricted)').choices(
        podSecurities,
      ),
    )
    .option('--no-primary', 'check that all functions are secondary')
    .option('--seed-labels <labels>', 'only in seeds with these labels, a=b,c=d')
    .option(
      '--resources <objects>',
      'objects in garden for templates in values, proxy=Secret/proxy-credentials',
    )
    .option('--legacy', 'for a Gardener without core.gardener.cloud/v1')
    .option('--output <folder>', 'write a file in this folder')
    .addHelpText(
      'after',
      `
Lists are separated by commas. docs/installing.md explains each way to install.

Examples:
  trellis install --render registration --provider acme --registry registry.example.com/trellis | kubectl apply --server-side -f -
  trellis install --render manifests --function acme/dnsrecord --seed my-seed --registry registry.example.com/trellis \\
    | kubectl apply --server-side -f -
  trellis install --render chart --output .`,
    )
    .action(async (options: InstallFlags, command: Command) => {
      const { runInstall } = await import('../install/run-install.ts')
      await runInstall(
        { ...options, provider: options.provider ?? [], function: options.function ?? [] },
        flag => command.getOptionValueSource(flag) === 'cli',
      )
    })
