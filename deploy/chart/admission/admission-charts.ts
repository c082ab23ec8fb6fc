import { componentsOf, type WebhookDefinition } from '../../../shared/webhooks/admission/admission.ts'
import { admissionParts } from '../../knative/knative.ts'
import { type ChartFiles, chartYaml } from '../files/chart-files.ts'
import { environmentTemplate, imageTemplates, yamlTemplate } from '../files/named-templates.ts'
import { templateText } from '../template/template-text.ts'
import { ofVariants, unionOf, variantsOf } from '../template/union-of.ts'
import { componentItem } from '../template-deployment.ts'
import { parsedValues } from '../values/parse-values.ts'
import { jsonSchemaOf, valuesYaml } from '../values/values-files.ts'
import {
  type AdmissionSwitch,
  admissionSwitches,
  admissionTemplateDeployment,
  admissionTemplates,
} from './admission-deployment.ts'
import { type AdmissionContents, type AdmissionValues, admissionValuesSchema } from './admission-values.ts'

/** The content of the admission charts of a version. */
export interface AdmissionOptions {
  readonly version: string
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
export const parseAdmissionValues = (options: AdmissionOptions, given: unknown): AdmissionValues =>
  parsedValues(admissionValuesSchema(contentsOf(options)), given)

/** All files of one of the charts. Both have the same values. */
export const admissionChartFiles = (options: AdmissionOptions, chart: AdmissionChart): ChartFiles => {
  const { name, file } = admissionCharts[chart]
  const schema = admissionValuesSchema(contentsOf(options))
  return new Map([
    ['Chart.yaml', chartYaml(options.version, name, descriptions[chart])],
    ['values.yaml', valuesYaml(schema)],
    ['values.schema.json', `${JSON.stringify(jsonSchemaOf(schema), null, 2)}\n`],
    [
      'templates/_helpers.tpl',
      `${admissionTemplates}\n${imageTemplates}${environmentTemplate}${yamlTemplate}`,
    ],
    [`templates/${file}`, templateOf(options, file)],
  ])
}

const descriptions = {
  runtime: 'Admission of Gardener extensions: what runs beside the virtual garden',
  application: 'Admission of Gardener extensions: what it may do in the virtual garden',
} as const

const templateOf = ({ webhooks }: AdmissionOptions, file: string): string => {
  const ofGarden = webhooks.filter(({ target }) => target === 'garden')
  const parts = variantsOf(
    (isThere, isOn) => admissionParts(admissionTemplateDeployment(ofGarden, isThere, isOn)),
    {
      items: componentsOf(ofGarden).map(componentItem),
      switches: Object.keys(admissionSwitches),
    },
  )
  const objects = unionOf(
    ofVariants(parts, made =>
      made.filter(part => part.file === file).flatMap(part => part.objects.map(({ object }) => object)),
    ),
  )
  return `${[
    '{{- /* Made from the definitions by make manifests. */ -}}',
    '{{- $on := include "trellis.on" . | fromJsonArray }}',
    '{{- $env := .Values.env }}',
    templateText(objects, {
      ofItem: item => `has ${JSON.stringify(item)} $on`,
      ofSwitch: name => admissionSwitches[name as AdmissionSwitch],
    }),
  ].join('\n')}\n`
}
