import { kinds } from '../../../shared/contract/kinds.ts'
import type { ChartContents } from '../values/chart-values.ts'
import type { JsonSchema } from '../values/values-files.ts'

/** The chart's `README.md`: what it installs, and its values. */
export const readmeOf = ({ functions, components }: ChartContents, schema: JsonSchema): string => `# trellis

Gardener extension backends as scale-to-zero functions on Knative. Made by \`make manifests\`; how to install it is in \`docs/installing.md\`.

The cluster is a seed that has Gardener's CRDs and Knative's Eventing and Serving. The chart has no CRDs and no hooks. There is one release in a
namespace; objects without a namespace have the name of the release in theirs.

\`\`\`sh
helm install trellis oci://registry.example.com/charts/trellis --namespace trellis --create-namespace \\
  --set image.registry=registry.example.com/trellis --set seed=my-seed --set functions.${functions[0]?.name}.enabled=true
\`\`\`

## Functions

| name, in \`functions\` | kind | types |
|---|---|---|
${functions.map(({ name, kind, types }) => `| \`${name}\` | ${kinds[kind].kind} | ${types.map(type => `\`${type}\``).join(', ')} |`).join('\n')}

Components of webhooks, in \`webhook.components\`: ${components.map(component => `\`${component}\``).join(', ')}.

## Values

| key | without it | what it is for |
|---|---|---|
${rowsOf(schema, []).join('\n')}
`

/** The entries of these maps are alike; one represents all. */
const placeholders: Readonly<Record<string, string>> = {
  functions: '<name>',
  'webhook.components': '<component>',
  images: '<program>',
}

const rowsOf = (schema: JsonSchema, path: readonly string[]): readonly string[] => {
  const placeholder = placeholders[path.join('.')]
  const entries = Object.entries(schema.properties ?? {})
  const shown = placeholder === undefined ? entries : entries.slice(0, 1)
  return shown.flatMap(([key, property]) => {
    const name = placeholder ?? key
    const inner = rowsOf(property, [...path, name]).map(row =>
      placeholder === undefined ? row : row.replaceAll(key, name),
    )
    if (inner.length > 0) return inner
    const byFunction =
      path.includes('<name>') && property.type !== 'object' && key !== 'enabled' && key !== 'gardenAccess'
    const usual = byFunction ? 'by its definition' : `\`${JSON.stringify(property.default) ?? ''}\``
    const choices = property.enum === undefined ? '' : ` One of ${property.enum.join(', ')}.`
    return [`| \`${[...path, name].join('.')}\` | ${usual} | ${property.description}${choices} |`]
  })
}
