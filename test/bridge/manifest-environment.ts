import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

interface Deployment {
  readonly kind: string
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value?: string }[]
        }[]
      }
    }
  }
}

/**
 * The environment that `knative/base` gives a long-running process, including its V8 limits. Entries of other
 * types and values read from the pod are left out.
 */
export const manifestEnvironment = async (
  name: 'bridge' | 'webhook' = 'bridge',
): Promise<Readonly<Record<string, string>>> => {
  const manifest = fileURLToPath(new URL(`../../knative/base/${name}.yaml`, import.meta.url))
  const documents = parseAllDocuments(await readFile(manifest, 'utf8')).map(document => document.toJS())
  const deployment = (documents as Deployment[]).find(({ kind }) => kind === 'Deployment')
  const env = deployment?.spec.template.spec.containers[0]?.env ?? []
  return Object.fromEntries(
    env.flatMap(({ name, value }) =>
      name === 'TRELLIS_SERVED' || value === undefined ? [] : [[name, value]],
    ),
  )
}
