import { stringify } from 'yaml'
import { componentsOf } from '../../../shared/webhooks/admission/admission.ts'
import type { Installable } from '../deployment-of-values.ts'
import { type ChartContents, chartValuesSchema } from '../values/chart-values.ts'
import { jsonSchemaOf, valuesYaml } from '../values/values-files.ts'
import { readmeOf } from './readme.ts'
import { templatesOf } from './templates.ts'

/** A chart: the text of each file by its path. */
export type ChartFiles = ReadonlyMap<string, string>

/** The content of the chart of a version. */
export interface ChartOptions extends Installable {
  /** The version of the chart and of the images. */
  readonly version: string
  /** Returns true if a function or component is installed by default. Default: none. */
  readonly isEnabled?: (nameOrComponent: string) => boolean
}

export const chartName = 'trellis'

/** Returns the input of a chart's values. Webhooks of gardens belong to other charts. */
export const contentsOf = ({
  functions,
  webhooks,
  isEnabled = () => false,
}: ChartOptions): ChartContents => ({
  functions,
  components: componentsOf(webhooks.filter(({ target }) => target !== 'garden')),
  isEnabled,
})

/** Returns all files of the chart. */
export const chartFiles = (options: ChartOptions): ChartFiles => {
  const contents = contentsOf(options)
  const schema = chartValuesSchema(contents)
  const jsonSchema = jsonSchemaOf(schema)
  const { functions, webhooks, version } = options
  return new Map([
    ['Chart.yaml', chartYaml(version)],
    ['values.yaml', valuesYaml(schema)],
    ['values.schema.json', `${JSON.stringify(jsonSchema, null, 2)}\n`],
    ['README.md', readmeOf(contents, jsonSchema)],
    ['templates/NOTES.txt', notes],
    ...templatesOf({ functions, webhooks: webhooks.filter(({ target }) => target !== 'garden') }),
  ])
}

export const chartYaml = (
  version: string,
  name: string = chartName,
  description = 'Gardener extension backends as scale-to-zero functions on Knative',
): string =>
  stringify(
    {
      apiVersion: 'v2',
      name,
      description,
      type: 'application',
      version,
      appVersion: version,
      // Required for matchConditions of webhooks, and for budgets that allow the eviction of unready pods.
      kubeVersion: '>=1.30.0-0',
      keywords: ['gardener', 'knative'],
    },
    { lineWidth: 0 },
  )

const notes = `{{- $on := include "trellis.on" . | fromJsonArray -}}
Trellis {{ .Chart.AppVersion }} is installed in {{ .Release.Namespace }}, for seed {{ include "trellis.seed" . }}:
{{- range $on }}
  {{ . }}
{{- end }}

Helm does not wait for it. It serves once all of these are ready:
  kubectl --namespace {{ .Release.Namespace }} get broker,triggers,ksvc,deployments
`
