import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

const manifest = fileURLToPath(new URL('../../knative/base/bridge.yaml', import.meta.url))

interface Deployment {
  readonly kind: string
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value: string }[]
        }[]
      }
    }
  }
}

/** The environment that `knative/base/bridge.yaml` gives the bridge, its limits for V8 among it; what is measured is of other types. */
export const manifestEnvironment = async (): Promise<Readonly<Record<string, string>>> => {
  const documents = parseAllDocuments(await readFile(manifest, 'utf8')).map(document => document.toJS())
  const deployment = (documents as Deployment[]).find(({ kind }) => kind === 'Deployment')
  const env = deployment?.spec.template.spec.containers[0]?.env ?? []
  return Object.fromEntries(
    env.filter(({ name }) => name !== 'TRELLIS_SERVED').map(({ name, value }) => [name, value]),
  )
}
