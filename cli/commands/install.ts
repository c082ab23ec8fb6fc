import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { ValuesError } from '../../deploy/chart/chart.ts'
import { deploymentModes, profileNames } from '../../deploy/knative/knative.ts'
import { definitionsOf } from '../../deploy/project/project.ts'
import {
  type DeploymentPolicy,
  deploymentPolicies,
  type PodSecurity,
  podSecurities,
  RegistrationError,
} from '../../deploy/registration/registration.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { splitList } from '../../shared/runtime/runtime.ts'
import { checkFlags } from '../install/check-flags.ts'
import type { ValueFlags } from '../install/given-values.ts'
import { type Renderable, render, renderables } from '../install/render.ts'
import { findProject } from '../project/find-project.ts'
import { projectFlag } from './project-flag.ts'

interface InstallOptions extends ValueFlags {
  readonly project?: string
  readonly render: Renderable
  readonly provider: readonly string[]
  readonly function: readonly string[]
  readonly name?: string
  readonly namespace: string
  readonly chart?: string
  readonly admissionRuntime?: string
  readonly admissionApplication?: string
  readonly pullSecret?: string
  readonly caBundleSecret?: string
  readonly legacy?: boolean
  readonly policy?: DeploymentPolicy
  readonly podSecurity?: PodSecurity
  readonly primary: boolean
  readonly seedLabels?: string
  readonly output?: string
}

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
      'for operator-extension: the chart with the permissions of admission',
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
    .option('--no-primary', 'another registration is the primary one for the same kinds and types')
    .option(
      '--seed-labels <labels>',
      'install only in seeds with these labels, a=b,c=d; not for a primary registration',
    )
    .option('--legacy', 'for a Gardener without core.gardener.cloud/v1')
    .option('--output <folder>', 'write a file in this folder instead of printing')
    .addHelpText(
      'after',
      `
Examples:
  trellis install --render registration --provider acme --registry registry.example.com/trellis | kubectl apply -f -
  trellis install --render manifests --function acme/dnsrecord --seed my-seed --registry registry.example.com/trellis \\
    | kubectl apply -f -
  trellis install --render chart --output .`,
    )
    .action(async (options: InstallOptions, command: Command) => {
      checkFlags(options, flag => command.getOptionValueSource(flag) === 'cli')
      const file = await rendered(options).catch((error: unknown) => {
        throw error instanceof ValuesError || error instanceof RegistrationError
          ? new UsageError(error.message, { cause: error })
          : error
      })
      if (options.output === undefined) {
        if (typeof file.content !== 'string' && process.stdout.isTTY)
          throw new UsageError('a chart is an archive: choose a folder for it with --output DIR')
        process.stdout.write(file.content)
        return
      }
      await mkdir(options.output, { recursive: true })
      await writeFile(join(options.output, file.name), file.content)
    })

const rendered = async (options: InstallOptions) => {
  const {
    provider,
    function: functions,
    chart,
    project: asked,
    pullSecret,
    caBundleSecret,
    seedLabels,
    policy,
    podSecurity,
    admissionRuntime,
    admissionApplication,
    ...others
  } = options
  if (chart === undefined && (pullSecret ?? caBundleSecret) !== undefined)
    throw new UsageError('--pull-secret and --ca-bundle-secret need a chart in a registry: --chart REFERENCE')
  if ((admissionRuntime === undefined) !== (admissionApplication === undefined))
    throw new UsageError(
      'admission has two charts: give both --admission-runtime and --admission-application',
    )
  const oci = (ref: string) => ({ kind: 'oci', ref, ...secretsOf(pullSecret, caBundleSecret) }) as const
  const project = await findProject(process.cwd(), asked)
  return render(await definitionsOf(project), {
    ...others,
    project: project.name,
    version: project.version,
    providers: provider,
    functions,
    legacy: options.legacy === true,
    registration: {
      primary: options.primary,
      ...(policy !== undefined && { policy }),
      ...(podSecurity !== undefined && { podSecurity }),
      ...(seedLabels !== undefined && { seedLabels: labelsOf(seedLabels) }),
    },
    ...(chart !== undefined && { chart: oci(chart) }),
    ...(admissionRuntime !== undefined &&
      admissionApplication !== undefined && {
        admission: { runtime: oci(admissionRuntime), application: oci(admissionApplication) },
      }),
  })
}

const secretsOf = (pullSecret: string | undefined, caBundleSecret: string | undefined) => ({
  ...(pullSecret !== undefined && { pullSecret }),
  ...(caBundleSecret !== undefined && { caBundleSecret }),
})

const labelsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    splitList(text).map(label => {
      const [name = '', value] = label.split('=', 2)
      if (name === '' || value === undefined)
        throw new UsageError(`${JSON.stringify(label)} is not a label: expected name=value`)
      return [name, value]
    }),
  )
