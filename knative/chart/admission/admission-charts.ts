import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { componentsOf, type WebhookDefinition } from '../../../shared/webhooks/admission/admission.ts'
import { explained, yamlOf } from '../../knative.ts'
import { type ChartFiles, chartYaml } from '../files/chart-files.ts'
import { definitionsFile } from '../files/definitions-file.ts'
import { templateFiles } from '../files/template-files.ts'
import { definedComponents } from '../values/chart-values.ts'
import { withDefaults } from '../values/merge-values.ts'
import { parsedValues } from '../values/parse-values.ts'
import { jsonSchemaOf, schemaFile, valuesYaml } from '../values/values-files.ts'
import { type AdmissionContents, type AdmissionValues, admissionValuesSchema } from './admission-values.ts'

/** The objects of a provider in the virtual garden. */
export interface GardenObjects {
  readonly provider: string
  readonly objects: readonly KubernetesObject[]
}

export interface AdmissionOptions {
  readonly version: string
  /** The version of the library that renders it. */
  readonly libraryVersion: string
  readonly webhooks: readonly WebhookDefinition[]
  /** Default: none. */
  readonly gardenObjects?: readonly GardenObjects[]
  /** Returns true if a component, or the objects of a provider, are enabled by default. Default: none. */
  readonly isEnabled?: (componentOrProvider: string) => boolean
}

/** The admission charts: the runtime, and the permissions in the virtual garden. */
export const admissionCharts = {
  runtime: { name: 'trellis-admission-runtime', file: 'runtime.yaml' },
  application: { name: 'trellis-admission-application', file: 'virtual-garden.yaml' },
} as const

export type AdmissionChart = keyof typeof admissionCharts

const contentsOf = ({
  webhooks,
  gardenObjects = [],
  isEnabled = () => false,
}: AdmissionOptions): AdmissionContents => ({
  components: componentsOf(webhooks.filter(({ target }) => target === 'garden')),
  providers: gardenObjects.map(({ provider }) => provider),
  isEnabled,
})

/** Returns the values with their defaults. Throws a `ValuesError` that names each invalid key. */
export const parseAdmissionValues = (options: AdmissionOptions, given: unknown): AdmissionValues => {
  const { components, providers, isEnabled } = contentsOf(options)
  const defined = {
    components: definedComponents(components, isEnabled),
    gardenObjects: definedComponents(providers, isEnabled),
  }
  return parsedValues(admissionValuesSchema({ components, providers }), withDefaults(defined, given))
}

/** Returns all files of one of the charts. Both have the same values. */
export const admissionChartFiles = async (
  options: AdmissionOptions,
  chart: AdmissionChart,
): Promise<ChartFiles> => {
  const { name, file } = admissionCharts[chart]
  const jsonSchema = jsonSchemaOf(admissionValuesSchema(contentsOf(options)))
  const webhooks = options.webhooks.filter(({ target }) => target === 'garden')
  const values = parseAdmissionValues(options, {})
  return new Map([
    ['Chart.yaml', chartYaml(options, name, descriptions[chart])],
    ['values.yaml', valuesYaml(values, jsonSchema)],
    ['values.schema.json', schemaFile(jsonSchema)],
    ['definitions.yaml', definitionsFile({ functions: [], webhooks }, values)],
    ...(chart === 'application' ? objectFiles(options) : []),
    ...(await templateFiles('trellis/templates', shared => sharedTemplates.has(shared))),
    ...(await templateFiles('admission/templates', own => own === file || own === '_admission.tpl')),
  ])
}

/** Not templates: a schema may contain braces. */
const objectFiles = ({ gardenObjects = [] }: AdmissionOptions) =>
  gardenObjects.map(
    ({ provider, objects }) =>
      [`objects/${provider}.yaml`, yamlOf(objects.map(object => explained(object)))] as const,
  )

/** The named templates of the chart for seeds that these charts use, too. */
const sharedTemplates = new Set(['_helpers.tpl', '_process.tpl'])

const descriptions = {
  runtime: 'Admission of Gardener extensions: what runs beside the virtual garden',
  application: 'Admission of Gardener extensions: what it may do in the virtual garden',
} as const
