import type { DeploymentMode } from '../../knative/knative.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { Renderable } from './renderables.ts'

const ofGardener = [
  'chart',
  'pullSecret',
  'caBundleSecret',
  'policy',
  'podSecurity',
  'primary',
  'seedLabels',
  'resources',
  'legacy',
]

interface Unused {
  readonly flags: readonly string[]
  readonly why: string
}

const ofChart: Unused = {
  flags: [
    ...ofGardener,
    'name',
    'namespace',
    'seed',
    'registry',
    'tag',
    'images',
    'mode',
    'profile',
    'compact',
    'values',
    'fromValues',
  ],
  why: 'a chart gets its name and values when it is installed',
}

/** The flags that a rendering does not use, by their commander names, with the reason. */
const without: Readonly<Record<Renderable, Unused>> = {
  manifests: { flags: ofGardener, why: 'this flag is only for what is registered with Gardener' },
  chart: ofChart,
  values: { flags: [...ofGardener, 'name', 'namespace'], why: 'values are those of a release' },
  'admission-runtime-chart': ofChart,
  'admission-application-chart': ofChart,
  registration: { flags: ['namespace'], why: 'gardenlet creates and names the namespace' },
  'operator-extension': { flags: ['namespace', 'legacy'], why: 'the operator decides this' },
}

/** The name of a Namespace: a DNS label. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** With a tag or digest, because gardenlet has no default `latest`; the host has a dot or a port, or is localhost. */
const chartReference =
  /^(?:oci:\/\/)?(?:localhost(?::[0-9]+)?|[a-z0-9-]+[.:][a-z0-9.:-]*)(?:\/[a-z0-9._-]+)+(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127}|@sha256:[0-9a-f]{64})$/

/** The given flags, by their commander names. */
export interface GivenFlags {
  readonly render: Renderable
  readonly namespace: string
  readonly chart?: string
  readonly mode?: DeploymentMode
}

/**
 * Refuses, with a `UsageError`, flags that would be silently ignored, and values that an API server would refuse later.
 *
 * @param isGiven returns true if a flag, by its commander name, is on the command line
 */
export const checkFlags = (
  { render, namespace, chart, mode }: GivenFlags,
  isGiven: (flag: string) => boolean,
): void => {
  const { flags, why } = without[render]
  const [wrong] = flags.filter(isGiven)
  if (wrong !== undefined)
    throw new UsageError(`--render ${render} does not accept ${flagOf(wrong)}: ${why}. Remove the flag`)
  if (mode === 'seed-process' && isGiven('profile'))
    throw new UsageError(
      '--mode seed-process has no broker, so it does not accept --profile. Remove the flag',
    )
  if (!label.test(namespace))
    throw new UsageError(
      `--namespace ${JSON.stringify(namespace)} is not a namespace: expected at most 63 lower-case letters, digits and dashes`,
    )
  if (chart !== undefined && !chartReference.test(chart))
    throw new UsageError(
      `--chart ${JSON.stringify(chart)} is not a chart in a registry: expected registry.example.com/charts/trellis:1.2.3, with a tag or digest`,
    )
}

/** `--pod-security` for `podSecurity`; commander's `primary` is `--no-primary`. */
const flagOf = (name: string): string =>
  `--${name === 'primary' ? 'no-primary' : name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
