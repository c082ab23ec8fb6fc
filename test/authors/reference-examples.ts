import type { LibraryEntry } from '../../docs/read-exports.ts'

/** The surroundings of the examples: what their readers have at hand. */
const surroundings = `${[
  ['files', 'node:fs/promises'],
  ['zod', 'zod'],
  ['trellis', '@trellis-gardener/trellis'],
  ['infra', '@trellis-gardener/trellis/infra'],
  ['testing', '@trellis-gardener/trellis/testing'],
  ['webhooks', '@trellis-gardener/trellis/webhooks'],
]
  .map(([name, from]) => `import type * as ${name} from '${from}'\n`)
  .join('')}
export interface Cloud { networks(): Promise<readonly { readonly id: string }[]> }
declare global {
  const definition: trellis.FunctionDefinition
  const example: testing.SeedExample
  const object: trellis.Infrastructure
  const worker: trellis.Worker
  const record: trellis.DNSRecord
  const objects: readonly trellis.KubernetesObject[]
  const deployment: trellis.KubernetesObject
  const webhook: webhooks.WebhookDefinition
  const lookup: webhooks.Lookup
  const reviewed: trellis.KubernetesObject & { readonly spec: { readonly template: webhooks.PodTemplate } }
  const pod: webhooks.PodSpec
  const container: webhooks.ReviewedContainer
  const cluster: trellis.Cluster
  const step: trellis.StepContext
  const { kubernetes, saveStatus, throwIfExpired, signal }: trellis.StepContext
  const clock: testing.VirtualClock
  const seed: testing.SteppedSeed
  const aws: testing.Aws
  const namespace: string
  const configMaps: trellis.GroupVersionResource
  const server: { readonly transport: testing.ApiServer['transport'] }
  type Cloud = import('./surroundings.ts').Cloud
  const cloud: Cloud
  const graph: infra.Graph<Cloud>
  const network: infra.ResourceType<Cloud, { readonly cidr: string }, { readonly id: string }>
  const state: infra.State
  const test: (name: string, run: () => Promise<void>) => void
  const { rm, writeFile }: typeof files
  const z: typeof zod
  const log: trellis.Log
  const accessKey: Readonly<Record<string, string>>
  const deleteAll: (...given: readonly unknown[]) => Promise<void>
}
`

/** Returns files with the examples of all exports, for the type checker. */
export const exampleFiles = (entries: readonly LibraryEntry[]): Readonly<Record<string, string>> => {
  const values = entries.flatMap(entry =>
    entry.exports.filter(({ kind }) => kind !== 'type').map(({ name }) => [name, entry.name] as const),
  )
  const places = new Map(values)
  const files = entries.flatMap(({ page, exports }) =>
    exports.flatMap(({ name, examples }) =>
      examples.map((code, index) => [`${page}-${name}-${index}.ts`, fileOf(code, places)] as const),
    ),
  )
  return { 'surroundings.ts': surroundings, ...Object.fromEntries(files) }
}

const fileOf = (code: string, places: ReadonlyMap<string, string>): string => {
  const words = new Set(code.match(/\b[A-Za-z]\w*\b/g))
  // A name that the example declares itself needs no import.
  const isDeclared = (name: string) => new RegExp(`\\bconst ${name}\\b`).test(code)
  const imports = [...places]
    .filter(([name]) => words.has(name) && !isDeclared(name))
    .map(([name, from]) => `import { ${name} } from '${from}'\n`)
  const isModule = /^export /m.test(code)
  return `import './surroundings.ts'\n${imports.join('')}${isModule ? code : `export const run = async () => {\n${code}\n}`}\n`
}
