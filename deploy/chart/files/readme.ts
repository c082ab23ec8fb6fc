import { kinds } from '../../../shared/contract/kinds.ts'
import type { ChartContents } from '../values/chart-values.ts'
import { entrySchema, type JsonSchema } from '../values/values-files.ts'

/** The chart's `README.md`: its functions and its values. */
export const readmeOf = ({ functions, components }: ChartContents, schema: JsonSchema): string => `# trellis

Gardener extension backends as scale-to-zero functions on Knative. \`make manifests\` generates this page; \`docs/installing.md\` explains the installation.

The cluster is a seed with Gardener's CRDs and Knative Eventing and Serving. The chart has no CRDs and no hooks. Install one release per
namespace. Names of cluster-scoped objects contain the name of the release.

\`\`\`sh
helm install trellis oci://registry.example.com/charts/trellis --namespace trellis --create-namespace \\
  --set image.registry=registry.example.com/trellis --set seed=my-seed --set functions.${functions[0]?.name}.enabled=true
\`\`\`

## Functions

| key of \`functions\` | kind | types |
|---|---|---|
${functions.map(({ name, kind, types }) => `| \`${name}\` | ${kinds[kind].kind} | ${types.map(type => `\`${type}\``).join(', ')} |`).join('\n')}

Components of webhooks, in \`webhook.components\`: ${components.map(component => `\`${component}\``).join(', ')}.

## Values

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
    const usual = byFunction ? 'by its definition' : `\`${JSON.stringify(property.default) ?? ''}\``
    const choices = property.enum === undefined ? '' : ` One of ${property.enum.join(', ')}.`
    return [`| \`${[...path, name].join('.')}\` | ${usual} | ${property.description}${choices} |`]
  })
}
