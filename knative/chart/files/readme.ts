import { kinds } from '../../../shared/contract/kinds.ts'
import type { ChartContents } from '../values/chart-values.ts'
import { choices, entrySchema, type JsonSchema } from '../values/values-files.ts'

/** The chart's `README.md`: its functions and its values. */
export const readmeOf = (
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
