import { stringify } from 'yaml'
import { packageVersion } from '../../build/project/package-version.ts'
import {
  type AdmissionChart,
  admissionChartFiles,
  admissionCharts,
  type ChartValues,
  chartArchive,
  chartFiles,
  chartName,
  contentsOf,
  deploymentOfValues,
  parseValues,
} from '../../knative/chart/chart.ts'
import { type Deployment, deployedObjects, deployedParts, explained, yamlOf } from '../../knative/knative.ts'
import {
  type ChartSource,
  controllerDeployment,
  controllerRegistration,
  type ExtensionRegistration,
  legacyControllerDeployment,
  type OciChart,
  operatorExtension,
} from '../../knative/registration/registration.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { type Available, type Choice, type Chosen, chosenOf, usualName } from './chosen.ts'
import { givenValues, type ValueFlags } from './given-values.ts'
import type { Renderable } from './renderables.ts'

export interface RenderOptions extends ValueFlags, Choice {
  readonly render: Renderable
  /** The name of the project: of the chart. Default: `trellis`. */
  readonly project?: string
  /** The version of the project: of the chart and of the images. */
  readonly version: string
  readonly name?: string
  readonly namespace: string
  /** The chart in a registry. Default: it is inside the ControllerDeployment. */
  readonly chart?: Exclude<ChartSource, { kind: 'raw' }>
  /** The admission charts in a registry, for the operator's Extension. Default: no admission. */
  readonly admission?: { readonly runtime?: OciChart; readonly application: OciChart }
  /** For releases of Gardener before `core.gardener.cloud/v1`. */
  readonly legacy: boolean
  /** False: the user claims that all functions are secondary. Default: true. */
  readonly primary?: boolean
  readonly registration: Pick<ExtensionRegistration, 'policy' | 'seedLabels' | 'podSecurity' | 'resources'>
}

/** A file: a text, or the bytes of an archive. */
export interface RenderedFile {
  readonly name: string
  readonly content: string | Uint8Array
}

/** Renders the requested files. Throws a `UsageError`, `ValuesError` or `RegistrationError` for invalid options. */
export const render = async (available: Available, options: RenderOptions): Promise<RenderedFile> => {
  const chosen = chosenOf(available, options)
  const name = options.name ?? usualName(options, chosen)
  if (!/^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name))
    throw new UsageError(
      `--name ${JSON.stringify(name)} is not a name: expected at most 63 lower-case letters, digits and dashes`,
    )
  const given = await givenValues(options, chosen)
  const { version, project = chartName } = options
  const chosenNames = new Set([...chosen.functions.map(one => one.name), ...chosen.components])
  const libraryVersion = await packageVersion()
  const chartOptions = {
    ...available,
    version,
    libraryVersion,
    name: project,
    isEnabled: (one: string) => chosenNames.has(one),
  }
  if (options.render === 'chart') return chartOf(chartOptions)
  if (options.render === 'admission-runtime-chart') return admissionChartOf(chartOptions, chosen, 'runtime')
  if (options.render === 'admission-application-chart')
    return admissionChartOf(chartOptions, chosen, 'application')

  // A chart in a registry enables nothing, one in the registration what was chosen: the default of null.
  const values = parseValues(
    contentsOf(options.chart === undefined ? chartOptions : { ...available, version, libraryVersion }),
    given,
  )
  const functions = available.functions.filter(one => values.functions[one.name]?.enabled)
  if (functions.length === 0)
    throw new UsageError('choose what to install: --provider NAME, or --function NAME/KIND')
  if (options.render === 'values')
    return { name: 'values.yaml', content: stringify(given, { aliasDuplicateObjects: false }) }
  const release = { name, namespace: options.namespace, version, libraryVersion }
  refuseUnnamedRegistry(deploymentOfValues(values, available, release), values)
  if (options.render === 'manifests') {
    // Without a ControllerRegistration, Gardener reads no Lease, and gardenlet creates no namespace for it.
    const deployment = { ...deploymentOfValues(values, available, release), extensions: values.extensions }
    if (deployment.seed === '') throw new UsageError('give the seed a unique name: --seed NAME')
    const parts = deployedParts({ ...deployment, makesNamespace: true })
    return { name: 'trellis.yaml', content: parts.map(({ objects }) => yamlOf(objects)).join('---\n') }
  }
  if (options.seed !== undefined)
    throw new UsageError(
      "a registration is for every seed, and gardenlet sets each seed's name. Remove --seed",
    )
  const primary = functions.find(({ secondary }) => secondary === undefined)
  if (options.primary === false && primary !== undefined)
    throw new UsageError(
      `${primary.name} is a primary function: registered with --no-primary, it would fight with the primary controller over lastOperation. Define it with role: 'secondary' (docs/secondary.md), or remove the flag`,
    )
  const registration: ExtensionRegistration = {
    ...options.registration,
    name,
    functions,
    chart: options.chart ?? {
      kind: 'raw',
      archive: await chartArchive(await chartFiles(chartOptions), project),
    },
    values: given,
    gardenAccess: functions.some(one => values.functions[one.name]?.gardenAccess),
  }
  const objects =
    options.render === 'operator-extension'
      ? [operatorExtension({ ...registration, ...admissionOf(options, chosen, values, name) })]
      : options.legacy
        ? [legacyControllerDeployment(registration), controllerRegistration(registration, 'legacy')]
        : [controllerDeployment(registration), controllerRegistration(registration)]
  return { name: `${name}.yaml`, content: yamlOf(objects.map(object => explained({ ...object }))) }
}

const chartOf = async (
  options: Parameters<typeof chartFiles>[0] & { readonly name: string },
): Promise<RenderedFile> => ({
  name: `${options.name}-${options.version}.tgz`,
  content: await chartArchive(await chartFiles(options), options.name),
})

/** Refuses a missing registry with a message about flags, before a chart or manifest fails for each image. */
const refuseUnnamedRegistry = (deployment: Deployment, { image, images }: ChartValues): void => {
  if (image.registry !== '') return
  const unnamed = new Set<string>()
  deployedObjects({
    ...deployment,
    image: program => {
      if (images[program] === undefined) unnamed.add(program)
      return program
    },
  })
  if (unnamed.size > 0) throw new UsageError(unnamedRegistry([...unnamed]))
}

const unnamedRegistry = (programs: readonly string[]): string =>
  `give the registry of the images: --registry HOST/PATH, or --images FILE with all of them. Missing: ${programs.toSorted().join(', ')}`

const admissionChartOf = async (
  options: Available & { readonly version: string; readonly libraryVersion: string },
  { admission, gardenObjects }: Chosen,
  chart: AdmissionChart,
): Promise<RenderedFile> => {
  const { name } = admissionCharts[chart]
  const files = await admissionChartFiles(
    { ...options, isEnabled: name => [...admission, ...gardenObjects].includes(name) },
    chart,
  )
  return { name: `${name}-${options.version}.tgz`, content: await chartArchive(files, name) }
}

/** The values are those of its chart for seeds, too. */
const admissionOf = (
  { admission: charts }: RenderOptions,
  { admission, gardenObjects }: Chosen,
  { image, images, logLevel }: ChartValues,
  name: string,
) => {
  if (charts === undefined) return {}
  if (admission.length + gardenObjects.length === 0)
    throw new UsageError('the selection has no admission for the garden. Remove its charts')
  if (charts.runtime === undefined && admission.length > 0)
    throw new UsageError(
      'admission has two charts: give both --admission-runtime and --admission-application',
    )
  if (charts.runtime !== undefined && admission.length === 0)
    throw new UsageError('the selection has no webhooks of the garden. Remove --admission-runtime')
  // As in Helm's own releases: pods have the name with "-admission" as a label.
  if (name.length > 53)
    throw new UsageError(
      `${JSON.stringify(name)} is too long for an Extension with admission: at most 53 characters, --name NAME`,
    )
  const { webhook } = images as Readonly<Record<string, string | undefined>>
  if (admission.length > 0 && image.registry === '' && webhook === undefined)
    throw new UsageError(unnamedRegistry(['webhook']))
  return {
    admission: {
      ...charts,
      values: {
        components: enabledOf(admission),
        ...(gardenObjects.length > 0 && { gardenObjects: enabledOf(gardenObjects) }),
        image,
        ...(webhook !== undefined && { images: { webhook } }),
        logLevel,
      },
    },
  }
}

const enabledOf = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { enabled: true }]))
