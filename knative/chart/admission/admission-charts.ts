import { componentsOf, type WebhookDefinition } from '../../../shared/webhooks/admission/admission.ts'
import { type ChartFiles, chartYaml } from '../files/chart-files.ts'
import { definitionsFile } from '../files/definitions-file.ts'
import { templateFiles } from '../files/template-files.ts'
import { definedComponents } from '../values/chart-values.ts'
import { withDefaults } from '../values/merge-values.ts'
import { parsedValues } from '../values/parse-values.ts'
import { jsonSchemaOf, schemaFile, valuesYaml } from '../values/values-files.ts'
import { type AdmissionContents, type AdmissionValues, admissionValuesSchema } from './admission-values.ts'

export interface AdmissionOptions {
  readonly version: string
  /** The version of the library that renders it. */
  readonly libraryVersion: string
  readonly webhooks: readonly WebhookDefinition[]
  /** Returns true if a component is enabled by default. Default: none. */
  readonly isEnabled?: (component: string) => boolean
}

/** The admission charts: the runtime, and the permissions in the virtual garden. */
export const admissionCharts = {
  runtime: { name: 'trellis-admission-runtime', file: 'runtime.yaml' },
  application: { name: 'trellis-admission-application', file: 'virtual-garden.yaml' },
} as const

export type AdmissionChart = keyof typeof admissionCharts

const contentsOf = ({ webhooks, isEnabled = () => false }: AdmissionOptions): AdmissionContents => ({
  components: componentsOf(webhooks.filter(({ target }) => target === 'garden')),
  isEnabled,
})

/** Returns the values with their defaults. Throws a `ValuesError` that names each invalid key. */
export const parseAdmissionValues = (options: AdmissionOptions, given: unknown): AdmissionValues => {
  const { components, isEnabled } = contentsOf(options)
  const defined = { components: definedComponents(components, isEnabled) }
  return parsedValues(admissionValuesSchema({ components }), withDefaults(defined, given))
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
    ...(await templateFiles('trellis/templates', shared => sharedTemplates.has(shared))),
    ...(await templateFiles('admission/templates', own => own === file || own === '_admission.tpl')),
  ])
}

/** The named templates of the chart for seeds that these charts use, too. */
const sharedTemplates = new Set(['_helpers.tpl', '_process.tpl'])

const descriptions = {
  runtime: 'Admission of Gardener extensions: what runs beside the virtual garden',
  application: 'Admission of Gardener extensions: what it may do in the virtual garden',
} as const
