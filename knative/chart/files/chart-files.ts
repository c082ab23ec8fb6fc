import { stringify } from 'yaml'
import { annotations } from '../../../shared/contract/constants.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { componentsOf } from '../../../shared/webhooks/admission/admission.ts'
import { monitoringParts } from '../../knative.ts'
import type { Installable } from '../deployment-of-values.ts'
import { type ChartContents, chartValuesSchema } from '../values/chart-values.ts'
import { parseValues } from '../values/parse-values.ts'
import {
  choices,
  entrySchema,
  type JsonSchema,
  jsonSchemaOf,
  schemaFile,
  valuesYaml,
} from '../values/values-files.ts'
import { dataFile } from './data-file.ts'
import { definitionsFile } from './definitions-file.ts'
import { templateFiles } from './template-files.ts'

/** `monitoring.yaml` of the chart: series, rules and dashboards. The template inserts the namespace of the release. */
const monitoringFile = (): string => {
  const { series, groups, dashboards, logFormats } = monitoringParts({
    namespace: '$(NAMESPACE)',
    hasWebhooks: false,
  })
  const withWebhooks = monitoringParts({ namespace: '$(NAMESPACE)', hasWebhooks: true })
  const more = Object.entries(withWebhooks.dashboards).filter(([file]) => dashboards[file] === undefined)
  const webhooks = { groups: withWebhooks.groups.slice(groups.length), dashboards: Object.fromEntries(more) }
  return dataFile(
    { series, groups, dashboards, webhooks, logFormats },
    'Series, rules and dashboards, for the template.',
  )
}

/** A chart: the text of each file by its path. */
export type ChartFiles = ReadonlyMap<string, string>

export interface ChartOptions extends Installable {
  /** The version of the chart and of the images. */
  readonly version: string
  /** The version of the library that renders it. */
  readonly libraryVersion: string
  /** The name of the chart. Default: `trellis`. */
  readonly name?: string
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

/** Returns all files of the chart: the templates, and the values that they take from the definitions. */
export const chartFiles = async (options: ChartOptions): Promise<ChartFiles> => {
  const contents = contentsOf(options)
  const jsonSchema = jsonSchemaOf(chartValuesSchema(contents))
  const values = parseValues(contents, {})
  const { functions, webhooks, name = chartName } = options
  return new Map([
    ['Chart.yaml', chartYaml(options, name, descriptionOf(name))],
    ['values.yaml', valuesYaml(values, jsonSchema)],
    ['values.schema.json', schemaFile(jsonSchema)],
    ['README.md', readmeOf(name, contents, jsonSchema)],
    [
      'definitions.yaml',
      definitionsFile({ functions, webhooks: webhooks.filter(({ target }) => target !== 'garden') }, values),
    ],
    ['monitoring.yaml', monitoringFile()],
    ...(await templateFiles('trellis/templates')),
  ])
}

const descriptionOf = (name: string): string =>
  name === chartName
    ? 'Gardener extension backends as scale-to-zero functions on Knative'
    : `Gardener extension backends of ${name} as scale-to-zero functions on Knative`

export const chartYaml = (
  { version, libraryVersion }: Pick<ChartOptions, 'version' | 'libraryVersion'>,
  name: string,
  description: string,
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
      // The templates copy it to each workload. `version` is that of the project.
      annotations: { [annotations.version]: libraryVersion },
    },
    { lineWidth: 0 },
  )

/** The chart's `README.md`: its functions and its values. */
const readmeOf = (
  name: string,
  { functions, components }: ChartContents,
  schema: JsonSchema,
): string => `# ${name}

Gardener extension backends as scale-to-zero functions on Knative. For operators: after this page you can install the chart and set its values. \`docs/installing.md\` in the repository describes the whole installation. \`make manifests\` generates this page.

The cluster must be a seed with Gardener's CRDs, Knative Eventing and Knative Serving. The chart contains no CRDs and no hooks. Install one release per namespace. Names of cluster-scoped objects contain the name of the release.

\`\`\`sh
helm install ${name} oci://registry.example.com/charts/${name} --namespace ${name} --create-namespace \\
  --set image.registry=registry.example.com/${name} --set seed=my-seed --set functions.${functions[0]?.name}.enabled=true
\`\`\`

## Functions

| key of \`functions\` | kind | types |
|---|---|---|
${functions.map(({ name, kind, types }) => `| \`${name}\` | ${kinds[kind].kind} | ${types.map(type => `\`${type}\``).join(', ')} |`).join('\n')}

${components.length === 0 ? 'It has no webhooks.' : `Keys of \`webhook.components\`: ${components.map(component => `\`${component}\``).join(', ')}.`}

## Values

A value that is null or absent has its default, also after \`helm upgrade --reuse-values\`.

| key | default | meaning |
|---|---|---|
${rowsOf(schema, []).join('\n')}
`

/** The names of entries that are alike. */
const placeholders: Readonly<Record<string, string>> = {
  functions: '<name>',
  'webhook.components': '<component>',
  images: '<program>',
}

const rowsOf = (schema: JsonSchema, path: readonly string[]): readonly string[] => {
  const entry = entrySchema(schema)
  const properties = entry ? { [placeholders[path.join('.')] ?? '<name>']: entry } : schema.properties
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const inner = rowsOf(property, [...path, name])
    if (inner.length > 0) return inner
    const byFunction = path.includes('<name>') && ['maxScale', 'concurrency'].includes(name)
    const usual = property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``
    const shown = byFunction ? 'by its definition' : usual
    return [`| \`${[...path, name].join('.')}\` | ${shown} | ${property.description}${choices(property)} |`]
  })
}
