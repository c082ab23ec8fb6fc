import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { definitionsOf } from '../../build/project/project.ts'
import { ValuesError } from '../../knative/chart/chart.ts'
import {
  type DeploymentPolicy,
  type PodSecurity,
  RegistrationError,
  type RegistrationReference,
} from '../../knative/registration/registration.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { print, printError } from '../../shared/terminal/print.ts'
import { splitList } from '../../shared/text/split-list.ts'
import { findProject } from '../project/find-project.ts'
import { checkFlags } from './check-flags.ts'
import { type Available, chosenOf } from './chosen.ts'
import { readMap, type ValueFlags } from './given-values.ts'
import { goValuesReport, mapGoValues, readGoValues } from './go-values.ts'
import { render } from './render.ts'
import type { Renderable } from './renderables.ts'

export interface InstallOptions extends ValueFlags {
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
  readonly resources?: string
  /** A file with values of the Go extension's chart. */
  readonly fromValues?: string
  readonly output?: string
}

/** Prints or writes the installation. @param isGiven true for a flag of the command line, by its commander name */
export const runInstall = async (
  options: InstallOptions,
  isGiven: (flag: string) => boolean,
): Promise<void> => {
  checkFlags(options, isGiven)
  const file = await rendered(options).catch((error: unknown) => {
    throw error instanceof ValuesError || error instanceof RegistrationError
      ? new UsageError(error.message, { cause: error })
      : error
  })
  if (options.output === undefined) {
    if (typeof file.content !== 'string' && process.stdout.isTTY)
      throw new UsageError('a chart is an archive: choose a folder for it with --output DIR')
    // For kubectl, each value is as it was given. Only a terminal could act on its characters.
    print(process.stdout.isTTY ? file.content : Buffer.from(file.content))
    return
  }
  await mkdir(options.output, { recursive: true })
  await writeFile(join(options.output, file.name), file.content)
}

const rendered = async (options: InstallOptions) => {
  const {
    provider,
    function: functions,
    chart,
    project: asked,
    pullSecret,
    caBundleSecret,
    seedLabels,
    resources,
    policy,
    podSecurity,
    admissionRuntime,
    admissionApplication,
    fromValues,
    ...others
  } = options
  if (chart === undefined && (pullSecret ?? caBundleSecret) !== undefined)
    throw new UsageError('--pull-secret and --ca-bundle-secret need a chart in a registry: --chart REFERENCE')
  if (admissionRuntime !== undefined && admissionApplication === undefined)
    throw new UsageError(
      'admission has two charts: give both --admission-runtime and --admission-application',
    )
  const oci = (ref: string) => ({ kind: 'oci', ref, ...secretsOf(pullSecret, caBundleSecret) }) as const
  const project = await findProject(process.cwd(), asked)
  const definitions = await definitionsOf(project)
  const mapped = fromValues === undefined ? {} : await mappedValues(fromValues, provider, definitions)
  return render(definitions, {
    ...others,
    mapped,
    project: project.name,
    version: project.version,
    providers: provider,
    functions,
    legacy: options.legacy === true,
    primary: options.primary,
    registration: {
      ...(policy !== undefined && { policy }),
      ...(podSecurity !== undefined && { podSecurity }),
      ...(seedLabels !== undefined && { seedLabels: labelsOf(seedLabels) }),
      ...(resources !== undefined && { resources: referencesOf(resources) }),
    },
    ...(chart !== undefined && { chart: oci(chart) }),
    ...(admissionApplication !== undefined && {
      admission: {
        ...(admissionRuntime !== undefined && { runtime: oci(admissionRuntime) }),
        application: oci(admissionApplication),
      },
    }),
  })
}

/** Maps a file of the Go extension, and reports each of its values on standard error. */
const mappedValues = async (file: string, provider: readonly string[], { functions }: Available) => {
  const names = chosenOf({ functions, webhooks: [] }, { providers: provider, functions: [] }).functions
  const mapped = mapGoValues(
    await readMap(file),
    await readGoValues(provider),
    names.map(({ name }) => name),
  )
  printError(goValuesReport(file, mapped))
  return mapped.values
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

const referencesOf = (text: string): readonly RegistrationReference[] =>
  splitList(text).map(item => {
    const [, name, kind, object] = /^([^=]+)=(Secret|ConfigMap)\/([a-z0-9][a-z0-9.-]*)$/.exec(item) ?? []
    if (name === undefined || object === undefined)
      throw new UsageError(
        `${JSON.stringify(item)} is not a resource: expected NAME=Secret/OBJECT or NAME=ConfigMap/OBJECT`,
      )
    return { name, kind: kind as RegistrationReference['kind'], object }
  })
